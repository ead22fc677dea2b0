"""Plusses And Minuses Grid Game."""
