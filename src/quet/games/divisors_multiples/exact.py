"""Exact values for two players: a table of every set of taken numbers and the one taken last.

Within a turn only the mover pays, so a turn is a number to stop on and the cheapest walk there. What is still to be
paid after it depends only on the taken numbers and the last of them, whatever was paid before. The set grows with each
turn, so the table is filled from the full set down. Functions are compiled by `quet.engine.compiled`.
"""

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from quet.core.clock import clock
from quet.core.errors import TooLarge
from quet.core.state import Row
from quet.distribution.task import Task
from quet.engine.arrays import Ints, Words
from quet.engine.compiled import compiled
from quet.tablebases.blocks import Block, filled

from .rules import State

ALLOCATES = False
METHOD = "the game's own solver over all sets"

MOST_LEFT = 20  # numbers that are not taken: two thousand million steps to look at
FAR = 1 << 30  # the cost of a walk that isn't known
SPLIT = 8  # a block has all sets that agree in the last few numbers: in so many at most,
LEAST = 8  # and so many others at least are left, taken or not
PORTION = 10_000_000  # steps to look at between two looks at the clock, roughly


def is_quick(s: State) -> bool:
    """Whether the table for what can come after s is made in seconds."""
    return s.players == 2 and s.r - s.num_taken <= MOST_LEFT


