"""A long game from any position: the beam search of `full_grid.py`, from there or from a later position of a game.

The first call goes on from the position. Each later one keeps a part of the best game so far and looks anew for the
rest: the shorter the rest, the more positions it keeps side by side.
"""

import random
from collections.abc import Sequence
from math import inf

from quet.capabilities import IsOver, Plan
from quet.core.rules import legal_moves
from quet.core.state import copy

from . import full_grid, rules
from .board import near
from .rules import EMPTY, State

POSITIONS = 400_000  # looked at in a call, about; the first call looks at a quarter
PLAIN_POSITIONS = 2_000  # the same in plain Python
WIDEST = 4_000
SHORTEST = 8  # numbers that are looked for anew, at least


def plan(
    s: State, line: Sequence[int], number: int, seed: int, is_over: IsOver, *, is_plain: bool = False, work: float = inf
) -> Plan:
    """A game from s, the longest that this call finds."""
    n = s.n
    later = copy(s)
    kept = list(line[: _num_kept(len(line), random.Random(1000 * seed + number))])
    for square in kept:
        rules.play(later, square)
    positions = PLAIN_POSITIONS if is_plain else POSITIONS if number else POSITIONS // 4
    positions = int(min(positions, work))
    width = max(1, min(WIDEST, positions // (n * n - later.count + 1)))
    written = sorted((number, square) for square, number in enumerate(later.numbers[: n * n]) if number != EMPTY)
    begun = [square for _, square in written]
    game, nodes = full_grid.longer_game(n, begun, later.step, width, (seed, number), is_over, is_plain)
    moves = game[s.count :]
    for square in moves[len(kept) :]:
        rules.play(later, square)
    while not rules.is_over(later):
        moves.append(_next(later))
        rules.play(later, moves[-1])
    return Plan(moves, nodes, n * n)


def _num_kept(length: int, chance: random.Random) -> int:
    """How many moves of a game of this length are kept. Short and long rests are equally likely, by their logarithm."""
    if length <= SHORTEST:
        return 0
    return length - int(SHORTEST * (length / SHORTEST) ** chance.random())


def _next(s: State) -> int:
    """The legal move to the square with the fewest empty squares beside it, by Warnsdorff's rule."""
    out = [0] * 4

    def num_empty(square: int) -> int:
        return sum(s.numbers[out[i]] == EMPTY for i in range(near(s.n, square, 1, out)))

    return min(legal_moves(rules, s), key=num_empty)
