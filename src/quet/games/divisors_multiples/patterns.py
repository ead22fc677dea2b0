"""What the strongest level learns of this game for two: which numbers are left, and the same game in turns.

A move is a number to stop on, and stands for the cheapest walk there: after a turn it only matters where it stopped and
what it cost. What was paid is settled. Patterns are a number that is left, two numbers that are left, and the current
number with one that is left.
"""

from typing import Annotated

import numpy as np

from quet.core.state import Length, state
from quet.engine.arrays import Ints

from . import rules
from .exact import walk

ALLOCATES = False
LOWER_IS_BETTER = True

LARGEST = 56  # r whose numbers are bits of one number, with the current one above them

Numbers = Annotated[list[int], Length(LARGEST + 1, "int32")]


@state
class State:
    """A position."""

    r: int  # the largest number
    current: int  # the number stepped to last
    mover: int  # whose turn it is
    num_left: int  # how many of 1..r aren't taken
    paid: int  # by player 1
    paid_by_other: int
    left: int  # the numbers that aren't taken, as bits
    is_taken: Numbers
    cost: Numbers  # of the cheapest walk to each number


def fits(s: rules.State) -> bool:
    """Whether numbers are few enough, and whether no turn is so long that a cheapest walk might be too long."""
    return s.r <= LARGEST and s.players == 2 and s.num_steps <= s.r


def of(s: rules.State) -> State:
    """The same position."""
    made = State()
    made.r, made.current, made.mover = s.r, s.current, s.mover
    made.num_left = s.r - s.num_taken
    made.paid, made.paid_by_other = s.cost[1], s.cost[2]
    for number in range(1, s.r + 1):
        made.is_taken[number] = s.is_taken[number]
        made.left |= (1 - s.is_taken[number]) << number
    find_costs(made)
    return made


def find_costs(s: State) -> None:
    """Write what the cheapest walks cost."""
    walk(s.cost, s.cost, s.is_taken, s.r, s.current, s.r)


def num_players(s: State) -> int:
    return 2


def most_moves(s: State) -> int:
    return s.r + 1


def legal_moves(s: State, out: list[int]) -> int:
    count = 0
    for number in range(1, s.r + 1):
        if not s.is_taken[number]:
            out[count] = number
            count += 1
    return count


def play(s: State, move: int) -> None:
    _pay(s, s.cost[move])
    s.current = move
    s.is_taken[move] = 1
    s.left ^= 1 << move
    s.num_left -= 1
    s.mover = 3 - s.mover
    find_costs(s)


def _pay(s: State, cost: int) -> None:
    if s.mover == 1:
        s.paid += cost
    else:
        s.paid_by_other += cost


def step(s: State, move: int) -> int:
    """The first step of the cheapest walk to a number, as a move of the rules."""
    x = s.current
    rest, first, least = [0] * (s.r + 1), 0, 0
    for number in range(1, s.r + 1):
        if number % x == 0 or x % number == 0:
            price = max(number // x, x // number) * (1 + s.is_taken[number])
            if number == move:
                cost = price
            else:
                walk(rest, rest, s.is_taken, s.r, number, s.r)
                cost = price + rest[move]
            if first == 0 or cost < least:
                first, least = number, cost
    return 2 * first + (first == move)


def follow(s: State, step: int) -> None:
    """Play a step."""
    number = step // 2
    if step % 2 == 1:
        price = max(number // s.current, s.current // number)
        s.cost[number] = price
        play(s, number)
    else:
        price = max(number // s.current, s.current // number) * (1 + s.is_taken[number])
        _pay(s, price)
        s.current = number
        find_costs(s)


def mover(s: State) -> int:
    return s.mover


def is_over(s: State) -> bool:
    return s.num_left == 0


def score(s: State, player: int) -> int:
    return s.paid if player == 1 else s.paid_by_other


def key(s: State) -> int:
    """The numbers that are left, and the current one."""
    return s.left | s.current << LARGEST + 1


def plies_left(s: State) -> int:
    """How many turns there are, the one that has begun among them."""
    return s.num_left


def settled(s: State) -> int:
    """What has been paid."""
    return s.paid_by_other - s.paid


def gain(s: State, move: int) -> int:
    """What the mover pays."""
    return -s.cost[move] if s.mover == 1 else s.cost[move]


def num_patterns(s: State) -> int:
    """How many patterns there are."""
    return (2 * s.r + 3) * (s.r + 1)


def patterns(s: State, out: list[int]) -> int:
    """Write the position's patterns, and return how many there are."""
    count = 0
    for y in range(1, s.r + 1):
        if s.left >> y & 1:
            count = _of_number(s.r + 1, y, s.left >> y + 1, out, count)
            out[count] = _from_current(s.r + 1, s.current, y)
            count += 1
    return count


def _of_number(size: int, y: int, above: int, out: list[int], count: int) -> int:
    """Add the patterns of a number that is left, alone and with each left one of those above it, as bits."""
    out[count] = y
    count += 1
    z = y + 1
    while above > 0:
        if above & 1:
            out[count] = size * (1 + y) + z
            count += 1
        above >>= 1
        z += 1
    return count


def _from_current(size: int, x: int, y: int) -> int:
    return size * (1 + size + x) + y


def changes(s: State, move: int, gone: list[int], come: list[int]) -> tuple[int, int]:
    """Write the patterns that a move takes away, and those that come instead; return how many of each."""
    size = s.r + 1
    gone[0] = move
    gone[1] = _from_current(size, s.current, move)
    num_gone, num_come = 2, 0
    for y in range(1, size):
        if y != move and s.left >> y & 1:
            gone[num_gone] = size * (1 + min(y, move)) + max(y, move)
            gone[num_gone + 1] = _from_current(size, s.current, y)
            num_gone += 2
            come[num_come] = _from_current(size, move, y)
            num_come += 1
    return num_gone, num_come


def alike(s: State) -> Ints:
    """No two patterns share a weight."""
    return np.arange(num_patterns(s))


def parts(s: State) -> Ints:
    """Patterns aren't made of parts."""
    return np.zeros((num_patterns(s), 0), np.int64)
