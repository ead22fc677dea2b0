"""How high and how low a value can be by the rules alone, for those games where they say it."""

from collections.abc import Callable
from typing import Any

from . import sums_bounds

# Of a solitaire the score, of a game for two player 1's minus player 2's.
_HIGHEST: dict[str, Callable[[Any], int]] = {
    "up-and-up": lambda s: s.n * s.n,  # a number a square
    "sequence-ascension": lambda s: s.n * s.n,  # a square is on the path once
    "sums-grid": lambda s: sums_bounds.most(s.n),  # at most as many runs
    "palindromes": lambda s: sum(half * (half + 1) for half in (min(c, s.m - c) for c in range(1, s.m))),  # all 0
    "plusses-minuses": lambda s: s.n - 1,  # as many signs
    "blob": lambda s: s.n,  # as many lines
}
_LOWEST = {"up-and-up": 1, "sequence-ascension": 1, "sums-grid": 0}  # of the others the highest with a minus


def bound(game: str, s: Any, side: str) -> int | None:
    """The `low` or `high` that the rules alone give for the value of a game that begins with s, where they do."""
    if game not in _HIGHEST:
        return None
    highest = _HIGHEST[game](s)
    return highest if side == "high" else _LOWEST.get(game, -highest)
