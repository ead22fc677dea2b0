"""Exact values for two players: a table of every set of taken numbers and the one taken last.

Within a turn only the own cost is at stake, so that a turn is a number to stop on and the cheapest walk there. What is
still to be paid after it depends on the taken numbers and the last of them alone, whatever was paid before. A set has
more elements after a turn: the table is filled from the full set down. Functions are compiled by
`quet.engine.compiled`.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

import numpy as np

from quet.core.errors import TooLarge
from quet.engine.compiled import compiled
from quet.solve.answer import Task
from quet.solve.blocks import Blocks

from .rules import State

ALLOCATES = False

MOST_LEFT = 20  # numbers that are not taken: two thousand million steps to look at
FAR = 1 << 30  # the cost of a walk that isn't known
SPLIT = 6  # this many numbers part the sets among threads
PORTION = 10_000_000  # steps to look at between two looks at the clock, roughly


def fits(s: State) -> bool:
    """Whether a position of this size can be solved in seconds."""
    return s.players == 2 and s.r - s.num_taken <= MOST_LEFT


def walk(cost: Any, before: Any, is_taken: Any, r: int, x: int, most_steps: int) -> None:
    """Write to cost[y] what the cheapest walk of at most so many steps from x to y costs, FAR where there is none.

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


def fill(table: Any, numbers: Any, room: Any, r: int, first: int, last: int) -> None:
    """Write table[set, i] for the sets `first` to `last` - 1: what the mover has yet to pay, less what the other has.

    `numbers` are those that were not taken at first; bit i of a set stands for numbers[i] being taken now, and
    table[set, i] is for the position in which it was taken last. The sets that have more elements must be there
    already. `room` has rows of r + 1 numbers, the first with 1 for each number taken at first.
    """
    is_taken, cost = room[0], room[1]
    count = len(numbers)
    for taken in range(last - 1, first - 1, -1):
        for i in range(count):
            is_taken[numbers[i]] = taken >> i & 1
        for i in range(count):
            if taken >> i & 1:
                best = 0 if taken == (1 << count) - 1 else FAR
                walk(cost, cost, is_taken, r, numbers[i], r)
                for j in range(count):
                    if not taken >> j & 1:
                        best = min(best, cost[numbers[j]] - table[taken | 1 << j, j])
                table[taken, i] = best


@dataclass(frozen=True)
class Solution:
    """What `fill` found, for every position that can come after one."""

    r: int
    numbers: tuple[int, ...]
    table: Any

    def covers(self, s: State) -> bool:
        """Whether s can come after the position solved: all that was taken then is taken now."""
        left = sum(not s.is_taken[number] for number in self.numbers)
        return s.players == 2 and s.r == self.r and s.r - s.num_taken == left

    def value(self, s: State) -> int:
        """What player 2 pays in all, less what player 1 pays, under perfect play from s on, which isn't over."""
        cost, before = [0] * (s.r + 1), [0] * (s.r + 1)
        walk(cost, before, s.is_taken, s.r, s.current, 2 * s.r - s.num_steps)
        taken = sum(s.is_taken[number] << i for i, number in enumerate(self.numbers))
        to_pay = min(
            cost[number] - int(self.table[taken | 1 << i, i])
            for i, number in enumerate(self.numbers)
            if not s.is_taken[number]
        )
        return s.cost[2] - s.cost[1] + (-to_pay if s.mover == 1 else to_pay)


def numbers_left(s: State) -> tuple[int, ...]:
    """The numbers that aren't taken, ascending."""
    return tuple(number for number in range(1, s.r + 1) if not s.is_taken[number])


def needed(s: State) -> int:
    """Bytes of the table for what can come after s."""
    count = s.r - s.num_taken
    return 2 * count << count


def solve(
    s: State,
    *,
    until: float,
    memory: int,
    num_threads: int = 2,
    stop: threading.Event | None = None,
    report: Callable[[int, int, str], None] = lambda done, total, words: None,
    task: Task | None = None,
) -> Solution | None:
    """The table for what can come after s; None when `time.monotonic()` reaches `until` or `stop` is set before.

    `report` is told how many of its blocks are full, how many there are, and what they are. What ends the work, Ctrl-C
    too, ends it within hundredths of a second. Full blocks are kept where the task keeps tables. Raises TooLarge when
    the table doesn't fit into so many bytes, and UnwritableFile.
    """
    numbers = numbers_left(s)
    if needed(s) > memory:
        raise TooLarge(needed(s), memory)
    blocks = Blocks((1 << len(numbers), len(numbers)), num_blocks(s), __name__, task)
    module: Any = compiled(sys.modules[__name__])

    def fill_range(room: Any, first: int, last: int) -> None:
        module.fill(blocks.table, np.array(numbers), room, s.r, first, last)

    is_full = fill_all(s, blocks, fill_range, until=until, num_threads=num_threads, stop=stop, report=report)
    return Solution(s.r, numbers, blocks.table) if is_full else None


def num_blocks(s: State) -> int:
    """How many blocks the table for what can come after s is filled in: all sets with the same of the last numbers."""
    return 1 << min(SPLIT, s.r - s.num_taken)


def fill_all(
    s: State,
    blocks: Blocks,
    fill_range: Callable[[Any, int, int], None],
    *,
    until: float,
    num_threads: int = 2,
    stop: threading.Event | None = None,
    report: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> bool:
    """Have all blocks filled, larger sets first, in portions and on several threads; whether it came to the end.

    `fill_range` is given room, of which the first row says what is taken in s, and a range of sets.
    """
    count, total = s.r - s.num_taken, num_blocks(s)
    size = (1 << count) // total
    num_steps = sum(s.r // y - 1 for y in range(1, s.r + 1))
    portion = max(1, PORTION // (10 * count * num_steps))
    has_ended = threading.Event()

    def room() -> Any:
        made = np.zeros((4, max(s.r, s.players) + 1), np.int64)
        made[0, : s.r + 1] = s.is_taken[: s.r + 1]
        return made

    def fill_block(block: int) -> int | None:
        for last in range((block + 1) * size, block * size, -portion):
            if has_ended.is_set() or (stop is not None and stop.is_set()) or time.monotonic() >= until:
                return None
            fill_range(room(), max(block * size, last - portion), last)
        return block

    fill_range(room(), 0, 0)  # compiles, whatever the time

    with ThreadPoolExecutor(num_threads) as pool:
        try:
            for layer in layers(total):
                for filled in as_completed([pool.submit(fill_block, block) for block in blocks.left(layer)]):
                    block = filled.result()
                    if block is None:
                        has_ended.set()  # what is full by now is noted all the same
                    else:
                        blocks.note(block)
                        report(len(blocks.full), total, "blocks of the table full")
        finally:
            has_ended.set()  # Ctrl-C comes to this thread only
    return len(blocks.full) == total


def layers(total: int) -> Iterator[list[int]]:
    """The blocks by how many of the last numbers are taken, all of them first: each depends on earlier layers alone."""
    for num_taken in reversed(range(total.bit_length())):
        yield [block for block in range(total) if block.bit_count() == num_taken]
