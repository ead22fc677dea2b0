"""The rules as puzzles are played: what stands in the grid stays, and a full grid is done.

In the game any number may be changed at any time, so that the best score of the size can be reached from everywhere.
"""

from quet.core.messages import say
from quet.core.position import Position

from . import goal as whole_game
from . import rules
from .rules import (
    BASE,
    EMPTY,
    LOWER_IS_BETTER,
    PARAMETERS,
    VERSION,
    State,
    is_over,
    most_moves,
    move_text,
    mover,
    num_players,
    play,
    read_move,
    score,
    start,
)

__all__ = [
    "LOWER_IS_BETTER",
    "MOST_POSITIONS",
    "NOTE",
    "PARAMETERS",
    "VERSION",
    "State",
    "broken_rule",
    "goal",
    "is_over",
    "legal_moves",
    "most_moves",
    "move_text",
    "mover",
    "num_players",
    "play",
    "read_move",
    "score",
    "start",
]

MOST_POSITIONS = 2_500  # that can come after a puzzle: a grid of 2 by 2 can be filled in so many ways
NOTE = say("In this puzzle what stands in the grid stays.")


def legal_moves(s: State, out: list[int]) -> int:
    """Write the numbers that can go into empty squares, or the end of the game, to `out`; return how many."""
    if s.is_done:
        return 0
    limit = s.n**3
    is_used = [0] * (limit + 1)
    for square in range(s.n * s.n):
        if s.numbers[square] <= limit:
            is_used[s.numbers[square]] = 1
    count = 0
    for square in range(s.n * s.n):
        if s.numbers[square] == EMPTY:
            for value in range(1, limit + 1):
                if not is_used[value]:
                    out[count] = square * BASE + value
                    count += 1
    if s.num_filled == s.n * s.n:
        out[count] = s.n * s.n * BASE
        count += 1
    return count


def broken_rule(s: State, move: int) -> str:
    square = move // BASE
    if square < s.n * s.n and s.numbers[square] != EMPTY:
        return NOTE
    if move % BASE > s.n**3:  # it never helps, and a puzzle has values for listed moves alone
        return say("In this puzzle numbers go up to {largest}.", largest=s.n**3)
    return rules.broken_rule(s, move)


def goal(position: Position) -> str:
    """As in the game, but a full grid can't be changed any more."""
    s: State = position.state
    missing = score(s, 1) + 1
    if s.num_filled == s.n * s.n and missing <= s.n**3:
        return say("The grid is full, and {missing} is missing among the sums: finish.", missing=missing)
    return whole_game.goal(position)
