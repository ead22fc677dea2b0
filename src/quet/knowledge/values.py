"""Exact values of the legal moves: looked up in a saved table, or found in a few seconds."""

import contextlib
import functools
import threading
import time
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from ..core.errors import TooLarge
from ..game import Game, new
from .search import search_for

if TYPE_CHECKING:
    from ..engine.deepening import Deepening
    from ..engine.retrograde import Filling

LARGEST_TABLE = 100 * 2**20  # bytes of one that is made for a question: half a second
MEMORY = 100 * 2**20  # bytes of a table, unless another limit is given

# Alpha-beta looks so many plies ahead one by one, for the order of the first moves, and then to the end at once. That
# halves the positions of palindromes m=14 (9 against 17 million) and costs the others nothing, where deepening all the
# way visits up to twice as many; and the highest score of a solitaire is far beyond any short look.
LEAP = 4


def exact_values(game: Game, *, seconds: float = 5.0, memory: int = MEMORY) -> dict[str, int] | None:
    """For each legal move the mover's final advantage under perfect play, larger is better; None where it isn't found.

    The advantage is the own final score minus the other's, each player maximising it (where the lower score wins, the
    other's minus the own; in Convoluted Coprimality 1, 0 or -1). In a solitaire it is the best final score that can
    still be reached. None too for more than two players, and when the game is over. Raises TooLarge when the table
    wanted doesn't fit into `memory` bytes, which a saved one needs not. What takes long to compile isn't counted.
    Thread-safe.
    """
    if game.is_over or game.num_players > 2 or game.entry.exact is None:
        return None
    from ..tablebases import files as tables

    try:
        saved = tables.find(game.id, game.rules, game.entry.exact, game.parameters)
        if saved is not None:
            return _values(game, _Saved(saved, memory), seconds)
    except tables.BadTable as error:
        file = tables.path(game.id, game.parameters)
        warnings.warn(f"The saved table {file} is not used: {error}", TableWarning, stacklevel=2)
    with _solver(game, memory) as solver:
        return None if solver is None else _values(game, solver, seconds)


def _values(game: Game, solver: "_Solver", seconds: float) -> dict[str, int] | None:
    until = time.monotonic() + seconds
    values: dict[str, int] = {}
    for text in game.legal_moves:
        after = game.copy()
        after.play(text)
        value = _final(after) if after.is_over else solver.value(after, until)
        if value is None:
            return None
        values[text] = -value if game.mover == 2 else value
    return values


class TableWarning(UserWarning):
    """A saved table is damaged, or is another one than its name says, and is done without."""


class _Solver(Protocol):
    """Finds the values of positions of one game."""

    def value(self, game: Game, until: float) -> int | None:
        """The value for player 1 of a game that isn't over, or None when the time is over."""


@contextlib.contextmanager
def _solver(game: Game, memory: int) -> Iterator[_Solver | None]:
    """The solver for positions of this size, compiled; None where there is none."""
    exact: Any = game.entry.exact
    if hasattr(exact, "num_squares") and _needed(game) <= LARGEST_TABLE:
        yield _Table(game, memory)
    elif hasattr(exact, "solve") and exact.fits(game.state):
        yield _Own(game, memory)
    elif hasattr(exact, "key") and exact.fits(game.state):
        with _search(game, memory) as search:
            yield _AlphaBeta(search)
    elif hasattr(exact, "SIGN_IS_VALUE"):
        yield _Tree(game)
    else:
        yield None


def _final(game: Game) -> int:
    """Player 1's advantage when the game is over; the score of a solitaire."""
    value = game.scores[0] - (game.scores[1] if game.num_players > 1 else 0)
    return -value if game.rules.LOWER_IS_BETTER else value


class _Saved:
    """Looks positions up in a table that was saved; a value too large for it is found by alpha-beta."""

    def __init__(self, table: Any, memory: int) -> None:
        self._table = table
        self._memory = memory

    def value(self, game: Game, until: float) -> int | None:
        """As of every solver. Raises BadTable where the table is damaged."""
        return _looked_up(self._table, game, until, self._memory)


def _looked_up(table: Any, game: Game, until: float, memory: int) -> int | None:
    """As of every solver."""
    value: int | None = table.value(game.state)
    if value is None:
        with _search(game, memory) as search:
            return _AlphaBeta(search).value(game, until)
    return value


def _needed(game: Game) -> int:
    """Bytes of the table of all positions."""
    from ..engine import retrograde

    return retrograde.needed(game.entry.exact, game.state)


