"""Exact values against trying every game to its end in plain Python."""

import functools
from typing import Any

import pytest

import quet
from quet.core.state import copy
from quet.play.players import player
from quet.play.values import exact_values

SOLVED: list[tuple[str, dict[str, int], list[str]]] = [
    ("blob", {"n": 2}, []),
    ("blob", {"n": 3}, []),
    ("blob", {"n": 4}, ["b2", "b3", "c3"]),
    ("convoluted-coprimality", {"n": 3, "grids": 2}, []),
    ("convoluted-coprimality", {"n": 3, "grids": 3}, ["b3", "c3"]),
    ("convoluted-coprimality", {"n": 4, "grids": 2}, ["b4", "c4"]),
    ("palindromes", {"m": 4}, []),
    ("palindromes", {"m": 5}, ["2=1"]),
    ("palindromes", {"m": 6}, []),
    ("plusses-minuses", {"n": 3}, []),
    ("plusses-minuses", {"n": 3, "second_part_first": 2}, ["+"]),
    ("plusses-minuses", {"n": 4, "second_part_first": 2}, ["+", "-", "-", "+", "+", "+"]),
    ("sequence-ascension", {"n": 2}, []),
    ("up-and-up", {"n": 3}, []),
    ("up-and-up", {"n": 4}, ["b2"]),
]


def by_trying_everything(game: quet.Game) -> dict[str, int]:
    """The mover's final advantage after each legal move, found without the engine."""
    rules = game.rules

    @functools.cache
    def value(frozen: tuple[Any, ...]) -> int:
        s = thaw(frozen)
        if rules.is_over(s):
            return rules.score(s, 1) - (rules.score(s, 2) if game.num_players > 1 else 0)
        mover = rules.mover(s)
        out = [0] * rules.most_moves(s)
        found = []
        for move in out[: rules.legal_moves(s, out)]:
            after = copy(s)
            rules.play(after, move)
            found.append(value(freeze(after)))
        return max(found) if mover == 1 else min(found)

    def freeze(s: Any) -> tuple[Any, ...]:
        return tuple(tuple(v) if isinstance(v, list) else v for v in (getattr(s, name) for name in s.__slots__))

    def thaw(frozen: tuple[Any, ...]) -> Any:
        s = rules.State()
        for name, v in zip(s.__slots__, frozen, strict=True):
            setattr(s, name, list(v) if isinstance(v, tuple) else v)
        return s

    values = {}
    for text in game.legal_moves:
        after = game.copy()
        after.play(text)
        advantage = value(freeze(after.state))
        values[text] = -advantage if game.mover == 2 else advantage
    return values


@pytest.mark.parametrize(("id", "parameters", "moves"), SOLVED, ids=str)
def test_exact_values_are_those_of_trying_everything(id: str, parameters: dict[str, int], moves: list[str]) -> None:
    game = quet.new(id, **parameters)
    for move in moves:
        game.play(move)
    assert exact_values(game, seconds=60) == by_trying_everything(game)


def test_keys_of_different_positions_of_one_game_are_different_but_for_symmetry() -> None:
    game = quet.new("plusses-minuses", n=3)
    exact: Any = game.entry.exact
    seen: dict[int, Any] = {}

    def look(s: Any) -> None:
        key = exact.key(s)
        assert seen.setdefault(key, s) == s
        out = [0] * 16
        for move in out[: game.rules.legal_moves(s, out)]:
            after = copy(s)
            game.rules.play(after, move)
            look(after)

    look(game.state)
    assert len(seen) > 500


def test_what_is_too_large_more_than_two_or_over_has_no_values() -> None:
    assert exact_values(quet.new("blob", n=20)) is None
    assert exact_values(quet.new("palindromes", m=20), seconds=0.2) is None
    assert exact_values(quet.new("convoluted-coprimality", n=3, players=3)) is None
    over = quet.new("palindromes", m=1)
    over.play("1=0")
    assert exact_values(over) is None


def test_the_perfect_player_plays_a_best_move_and_refuses_what_it_can_not_solve() -> None:
    game = quet.new("palindromes", m=6)
    values = by_trying_everything(game)
    assert values[player("level:perfect", 1).choose(game)] == max(values.values())
    with pytest.raises(quet.BadParameter, match="can't be solved from here"):
        player("level:perfect").choose(quet.new("divisors-multiples", r=100))
