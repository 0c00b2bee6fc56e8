"""Preparation: a representation becomes edits with reasons; no text is made here."""
