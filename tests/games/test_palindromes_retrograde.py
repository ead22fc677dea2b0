"""Retrograde tables: every entry is the best of its successors, every end is scored by the referee."""

import functools
import itertools
import random
import threading
from typing import Any

import numpy as np
import pytest

import quet
from conftest import after
from quet.capabilities import found
from quet.core.errors import TooLarge
from quet.core.rules import legal_moves
from quet.core.state import copy
from quet.distribution.task import Task
from quet.distribution.workers import here
from quet.engine.deepening import Deepening
from quet.games.palindromes import exact, retrograde, rules
from quet.knowledge.values import exact_values


def state(m: int) -> rules.State:
    s = rules.State()
    rules.start(s, m)
    return s


def positions(m: int) -> list[rules.State]:
    """All of them: each square empty, 0 or 1."""
    found = []
    for digits in itertools.product((rules.EMPTY, 0, 1), repeat=m):
        s = state(m)
        s.digits[:m] = digits
        s.ply = m - digits.count(rules.EMPTY)
        found.append(s)
    return found


def difference(s: rules.State) -> int:
    return rules.score(s, 1) - rules.score(s, 2)


def solved(m: int) -> retrograde.Solution:
    table = retrograde.solve(state(m), Task(workers=here()))
    assert table is not None
    return table


@functools.cache
def filled(m: int) -> Any:
    """The entries of a table filled without a stop."""
    return solved(m).values


def test_a_position_is_known_by_its_filled_squares_and_their_digits() -> None:
    seen = set()
    for s in positions(5):
        squares, digits = retrograde.place(s)
        assert 0 <= digits < 1 << squares.bit_count()
        seen.add((squares, digits))
        twin = state(5)
        retrograde.make(twin, squares, digits)
        assert twin == s
    assert len(seen) == 3**5


@pytest.mark.parametrize("m", range(1, 9))
def test_what_a_symmetry_joins_is_worth_the_same(m: int) -> None:
    """The row turned round, and both digits exchanged; every second digit exchanged turns the score round."""
    for s in positions(m):
        if rules.is_over(s):
            turned, exchanged, every_second = copy(s), copy(s), copy(s)
            turned.digits[:m] = s.digits[:m][::-1]
            exchanged.digits[:m] = [1 - digit for digit in s.digits[:m]]
            every_second.digits[:m] = [digit ^ square & 1 for square, digit in enumerate(s.digits[:m])]
            assert difference(turned) == difference(exchanged) == difference(s)
            assert difference(every_second) == -difference(s)


@pytest.mark.parametrize("m", [1, 2, 4, 5, 7, 8])
def test_every_entry_is_the_best_of_its_successors(m: int) -> None:
    table = solved(m)
    for s in positions(m):
        if rules.is_over(s):
            assert table.value(s) == difference(s)
        else:
            values = [table.value(after(rules, s, move)) for move in legal_moves(rules, s)]
            assert table.value(s) == (max if rules.mover(s) == 1 else min)(values)  # type: ignore[type-var]


@pytest.mark.parametrize("m", range(1, 14))
def test_the_table_is_a_quarter_of_all_positions_and_those_that_are_their_own_images(m: int) -> None:
    assert len(filled(m)) == retrograde.num_entries(m) < retrograde.needed(state(m))
    own_images = 5 ** (m // 2) * (3 if m % 2 else 1)  # the row's set of filled squares is its own mirror image
    assert 4 * len(filled(m)) == 3**m + own_images + 2


@pytest.mark.parametrize("m", range(1, 13))
def test_the_table_agrees_with_alpha_beta(m: int) -> None:
    table, search = solved(m), Deepening(rules, found(exact), state(m))
    generator = random.Random(m)
    for _ in range(4):
        s = state(m)
        for _ in range(generator.randrange(m)):
            rules.play(s, generator.choice(legal_moves(rules, s)))
        result = search.run(s, leap=4)
        assert result.is_exact
        assert table.value(s) == result.value


def test_a_value_too_large_for_the_table_is_found_all_the_same() -> None:
    game = quet.new("palindromes", m=14)
    for square in range(1, 14):
        game.play(f"{square}=0")
    values = exact_values(game)
    differences = {}
    for move in game.legal_moves:
        twin = game.copy()
        twin.play(move)
        differences[move] = twin.scores[1] - twin.scores[0]
        assert solved(14).value(twin.state) in (None, -differences[move])
    assert values == differences
    assert min(differences.values()) < -2 * retrograde.LARGEST


def test_a_table_that_was_stopped_now_and_then_is_the_same() -> None:
    filling = retrograde.Filling(13)
    stop = threading.Event()
    reports: list[int] = []

    def report(done: int, total: int, words: str) -> None:
        assert (total, words) == (len(filled(13)), "positions of the table filled")
        reports.append(done)
        if len(reports) % 3 == 0:
            stop.set()

    num_stops = 0
    while not filling.run(stop=stop, report=report):
        assert not filling.is_full
        stop.clear()
        num_stops += 1
    assert num_stops > 3
    assert filling.is_full
    assert reports == sorted(set(reports))
    assert reports[-1] == len(filled(13))
    assert np.array_equal(filling.table.values, filled(13))


def test_a_table_that_was_interrupted_is_the_same() -> None:
    filling = retrograde.Filling(13)

    def interrupt(done: int, total: int, words: str) -> None:
        if done > total // 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        filling.run(report=interrupt)
    assert not filling.is_full
    assert filling.run()
    assert np.array_equal(filling.table.values, filled(13))


def test_the_table_does_not_depend_on_the_number_of_threads() -> None:
    """A row of 16 squares: its full rows and its layers make several portions, which are filled at the same time."""
    one = retrograde.Filling(16)
    assert one.run(num_threads=1)
    for num_threads in (2, 2, 2, 4, 4, 4):
        other = retrograde.Filling(16)
        assert other.run(num_threads=num_threads)
        assert np.array_equal(other.table.values, one.table.values)


def test_without_time_there_is_no_table() -> None:
    retrograde.begun.cache_clear()
    assert retrograde.solve(state(12), Task(seconds=0.0, workers=here())) is None
    stop = threading.Event()
    stop.set()
    assert not retrograde.Filling(12).run(stop=stop)


def test_a_table_that_does_not_fit_is_refused() -> None:
    with pytest.raises(TooLarge, match=r"needs 8\d\d MB of memory and may use 512 MB"):
        retrograde.solve(state(20), Task(memory=2**29))


def test_a_table_that_this_process_fills_alone_is_gone_on_with() -> None:
    retrograde.begun.cache_clear()
    filling, _ = retrograde.begun(13)
    assert retrograde.solve(state(13), Task(seconds=0.0, workers=here())) is None
    table = retrograde.solve(state(13), Task(workers=here()))
    assert table is filling.table
