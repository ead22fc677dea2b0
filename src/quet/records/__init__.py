"""The record of a game: what was played, as text and as JSON."""
