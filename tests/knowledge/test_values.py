"""Exact values against trying every game to its end in plain Python."""

import functools
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import quet
from conftest import value_by_trying_everything
from quet.core.errors import TooLarge
from quet.core.state import copy
from quet.distribution.task import Task
from quet.games.palindromes.retrograde import begun
from quet.knowledge import values
from quet.knowledge.ask import advantages
from quet.knowledge.known import MEMORY, Budget
from quet.knowledge.values import exact_values
from quet.players.player import player
from quet.solving.valuers import ByAlphaBeta

SOLVED: list[tuple[str, dict[str, int], list[str]]] = [
    ("blob", {"n": 2}, []),
    ("blob", {"n": 3}, []),
    ("blob", {"n": 4}, ["b2", "b3", "c3"]),
    ("convoluted-coprimality", {"n": 3, "grids": 2}, []),
    ("convoluted-coprimality", {"n": 3, "grids": 3}, ["b3", "c3"]),
    ("convoluted-coprimality", {"n": 4, "grids": 2}, ["b4", "c4"]),
    ("divisors-multiples", {"r": 2}, []),
    ("divisors-multiples", {"r": 3}, []),
    ("divisors-multiples", {"r": 3}, ["2"]),
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
    sign = 1 if game.mover == 1 else -1
    found = {}
    for text in game.legal_moves:
        after = game.copy()
        after.play(text)
        found[text] = sign * value_by_trying_everything(after)
    return found


@pytest.mark.parametrize(("id", "parameters", "moves"), SOLVED, ids=str)
def test_exact_values_are_those_of_trying_everything(id: str, parameters: dict[str, int], moves: list[str]) -> None:
    game = quet.new(id, **parameters)
    for move in moves:
        game.play(move)
    assert exact_values(game, seconds=60) == by_trying_everything(game)


def by_trying_every_step(game: quet.Game) -> dict[str, int]:
    """The same in Divisors/Multiples, where what is still to be paid doesn't depend on what was paid."""
    rules: Any = game.rules

    @functools.cache
    def to_pay(taken: tuple[int, ...], current: int, num_steps: int) -> int:
        """What the mover has yet to pay, less what the other has."""
        s = copy(game.state)
        s.is_taken = [*taken, *s.is_taken[len(taken) :]]
        s.num_taken, s.current, s.num_steps = sum(taken), current, num_steps
        out = [0] * rules.most_moves(s)
        found = []
        for move in out[: rules.legal_moves(s, out)]:
            after = copy(s)
            rules.play(after, move)
            rest = to_pay(tuple(after.is_taken[: s.r + 1]), after.current, after.num_steps)
            found.append(rules.price(s, move // 2) + (rest if after.mover == s.mover else -rest))
        return min(found, default=0)

    found = {}
    for text in game.legal_moves:
        after = game.copy()
        after.play(text)
        s: Any = after.state
        rest = to_pay(tuple(s.is_taken[: s.r + 1]), s.current, s.num_steps)
        mover = game.mover
        assert mover is not None
        lead = game_lead(after, mover)
        found[text] = lead - (rest if s.mover == mover else -rest)
    return found


def game_lead(game: quet.Game, player: int) -> int:
    """How much less this player has paid than the other."""
    return game.scores[2 - player] - game.scores[player - 1]


@pytest.mark.parametrize("r", range(2, 8))
def test_values_by_turns_are_those_of_trying_every_step(r: int) -> None:
    generator = random.Random(r)
    game = quet.new("divisors-multiples", r=r)
    num_looks = 0
    while not game.is_over and num_looks < 12:
        assert exact_values(game, seconds=60) == by_trying_every_step(game)
        num_looks += 1
        game.play(generator.choice(game.legal_moves))


@pytest.mark.parametrize("moves", ["3! 3 6 6 6 2 2 2 6 1", "3! 6! 3 3 3 1 1 5 1 3 6 2", "3! 6 2 6 2 6 2 6 2 6 2"])
def test_a_turn_that_must_soon_stop_is_solved_too(moves: str) -> None:
    game = quet.new("divisors-multiples", r=6)
    for move in moves.split():
        game.play(move)
    assert game.state.num_steps >= 9
    assert exact_values(game, seconds=60) == by_trying_every_step(game)


def test_of_a_larger_game_the_end_is_solved() -> None:
    game = quet.new("divisors-multiples", r=26)
    assert exact_values(game) is None
    generator = random.Random(1)
    while game.state.num_taken < 22:
        moves = game.legal_moves
        game.play(generator.choice([move for move in moves if "!" in move] or moves))
    assert exact_values(game, seconds=60) == by_trying_every_step(game)


def test_keys_of_different_positions_of_one_game_are_different_but_for_symmetry() -> None:
    game = quet.new("plusses-minuses", n=3)
    keys = game.entry.capabilities.keys
    assert keys is not None
    seen: dict[int, Any] = {}

    def look(s: Any) -> None:
        key = keys.key(s)
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
    assert exact_values(quet.new("divisors-multiples", r=4, players=3)) is None
    assert exact_values(quet.new("divisors-multiples", r=21), seconds=0.0) is None
    over = quet.new("palindromes", m=1)
    over.play("1=0")
    assert exact_values(over) is None


def test_the_perfect_player_plays_a_best_move_and_refuses_what_it_can_not_solve() -> None:
    game = quet.new("palindromes", m=6)
    values = by_trying_everything(game)
    assert values[player("level:perfect", 1).choose(game)] == max(values.values())
    with pytest.raises(quet.BadParameter, match="can't be solved from here"):
        player("level:perfect").choose(quet.new("divisors-multiples", r=100))


@pytest.mark.parametrize(
    ("id", "parameters", "needed"),
    [("palindromes", {"m": 16}, "12 MB"), ("divisors-multiples", {"r": 20}, "19 MB"), ("blob", {"n": 7}, "1 MB")],
    ids=str,
)
def test_a_table_that_does_not_fit_says_how_much_it_needs(id: str, parameters: dict[str, int], needed: str) -> None:
    with pytest.raises(TooLarge, match=rf"The search needs {needed} of memory and may use 0 MB\."):
        exact_values(quet.new(id, **parameters), memory=2**16)


def test_questions_at_the_same_time_do_not_disturb_each_other() -> None:
    games = []
    for id, parameters, moves in SOLVED[:9]:
        game = quet.new(id, **parameters)
        for move in moves:
            game.play(move)
        games.append(game)
    expected = [by_trying_everything(game) for game in games]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda game: exact_values(game, seconds=60), games * 6))
    assert found == expected * 6


def test_a_table_that_the_time_did_not_suffice_for_is_gone_on_with() -> None:
    begun.cache_clear()
    values._solved.clear()
    game = quet.new("palindromes", m=16)
    assert exact_values(game, seconds=0.0) is None
    filling, _ = begun(16)
    assert not filling.is_full
    num_questions = 0
    while exact_values(game, seconds=0.002) is None:
        num_questions += 1
        assert num_questions < 1000
    assert begun(16)[0] is filling
    assert filling.is_full


def test_a_question_that_waits_for_anothers_table_gives_up_in_time() -> None:
    begun.cache_clear()
    values._solved.clear()
    game = quet.new("palindromes", m=15)
    _, lock = begun(15)
    with lock:
        assert exact_values(game, seconds=0.01) is None
    assert exact_values(game, seconds=60) is not None


def test_what_was_found_is_kept_for_the_next_question() -> None:
    game = quet.new("plusses-minuses", n=5)
    exact_values(game, seconds=60)
    with values._valuer(game, MEMORY) as valuer:
        assert isinstance(valuer, ByAlphaBeta)
        before = valuer.nodes
        assert valuer.value(game.state, Task()) is not None
        assert valuer.nodes - before < 100


@pytest.mark.parametrize(("id", "parameters", "moves"), SOLVED, ids=str)
def test_values_are_the_same_where_each_move_is_asked_for_alone(
    id: str, parameters: dict[str, int], moves: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, rng = quet.new(id, **parameters), random.Random(1)
    for move in moves:
        game.play(move)
    positions = [game.copy()]
    while not game.is_over:
        game.play(rng.choice(game.legal_moves))
        positions.append(game.copy())
    assert advantages(game, Budget(60.0)) is None
    for one in (positions[0], *positions[-3:-1]):
        expected = by_trying_everything(one)
        assert advantages(one, Budget(60.0)) == expected
        with monkeypatch.context() as alone:
            alone.setattr("quet.knowledge.ask.OF_MOVES", [])
            assert advantages(one, Budget(60.0)) == expected
