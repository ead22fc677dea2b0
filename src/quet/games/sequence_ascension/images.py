"""The images of a game: all of it turned and mirrored, with the same score."""

from quet.core import grid

from .rules import State


def images(s: State, move: int) -> list[int]:
    """The move in each of the eight images of the grid."""
    return grid.images(move, s.n)
