"""Which level a person is evenly matched with, from how games against levels ended."""

import math
from collections.abc import Sequence

from .levels import LEVELS

MOST = 20  # results that count, the last ones
BEGIN, UNSURE = 3.0, 2.0  # the level of somebody of whom nothing is known, and its standard deviation
STEP = math.log(3)  # a level is taken to win three games of four against the level below it

_NUMBERS = {name: number for number, name in enumerate(LEVELS, 1)}


def evenly_matched(results: Sequence[tuple[str, float]]) -> str | None:
    """The name of the level against which one would win about as often as lose.

    `results` are the names of the levels that one has met, in order, each with the share of the win: 1, 0, or a part of
    a win that was shared. Only the last MOST count. None where no level was met.

    >>> evenly_matched([]), evenly_matched([("level:3", 1.0)]), evenly_matched([("level:3", 0.0)] * 4)
    (None, 'level:4', 'level:1')
    """
    met = [(_NUMBERS[name], share) for name, share in results if name in _NUMBERS][-MOST:]
    if not met:
        return None

    def likelihood(own: int) -> float:
        found = -(((own - BEGIN) / UNSURE) ** 2) / 2
        for level, share in met:
            ahead = STEP * (own - level)
            found -= share * math.log1p(math.exp(-ahead)) + (1 - share) * math.log1p(math.exp(ahead))
        return found

    return max(LEVELS, key=lambda name: likelihood(_NUMBERS[name]))
