"""Who is left in the end when all play their best, for any number of players and a grid of any size.

A player wants the largest share of the win: all of it alone, a part of it with others, or none. Among moves that are
equally good for the mover, the mover takes the one that is best for the next player, then for the one after, and so on.
With three or more players the result depends on this rule, and the rule makes it certain. (Max-n: Luckhardt and Irani,
"An algorithmic solution of n-person games", 1986.) The rules leave so few choices that all games are tried, except
those that can't be better for the mover. Those left in the end are a set: bit i stands for player i + 1.
"""

import functools
import sys

import numpy as np

from quet.core.numbers import gcd, is_prime
from quet.core.rules import legal_moves
from quet.core.state import copy
from quet.distribution.task import Answer, Task
from quet.engine.arrays import Ints
from quet.engine.compiled import compiled

from . import rules
from .rules import EMPTY, State

ALLOCATES = False

METHOD = "all games but those that can't be better for the mover"
BEGUN = " grids begun by "  # in the name of a note, between their number and who was left
TIES = "max-n, of equal moves the best for the next player"
STOPPED = 0  # instead of an outcome; -left instead means that a grid begun by those left has to be solved first
SQUARE, MOVER, LEFT, BEST, SIDE = range(5)  # columns of `room`, for each number: its square; then, for the position
#                                             after it: who moves, who is left, the best outcome so far, the next side
LOOK = 1 << 16  # positions between two looks at whether to stop


def beside(n: int, square: int, side: int) -> int:
    """The square below, left, right or above for side 0 to 3; -1 where there is none."""
    row = square // n
    column = square - row * n
    if side == 0:
        return square - n if row > 0 else -1
    if side == 1:
        return square - 1 if column > 0 else -1
    if side == 2:
        return square + 1 if column < n - 1 else -1
    return square + n if row < n - 1 else -1


def can_take(n: int, numbers: Ints, square: int) -> bool:
    """Whether a square beside the last number can take the next."""
    if square < 0 or numbers[square] != EMPTY:
        return False
    num_filled = 0
    for side in range(4):
        other = beside(n, square, side)
        if other < 0:
            return True
        if numbers[other] != EMPTY:
            num_filled += 1
    return num_filled >= 2


def eliminates(n: int, numbers: Ints, square: int, number: int) -> bool:
    """Whether the number would stand there beside one that it shares a factor with."""
    for side in range(4):
        other = beside(n, square, side)
        if other >= 0 and numbers[other] != EMPTY and gcd(numbers[other], number) > 1:
            return True
    return False


def is_blocked(n: int, numbers: Ints, square: int) -> bool:
    """Whether no square beside this one can take the next number."""
    for side in range(4):
        if can_take(n, numbers, beside(n, square, side)):
            return False
    return True


def after(players: int, mover: int, left: int) -> int:
    """Who of those left comes after the mover."""
    mover = (mover + 1) % players
    while not left >> mover & 1:
        mover = (mover + 1) % players
    return mover


def count(left: int) -> int:
    """How many are left."""
    total = 0
    while left:
        left &= left - 1
        total += 1
    return total


def is_better(players: int, mover: int, one: int, other: int, is_kind: bool) -> bool:
    """Whether the mover prefers the first outcome, or is indifferent and the next player does, and so on.

    A mover who isn't kind takes what is worst for the next player instead.
    """
    for i in range(players):
        player = (mover + i) % players
        difference = (one >> player & 1) * count(other) - (other >> player & 1) * count(one)
        if difference != 0:
            return difference > 0 if i == 0 or is_kind else difference < 0
    return False


def outcome(
    n: int, players: int, numbers: Ints, number: int, room: Ints, blocked: Ints, is_kind: bool, nodes: Ints, stop: Ints
) -> int:
    """Those left in the end of a game that isn't over, whose last number is `number`.

    room[number] says where it stands, who moves and who is left; the rest of `room` is free. blocked[left] is the
    outcome when the grid is blocked with those left, 0 where it isn't known. Adds the positions looked at to nodes[0].
    """
    begun = number
    room[number, BEST] = room[number, SIDE] = 0
    while True:
        square, mover, left = room[number, SQUARE], room[number, MOVER], room[number, LEFT]
        found: int = 0
        while room[number, SIDE] < 4 and found == 0:
            target = beside(n, square, room[number, SIDE])
            room[number, SIDE] += 1
            if not can_take(n, numbers, target):
                continue
            nodes[0] += 1
            if nodes[0] % LOOK == 0 and stop[0] == 1:
                return STOPPED
            is_out = eliminates(n, numbers, target, number + 1)
            left_then = left & ~(1 << mover) if is_out else left
            if count(left_then) == 1:
                found = left_then
                continue
            numbers[target] = number + 1
            if is_blocked(n, numbers, target):
                numbers[target] = EMPTY
                found = blocked[left_then]
                if found == 0:
                    return -int(left_then)
                continue
            number += 1
            room[number, SQUARE] = square = target
            room[number, LEFT] = left = left_then
            room[number, MOVER] = after(players, mover, left) if is_out or is_prime(number) else mover
            mover = room[number, MOVER]
            room[number, BEST] = room[number, SIDE] = 0
        while found == 0:  # everything has been tried from here
            found = room[number, BEST]
            if number == begun:
                return found
            numbers[room[number, SQUARE]] = EMPTY
            number -= 1
        mover = room[number, MOVER]
        if room[number, BEST] == 0 or is_better(players, mover, found, room[number, BEST], is_kind):
            room[number, BEST] = found
            if found == 1 << mover:
                room[number, SIDE] = 4  # nothing is better


