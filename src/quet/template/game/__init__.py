"""TITLE."""
