"""The value of a position and one best move, found in narrow windows: the same as by the values of all moves."""

import random
from dataclasses import replace
from typing import Any

import pytest

import quet
from quet.core.rules import AnyState
from quet.distribution.task import Task
from quet.engine.deepening import Iteration
from quet.knowledge.known import Budget
from quet.knowledge.values import exact_values, solved_best
from quet.solving.valuers import ByAlphaBeta

GAMES = ["blob n=4", "blob n=5", "plusses-minuses n=4", "plusses-minuses n=5 second_part_first=2", "up-and-up n=3"]
MEMORY = 16 * 2**20


def _positions(text: str, number: int) -> list[quet.Game]:
    """Positions near the ends of random games."""
    id, *parameters = text.split()
    found: list[quet.Game] = []
    chance = random.Random(text)
    while len(found) < number:
        game, passed = quet.new(id, **dict(word.split("=") for word in parameters)), []
        while not game.is_over:
            passed.append(game.copy())
            game.play(chance.choice(game.legal_moves))
        found += chance.sample(passed[-9:], 2)
    return found


@pytest.mark.parametrize("text", GAMES)
def test_the_value_and_the_move_are_right_in_random_positions(text: str) -> None:
    for game in _positions(text, 24):
        values = exact_values(game, seconds=60.0)
        found = solved_best(game, Budget(60.0))
        assert values is not None and found is not None
        low, high, move = found
        assert low == high == values[move] == max(values.values())


def test_large_values_far_from_a_short_look_are_found() -> None:
    """In Palindromes by alpha-beta, where values lie up to 40 points from those of a short look."""
    for game in _positions("palindromes m=10", 12):
        values = exact_values(game, seconds=60.0)
        valuer = ByAlphaBeta(game.rules, game.entry.capabilities, game.state, memory=MEMORY)
        found = valuer.best(game.state, Task(seconds=60.0))
        assert values is not None and found.is_exact
        sign = 1 if game.mover == 1 else -1
        assert sign * found.low == values[game.rules.move_text(game.state, found.move)] == max(values.values())
        assert valuer.nodes > 0


def test_without_time_nothing_is_found() -> None:
    game = quet.new("blob", n=5)
    valuer = ByAlphaBeta(game.rules, game.entry.capabilities, game.state, memory=MEMORY)
    valuer.prepare()
    assert valuer.best(game.state, Task(seconds=0.0)) == (-5, 5, -1)
    assert solved_best(game, Budget(0.0)) is None


@pytest.mark.parametrize(("id", "n", "most"), [("plusses-minuses", 6, 25_000), ("blob", 5, 10_000)])
def test_a_game_that_has_bits_is_searched_in_bits(id: str, n: int, most: int) -> None:
    """Its plain rules have no bounds of what can be reached, no order and no ends: they take 538,009 and 36,490."""
    game = quet.new(id, n=n)
    valuer = ByAlphaBeta(game.rules, game.entry.capabilities, game.state, memory=MEMORY)
    found = valuer.best(game.state, Task(seconds=60.0))
    assert found.is_exact and found.low == 0
    assert valuer.nodes < most


@pytest.mark.parametrize("most_windows", [1, 2, 3])
def test_a_search_that_is_stopped_has_bounds_and_a_move_that_reaches_the_worse_one(
    most_windows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    within, num_moves, num_calls = ByAlphaBeta._within, 0, 0

    def stopped(self: ByAlphaBeta, s: AnyState, *limits: Any) -> Iteration:
        nonlocal num_calls
        num_calls += 1
        found = within(self, s, *limits)
        return found if num_calls <= most_windows else replace(found, is_exact=False)

    for game in _positions("palindromes m=10", 12):
        values = exact_values(game, seconds=60.0)
        valuer = ByAlphaBeta(game.rules, game.entry.capabilities, game.state, memory=MEMORY)
        with monkeypatch.context() as changed:
            num_calls = 0
            changed.setattr(ByAlphaBeta, "_within", stopped)
            found = valuer.best(game.state, Task(seconds=60.0))
        low, high = (found.low, found.high) if game.mover == 1 else (-found.high, -found.low)
        assert values is not None and low <= max(values.values()) <= high
        if found.move >= 0:
            num_moves += not found.is_exact
            assert values[game.rules.move_text(game.state, found.move)] >= low
        else:
            assert low == valuer.search.bounds[0]
    assert num_moves > 0 or most_windows == 1
