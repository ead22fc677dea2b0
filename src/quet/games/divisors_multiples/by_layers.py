"""What a turn is worth for two players where the table of all sets is too large: layer by layer, two in memory.

A layer has the sets with so many further numbers taken. Once the layer before it is there, it is of no more use. Its
sets are in ascending order as bits, so the place of a set is its number in the combinatorial number system (Knuth, "The
Art of Computer Programming", 7.2.1.3): the sum of binomials[b, j] for each bit b of the set, the j-th of them from 1.
"""

import itertools
import math
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from quet.core.errors import TooLarge
from quet.core.rules import legal_moves
from quet.core.state import copy
from quet.distribution.task import Answer, Task
from quet.distribution.workers import here
from quet.engine.arrays import Ints
from quet.engine.compiled import compiled

from . import exact, rules
from .exact import FAR, final_difference, go_on, numbers_left
from .rules import State

ALLOCATES = False
METHOD = "all sets of taken numbers, layer by layer"

LARGEST = 40  # numbers left; far more than memory and time allow
PORTION = 1 << 14  # sets of a thread between two looks at the clock, roughly: some hundredths of a second


def fill(
    now: Ints, after: Ints, numbers: Ints, room: Ints, binomials: Ints, r: int, size: int, first: int, last: int
) -> None:
    """Write now[place, t] for the sets of this size in the places `first` to `last` - 1.

    It is what the mover has yet to pay, less what the other has, where the t-th number of the set was taken last, from
    0 up. `after` is the same for sets with one number more. `room` has two rows of r + 1 numbers, the first with 1 for
    each number taken before.
    """
    is_taken, to_pay = room[0], room[1]
    count = len(numbers)
    taken = set_at(first, size, count, binomials)
    for place in range(first, last):
        above = below = j = 0  # of the bits above and below a new one, when those above have one more below them
        for b in range(count):
            if taken >> b & 1:
                j += 1
                above += binomials[b, j + 1]
        to_pay[:] = FAR
        j = 0
        for b in range(count):
            is_taken[numbers[b]] = taken >> b & 1
            if taken >> b & 1:
                j += 1
                above -= binomials[b, j + 1]
                below += binomials[b, j]
            else:
                to_pay[numbers[b]] = -after[below + binomials[b, j + 1] + above, j]
        go_on(to_pay, is_taken, r)
        j = 0
        for b in range(count):
            if taken >> b & 1:
                now[place, j] = to_pay[numbers[b]]
                j += 1
        low = taken & -taken
        up = taken + low
        taken = up | ((taken ^ up) // low >> 2)  # the next larger one with as many bits


def set_at(place: int, size: int, count: int, binomials: Ints) -> int:
    """The set of this size, out of `count` numbers, that is in this place of its layer."""
    taken, b = 0, count
    for j in range(size, 0, -1):
        b -= 1
        while binomials[b, j] > place:
            b -= 1
        place -= binomials[b, j]
        taken |= 1 << b
    return taken


@dataclass(frozen=True)
class Turn:
    """The rest of a turn: what each end of it is worth."""

    numbers: tuple[int, ...]  # that can be taken
    rests: tuple[int, ...]  # for each of them what the next player has then yet to pay, less what the other has

    def covers(self, s: State) -> bool:
        """Whether the turn goes on in s, of this game."""
        return numbers_left(s) == self.numbers

    def value(self, s: State) -> int:
        """What player 2 pays in all, less what player 1 pays, from a position of this turn or right after it."""
        if self.covers(s):
            return final_difference(s, self.numbers, self.rests.__getitem__)
        to_pay = self.rests[self.numbers.index(s.current)]
        return s.cost[2] - s.cost[1] + (-to_pay if s.mover == 1 else to_pay)


def answer(state: State, task: Task) -> Answer | None:
    """The value; None where a table of all sets fits into the task's memory, or where not even two layers do."""
    if exact.needed(state) <= task.memory or state.r - state.num_taken > LARGEST or not task.has_room(needed(state)):
        return None
    turn = solve(state, task)
    if turn is None:
        return Answer(None, None, [], [], 0, METHOD)
    value, count = turn.value(state), len(turn.numbers)
    best, positions = _keeping(turn, state, value), count << count - 1
    line = _line(state, value, task)
    return Answer(-value, -value, line, best, positions, METHOD, value=-value, has_all_best=True)  # costs are scores


def _line(state: State, value: int, task: Task) -> list[int]:
    """A game in which every move keeps what player 2 pays in all less what player 1 pays; none where time is over."""
    s, small = copy(state), replace(task, table=None, notes={}, workers=here())  # no table of these is kept
    line: list[int] = []
    while not rules.is_over(s):
        rest = exact.solve(s, small) if exact.needed(s) <= task.memory else solve(s, task)
        if rest is None:
            return []
        while not rules.is_over(s) and rest.covers(s):
            line.append(_keeping(rest, s, value)[0])
            rules.play(s, line[-1])
    return line


def _keeping(rest: Turn | exact.Solution, s: State, value: int) -> list[int]:
    """The moves that keep this difference, which is what s is worth, ascending."""
    found = []
    for move in legal_moves(rules, s):
        after = copy(s)
        rules.play(after, move)
        if (after.cost[2] - after.cost[1] if rules.is_over(after) else rest.value(after)) == value:
            found.append(move)
    return found


def needed(s: State) -> int:
    """Bytes of two layers for what can come after s."""
    count = s.r - s.num_taken
    sizes = [2 * size * math.comb(count, size) for size in range(count + 1)]
    return max(map(sum, itertools.pairwise(sizes)), default=0)


def solve(s: State, task: Task) -> Turn | None:
    """What the ends of the turn are worth; None when the time is over before. Raises TooLarge as `exact.solve` does."""
    numbers = numbers_left(s)
    if needed(s) > task.memory or len(numbers) > LARGEST:
        raise TooLarge(needed(s), task.memory)
    name = f"after {' '.join(str(number) for number in range(1, s.r + 1) if s.is_taken[number])}"
    if name not in task.notes:
        rests = _rests(s, numbers, task)
        if rests is None:
            return None
        task.note(name, rests)
    return Turn(numbers, tuple(task.notes[name]))


def _rests(s: State, numbers: tuple[int, ...], task: Task) -> list[int] | None:
    """What each end of the turn leaves to pay, as `Turn.rests` has it; None when the time is over before."""
    module, count = compiled(sys.modules[__name__]), len(numbers)
    binomials = np.array([[math.comb(b, j) for j in range(count + 2)] for b in range(count + 1)], np.int64)
    after, done, is_left = np.zeros((1, count), np.int16), 1, False
    what = np.array(numbers, np.int64)

    def write(now: Ints, first: int) -> bool:
        if is_left or task.is_over:
            return False
        room = np.zeros((2, s.r + 1), np.int64)
        room[0] = s.is_taken[: s.r + 1]
        module.fill(now, after, what, room, binomials, s.r, now.shape[1], first, min(first + PORTION, len(now)))
        return True

    with ThreadPoolExecutor(task.workers.count) as pool:
        try:
            for size in range(count - 1, 0, -1):
                task.report(done, 1 << count, "sets of taken numbers")
                now = np.empty((math.comb(count, size), size), np.int16)
                write(now[:0], 0)  # compiles, so that no time is lost to it
                if not all(pool.map(write, itertools.repeat(now), range(0, len(now), PORTION))):
                    return None
                after, done = now, done + len(now)
        finally:
            is_left = True  # at Ctrl-C nothing that waits is begun
    return [int(rest) for rest in after[:, 0]] if count > 1 else [0]
