"""A game in progress: `match` and `clock` are values, and `session` plays them by the wall clock."""
