"""What searches estimate a position by where nothing is proven: learned patterns, and random ends of the game."""

from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from ..core.rules import AnyState, SearchRules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

S = TypeVar("S", contravariant=True)  # the State of a game
T = TypeVar("T")  # the same


@runtime_checkable
class Patterns(SearchRules[T], Protocol[T]):
    """A game's `patterns.py`: what of a position an evaluation is learned from, and the game for its search.

    The value of a position is estimated as what is settled and the sum of the weights of its patterns.
    `python -m quet.learning` learns the weights, one for each pattern and number of plies left, and the game's folder
    keeps them in `weights/`. The strongest level then searches with them, in games for two where nothing is proven. The
    file has all that a search asks of rules, with a State of its own. It promises the same ends and scores as the
    rules, that a game is over when no plies are left, and that each move takes one of them. A move is one of the rules,
    or several that are played one after another: a turn of Divisors/Multiples is one move here. Then those that can't
    be best may be left out. `most_moves` is above the number of every move. In Blob each row and each column is a
    pattern.
    """

    def fits(self, s: AnyState) -> bool:
        """Whether a game with the parameters of s, a State of the rules, has patterns."""

    def of(self, s: AnyState) -> T:
        """The same position; s is a State of the rules."""

    def step(self, s: T, move: int) -> int:
        """The move of the rules with which a move begins. After it the same number names the rest of the move."""

    def follow(self, s: T, step: int) -> None:
        """Play a legal move of the rules."""

    def key(self, s: T) -> int:
        """A number of 64 bits that different positions of one game hardly ever share.

        It may leave out what is settled.
        """

    def settled(self, s: T) -> int:
        """The part of player 1's advantage that is certain, in points; 0 where patterns count it too."""

    def gain(self, s: T, move: int) -> int:
        """By how much a legal move changes what is settled."""

    def plies_left(self, s: T) -> int:
        """How many moves are still played; 0 when the game is over."""

    def num_patterns(self, s: T) -> int:
        """How many patterns there are in a game with these parameters; they are numbered from 0."""

    def patterns(self, s: T, out: list[int]) -> int:
        """Write the position's patterns to the front of `out`, a pattern as often as it counts; return how many.

        There are never more than `num_patterns`.
        """

    def changes(self, s: T, move: int, gone: list[int], come: list[int]) -> tuple[int, int]:
        """Write the patterns that a legal move takes away, and those that come instead; return how many of each."""

    def alike(self, s: T) -> "npt.NDArray[np.int64]":
        """For each pattern the least of those that share its weight since symmetries join them."""

    def parts(self, s: T) -> "npt.NDArray[np.int64]":
        """[pattern, any]: the parts that a pattern is made of, numbers from 0, or -1 for none.

        Parts have weights of their own while weights are fitted, so that patterns of which there are few positions are
        worth what is known of others with the same parts. Patterns that share a weight have the same parts.
        """


@runtime_checkable
class RandomEnd(Protocol[S]):
    """A game's `random_end.py`: a random end of the game, without playing it move by move. Not for solitaires.

    It promises the final scores, and the moves that each player makes, that random legal moves would bring, with the
    same chances. Tree searches ask for it in each simulation. Both functions are compiled. In Palindromes the end is
    one random word, and a random half of the empty squares for each player.
    """

    def num_moves(self, s: S) -> int:
        """A number above that of every move in a game with these parameters; 0 where no end is drawn at this size."""

    def finish(
        self,
        s: S,
        room: list[int],
        rng: "npt.NDArray[np.unsignedinteger]",
        made: "npt.NDArray[np.signedinteger]",
        scores: "npt.NDArray[np.floating]",
    ) -> None:
        """Draw an end of s, which isn't over, and write each player's final score to scores[1..N].

        made[player] is a set of moves, 32 in each number: move m is bit m % 32 of number m // 32. It is empty, and the
        moves that the player makes from here to the end are added. `room` has `most_moves` numbers to work with. It is
        all the same what becomes of s. `rng` is that of `engine/playouts.py`.
        """
