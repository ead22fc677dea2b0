"""Breakthrough on 8 by 8 squares, numbered as in OpenSpiel: only what a search asks of a rules module.

Pieces step one square ahead, straight or diagonally, and take diagonally; reaching the far row or taking every piece
wins. Player 1 begins on rows 0 and 1 and goes to larger rows.

A move is ((square * 6 + direction) * 2 + whether it takes), squares row by row; directions 0, 1, 2 go to larger rows
and 3, 4, 5 to smaller ones, each to the left, straight and to the right.
"""

from typing import Annotated

from quet.core.state import Length, state

ALLOCATES = False
LOWER_IS_BETTER = False
SIDE = 8
EMPTY = 0


@state
class State:
    """A position."""

    ply: int  # moves played
    winner: int  # who has won, or 0
    pieces: Annotated[list[int], Length(3, "int64")]  # how many each player has; [0] is unused
    cells: Annotated[list[int], Length(SIDE * SIDE + 1)]  # the player whose piece it is, or EMPTY; the last is spare
    piece: Annotated[list[int], Length(6 * SIDE)]  # from 2 * SIDE * player on, the squares of the player's pieces
    place: Annotated[list[int], Length(SIDE * SIDE)]  # where the piece of a square stands in `piece`


def start(s: State) -> None:
    for i in range(2 * SIDE):
        for player, square in ((1, i), (2, SIDE * SIDE - 1 - i)):
            s.cells[square] = player
            s.piece[2 * SIDE * player + i] = square
            s.place[square] = 2 * SIDE * player + i
    s.pieces[1] = s.pieces[2] = 2 * SIDE


def num_players(s: State) -> int:
    return 2


def most_moves(s: State) -> int:
    return 6 * SIDE + 1


def legal_moves(s: State, out: list[int]) -> int:
    if s.winner:
        return 0
    player = mover(s)
    first, ahead = (0, SIDE) if player == 1 else (3, -SIDE)
    count = 0
    for i in range(2 * SIDE * player, 2 * SIDE * player + s.pieces[player]):
        square = s.piece[i]
        column = square % SIDE
        target = square + ahead
        move = (square * 6 + first) * 2
        taken = s.cells[target - 1]
        out[count] = move + (taken != EMPTY)  # kept or not: a branch would be guessed wrong half of the time
        count += (column > 0) & (taken != player)
        out[count] = move + 2
        count += s.cells[target] == EMPTY
        taken = s.cells[target + 1]
        out[count] = move + 4 + (taken != EMPTY)
        count += (column < SIDE - 1) & (taken != player)
    return count


def play(s: State, move: int) -> None:
    player = mover(s)
    square = move // 12
    direction = move // 2 % 6
    target = square + SIDE + direction - 1 if player == 1 else square - SIDE + direction - 4
    if s.cells[target] != EMPTY:
        s.pieces[3 - player] -= 1
        moved = s.piece[2 * SIDE * (3 - player) + s.pieces[3 - player]]
        s.piece[s.place[target]] = moved
        s.place[moved] = s.place[target]
    s.cells[square] = EMPTY
    s.cells[target] = player
    s.piece[s.place[square]] = target
    s.place[target] = s.place[square]
    s.ply += 1
    row = target // SIDE
    if s.pieces[3 - player] == 0 or (row == SIDE - 1 and player == 1) or (row == 0 and player == 2):
        s.winner = player


def mover(s: State) -> int:
    return 1 + s.ply % 2


def is_over(s: State) -> bool:
    return s.winner != 0


def score(s: State, player: int) -> int:
    return 1 if s.winner == player else 0
