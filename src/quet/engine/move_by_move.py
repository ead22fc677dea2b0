"""What a tree search takes for granted where a game has no `random_end.py`: random games are played move by move."""

from ..core.rules import AnyState
from .arrays import Floats, Ints, Words

ALLOCATES = False


def num_moves(s: AnyState) -> int:
    """0: no end is drawn."""
    return 0


def finish(s: AnyState, room: list[int], rng: Words, made: Ints, scores: Floats) -> None:
    """Nothing calls it."""
