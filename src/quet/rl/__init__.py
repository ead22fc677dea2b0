"""Quet's games for programs that learn."""
