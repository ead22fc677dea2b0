"""The first values for two players from the rules alone, as a program for readers who have nothing else."""

from functools import cache

LAST = {"value": 14}


def a(n: int) -> int:
    """Try all games in which each turn is a cheapest walk to the number where it stops."""

    def costs(x: int, taken: frozenset[int]) -> dict[int, int]:
        """The cost of the cheapest walk from x to each number (Dijkstra's algorithm)."""
        found: dict[int, int] = {}
        reached = {x: 0}
        while reached:
            y = min(reached, key=lambda z: reached[z])
            found[y] = reached.pop(y)
            for z in set(range(1, n + 1)) - found.keys():
                if y % z == 0 or z % y == 0:
                    cost = found[y] + max(y, z) // min(y, z) * (2 if z in taken else 1)
                    reached[z] = min(cost, reached.get(z, cost))
        return found

    @cache
    def value(x: int, taken: frozenset[int]) -> int:
        """The further cost of the player to move minus that of the other."""
        walks = [(y, cost) for y, cost in costs(x, taken).items() if y not in taken]
        return min((cost - value(y, taken | {y}) for y, cost in walks), default=0)

    return value(1, frozenset({1}))
