"""The value of a game for two, or the highest score of a solitaire, under perfect play; rules are an argument.

First moves are parts of the work: the first is solved exactly, and of each other one it is asked whether it is better,
which takes much less (Marsland and Campbell, "Parallel search of strongly ordered game trees", 1982). When the value is
known, it is asked of those that may keep it whether they do. Moves that a symmetry joins are one part. What a position
is worth is found in a table of all positions, by the game's own solver, by alpha-beta, or by a tree search that keeps
what it proves: by the first that the game and the size allow.
"""

import functools
from collections.abc import Callable
from typing import Any, Protocol

from ..core.errors import TooLarge
from ..core.state import copy
from ..engine.deepening import Deepening
from .answer import Answer, Task, difference, legal_moves

FAR = 1 << 40  # beyond every value
LEAP = 4  # plies looked ahead one by one, for the order of the moves, before looking to the end at once
MOST_PER_BYTE = 0.75  # of the memory allowed that a table of all positions may take


class Valuer(Protocol):
    """Finds what positions of one game are worth: the difference of the scores, as player 1 wants it large."""

    method: str

    @property
    def nodes(self) -> int:
        """How many positions it has looked at."""

    def value(self, s: Any, low: int, high: int, task: Task) -> int | None:
        """The value of a position that isn't over where it lies between low and high, else a bound beyond them.

        None when the time is over.
        """


def solve(rules: Any, exact: Any, state: Any, task: Task) -> Answer | None:
    """The answer, proven or, when the time is over, what is known by then; None where no exact search fits."""
    found = valuer(rules, exact, state, task)
    return None if found is None else _Root(rules, exact, state, found).solve(task)


def valuer(rules: Any, exact: Any, state: Any, task: Task) -> Valuer | None:
    """What can solve positions of this size within the memory allowed; None where nothing can."""
    if exact is None or rules.num_players(state) > 2:
        return None
    if hasattr(exact, "num_positions") and exact.num_positions(state) <= MOST_PER_BYTE * task.memory:
        return _Table(rules, exact, state)
    if hasattr(exact, "solve") and exact.fits(state):
        return _Own(exact, state)
    if hasattr(exact, "key") and exact.fits(state):
        try:
            return _AlphaBeta(rules, exact, state, task.memory)
        except TooLarge:
            return None
    return _Tree(rules, task) if getattr(exact, "SIGN_IS_VALUE", False) else None


class _Root:
    """The first position, whose moves are solved one after the other."""

    def __init__(self, rules: Any, exact: Any, state: Any, valuer: Valuer) -> None:
        self._rules = rules
        self._state = state
        self._valuer = valuer
        self._sign = -1 if rules.LOWER_IS_BETTER else 1
        self._bounds = tuple(exact.bounds(state)) if hasattr(exact, "bounds") else (-FAR, FAR)
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
            best = (max if is_first else min)(known.values(), default=None)
            value = self._noted(f"move {move}", task, functools.partial(self._part, move, best, is_first, task))
            if value is None:
                break
            known[move] = value
        is_whole = len(known) == len(self._parts)
        best = (max if is_first else min)(known.values(), default=None)
        line = list(known)[:1]
        moves, has_all = line, False
        if is_whole and best is not None:
            line = task.notes.get("line") or self._line(best, task)
            moves, has_all = self._best_moves(known, best, is_first, task)
        low, high = self._bounds
        if best is not None:
            low, high = (best if is_first or is_whole else low), (best if not is_first or is_whole else high)
        low, high = (low, high) if self._sign > 0 else (-high, -low)
        return Answer(
            low=None if abs(low) >= FAR else low,
            high=None if abs(high) >= FAR else high,
            witness=line,
            best_moves=moves if has_all else line[:1],
            nodes=sum(note[1] for name, note in task.notes.items() if name != "line"),
            method=self._valuer.method,
            value=None if best is None or not is_whole else self._sign * best,
            has_all_best=has_all,
        )

    def _noted(self, name: str, task: Task, find: Callable[[], int | None]) -> int | None:
        """What the notes have under this name or else `find` finds, which is then noted with the positions it took."""
        if name not in task.notes:
            before = self._valuer.nodes
            value = find()
            if value is None:
                return None
            task.note(name, [value, self._valuer.nodes - before])
        found: int = task.notes[name][0]
        return found

    def _part(self, move: int, best: int | None, is_first: bool, task: Task) -> int | None:
        """What the move is worth where it is better than the best so far; else what it is at best worth."""
        s = self._after(self._state, move)
        if self._rules.is_over(s):
            return self._sign * difference(self._rules, s)
        if best is None:
            return self._valuer.value(s, -FAR, FAR, task)
        value = self._valuer.value(s, *((best, best + 1) if is_first else (best - 1, best)), task)
        if value is not None and (value > best if is_first else value < best):
            value = self._valuer.value(s, *((best, FAR) if is_first else (-FAR, best)), task)
        return value

    def _best_moves(self, known: dict[int, int], best: int, is_first: bool, task: Task) -> tuple[list[int], bool]:
        """The first moves that keep the value, as many as the time allows to know, and whether these are all.

        Of a move that may be worth the value at best it has to be asked whether it is.
        """
        moves: list[int] = []
        for number, (move, alike) in enumerate(self._parts.items()):
            task.report(number, len(self._parts), "first moves looked at again")
            if known[move] != best:
                continue
            s = self._after(self._state, move)
            low, high = (best - 1, best) if is_first else (best, best + 1)
            value: int | None = best
            if not self._rules.is_over(s):
                ask = functools.partial(self._valuer.value, s, low, high, task)
                value = self._noted(f"again {move}", task, ask)
            if value is None:
                return moves, False
            if value >= best if is_first else value <= best:
                moves += alike
        return sorted(moves), True

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
        is_first = self._rules.mover(s) == 1
        for move in legal_moves(self._rules, s):
            after = self._after(s, move)
            if self._rules.is_over(after):
                found: int | None = self._sign * difference(self._rules, after)
            else:
                found = self._valuer.value(after, value - is_first, value + (not is_first), task)
            if found is None:
                return None
            if found >= value if is_first else found <= value:
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
        self._beyond: _AlphaBeta | None = None

    @property
    def nodes(self) -> int:
        looked_at = 0 if self._table is None else len(self._table)
        return looked_at + (self._beyond.nodes if self._beyond else 0)

    def value(self, s: Any, low: int, high: int, task: Task) -> int | None:
        from ..engine import retrograde

        if self._table is None:
            self._table = retrograde.solve(self._rules, self._exact, self._state)
        entry = int(self._table[self._exact.index(s)])
        if abs(entry) < retrograde.LARGEST:
            return entry * int(self._exact.UNIT)
        if self._beyond is None:
            self._beyond = _AlphaBeta(self._rules, self._exact, self._state, task.memory)
        return self._beyond.value(s, low, high, task)


