"""Evaluations that are learned: how weights of patterns are fitted, and the files that keep them."""
