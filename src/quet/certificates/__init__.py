"""Certificates of scores and values, and their checker: it knows the rules and no solver."""
