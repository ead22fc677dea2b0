"""Exact values of the legal moves: looked up in a tablebase, or found in a few seconds."""

import contextlib
import threading
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ..core.rules import advantage, legal_moves
from ..core.state import copy
from ..game import Game
from .known import MEMORY, Budget
from .search import tree_search

if TYPE_CHECKING:
    from ..capabilities import Solved
    from ..core.rules import AnyState
    from ..solving.valuers import ByTable, Valuer

T = TypeVar("T")
END_SECONDS = 0.1  # to solve a position by the rules alone where nothing else can: the last moves of a large game
MANY = 10**6  # lines of play that nobody tries in that time, nor keeps in PLAIN_MEMORY; alpha-beta needs the root of it
LONG = 200  # plies of a game whose end isn't near
PLAIN_MEMORY = 2 * 2**20  # bytes for values found in plain Python: some thousand positions


def exact_values(
    game: Game, *, seconds: float = 5.0, memory: int = MEMORY, stop: threading.Event | None = None
) -> dict[str, int] | None:
    """For each legal move the mover's final advantage under perfect play; larger is better. None where it isn't found.

    The advantage is the mover's final score minus the opponent's, if both play to make their own advantage large. Where
    the lower score wins it is the opponent's minus the mover's. In a solitaire it is the best final score that can be
    reached. None too for more than two players, when the game is over, and when `stop` is set. Raises TooLarge when the
    table doesn't fit into `memory` bytes; a saved table need not fit. The time that compiling takes isn't counted.
    Raises NotCompiled where compiling is left to another process that hasn't ended; `plain_values` needs nothing
    compiled. Thread-safe.
    """
    budget = Budget(seconds, memory, stop)
    found = saved_values(game, budget)
    return solved_values(game, budget) if found is None else found


def saved_values(game: Game, budget: Budget) -> dict[str, int] | None:
    """As `exact_values`, from a saved tablebase; None where there is none, and with a warning where it is damaged."""
    if game.is_over or game.num_players > 2:
        return None
    return asked_of_saved(game, lambda table: _values(game, _saved(game, table, budget.memory), budget))


def asked_of_saved(game: Game, ask: "Callable[[Solved[AnyState]], T | None]") -> "T | None":
    """What a saved tablebase answers; None where there is none, and with a warning where it is damaged."""
    from ..tablebases import files

    try:
        saved = files.find(game.id, game.rules, game.entry.capabilities, game.parameters)
        return None if saved is None else ask(saved)
    except files.BadTablebase as error:
        file = files.path(game.id, game.parameters)
        warnings.warn(f"The tablebase {file} is not used: {error}", TablebaseWarning, stacklevel=3)
        return None


def solved_values(game: Game, budget: Budget) -> dict[str, int] | None:
    """As `exact_values`, by solving the position now."""
    if game.is_over or game.num_players > 2:
        return None
    with _valuer(game, budget.memory) as valuer:
        if valuer is not None:
            return _values(game, valuer, budget)
    # Of a game too large to be solved, the end may be small enough.
    is_board = game.entry.local_search is not None
    if is_board or not _is_near_end(game):
        return None
    return plain_values(game, replace(budget, seconds=min(budget.seconds, END_SECONDS)))


def solved_best(game: Game, budget: Budget) -> tuple[int, int, str] | None:
    """The least and the most that the mover's final advantage can be, as in `exact_values`, and a move that reaches the
    least, by one search of the position.

    Both are equal unless the time is over before. None where no such move is found in time, and in games that
    alpha-beta doesn't solve. What the search meets on the way is kept for `solved_values`, which then takes less time.
    """
    if game.is_over or game.num_players > 2:
        return None
    from ..solving.choose import Way, way
    from ..solving.valuers import ByAlphaBeta

    is_board = game.entry.local_search is not None
    found_way = way(game.rules, game.entry.capabilities, game.state, memory=None, is_whole_board=is_board)
    if found_way not in (Way.KEYS, Way.MOVES):
        return None
    with _valuer(game, budget.memory) as valuer:
        assert isinstance(valuer, ByAlphaBeta)
        found = valuer.best(game.state, budget.task())
    if found.move < 0:
        return None
    low, high = (found.low, found.high) if game.mover == 1 else (-found.high, -found.low)
    return low, high, game.rules.move_text(game.state, found.move)


