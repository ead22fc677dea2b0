"""Retrograde analysis: the value of every position of a game for two, from the last to the first.

The game's `exact.py` numbers its positions so that a move always leads to a larger number, steps from each position to
the one before without unpacking it, and says which ranges of numbers don't depend on each other. Stroehlein,
"Untersuchungen ueber kombinatorische Spiele", 1970. `fill` is compiled by `compiled.py`.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from .arrays import pack

ALLOCATES = False

rules: Any = None  # bound by compiled()
exact: Any = None

LARGEST = 127  # of an entry; a value further from 0 is kept as this, which changes no smaller value


def fill(table: Any, states: Any, moves: Any, offsets: Any, first: int, last: int) -> None:
    """Write the values of the positions `first` to `last` - 1: player 1's score minus player 2's, in units.

    The larger numbers that moves lead to must be there already. `states` holds one state with the game's parameters;
    `moves` and `offsets` are buffers of `most_moves`. Maximum and minimum commute with cutting values off at LARGEST,
    so that every value nearer to 0 is exact.
    """
    s = states[0]
    for move in range(len(offsets)):
        offsets[move] = exact.offset(move)
    exact.make(s, last - 1)
    for index in range(last - 1, first - 1, -1):
        if rules.is_over(s):
            value = (rules.score(s, 1) - rules.score(s, 2)) // exact.UNIT
            table[index] = min(max(value, -LARGEST), LARGEST)
        else:
            count = rules.legal_moves(s, moves)
            best = table[index + offsets[moves[0]]]
            if rules.mover(s) == 1:
                for i in range(1, count):
                    best = max(best, table[index + offsets[moves[i]]])
            else:
                for i in range(1, count):
                    best = min(best, table[index + offsets[moves[i]]])
            table[index] = best
        if index > first:
            exact.step_back(s)


def solve(rules: Any, exact: Any, state: Any, num_threads: int = 2) -> Any:
    """The table of all positions of the game with this state's parameters, one int8 each, by their `exact.index`."""
    from . import retrograde
    from .compiled import compiled

    module: Any = compiled(retrograde, rules=rules, exact=exact)
    most_moves = rules.most_moves(state)
    table = np.zeros(exact.num_positions(state), np.int8)

    def fill_range(bounds: tuple[int, int]) -> None:
        room = np.zeros((2, most_moves), np.int64)
        module.fill(table, pack([state]), room[0], room[1], *bounds)

    with ThreadPoolExecutor(num_threads) as pool:
        for stage in exact.stages(state):
            list(pool.map(fill_range, stage))
    return table
