"""Connect four on 7 columns by 6 rows, numbered as in OpenSpiel: only what a search asks of a rules module.

A player drops a piece in a column; four in a line of one's own, in any direction, win.

Columns are moves. Bits of squares in a set:     5 12 ... 47
                                                 ...
                                                 0  7 ... 42
"""

from typing import Annotated

from quet.core.state import Length, state

ALLOCATES = False
LOWER_IS_BETTER = False
COLUMNS, ROWS = 7, 6
RISE = ROWS + 1  # from one column to the next in a set of squares; the bit above each column stays 0 and parts them


@state
class State:
    """A position."""

    ply: int  # pieces dropped
    winner: int  # who has four in a line, or 0
    heights: Annotated[list[int], Length(COLUMNS, "uint8")]  # pieces in each column
    sets: Annotated[list[int], Length(3, "int64")]  # bit RISE * column + row for each player's pieces; [0] is unused


def num_players(s: State) -> int:
    return 2


def most_moves(s: State) -> int:
    return COLUMNS


def legal_moves(s: State, out: list[int]) -> int:
    if s.winner:
        return 0
    count = 0
    for column in range(COLUMNS):
        out[count] = column  # kept or not: without a branch
        count += s.heights[column] < ROWS
    return count


def play(s: State, move: int) -> None:
    player = mover(s)
    s.sets[player] |= 1 << (RISE * move + s.heights[move])
    s.heights[move] += 1
    s.ply += 1
    pieces = s.sets[player]
    if has_four(pieces, 1) or has_four(pieces, RISE - 1) or has_four(pieces, RISE) or has_four(pieces, RISE + 1):
        s.winner = player


def has_four(pieces: int, step: int) -> bool:
    """Whether four of the set follow one another in steps of `step` bits."""
    pairs = pieces & (pieces >> step)
    return pairs & (pairs >> (2 * step)) != 0


def mover(s: State) -> int:
    return 1 + s.ply % 2


def is_over(s: State) -> bool:
    return s.winner != 0 or s.ply == COLUMNS * ROWS


def score(s: State, player: int) -> int:
    return 1 if s.winner == player else 0
