"""The value of a game for two by questions that alpha-beta answers: is the value of this position at least v?

The positions a few plies from the beginning are independent parts; positions that a symmetry or another order of moves
joins are one part. A question costs much less than the value itself (Pearl, "Scout", 1980), and one question after
another narrows the value down (Plaat et al., "MTD(f)", 1996). A question about the whole game leads to questions about
some of its parts. The first are about the parts that decide it if the moves that look best are the best (Harvey and
Ginsberg, "Limited discrepancy search", 1995). The others are dropped as soon as they don't matter.
"""

import threading

from ..capabilities import Capabilities, named
from ..core.rules import AnySearchRules, AnyState, advantage, legal_moves, module_name, played, rules_named
from ..distribution.parts import done
from ..distribution.task import Answer, Task
from ..engine.deepening import Deepening
from .valuers import LONG

METHOD = "alpha-beta with a transposition table, asked whether values reach a number"
FEWEST_PARTS = 40  # the parts are the positions of the first ply with at least so many
ASKED = " at least "  # in the name of a part, between its path and the number
GLANCE = 400  # positions looked at to guess what a part is worth, two plies ahead


def solve(rules: AnySearchRules, capabilities: Capabilities, state: AnyState, task: Task) -> Answer:
    """The value: proven or, when the time is over, what is known by then. Raises TooLarge.

    The game must have bounds and keys.
    """
    return _Questions(rules, capabilities, state, task).solve()


class _Position:
    """A position of the first plies, and what is known of its value."""

    def __init__(self, s: AnyState, path: str, low: int, high: int) -> None:
        self.state = s
        self.path = path  # the moves to it, or to a position that is the same to a search
        self.low = low  # the value is not below this
        self.high = high  # and not above this
        self.guess = low
        self.is_first = True  # player 1 moves
        self.before: list[_Position] = []
        self.after: dict[int, _Position] = {}  # by move; empty where it is a part
        self.best_first: list[_Position] = []  # the positions after it, those that look best to the mover first

    def is_open(self, v: int) -> bool:
        """Whether it is still open if the value is at least v."""
        return self.low < v <= self.high

    def look_back(self) -> None:
        """Update what is known from the positions after it; then do the same for the positions before it."""
        worth = max if self.is_first else min
        low, high = worth(s.low for s in self.best_first), worth(s.high for s in self.best_first)
        if (low, high) != (self.low, self.high):
            self.low, self.high = max(low, self.low), min(high, self.high)
            for position in self.before:
                position.look_back()


