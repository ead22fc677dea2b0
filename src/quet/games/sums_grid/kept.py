"""What each move is worth while the numbers that stand in the grid stay there: all ways to fill its empty squares.

By the rules a number can be changed at any time, so that every move keeps the best score of the size in reach. That
tells nothing about a move; what can still be reached without a change does.
"""

from collections.abc import Mapping
from math import perm

import numpy as np
import numpy.typing as npt

from quet.core.messages import say

from . import rules
from .rules import BASE, EMPTY, State

LARGEST = 4  # side of a grid whose sums up to n^3 fit into the bits of a number
MOST_BOARDS = 4_100_000  # that are tried: those of five empty squares of 3 by 3
AT_ONCE = 200_000  # boards

Boards = npt.NDArray[np.int16]

STAYS = say("Numbers that stand in the grid stay there in these values, though they could be changed too.")
CHANGES = say("Any number can be changed again, so no number loses anything.")


def worths(s: State, best: int | None) -> tuple[Mapping[int, int], str] | None:
    """The best score that each move leads to, and in words what is supposed; None where that takes too much.

    `best` is the best score of the position, where it is known. The values are those of all ways to fill the grid, or
    where these are too many, or the grid is full, those by the rules.
    """
    if rules.is_over(s):
        return None
    found = _filled(s)
    if found:
        return found, STAYS
    if best is None:
        return None
    out = [0] * rules.most_moves(s)
    moves = out[: rules.legal_moves(s, out)]
    return {move: rules.score(s, 1) if move == s.n * s.n * BASE else best for move in moves}, CHANGES


def _filled(s: State) -> dict[int, int]:
    """The best score after each number in an empty square; nothing where the grid is full, or ways are too many.

    Numbers above n^3 are left out, as they never help (R7.2).
    """
    size, limit = s.n * s.n, s.n**3
    free = [square for square in range(size) if s.numbers[square] == EMPTY]
    used = {number for number in s.numbers[:size] if number != EMPTY}
    left = [number for number in range(1, limit + 1) if number not in used]
    if not free or s.n > LARGEST or len(left) < len(free) or perm(len(left), len(free)) > MOST_BOARDS:
        return {}
    best = np.zeros((size, limit + 1), np.int16)
    for first in left:
        boards = _boards(first, left, len(free))
        for begin in range(0, len(boards), AT_ONCE):
            some = boards[begin : begin + AT_ONCE]
            scores = _scores(s, free, some)
            for place, square in enumerate(free):
                np.maximum.at(best[square], some[:, place], scores)
    return {square * BASE + number: int(best[square, number]) for square in free for number in left}


def _boards(first: int, left: list[int], num_free: int) -> Boards:
    """All ways to fill the empty squares with different numbers that begin with this one, a row each."""
    boards = np.array([[first]], np.int16)
    for _ in range(num_free - 1):
        more = np.repeat(boards, len(left), axis=0)
        column = np.tile(np.array(left, np.int16), len(boards))[:, None]
        boards = np.hstack([more, column])[(more != column).all(axis=1)]
    return boards


def _scores(s: State, free: list[int], boards: Boards) -> Boards:
    """The score of each full grid: bit k - 1 of its sums is that of the sum k, and the lowest missing one counts."""
    n, limit = s.n, s.n**3
    columns = {square: boards[:, place] for place, square in enumerate(free)}
    always, sums = 0, np.zeros(len(boards), np.uint64)
    for line in [[row * n + k for k in range(n)] for row in range(n)] + [list(range(k, n * n, n)) for k in range(n)]:
        for begin in range(n):
            fixed, total = 0, np.zeros(len(boards), np.int16)
            for square in line[begin:]:
                if square in columns:
                    total = total + columns[square]
                else:
                    fixed = min(fixed + s.numbers[square], limit + 1)
                if not any(one in columns for one in line[begin : line.index(square) + 1]):
                    always |= 1 << (fixed - 1) if fixed <= limit else 0
                elif fixed <= limit:
                    shifts = np.minimum(total + np.int16(fixed - 1), limit).astype(np.uint64)
                    sums |= np.where(shifts < limit, np.uint64(1) << shifts % np.uint64(64), np.uint64(0))
    missing = ~(sums | np.uint64(always))
    lowest = missing & (~missing + np.uint64(1))
    scores = np.log2(np.maximum(lowest, np.uint64(1)).astype(np.float64)).astype(np.int16)  # exact for powers of 2
    return np.where(missing == 0, limit, np.minimum(scores, limit)).astype(np.int16)
