"""The rules with fewer moves to choose from: only first steps of the cheapest ways to the numbers not taken.

After a turn it only matters where it stopped and what it cost. So a dearer way to the same number can't be better, and
a search that leaves it out loses nothing; of equally cheap ways it keeps one. In the middle of a turn the current
number may be free, and to stop there is one of the ways. The player may still choose another number, so not every turn
that is kept is a cheapest way.
"""

from . import rules
from .rules import ALLOCATES, LOWER_IS_BETTER, State, is_over, most_moves, mover, num_players, play, score

__all__ = [
    "ALLOCATES",
    "LOWER_IS_BETTER",
    "State",
    "is_over",
    "legal_moves",
    "most_moves",
    "mover",
    "num_players",
    "play",
    "score",
]

LARGEST = 256  # r up to which ways are looked for; beyond it that would take too long
FAR = 1 << 40
COST = 1024  # a way is its cost times this, plus its first number, plus LONG where it has more than one step
LONG = 512


def legal_moves(s: State, out: list[int]) -> int:
    """Write the moves worth looking into to the front of `out`; return how many.

    They are all the legal ones where r is large or a turn is long.
    """
    if s.r > LARGEST or s.num_steps > s.r or s.num_taken == s.r:
        return rules.legal_moves(s, out)
    find_ways(s, out)
    for z in range(1, s.r + 1):
        out[s.r + z - 1] = 0  # 1 when going on to z is among the moves
    count = 0
    for y in range(1, s.r + 1):
        if s.is_taken[y]:
            continue
        first = out[y - 1] % LONG
        if out[y - 1] % COST < LONG:
            out[count] = 2 * first + 1
            count += 1
        elif out[s.r + first - 1] == 0:
            out[s.r + first - 1] = 1
            out[count] = 2 * first
            count += 1
    return count


def find_ways(s: State, out: list[int]) -> None:
    """Write the cheapest way from the current number to each y to out[y - 1], to a taken one only where y is another.

    Ways grow by one step at a time, until none becomes cheaper (the algorithm of Bellman and Ford).
    """
    x = s.current
    for y in range(1, s.r + 1):
        out[y - 1] = FAR
        if y < x and x % y == 0:
            out[y - 1] = x // y * (1 + s.is_taken[y]) * COST + y
        elif y > x and y % x == 0:
            out[y - 1] = y // x * (1 + s.is_taken[y]) * COST + y
    out[x - 1] = COST + x  # to stop where it stands; nobody asks for it where x is taken
    is_new = True
    while is_new:
        is_new = False
        for y in range(1, s.r // 2 + 1):
            ratio = COST
            for multiple in range(2 * y, s.r + 1, y):
                ratio += COST
                if y == x or multiple == x:
                    continue
                up = (out[y - 1] | LONG) + ratio * (1 + s.is_taken[multiple])
                down = (out[multiple - 1] | LONG) + ratio * (1 + s.is_taken[y])
                if up < out[multiple - 1]:
                    out[multiple - 1] = up
                    is_new = True
                elif down < out[y - 1]:
                    out[y - 1] = down
                    is_new = True
