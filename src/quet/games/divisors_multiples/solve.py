"""What each of three or more players pays in all, by max-n over every set of taken numbers and the one taken last.

With two players each wants the other's cost less their own to be large. With more, each wants the sum of these
differences to all others to be large: the sum of all costs, less their own cost times the number of players. Then what
was paid before doesn't matter, as with two. Among moves that are equally good for the mover, the mover takes the one
that is best for the next player, then for the one after, and so on. The result depends on this rule, and the rule makes
it certain. (Luckhardt and Irani, "An algorithmic solution of n-person games", 1986.)
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quet.core.errors import TooLarge
from quet.core.state import Row, copy
from quet.distribution.task import Answer, Task, legal_moves
from quet.engine.arrays import Ints
from quet.engine.compiled import compiled
from quet.tablebases.blocks import filled

from . import rules
from .exact import FAR, in_portions, layers, no_sets, numbers_left, walk
from .rules import State

ALLOCATES = False

METHOD = "all sets of taken numbers (max-n, of equal moves the best for the next player)"


def is_better(one: Row, other: Row, players: int, is_kind: bool) -> bool:
    """Whether the mover prefers the first costs, or is indifferent and the next player does, and so on.

    Costs are in the order of play, the mover's first. A mover who isn't kind takes what is worst for the next instead.
    """
    total = other_total = 0
    for i in range(players):
        total += one[i]
        other_total += other[i]
    for i in range(players):
        difference = (total - players * one[i]) - (other_total - players * other[i])
        if difference != 0:
            return bool(difference > 0 if i == 0 or is_kind else difference < 0)
    return bool(total < other_total)


def fill(
    table: Ints, numbers: Sequence[int], room: Ints, r: int, players: int, is_kind: bool, first: int, last: int
) -> None:
    """Write table[set, i] for the sets `first` to `last` - 1: what each has yet to pay, the mover first.

    Sets, numbers and room are the same as for `fill` in exact.py; room has four rows.
    """
    is_taken, cost, best, found = room[0], room[1], room[2], room[3]
    count = len(numbers)
    for taken in range(last - 1, first - 1, -1):
        for i in range(count):
            is_taken[numbers[i]] = taken >> i & 1
        for i in range(count):
            if not taken >> i & 1:
                continue
            walk(cost, cost, is_taken, r, numbers[i], r)
            choose(table, numbers, cost, taken, players, is_kind, best, found)
            for player in range(players):
                table[taken, i, player] = best[player]


def choose(
    table: Ints, numbers: Sequence[int], cost: Row, taken: int, players: int, is_kind: bool, best: Row, found: Row
) -> None:
    """Write to `best` what each has yet to pay, the mover first. To stop on a number costs the mover cost[number]."""
    has_best = False
    for player in range(players):
        best[player] = 0
    for j in range(len(numbers)):
        if taken >> j & 1 or cost[numbers[j]] >= FAR:
            continue
        after = table[taken | 1 << j, j]
        for player in range(1, players):
            found[player] = after[player - 1]
        found[0] = cost[numbers[j]] + after[players - 1]
        if not has_best or is_better(found, best, players, is_kind):
            has_best = True
            for player in range(players):
                best[player] = found[player]


@dataclass(frozen=True)
class Costs:
    """The table that `fill` made for a position: it has all positions that can come after."""

    numbers: tuple[int, ...]
    table: Ints
    is_kind: bool

    def of(self, s: State) -> list[int]:
        """What each player will have paid in the end, player 1 first."""
        costs: list[int] = s.cost[1 : s.players + 1]
        if rules.is_over(s):
            return costs
        cost, before = [0] * (s.r + 1), [0] * (s.r + 1)
        walk(cost, before, s.is_taken, s.r, s.current, 2 * s.r - s.num_steps)
        taken = sum(s.is_taken[number] << i for i, number in enumerate(self.numbers))
        best, room = [0] * s.players, [0] * s.players
        choose(self.table, self.numbers, cost, taken, s.players, self.is_kind, best, room)
        for i in range(s.players):
            costs[(s.mover - 1 + i) % s.players] += int(best[i])
        return costs


def needed(s: State) -> int:
    """Bytes of the table for what can come after s."""
    count = s.r - s.num_taken
    return 2 * s.players * count << count


def table(s: State, task: Task, *, is_kind: bool = True) -> Costs | None:
    """The table for what can come after s; None when the time is over before it is full. Raises as `filled` does."""
    numbers = numbers_left(s)
    shape = 1 << len(numbers), len(numbers), s.players
    if task.workers.seconds_here:
        module = compiled(sys.modules[__name__])
        module.fill(np.zeros((1, 1, 1), np.int16), *no_sets(s), s.players, is_kind, 0, 0)  # compiles, whatever the time
    costs = filled(task, shape, "int16", layers(len(numbers)), fill_block, (s, numbers, is_kind))
    return None if costs is None else Costs(numbers, costs, is_kind)


def fill_block(
    table: Ints, s: State, numbers: tuple[int, ...], is_kind: bool, first: int, last: int, seconds: float | None
) -> bool:
    """Fill the sets `first` to `last` - 1; return whether `seconds` sufficed."""
    module = compiled(sys.modules[__name__])

    def fill(room: Ints, first: int, last: int) -> None:
        module.fill(table, np.array(numbers), room, s.r, s.players, is_kind, first, last)

    return in_portions(fill, s, first, last, seconds)


def solve(state: State, task: Task) -> Answer | None:
    """The scores of three or more players; None for two, whose value is found as in other games. Raises TooLarge."""
    if state.players == 2:
        return None
    if needed(state) > task.memory:
        raise TooLarge(needed(state), task.memory)
    if "scores" not in task.notes:
        costs = table(state, task)
        if costs is None:
            return Answer(None, None, [], [], 0, METHOD)
        positions = int(costs.table.size) // state.players
        task.notes |= {"line": _line(costs, state), "best": _keeping(costs, state), "positions": positions}
        task.note("scores", costs.of(state))
    line, best, nodes, scores = (task.notes[name] for name in ("line", "best", "positions", "scores"))
    return Answer(None, None, line, best, nodes, METHOD, has_all_best=True, scores=scores)


def _line(costs: Costs, state: State) -> list[int]:
    """A game in which every move keeps the scores."""
    s = copy(state)
    line: list[int] = []
    while not rules.is_over(s):
        line.append(_keeping(costs, s)[0])
        rules.play(s, line[-1])
    return line


def _keeping(costs: Costs, s: State) -> list[int]:
    """The moves that keep the scores of the end."""
    scores = costs.of(s)
    found = []
    for move in legal_moves(rules, s):
        after = copy(s)
        rules.play(after, move)
        if costs.of(after) == scores:
            found.append(move)
    return found
