"""Exact values of the legal moves, where they can be found in a few seconds."""

import functools
import time
from typing import Any

from .game import Game, new

MOST_POSITIONS = 3**16  # of a table that is made for a question, a byte each: a second or so of two cores
TABLE = 1 << 21  # entries of the transposition table, 32 bytes each
FIRST_NODES = 1 << 20  # positions of a first try; each further try may visit twice as many


def exact_values(game: Game, *, seconds: float = 5.0) -> dict[str, int] | None:
    """For each legal move the mover's final advantage under perfect play, larger is better; None where it isn't found.

    The advantage is the own final score minus the other's, each player maximising it (where the lower score wins, the
    other's minus the own; in Convoluted Coprimality 1, 0 or -1). In a solitaire it is the best final score that can
    still be reached. None too for more than two players, and when the game is over.
    """
    if game.is_over or game.num_players > 2 or game.entry.exact is None:
        return None
    exact: Any = game.entry.exact
    solver: _Table | _AlphaBeta | _Tree
    if hasattr(exact, "num_positions") and exact.num_positions(game.state) <= MOST_POSITIONS:
        solver = _Table(game, exact)
    elif hasattr(exact, "key") and exact.fits(game.state):
        solver = _AlphaBeta(game, exact)
    elif not hasattr(exact, "SIGN_IS_VALUE"):
        return None
    else:
        solver = _Tree(game, exact)
    solver.value(game, time.monotonic())  # a first position, so that what takes long to compile isn't counted
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


def _final(game: Game) -> int:
    """Player 1's advantage when the game is over; the score of a solitaire."""
    value = game.scores[0] - (game.scores[1] if game.num_players > 1 else 0)
    return -value if game.rules.LOWER_IS_BETTER else value


@functools.lru_cache(maxsize=1)
def _table(id: str, parameters: tuple[tuple[str, int], ...]) -> Any:
    """The retrograde table of a game, kept for the next question; it takes a second or so."""
    from ..engine import retrograde

    game = new(id, **dict(parameters))
    return retrograde.solve(game.rules, game.entry.exact, game.state)


class _Table:
    """Looks positions up in a table of all of them."""

    def __init__(self, game: Game, exact: Any) -> None:
        self._exact = exact
        self._table = _table(game.id, tuple(game.parameters.items()))

    def value(self, game: Game, until: float) -> int | None:
        """The value for player 1; one too large for the table is found by alpha-beta, or None when the time is over."""
        from ..engine.retrograde import LARGEST

        entry = int(self._table[self._exact.index(game.state)])
        if abs(entry) == LARGEST:
            return _AlphaBeta(game, self._exact).value(game, until)
        return entry * int(self._exact.UNIT)


class _AlphaBeta:
    """Solves positions of one game with one transposition table."""

    def __init__(self, game: Game, exact: Any) -> None:
        import numpy as np

        from ..engine import alphabeta, arrays
        from ..engine.compiled import compiled

        self._unknown = alphabeta.UNKNOWN
        self._module: Any = compiled(alphabeta, rules=game.rules, exact=exact)
        self._pack = arrays.pack
        low, high = exact.bounds(game.state)
        self._window = low, high
        most_moves = game.rules.most_moves(game.state)
        # Where moves fill squares, a game has no more plies than moves to choose from, but for the odd phase.
        self._depth = exact.most_plies(game.state) if hasattr(exact, "most_plies") else most_moves + 64
        self._stack = arrays.pack([game.state] * (self._depth + 2))
        self._frames = np.zeros(self._depth + 2, alphabeta.FRAME)
        self._moves = np.zeros((self._depth + 2, most_moves), np.int64)
        self._table = np.zeros(TABLE, alphabeta.ENTRY)
        self._num_nodes = np.zeros(1, np.int64)

    def value(self, game: Game, until: float) -> int | None:
        """The value for player 1, or None when the time is over; what was found is kept in the table."""
        most_nodes = FIRST_NODES
        while True:
            self._stack[0] = self._pack([game.state])[0]
            self._num_nodes[0] = 0
            # The depth counts from the start of the game, so that the table holds from one position to the next.
            value = int(
                self._module.search(
                    self._stack,
                    self._frames,
                    self._moves,
                    self._table,
                    self._num_nodes,
                    *self._window,
                    self._depth - game.ply,
                    most_nodes,
                )
            )
            if value != self._unknown:
                return value
            if time.monotonic() >= until:
                return None
            most_nodes *= 2


class _Tree:
    """Solves positions by a tree search that keeps what it has proved."""

    def __init__(self, game: Game, exact: Any) -> None:
        self._is_sign_enough = game.num_players == 1 or exact.SIGN_IS_VALUE

    def value(self, game: Game, until: float) -> int | None:
        """The value for player 1, or None when the time is over."""
        from .levels import search_for

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
