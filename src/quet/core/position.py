"""What a picture and a judge see of a game: the state, and what the state leaves out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .parameters import AnyValue
from .rules import AnyState


@dataclass(frozen=True)
class Position:
    """A state with the parameters and moves that led to it."""

    state: AnyState
    parameters: Mapping[str, AnyValue]
    moves: Sequence[int] = ()  # played so far; where paper doesn't tell those that led to it, only those played since
    legal: Sequence[int] = ()  # the legal moves in ascending order, where they are to be shown


@dataclass(frozen=True)
class Item:
    """One thing that counts towards a player's score: a palindrome, a good line, a matching sign."""

    player: int  # whose score
    points: int  # 0 for a line or a sum that is shown because it does not count
    words: str  # what it is: "1001 at 1-4, a palindrome"
    squares: tuple[str, ...] = field(default=())  # the squares it lies on