def plain_values(game: Game, budget: Budget) -> dict[str, int] | None:
    """The same by the rules alone, in plain Python and a few megabytes: for small games."""
    if game.is_over or game.num_players > 2:
        return None
    from ..solving.valuers import ByRules

    rules = game.rules
    valuer = ByRules(rules, game.entry.capabilities, game.state, memory=PLAIN_MEMORY, is_lowest=rules.LOWER_IS_BETTER)
    return _values(game, valuer, replace(budget, memory=PLAIN_MEMORY))


def _is_near_end(game: Game) -> bool:
    """Whether the position may be solved by trying all moves, as far as one game from here tells."""
    rules, s = game.rules, copy(game.state)
    lines = 1
    for _ in range(LONG):
        if rules.is_over(s):
            return True
        moves = legal_moves(rules, s)
        lines *= len(moves)
        if lines > MANY:
            return False
        rules.play(s, moves[0])
    return False


def _values(game: Game, valuer: "Valuer", budget: Budget) -> dict[str, int] | None:
    task = budget.task()
    values: dict[str, int] = {}
    for text in game.legal_moves:
        after = game.copy()
        after.play(text)
        value = advantage(after.rules, after.state) if after.is_over else valuer.value(after.state, task)
        if value is None:
            return None
        values[text] = -value if game.mover == 2 else value
    return values


class TablebaseWarning(UserWarning):
    """A tablebase isn't used, because it is damaged, or is another one than its name says."""


def _saved(game: Game, table: "Solved[AnyState]", memory: int) -> "ByTable":
    """A valuer that looks positions up in a tablebase."""
    from ..solving.valuers import ByTable

    return ByTable(game.rules, game.entry.capabilities, game.state, memory=memory, solved=table)


_idle: dict[object, "Valuer"] = {}  # the valuer used last, with what it knows, for the next question about its game
_solved: dict[str, "Solved[AnyState]"] = {}  # the game's own table that was made last, by game; it is never changed
_lock = threading.Lock()


@contextlib.contextmanager
def _valuer(game: Game, memory: int) -> Iterator["Valuer | None"]:
    """A compiled valuer for positions of this size, which nothing else uses meanwhile; None where there is none.

    Raises TooLarge.
    """
    from ..solving.choose import Way, way
    from ..solving.valuers import ByAlphaBeta, ByRules, ByTable, ByTree

    entry, rules, state = game.entry, game.rules, game.state
    has = entry.capabilities
    found = way(rules, has, state, memory=None, is_whole_board=entry.local_search is not None)
    if found is None:
        yield None
    elif found is Way.TABLE:
        known = _solved.get(game.id)
        is_known = known is not None and has.table is not None and known.covers(state)
        by_table = ByTable(rules, has, state, memory=memory, solved=known if is_known else None)
        by_table.prepare()
        try:
            yield by_table
        finally:
            if by_table.solved is not None:
                with _lock:
                    _solved.clear()
                    _solved[game.id] = by_table.solved
    else:
        key = (game.id, found, *game.parameters.items(), memory)
        with _lock:
            valuer = _idle.pop(key, None)
        if valuer is None:
            if found in (Way.KEYS, Way.MOVES):
                valuer = ByAlphaBeta(rules, has, state, memory=memory)
            elif found is Way.TREE:
                from ..engine import tree

                most = min(tree.MEMORY, memory)
                valuer = ByTree(rules, has, state, lambda s: tree_search(entry, rules, s, seed=1, memory=most))
            else:
                valuer = ByRules(rules, has, state, memory=memory, is_lowest=rules.LOWER_IS_BETTER)
            valuer.prepare()
        if isinstance(valuer, ByAlphaBeta):
            valuer.begin_from(state)
        try:
            yield valuer
        finally:
            with _lock:
                _idle.clear()
                _idle[key] = valuer
