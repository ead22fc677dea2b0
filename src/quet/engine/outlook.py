"""What alpha-beta knows of a position before it looks, where a game's `exact.py` doesn't say: nothing."""

from typing import Any

from .alphabeta import UNKNOWN

ALLOCATES = False


def reach(s: Any) -> tuple[int, int]:
    """The lowest and highest value that can still be reached."""
    return -UNKNOWN, UNKNOWN


def settled(s: Any) -> int:
    """What of the value is certain; the rest is all that positions of one key have in common."""
    return 0


def arrange(s: Any, moves: Any, count: int) -> None:
    """Put those of the first `count` moves first that look best."""


def is_near_end(s: Any) -> bool:
    """Whether `ending` tells what this position is worth."""
    return False


def ending(s: Any, low: int, high: int) -> int:
    """The value of a position near the end, or low or high where it isn't between them."""
    return low
