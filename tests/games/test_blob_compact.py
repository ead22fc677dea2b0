"""Blob's compact positions, as a search uses them, against the plain rules."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from conftest import after
from quet import catalog
from quet.core.rules import difference, legal_moves
from quet.core.state import copy
from quet.engine import arrays
from quet.engine.compiled import compiled
from quet.engine.deepening import Deepening
from quet.games.blob import compact, exact, rules
from quet.games.blob.lines import MODULUS, SQUARE, signed


def positions(n: int, left: int, number: int) -> Iterator[Any]:
    """Random positions with so many moves left."""
    generator = random.Random(n)
    for _ in range(number):
        s = rules.State()
        rules.start(s, n)
        for _ in range(2 * (n * n // 4) - left):
            rules.play(s, generator.choice(legal_moves(rules, s)))
        yield s


@pytest.mark.parametrize("n", range(3, 9))
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


@pytest.mark.parametrize("n", range(2, 9))
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


@pytest.mark.parametrize("n", range(2, 9))
def test_the_last_move_promises_what_it_changes(n: int) -> None:
    for s in positions(n, 1, 10):
        for move in legal_moves(rules, s):
            change = difference(rules, after(rules, s, move)) - difference(rules, s)
            assert compact.promise(compact.of(s), move) == 1_000_000 * change


@pytest.mark.parametrize("n", [7, 8])
def test_compiled_games_are_those_of_the_rules(n: int) -> None:
    """On 8 by 8 the highest bit is the sign of a number."""
    bits = compiled(compact)
    generator = random.Random(n)
    for corner in [0, n * n - 1] * 10:
        s = rules.State()
        rules.start(s, n)
        t = arrays.pack([compact.of(s)])[0]
        move = corner
        while True:
            bits.play(t, move)
            rules.play(s, move)
            assert arrays.unpack(t, compact.State) == compact.of(s)
            assert (bits.score(t, 1), bits.score(t, 2)) == (rules.score(s, 1), rules.score(s, 2))
            assert bits.key(t) == compact.key(compact.of(s)) == exact.key(s)
            assert bits.is_over(t) == rules.is_over(s)
            if rules.is_over(s):
                break
            moves = legal_moves(rules, s)
            out = np.zeros(n * n, np.int64)
            assert out[: bits.legal_moves(t, out)].tolist() == moves == legal_moves(compact, compact.of(s))
            move = generator.choice(moves)


@pytest.mark.parametrize("n", [7, 8])
def test_the_search_finds_the_values_of_ends(n: int) -> None:
    """Against all ways to play the last four moves."""
    entry = catalog.get("blob")
    for start in positions(n, 4, 6):
        search, capabilities, s = entry.capabilities.for_search(entry.rules, copy(start))
        found = Deepening(search, capabilities, s).run(s)
        assert found.is_exact
        assert found.value == value_of(start, {})


def value_of(s: Any, known: dict[tuple[int, ...], int]) -> int:
    """By the rules alone."""
    if rules.is_over(s):
        return difference(rules, s)
    filled = tuple(s.cells)
    if filled not in known:
        best = max if rules.mover(s) == 1 else min
        known[filled] = best(value_of(after(rules, s, move), known) for move in legal_moves(rules, s))
    return known[filled]


def test_each_bit_has_a_remainder_of_its_own() -> None:
    assert [int(SQUARE[signed(1 << square) % MODULUS]) for square in range(64)] == list(range(64))
