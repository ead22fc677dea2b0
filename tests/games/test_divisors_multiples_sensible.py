"""Sensible moves of Divisors/Multiples: some of the legal ones, among them a cheapest way to every number left."""

import random

import pytest

import quet
from conftest import play_at_random
from quet.core.rules import legal_moves
from quet.games.divisors_multiples import exact, rules, sensible
from quet.knowledge.values import exact_values


@pytest.mark.parametrize("parameters", [{"r": 2}, {"r": 9, "players": 3}, {"r": 17}, {"r": 60}])
def test_sensible_moves_are_legal_and_fewer_and_there_is_always_one(parameters: dict[str, int]) -> None:
    game = quet.new("divisors-multiples", **parameters)
    num_legal = num_sensible = 0
    for _ in play_at_random(game, 3):
        legal, found = legal_moves(rules, game.state), legal_moves(sensible, game.state)
        assert set(found) <= set(legal)
        assert len(set(found)) == len(found)
        assert bool(found) is not game.is_over
        num_legal += len(legal)
        num_sensible += len(found)
    assert num_sensible < num_legal or parameters["r"] == 2


def test_every_number_left_is_reached_in_the_cheapest_way_by_sensible_moves() -> None:
    for game in play_at_random(quet.new("divisors-multiples", r=24), 1):
        s = game.state
        if game.is_over:
            continue
        cost, room = [0] * (s.r + 1), [0] * (s.r + 1)
        exact.walk(cost, room, s.is_taken, s.r, s.current, 2 * s.r - s.num_steps)
        wanted = {y: cost[y] for y in range(1, s.r + 1) if not s.is_taken[y]}
        assert cheapest_turns(game) == wanted


def cheapest_turns(game: quet.Game) -> dict[int, int]:
    """What each number costs the mover to stop on, by sensible moves alone."""
    mover = game.mover
    found: dict[int, int] = {}
    seen: dict[int, int] = {}
    waiting = [game]
    while waiting:
        at = waiting.pop()
        for move in legal_moves(sensible, at.state):
            after = at.copy()
            after.play(rules.move_text(at.state, move))
            paid = after.state.cost[mover] - game.state.cost[mover]
            if move % 2:
                found[move // 2] = min(paid, found.get(move // 2, paid))
            elif paid < seen.get(move // 2, 1 << 30):
                seen[move // 2] = paid
                waiting.append(after)
    return found


def test_where_only_the_current_number_is_left_it_may_be_stopped_at() -> None:
    game = quet.new("divisors-multiples", r=2)
    game.play("2")
    assert legal_moves(sensible, game.state) == [5]


def test_no_best_move_is_lost_in_the_middle_of_a_turn() -> None:
    games = [quet.position("divisors-multiples", "3 3 6 2! 1 5", r=6)]
    for seed in range(4):
        games += [game.copy() for game in play_at_random(quet.new("divisors-multiples", r=7), seed)]
    going_on = [game for game in games if game.state.num_steps]
    assert any(not game.state.is_taken[game.state.current] for game in going_on)
    for game in going_on:
        values = exact_values(game)
        assert values is not None
        found = [values[rules.move_text(game.state, move)] for move in legal_moves(sensible, game.state)]
        assert max(found) == max(values.values())


def test_a_long_turn_and_a_large_r_leave_every_legal_move() -> None:
    game = quet.new("divisors-multiples", r=4)
    for _ in range(5):
        game.play("1")
    assert legal_moves(sensible, game.state) == legal_moves(rules, game.state)
    large = quet.new("divisors-multiples", r=sensible.LARGEST + 1)
    assert legal_moves(sensible, large.state) == legal_moves(rules, large.state)


@pytest.mark.long
def test_sensible_moves_are_the_same_compiled() -> None:
    from quet.engine.tree import TreeSearch

    generator = random.Random(5)
    game = quet.new("divisors-multiples", r=17)
    for _ in range(12):
        found = TreeSearch(sensible, game.state, seed=1).run(simulations=200)
        assert {c.move for c in found.candidates} == set(legal_moves(sensible, game.state))
        game.play(rules.move_text(game.state, generator.choice(game.legal_numbers())))
