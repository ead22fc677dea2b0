"""What a program that learns sees of a walk over 1..r, what it may do, and its bounds.

Action 2 * (y - 1) steps to y and goes on, 2 * (y - 1) + 1 stops there: the number of the move, less the 2 of number 1.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from . import rules
from .rules import State, is_over, mover

ALLOCATES = False

FIRST = 2  # the move of action 0
ROWS = {
    "taken": "1 on a number that is taken.",
    "current": "1 on the current number.",
    "step": "1 on each number that can be stepped to.",
    "stop": "1 on each number that can be stopped at.",
    "steps": "How many steps this turn has had, divided by 2r.",
}


def planes(s: State) -> Mapping[str, str]:
    players = range(1, s.players + 1)
    movers = {f"player {player}": f"1 everywhere while player {player} is to move." for player in players}
    costs = {f"cost {player}": f"What player {player} has paid, divided by r." for player in players}
    return ROWS | movers | costs


def shape(s: State) -> tuple[int, ...]:
    return (s.r,)


def observe(s: State, legal: NDArray[np.bool_], array: NDArray[np.float32]) -> None:
    who = 0 if is_over(s) else mover(s)
    for i in range(s.r):
        array[0, i] = s.is_taken[i + 1]
        array[2, i] = legal[2 * i]
        array[3, i] = legal[2 * i + 1]
        array[4, i] = s.num_steps / (2 * s.r)
        for player in range(1, s.players + 1):
            array[4 + player, i] = player == who
            array[4 + s.players + player, i] = s.cost[player] / s.r
    array[1, s.current - 1] = 1


def num_actions(s: State) -> int:
    return 2 * s.r


def longest(s: State) -> int:
    return 2 * s.r * (s.r - 1)


def mark_legal(s: State, moves: list[int], legal: NDArray[np.bool_]) -> None:
    for i in range(rules.legal_moves(s, moves)):
        legal[moves[i] - FIRST] = True


def action_text(s: State, action: int) -> str:
    return rules.move_text(s, action + FIRST)


def moves(s: State, action: int) -> Sequence[int]:
    return (action + FIRST,)


def broken_rule(s: State, action: int) -> str:
    return rules.broken_rule(s, action + FIRST)


def play(s: State, action: int) -> None:
    rules.play(s, action + FIRST)


def is_position(s: State, first: State) -> bool:
    r = first.r
    if s.r != r or s.players != first.players or not (1 <= s.current <= r and 1 <= s.mover <= s.players):
        return False
    count = 0
    for number in range(1, r + 1):
        count += s.is_taken[number] == 1
        if s.is_taken[number] != 0 and s.is_taken[number] != 1:
            return False
    if count != s.num_taken or not s.is_taken[1] or not 0 <= s.num_steps < 2 * r:
        return False
    for player in range(1, s.players + 1):
        if not 0 <= s.cost[player] <= 2 * r * longest(first):
            return False
    return s.num_steps > 0 or s.is_taken[s.current] == 1
