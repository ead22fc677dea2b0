"""What a checker of certificates has to know of Convoluted Coprimality."""

from collections.abc import Sequence
from fractions import Fraction


def wish(scores: Sequence[int], player: int) -> Fraction:
    """The player's share of the win, which all who are left have in equal parts."""
    return Fraction(scores[player - 1], sum(scores) or 1)  # nobody is left in a false table only
