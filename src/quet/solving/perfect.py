"""The value of a game for two, or the highest score of a solitaire, under perfect play; rules are an argument.

What a position is worth is found in a table of all positions, by the game's own solver, by questions that alpha-beta
answers (`questions.py`), or by a tree search that keeps what it proves: by the first that the game and the size allow.
Where it isn't asked questions, first moves are solved one by one, those that a symmetry joins once.
"""

from typing import Any, Protocol

from ..core.errors import TooLarge
from ..core.state import copy
from ..distribution.task import Answer, Task, difference, legal_moves
from ..engine import retrograde
from ..engine.deepening import Deepening
from ..tablebases import layers
from . import questions

TABLE = "positions of the table"  # the name of the note that counts them
LEAP = 4  # plies looked ahead one by one, for the order of the moves, before looking to the end at once


class Valuer(Protocol):
    """Finds what positions of one game are worth: the difference of the scores, as player 1 wants it large."""

    method: str

    @property
    def nodes(self) -> int:
        """How many positions it has looked at, those of a table not counted."""

    def value(self, s: Any, task: Task) -> int | None:
        """The value of a position that isn't over; None when the time is over."""


def solve(rules: Any, exact: Any, state: Any, task: Task) -> Answer | None:
    """The answer, proven or, when the time is over, what is known by then; None where no exact search fits."""
    found = valuer(rules, exact, state, task)
    if found is not None:
        return _Root(rules, exact, state, found).solve(task)
    if rules.num_players(state) == 2 and hasattr(exact, "key") and exact.fits(state):
        try:
            return questions.solve(rules, exact, state, task)
        except TooLarge:
            return None
    return None


def valuer(rules: Any, exact: Any, state: Any, task: Task) -> Valuer | None:
    """What finds values of positions of this size within the memory allowed; None where nothing does."""
    if exact is None or rules.num_players(state) > 2:
        return None
    if hasattr(exact, "num_squares") and retrograde.needed(exact, state) <= task.memory:
        return _Table(rules, exact, state)
    if hasattr(exact, "solve") and (exact.fits(state) or exact.needed(state) <= task.memory):
        return _Own(exact, state)
    if hasattr(exact, "key") and exact.fits(state):
        return None
    return _Tree(rules, task) if getattr(exact, "SIGN_IS_VALUE", False) else None


class _Root:
    """The first position, whose moves are solved one after the other."""

    def __init__(self, rules: Any, exact: Any, state: Any, valuer: Valuer) -> None:
        self._rules = rules
        self._state = state
        self._valuer = valuer
        self._sign = -1 if rules.LOWER_IS_BETTER else 1
        self._bounds = tuple(exact.bounds(state)) if hasattr(exact, "bounds") else None
        self._parts: dict[int, list[int]] = {}  # the moves that lead to one position, but for symmetry, by the first
        by_key: dict[object, int] = {}
        has_keys = hasattr(exact, "key") and exact.fits(state)
        for move in legal_moves(rules, state):
            key = exact.key(self._after(state, move)) if has_keys else move
            self._parts.setdefault(by_key.setdefault(key, move), []).append(move)

    def solve(self, task: Task) -> Answer:
        """Solve the first moves that the notes don't have yet, and put together what is known."""
        is_first = self._rules.mover(self._state) == 1
        known: dict[int, int] = {}
        for number, move in enumerate(self._parts):
            task.report(number, len(self._parts), "first moves solved")
            value = self._noted(f"move {move}", task, self._after(self._state, move))
            if value is None:
                break
            known[move] = value
        is_whole = len(known) == len(self._parts)
        best = (max if is_first else min)(known.values(), default=None)
        line = list(known)[:1]
        moves: list[int] = []
        if is_whole and best is not None:
            line = task.notes.get("line") or self._line(best, task)
            moves = sorted(move for first, alike in self._parts.items() if known[first] == best for move in alike)
        low, high = self._bounds or (None, None)
        if best is not None:
            low, high = (best if is_first or is_whole else low), (best if not is_first or is_whole else high)
        if self._sign < 0:
            low, high = (None if high is None else -high), (None if low is None else -low)
        return Answer(
            low=low,
            high=high,
            witness=line,
            best_moves=moves or line[:1],
            nodes=sum(note[1] for name, note in task.notes.items() if name.startswith("move "))
            + task.notes.get(TABLE, 0),
            method=self._valuer.method,
            value=None if best is None or not is_whole else self._sign * best,
            has_all_best=bool(moves),
        )

    def _noted(self, name: str, task: Task, s: Any) -> int | None:
        """What s is worth: what the notes have under this name or else is found and noted, with the positions it took.

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

    def _value(self, s: Any, task: Task) -> int | None:
        if self._rules.is_over(s):
            return self._sign * difference(self._rules, s)
        return self._valuer.value(s, task)

    def _line(self, value: int, task: Task) -> list[int]:
        """A game in which every move keeps the value; as much of it as the time allows."""
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

    def _keeping(self, s: Any, value: int, task: Task) -> int | None:
        """The first move that keeps the value of s; None when the time is over."""
        for move in legal_moves(self._rules, s):
            found = self._value(self._after(s, move), task)
            if found is None:
                return None
            if found == value:
                return move
        raise AssertionError("no move keeps the value of its position")

    def _after(self, s: Any, move: int) -> Any:
        twin = copy(s)
        self._rules.play(twin, move)
        return twin


class _Table:
    """Looks positions up in a table of all of them; values too large for it are found by alpha-beta."""

    method = "retrograde analysis of all positions"

    def __init__(self, rules: Any, exact: Any, state: Any) -> None:
        self._rules, self._exact, self._state = rules, exact, state
        self._table: Any = None
        self._beyond: Deepening | None = None
        self.nodes = 0

    def value(self, s: Any, task: Task) -> int | None:
        if self._table is None:
            self._table = layers.solve(self._rules, self._exact, self._state, task)
            if self._table is None:
                return None
            task.keep(self._table)
            task.note(TABLE, len(self._table.values))
        found: int | None = self._table.value(s)
        if found is not None:
            return found
        if self._beyond is None:
            self._beyond = Deepening(self._rules, self._exact, self._state, memory=task.memory)
        beyond = self._beyond.run(s, leap=LEAP, seconds=questions.LONG if task.left is None else task.left)
        self.nodes += beyond.num_nodes
        return beyond.value if beyond.is_exact else None


class _Own:
    """Asks the solver that the game has of its own."""

    method = "the game's own solver over all sets"

    def __init__(self, exact: Any, state: Any) -> None:
        self._exact, self._state = exact, state
        self._solution: Any = None
        self.nodes = 0

    def value(self, s: Any, task: Task) -> int | None:
        if self._solution is None:
            self._solution = self._exact.solve(self._state, task)
            if self._solution is None:
                return None
            task.keep(self._solution)
            task.note(TABLE, int(self._solution.table.size))
        return int(self._solution.value(s))


class _Tree:
    """Solves positions by a tree search that keeps what it has proved, where to know who wins is to know the value."""

    method = "tree search that keeps what it proves"

    def __init__(self, rules: Any, task: Task) -> None:
        self._rules, self._seed = rules, task.seed
        self.nodes = 0

    def value(self, s: Any, task: Task) -> int | None:
        from ..engine.tree import TreeSearch

        search = TreeSearch(self._rules, s, seed=self._seed)
        findings = search.run(seconds=task.improving().left)
        self.nodes += findings.num_simulations
        if not findings.is_solved:
            return None
        sign = 1 if findings.value >= 0.9 else 0 if findings.value >= 0.4 else -1
        return sign if self._rules.mover(s) == 1 else -sign
