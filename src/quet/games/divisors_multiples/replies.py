"""Strategies made from the table of all sets: layer by layer, many positions at once.

A strategy holds what the player pays in all, less what the other pays, at a number or below. A position at the
beginning of a turn is its place in the table, and the largest such difference so far: what is still to be paid doesn't
depend on it. The positions with so many numbers taken are a layer. In a layer of the player, each position needs one
turn that keeps the difference low enough, and `engine/cover.py` chooses these. In a layer of the other player all turns
are followed.
"""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from quet.distribution.task import Task, no_strategy
from quet.engine import covering
from quet.engine.arrays import Ints, Words
from quet.engine.compiled import compiled

from .exact import walk
from .rules import State

if TYPE_CHECKING:
    from .exact import Solution

ALLOCATES = False

BLOCK = 1 << 18  # positions whose replies are chosen together
TOUCH = 0.01  # as `cover` has it


def own_turns(
    table: Ints, numbers: Ints, room: Ints, r: int, places: Ints, first: int, leads: Ints, most: int, found: Ints
) -> int:
    """Write the turns of the player that keep the difference at `most` or below, and return how many they are.

    A row of `found` is the place after the turn, the number of the position, the number of the turn among the legal
    ones, and the difference then. A place is that of `table` in one row; in the place -1 no number is taken and
    `first` is the current one. `room` is as for `fill` in exact.py.
    """
    count, total = len(numbers), 0
    for position in range(len(places)):
        taken = stand(numbers, room, r, places[position], first)
        way = 0
        for j in range(count):
            if not taken >> j & 1:
                after, lead = taken | 1 << j, leads[position] + room[1, numbers[j]]
                if lead - table[after, j] <= most:
                    row = found[total]
                    row[0], row[1], row[2], row[3] = after * count + j, position, way, lead
                    total += 1
                way += 1
    return total


def other_turns(numbers: Ints, room: Ints, r: int, places: Ints, first: int, leads: Ints, found: Ints) -> int:
    """Write all turns of the other player, each as the place after it and the difference then; return how many."""
    count, total = len(numbers), 0
    for position in range(len(places)):
        taken = stand(numbers, room, r, places[position], first)
        for j in range(count):
            if not taken >> j & 1:
                found[total, 0] = (taken | 1 << j) * count + j
                found[total, 1] = leads[position] - room[1, numbers[j]]
                total += 1
    return total


def stand(numbers: Ints, room: Ints, r: int, place: int, first: int) -> int:
    """Write to room[1] what the cheapest walk to each number costs in this place; return the set of numbers taken."""
    count = len(numbers)
    taken, x = 0, first
    if place >= 0:
        taken, x = place // count, numbers[place % count]
    for i in range(count):
        room[0, numbers[i]] = taken >> i & 1
    walk(room[1], room[1], room[0], r, x, r)
    return taken


def nexts(places: Ints, count: int, found: Ints) -> None:
    """Write for each place the places after all turns from there, one row each."""
    for i in range(len(places)):
        taken, column = places[i] // count, 0
        for j in range(count):
            if not taken >> j & 1:
                found[i, column] = (taken | 1 << j) * count + j
                column += 1


def keys(numbers: Ints, room: Ints, places: Ints, mover: int, first: int, found: Ints) -> None:
    """Write for each place what the checker tells positions apart by: numbers taken, the current one, mover, steps."""
    count, r = len(numbers), found.shape[1] - 4
    for i in range(len(places)):
        taken, x = 0, first
        if places[i] >= 0:
            taken, x = places[i] // count, numbers[places[i] % count]
        for number in range(r + 1):
            found[i, number] = room[0, number]
        for j in range(count):
            found[i, numbers[j]] = taken >> j & 1
        found[i, r + 1], found[i, r + 2], found[i, r + 3] = x, mover, 0


