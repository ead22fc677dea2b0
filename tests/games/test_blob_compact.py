"""Blob's compact positions, as a search uses them, against the plain rules."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import after
from quet.distribution.task import difference, legal_moves
from quet.games.blob import compact, rules


def positions(n: int, left: int, number: int) -> Iterator[Any]:
    """Random positions with so many moves left."""
    generator = random.Random(n)
    for _ in range(number):
        s = rules.State()
        rules.start(s, n)
        for _ in range(2 * (n * n // 4) - left):
            rules.play(s, generator.choice(legal_moves(rules, s)))
        yield s


@pytest.mark.parametrize("n", range(3, 8))
def test_what_two_moves_before_the_end_is_worth_is_found_by_playing_them(n: int) -> None:
    for t in map(compact.of, positions(n, 2, 200)):
        worth = {}
        for move in legal_moves(compact, t):
            then = after(compact, t, move)
            worth[move] = min(difference(compact, after(compact, then, reply)) for reply in legal_moves(compact, then))
            change = worth[move] - difference(compact, then)
            for wanted in range(-2, 4):
                assert compact.withstands(t, move, wanted) == (change >= wanted)
        value = max(worth.values())
        assert compact.is_near_end(t)
        assert compact.ending(t, -n, n) == value
        for v in range(-n + 1, n + 1):
            assert compact.ending(t, v - 1, v) == (v if value >= v else v - 1)


@pytest.mark.parametrize("left", [0, 1, 3])
def test_other_positions_are_not_near_the_end(left: int) -> None:
    assert not any(compact.is_near_end(compact.of(s)) for s in positions(5, left, 5))


@pytest.mark.parametrize("n", range(2, 8))
def test_the_moves_are_put_in_the_order_of_what_they_promise(n: int) -> None:
    for left in (1, 2, 3, n):
        for s in positions(n, left, 10):
            t = compact.of(s)
            moves = legal_moves(compact, t)
            arranged = [*moves, 99]
            compact.arrange(t, arranged, len(moves))
            assert sorted(arranged[:-1]) == moves
            assert arranged[-1] == 99
            sign = 1 if compact.mover(t) == 1 else -1
            promises = [sign * compact.promise(t, move) for move in arranged[:-1]]
            assert promises == sorted(promises, reverse=True)


@pytest.mark.parametrize("n", range(2, 8))
def test_the_last_move_promises_what_it_changes(n: int) -> None:
    for s in positions(n, 1, 10):
        for move in legal_moves(rules, s):
            change = difference(rules, after(rules, s, move)) - difference(rules, s)
            assert compact.promise(compact.of(s), move) == 1_000_000 * change
