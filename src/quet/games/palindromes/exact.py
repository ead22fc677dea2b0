"""What a solver may use of this game: a table of its own, and keys that are equal where a symmetry joins positions."""

from typing import TYPE_CHECKING

from quet.engine.walking import sort

from . import rest, retrograde
from .retrograde import Solution
from .rules import EMPTY, State

if TYPE_CHECKING:
    from quet.distribution.task import Task

__all__ = ["Solution", "arrange", "bounds", "fits", "is_quick", "key", "needed", "solve"]

ALLOCATES = False  # what a search calls makes no list
METHOD = "retrograde analysis of all positions"
SORTED = 6  # moves up to which sorting them costs more than it saves
NEAR = 6  # pairs that are no farther apart than this count four times as much as those one step farther


def fits(s: State) -> bool:
    """Whether keys tell all positions of this size apart."""
    return s.m <= 39


def is_whole(s: State) -> bool:
    """Whether the table of the whole row is to be made, not that of what can come after s."""
    return retrograde.is_quick(s) or rest.needed(s) >= retrograde.needed(s)


def needed(s: State) -> int:
    """Bytes that the smaller of the two tables takes, as far as the table of the whole row isn't quick."""
    return retrograde.needed(s) if is_whole(s) else rest.needed(s)


def is_quick(s: State) -> bool:
    """Whether the table is made in half a second."""
    return needed(s) <= retrograde.QUICK


def solve(s: State, task: "Task") -> Solution | rest.Rest | None:
    """The table of the whole row or, where that isn't quick, of all that can come after s, if it is smaller.

    None where the time is over before it is full. Raises TooLarge when it doesn't fit into the task's memory.
    """
    return retrograde.solve(s, task) if is_whole(s) else rest.solve(s, task)


def bounds(s: State) -> tuple[int, int]:
    """The lowest and highest value that any position of this size can have."""
    most = 0
    for centre in range(1, s.m):
        half = min(centre, s.m - centre)
        most += half * (half + 1)
    return -most, most


def key(s: State) -> int:
    """A number from 0 to 3^m - 1, the same for a row, its mirror image, and both with 0 and 1 exchanged.

    Each of these maps palindromes to palindromes and antipalindromes to antipalindromes.
    """
    forwards = backwards = forwards_other = backwards_other = 0
    for square in range(s.m):
        digit = s.digits[square] + 1
        forwards = 3 * forwards + digit
        forwards_other = 3 * forwards_other + (digit if digit == 0 else 3 - digit)
        digit = s.digits[s.m - 1 - square] + 1
        backwards = 3 * backwards + digit
        backwards_other = 3 * backwards_other + (digit if digit == 0 else 3 - digit)
    return min(min(forwards, backwards), min(forwards_other, backwards_other))


def arrange(s: State, moves: list[int], count: int) -> None:
    """Sort the moves by the pairs that they complete, the best for the mover first; near pairs count most.

    A pair is two squares at the same distance from a centre. Player 1 wants equal digits in it, player 2 others.
    """
    if count <= SORTED:
        return
    sign = -1 if s.ply % 2 == 0 else 1
    for k in range(0, count, 2):  # the two digits of a square
        square = moves[k] // 2
        gain = 0  # of player 1, if the square gets 1
        for other in range((square + 1) % 2, s.m, 2):
            if s.digits[other] != EMPTY:
                weight = 1 << 2 * max(0, NEAR - abs(square - other) // 2)
                gain += weight if s.digits[other] == 1 else -weight
        # For sorting, a gain and its move are put into one number.
        moves[k] = -sign * gain << 8 | 2 * square
        moves[k + 1] = sign * gain << 8 | 2 * square + 1
    sort(moves, count)
    for k in range(count):
        moves[k] &= (1 << 8) - 1
