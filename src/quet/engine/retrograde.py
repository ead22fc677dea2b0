"""Retrograde analysis: the value of every position of a game for two, from the last to the first.

The game's `exact.py` numbers its positions so that a move leads to a larger number, larger by what the move alone
says (`offset`), and cuts the numbers into blocks of `num_places`. A move leads to another place of the same block, or
to the same place of another block. Whether it is legal depends on the place in the first case and on the block in the
second; and so does whose turn it is: by which place of a block it is the other player's than at its first.

Then the moves between blocks are made for all places at once, neighbours in memory, and those within a block are one
list of steps for all blocks. Stroehlein, "Untersuchungen ueber kombinatorische Spiele", 1970. Compiled by
`compiled.py`.
"""

from typing import Any

import numpy as np

from .arrays import pack

ALLOCATES = False

rules: Any = None  # bound by compiled()
exact: Any = None

LARGEST = 127  # of an entry; a value further from 0 is kept as this, which changes no smaller value

STEP = np.dtype(  # a move within a block
    [
        ("place", np.uint32),
        ("after", np.uint32),  # the place it leads to
        ("turn", np.int32),  # -1 where it is the other player's turn there, else 0
    ]
)


def fill(table: Any, states: Any, moves: Any, steps: Any, views: Any, high: Any, low: Any, seen: Any) -> None:
    """Write the value of every position: player 1's score minus player 2's, in units.

    `states` holds one state with the game's parameters; `moves` is a buffer of `most_moves`, `steps` one of as many
    STEPs a place, and the others have an int8 a place. Maximum and minimum commute with cutting values off at LARGEST,
    so that every value nearer to 0 is exact.
    """
    s = states[0]
    num_places = len(views)
    num_steps = steps_within(s, moves, steps, views)
    for first in range(len(table) - num_places, -1, -num_places):
        exact.make(s, first)
        turn = views[0] ^ view(s)
        for place in range(num_places):
            high[place] = -LARGEST
            low[place] = LARGEST
        is_left = False
        for i in range(rules.legal_moves(s, moves)):
            offset = exact.offset(moves[i])
            if offset >= num_places:
                is_left = True
                after = table[first + offset : first + offset + num_places]
                for place in range(num_places):
                    high[place] = max(high[place], after[place])
                    low[place] = min(low[place], after[place])
        # Each position as its mover sees it, who so always looks for the largest: ~ turns the order of numbers round.
        for place in range(num_places):
            seen[place] = ~low[place] if views[place] ^ turn else high[place]
        if not is_left:
            for place in range(num_places):
                exact.make(s, first + place)
                if rules.is_over(s):
                    value = (rules.score(s, 1) - rules.score(s, 2)) // exact.UNIT
                    seen[place] = min(max(value, -LARGEST), LARGEST) ^ views[place] ^ turn
        for i in range(num_steps):
            step = steps[i]
            seen[step.place] = max(seen[step.place], seen[step.after] ^ step.turn)
        here = table[first : first + num_places]
        for place in range(num_places):
            here[place] = seen[place] ^ views[place] ^ turn


def steps_within(s: Any, moves: Any, steps: Any, views: Any) -> int:
    """Write the moves within the first block to `steps`, from the last place to the first; return how many there are.

    And the view of each of its positions to `views`.
    """
    count = 0
    for place in range(len(views) - 1, -1, -1):
        exact.make(s, place)
        views[place] = view(s)
        for i in range(rules.legal_moves(s, moves)):
            after = place + exact.offset(moves[i])
            if after < len(views):
                steps[count].place = place
                steps[count].after = after
                steps[count].turn = views[place] ^ views[after]
                count += 1
    return count


def view(s: Any) -> int:
    """What to combine a value with by ^ to see it as the mover does: 0 for player 1, -1 for player 2."""
    return 0 if rules.mover(s) == 1 else -1


def solve(rules: Any, exact: Any, state: Any) -> Any:
    """The table of all positions of the game with this state's parameters, one int8 each, by their `exact.index`."""
    from . import retrograde
    from .compiled import compiled

    module: Any = compiled(retrograde, rules=rules, exact=exact)
    most_moves, num_places = rules.most_moves(state), exact.num_places(state)
    table = np.zeros(exact.num_positions(state), np.int8)
    steps = np.zeros(num_places * most_moves, STEP)
    module.fill(table, pack([state]), np.zeros(most_moves, np.int64), steps, *np.zeros((4, num_places), np.int8))
    return table
