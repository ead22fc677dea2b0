"""Strategies made from the table of all positions: layer by layer, many positions at once.

A position is two sets of squares, the filled ones and those that hold 1, in one number. The first in order of its four
images is what the checker of certificates tells positions apart by. Written with three digits it is a number, the key
here. Of positions with one key the one that comes up first is kept, as the checker does: its empty squares number the
moves. In a layer of the player, each position needs one move that keeps the value, and `engine/cover.py` chooses these.
"""

import sys
from typing import TYPE_CHECKING

import numpy as np

from quet.distribution.task import Task, no_strategy
from quet.engine import covering
from quet.engine.arrays import Ints
from quet.engine.compiled import compiled

from .retrograde import LARGEST, UNIT, mirrored
from .rules import EMPTY, State

if TYPE_CHECKING:
    from .retrograde import Solution

ALLOCATES = False

HALF = 32  # the bits of the filled squares begin here
LOW = (1 << HALF) - 1
PART = 12  # squares of which one table says what they add to a key
BLOCK = 1 << 26  # positions that may come up after all answers chosen together, roughly
TOUCH = 0.1  # as `cover` has it; with 0.01 and with 0.5 the strategies are a tenth larger


def weigh(weights: Ints, num_squares: int) -> None:
    """Write what the lower and the upper squares of a set add to a key; in [1] those of the row turned round."""
    for half in range(2):
        for bits in range(1 << PART):
            straight = turned = 0
            for i in range(PART):
                square = half * PART + i
                if bits >> i & 1 and square < num_squares:
                    straight += 3 ** (num_squares - 1 - square)
                    turned += 3**square
            weights[0, half, bits], weights[1, half, bits] = straight, turned


def key(weights: Ints, position: int) -> int:
    """The least number of the four images: the row, turned round, with 0 and 1 exchanged, and both."""
    filled, ones = position >> HALF, position & LOW
    zeros = filled ^ ones
    straight = added(weights[0], filled) + min(added(weights[0], ones), added(weights[0], zeros))
    turned = added(weights[1], filled) + min(added(weights[1], ones), added(weights[1], zeros))
    return min(straight, turned)


def added(weights: Ints, squares: int) -> int:
    """What these squares add to a key."""
    return int(weights[0, squares & ((1 << PART) - 1)] + weights[1, squares >> PART])


def after(position: int, square: int, digit: int) -> int:
    """The position with one more digit."""
    return position | 1 << HALF + square | digit << square


def entry(starts: Ints, values: Ints, position: int) -> int:
    """What the table has: the mover's value in units, cut off at LARGEST."""
    filled, size, digits = position >> HALF, 0, 0
    rest = filled
    while rest:
        square = rest & -rest
        digits |= (position & square != 0) << size
        size += 1
        rest ^= square
    start = starts[filled]
    if start < 0:
        start = ~start
        digits = mirrored(digits, size)
    if size and digits >> size - 1:
        digits ^= (1 << size) - 1
    return int(values[start + digits])


def own_moves(
    starts: Ints, values: Ints, weights: Ints, num_squares: int, positions: Ints, least: int, found: Ints
) -> int:
    """Write the player's moves after which the other can't come above -`least`, and return how many they are.

    A row of `found` is the key after the move, the number of the position, the number of the move, and the position
    after it.
    """
    total = 0
    for i in range(len(positions)):
        way = 0
        for square in range(num_squares):
            if not positions[i] >> HALF + square & 1:
                for digit in range(2):
                    then = after(positions[i], square, digit)
                    if -entry(starts, values, then) >= least:
                        row = found[total]
                        row[0], row[1], row[2], row[3] = key(weights, then), i, way + digit, then
                        total += 1
                way += 2
    return total


def all_moves(weights: Ints, num_squares: int, positions: Ints, keys: Ints, found: Ints) -> None:
    """Write for each position those after all moves, in ascending order, and their keys; all have as many moves."""
    for i in range(len(positions)):
        column = 0
        for square in range(num_squares):
            if not positions[i] >> HALF + square & 1:
                for digit in range(2):
                    then = after(positions[i], square, digit)
                    keys[i, column], found[i, column] = key(weights, then), then
                    column += 1