class Outcomes:
    """Finds outcomes of one game of any size, and notes those of whole grids, which depend only on who begins them."""

    def __init__(self, n: int, players: int, grids: int, task: Task, *, is_kind: bool = True) -> None:
        self._n, self._players, self._grids, self._task, self._is_kind = n, players, grids, task, is_kind
        self._module = compiled(sys.modules[__name__])
        self._room = np.zeros((n * n + 1, 5), np.int64)
        self._nodes, self._stop = np.zeros((2, 1), np.int64)
        self._blocked = np.zeros((grids + 1, 1 << players), np.int64)  # [how many grids are still to be begun, left]
        self._blocked[0] = range(1 << players)

    def of_grids(self, grids: int, left: int) -> int | None:
        """Those left in the end when these begin so many grids; None when the time is over."""
        waiting = [(grids, left)]
        while waiting:
            grids, left = waiting[-1]
            name = f"{grids}{BEGUN}{left}"
            if name not in self._task.notes:
                if self._task.is_over:
                    return None
                corner = (self._n - 1) * self._n
                numbers = np.zeros(self._n * self._n, np.int64)
                numbers[corner] = 1
                self._nodes[0] = 0
                first = (left & -left).bit_length() - 1
                found = self._run(numbers, 1, (corner, first, left), self._blocked[grids - 1])
                if found == STOPPED:
                    return None
                if found < 0:
                    waiting.append((grids - 1, -found))
                    continue
                self._task.note(name, [found, int(self._nodes[0])])
                self._task.report(grids, self._grids, "grids solved")
            self._blocked[grids, left] = self._task.notes[name][0]
            waiting.pop()
        return int(self._blocked[grids, left])

    def of(self, s: State) -> int | None:
        """Those left in the end from this position; None when the time is over."""
        left = sum(s.is_left[player] << player - 1 for player in range(1, s.players + 1))
        to_come = s.grids - s.grid
        if s.is_over:
            return left
        if s.number == 1:
            return self.of_grids(to_come + 1, left)
        while True:
            numbers = np.array(s.numbers[: s.n * s.n])
            found = self._run(numbers, s.number, (s.last, s.mover - 1, left), self._blocked[to_come])
            if found >= 0:
                return None if found == STOPPED else found
            if self.of_grids(to_come, -found) is None:
                return None

    def _run(self, numbers: Ints, number: int, position: tuple[int, int, int], blocked: Ints) -> int:
        self._room[number, : LEFT + 1] = position
        game = self._n, self._players, numbers, number, self._room, blocked, self._is_kind, self._nodes, self._stop
        return int(self._task.run(self._stop, functools.partial(self._module.outcome, *game)))


def winners(n: int, players: int, grids: int = 10, *, is_kind: bool = True) -> list[int]:
    """The players who win, or share the win, of a game of any size; see `is_better`."""
    found = Outcomes(n, players, grids, Task(), is_kind=is_kind).of_grids(grids, (1 << players) - 1)
    assert found is not None  # there is no limit of time
    return [player for player in range(1, players + 1) if found >> player - 1 & 1]


def solve(state: State, task: Task) -> Answer:
    """The value for player 1 where two play; where more play, the scores."""
    outcomes = Outcomes(state.n, state.players, state.grids, task)
    left = outcomes.of(state)
    best = None if left is None else _keeping(outcomes, state, left)
    witness = None if left is None or not best else _line(outcomes, state, left)
    nodes = sum(note[1] for name, note in task.notes.items() if BEGUN in name)
    if left is None or best is None or witness is None:
        low, high = (-1, 1) if state.players == 2 else (None, None)
        return Answer(low, high, [], [], nodes, METHOD)
    scores = [left >> player & 1 for player in range(state.players)]
    if state.players > 2:
        return Answer(None, None, witness, best, nodes, f"{METHOD} ({TIES})", has_all_best=True, scores=scores)
    value = scores[0] - scores[1]
    return Answer(value, value, witness, best, nodes, METHOD, value=value, has_all_best=True)


def _keeping(outcomes: Outcomes, s: State, left: int) -> list[int] | None:
    """The moves after which those are left in the end; None when the time is over."""
    found = []
    for move in legal_moves(rules, s):
        then = copy(s)
        rules.play(then, move)
        left_then = outcomes.of(then)
        if left_then is None:
            return None
        if left_then == left:
            found.append(move)
    return found


def _line(outcomes: Outcomes, state: State, left: int) -> list[int] | None:
    """A game in which every move keeps the outcome; None when the time is over."""
    s = copy(state)
    line: list[int] = []
    while not s.is_over:
        moves = _keeping(outcomes, s, left)
        if moves is None:
            return None
        line.append(moves[0])
        rules.play(s, moves[0])
    return line
