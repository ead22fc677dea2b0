"""What programs that learn see of a game, and what they may do: the capabilities in its `observe.py`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

S = TypeVar("S", contravariant=True)  # the State of a game


@runtime_checkable
class Observe(Protocol[S]):
    """A game's `observe.py`: what a program that learns sees of a position, and the bounds of actions and games.

    Environments and OpenSpiel ask for it (`quet.rl`). A game without it is learned too, from the bare numbers of its
    State. An action is the number of a move, 0 to `num_actions` - 1, unless the file has the functions of `Actions` as
    well. In blob: three planes of n rows and columns, n² actions, a longest game of 2 floor(n²/4) moves.
    """

    def planes(self, s: S) -> Mapping[str, str]:
        """The names of the planes of an observation, in order, with a sentence each; equal all through a game."""

    def shape(self, s: S) -> tuple[int, ...]:
        """The shape of one plane; equal all through a game."""

    def observe(self, s: S, legal: "npt.NDArray[np.bool_]", array: "npt.NDArray[np.float32]") -> None:
        """Write what can be seen of s, the same for every player, into an array that is all 0: a row for each plane.

        A row has the numbers of its plane one after the other. `legal` says of each action whether it is legal. Two
        positions with equal arrays have the same future. It is compiled, as rules are.
        """

    def num_actions(self, s: S) -> int:
        """How many actions there are in a game with these parameters."""

    def longest(self, s: S) -> int:
        """How many actions a game with these parameters has at most."""


@runtime_checkable
class Actions(Protocol[S]):
    """Further functions of an `observe.py` whose actions aren't the numbers of moves.

    Environments and OpenSpiel ask for them (`quet.rl`). The moves of Divisors/Multiples begin at 2; those of the sums
    grid are numbered with gaps, and could be made without end.
    """

    def mark_legal(self, s: S, moves: list[int], legal: "npt.NDArray[np.bool_]") -> None:
        """Write True for each legal action into `legal`, which is False for all; the game isn't over.

        `moves` has room for `most_moves` numbers. It is compiled, as rules are, and so is `play`.
        """

    def action_text(self, s: S, action: int) -> str:
        """The legal action as people write the move."""

    def moves(self, s: S, action: int) -> Sequence[int]:
        """The moves that `play` makes of a legal action, as the rules number them: the one that is written first."""

    def broken_rule(self, s: S, action: int) -> str:
        """The rule that an action of 0 to `num_actions` - 1 breaks; empty when it is legal. The game isn't over."""

    def play(self, s: S, action: int) -> None:
        """Change s by a legal action."""


@runtime_checkable
class HighestScore(Protocol[S]):
    """A further function of a solitaire's `observe.py`; OpenSpiel asks for it (`quet.rl`)."""

    def highest_score(self, s: S) -> int:
        """A score that no game with these parameters exceeds; none is below 0."""


@runtime_checkable
class KnowsPositions(Protocol[S]):
    """A further function of an `observe.py`; batches and oracles ask it for states that are given to them as arrays.

    Compiled rules trust the states that they are given, and one with wrong numbers makes them leave their arrays. It
    promises that no state it lets pass does. In Blob the list of the edge and the squares must agree.
    """

    def is_position(self, s: S, first: S) -> bool:
        """Whether s may be a position of the game whose first one is `first`: false wherever the rules rely on more.

        The numbers in s may be any. It is true for each position that can come after `first`. It need not tell those
        that can't, if their numbers are as the rules expect. It is compiled, as rules are.
        """
