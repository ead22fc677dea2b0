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
from quet.core.rules import legal_moves
from quet.core.state import Row, copy
from quet.distribution.task import Answer, Task
from quet.engine.arrays import Ints
from quet.engine.compiled import compiled
from quet.tablebases.blocks import filled

from . import by_layers, rules
from .exact import FAR, in_portions, layers, no_sets, numbers_left, walk
from .rules import State

ALLOCATES = False

NEVER = -FAR  # how much a stop is liked that is not possible

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

    Sets and numbers are the same as for `fill` in exact.py; room has two more rows than players.
    """
    is_taken, likes, costs = room[0], room[1], room[2:]
    count = len(numbers)
    full = (1 << count) - 1
    for taken in range(last - 1, first - 1, -1):
        likes[:] = NEVER
        for i in range(count):
            number = numbers[i]
            is_taken[number] = taken >> i & 1
            if not taken >> i & 1:
                after = table[taken | 1 << i, i]
                total = 0
                for player in range(players):
                    costs[player, number] = after[player - 1]
                    total += costs[player, number]
                likes[number] = total - players * costs[0, number]
        go_on(costs, likes, is_taken, r, players, is_kind)
        for i in range(count):
            if taken >> i & 1:
                for player in range(players):
                    table[taken, i, player] = 0 if taken == full else costs[player, numbers[i]]


def go_on(costs: Ints, likes: Row, is_taken: Row, r: int, players: int, is_kind: bool) -> None:
    """Let the mover walk on from each number to where stopping is best, as `go_on` in exact.py does for two players.

    costs[i][x] is what player i has yet to pay after a stop on x, the mover first, and then after a walk from x and a
    stop. likes[x] is how much the mover likes this. A step makes all stops worse alike, so the best stays the best.
    """
    is_changed = True
    while is_changed:
        is_changed = False
        for y in range(r // 2, 0, -1):
            to_y = 1 + is_taken[y]
            ratio, z = 2, 2 * y
            while z <= r:
                up, down = ratio * (1 + is_taken[z]), ratio * to_y
                if is_worth(costs, likes, y, z, up, players, is_kind):
                    step(costs, likes, y, z, up, players)
                    is_changed = True
                elif is_worth(costs, likes, z, y, down, players, is_kind):
                    step(costs, likes, z, y, down, players)
                    is_changed = True
                ratio, z = ratio + 1, z + y


def is_worth(costs: Ints, likes: Row, x: int, y: int, cost: int, players: int, is_kind: bool) -> bool:
    """Whether the mover prefers a step from x to y, at this cost, to what is best from x so far; see `is_better`."""
    gain = likes[y] - (players - 1) * cost - likes[x]
    if gain != 0:
        return bool(gain > 0)
    more = cost + players * (costs[0, y] - costs[0, x]) + likes[y] - likes[x]  # that all pay together
    for i in range(1, players):
        difference = more - players * (costs[i, y] - costs[i, x])
        if difference != 0:
            return bool(difference > 0 if is_kind else difference < 0)
    return bool(more < 0)


def step(costs: Ints, likes: Row, x: int, y: int, cost: int, players: int) -> None:
    """Let what is best from x begin with a step to y."""
    for player in range(players):
        costs[player, x] = costs[player, y]
    costs[0, x] += cost
    likes[x] = likes[y] - (players - 1) * cost


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
    """The scores of three or more players, or the value of a game for two that is too large for a table of all sets.

    None for other games for two, whose value is found as in other games. Raises TooLarge.
    """
    if state.players == 2:
        return by_layers.answer(state, task)
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
