"""The value of the whole game on a large grid: the first part by what pairs of lists are worth in the second.

`filling.py` tells of hundreds of pairs at once whether player 1 reaches a number, and `predicting.py` which pairs
to ask. The value on a small grid is asked about first, then the numbers above or below it, as the answers say.
"""

import math
from collections.abc import Sequence

from quet.core.clock import clock
from quet.core.rules import difference, legal_moves, played
from quet.core.state import copy
from quet.distribution.parts import done
from quet.distribution.task import Answer, Task
from quet.distribution.workers import Processes

from . import filling, rules
from .exact import bounds
from .filling import FEWEST, MOST_PAIRS
from .predicting import FirstPart, lists
from .rules import State

METHOD = "the second part for many pairs of lists at once, and the first part by proof numbers"
SMALLEST, LARGEST = 9, 12  # sides: smaller grids take alpha-beta seconds, and larger ones have too many pairs of lists
SMALL = FEWEST  # side of the grid whose value is asked about first
NAME = "pairs at least "  # of a part of the work, with the number and the first pair


def solve(state: State, task: Task) -> Answer | None:
    """The value, or bounds when the time is over; None where the grid is small, or the memory."""
    if not SMALLEST <= state.n <= LARGEST or not task.has_room(filling.needed(state.n, state.n)):
        return None
    questions = Questions(state, task)
    low, high = questions.value(_guess(state))
    if low < high:
        return Answer(low, high, [], [], questions.num_positions, METHOD)
    line, best = questions.line(low), questions.keeping(low)
    return Answer(low, low, line, best or line[:1], questions.num_positions, METHOD, value=low, has_all_best=bool(best))


def _guess(state: State) -> int:
    """The value on a small grid."""
    small = State()
    rules.start(small, SMALL, state.second_part_first)
    return Questions(small, Task(workers=Processes(1))).value(0)[0]


class Questions:
    """Questions whether player 1 reaches a number, and what has been answered of them. The answers are noted."""

    def __init__(self, state: State, task: Task) -> None:
        self._state, self._task = state, task
        self._first_part = FirstPart(state.n)
        fitting = task.memory // filling.needed(state.n, state.n)
        self._num_groups = max(1, min(task.workers.count, fitting))  # of pairs that are asked side by side
        for name, note in task.notes.items():
            if name.startswith(NAME):
                self._first_part.learn(int(name.removeprefix(NAME).split()[0]), *note)

    @property
    def num_positions(self) -> int:
        """How many positions were looked at, each once for a few hundred pairs."""
        passes = sum(name.startswith(NAME) for name in self._task.notes)
        return passes * filling.num_positions(self._state.n)

    def value(self, guess: int) -> tuple[int, int]:
        """The value, twice, or the bounds of it that the time allowed."""
        low, high = bounds(self._state)
        v = min(max(guess, low + 1), high)
        while low < high:
            is_reached = self._is_reached(v, is_likely=v <= guess)
            if is_reached is None:
                break
            low, high = (v, high) if is_reached else (low, v - 1)
            v = low + 1 if is_reached else high
        return low, high

    def keeping(self, value: int) -> list[int]:
        """The first symbols that keep the value; none when the time is over."""
        reached = [self._is_reached(value, is_likely=True, ply=1, node=node) for node in (1, 0)]
        square_count = self._state.n**2
        return [] if None in reached else [square_count + move for move, is_so in enumerate(reached) if is_so]

    def line(self, value: int) -> list[int]:
        """A game in which every move keeps the value; none when the time is over."""
        if "line" not in self._task.notes:
            line = self._line(value)
            if line is None:
                return []
            self._task.note("line", line)
        found: list[int] = self._task.notes["line"]
        return found

    def _is_reached(self, v: int, *, is_likely: bool, ply: int = 0, node: int = 0) -> bool | None:
        """Whether player 1 reaches v from this node of the first part on; None when the time is over."""
        first_part, most = self._first_part, MOST_PAIRS * self._num_groups
        while (found := first_part.is_reached(v, ply, node)) is None:
            pairs = first_part.wanted(v, most, is_likely=is_likely, ply=ply, node=node)
            parts = {
                f"{NAME}{v} from {some[0]}": (self._state, v, some)
                for some in (pairs[i : i + MOST_PAIRS] for i in range(0, len(pairs), MOST_PAIRS))
            }
            answers = [note for _, note in done(self._task, ask, parts, "groups of pairs of lists")]
            for reached, missed in answers:
                first_part.learn(v, reached, missed)
            if len(answers) < len(parts):
                return None
        return found

    def _line(self, value: int) -> list[int] | None:
        first_part, s = self._first_part, copy(self._state)
        line: list[int] = []
        node = 0
        for ply in range(first_part.num_plies):
            for symbol in (1, 0):  # + before -
                after = 2 * node + symbol
                if rules.mover(s) == 1 and first_part.is_reached(value, ply + 1, after):
                    break
                if rules.mover(s) == 2 and first_part.is_reached(value + 1, ply + 1, after) is False:
                    break
            node = after
            line.append(s.n**2 + 1 - symbol)
            rules.play(s, line[-1])
        both = first_part.lists_of(node)
        while not rules.is_over(s):
            move = self._keeping(s, both, value)
            if move is None:
                return None
            line.append(move)
            rules.play(s, move)
        return line

    def _keeping(self, s: State, both: tuple[int, int], value: int) -> int | None:
        """The first move of the second part that keeps the value of s; None when the time is over."""
        is_first = rules.mover(s) == 1
        moves = legal_moves(rules, s)
        if 3 * s.n - 2 - s.ply < FEWEST:
            return next(move for move in moves if _value(played(rules, s, move)) == value)
        found = filling.reached(s, [both], [value if is_first else value + 1], self._task.until)
        return None if found is None else next(move for move in moves if found.after[move][0] is is_first)


def ask(state: State, v: int, pairs: Sequence[int], seconds: float | None) -> tuple[list[int], list[int]] | None:
    """Those of the pairs with which player 1 reaches v, and the others; None when the time is over."""
    until = math.inf if seconds is None else clock() + seconds
    both = [lists(pair, state.n) for pair in pairs]
    found = filling.reached(state, both, [v] * len(pairs), until)
    if found is None:
        return None
    reached = [pair for pair, is_so in zip(pairs, found.here, strict=True) if is_so]
    return reached, [pair for pair, is_so in zip(pairs, found.here, strict=True) if not is_so]


def _value(s: State) -> int:
    """The value of a position near the end, by the rules."""
    if rules.is_over(s):
        return difference(rules, s)
    return (max if rules.mover(s) == 1 else min)(_value(played(rules, s, move)) for move in legal_moves(rules, s))
