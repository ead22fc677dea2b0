"""What a program that learns sees of connect four: a plane for the pieces of each player, as Pgx has it."""

from typing import Any

import numpy as np

from .rules import COLUMNS, RISE, ROWS, State

ALLOCATES = False
# The bit of each square in a set, square by square. A loop over a table becomes vector instructions.
PLACES = np.array([RISE * column + row for row in range(ROWS) for column in range(COLUMNS)])


def observe(s: State, legal: Any, array: Any) -> None:
    mine, others = s.sets[1 + s.ply % 2], s.sets[2 - s.ply % 2]
    for i in range(COLUMNS * ROWS):
        array[0, i] = mine >> PLACES[i] & 1
    for i in range(COLUMNS * ROWS):
        array[1, i] = others >> PLACES[i] & 1
