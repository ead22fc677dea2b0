"""What solvers ask for: the capabilities in a game's `exact.py`, of its values, positions and moves."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from ..core.rules import AnySearchRules, AnyState

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ..distribution.task import Task

S = TypeVar("S", contravariant=True)  # the State of a game


@runtime_checkable
class Bounds(Protocol[S]):
    """`bounds`: how low and how high values can be. In `exact.py`.

    It promises that no position of a game with the parameters of s has a value outside. Alpha-beta begins with this
    window, a solve that is stopped names it, and the search of a solitaire ends when it has reached the upper bound.
    Alpha-beta needs it. In Blob on 6 by 6 squares: (-6, 6), as there are six rows and six columns.
    """

    def bounds(self, s: S) -> tuple[int, int]:
        """The lowest and the highest value."""


@runtime_checkable
class Keys(Protocol[S]):
    """`key` and `fits`: a number for each position. In `exact.py`, together with `bounds`.

    It promises that two positions of one game with equal keys have the same future: the same mover, and the same
    value less what `settled` says of each. Positions that a symmetry joins should have the same key. Keys are integers
    of 64 bits. The transposition table of alpha-beta asks for them, and the table of all positions. Without keys a game
    is proven by its rules alone, a thousand times slower. In Blob the filled squares as bits, the least of four mirror
    images.
    """

    def fits(self, s: S) -> bool:
        """Whether keys tell all positions of this size apart. Where they don't, nothing asks for a key."""

    def key(self, s: S) -> int:
        """The position's number."""


@runtime_checkable
class AnyOrder(Protocol[S]):
    """`left_in_any_order`: how many moves are left, where their order doesn't matter. In `exact.py`, with `key`.

    It promises that from s on every game has just so many moves, none of them twice, with numbers below `most_moves`,
    and that the position after some of them doesn't depend on their order. The moves made since s are then a key, as
    long as they fit into 63 bits: near the end alpha-beta finds values on boards that are too large for `key`. In Blob
    the squares that are still to be filled.
    """

    def left_in_any_order(self, s: S) -> int:
        """The moves until the end; 0 where the game is over or the order of moves matters."""


@runtime_checkable
class Reach(Protocol[S]):
    """`reach` and `settled`: what is certain of the value before the game is over. In `exact.py`.

    It promises that the value of s lies in what `reach` says. `settled` is the part of the value that what was played
    has decided; the rest depends on the key alone, so that positions with equal keys may have different scores so far.
    Alpha-beta asks for both and cuts off what can't matter; it then looks at a tenth of the positions. In Blob a good
    row that no empty square can spoil is settled.
    """

    def reach(self, s: S) -> tuple[int, int]:
        """The lowest and the highest value that can still come out."""

    def settled(self, s: S) -> int:
        """What of the value is certain; 0 where the key has all of it."""


@runtime_checkable
class Order(Protocol[S]):
    """`arrange`: which moves look best. In `exact.py`.

    It promises to keep the first `count` moves, in another order. Alpha-beta asks before it tries them: the earlier a
    good move comes, the fewer positions it looks at. In Blob the moves that promise the most good lines come first.
    """

    def arrange(self, s: S, moves: list[int], count: int) -> None:
        """Put those of the first `count` moves first that look best to the mover."""


@runtime_checkable
class Endgame(Protocol[S]):
    """`is_near_end` and `ending`: the value near the end without a search. In `exact.py`.

    It promises that where `is_near_end` holds and the game isn't over, `ending` is the value, or a bound of it where
    the value isn't between `low` and `high`: then it is at most `low` or at least `high`, on the side of the value.
    Alpha-beta asks in every position. In Blob the last two moves are read off from bits.
    """

    def is_near_end(self, s: S) -> bool:
        """Whether `ending` tells what this position is worth."""

    def ending(self, s: S, low: int, high: int) -> int:
        """The value, or a bound on the side where it lies outside."""


@runtime_checkable
class Plies(Protocol[S]):
    """`most_plies`: how long a game can be. In `exact.py`.

    It promises that no game with these parameters has more moves. Alpha-beta and the table of all positions make room
    for so many. Without it they take `most_moves` of the rules and 64 more, which suits games whose moves fill squares.
    In Convoluted Coprimality each grid may be filled, so that there are `grids` n² moves. Learners of a game without
    `observe.py` ask it too, also where there are no keys.
    """

    def most_plies(self, s: S) -> int:
        """A bound on the moves of a game."""


@runtime_checkable
class Compact(Protocol):
    """`COMPACT`: the name of a module with the same game in bits, for searches alone. In `exact.py`.

    That module has a State of its own, `of`, what a search asks of rules (`SearchRules`), and capabilities for solvers.
    It promises the same moves with the same numbers, the same end and the same scores. Alpha-beta and the table of all
    positions then work with it instead of the rules.
    """

    COMPACT: str


@runtime_checkable
class Twin(Protocol[S]):
    """`of`: what takes a position into the module that `Compact` names. In that module."""

    def of(self, s: S) -> AnyState:
        """The same position."""


