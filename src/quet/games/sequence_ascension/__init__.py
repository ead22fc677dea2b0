"""Sequence Ascension Solitaire Grid Game."""
