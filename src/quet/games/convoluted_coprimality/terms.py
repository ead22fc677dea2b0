"""The first values for two players from the rules alone, as a program for readers who have nothing else."""

from collections.abc import Sequence
from math import gcd

GRIDS = 10  # after so many blocked grids the players share the win
LAST = {"value": 35}


def beside(x: int, y: int) -> list[tuple[int, int]]:
    """The squares above, below, left and right of a square, also those outside the grid."""
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def is_prime(k: int) -> bool:
    """Whether k has exactly two divisors."""
    return k > 1 and all(k % d for d in range(2, k))


def a(n: int) -> int:
    """Try all games, grid by grid from the last one. A player who is eliminated loses at once."""

    def value(path: Sequence[tuple[int, int]], player: int, blocked: int) -> int:
        """What a position is worth to player 1; blocked is what a blocked grid is worth."""
        number = len(path) + 1
        win = 1 if player == 1 else -1
        values = []
        for x, y in beside(*path[-1]):
            near = [path.index(square) + 1 for square in beside(x, y) if square in path]
            is_inside = min(x, y) > 0 and max(x, y) < n - 1
            if min(x, y) < 0 or max(x, y) >= n or (x, y) in path or (is_inside and len(near) < 2):
                continue
            if any(gcd(number, other) > 1 for other in near):
                values.append(-win)
            else:
                following = 3 - player if is_prime(number) else player
                values.append(value([*path, (x, y)], following, blocked))
            if win in values:
                return win
        return blocked if not values else max(values) if player == 1 else min(values)

    found = 0
    for _ in range(GRIDS):
        found = value([(0, 0)], 1, found)
    return found