@runtime_checkable
class Solved(Protocol[S]):
    """What an `OwnTable` has found: a frozen data class of arrays, numbers, texts and tuples of these, to be saved."""

    @property
    def num_positions(self) -> int:
        """How many positions it has the value of."""

    def covers(self, s: S) -> bool:
        """Whether it has the value of s and of all that can come after it."""

    def value(self, s: S) -> int | None:
        """The value of s, which it covers and which isn't over; None where its entries are too small for it."""


@runtime_checkable
class SolvedForMany(Protocol):
    """`values_of`: a further function of what an `OwnTable` has found, for many positions at once.

    `quet.rl.oracle` looks a million positions up with it while `value` takes a thousand.
    """

    def values_of(self, states: "npt.NDArray[np.void]", rules: AnySearchRules) -> "npt.NDArray[np.signedinteger]":
        """The value of each state of these rules, as 64-bit integers. They are as `engine/arrays.py` has them.

        The table covers all of them, and they may be over. NO_VALUE where its entries are too small.
        """


@runtime_checkable
class SolvedWithReplies(Protocol[S]):
    """`replies`: a further function of what an `OwnTable` has found, which makes a strategy of a player from it.

    `quet solve --strategies` asks it, as it takes a hundredth of the time that looking at one position after another
    takes.
    """

    def replies(
        self,
        s: S,
        value: int,
        player: int,
        hashed: "Callable[[npt.NDArray[np.signedinteger]], npt.NDArray[np.unsignedinteger]]",
        task: "Task",
    ) -> "npt.NDArray[np.signedinteger]":
        """The replies of a strategy with which the player holds the value from s on, in the order of a certificate.

        The value is one that the player can hold. `hashed` is given the numbers that tell positions apart for the
        checker, a row for each position, and returns for each row the hash that stands for it, as two words.
        Raises NotSolved where the time of the task is over.
        """


@runtime_checkable
class Replies(Protocol[S]):
    """`replies`, `has_replies`: a strategy of a player without a table of all positions. In `exact.py`.

    `quet solve --strategies` asks it where the game has no table. In Blob alpha-beta makes them, many positions at once
    in compiled code.
    """

    def has_replies(self, s: S) -> bool:
        """Whether `replies` is to be asked, as the game is too large to look at one position after another."""

    def replies(self, s: S, value: int, player: int, task: "Task") -> "npt.NDArray[np.signedinteger]":
        """The replies of a strategy with which the player holds the value from s on, in the order of a certificate.

        The value is one that the player can hold. Raises NotSolved where the time of the task is over, and TooLarge
        where its memory doesn't suffice.
        """


NO_VALUE = -(1 << 62)  # in place of a value in an array


@runtime_checkable
class OwnTable(Protocol[S]):
    """`METHOD`, `Solution`, `solve`, `needed`, `is_quick`: a table of all positions that the game makes itself.

    In `exact.py`. It promises that `solve` finds the value of s and of all that can come after. Everything that wants
    values takes it before any search. What `solve` has when the time is over it may keep for the next call. In
    Divisors/Multiples a table of all sets of taken numbers, in Palindromes one by retrograde analysis.
    """

    METHOD: str
    """How it is made, as a part of a sentence."""

    @property
    def Solution(self) -> Callable[..., Solved[AnyState]]:  # noqa: N802 - a class of the module
        """What `solve` returns; it takes its fields by name when it is read from a file."""

    def needed(self, s: S) -> int:
        """Bytes of memory that `solve` takes."""

    def is_quick(self, s: S) -> bool:
        """Whether `solve` takes no more than a few seconds, so that a player may wait for it."""

    def solve(self, s: S, task: "Task") -> Solved[AnyState] | None:
        """The table; None when the time is over. Raises TooLarge where the task's memory doesn't suffice."""


@runtime_checkable
class SignIsValue(Protocol):
    """`SIGN_IS_VALUE = True`: a game for two is won, shared or lost, and nothing else counts. In `exact.py`.

    It promises that every value is 1, 0 or -1. A tree search that keeps what it proves then finds values too where
    alpha-beta doesn't fit, and a win is reported without points. In Convoluted Coprimality the winner scores 1.
    """

    SIGN_IS_VALUE: bool


@runtime_checkable
class Numbering(Protocol):
    """`NUMBERING`: the version of keys or of the own table, 1 where it isn't given. In `exact.py`.

    It promises that positions keep their keys, and their places in the own table, as long as the number stays. Raise it
    when that changes: tablebases of another numbering are then refused instead of read wrongly.
    """

    NUMBERING: int


FOR_SOLVERS: Sequence[type[object]] = (
    Bounds,
    Keys,
    AnyOrder,
    Reach,
    Order,
    Endgame,
    Plies,
    Compact,
    OwnTable,
    Replies,
    SignIsValue,
    Numbering,
)
"""The capabilities of an `exact.py`."""
