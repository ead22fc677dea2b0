"""What a solver may use of this game."""

from .rules import State


def bounds(s: State) -> tuple[int, int]:
    """The lowest and highest score of any game of this size."""
    return 1, s.n * s.n
