"""Search over any game: the rules are an argument, compiled on the first search."""
