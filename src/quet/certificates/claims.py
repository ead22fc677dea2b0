"""The game that a certificate is about: its rules, and its `claims.py` with what a checker has to know beyond them.

A game may leave out any part of `claims.py`, and the whole file. The file imports `core` and the rules of its game
only, so that it shares nothing with the solvers, and no solver imports it.
"""

import hashlib
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol, TypeVar, runtime_checkable

from .. import games
from ..core.errors import BadCertificate, BrokenRules
from ..core.quoting import shorten
from ..core.rules import AnyRules, AnyState
from ..core.state import copy, values

S = TypeVar("S", contravariant=True)  # the State of a game


@runtime_checkable
class Bounds(Protocol[S]):
    """For grounds of the kind `bound`: how high and how low a value can be by the rules alone.

    A value is the score of a solitaire, or player 1's score minus player 2's. In blob: n and -n, since a player has n
    lines.
    """

    def highest(self, s: S) -> int:
        """A value that no game from s exceeds."""

    def lowest(self, s: S) -> int:
        """A value that no game from s falls below."""


@runtime_checkable
class Wish(Protocol):
    """For three or more players: without a wish, a certificate can't say what perfect play is."""

    def wish(self, scores: Sequence[int], player: int) -> int | Fraction:
        """What this player wants to be large when a game ends with these scores, those of players 1, 2, ..."""


@runtime_checkable
class Key(Protocol[S]):
    """For grounds of the kind `table`, which are shorter where positions with the same future are joined.

    Without it the whole state counts. In blob: the squares filled, and not how many moves have been played.
    """

    def position(self, s: S) -> Sequence[int | Sequence[int]]:
        """Numbers, and lists of numbers whose length depends on the parameters alone.

        Two positions of one game with equal numbers have the same moves, which change the scores alike.
        """


@runtime_checkable
class Stages(Protocol[S]):
    """For grounds of the kind `weak`, which are shorter where a position is met once, however many moves lead to it.

    Without it the number of moves counts.
    """

    def stage(self, s: S) -> int:
        """A number that every move makes larger; the same for positions with equal numbers in `position`."""


@runtime_checkable
class Symmetry(Protocol[S]):
    """For grounds of the kind `weak`, which are shorter where positions that a symmetry joins are met once."""

    def canonical(self, s: S) -> bytes:
        """Bytes that two positions of one game have in common if they are the same up to symmetry.

        Such positions have the same scores and the same mover. Each move of the one has a move of the other that leads
        to equal bytes again.
        """


@runtime_checkable
class Room(Protocol[S]):
    """For grounds of the kind `weak`, which are checked faster where the lists of a state are short."""

    def room(self, s: S) -> Mapping[str, int]:
        """By the name of each list of a state, how many of its numbers the rules use in a game of these parameters.

        They are the first ones. All others are 0 and stay so, and the rules don't ask how long a list is. The game has
        `canonical`, or else `position`, and what that gives doesn't change with the length of a list.
        """


@runtime_checkable
class Turns(Protocol[S]):
    """For grounds of the kind `weak`, which are shorter where a turn of several moves is one step."""

    def turns(self, s: S) -> Sequence[Sequence[int]]:
        """The turns that matter at the beginning of a turn, each as its moves; after its first move, the rest of them.

        Any other turn ends in a position with the same key as one of these, and with a result that is no better for
        who has moved. The others have the same scores there.
        """


@runtime_checkable
class Clauses(Protocol[S]):
    """For grounds of the kind `unsat`: a high score of a solitaire, put as clauses for a SAT solver."""

    def clauses(self, start: S, score: int) -> list[list[int]]:
        """Clauses which can all be true if a game that begins with `start` has this score or a higher one.

        A clause is a list of literals: a variable 1, 2, ..., or its negative. Raises BadCertificate where there is
        no such score, and TooLargeToCheck where the clauses would be too many.
        """


@runtime_checkable
class Tries(Protocol[S]):
    """For grounds of the kind `tried`: a score of a solitaire that the checker itself looks for a better one of."""

    def tried(self, start: S, claimed: int, side: str, step: Callable[[], None]) -> bool:
        """Whether all games from `start` that have a better score than `claimed` could be tried, and there is none.

        With the side `low` a better score is a lower one, with `high` a higher one. It calls `step` with each position,
        and lets through what that raises. Returns False, at once, where there is no way to try games. Raises
        BadCertificate where a game has a better score.
        """


