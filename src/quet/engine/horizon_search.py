"""Alpha-beta with learned weights in progress, a Search."""

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..capabilities import Patterns
from ..core.clock import clock
from ..core.errors import TooLarge
from ..core.rules import AnyState
from ..core.state import copy
from . import alphabeta, arrays, horizon
from .compiled import compiled
from .deepening import Limits
from .findings import REPORTING, Candidate, Findings

MEMORY = 64 * 2**20  # bytes of a search's table, unless another limit is given
SMALLEST_TABLE = 1 << 12  # entries
DOUBT = 1.0  # standard deviations by which a move may seem too bad to be looked into


@dataclass(frozen=True)
class Weights:
    """What was learned for a game with certain parameters."""

    rows: arrays.Ints  # [plies left, pattern] in parts of a point; the last column is for every position
    errors: arrays.Floats  # [plies left] in points, how far values of positions are off, as a standard deviation


class HorizonSearch:
    """Alpha-beta over one game that looks further and further ahead. Raises TooLarge, and NotCompiled as `compiled`."""

    def __init__(
        self, rules: Patterns[AnyState], state: AnyState, weights: Weights, *, memory: int | None = None
    ) -> None:
        """`state` is one of the patterns, and not over; `memory` is the bytes of the table."""
        self._rules = rules
        self._state = copy(state)
        self._weights = weights
        self._module = compiled(horizon, rules=rules)
        memory = MEMORY if memory is None else memory
        if memory < SMALLEST_TABLE * horizon.ENTRY.itemsize:
            raise TooLarge(SMALLEST_TABLE * horizon.ENTRY.itemsize, memory)
        size = 1 << int(math.log2(memory // horizon.ENTRY.itemsize))
        self._table = np.zeros(size, horizon.ENTRY)
        plies, most_moves = rules.plies_left(state) + 1, rules.most_moves(state)
        self._stack = np.zeros(plies, arrays.dtype(type(state)))
        self._frames = np.zeros(plies, horizon.FRAME)
        self._moves = np.zeros((plies, most_moves), np.int64)
        self._values = np.zeros((plies, most_moves), np.int64)
        self._room = np.zeros((2, rules.num_patterns(state)), np.int64)
        self._margins = np.rint(DOUBT * horizon.POINT * weights.errors).astype(np.int64)
        self._no_margins = np.full(len(weights.errors), alphabeta.UNKNOWN)
        self._counts = np.zeros(3, np.int64)
        self.value = 0  # that the last look found, in parts of a point, player 1's advantage

    def advance(self, move: int) -> None:
        """As of any Search; the move is one of the rules."""
        self._rules.follow(self._state, move)

    def run(
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: threading.Event | None = None,
        report: Callable[[Findings], None] | None = None,
        depth: int | None = None,
    ) -> Findings:
        """As of any Search; `depth`, in plies, is one more limit, and one ply is the least."""
        limits = Limits(simulations, seconds, stop)
        reported = clock()
        self._counts[0] = 0
        self._counts[2] = (self._counts[2] + 1) % 128
        self._stack[0] = arrays.pack([self._state])[0]
        last = self._rules.plies_left(self._state)
        found = self._first_look(last)
        self._roots = np.zeros((self._moves.shape[1], 2), np.int64)
        if simulations is None and seconds is None and stop is None and depth is None:
            return self._told(found)
        for ahead in range(2, min(last, last if depth is None else depth) + 1):
            if limits.are_reached(int(self._counts[0])):
                break
            is_whole = self._search(ahead, limits)
            found = self._findings(found, ahead, limits.passed, is_whole=is_whole)
            if not is_whole or found.is_solved:
                break
            if report is not None and clock() - reported > REPORTING:
                reported = clock()
                report(self._told(found))
        return self._told(found)

    def _first_look(self, last: int) -> Findings:
        """What one ply tells."""
        moves, values, weights = self._moves[0], self._values[0], self._weights
        count = self._module.look(
            self._stack[0], self._stack[1:], moves, values, weights.rows, self._room[0], self._room[1]
        )
        self._counts[0] += count
        sign = self._sign
        order = np.argsort(-sign * values[:count], kind="stable")
        candidates = [self._candidate(int(moves[i]), 1, int(values[i]), last - 1) for i in order]
        self.value = int(values[order[0]])
        return Findings(
            candidates[0].move, candidates, [candidates[0].move], count, 0, 0.0, is_solved=last == 1, depth=1
        )

    def _told(self, found: Findings) -> Findings:
        """What was found in moves of the rules, of which several together may be one of this search."""
        steps: dict[int, Candidate] = {}
        for one in found.candidates:  # the best first
            step = int(self._rules.step(self._state, one.move))
            steps.setdefault(step, replace(one, move=step))
        candidates = list(steps.values())
        s, line = copy(self._state), []
        for move in found.line:
            left = self._rules.plies_left(s)
            while self._rules.plies_left(s) == left:
                line.append(int(self._rules.step(s, move)))
                self._rules.follow(s, line[-1])
        return replace(found, move=candidates[0].move, candidates=candidates, line=line)

    @property
    def _sign(self) -> int:
        return 1 if self._rules.mover(self._state) == 1 else -1

    def _search(self, depth: int, limits: Limits) -> bool:
        """Look so far ahead; False when a limit is reached first."""
        self._frames[0]["best_move"] = -1
        self._counts[1] = -1
        self._roots[:] = 0
        while not limits.are_reached(int(self._counts[0])):
            value = self._module.search(
                self._stack,
                self._frames,
                self._moves,
                self._values,
                self._roots,
                self._table,
                self._counts,
                self._weights.rows,
                self._room[0],
                self._room[1],
                self._margins if depth < self._rules.plies_left(self._state) else self._no_margins,
                depth,
                limits.next_look(int(self._counts[0])),
            )
            if value != horizon.UNKNOWN:
                return True
        return False

    def _findings(self, before: Findings, depth: int, seconds: float, *, is_whole: bool) -> Findings:
        """What an iteration has found, also one that was stopped: moves that it tried come before the others."""
        frame = self._frames[0]
        best, nodes = int(frame["best_move"]), int(self._counts[0])
        left = self._rules.plies_left(self._state) - depth
        is_solved = is_whole and not frame["is_cut"]
        tried: list[tuple[int, Candidate]] = []
        others: list[Candidate] = []
        for one in before.candidates:
            value, visits = (int(x) for x in self._roots[one.move])
            if visits == 0:
                others.append(one)
            else:
                value = int(frame["best"]) if one.move == best else value
                tried.append(
                    (
                        self._sign * value,
                        self._candidate(one.move, visits, value, 0 if is_solved and one.move == best else max(left, 1)),
                    )
                )
        if not tried:
            return before
        self.value = int(frame["best"])
        tried.sort(key=lambda pair: (pair[1].move == best, pair[0]), reverse=True)
        candidates = [one for _, one in tried] + others
        return Findings(
            best, candidates, self._line(best, depth), nodes, len(tried), seconds, is_solved=is_solved, depth=depth
        )

    def _candidate(self, move: int, visits: int, value: int, left: int) -> Candidate:
        """A move whose value rests on positions with so many plies left."""
        reward = _reward(self._sign * value / horizon.POINT, float(self._weights.errors[left]))
        return Candidate(move, visits, reward, reward, is_solved=left == 0)

    def _line(self, first: int, depth: int) -> list[int]:
        """The best moves, as far as the table has them."""
        line = [first]
        s = copy(self._state)
        self._rules.play(s, first)
        while len(line) < depth - 1 and not self._rules.is_over(s):
            entry = self._table[alphabeta.slot(int(self._rules.key(s)), len(self._table) - 1)]
            if entry["kind"] == 0 or entry["key"] != self._rules.key(s) or entry["move"] < 0:
                break
            line.append(int(entry["move"]))
            self._rules.play(s, line[-1])
        return line


def _reward(advantage: float, error: float) -> float:
    """A reward as `mcts.rewards` has them, expected of an advantage in points that may be off by this error."""
    if error == 0.0:
        share = 0.5 + 0.5 * ((advantage > 0) - (advantage < 0))
    else:
        share = 0.5 + 0.5 * math.erf(advantage / error / math.sqrt(2.0))
    return 0.9 * share + 0.05 + 0.05 * advantage / (1.0 + abs(advantage))
