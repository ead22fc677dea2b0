"""What a solver may use of this game."""

from .rules import State

SIGN_IS_VALUE = False


def bounds(s: State) -> tuple[int, int]:
    """The lowest and highest score of any game of this size."""
    return 1, s.n * s.n
