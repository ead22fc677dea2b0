"""Ways of a game's own to good moves and to proven values: levels, hints and `quet solve` ask for them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from ..core.rules import SearchRules

if TYPE_CHECKING:
    from ..distribution.task import Answer, Task

S = TypeVar("S", contravariant=True)  # the State of a game
T = TypeVar("T")  # the same
IsOver = Callable[[], bool]  # whether the time of a search is over


@runtime_checkable
class OwnSolver(Protocol[S]):
    """A game's `solve.py`: a way of its own to its best scores.

    `quet solve` asks it first. What it returns as proven must be so, and so must its bounds; it may return None and
    leave the question to the general solvers. Of a game for two it may return bounds and no game, which others then
    look for. In the Sums Grid, whose boards are too many for any table, it tries grids and knows when to stop. One
    or two players are at the start of a game; three or more may be anywhere.
    """

    def solve(self, state: S, task: "Task") -> "Answer | None":
        """The answer; None where the general solvers should try."""


@runtime_checkable
class Strategy(Protocol[S]):
    """A game's `strategy.py`: strategies that hold a value, and that a certificate can rest on.

    `quet solve` asks it where a value stays open. In Plusses And Minuses, mirror strategies of both players.
    """

    METHOD: str
    """What the strategies are, as a part of a sentence."""

    def find(self, s: S) -> Sequence[tuple[int, dict[str, Any]]]:
        """What is held: a value with the grounds for it, as a certificate has them."""


@runtime_checkable
class Line(Protocol[S]):
    """A further function of a `strategy.py` whose strategies can hold the same value for both players."""

    def line(self, s: S) -> list[int]:
        """The moves of a whole game in which both play their strategies, where they hold the same value."""


@runtime_checkable
class Hold(Protocol[S]):
    """A further function of a `strategy.py`: what its strategies hold in any position, and by which move.

    It promises that the player who plays this move, and so on by `hold`, ends with the value or a better one, whatever
    the others play. Computer players, hints, analyses and `quet solve` ask for it, since it takes less than a
    millisecond at any size. In Palindromes the other square of a pair.
    """

    def hold(self, s: S, player: int) -> tuple[int, int] | None:
        """The value that this player holds from s on, which isn't over, and the player's move.

        The move is -1 where it isn't the player's turn. None where the strategies hold nothing.
        """

    def why(self, s: S, move: int) -> str:
        """A sentence about what the move does, which `hold` has named in s; people read it in a hint."""


@runtime_checkable
class LocalSearch(Protocol[S]):
    """A game's `local_search.py`: a solitaire that is searched by changing a whole board, and not move by move.

    Levels, hints and `quet solve` anneal boards with it instead of searching a tree. `fill` and `improve` are compiled;
    what they are given is described in the Sums Grid's file, which is the example.
    """

    @property
    def fill(self) -> Callable[..., None]:
        """What makes the first board of two states full at random."""

    @property
    def improve(self) -> Callable[..., int]:
        """What changes the first of two boards step by step, and keeps the best in the second."""

    def moves_to(self, s: S, target: S) -> list[int]:
        """The moves that lead from s to a full board, or to an image of it with the same score, and end the game."""

    def is_on_the_way(self, s: S, target: S) -> bool:
        """Whether what stands in s stands in the full board too, or in one of its images."""


@runtime_checkable
class Images(Protocol[S]):
    """A game's `images.py`: the images that symmetries of the board make of a game, move by move.

    It promises that an image of a game is a game too, with the same movers and scores. Hints and the strongest levels
    ask for it: a game may follow an image of the best one known. In Up And Up the eight images of a square.
    """

    def images(self, s: S, move: int) -> list[int]:
        """The move in each image, in the same order at every move; the first is the move itself.

        It depends on nothing of s but the parameters of its game.
        """


@dataclass(frozen=True)
class Plan:
    """A solitaire's game from a position to its end, as `plan.py` has found it."""

    moves: Sequence[int]  # all that come after the position
    work: int  # positions looked at, or changes tried
    limit: int | None = None  # no game that goes on from the position scores more; None where nothing is certain


@runtime_checkable
class Planner(Protocol[S]):
    """`plan`: a game to the end, from any position of a solitaire. In `plan.py`.

    It promises moves that lead to the end, with as good a score as it finds. The strongest level and hints call it
    again and again while there is time, and play the best of these games. So it finds one in a fraction of a second,
    and ends soon when `is_over()`, with the rest of the game at a guess. It needs nothing compiled if `is_plain`. In Up
    And Up a beam search for a full grid, from the position or from a later one of the best game so far.
    """

    def plan(
        self,
        s: S,
        line: Sequence[int],
        number: int,
        seed: int,
        is_over: IsOver,
        *,
        is_plain: bool,
        work: float = inf,
    ) -> Plan:
        """A game from s, which isn't over and stays as it is. `line` is the best so far, or nothing.

        `number` counts the calls, from 0. The plan's own `work` is at most this `work`, or what one game takes if
        that is more. The same arguments give the same plan if there is enough time.
        """


@runtime_checkable
class Sensible(SearchRules[T], Protocol[T]):
    """A game's `sensible.py`: its rules with fewer legal moves, none of them lost that could be the best.

    The strongest level looks only at these. The file has all that a search asks of rules, most of it taken from them.
    In Divisors/Multiples, where a turn may go up and down without end, the first steps of the cheapest walks.
    """
