"""Searches for best scores and for the values of games; rules are an argument."""
