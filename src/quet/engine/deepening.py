"""Alpha-beta in progress: looks further and further ahead, is stopped at any time, and keeps what it has found.

Each iteration looks one ply further than the one before and tries its best moves first, which the transposition table
remembers (Slate and Atkin, "Chess 4.5", 1977). One that reaches the end of every game has found the exact value.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..capabilities import KEY_BITS, Capabilities
from ..core.clock import clock
from ..core.errors import TooLarge
from ..core.rules import AnySearchRules, AnyState, advantage
from ..core.state import copy
from . import alphabeta, arrays, outlook
from .compiled import compiled

MEMORY = 80 * 2**20  # bytes of one search, unless another limit is given
SMALLEST_TABLE = 1 << 12  # entries to begin with
GROWTH = 8  # how many times larger the table becomes when it is full
SLICE = 0.02  # seconds between two looks at the clock and at whether to stop
FIRST_SLICE = 4096  # positions


@dataclass(frozen=True)
class Iteration:
    """What a search knows after its last whole iteration."""

    depth: int  # plies looked ahead
    value: int  # player 1's final advantage, or a solitaire's score; positions at this depth count as they stand
    line: Sequence[int]  # the principal variation, as far as it doesn't rest on `ending`; empty when the game is over
    num_nodes: int  # positions visited since the run began
    seconds: float
    is_exact: bool  # the value holds however far one looks ahead


class Deepening:
    """Alpha-beta over the positions of one game, with one transposition table that grows as it is filled.

    Not for two threads at once. Raises TooLarge when `memory` bytes can't hold the longest game and a useful table.
    """

    def __init__(
        self, rules: AnySearchRules, capabilities: Capabilities, state: AnyState, *, memory: int = MEMORY
    ) -> None:
        """The game must have bounds, and keys: its own, or the moves made (`Capabilities.key_bits`)."""
        self._rules = rules
        bits = capabilities.key_bits(rules, state)
        assert capabilities.keys is not None and capabilities.bounds is not None and bits is not None
        self._bits = bits
        self._root = copy(state)  # where the moves begin that are keys
        self._keys, self._outlook = capabilities.keys, capabilities.reach or outlook
        order, endgame = capabilities.order or outlook, capabilities.endgame or outlook
        bound = {"rules": rules, "exact": self._keys, "outlook": self._outlook, "order": order, "endgame": endgame}
        bound["BITS"] = self._bits
        self._module = compiled(alphabeta, **bound)
        low, high = capabilities.bounds.bounds(state)
        self._bounds = self._window = int(low), int(high)
        most_moves = rules.most_moves(state)
        self.most_plies = KEY_BITS // bits if bits else capabilities.most_plies(rules, state)
        plies = self.most_plies + 1
        room = plies * (arrays.dtype(type(state)).itemsize + alphabeta.FRAME.itemsize + 8 * most_moves)
        entry = alphabeta.ENTRY.itemsize
        needed = room + entry * SMALLEST_TABLE
        if needed > memory:
            raise TooLarge(needed, memory)
        self._largest_table = SMALLEST_TABLE
        while room + entry * self._largest_table * (GROWTH + 2) <= memory:  # as `_grow` has three of them
            self._largest_table *= GROWTH
        self._stack = np.zeros(plies, arrays.dtype(type(state)))
        self._frames = np.zeros(plies, alphabeta.FRAME)
        self._moves = np.zeros((plies, most_moves), np.int64)
        self._table = np.zeros(SMALLEST_TABLE, alphabeta.ENTRY)
        self._counts = np.zeros(2, np.int64)
        self._num_earlier = 0  # positions visited in earlier runs

    def run(
        self,
        state: AnyState,
        *,
        depth: int | None = None,
        leap: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: threading.Event | None = None,
        report: Callable[[Iteration], None] | None = None,
        has_line: bool = True,
        window: tuple[int, int] | None = None,
    ) -> Iteration:
        """Look one ply ahead, then one more, and so on, until a limit is reached or the value is exact.

        `depth` limits the plies (at least 1), `nodes` the positions visited, `seconds` the time, and `stop` ends the
        search when it is set. After `leap` plies, if given, it looks as far as it may at once. What comes back is the
        last whole iteration; where one was interrupted after it had found another move to be better, that move stands
        alone in `line`. Without `seconds` and `stop` a new search always finds the same.
        `report` is called after each iteration. Without `has_line` the search saves the time to find `line`. A narrow
        `window` saves time too; a value that doesn't lie inside it is only a bound on that side.
        """
        if self._bits:
            self._frames[0]["key"] = self._key_of_moves(state)
            has_line = False
        least, most = self._bounds
        low, high = window or self._bounds
        self._window = min(max(low, least), most - 1), max(min(high, most), least + 1)
        limits = Limits(nodes, seconds, stop)
        self._num_earlier += int(self._counts[0])
        self._counts[0] = 0
        last = min(self.most_plies, self.most_plies if depth is None else depth)
        found = Iteration(0, advantage(self._rules, state), (), 0, 0.0, False)
        for ahead in [*range(1, last if leap is None else min(leap + 1, last)), last]:
            value = self._search(state, ahead, limits)
            if value is None:
                return replace(
                    found, line=self._line_so_far(state, found), num_nodes=self._num_nodes, seconds=limits.passed
                )
            is_exact = not self._frames[0]["is_cut"]
            line = self._line(state, ahead, value) if has_line else ()
            found = Iteration(ahead, value, line, self._num_nodes, limits.passed, is_exact)
            if report is not None:
                report(found)
            if is_exact:
                break
        return found

    def begin_from(self, state: AnyState) -> None:
        """Say that this position and those after each move from it are asked about next.

        Where moves are keys, the table serves all of these, and forgets what it knew after another position.
        """
        if self._bits and state != self._root:
            self._root = copy(state)
            self._table = np.zeros(SMALLEST_TABLE, alphabeta.ENTRY)
            self._num_earlier = self._counts[0] = 0

    def _key_of_moves(self, state: AnyState) -> int:
        """The key of the moves made until this position. Further from where moves began, they begin here."""
        if state != self._root:
            for move in self._legal_moves(self._root):
                after = copy(self._root)
                self._rules.play(after, move)
                if after == state:
                    return int(self._module.key_of_moves(0, move))
            self.begin_from(state)
        return 0

    @property
    def bounds(self) -> tuple[int, int]:
        """The lowest and the highest value that a position can have."""
        return self._bounds

    @property
    def best_move(self) -> int:
        """The best move of the last run; -1 where the game was over."""
        return int(self._frames[0]["best_move"])

    @property
    def _num_nodes(self) -> int:
        return int(self._counts[0])

    def _search(self, state: AnyState, depth: int, limits: "Limits") -> int | None:
        """The value when looking so far ahead; None when a limit is reached."""
        self._stack[0] = arrays.pack([state])[0]
        self._frames[0]["best_move"] = -1
        self._counts[1] = 0
        room = self._stack, self._frames, self._moves
        while not limits.are_reached(self._num_nodes):
            full = len(self._table) - self._num_earlier if len(self._table) < self._largest_table else 1 << 62
            most_nodes = min(limits.next_look(self._num_nodes), max(full, self._num_nodes + 1))
            value = int(self._module.search(*room, self._table, self._counts, *self._window, depth, most_nodes))
            if value != alphabeta.UNKNOWN:
                return value
            # What is found may depend on when the table grows, so only the number of positions decides that.
            if self._num_nodes >= full:
                self._grow()
        return None

    def _grow(self) -> None:
        """Move the entries to a larger table, where no two of them want the same slot.

        For a moment the smaller table, its entries and the larger table are all in memory.
        """
        kept = self._table[self._table["kind"] != 0]
        self._table = np.zeros(len(self._table) * GROWTH, alphabeta.ENTRY)
        self._table[alphabeta.slot(kept["key"], len(self._table) - 1)] = kept

    def _line(self, state: AnyState, depth: int, value: int) -> list[int]:
        """The best move found, and the moves after it that keep its value, as far as the table has them.

        The moves in the table are of no use here: they may belong to a mirror image of the position.
        """
        first = self.best_move
        line: list[int] = []
        s = copy(state)
        while not self._rules.is_over(s) and len(line) < depth:
            after = self._after(s, [first] if not line else self._legal_moves(s), depth - len(line) - 1, value)
            if after is None:
                break
            move, s = after
            line.append(move)
        return line or [first] * (first >= 0)

    def _after(self, s: AnyState, moves: Sequence[int], depth: int, value: int) -> tuple[int, AnyState] | None:
        """The first of these moves that leads to a position known to have this value, and the position."""
        for move in moves:
            twin = copy(s)
            self._rules.play(twin, move)
            if self._has_value(twin, depth, value):
                return move, twin
        return None

    def _has_value(self, s: AnyState, depth: int, value: int) -> bool:
        if depth == 0 or self._rules.is_over(s):
            return advantage(self._rules, s) == value
        key = int(self._keys.key(s))
        t = self._table[alphabeta.slot(key, len(self._table) - 1)]
        is_exact = t["kind"] == alphabeta.EXACT or (t["kind"] != 0 and value in self._window)
        found = t["value"] + self._outlook.settled(s)
        return bool(is_exact and t["key"] == key and found == value and t["depth"] in (depth, alphabeta.FULL))

    def _line_so_far(self, state: AnyState, found: Iteration) -> Sequence[int]:
        """What to play when an iteration is interrupted: it tries the best move of the one before first."""
        best = int(self._frames[0]["best_move"])
        if best >= 0 and (not found.line or found.line[0] != best):
            return [best]
        return found.line or self._legal_moves(state)[:1]

    def _legal_moves(self, s: AnyState) -> list[int]:
        out = [0] * self._moves.shape[1]
        return out[: self._rules.legal_moves(s, out)]


class Limits:
    """When a run has to end, and how many positions may be visited before the next look at the clock."""

    def __init__(self, nodes: int | None, seconds: float | None, stop: threading.Event | None) -> None:
        self._nodes = 1 << 62 if nodes is None else nodes
        self._seconds = seconds
        self._stop = stop
        self._begun = clock()

    @property
    def passed(self) -> float:
        """Seconds since the run began."""
        return clock() - self._begun

    def are_reached(self, num_nodes: int) -> bool:
        return (
            num_nodes >= self._nodes
            or (self._seconds is not None and self.passed >= self._seconds)
            or (self._stop is not None and self._stop.is_set())
        )

    def next_look(self, num_nodes: int) -> int:
        """How many positions may have been visited then."""
        if self._seconds is None and self._stop is None:
            return self._nodes
        portion = max(FIRST_SLICE, int(num_nodes * SLICE / max(self.passed, 1e-6)))
        return min(self._nodes, num_nodes + portion)
