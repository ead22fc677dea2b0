"""Search for the best position of a puzzle by a game's own `local_search.py`, a Search.

The puzzle is a board of squares. Numbers are written in them and changed in any order. The search looks for the best
full board and then writes it down square by square.
"""

import os
import threading
from collections.abc import Callable
from types import ModuleType
from typing import cast

import numpy as np

from ..capabilities import LocalSearch
from ..core.clock import clock
from ..core.rules import AnySearchRules, AnyState
from ..core.state import copy
from . import arrays
from .compiled import compiled, plain
from .findings import REPORTING, Candidate, Findings
from .plain_rows import States
from .tree import mixed

HOT, COLD = 0.6, 0.3  # temperatures; of a few pairs tried on 4x4 and 5x5 none did better
PORTION = 20_000  # steps between two looks at the clock and at whether to stop
PLAIN_PORTION = 20  # the same in plain Python
ROUND = 300_000  # steps from hot to cold, and then again


class Annealing:
    """A local search in progress; `search` is the game's module, with `fill`, `improve` and `next_move`.

    `is_plain` searches in plain Python. Raises NotCompiled as `compiled` does.
    """

    def __init__(
        self,
        search: LocalSearch[AnyState],
        rules: AnySearchRules,
        state: AnyState,
        *,
        seed: int | None = None,
        is_plain: bool = False,
    ) -> None:
        self._search = search
        self._rules = rules
        self._state = arrays.unpack(arrays.pack([state])[0], type(rules.State()))
        self._is_plain = is_plain
        self._module = (plain if is_plain else compiled)(cast(ModuleType, search))
        self._rng = np.array([mixed(int.from_bytes(os.urandom(7)) if seed is None else seed)], np.uint64)
        # The one being changed, and the best.
        self._boards: arrays.Records | States[AnyState] = self._packed(state, state)
        self._has_board = False
        self._is_found = False  # whether the search for the best board has ended

    def advance(self, move: int) -> None:
        """As of any Search; the best board stays what it is."""
        self._rules.play(self._state, move)

    def run(
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: threading.Event | None = None,
        report: Callable[[Findings], None] | None = None,
    ) -> Findings:
        """As of any Search, and what was found are the moves that write the best board.

        Once a board has been found, later calls write it down without another search, unless a move has departed from
        it.
        """
        begun = reported = clock()
        total = ROUND if simulations is None else min(simulations, ROUND)
        done = 0
        while not self._is_found or not self._follows():
            portion = min(PLAIN_PORTION if self._is_plain else PORTION, total - done % total)
            if not self._has_board:
                self._boards[0] = self._packed(self._state)[0]
                with np.errstate(over="ignore"):  # as in a tree of plain Python
                    self._module.fill(self._boards, self._rng)
            hot = HOT + (COLD - HOT) * (done % total) / total
            cold = HOT + (COLD - HOT) * (done % total + portion) / total
            with np.errstate(over="ignore"):
                self._module.improve(self._boards, self._rng, portion, hot, cold)
            self._has_board = True
            done += portion
            now = clock()
            if (
                (simulations is not None and done >= simulations)
                or (seconds is not None and now - begun >= seconds)
                or (simulations is None and seconds is None)
                or (stop is not None and stop.is_set())
            ):
                break
            if report is not None and now - reported > REPORTING:
                reported = now
                report(self._findings(done, now - begun))
        self._is_found = True
        return self._findings(done, clock() - begun)

    def _packed(self, *states: AnyState) -> arrays.Records | States[AnyState]:
        return States(list(states)) if self._is_plain else arrays.pack(states)

    def _unpacked(self, board: AnyState) -> AnyState:
        return copy(board) if self._is_plain else arrays.unpack(board, type(self._state))

    def _follows(self) -> bool:
        """Whether what stands in the position is on the way to the best board."""
        target = self._unpacked(self._boards[1])
        return bool(self._search.is_on_the_way(self._state, target))

    def _findings(self, num_steps: int, seconds: float) -> Findings:
        target = self._unpacked(self._boards[1])
        score = float(self._rules.score(target, 1))
        line = self._search.moves_to(self._state, target)
        best = Candidate(line[0], max(num_steps, 1), score, score, is_solved=False)
        return Findings(line[0], [best], line, num_steps, 2, seconds, is_solved=False, is_plan=True)
