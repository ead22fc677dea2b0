"""What a checker of certificates has to know of Divisors/Multiples."""

from collections.abc import Sequence

from .rules import State


def wish(scores: Sequence[int], player: int) -> int:
    """The sum over all other players of what they have paid less what this player has paid."""
    return sum(scores) - len(scores) * scores[player - 1]


def position(s: State) -> Sequence[int | Sequence[int]]:
    """Everything but what was paid: everyone wants a difference of payments, and earlier ones don't change it."""
    return [s.is_taken, s.current, s.mover, s.num_steps]
