"""The terminal application: choose a game, say who plays, and play it on a board of characters."""