class Strategy:
    """A strategy in the making."""

    def __init__(
        self, solution: "Solution", s: State, most: int, player: int, hashed: Callable[[Ints], Words], task: Task
    ) -> None:
        self._module = compiled(sys.modules[__name__])
        self._start, self._most, self._player, self._task = s, most, player, task
        self._table, self._numbers = solution.table, np.array(solution.numbers, np.int64)
        self._room = np.zeros((4, s.r + 1), np.int64)
        self._room[0] = s.is_taken[: s.r + 1]
        self._hashed = hashed
        self._is_needed = np.zeros(solution.table.size // 8 + 1, np.uint8)

    def replies(self) -> Ints:
        """The replies in the order in which the checker asks for them. Raises NotSolved where there is no time."""
        s = self._start
        places, leads = np.array([-1]), np.array([s.cost[self._player] - s.cost[3 - self._player]])
        found = [np.zeros(0, np.int64)]
        for layer in range(len(self._numbers)):
            if self._task.is_over:
                raise no_strategy()
            if (s.mover - 1 + layer) % 2 + 1 == self._player:
                self._task.report(0, 0, f"layer {layer} of a strategy, {sum(map(len, found))} replies")
                places, leads, ways = self._answered(places, leads)
                found.append(ways)
            else:
                places, leads = self._followed(places, leads)
        return np.concatenate(found)

    def _answered(self, places: Ints, leads: Ints) -> tuple[Ints, Ints, Ints]:
        """What comes after the replies to these positions of the player, and the replies as the checker asks."""
        after, then, ways = [], [], np.zeros(len(places), np.int64)
        for begin in range(0, len(places), BLOCK):
            block = slice(begin, begin + BLOCK)
            turns = np.zeros((len(places[block]) * len(self._numbers), 4), np.int64)
            count = self._module.own_turns(
                self._table, self._numbers, self._room, self._start.r, places[block], self._start.current,
                leads[block], self._most, turns,
            )  # fmt: skip
            turns = turns[np.argsort(turns[:count, 0], kind="stable")]
            chosen = self._chosen(turns, len(places[block]))
            ways[block] = turns[chosen, 2]
            after.append(turns[chosen, 0])
            then.append(turns[chosen, 3])
        order = self._order(places)
        return *_worst(np.concatenate(after), np.concatenate(then)), ways[order]

    def _chosen(self, turns: Ints, num_positions: int) -> Ints:
        """For each position the number of one of its turns, which are in the order of the places that they lead to."""
        answers, first = np.unique(turns[:, 0], return_index=True)
        left = len(self._numbers) - int(answers[0] // len(self._numbers)).bit_count()
        needs = np.zeros((len(answers), left), np.int64)
        self._module.nexts(answers, len(self._numbers), needs)
        return covering.chosen(first, turns[:, 1].copy(), needs, self._is_needed, num_positions, TOUCH)

    def _followed(self, places: Ints, leads: Ints) -> tuple[Ints, Ints]:
        """What comes after all turns from these positions of the other player."""
        turns = np.zeros((len(places) * len(self._numbers), 2), np.int64)
        count = self._module.other_turns(
            self._numbers, self._room, self._start.r, places, self._start.current, leads, turns
        )
        return _worst(turns[:count, 0], turns[:count, 1])

    def _order(self, places: Ints) -> Ints:
        """The order in which the checker meets these positions of the player."""
        found = []
        for begin in range(0, len(places), BLOCK):
            numbers = np.zeros((len(places[begin : begin + BLOCK]), self._start.r + 4), np.int64)
            self._module.keys(
                self._numbers, self._room, places[begin : begin + BLOCK], self._player, self._start.current, numbers
            )  # fmt: skip
            found.append(self._hashed(numbers))
        words = np.concatenate(found)
        return np.lexsort((words[:, 1], words[:, 0]))


def _worst(places: Ints, leads: Ints) -> tuple[Ints, Ints]:
    """Each place once, with the largest of its differences."""
    order = np.argsort(places, kind="stable")
    found, first = np.unique(places[order], return_index=True)
    return found, np.maximum.reduceat(leads[order], first)
