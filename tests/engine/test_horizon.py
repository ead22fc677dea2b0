"""Alpha-beta with learned weights: values are those of minimax, exact where games end, and moves suit them."""

import threading

import numpy as np
import pytest

import quet
from quet.core.errors import TooLarge
from quet.core.rules import AnyState
from quet.core.state import copy
from quet.engine import deepening
from quet.engine.horizon import POINT
from quet.engine.horizon_search import HorizonSearch, Weights
from quet.games.blob import patterns
from quet.games.divisors_multiples import patterns as turns


def weights_of(game: quet.Game, seed: int = 1, error: float = 1e6) -> Weights:
    """Weights at random. As they may be far off, no move seems hopeless."""
    s = patterns.of(game.state)
    shape = patterns.plies_left(s) + 1, patterns.num_patterns(s) + 1
    rows = np.random.default_rng(seed).integers(-POINT, POINT, shape, dtype=np.int32)
    return Weights(rows, np.full(len(rows), error))


def search(game: quet.Game, weights: Weights, **options: int) -> HorizonSearch:
    return HorizonSearch(patterns, patterns.of(game.state), weights, **options)


def opened(n: int, *moves: str) -> quet.Game:
    game = quet.new("blob", n=n)
    for move in moves:
        game.play(move)
    return game


def minimax(s: patterns.State, depth: int, weights: Weights) -> int:
    """What alpha-beta should find, from the definition."""
    if patterns.is_over(s):
        return (s.good_rows - s.good_columns) * POINT
    if depth == 0:
        row, out = weights.rows[patterns.plies_left(s)], [0] * patterns.num_patterns(s)
        return int(row[-1] + sum(row[out[i]] for i in range(patterns.patterns(s, out))))
    found = [minimax(after, depth - 1, weights) for after in successors(s)]
    return max(found) if patterns.mover(s) == 1 else min(found)


def successors(s: patterns.State) -> list[AnyState]:
    out = [0] * patterns.most_moves(s)
    made = []
    for move in out[: patterns.legal_moves(s, out)]:
        made.append(copy(s))
        patterns.play(made[-1], move)
    return made


@pytest.mark.parametrize("depth", range(1, 6))
def test_the_value_is_that_of_minimax(depth: int) -> None:
    """The last depth ends all games."""
    game = opened(5, "b2", "b3", "c3", "d3", "d4", "c2", "e4")
    weights = weights_of(game)
    s = patterns.of(game.state)
    made = HorizonSearch(patterns, s, weights)
    found = made.run(simulations=1 << 40, depth=depth)
    assert (found.depth, found.is_solved) == (depth, depth == patterns.plies_left(s))
    assert made.value == minimax(s, depth, weights)
    after = patterns.of(game.after(game.rules.move_text(game.state, found.move)).state)
    assert minimax(after, depth - 1, weights) == minimax(s, depth, weights)


def test_each_ply_deeper_uses_the_table_of_the_one_before_and_finds_the_same() -> None:
    game = opened(5, "c3", "c4", "d4", "b3", "b2")
    weights = weights_of(game)
    s = patterns.of(game.state)
    one = HorizonSearch(patterns, s, weights)
    for depth in range(1, 5):
        one.run(simulations=1 << 40, depth=depth)
        assert one.value == minimax(s, depth, weights)


def test_where_games_end_weights_play_no_part() -> None:
    game = opened(5, "b2", "b3", "c3", "d3")
    found = [search(game, weights_of(game, seed)).run(simulations=1 << 40) for seed in (1, 2)]
    assert all(one.is_solved and one.candidates[0].is_solved for one in found)
    assert found[0].candidates[0].value == found[1].candidates[0].value
    assert not any(one.is_solved for one in found[0].candidates[1:])


def test_moves_that_seem_hopeless_are_left_out_unless_games_end_within_the_search() -> None:
    game = opened(5, "b2", "b3", "c3", "d3", "d4")
    sure, unsure = (search(game, weights_of(game, error=error)) for error in (0.01, 1e6))
    assert sure.run(depth=5).num_simulations < unsure.run(depth=5).num_simulations / 2
    assert sure.run(depth=20).is_solved and unsure.run(depth=20).is_solved
    assert sure.value == unsure.value


def test_a_search_that_is_stopped_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices of any size visit the same nodes and find the same."""
    game = opened(5, "c3", "c4")
    weights = weights_of(game)
    whole = search(game, weights).run(simulations=1 << 40, depth=6)
    monkeypatch.setattr(deepening, "FIRST_SLICE", 7)
    monkeypatch.setattr(deepening, "SLICE", 0.0)
    found = search(game, weights).run(depth=6, stop=threading.Event())
    assert (found.move, found.candidates, found.line) == (whole.move, whole.candidates, whole.line)


def test_limits_end_the_search_with_a_legal_move() -> None:
    game = opened(6, "c3")
    stop = threading.Event()
    stop.set()
    for limits in ({"simulations": 1}, {"simulations": 500}, {"seconds": 0.0}, {"stop": stop}, {}):
        found = search(game, weights_of(game)).run(**limits)
        assert game.rules.move_text(game.state, found.move) in game.legal_moves
        assert sorted(one.move for one in found.candidates) == sorted(game.legal_numbers())
    assert search(game, weights_of(game)).run(simulations=20_000).num_simulations <= 20_000 + 64


def test_the_line_can_be_played_and_the_search_follows_the_game() -> None:
    game = opened(6, "c3")
    made = search(game, weights_of(game))
    while not game.is_over:
        found = made.run(simulations=3_000)
        line = game.copy()
        for move in found.line:
            line.push(move)
        made.advance(found.move)
        game.push(found.move)


@pytest.mark.long
def test_a_turn_of_several_moves_is_one_move_of_the_search() -> None:
    """In Divisors/Multiples the line goes to the end by moves of the rules, and makes the value that was found."""
    game = quet.new("divisors-multiples", r=9)
    for move in ("3!", "6"):
        game.play(move)
    s = turns.of(game.state)
    weights = Weights(np.zeros((9, turns.num_patterns(s) + 1), np.int32), np.ones(9))
    made = HorizonSearch(turns, s, weights)
    value = quet.value(game)
    found = made.run(simulations=1 << 40, depth=9)
    assert found.is_solved and (found.depth, turns.plies_left(s)) == (7, 7)
    assert value is not None and value.is_exact and made.value / POINT == value.low
    played, made_value = 0, made.value
    while not game.is_over:
        number = made.run(simulations=1 << 40, depth=9).move
        made.advance(number)
        game.push(number)
        played += 1
    assert played > 7
    assert game.state.cost[2] - game.state.cost[1] == made_value / POINT


def test_too_little_memory_is_refused() -> None:
    with pytest.raises(TooLarge):
        search(opened(4), weights_of(opened(4)), memory=1000)
