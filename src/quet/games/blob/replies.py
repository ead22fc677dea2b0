"""Strategies made by alpha-beta: layer by layer, many positions at once.

A position is its filled squares, as bits. The first in order of its four images is what the checker of certificates
tells positions apart by. Of images of one position the one that comes up first is kept, as the checker does: its
squares number the moves. In a layer of the player, each position needs one move that keeps the value. Alpha-beta proves
one, which costs little, as its table has most of the proof from the layer before. Then it is asked for all other moves,
but each may cost only its part of `MOST_ASKED`: early in the game that leaves many open. Among the moves that keep the
value `engine/cover.py` chooses, so that few positions come up. A position with many empty squares beside filled ones
costs more there, since more comes up after it.
"""

import sys

import numpy as np

from quet.capabilities import found
from quet.core.errors import TooLarge
from quet.distribution.task import Task, no_strategy
from quet.engine import alphabeta, covering
from quet.engine.arrays import Flags, Floats, Ints, Records, Words, dtype
from quet.engine.compiled import compiled
from quet.engine.deepening import FIRST_SLICE

from . import compact
from .rules import FULL, State

ALLOCATES = False

MOST_ASKED = 1_000_000_000  # positions that alpha-beta looks at in a layer to ask for all moves, roughly
FEWEST = 1_000  # but so many for each move, enough for what `ending` and `reach` know at once and a ply before it
TOUCH = 0.3  # as `cover` has it
SPREAD = 1.35  # a position weighs so many times as much for each more empty square beside a filled one
BLOCK = 1 << 18  # positions of which the moves are in memory at once
ASKED_AT_ONCE = 1 << 16  # positions that are states of the search at once
SMALLEST = 1 << 16  # entries of the table of alpha-beta
SLICE = 1 << 22  # positions looked at between two looks at the clock


def images(n: int, filled: int, found: Words) -> None:
    """Write the first in order of the images of a position: two words, which order positions as the checker does.

    The checker takes the squares from the first one on: 0 if empty, 1 if beside a filled one, 2 if filled.
    """
    edge = compact.beside(n, filled) if filled else 0
    line = (1 << n) - 1
    upper = (n + 1) // 2
    found[0] = found[1] = np.uint64(0)
    for image in range(4):
        high = low = 0
        for i in range(n):
            row = n - 1 - i if image & 1 else i
            full, beside = filled >> row * n & line, edge >> row * n & line
            digits = 0
            for j in range(n):
                column = n - 1 - j if image & 2 else j
                digits = digits << 2 | (full >> column & 1) << 1 | beside >> column & 1
            if i < upper:
                high = high << 2 * n | digits
            else:
                low = low << 2 * n | digits
        if image == 0 or high < found[0] or (high == found[0] and low < found[1]):
            found[0], found[1] = high, low


def all_images(n: int, positions: Ints, found: Words) -> None:
    """`images` of many positions, a row each."""
    for i in range(len(positions)):
        images(n, positions[i], found[i])


def most_moves(n: int, positions: Ints) -> int:
    """How many moves a position has at most."""
    most = 0
    for position in positions:
        edge, count = compact.beside(n, position), 0
        while edge:
            edge &= edge - 1
            count += 1
        most = max(most, count)
    return most


def spreads(n: int, positions: Ints, spread: float, weights: Floats) -> None:
    """Write what positions weigh: 1, and so many times as much for each empty square beside a filled one."""
    for i in range(len(positions)):
        edge = compact.beside(n, positions[i])
        weights[i] = 1.0
        while edge:
            edge &= edge - 1
            weights[i] *= spread


def moves(n: int, positions: Ints, found: Ints) -> int:
    """Write what comes after all moves, and return how many they are.

    A row of `found` is the key after the move, the number of the position, the number of the move, and the position
    after it.
    """
    total = 0
    for i in range(len(positions)):
        edge = compact.beside(n, positions[i])
        way = 0
        for square in range(n * n):
            if edge >> square & 1:
                then = positions[i] | 1 << square
                row = found[total]
                row[0], row[1], row[2], row[3] = compact.first_image(n, then), i, way, then
                total += 1
                way += 1
    return total


