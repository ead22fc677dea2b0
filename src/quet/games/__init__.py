"""One folder a game. A folder with a `rules.py` is a game; nothing lists them by hand."""
