"""The first values from the rules alone, as a program for readers who have nothing else."""

from collections.abc import Sequence
from functools import cache

SECOND_PART_FIRST = 1  # the player who fills the first square
LAST = {"value": 5}


def agreeing(signs: str, order: Sequence[int]) -> int:
    """In how many places the signs tell whether the next number is larger."""
    return sum(signs[k] == "-+"[order[k + 1] > order[k]] for k in range(len(signs)))


def a(n: int) -> int:
    """Try all games. The predictions stand in one text, those of player 1 in its even places."""

    @cache
    def value(signs: str, squares: frozenset[tuple[int, int]]) -> int:
        if len(signs) < 2 * (n - 1):
            player = 1 + len(signs) % 2
            values = [value(signs + sign, squares) for sign in "+-"]
        elif len(squares) < n:
            player = SECOND_PART_FIRST if len(squares) % 2 == 0 else 3 - SECOND_PART_FIRST
            columns = set(range(n)) - {column for column, _ in squares}
            rows = set(range(n)) - {row for _, row in squares}
            values = [value(signs, squares | {(c, r)}) for c in columns for r in rows]
        else:
            heights = [row for _, row in sorted(squares)]
            places = sorted(range(n), key=lambda column: heights[column])
            return agreeing(signs[::2], heights) - agreeing(signs[1::2], places)
        return max(values) if player == 1 else min(values)

    return value("", frozenset())
