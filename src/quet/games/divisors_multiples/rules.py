"""Divisors/Multiples Sequence Game, by Leroy Quet (22 April 2011).

From the current number x, 1 at first, a player steps to a divisor or multiple y <= r of x and pays the larger over
the smaller, twice that if y is taken; on a number not taken the player may stop, which takes it and passes the
turn. When 1..r are all taken the lowest total wins.

A move is 2 * y to step to y and go on (`12`), 2 * y + 1 to step to y and stop there (`12!`).
"""

import re
from typing import Annotated

from quet.core.errors import UnreadableMove
from quet.core.messages import say
from quet.core.parameters import Parameter
from quet.core.quoting import shorten
from quet.core.state import Length, Players, state

VERSION = 1
ALLOCATES = False
LOWER_IS_BETTER = True
PARAMETERS = (
    Parameter("r", 2, 1000, 17, "the largest number", "one more than a multiple of the number of players"),
    Parameter("players", 2, 8, 2, "how many play"),
)

_MOVE = re.compile(r"([1-9][0-9]{0,3})(!?)")


@state
class State:
    """A position. A turn has at most 2r steps, the stopping one included (R6.3)."""

    r: int  # the largest number
    players: int  # how many play
    current: int  # the number stepped to last
    mover: int  # whose turn it is
    num_taken: int  # how many of 1..r are taken
    num_steps: int  # made in this turn so far
    is_taken: Annotated[list[int], Length(1001)]  # 1 for a number that is taken, else 0; [0] is unused
    cost: Players  # paid so far


def start(s: State, r: int, players: int) -> None:
    s.r = r
    s.players = players
    s.current = s.mover = s.num_taken = s.is_taken[1] = 1


def num_players(s: State) -> int:
    return s.players


def most_moves(s: State) -> int:
    return 2 * s.r


def legal_moves(s: State, out: list[int]) -> int:
    if is_over(s):
        return 0
    x = s.current & 0xFFFF  # the mask tells the compiler that x is neither negative nor large: it divides faster
    steps_after = 2 * s.r - s.num_steps - 1  # that the turn may still have after this one
    count = 0
    for y in range(1, x // 2 + 1):
        if x % y == 0:
            count = _add(s, y, steps_after, out, count)
    y = x
    while y <= s.r:
        count = _add(s, y, steps_after, out, count)
        y += x
    return count


def _add(s: State, y: int, steps_after: int, out: list[int], count: int) -> int:
    if steps_after > 1 or (steps_after == 1 and can_stop_from(s, y)):
        out[count] = 2 * y
        count += 1
    if not s.is_taken[y]:
        out[count] = 2 * y + 1
        count += 1
    return count


def can_stop_from(s: State, x: int) -> bool:
    """Whether one step from x can stop: whether x has a divisor or multiple that is not taken."""
    for y in range(1, x // 2 + 1):
        if not s.is_taken[y] and x % y == 0:
            return True
    y = x
    while y <= s.r:
        if not s.is_taken[y]:
            return True
        y += x
    return False


def price(s: State, y: int) -> int:
    """What a step from the current number to its divisor or multiple y costs."""
    ratio = y // s.current if y > s.current else s.current // y
    return 2 * ratio if s.is_taken[y] else ratio


def play(s: State, move: int) -> None:
    y = move // 2
    s.cost[s.mover] += price(s, y)
    s.current = y
    s.num_steps += 1
    if move % 2 == 1:
        s.is_taken[y] = 1
        s.num_taken += 1
        s.num_steps = 0
        s.mover = s.mover % s.players + 1


def mover(s: State) -> int:
    return s.mover


def is_over(s: State) -> bool:
    return s.num_taken == s.r


def score(s: State, player: int) -> int:
    return s.cost[player]


def move_text(s: State, move: int) -> str:
    return f"{move // 2}!" if move % 2 else str(move // 2)


def read_move(s: State, text: str) -> int:
    match = _MOVE.fullmatch(text)
    if match is None:
        raise UnreadableMove(
            say("{text} is not a move; write 12 to step to 12 and go on, 12! to stop there.", text=shorten(text))
        )
    if int(match[1]) > s.r:
        raise UnreadableMove(say("{number} is too large; the numbers are 1 to {r}.", number=match[1], r=s.r))
    return 2 * int(match[1]) + (match[2] == "!")


def broken_rule(s: State, move: int) -> str:
    x, y = s.current, move // 2
    if x % y != 0 and y % x != 0:
        return say("{y} is neither a divisor nor a multiple of {x}.", y=y, x=x)
    if move % 2 == 1:
        return say("{y} is taken already, so the turn can't stop there.", y=y) if s.is_taken[y] else ""
    steps_after = 2 * s.r - s.num_steps - 1
    if steps_after == 0:
        return say("A turn has at most {r} steps, so this one must stop.", r=2 * s.r)
    if steps_after == 1 and not can_stop_from(s, y):
        return say(
            "A turn has at most {r} steps, and the one after {y} could not stop: no divisor or multiple of "
            "{y} is left.",
            r=2 * s.r,
            y=y,
        )
    return ""
