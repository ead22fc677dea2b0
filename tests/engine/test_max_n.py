"""Max-n: the same as exact values where two play, and as a plain recursion where three do."""

import random
from fractions import Fraction
from typing import Any

import pytest

import quet
from quet.core.state import copy
from quet.engine.max_n import MaxN
from quet.knowledge.values import exact_values


def test_what_is_best_for_many_players_is_best_for_two() -> None:
    generator = random.Random(1)
    choices = 0
    for n in (4, 5, 6) * 10:
        game = quet.new("convoluted-coprimality", n=n, grids=2)
        max_n = MaxN(game.rules)
        while not game.is_over:
            if len(game.legal_moves) > 1:
                values = exact_values(game, seconds=60)
                assert values is not None
                best = sorted(move for move, value in values.items() if value == max(values.values()))
                assert sorted(texts(game, max_n.best(game.state, 100_000))) == best
                choices += len(best) < len(values)
            game.play(generator.choice(game.legal_moves))
    assert choices > 10


@pytest.mark.parametrize(
    ("id", "parameters"),
    [
        ("convoluted-coprimality", {"n": 4, "players": 3, "grids": 2}),
        ("convoluted-coprimality", {"n": 5, "players": 4, "grids": 1}),
        ("divisors-multiples", {"r": 3, "players": 3}),
    ],
)
def test_the_shares_are_those_of_a_plain_recursion(id: str, parameters: dict[str, int]) -> None:
    game = quet.new(id, **parameters)
    found = MaxN(game.rules).after(game.state, 100_000)
    assert found is not None
    assert set(found) == set(game.legal_numbers())
    for move, shares in found.items():
        assert shares == pytest.approx(
            [float(share) for share in plain(game.rules, played(game.rules, game.state, move))]
        )


def test_a_position_that_is_too_large_is_given_up_and_solved_when_asked_again_with_more() -> None:
    game = quet.new("convoluted-coprimality", n=8, players=4)
    max_n = MaxN(game.rules)
    assert max_n.after(game.state, 100) is None
    assert max_n.num_positions <= 100
    assert max_n.best(game.state, 100) == []
    assert max_n.after(game.state, 10_000) is not None
    assert max_n.after(game.state, 0) is not None  # as nothing new is met


def texts(game: quet.Game, moves: list[int]) -> list[str]:
    return [game.rules.move_text(game.state, move) for move in moves]


def played(rules: Any, s: Any, move: int) -> Any:
    twin = copy(s)
    rules.play(twin, move)
    return twin


def plain(rules: Any, s: Any) -> list[Fraction]:
    """The shares by the definition, each position solved as often as it is met."""
    players = range(1, rules.num_players(s) + 1)
    if rules.is_over(s):
        scores = [rules.score(s, player) for player in players]
        best = min(scores) if rules.LOWER_IS_BETTER else max(scores)
        return [Fraction(score == best, scores.count(best)) for score in scores]
    out = [0] * rules.most_moves(s)
    after = [plain(rules, played(rules, s, move)) for move in out[: rules.legal_moves(s, out)]]
    own = rules.mover(s) - 1
    taken = [shares for shares in after if shares[own] == max(shares[own] for shares in after)]
    return [sum(column, Fraction(0)) / len(taken) for column in zip(*taken, strict=True)]
