"""The value of a row that is too long for a table of all values: questions whether player 1 reaches a number.

`bits.py` answers one with a bit for each position. Where even these don't fit into the memory, the first moves are made
one by one, the most promising first, until what is left fits. A position has the answers of its images. The first
number asked for is what a pairing of squares holds, and the next ones are one step higher or lower, as the answers say.
"""

from collections.abc import Iterator

from quet.core.rules import legal_moves, played
from quet.core.state import copy
from quet.distribution.task import Answer, Task

from . import bits, exact, rest, rules, strategy
from .retrograde import UNIT
from .rules import State

METHOD = "all positions, a bit for each: whether its value reaches a number"
MOST_MADE = 3  # moves that are made before what is left has to fit; each takes up to twice as many questions as squares


def solve(state: State, task: Task) -> Answer | None:
    """The value, or the bounds that the time allowed; None where a table of all values fits, or not even bits do."""
    num_empty = state.m - state.ply
    if exact.needed(state) <= task.memory:
        return None
    if num_empty <= bits.LARGEST:
        task.has_room(bits.needed(num_empty))  # it takes longer where moves have to be made first
    if not _fits(state, task.memory):
        return None
    questions = _Questions(task)
    held = strategy.find(state)
    low, high = exact.bounds(state)
    value = held[0][0] if held else 0
    while low < high:
        is_reached = questions.is_reached(state, value)
        if is_reached is None:
            return Answer(low, high, [], [], questions.nodes, METHOD)
        if is_reached:
            low, value = value, value + UNIT
        else:
            high, value = value - UNIT, value - UNIT
    line = questions.line(state, low)
    best = questions.keeping(state, low)
    return Answer(
        low, low, line, best or line[:1], questions.nodes, METHOD, value=low, has_all_best=bool(best) and bool(line)
    )


def _fits(state: State, memory: int) -> bool:
    """Whether what is left fits into the memory after a few moves."""
    num_empty = state.m - state.ply
    return any(
        bits.needed(num_empty - made) <= memory for made in range(MOST_MADE + 1) if 0 < num_empty - made <= bits.LARGEST
    )


class _Questions:
    """Questions whether positions reach numbers. What has been answered is noted."""

    def __init__(self, task: Task) -> None:
        self._task = task

    @property
    def nodes(self) -> int:
        """Positions looked at, one for each question about it."""
        return int(self._task.notes.get("positions", 0))

    def is_reached(self, s: State, least: int) -> bool | None:
        """Whether player 1's final advantage is at least `least` after s; None when the time is over."""
        name = f"at least {least} from {exact.key(s)}"
        if name not in self._task.notes:
            found = self._found(s, least)
            if found is None:
                return None
            self._task.note(name, found)
        return bool(self._task.notes[name])

    def _found(self, s: State, least: int) -> bool | None:
        is_first = rules.mover(s) == 1
        if self._is_small(s):
            reached = self._reached(s, least)
            return None if reached is None else any(reached.values()) if is_first else all(reached.values())
        for _, after in _each(s):
            found = self.is_reached(after, least)
            if found is None or found is is_first:
                return found
        return not is_first

    def _is_small(self, s: State) -> bool:
        num_empty = s.m - s.ply
        return num_empty <= bits.LARGEST and bits.needed(num_empty) <= self._task.memory

    def _reached(self, s: State, least: int) -> dict[int, bool] | None:
        """For each move whether the number is reached after it."""
        row = s.digits[: s.m]
        name = (
            f"at least {least} by each move in {''.join('.' if digit == rules.EMPTY else str(digit) for digit in row)}"
        )
        if name not in self._task.notes:
            moves = [2 * square + digit for square, digit in enumerate(row) if digit != rules.EMPTY]
            filled = " ".join(rules.move_text(s, move) for move in moves) or "the empty row"
            self._task.report(0, 0, f"asking whether {filled} reaches {least}")
            found = bits.reached(s, least, self._task)
            if found is None:
                return None
            self._task.notes["positions"] = self.nodes + 3 ** (s.m - s.ply)  # saved with the answer, or not at all
            self._task.note(name, [[move, is_so] for move, is_so in found.items()])
        return dict(self._task.notes[name])

    def keeping(self, s: State, value: int) -> list[int]:
        """All moves of player 1 that keep the value, ascending, where one question tells them; else none."""
        reached = self._reached(s, value) if self._is_small(s) else None
        return [] if reached is None else [move for move, is_so in sorted(reached.items()) if is_so]

    def line(self, start: State, value: int) -> list[int]:
        """A game in which every move keeps the value, as far as the time allows."""
        if "line" not in self._task.notes:
            found = self._line(start, value)
            if len(found) < start.m - start.ply:
                return found
            self._task.note("line", found)
        return list(self._task.notes["line"])

    def _line(self, start: State, value: int) -> list[int]:
        s, line = copy(start), list[int]()
        while not rules.is_over(s):
            move = self._kept(s, value) if rest.needed(s) > self._task.memory else None
            if move is None:
                return line + self._end(s, value)
            line.append(move)
            rules.play(s, move)
        return line

    def _kept(self, s: State, value: int) -> int | None:
        """A move that keeps the value of s; None when the time is over."""
        is_first = rules.mover(s) == 1
        least = value if is_first else value + UNIT
        if self._is_small(s):
            reached = self._reached(s, least)
            return None if reached is None else next(move for move in sorted(reached) if reached[move] is is_first)
        for move, after in _each(s):
            found = self.is_reached(after, least)
            if found is None or found is is_first:
                return None if found is None else move
        raise AssertionError("no move keeps the value of its position")

    def _end(self, s: State, value: int) -> list[int]:
        """The same from a position whose table of values fits; none when the time is over."""
        table = rest.solve(s, self._task) if rest.needed(s) <= self._task.memory else None
        line: list[int] = []
        while table is not None and not rules.is_over(s):
            for move in legal_moves(rules, s):
                after = played(rules, s, move)
                if table.value(after) == value:
                    line.append(move)
                    s = after
                    break
            else:
                raise AssertionError("no move keeps the value of its position")
        return line


def _each(s: State) -> Iterator[tuple[int, State]]:
    """Moves and what comes after them, the most promising for the mover first."""
    moves = legal_moves(rules, s)
    exact.arrange(s, moves, len(moves))
    for move in moves:
        yield move, played(rules, s, move)