def needs(weights: Ints, num_squares: int, positions: Ints, keys: Ints) -> None:
    """Write for each position the keys after all moves; -1 in place of one that stands there already."""
    for i in range(len(positions)):
        column = 0
        for square in range(num_squares):
            if not positions[i] >> HALF + square & 1:
                for digit in range(2):
                    then = key(weights, after(positions[i], square, digit))
                    for other in range(column):
                        if keys[i, other] == then:
                            then = -1
                            break
                    keys[i, column] = then
                    column += 1


class Strategy:
    """A strategy in the making."""

    def __init__(self, solution: "Solution", s: State, value: int, player: int, task: Task) -> None:
        """The value is what the player holds, as the player wants it: more is better."""
        assert abs(value) < UNIT * LARGEST  # smaller values come out right
        self._module = compiled(sys.modules[__name__])
        self._starts, self._values = np.asarray(solution.starts), np.asarray(solution.values)
        self._num_squares, self._player, self._task = s.m, player, task
        self._least = -(-value // UNIT)
        self._weights = np.zeros((2, 2, 1 << PART), np.int64)
        self._module.weigh(self._weights, s.m)
        self._is_needed = np.zeros(3**s.m // 8 + 1, np.uint8)
        self._start = s

    def replies(self) -> Ints:
        """The replies in the order in which the checker asks for them. Raises NotSolved where there is no time."""
        s = self._start
        first = 0
        for square in range(s.m):
            if s.digits[square] != EMPTY:
                first = after(first, square, s.digits[square])
        positions, found = np.array([first], np.int64), [np.zeros(0, np.int64)]
        num_found = 0
        for ply in range(s.ply, s.m):
            if self._task.is_over:
                raise no_strategy()
            self._task.report(0, 0, f"{ply} digits of a strategy, {num_found} replies")
            if 1 + ply % 2 == self._player:
                positions, ways = self._answered(positions, 2 * (s.m - ply))
                found.append(ways)
                num_found += len(ways)
            else:
                positions = self._followed(positions, 2 * (s.m - ply))
        return np.concatenate(found)

    def _answered(self, positions: Ints, most: int) -> tuple[Ints, Ints]:
        """What comes after the replies to these positions of the player, and the replies; `most` moves are legal."""
        keys, then, ways = [], [], []
        size = max(1 << 10, BLOCK // most**2)
        for begin in range(0, len(positions), size):
            block = positions[begin : begin + size]
            moves = np.zeros((len(block) * most, 4), np.int64)
            total = self._module.own_moves(
                self._starts, self._values, self._weights, self._num_squares, block, self._least, moves
            )
            moves = moves[np.argsort(moves[:total, 0], kind="stable")]
            is_first = np.append(True, np.any(moves[1:, :2] != moves[:-1, :2], axis=1))
            moves = moves[is_first]  # of moves that lead to images of one position one will do
            chosen = self._chosen(moves, len(block), most - 2)
            keys.append(moves[chosen, 0])
            then.append(moves[chosen, 3])
            ways.append(moves[chosen, 2])
        return _first_of_each(np.concatenate(keys), np.concatenate(then))[1], np.concatenate(ways)

    def _chosen(self, moves: Ints, num_positions: int, most: int) -> Ints:
        """For each position the number of one of its moves, which are in the order of the keys after them."""
        answers, first = np.unique(moves[:, 0], return_index=True)
        wanted = np.zeros((len(answers), most), np.int64)
        self._module.needs(self._weights, self._num_squares, moves[first, 3], wanted)
        return covering.chosen(first, moves[:, 1].copy(), wanted, self._is_needed, num_positions, TOUCH)

    def _followed(self, positions: Ints, most: int) -> Ints:
        """What comes after all moves from these positions of the other player."""
        keys, found = np.zeros(0, np.int64), np.zeros(0, np.int64)
        size = BLOCK // most
        for begin in range(0, len(positions), size):
            block = positions[begin : begin + size]
            new_keys, new = np.zeros((len(block), most), np.int64), np.zeros((len(block), most), np.int64)
            self._module.all_moves(self._weights, self._num_squares, block, new_keys, new)
            new_keys, new = _first_of_each(new_keys.ravel(), new.ravel())
            keys, found = _first_of_each(np.concatenate([keys, new_keys]), np.concatenate([found, new]))
        return found


def _first_of_each(keys: Ints, positions: Ints) -> tuple[Ints, Ints]:
    """Each key once, ascending, with the first of its positions."""
    found, first = np.unique(keys, return_index=True)
    return found, positions[first]
