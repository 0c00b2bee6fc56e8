"""Calibration: measure what preparation does on labelled documents, and fit the profiles that it reads."""
