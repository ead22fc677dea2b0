"""What a solver may use of this game: a key for each position, the same for positions that a symmetry joins."""

from typing import TYPE_CHECKING

from .lines import LARGEST, signed
from .rules import FULL, State

if TYPE_CHECKING:
    from quet.distribution.task import Task
    from quet.engine.arrays import Ints

ALLOCATES = False  # what a search calls makes no list
COMPACT = f"{__package__}.compact"  # the same game for a search alone


def fits(s: State) -> bool:
    """Whether keys tell all positions of this size apart: a bit a square."""
    return s.n <= LARGEST


def left_in_any_order(s: State) -> int:
    """The squares that are still to be filled."""
    return 2 * (s.n * s.n // 4) - s.ply


def bounds(s: State) -> tuple[int, int]:
    """The lowest and highest value that any position of this size can have."""
    return -s.n, s.n


def key(s: State) -> int:
    """The filled squares as bits, the same for a grid and its mirror images left to right and top to bottom.

    The other symmetries of the square exchange rows and columns, and so the players.
    """
    n = s.n
    plain = across = upside = both = 0
    for row in range(n):
        for column in range(n):
            if s.cells[row * n + column] == FULL:
                plain |= 1 << (row * n + column)
                across |= 1 << (row * n + n - 1 - column)
                upside |= 1 << ((n - 1 - row) * n + column)
                both |= 1 << ((n - 1 - row) * n + n - 1 - column)
    return min(min(signed(plain), signed(across)), min(signed(upside), signed(both)))


def has_replies(s: State) -> bool:
    """Whether alpha-beta makes strategies, many positions at once."""
    return s.n == 7


def replies(s: State, value: int, player: int, task: "Task") -> "Ints":
    """A strategy of a player that holds the value, as `Replies` says; for n = 7."""
    from .replies import Strategy

    return Strategy(s, value, player, task).replies()
