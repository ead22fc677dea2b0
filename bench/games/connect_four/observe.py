"""What a program that learns sees of connect four: a plane for the pieces of each player, as Pgx has it."""

from typing import Any

from .rules import COLUMNS, RISE, ROWS, State


def observe(s: State, legal: Any, array: Any) -> None:
    mine, others = s.sets[1 + s.ply % 2], s.sets[2 - s.ply % 2]
    for column in range(COLUMNS):
        my_column, their_column = mine >> RISE * column, others >> RISE * column
        for row in range(ROWS):
            array[0, row * COLUMNS + column] = my_column >> row & 1
            array[1, row * COLUMNS + column] = their_column >> row & 1