def needs(n: int, positions: Ints, keys: Ints) -> None:
    """Write for each position the keys after all moves, and -1 behind them or for one that stands there already."""
    for i in range(len(positions)):
        edge = compact.beside(n, positions[i])
        count = 0
        for square in range(n * n):
            if edge >> square & 1:
                then = compact.first_image(n, positions[i] | 1 << square)
                is_new = True
                for other in range(count):
                    if keys[i, other] == then:
                        is_new = False
                        break
                if is_new:
                    keys[i, count] = then
                    count += 1
        for column in range(count, keys.shape[1]):
            keys[i, column] = -1


def put(n: int, positions: Ints, records: Records) -> None:
    """Write the positions as states of the search."""
    for i in range(len(positions)):
        records[i].n = n
        compact.fill(records[i], positions[i])


class Strategy:
    """A strategy in the making."""

    def __init__(self, s: State, value: int, player: int, task: Task) -> None:
        """The value is what the player holds. Raises TooLarge."""
        self._module = compiled(sys.modules[__name__])
        capable = found(compact)
        self._search = compiled(
            alphabeta, rules=compact, exact=capable.keys, outlook=capable.reach, order=capable.order,
            endgame=capable.endgame,
        )  # fmt: skip
        self._n, self._player, self._task = s.n, player, task
        self._last = 2 * (s.n * s.n // 4)
        self._window = (value - 1, value) if player == 1 else (value, value + 1)
        self._value = value
        self._first, self._ply = sum(1 << i for i in range(s.n * s.n) if s.cells[i] == FULL), s.ply
        entries = SMALLEST
        while 2 * entries * alphabeta.ENTRY.itemsize <= task.memory * 4 // 5 and 2 * entries <= 1 << 4 * self._n:
            entries *= 2
        needed = entries * alphabeta.ENTRY.itemsize
        if needed > task.memory:
            raise TooLarge(needed, task.memory)
        plies = self._last + 1
        self._room = (
            np.zeros(plies, dtype(compact.State)), np.zeros(plies, alphabeta.FRAME),
            np.zeros((plies, s.n * s.n), np.int64), np.zeros(entries, alphabeta.ENTRY),
        )  # fmt: skip
        self._counts, self._step = np.zeros(4, np.int64), ""

    def replies(self) -> Ints:
        """The replies in the order in which the checker asks for them. Raises NotSolved where there is no time."""
        positions, made, num_made = np.array([self._first], np.int64), [np.zeros(0, np.int64)], 0
        for ply in range(self._ply, self._last):
            self._step = f"{ply} squares of a strategy, {num_made} replies"
            if 1 + ply % 2 == self._player:
                positions, ways = self._answered(positions, ply)
                made.append(ways)
                num_made += len(ways)
            else:
                positions = self._followed(positions)
        return np.concatenate(made)

    def _answered(self, positions: Ints, ply: int) -> tuple[Ints, Ints]:
        """What comes after the replies to these positions of the player, and the replies."""
        chosen = np.concatenate([self._chosen(block, ply) for block in self._blocks(positions)])
        return self._sorted(chosen[:, 0], chosen[:, 3]), chosen[:, 2]

    def _blocks(self, positions: Ints) -> list[Ints]:
        return [positions[i : i + BLOCK] for i in range(0, len(positions), BLOCK)]

    def _chosen(self, positions: Ints, ply: int) -> Ints:
        """For each position a move that keeps the value, as `moves` has it; chosen so that little comes up."""
        rows = self._moves(positions)
        proven = self._proven(positions, rows)
        rows = rows[np.argsort(rows[:, 0], kind="stable")]
        is_first = np.append(True, np.any(rows[1:, :2] != rows[:-1, :2], axis=1))
        rows = rows[is_first]  # of moves that lead to images of one position one will do
        answers, first, number = np.unique(rows[:, 0], return_index=True, return_inverse=True)
        values, _ = self._asked(rows[first, 3], max(FEWEST, MOST_ASKED // len(answers)))
        keep = self._keep(values) | np.isin(answers, proven[:, 0])
        rows = rows[keep[number]]
        answers, first = np.unique(rows[:, 0], return_index=True)
        wanted, weights = self._needed(rows[first, 3], ply + 1)
        is_needed = np.zeros(len(weights) // 8 + 1, np.uint8)
        taken: Ints = rows[covering.chosen(first, rows[:, 1].copy(), wanted, is_needed, len(positions), TOUCH, weights)]
        return taken

    def _proven(self, positions: Ints, rows: Ints) -> Ints:
        """For each position the move that alpha-beta proves to keep the value, where it has to search for one."""
        values, best = self._asked(positions, 1 << 62)
        assert self._keep(values).all()
        made = np.where(best < 0, 0, 1 << np.maximum(best, 0))  # the bit of the square
        proven: Ints = rows[rows[:, 3] ^ positions[rows[:, 1]] == made[rows[:, 1]]]
        return proven

    def _needed(self, positions: Ints, ply: int) -> tuple[Ints, Floats]:
        """For each position what has to be answered after it, as numbers, and what each number weighs."""
        if ply + 1 >= self._last:
            return np.full((len(positions), 1), -1, np.int64), covering.ALIKE
        keys = np.zeros((len(positions), self._module.most_moves(self._n, positions)), np.int64)
        self._module.needs(self._n, positions, keys)
        numbers = np.unique(keys[keys >= 0])
        weights = np.zeros(len(numbers))
        self._module.spreads(self._n, numbers, SPREAD, weights)
        return np.where(keys >= 0, np.searchsorted(numbers, keys), -1), weights

    def _keep(self, values: Ints) -> Flags:
        """Which of these values are as good as the player's or better."""
        is_good = values >= self._value if self._player == 1 else values <= self._value
        keep: Flags = is_good & (values != alphabeta.UNKNOWN)
        return keep

    def _asked(self, positions: Ints, most_each: int) -> tuple[Ints, Ints]:
        """The values of positions in the window, and the moves that prove them where these are wanted."""
        values, best = np.zeros(len(positions), np.int64), np.zeros(len(positions), np.int64)
        for begin in range(0, len(positions), ASKED_AT_ONCE):
            block = positions[begin : begin + ASKED_AT_ONCE]
            records = np.zeros(len(block), dtype(compact.State))
            self._module.put(self._n, block, records)
            self._counts[1:] = 0
            most = 0
            while True:
                if self._task.is_over:
                    raise no_strategy()
                self._task.report(0, 0, f"{self._step}, {begin + self._counts[2]} of {len(positions)} asked")
                most = int(self._counts[0]) + (SLICE if most else FIRST_SLICE)
                if self._search.answers(
                    *self._room, self._counts, records, values[begin:], best[begin:], *self._window, self._last, most,
                    most_each,
                ):  # fmt: skip
                    break
        return values, best

    def _followed(self, positions: Ints) -> Ints:
        """What comes after all moves from these positions of the other player."""
        keys, then = np.zeros(0, np.int64), np.zeros(0, np.int64)
        for block in self._blocks(positions):
            rows = self._moves(block)
            keys, then = first_of_each(np.concatenate([keys, rows[:, 0]]), np.concatenate([then, rows[:, 3]]))
        return self._sorted(keys, then)

    def _moves(self, positions: Ints) -> Ints:
        found = np.zeros((len(positions) * self._module.most_moves(self._n, positions), 4), np.int64)
        return found[: self._module.moves(self._n, positions, found)]

    def _sorted(self, keys: Ints, positions: Ints) -> Ints:
        """The first position of each key, in the order in which the checker takes them."""
        _, positions = first_of_each(keys, positions)
        words = np.zeros((len(positions), 2), np.uint64)
        self._module.all_images(self._n, positions, words)
        return positions[np.lexsort((words[:, 1], words[:, 0]))]


def first_of_each(keys: Ints, positions: Ints) -> tuple[Ints, Ints]:
    """Each key once, ascending, with the first of its positions."""
    keys, first = np.unique(keys, return_index=True)
    return keys, positions[first]