class _Table:
    """Looks positions up in a table of all of them, which is made for the first question that has the time."""

    def __init__(self, game: Game, memory: int) -> None:
        if _needed(game) > memory:
            raise TooLarge(_needed(game), memory)
        self._memory = memory
        self._filling, self._lock = _filling(game.id, tuple(game.parameters.items()))

    def value(self, game: Game, until: float) -> int | None:
        """As of every solver; what is filled by then is kept."""
        if not self._filling.is_full:
            if not self._lock.acquire(timeout=max(0.0, until - time.monotonic())):
                return None
            try:
                if not self._filling.run(until=until):
                    return None
            finally:
                self._lock.release()
        return _looked_up(self._filling.table, game, until, self._memory)


@functools.lru_cache(maxsize=1)
def _filling(id: str, parameters: tuple[tuple[str, int], ...]) -> tuple["Filling", threading.Lock]:
    """The table of a game as far as it is made, kept for the next question. Who holds the lock may go on with it."""
    from ..engine.retrograde import Filling

    game = new(id, **dict(parameters))
    return Filling(game.rules, game.entry.exact, game.state, memory=LARGEST_TABLE), threading.Lock()


class _Own:
    """Solves a position by what the game's `exact.py` has for it, and knows all that can come after."""

    _kept: Any = None  # the last solution, for the next question; it is never changed

    def __init__(self, game: Game, memory: int) -> None:
        self._exact: Any = game.entry.exact
        self._game = game
        self._memory = memory
        self._solution = _Own._kept
        if not self._has(game):
            self._solve(time.monotonic())  # compiles

    def value(self, game: Game, until: float) -> int | None:
        """As of every solver."""
        if not self._has(game):
            self._solve(until)
        return None if self._solution is None else int(self._solution.value(game.state))

    def _has(self, game: Game) -> bool:
        solution = self._solution
        return isinstance(solution, self._exact.Solution) and solution.covers(game.state)

    def _solve(self, until: float) -> None:
        from ..distribution.task import Task
        from ..distribution.workers import Processes

        task = Task(seconds=max(0.0, until - time.monotonic()), memory=self._memory, workers=Processes(1))
        self._solution = self._exact.solve(self._game.state, task)
        if self._solution is not None:
            _Own._kept = self._solution


_idle: dict[object, "Deepening"] = {}  # the search last used, with its table, for the next question about its game
_idle_lock = threading.Lock()


@contextlib.contextmanager
def _search(game: Game, memory: int) -> Iterator["Deepening"]:
    """A search of this game that nothing else uses meanwhile, compiled."""
    from ..engine.deepening import Deepening

    key = (game.id, tuple(game.parameters.items()), memory)
    with _idle_lock:
        search = _idle.pop(key, None)
    if search is None:
        search = Deepening(game.rules, game.entry.exact, game.state, memory=memory)
        search.run(game.state, nodes=1)
    try:
        yield search
    finally:
        with _idle_lock:
            _idle.clear()
            _idle[key] = search


class _AlphaBeta:
    """Solves positions of one game with one transposition table."""

    def __init__(self, search: "Deepening") -> None:
        self._search = search

    def value(self, game: Game, until: float) -> int | None:
        """As of every solver; what was found on the way is kept in the table."""
        seconds = max(0.0, until - time.monotonic())
        found = self._search.run(game.state, leap=LEAP, seconds=seconds, has_line=False)
        return found.value if found.is_exact else None


class _Tree:
    """Solves positions by a tree search that keeps what it has proved."""

    def __init__(self, game: Game) -> None:
        exact: Any = game.entry.exact
        self._is_sign_enough = game.num_players == 1 or exact.SIGN_IS_VALUE
        if self._is_sign_enough:
            self.value(game, time.monotonic())  # compiles

    def value(self, game: Game, until: float) -> int | None:
        """As of every solver."""
        if not self._is_sign_enough:
            return None
        findings = search_for(game, seed=1).run(seconds=max(0.0, until - time.monotonic()))
        best = findings.candidates[0]
        if game.num_players == 1:
            _, high = game.entry.exact.bounds(game.state)  # type: ignore[union-attr]
            return int(best.best) if findings.is_solved or best.best >= high else None
        if not findings.is_solved:
            return None
        sign = 1 if best.value >= 0.9 else 0 if best.value >= 0.4 else -1
        return sign if game.mover == 1 else -sign
