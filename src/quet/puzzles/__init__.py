"""Puzzles: positions of a game in which only some moves are right, made from exact values.

`of(game_id)` gives the puzzles of a game, the easiest first, in an order that stays; a game may have none.
`Puzzle.position()` is the game to play on, and `judge` says what a move is worth.
"""

from .puzzle import BadPuzzles, Kind, Puzzle, entry_of, find, of, read, written

__all__ = ["BadPuzzles", "Kind", "Puzzle", "entry_of", "find", "of", "read", "written"]
