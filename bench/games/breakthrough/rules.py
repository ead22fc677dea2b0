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
EMPTY, WALL = 0, 3  # a wall is no square, and as forbidden to either player as the own pieces


@state
class State:
    """A position. Numbers without a sign, since what can't be negative is faster to look up."""

    ply: int  # moves played
    winner: int  # who has won, or 0
    pieces: Annotated[list[int], Length(3, "int64")]  # how many each player has; [0] is unused
    cells: Annotated[list[int], Length(82, "uint8")]  # by `cell`: the player whose piece it is, EMPTY or WALL
    piece: Annotated[list[int], Length(6 * SIDE, "uint8")]  # from 2 * SIDE * player on, the squares of the player's
    place: Annotated[list[int], Length(SIDE * SIDE, "uint8")]  # where the piece of a square stands in `piece`


def start(s: State) -> None:
    for row in range(SIDE + 1):
        s.cells[cell(SIDE * row) - 1] = WALL
    for i in range(2 * SIDE):
        for player, square in ((1, i), (2, SIDE * SIDE - 1 - i)):
            s.cells[cell(square)] = player
            s.piece[2 * SIDE * player + i] = square
            s.place[square] = 2 * SIDE * player + i
    s.pieces[1] = s.pieces[2] = 2 * SIDE


def cell(square: int) -> int:
    """Where a square stands in `cells`: between two rows there is a wall, and before all of them room for one more."""
    return SIDE + 2 + square + square // SIDE


def num_players(s: State) -> int:
    return 2


def most_moves(s: State) -> int:
    return 6 * SIDE


def legal_moves(s: State, out: list[int]) -> int:
    if s.winner:
        return 0
    player = mover(s)
    first, ahead = (0, SIDE) if player == 1 else (6, -SIDE - 2)
    count = 0
    for i in range(s.pieces[player]):
        square = s.piece[2 * SIDE * player + i]
        move = 12 * square + first
        target = cell(square) + ahead  # to the left
        left, straight, right = s.cells[target], s.cells[target + 1], s.cells[target + 2]
        # Each is written, and kept or not: a branch would be guessed wrong half of the time.
        goes_left, goes_straight, goes_right = left & player == 0, straight == EMPTY, right & player == 0
        out[count] = move + (left != EMPTY)
        out[count + goes_left] = move + 2
        out[count + goes_left + goes_straight] = move + 4 + (right != EMPTY)
        count += goes_left + goes_straight + goes_right
    return count


def play(s: State, move: int) -> None:
    player = mover(s)
    square = move // 12
    direction = move % 12 // 2
    target = square + SIDE + direction - 1 if player == 1 else square - SIDE + direction - 4
    if move % 2 == 1:
        s.pieces[3 - player] -= 1
        moved = s.piece[2 * SIDE * (3 - player) + s.pieces[3 - player]]
        s.piece[s.place[target]] = moved
        s.place[moved] = s.place[target]
    s.cells[cell(square)] = EMPTY
    s.cells[cell(target)] = player
    s.piece[s.place[square]] = target
    s.place[target] = s.place[square]
    s.ply += 1
    # The rows at the two ends are only ever reached by the player who wins there.
    if s.pieces[3 - player] == 0 or target < SIDE or target >= SIDE * (SIDE - 1):
        s.winner = player


def mover(s: State) -> int:
    return 1 + s.ply % 2


def is_over(s: State) -> bool:
    return s.winner != 0


def score(s: State, player: int) -> int:
    return 1 if s.winner == player else 0
