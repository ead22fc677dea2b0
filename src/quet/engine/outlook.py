"""What alpha-beta takes for granted of a position where a game's `exact.py` doesn't say: nothing."""

from ..core.rules import AnyState
from .alphabeta import UNKNOWN

ALLOCATES = False


def reach(s: AnyState) -> tuple[int, int]:
    """The lowest and highest value that can still be reached."""
    return -UNKNOWN, UNKNOWN


def settled(s: AnyState) -> int:
    """The part of the value that is certain. Positions with the same key agree in the rest."""
    return 0


def arrange(s: AnyState, moves: list[int], count: int) -> None:
    """Put those of the first `count` moves first that look best."""


def is_near_end(s: AnyState) -> bool:
    """Whether `ending` tells what this position is worth."""
    return False


def ending(s: AnyState, low: int, high: int) -> int:
    """The value of a position near the end, or low or high where it isn't between them."""
    return low
