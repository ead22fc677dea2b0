"""The rules as puzzles are played: who is asked against all others together.

So each position has an exact value, with more than two players as well: to be eliminated is a loss, to share the win a
draw. Who is asked is player 1 in these rules, and the others are player 2.
"""

from quet.core.messages import say

from . import rules
from .rules import (
    LOWER_IS_BETTER,
    PARAMETERS,
    VERSION,
    State,
    broken_rule,
    most_moves,
    move_text,
    play,
    read_move,
)

__all__ = ["LOWER_IS_BETTER", "PARAMETERS", "VERSION", "broken_rule", "most_moves", "move_text", "play", "read_move"]

NOTE = say("In this puzzle all others play together against you. To share the win with them is a draw.")


def ask(s: State, player: int) -> None:
    """Ask this player: who that is stands before the players, where the game itself keeps nothing."""
    s.is_left[0] = player


def num_players(s: State) -> int:
    return 2


def mover(s: State) -> int:
    return 1 if s.mover == s.is_left[0] else 2


def is_over(s: State) -> bool:
    return s.is_over == 1 or s.is_left[s.is_left[0]] == 0


def score(s: State, player: int) -> int:
    is_left = s.is_left[s.is_left[0]]
    if player == 1:
        return is_left
    return 1 if s.num_left > is_left else 0


def legal_moves(s: State, out: list[int]) -> int:
    if is_over(s):
        return 0
    return rules.legal_moves(s, out)


def start(s: State, n: int, players: int, grids: int) -> None:
    rules.start(s, n, players, grids)
    ask(s, s.mover)
