"""Engines: a raster becomes lines and words with boxes and confidences."""
