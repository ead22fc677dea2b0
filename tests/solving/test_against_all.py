"""A win of one of three or more players whatever all others do: it agrees with trying all games move by move."""

import random
import threading

import pytest

import quet
from quet.certificates import claims
from quet.core.rules import AnyState, legal_moves
from quet.core.state import copy, key
from quet.games.divisors_multiples import second
from quet.solving.against_all import winning_turn


def found(game: quet.Game, *, seconds: float = 60.0, stop: threading.Event | None = None) -> list[str]:
    turn = winning_turn(claims.of(game.id), game.entry.still_in, game.state, seconds=seconds, memory=2**24, stop=stop)
    return [game.rules.move_text(game.state, move) for move in turn]


def wins(game: quet.Game, s: AnyState, player: int, known: dict[object, bool]) -> bool:
    """Whether the player can be the only winner against all others, by the rules alone."""
    rules = game.rules
    if rules.is_over(s):
        sign = -1 if rules.LOWER_IS_BETTER else 1
        scores = [sign * rules.score(s, one) for one in range(1, rules.num_players(s) + 1)]
        return scores[player - 1] == max(scores) and scores.count(max(scores)) == 1
    here = key(s)
    if here not in known:
        is_own = rules.mover(s) == player
        known[here] = not is_own
        for move in legal_moves(rules, s):
            after = copy(s)
            rules.play(after, move)
            if wins(game, after, player, known) == is_own:
                known[here] = is_own
                break
    return known[here]


def agrees(game: quet.Game) -> bool:
    """Checks what is found against `wins`; returns whether the mover wins."""
    player = game.mover
    assert player is not None
    known: dict[object, bool] = {}
    turn = found(game)
    assert bool(turn) == wins(game, game.state, player, known)
    if turn:
        after = game.copy()
        for move in turn:
            after.play(move)
        assert wins(game, after.state, player, known)
    return bool(turn)


@pytest.mark.parametrize(
    "parameters",
    [{"n": 4, "players": 3, "grids": 2}, {"n": 5, "players": 4, "grids": 1}, {"n": 6, "players": 3, "grids": 2}],
    ids=str,
)
def test_it_agrees_with_all_games_of_coprimality(parameters: dict[str, int]) -> None:
    rng, outcomes = random.Random(1), set()
    for _ in range(40):
        game = quet.new("convoluted-coprimality", **parameters)
        while not game.is_over:
            game.play(rng.choice(game.legal_moves))
        outcomes.add(agrees(game.at(rng.randrange(max(0, game.ply - 12), game.ply))))
    assert outcomes == {True, False}


def test_it_agrees_with_all_games_of_divisors_multiples_move_by_move() -> None:
    """Where two numbers are left, all walks are tried and not only the cheapest; a turn may have begun."""
    rng, outcomes = random.Random(7), []
    for _ in range(8):
        game = quet.new("divisors-multiples", r=4, players=3)
        while game.state.num_taken < 2:
            game.play(rng.choice(game.legal_moves))
        for _ in range(rng.randrange(3)):
            game.play(rng.choice([move for move in game.legal_moves if not move.endswith("!")]))
        outcomes.append(agrees(game))
    assert set(outcomes) == {True, False}


@pytest.mark.parametrize(("r", "players"), [(9, 3), (9, 4)])
def test_it_agrees_with_all_cheapest_turns_of_divisors_multiples(r: int, players: int) -> None:
    """The cheapest walks are those of the second way to the game's results."""

    def wins(s: AnyState, player: int) -> bool:
        if s.num_taken == s.r:
            return bool(
                s.cost[player] < min(cost for one, cost in enumerate(s.cost[1 : players + 1], 1) if one != player)
            )
        mine: bool = s.mover == player
        for number, cost in second._stops(s).items():
            after = copy(s)
            after.cost[s.mover] += cost
            after.current, after.num_steps, after.mover = number, 0, s.mover % players + 1
            after.is_taken[number], after.num_taken = 1, s.num_taken + 1
            if wins(after, player) == mine:
                return mine
        return not mine

    rng, outcomes = random.Random(3), []
    for _ in range(24):
        game = quet.new("divisors-multiples", r=r, players=players)
        turns = claims.of(game.id).turns
        assert turns is not None
        while game.state.num_taken < r - 4:
            for move in rng.choice(turns(game.state)):
                game.play(game.rules.move_text(game.state, move))
        player, after = game.state.mover, game.copy()
        outcomes.append(bool(found(game)))
        assert outcomes[-1] == wins(after.state, player)
        for text in found(game):
            after.play(text)
        assert outcomes[-1] == wins(after.state, player)
    assert set(outcomes) == {True, False}


def test_nothing_is_found_without_time_or_after_a_stop() -> None:
    game = quet.new("divisors-multiples", r=12, players=3)
    for move in "3! 6 2! 4! 12! 6 3 9! 3 1 5!".split():
        game.play(move)
    stop = threading.Event()
    stop.set()
    assert found(game) == ["10!"]
    assert found(game, seconds=0.0) == found(game, stop=stop) == []