class _Questions:
    """The first plies of a game."""

    def __init__(self, rules: AnySearchRules, capabilities: Capabilities, state: AnyState, task: Task) -> None:
        self._rules, self._capabilities, self._start = capabilities.for_search(rules, state)
        assert self._capabilities.keys is not None and self._capabilities.bounds is not None
        self._keys, self._bounds, self._reach = (
            self._capabilities.keys,
            self._capabilities.bounds,
            self._capabilities.reach,
        )
        self._task = task
        self._memory = task.memory // (task.workers.count + (task.workers.count > 1))
        self._search = _search(self._rules, self._capabilities, self._start, self._memory)
        self._num_positions = 0  # of the first plies
        self._root = self._position(self._start, "")
        self._parts = self._grown()
        for name, note in task.notes.items():
            path, asked, v = name.partition(ASKED)
            if asked and path in self._parts:
                self._learn(self._parts[path], int(v), note[0])

    def solve(self) -> Answer:
        """Narrow the value down, and find a game and all first moves that keep it."""
        root, notes = self._root, self._task.notes
        v = min(max(root.guess, root.low + 1), root.high)
        while root.low < root.high and self._decide([root], v):
            v = root.low + 1 if root.low >= v else root.high
        is_whole = root.low == root.high
        line: list[int] = []
        moves: list[int] = []
        if is_whole:
            line = notes["line"] if "line" in notes else self._line()
            if self._decide(list(root.after.values()), root.low if root.is_first else root.low + 1):
                moves = sorted(move for move, s in root.after.items() if _keeps(root, s, root.low))
        low, high = (-root.high, -root.low) if self._rules.LOWER_IS_BETTER else (root.low, root.high)
        return Answer(
            low=low,
            high=high,
            witness=line,
            best_moves=moves or line[:1],
            nodes=self._num_positions + sum(note[1] for name, note in notes.items() if ASKED in name),
            method=METHOD,
            value=low if is_whole else None,
            has_all_best=bool(moves),
        )

    def _position(self, s: AnyState, path: str) -> _Position:
        low, high = self._bounds.bounds(s)
        if self._rules.is_over(s):
            low = high = advantage(self._rules, s)
        position = _Position(s, path, int(low), int(high))
        position.is_first = self._rules.mover(s) == 1
        return position

    def _grown(self) -> dict[str, _Position]:
        """Grow the tree from its root until there are enough parts; return the parts, by their paths."""
        layers = [[self._root]]
        while len(layers[-1]) < FEWEST_PARTS:
            found: dict[object, _Position] = {}
            for position in layers[-1]:
                for move in legal_moves(self._rules, position.state):
                    s = played(self._rules, position.state, move)
                    path = f"{position.path} {move}".strip()
                    after = found.setdefault(self._key(s), self._position(s, path))
                    position.after[move] = after
                    after.before.append(position)
            self._num_positions += len(found)
            open_ones = [position for position in found.values() if position.low < position.high]
            if not open_ones:
                break
            layers.append(open_ones)
        for position in layers[-1]:
            if self._task.is_over:
                break
            position.guess = self._search.run(position.state, depth=2, nodes=GLANCE, has_line=False).value
        for layer in reversed(layers):
            for position in layer:
                if position.after:
                    afterwards = list(dict.fromkeys(position.after.values()))
                    position.best_first = sorted(afterwards, key=lambda s: s.guess, reverse=position.is_first)
                    position.guess = position.best_first[0].guess
        for layer in reversed(layers):
            for position in layer:
                if position.after:
                    position.look_back()
        return {position.path: position for position in layers[-1] if not position.after}

    def _key(self, s: AnyState) -> object:
        """A value that is equal for positions with the same future and the same value."""
        return self._keys.key(s), 0 if self._reach is None else self._reach.settled(s)

    def _decide(self, positions: list[_Position], v: int) -> bool:
        """Find out for each position whether its value is at least v; return False when the time is over first."""
        wanted = self._wanted(positions, v)
        parts = {
            f"{position.path}{ASKED}{v}": (
                module_name(self._rules),
                self._capabilities.module,
                self._start,
                position.state,
                v,
                self._memory,
            )
            for position in sorted(wanted, key=lambda position: wanted[position])
        }
        for name, note in done(self._task, ask, parts, f"positions asked for {v}", parts):
            self._learn(self._parts[name.partition(ASKED)[0]], v, note[0])
            wanted = self._wanted(positions, v)
            for position in self._parts.values():
                if position not in wanted:
                    parts.pop(f"{position.path}{ASKED}{v}", None)  # it needs no question any more
        return not any(position.is_open(v) for position in positions)

    def _wanted(self, positions: list[_Position], v: int) -> dict[_Position, int]:
        """The parts that may decide which of these values are at least v.

        Each has the number of moves that look better and have to be wrong before it matters.
        """
        is_likely = v <= self._root.guess  # then a good move of player 1 is looked for, else one of player 2
        layer = {position: 0 for position in positions if position.is_open(v)}
        while layer and next(iter(layer)).after:
            later: dict[_Position, int] = {}
            for position, wrong in layer.items():
                choices = [s for s in position.best_first if s.is_open(v)]
                for number, s in enumerate(choices):
                    more = wrong + number * (position.is_first == is_likely)
                    later[s] = min(later.get(s, more), more)
            layer = later
        return layer

    def _learn(self, position: _Position, v: int, value: int) -> None:
        """Note the bound that was found for a part, when the question was whether its value is at least v."""
        if value >= v:
            position.low = max(position.low, value)
        else:
            position.high = min(position.high, value)
        for before in position.before:
            before.look_back()

    def _line(self) -> list[int]:
        """A game in which every move is the first that keeps the value; empty when the time is over first."""
        s, position, value = self._start, self._root, self._root.low
        line: list[int] = []
        while not self._rules.is_over(s):
            move = self._keeping(s, position, value)
            if move is None:
                return []
            line.append(move)
            s = played(self._rules, s, move)
            position = self._known(position, s)
        self._task.note("line", line)
        return line

    def _known(self, position: _Position, s: AnyState) -> _Position:
        """What is known of s, which comes after this position, or after a position that is the same to a search."""
        key = self._key(s)
        for after in position.after.values():
            if self._key(after.state) == key:
                return after
        return self._position(s, "")

    def _keeping(self, s: AnyState, position: _Position, value: int) -> int | None:
        """The first move from s that keeps the value; None when the time is over."""
        v = value if position.is_first else value + 1
        for move in legal_moves(self._rules, s):
            after = self._known(position, played(self._rules, s, move))
            if after.after or after.path:
                self._decide([after], v)
            elif after.is_open(v):
                found = answer(self._search, after.state, v, self._task.left)
                if found is not None:
                    self._learn(after, v, found[0])
            if after.is_open(v):
                return None
            if _keeps(position, after, value):
                return move
        raise AssertionError("no move keeps the value of its position")


def _keeps(position: _Position, after: _Position, value: int) -> bool:
    """Whether the move to `after` is known to keep the value of the position."""
    return after.low >= value if position.is_first else after.high <= value


def answer(search: Deepening, s: AnyState, v: int, seconds: float | None) -> tuple[int, int] | None:
    """A bound on the value of s that shows whether it is at least v, and how many positions that took.

    None when the time is over.
    """
    seconds = LONG if seconds is None else seconds
    found = search.run(s, leap=0, seconds=seconds, has_line=False, window=(v - 1, v))
    return (found.value, found.num_nodes) if found.is_exact else None


def ask(
    rules: str, exact: str, start: AnyState, s: AnyState, v: int, memory: int, seconds: float | None
) -> tuple[int, int] | None:
    """The same as `answer`, as a part of the work that any process can do: rules and exact are names of modules."""
    return answer(_search(rules_named(rules), named(exact), start, memory), s, v, seconds)


class _Kept(threading.local):
    """The search that a thread has used last; its table helps the next question. Two threads never share one."""

    asked: object = None
    search: Deepening | None = None


_kept = _Kept()


def _search(rules: AnySearchRules, capabilities: Capabilities, start: AnyState, memory: int) -> Deepening:
    """The search of the game with this start."""
    asked = (rules, capabilities, start, memory)
    if _kept.search is None or _kept.asked != asked:
        forget()
        _kept.asked, _kept.search = asked, Deepening(rules, capabilities, start, memory=memory)
    return _kept.search


def forget() -> None:
    """Free the memory of the search that this thread keeps."""
    _kept.asked = _kept.search = None
