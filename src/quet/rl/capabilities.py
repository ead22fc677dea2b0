"""What a game's `observe.py` offers to programs that learn."""

from collections.abc import Mapping
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

S = TypeVar("S", contravariant=True)  # the State of a game


@runtime_checkable
class Observe(Protocol[S]):
    """A game's `observe.py`: what a program that learns sees of a position, and the bounds of actions and games.

    OpenSpiel asks for it (`quet.rl`). A game without it is learned too, from the bare numbers of its State. An action
    is the number of a move, 0 to `num_actions` - 1, unless the file has the functions of `Actions` as well. In blob:
    three planes of n rows and columns, n² actions, a longest game of 2 floor(n²/4) moves.
    """

    def planes(self, s: S) -> Mapping[str, str]:
        """The names of the planes of an observation, in order, with a sentence each; equal all through a game."""

    def shape(self, s: S) -> tuple[int, ...]:
        """The shape of one plane; equal all through a game."""

    def observe(self, s: S, array: NDArray[np.float32]) -> None:
        """Write what can be seen of s, the same for every player, into an array of all planes that is all 0.

        Of two positions with equal arrays one goes on as the other.
        """

    def num_actions(self, s: S) -> int:
        """How many actions there are in a game with these parameters."""

    def longest(self, s: S) -> int:
        """How many actions a game with these parameters has at most."""


@runtime_checkable
class Actions(Protocol[S]):
    """Further functions of an `observe.py` whose actions aren't the numbers of moves.

    OpenSpiel asks for them (`quet.rl`). The moves of Divisors/Multiples begin at 2; those of the sums grid are numbered
    with gaps, and could be made without end.
    """

    def legal_actions(self, s: S) -> list[int]:
        """The legal actions, ascending; none when the game is over."""

    def action_text(self, s: S, action: int) -> str:
        """The legal action as people write the move."""

    def broken_rule(self, s: S, action: int) -> str:
        """The rule that an action of 0 to `num_actions` - 1 breaks; empty when it is legal. The game isn't over."""

    def play(self, s: S, action: int) -> None:
        """Change s by a legal action."""


@runtime_checkable
class HighestScore(Protocol[S]):
    """A further function of a solitaire's `observe.py`; OpenSpiel asks for it (`quet.rl`)."""

    def highest_score(self, s: S) -> int:
        """A score that no game with these parameters exceeds; none is below 0."""