def walk(cost: Row, before: Row, is_taken: Row, r: int, x: int, most_steps: int) -> None:
    """Write to cost[y] the cost of the cheapest walk of at most `most_steps` steps from x to y; FAR if there is none.

    To stop on x itself, where it isn't taken, takes a step to x. `before` is room; all three are r + 1 long. Where
    `before` is `cost` itself, walks may be longer, and the cheapest of any length are found sooner.
    """
    for y in range(1, r + 1):
        cost[y] = FAR
    cost[x] = 0
    is_changed = True
    while is_changed and most_steps > 0:
        is_changed = False
        most_steps -= 1
        for y in range(1, r + 1):
            before[y] = cost[y]
        for y in range(1, r // 2 + 1):
            ratio, z = 2, 2 * y
            while z <= r:
                up = before[y] + ratio * (1 + is_taken[z])
                down = before[z] + ratio * (1 + is_taken[y])
                if up < cost[z]:
                    cost[z] = up
                    is_changed = True
                if down < cost[y]:
                    cost[y] = down
                    is_changed = True
                ratio, z = ratio + 1, z + y
    cost[x] = 1


def fill(table: Ints, numbers: Ints, room: Ints, r: int, first: int, last: int) -> None:
    """Write table[set, i] for the sets `first` to `last` - 1: what the mover has yet to pay, less what the other has.

    `numbers` are those that were not taken at first; bit i of a set stands for numbers[i] being taken now, and
    table[set, i] is for the position in which it was taken last. The sets that have more elements must be there
    already. `room` has rows of r + 1 numbers, the first with 1 for each number taken at first.
    """
    is_taken, to_pay = room[0], room[1]
    count = len(numbers)
    full = (1 << count) - 1
    for taken in range(last - 1, first - 1, -1):
        to_pay[:] = FAR
        for i in range(count):
            is_taken[numbers[i]] = taken >> i & 1
            if not taken >> i & 1:
                to_pay[numbers[i]] = -table[taken | 1 << i, i]
        go_on(to_pay, is_taken, r)
        for i in range(count):
            if taken >> i & 1:
                table[taken, i] = 0 if taken == full else to_pay[numbers[i]]


def go_on(to_pay: Row, is_taken: Row, r: int) -> None:
    """Lower to_pay[x], which is for stopping on x, to the least for walking from x to some y and stopping there."""
    is_changed = True
    while is_changed:
        is_changed = False
        for y in range(r // 2, 0, -1):
            to_y = 1 + is_taken[y]
            ratio, z = 2, 2 * y
            while z <= r:
                up = to_pay[z] + ratio * (1 + is_taken[z])
                down = to_pay[y] + ratio * to_y
                if up < to_pay[y]:
                    to_pay[y] = up
                    is_changed = True
                elif down < to_pay[z]:
                    to_pay[z] = down
                    is_changed = True
                ratio, z = ratio + 1, z + y


@dataclass(frozen=True)
class Solution:
    """The table that `fill` made for a position: it has all positions that can come after."""

    r: int
    numbers: tuple[int, ...]
    table: Ints

    @property
    def num_positions(self) -> int:
        """How many positions the table has: sets with the number taken last."""
        return int(self.table.size)

    def covers(self, s: State) -> bool:
        """Whether s can come after the position solved: every number taken then is taken now."""
        left = sum(not s.is_taken[number] for number in self.numbers)
        return s.players == 2 and s.r == self.r and s.r - s.num_taken == left

    def value(self, s: State) -> int:
        """What player 2 pays in all, less what player 1 pays, under perfect play from s on, which isn't over."""
        taken = sum(s.is_taken[number] << i for i, number in enumerate(self.numbers))
        return final_difference(s, self.numbers, lambda i: int(self.table[taken | 1 << i, i]))

    def replies(self, s: State, value: int, player: int, hashed: Callable[[Ints], Words], task: Task) -> Ints:
        """A strategy of a player that holds the value from s on, where a turn begins; as `SolvedWithReplies` says."""
        from .replies import Strategy

        return Strategy(self, s, -value if player == 1 else value, player, hashed, task).replies()


def final_difference(s: State, numbers: Sequence[int], rest: Callable[[int], int]) -> int:
    """What player 2 pays in all, less what player 1 pays, from s on, which isn't over.

    `rest(i)` is what the next player has yet to pay after a stop on numbers[i], less what the other has.
    """
    cost, before = [0] * (s.r + 1), [0] * (s.r + 1)
    walk(cost, before, s.is_taken, s.r, s.current, 2 * s.r - s.num_steps)
    to_pay = min(cost[number] - rest(i) for i, number in enumerate(numbers) if not s.is_taken[number])
    return s.cost[2] - s.cost[1] + (-to_pay if s.mover == 1 else to_pay)


def numbers_left(s: State) -> tuple[int, ...]:
    """The numbers that aren't taken, ascending."""
    return tuple(number for number in range(1, s.r + 1) if not s.is_taken[number])


def needed(s: State) -> int:
    """Bytes of the table for what can come after s."""
    count = s.r - s.num_taken
    return 2 * count << count


def solve(s: State, task: Task) -> Solution | None:
    """The table for what can come after s; None when the time is over before it is full.

    Raises TooLarge when it doesn't fit into the task's memory, and as `filled` does.
    """
    if needed(s) > task.memory:
        raise TooLarge(needed(s), task.memory)
    numbers = numbers_left(s)
    shape = 1 << len(numbers), len(numbers)
    if task.workers.seconds_here:
        module = compiled(sys.modules[__name__])
        module.fill(np.zeros((1, 1), np.int16), *no_sets(s), 0, 0)  # compiles, whatever the time
    table = filled(task, shape, "int16", layers(len(numbers)), fill_block, (s, numbers))
    return None if table is None else Solution(s.r, numbers, table)


def fill_block(table: Ints, s: State, numbers: tuple[int, ...], first: int, last: int, seconds: float | None) -> bool:
    """Fill the sets `first` to `last` - 1; return whether `seconds` sufficed."""
    module = compiled(sys.modules[__name__])

    def fill(room: Ints, first: int, last: int) -> None:
        module.fill(table, np.array(numbers, np.int64), room, s.r, first, last)

    return in_portions(fill, s, first, last, seconds)


def in_portions(fill: Callable[[Ints, int, int], None], s: State, first: int, last: int, seconds: float | None) -> bool:
    """Have sets filled, the last ones first, with looks at the clock; return whether `seconds` sufficed.

    `fill` is given room, whose first row says what is taken in s, and a range of sets.
    """
    until = math.inf if seconds is None else clock() + seconds
    room = np.zeros((2 + s.players, s.r + 1), np.int64)
    num_steps = sum(s.r // y - 1 for y in range(1, s.r + 1))
    portion = max(1, PORTION // (10 * num_steps))
    for end in range(last, first, -portion):
        if clock() >= until:
            return False
        room[:] = 0
        room[0, : s.r + 1] = s.is_taken[: s.r + 1]
        fill(room, max(first, end - portion), end)
    return True


def no_sets(s: State) -> tuple[Ints, Ints, int]:
    """Numbers, room and r for a call of `fill` without any sets, which compiles it."""
    return np.zeros(0, np.int64), np.zeros((4, 1), np.int64), s.r


def layers(count: int) -> list[dict[str, Block]]:
    """The sets of `count` numbers in layers of blocks.

    The sets of a block agree in the last few numbers. Blocks with more of these taken are in earlier layers.
    """
    split = max(0, min(SPLIT, count - LEAST))
    size = 1 << count - split
    found: list[dict[str, Block]] = [{} for _ in range(split + 1)]
    for block in range(1 << split):
        sets = block * size, (block + 1) * size
        found[split - block.bit_count()][f"{block + 1} of {1 << split}"] = Block(*sets, sets)
    return found
