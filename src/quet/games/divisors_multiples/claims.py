"""What a checker of certificates has to know of Divisors/Multiples."""

from collections.abc import Sequence

from .rules import State


def wish(scores: Sequence[int], player: int) -> int:
    """What all others have paid, less what the player has, once for each of them."""
    return sum(scores) - len(scores) * scores[player - 1]


def position(s: State) -> Sequence[int | Sequence[int]]:
    """All but what was paid: what everyone wants is a difference of payments, which earlier ones don't change."""
    return [s.is_taken, s.current, s.mover, s.num_steps]
