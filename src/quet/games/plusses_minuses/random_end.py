"""A random end of the game: random signs, a random permutation, and a random half of its squares for each player."""

from quet.engine.arrays import Floats, Ints, Words
from quet.engine.playouts import below, random_bits, random_part

from . import rules
from .rules import EMPTY, State

ALLOCATES = False


def num_moves(s: State) -> int:
    """A number above that of every move."""
    return s.n * s.n + 2


def finish(s: State, room: list[int], rng: Words, made: Ints, scores: Floats) -> None:
    """Draw an end of s, as the protocol RandomEnd of `quet.capabilities` says."""
    n = s.n
    signs = random_bits(rng)
    while rules.is_predicting(s):
        move = n * n + (signs & 1)
        signs >>= 1
        made[rules.mover(s), move >> 5] |= 1 << (move & 31)
        rules.play(s, move)
    rows = 0
    count = 0
    for row in range(n):
        if s.column[row] == EMPTY:
            rows |= 1 << row
    for column in range(n):
        if s.height[column] == EMPTY:
            room[count] = column
            count += 1
    player = rules.mover(s)
    part = random_part(rng, rows, (count + 1) // 2)
    for row in range(n):
        if rows >> row & 1:
            i = below(rng, count)
            count -= 1
            column = room[i]
            room[i] = room[count]
            s.column[row] = column + 1
            s.height[column] = row + 1
            move = row * n + column
            made[player if part >> row & 1 else 3 - player, move >> 5] |= 1 << (move & 31)
    scores[1] = rules.score(s, 1)
    scores[2] = rules.score(s, 2)
