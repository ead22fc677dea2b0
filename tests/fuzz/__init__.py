"""Fuzzing of every reader of texts and bytes."""
