"""Sums Equal 1,2,3,...m In Small Grid."""
