"""What a checker of certificates has to know of Convoluted Coprimality."""

from collections.abc import Sequence
from fractions import Fraction


def wish(scores: Sequence[int], player: int) -> Fraction:
    """The player's share of the win; all who are left have equal shares."""
    return Fraction(scores[player - 1], sum(scores) or 1)  # only a false table has nobody left
