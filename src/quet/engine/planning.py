"""Search for a solitaire's best game by its own `plan.py`, a Search.

Plans are whole games. The best of all is kept from move to move as long as the game follows it, and made better while
there is time.
"""

import os
import threading
from collections.abc import Callable
from math import inf

from ..capabilities import Planner
from ..core.clock import clock
from ..core.rules import AnySearchRules, AnyState
from ..core.state import copy
from .findings import REPORTING, Candidate, Findings


class Planning:
    """Plans of a game in progress. `is_plain` makes them in plain Python.

    Raises NotCompiled as `compiled` does.
    """

    def __init__(
        self,
        planner: Planner[AnyState],
        rules: AnySearchRules,
        state: AnyState,
        *,
        seed: int | None = None,
        is_plain: bool = False,
    ) -> None:
        self._planner = planner
        self._rules = rules
        self._state = copy(state)
        self._seed = int.from_bytes(os.urandom(4)) if seed is None else seed % 2**32
        self._is_plain = is_plain
        self._line: list[int] = []  # the best game known from here on; none before the first plan
        self._score = 0  # that it reaches
        self._limit: int | None = None  # the best score that may be possible from here on
        self._number = 0  # of the next plan

    def advance(self, move: int) -> None:
        """As of any Search; the best game stays what it is if the move follows it."""
        self._rules.play(self._state, move)
        self._line = self._line[1:] if self._line[:1] == [move] else []

    def run(
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: threading.Event | None = None,
        report: Callable[[Findings], None] | None = None,
    ) -> Findings:
        """As of any Search. One plan is the least: the positions of one game are looked at in any case."""
        begun = reported = clock()

        def is_over() -> bool:
            return (seconds is not None and clock() - begun >= seconds) or (stop is not None and stop.is_set())

        work = 0
        while not (self._line and (self._is_best or is_over())):
            left = inf if simulations is None else max(simulations - work, 1)
            found = self._planner.plan(
                self._state, self._line, self._number, self._seed, is_over, is_plain=self._is_plain, work=left
            )
            self._number += 1
            work += found.work
            self._take(list(found.moves), found.limit)
            if is_over() or (work >= simulations if simulations is not None else seconds is None):
                break
            if report is not None and clock() - reported > REPORTING:
                reported = clock()
                report(self._findings(work, clock() - begun))
        return self._findings(work, clock() - begun)

    @property
    def _is_best(self) -> bool:
        return self._limit is not None and self._sign * self._score >= self._sign * self._limit

    @property
    def _sign(self) -> int:
        return -1 if self._rules.LOWER_IS_BETTER else 1

    def _take(self, line: list[int], limit: int | None) -> None:
        """Keep a plan's game if it is better, and its limit if that is tighter."""
        end = copy(self._state)
        for move in line:
            self._rules.play(end, move)
        score = int(self._rules.score(end, 1))
        if not self._line or self._sign * score > self._sign * self._score:
            self._line, self._score = line, score
        if limit is not None:
            self._limit = (
                limit if self._limit is None else self._sign * min(self._sign * self._limit, self._sign * limit)
            )

    def _findings(self, work: int, seconds: float) -> Findings:
        move, score, is_best = self._line[0], float(self._score), self._is_best
        best = Candidate(move, max(work, 1), score, score, is_solved=is_best)
        return Findings(move, [best], self._line, work, 2, seconds, is_solved=is_best, is_plan=True)