class _Own:
    """Asks the solver that the game has of its own."""

    method = "the game's own solver over all sets"

    def __init__(self, exact: Any, state: Any) -> None:
        self._exact, self._state = exact, state
        self._solution: Any = None
        self.nodes = 0

    def value(self, s: Any, low: int, high: int, task: Task) -> int | None:
        if self._solution is None:
            self._solution = self._exact.solve(self._state, until=task.until, memory=task.memory)
            if self._solution is None:
                return None
            self.nodes = int(self._solution.table.size)
        return int(self._solution.value(s))


class _Window(Deepening):
    """Alpha-beta that can also be asked whether a value lies between two numbers."""

    def value(self, s: Any, low: int, high: int, seconds: float | None, leap: int) -> tuple[int | None, int]:
        """The value or a bound beyond the window, None when the time is over; and how many positions it took."""
        whole = self._window
        self._window = max(low, whole[0] - 1), min(high, whole[1] + 1)
        try:
            # With a limit of time the search looks up now and then, so that Ctrl-C can stop it.
            found = self.run(s, leap=leap, seconds=1e9 if seconds is None else seconds, has_line=False)
        finally:
            self._window = whole
        return (found.value if found.is_exact else None), found.num_nodes


class _AlphaBeta:
    """Solves positions with one transposition table."""

    method = "alpha-beta with a transposition table"

    def __init__(self, rules: Any, exact: Any, state: Any, memory: int) -> None:
        self._search = _Window(rules, exact, state, memory=memory)
        self.nodes = 0

    def value(self, s: Any, low: int, high: int, task: Task) -> int | None:
        value, nodes = self._search.value(s, low, high, task.left, LEAP if high - low == 2 * FAR else 0)
        self.nodes += nodes
        return value


class _Tree:
    """Solves positions by a tree search that keeps what it has proved, where to know who wins is to know the value."""

    method = "tree search that keeps what it proves"

    def __init__(self, rules: Any, task: Task) -> None:
        self._rules, self._seed = rules, task.seed
        self.nodes = 0

    def value(self, s: Any, low: int, high: int, task: Task) -> int | None:
        from ..engine.tree import TreeSearch

        search = TreeSearch(self._rules, s, seed=self._seed)
        findings = search.run(seconds=task.improving().left)
        self.nodes += findings.num_simulations
        if not findings.is_solved:
            return None
        sign = 1 if findings.value >= 0.9 else 0 if findings.value >= 0.4 else -1
        return sign if self._rules.mover(s) == 1 else -sign
