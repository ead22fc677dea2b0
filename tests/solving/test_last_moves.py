"""The last moves of the largest games are solved, though the games are far too large."""

import random

import pytest

import quet
from conftest import value_by_trying_everything
from quet.core.state import copy
from quet.distribution.task import Task
from quet.knowledge import values
from quet.knowledge.ask import advantages, ask
from quet.knowledge.known import MEMORY, Budget
from quet.players.player import player
from quet.solving.choose import Way, way
from quet.solving.valuers import ByAlphaBeta

LARGE: list[tuple[str, dict[str, int], int]] = [  # and plies before the end
    ("blob", {"n": 9}, 2),
    ("plusses-minuses", {"n": 10}, 3),
    ("up-and-up", {"n": 8}, 3),
]
LARGER: list[tuple[str, dict[str, int], int]] = [
    ("blob", {"n": 9}, 3),
    ("blob", {"n": 12}, 2),
    ("blob", {"n": 20}, 2),
    ("plusses-minuses", {"n": 11, "second_part_first": 2}, 4),
    ("plusses-minuses", {"n": 20}, 3),
    ("palindromes", {"m": 64}, 3),
    ("divisors-multiples", {"r": 60}, 1),
    ("convoluted-coprimality", {"n": 20, "grids": 1}, 3),
    ("sequence-ascension", {"n": 9}, 3),
]


def late(id: str, parameters: dict[str, int], plies: int, seed: int) -> quet.Game:
    """A random game, so many plies before its end."""
    rng = random.Random(seed)
    game = quet.new(id, **parameters)
    while not game.is_over:
        game.push(rng.choice(game.legal_numbers()))
    return game.at(game.ply - plies)


def check(game: quet.Game) -> None:
    """The value is known and right, and so is a move of level:perfect."""
    sign = 1 if game.mover == 1 else -1
    value = sign * value_by_trying_everything(game)
    known = ask(game, Budget(20.0))
    assert known is not None and (known.low, known.high) == (value, value)
    told = advantages(game, Budget(20.0))
    assert told is not None and max(told.values()) == value
    assert told[player("level:perfect").choose(game)] == value
    assert told[player("level:6", seed=1).choose(game)] == value


@pytest.mark.parametrize(("id", "parameters", "plies"), LARGE, ids=str)
def test_the_last_moves_of_large_games_are_solved(id: str, parameters: dict[str, int], plies: int) -> None:
    check(late(id, parameters, plies, 1))


@pytest.mark.long
@pytest.mark.parametrize(("id", "parameters", "plies"), LARGER, ids=str)
def test_the_last_moves_of_the_largest_games_are_solved(id: str, parameters: dict[str, int], plies: int) -> None:
    check(late(id, parameters, plies, 2))


def by_alpha_beta(game: quet.Game) -> ByAlphaBeta:
    return ByAlphaBeta(game.rules, game.entry.capabilities, game.state, memory=MEMORY)


@pytest.mark.parametrize("m", [36, 60])  # from m = 40 on positions have no keys
def test_a_value_too_large_for_the_table_is_found(m: int) -> None:
    game = quet.new("palindromes", m=m)
    for square in range(1, m - 3):
        game.play(f"{square}=0")
    value = value_by_trying_everything(game)
    assert value > 254
    assert quet.solve(game).value == value


@pytest.mark.parametrize("plies", [3, 4])
def test_moves_are_keys_of_one_position_only(plies: int) -> None:
    """The same moves after another position are another one: what is known of the first must not be told of it.

    A search takes the moves since the position that it was made for, or from which it was told to begin. Three moves
    before the end that is the one before these; four moves before the end it isn't.
    """
    for seed in range(3, 9):
        game = late("plusses-minuses", {"n": 10}, plies, seed)
        valuer = by_alpha_beta(game)
        before = game if plies == 3 else game.after(game.legal_moves[0])
        for after in map(before.after, before.legal_moves):
            value = value_by_trying_everything(after)
            assert valuer.value(after.state, Task()) == value
            best = valuer.best(after.state, Task())
            assert best.low == best.high == value


def test_what_is_known_of_one_position_is_not_told_of_the_next_one_asked() -> None:
    for seed in range(3, 9):
        game = late("plusses-minuses", {"n": 10}, 3, seed)
        for move in game.legal_moves:
            after = game.after(move)
            sign = 1 if after.mover == 1 else -1
            known = values.solved_best(after, Budget(20.0))
            assert known is not None and known[0] == known[1] == sign * value_by_trying_everything(after)
            told = values.solved_values(after, Budget(20.0))
            assert told is not None and max(told.values()) == known[0] == told[known[2]]


@pytest.mark.parametrize(("id", "n"), [("blob", 9), ("plusses-minuses", 10)])
def test_the_search_of_a_position_helps_the_searches_after_its_moves(id: str, n: int) -> None:
    game = late(id, {"n": n}, 7, 1)
    afters = [game.after(move).state for move in game.legal_moves]
    one = by_alpha_beta(game)
    one.best(game.state, Task())
    begun = one.nodes
    found = [one.value(s, Task()) for s in afters]
    others = [by_alpha_beta(game.after(move)) for move in game.legal_moves]
    assert found == [other.value(s, Task()) for other, s in zip(others, afters, strict=True)]
    assert one.nodes - begun < 0.6 * sum(other.nodes for other in others)


def test_moves_are_keys_only_where_they_fit_and_in_any_order_lead_to_one_position() -> None:
    def found(id: str, plies: int, **parameters: int) -> Way | None:
        game = late(id, parameters, plies, 1)
        return way(game.rules, game.entry.capabilities, copy(game.state), memory=None)

    assert [found("blob", plies, n=11) for plies in (1, 9, 10)] == [Way.MOVES, Way.MOVES, None]
    assert [found("blob", plies, n=20) for plies in (7, 8)] == [Way.MOVES, None]
    assert [found("plusses-minuses", plies, n=20) for plies in (7, 8)] == [Way.MOVES, None]
    assert found("plusses-minuses", 12, n=10) is None  # a symbol is to be written
    assert found("plusses-minuses", 3, n=9) is Way.KEYS


def test_the_last_moves_of_the_largest_games_need_little_memory() -> None:
    """A search by the moves made needs no room for more moves than a key has room for."""
    game = late("blob", {"n": 20}, 2, 2)
    known = ask(game, Budget(20.0, memory=2**20))
    assert known is not None and known.is_exact
    assert by_alpha_beta(late("blob", {"n": 20}, 7, 2)).search.most_plies == 7


@pytest.mark.parametrize(("id", "n"), [("blob", 9), ("plusses-minuses", 20)])
def test_nobody_tries_all_moves_far_from_the_end_of_a_large_game(
    id: str, n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[quet.Game] = []
    monkeypatch.setattr(values, "plain_values", lambda game, _: tried.append(game))
    game = late(id, {"n": n}, 1, 1)
    for plies in range(0, game.ply // 2, 5):
        assert values.solved_values(game.at(plies), Budget(1.0)) is None
    assert not tried


def test_the_end_of_a_large_game_is_near_where_few_lines_of_play_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(values, "END_SECONDS", 20.0)  # however busy the machine is
    told = values.solved_values(late("up-and-up", {"n": 8}, 9, 1), Budget(20.0))
    assert told is not None
