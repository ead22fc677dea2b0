"""The value of a game for two, or the best score of a solitaire, under perfect play; rules are an argument.

`choose.py` says how positions are valued. Some games are solved by questions about parts of them (`questions.py`). In
the others the first moves are solved one by one, and only one of those that a symmetry joins.
"""

from dataclasses import replace

from ..capabilities import Capabilities
from ..core.errors import TooLarge
from ..core.rules import AnySearchRules, AnyState, difference, legal_moves, played
from ..core.state import copy
from ..distribution.task import Answer, Task
from . import questions
from .choose import Way, way
from .valuers import TABLE, ByAlphaBeta, ByRules, ByTable, ByTree, Valuer, bounds, side


def solve(
    rules: AnySearchRules, capabilities: Capabilities, state: AnyState, task: Task, *, is_whole_board: bool = False
) -> Answer | None:
    """The answer: proven or, when the time is over, what is known by then. None where no exact search fits."""
    found = way(rules, capabilities, state, memory=task.memory, is_whole_board=is_whole_board)
    try:
        if found is Way.KEYS and rules.num_players(state) == 2:
            return questions.solve(rules, capabilities, state, task)
        if found is Way.RULES and not task.is_lowest:
            task = _half_the_time(task)
        valued = valuer(rules, capabilities, state, task, is_whole_board=is_whole_board)
    except TooLarge:
        return None
    return None if valued is None else _Root(rules, capabilities, state, valued, is_lowest=task.is_lowest).solve(task)


def valuer(
    rules: AnySearchRules, capabilities: Capabilities, state: AnyState, task: Task, *, is_whole_board: bool = False
) -> Valuer | None:
    """The Valuer for positions of this size; None where questions are asked, or there is none. Raises TooLarge."""
    found = way(rules, capabilities, state, memory=task.memory, is_whole_board=is_whole_board)
    # The other ways look for the better score of a solitaire. The rules alone tell the worse one too.
    is_worse = rules.num_players(state) == 1 and task.is_lowest is not rules.LOWER_IS_BETTER
    if found is Way.RULES or (is_worse and not is_whole_board):
        return ByRules(rules, capabilities, state, memory=task.memory, is_lowest=task.is_lowest)
    if is_worse:
        return None
    if found is Way.TABLE:
        return ByTable(rules, capabilities, state, memory=task.memory)
    if found is Way.MOVES or (found is Way.KEYS and rules.num_players(state) == 1):
        return ByAlphaBeta(rules, capabilities, state, memory=task.memory)
    if found is Way.TREE:
        from ..engine.tree import MEMORY, TreeSearch

        memory = min(MEMORY, task.memory)
        return ByTree(rules, capabilities, state, lambda s: TreeSearch(rules, s, seed=task.seed, memory=memory))
    return None


def _half_the_time(task: Task) -> Task:
    """The task with half of the time that is left; the other half is for finding a good game."""
    return task if task.left is None else replace(task, seconds=(task.seconds or 0.0) - task.left / 2)


class _Root:
    """The first position, whose moves are solved one after the other."""

    def __init__(
        self, rules: AnySearchRules, capabilities: Capabilities, state: AnyState, valuer: Valuer, *, is_lowest: bool
    ) -> None:
        self._rules = rules
        self._state = state
        self._valuer = valuer
        self._sign = side(rules, state, is_lowest=is_lowest)
        self._bounds = bounds(rules, capabilities, state, is_lowest=is_lowest)
        self._parts: dict[int, list[int]] = {}  # by their first, moves to positions that a symmetry joins
        by_key: dict[object, int] = {}
        keys = capabilities.keys if capabilities.keys is not None and capabilities.keys.fits(state) else None
        for move in legal_moves(rules, state):
            after = played(rules, state, move)
            settled = 0 if capabilities.reach is None else capabilities.reach.settled(after)
            key = (keys.key(after), settled, rules.is_over(after)) if keys is not None else move
            self._parts.setdefault(by_key.setdefault(key, move), []).append(move)

    def solve(self, task: Task) -> Answer:
        """Solve the first moves that the notes don't have yet, and put together what is known."""
        is_first = self._rules.mover(self._state) == 1
        known: dict[int, int] = {}
        for number, move in enumerate(self._parts):
            task.report(number, len(self._parts), "first moves solved")
            value = self._noted(f"move {move}", task, played(self._rules, self._state, move))
            if value is None:
                break
            known[move] = value
        is_whole = len(known) == len(self._parts)
        best = (max if is_first else min)(known.values(), default=None)
        line = [move for move, value in known.items() if value == best][:1]
        moves: list[int] = []
        if is_whole and best is not None:
            line = task.notes.get("line") or self._line(best, task)
            moves = sorted(move for first, alike in self._parts.items() if known[first] == best for move in alike)
        low, high = self._bounds or (None, None)
        if best is not None:
            low, high = (best if is_first or is_whole else low), (best if not is_first or is_whole else high)
        if self._sign < 0:
            low, high = (None if high is None else -high), (None if low is None else -low)
        is_told = is_whole or low == high or self._rules.num_players(self._state) == 1
        return Answer(
            low=low,
            high=high,
            witness=line,
            best_moves=moves or line[:1],
            nodes=sum(note[1] for name, note in task.notes.items() if name.startswith("move "))
            + task.notes.get(TABLE, 0),
            method=self._valuer.method,
            value=None if best is None or not is_told else self._sign * best,
            has_all_best=bool(moves),
        )

    def _noted(self, name: str, task: Task, s: AnyState) -> int | None:
        """The value of s: from the notes under this name, or else found and noted with the positions it took.

        None when the time is over.
        """
        if name not in task.notes:
            before = self._valuer.nodes
            value = self._value(s, task)
            if value is None:
                return None
            task.note(name, [value, self._valuer.nodes - before])
        found: int = task.notes[name][0]
        return found

    def _value(self, s: AnyState, task: Task) -> int | None:
        if self._rules.is_over(s):
            return self._sign * difference(self._rules, s)
        return self._valuer.value(s, task)

    def _line(self, value: int, task: Task) -> list[int]:
        """A game in which every move keeps the value, as far as the time allows."""
        s = copy(self._state)
        line: list[int] = []
        while not self._rules.is_over(s):
            move = self._keeping(s, value, task)
            if move is None:
                break
            line.append(move)
            self._rules.play(s, move)
        else:
            task.note("line", line)
        return line

    def _keeping(self, s: AnyState, value: int, task: Task) -> int | None:
        """The first move that keeps the value of s; None when the time is over."""
        for move in legal_moves(self._rules, s):
            found = self._value(played(self._rules, s, move), task)
            if found is None:
                return None
            if found == value:
                return move
        raise AssertionError("no move keeps the value of its position")
