"""What `quet new-game` copies: a small game that works, and the package around it."""