@runtime_checkable
class Perfect(Protocol[S]):
    """For grounds of the kind `minimax`, which reach further where a game has a way of its own to try all positions."""

    def num_positions(self, start: S) -> int:
        """How many positions a game that begins with `start` has.

        Where `perfect` can't try them, and there are too many to be tried by the rules, nothing is tried.
        """

    def cost(self, start: S) -> tuple[float, int] | None:
        """How many seconds `perfect` takes on a slow machine, and how many bytes; None where it can't begin there."""

    def perfect(self, start: S, claimed: Sequence[int]) -> list[int]:
        """All first moves that keep `claimed`, where trying all positions shows that perfect play leads to it.

        What is claimed is the difference of two scores, or the scores of three and more players. It isn't called where
        `cost` is None. Raises BadCertificate where perfect play leads elsewhere.
        """


@runtime_checkable
class Strategies(Protocol[S]):
    """For grounds of kinds that only this game has: a strategy of one player that holds a value."""

    @property
    def STRATEGIES(self) -> Mapping[str, Sequence[str]]:  # noqa: N802 - a constant of the module
        """The kinds of strategy, and the keys that grounds of each kind have besides `for` and `kind`."""

    def guarantee(self, start: S, ground: Mapping[str, object], side: str, step: Callable[[], None]) -> tuple[int, str]:
        """The value that the strategy in `ground` holds, and a sentence that says what was checked.

        With the side `low` it is a strategy of player 1 that holds at least this value, with `high` one of player 2
        that holds at most this value. `step` is called now and then, and raises TooLargeToCheck where the time is over.
        Raises BadCertificate where the strategy can't be read or holds nothing, and TooLargeToCheck where there is too
        much to look at.
        """


@dataclass(frozen=True)
class Subject:
    """A game as the checker sees it."""

    id: str
    rules: AnyRules
    claims: object  # the module `claims`, or None

    def bound(self, s: AnyState, side: str) -> int | None:
        """The `low` or `high` that the rules alone give for a game that begins with s; None where they don't."""
        if not isinstance(self.claims, Bounds):
            return None
        return self.claims.highest(s) if side == "high" else self.claims.lowest(s)

    @cached_property
    def wish(self) -> Callable[[Sequence[int], int], int | Fraction] | None:
        """What each of three and more players wants, as `Wish` says it; None where the game doesn't."""
        return self.claims.wish if isinstance(self.claims, Wish) else None

    @cached_property
    def _own_key(self) -> Key[AnyState] | None:
        """The game's own way of telling positions apart; looked up once, as a table needs it for every position."""
        return self.claims if isinstance(self.claims, Key) else None

    @cached_property
    def stage(self) -> Callable[[AnyState], int] | None:
        """The stage of a position, as `Stages` says it; None where the number of moves counts."""
        return self.claims.stage if isinstance(self.claims, Stages) else None

    @cached_property
    def canonical(self) -> Callable[[AnyState], bytes] | None:
        """What tells positions apart that no symmetry joins, as `Symmetry` says it; None where the game doesn't."""
        return self.claims.canonical if isinstance(self.claims, Symmetry) else None

    def shortened(self, s: AnyState) -> AnyState:
        """The position with lists as short as `Room` says; an equal one where the game doesn't."""
        short = copy(s)
        if isinstance(self.claims, Room) and (self.canonical or self._own_key):
            for name, length in self.claims.room(s).items():
                setattr(short, name, getattr(s, name)[:length])
        return short

    @cached_property
    def turns(self) -> Callable[[AnyState], Sequence[Sequence[int]]] | None:
        """The turns of a position, as `Turns` says it; None where each move is a turn."""
        return self.claims.turns if isinstance(self.claims, Turns) else None

    def key(self, s: AnyState) -> bytes:
        """A short hash of what tells positions of one game apart."""
        own = self._own_key
        parts = own.position(s) if own else values(s)
        numbers: list[int] = []
        for part in parts:
            if isinstance(part, int):
                numbers.append(part)
            else:
                numbers += part
        return hashed(array("q", numbers).tobytes())

    @property
    def is_score_in_key(self) -> bool:
        """Whether two positions with the same `key` have the same scores."""
        return self._own_key is None


def hashed(content: bytes) -> bytes:
    """What stands for the numbers of a position, given as 8 bytes each."""
    return hashlib.blake2b(content, digest_size=16).digest()


def of(game: str) -> Subject:
    """The game of this name, here or in another package; raises BadCertificate."""
    folder = games.folders().get(game)
    if folder is None:
        raise BadCertificate(f"There is no game {shorten(game)}.", step="game")
    try:
        return Subject(game, games.rules(game, folder), games.optional_part(game, folder, "claims"))
    except BrokenRules as error:
        raise BadCertificate(str(error), step="game") from error
