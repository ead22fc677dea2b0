"""Convoluted Coprimality."""
