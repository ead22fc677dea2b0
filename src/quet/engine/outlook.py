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
