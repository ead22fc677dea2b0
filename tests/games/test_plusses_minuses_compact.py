"""Compact positions of Plusses And Minuses, as a search uses them, against the plain rules."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import after
from quet.core.rules import difference, legal_moves
from quet.core.state import copy
from quet.games.plusses_minuses import compact, rules


def positions(n: int, left: int, number: int, first: int = 1) -> Iterator[Any]:
    """Random positions with so many plies left."""
    generator = random.Random(100 * n + left)
    for _ in range(number):
        s = rules.State()
        rules.start(s, n, first)
        for _ in range(3 * n - 2 - left):
            rules.play(s, generator.choice(legal_moves(rules, s)))
        yield s


def value(s: Any) -> int:
    """By trying all ends."""
    if rules.is_over(s):
        return difference(rules, s)
    then = [value(after(rules, s, move)) for move in legal_moves(rules, s)]
    return max(then) if rules.mover(s) == 1 else min(then)


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("n", range(2, 10))
def test_what_four_squares_before_the_end_is_worth_is_found_by_playing_them(n: int, first: int) -> None:
    for left in range(1, min(n, 4) + 1):
        for s in positions(n, left, 60 if left < 4 else 20, first):
            t = compact.of(s)
            before, worth = copy(t), value(s)
            assert compact.is_near_end(t)
            assert compact.ending(t, -n, n) == worth
            for v in range(2 - n, n):
                found = compact.ending(t, v - 1, v)
                assert found >= v if worth >= v else found <= v - 1
            assert t == before


@pytest.mark.parametrize("n", range(2, 10))
def test_other_positions_are_not_near_the_end(n: int) -> None:
    for left in range(min(n, 4) + 1, 3 * n - 1):
        assert not any(compact.is_near_end(compact.of(s)) for s in positions(n, left, 2))


def known_sign(line: list[int], other: list[int], k: int) -> int:
    """The sign at place k of the line when all that is still to be written is less, or more, than what stands there."""
    free = [number for number in range(1, len(line) + 1) if number not in line]
    assert sorted(free) == [i + 1 for i, number in enumerate(other) if number == rules.EMPTY]
    signs = {
        1 if b > a else -1
        for a in (free if line[k] == rules.EMPTY else [line[k]])
        for b in (free if line[k + 1] == rules.EMPTY else [line[k + 1]])
        if a != b
    }
    both_empty = line[k] == line[k + 1] == rules.EMPTY
    return 0 if both_empty or len(signs) > 1 else signs.pop()


@pytest.mark.parametrize("n", range(2, 10))
def test_what_can_be_reached_is_what_open_predictions_leave(n: int) -> None:
    for left in range(3 * n - 1):
        for s in positions(n, left, 30):
            lines = s.height[:n], s.column[:n]
            low = high = 0
            for player, sign in ((1, 1), (2, -1)):
                line, other = lines[player - 1], lines[2 - player]
                for k in range(n - 1):
                    known = known_sign(line, other, k)
                    predicted = s.predicted[2 * k + player - 1]
                    low += sign * (known != 0 and known == predicted) - (sign < 0 and known == 0)
                    high += sign * (known != 0 and known == predicted) + (sign > 0 and known == 0)
            assert compact.reach(compact.of(s)) == (low, high)


@pytest.mark.parametrize("n", [6, 8, 9])
def test_squares_are_put_in_the_order_of_what_they_leave_in_reach(n: int) -> None:
    for left in range(6, n + 1):
        for s in positions(n, left, 10):
            t = compact.of(s)
            before, moves = copy(t), legal_moves(compact, t)
            arranged = [*moves, 99]
            compact.arrange(t, arranged, len(moves))
            assert t == before and arranged[-1] == 99
            sign = -1 if compact.mover(t) == 1 else 1
            assert arranged[:-1] == sorted(moves, key=lambda move: (sign * middle(t, move), move))


def middle(t: Any, move: int) -> int:
    twin = copy(t)
    compact.play(twin, move)
    return sum(compact.reach(twin))


@pytest.mark.parametrize("symbols", ["", "+", "-", "-+", "+-", "--+", "++-", "-+-+-"])
def test_the_symbol_predicted_last_is_tried_first(symbols: str) -> None:
    n = 5
    s = rules.State()
    rules.start(s, n, 1)
    for symbol in symbols:
        rules.play(s, rules.read_move(s, symbol))
    moves = [n * n, n * n + 1]
    compact.arrange(compact.of(s), moves, 2)
    assert rules.move_text(s, moves[0]) == (symbols[-1:] or "-")
    assert sorted(moves) == [n * n, n * n + 1]
