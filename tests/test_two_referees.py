"""The rules against a second referee that shares nothing with them: position by position, and refusals too."""

import random

import pytest

import independent
import quet
from conftest import check_games
from quet.core.sequences import Terms
from quet.results.folder import find

SIZES: list[tuple[str, dict[str, int | str]]] = [
    ("blob", {"n": 2}),
    ("blob", {"n": 3}),
    ("blob", {"n": 7}),
    ("convoluted-coprimality", {"n": 2, "players": 3, "grids": 3}),
    ("convoluted-coprimality", {"n": 4, "players": 2, "grids": 10}),
    ("convoluted-coprimality", {"n": 5, "players": 8, "grids": 4}),
    ("convoluted-coprimality", {"n": 8, "players": 4, "grids": 2}),
    ("divisors-multiples", {"r": 2, "players": 2}),
    ("divisors-multiples", {"r": 3, "players": 4}),
    ("divisors-multiples", {"r": 5, "players": 2}),
    ("divisors-multiples", {"r": 12, "players": 3}),
    ("palindromes", {"m": 1}),
    ("palindromes", {"m": 9}),
    ("palindromes", {"m": 20}),
    ("plusses-minuses", {"n": 2}),
    ("plusses-minuses", {"n": 5, "second_part_first": 2}),
    ("plusses-minuses", {"n": 8}),
    ("sequence-ascension", {"n": 2}),
    ("sequence-ascension", {"n": 4, "sequence": "divisors"}),
    ("sequence-ascension", {"n": 4, "sequence": "totient"}),
    ("sequence-ascension", {"n": 5, "sequence": "pi"}),
    ("sequence-ascension", {"n": 5, "sequence": "mod3"}),
    ("sequence-ascension", {"n": 3, "sequence": "primes"}),
    ("sequence-ascension", {"n": 3, "sequence": "naturals"}),
    ("sequence-ascension", {"n": 3, "sequence": "random:5:-1:1"}),
    ("sums-grid", {"n": 1}),
    ("sums-grid", {"n": 2}),
    ("sums-grid", {"n": 3}),
    ("up-and-up", {"n": 1}),
    ("up-and-up", {"n": 2}),
    ("up-and-up", {"n": 6}),
    ("up-and-up", {"n": 9}),
]


def test_every_game_has_a_second_referee() -> None:
    check_games([id for id, _ in SIZES], "SIZES in tests/test_two_referees.py")


def two(id: str, parameters: dict[str, int | str]) -> tuple[quet.Game, independent.Game]:
    """The same new game twice: ours, and the second referee's."""
    ours = quet.new(id, **parameters)
    given: dict[str, int | str | list[int]] = dict(parameters)
    if str(given.get("sequence", "")).startswith("random:"):
        terms = ours.parameters["sequence"]
        assert isinstance(terms, Terms)
        given["sequence"] = list(terms.values)
    return ours, independent.new(id, **given)


def agree(ours: quet.Game, other: independent.Game) -> None:
    assert sorted(ours.legal_moves) == sorted(other.legal())
    assert ours.is_over == other.over()
    assert ours.mover == other.mover()
    assert ours.scores == other.scores()
    assert ours.winners == other.winners()
    if ours.is_over:  # a search asks the rules themselves
        assert ours.rules.legal_moves(ours.state, [0] * ours.rules.most_moves(ours.state)) == 0


@pytest.mark.parametrize(("id", "parameters"), SIZES, ids=str)
def test_two_referees_agree_on_every_position_of_random_games(id: str, parameters: dict[str, int | str]) -> None:
    for seed in range(6):
        generator = random.Random(seed)
        ours, other = two(id, parameters)
        seen: set[str] = set()
        while True:
            agree(ours, other)
            seen |= set(ours.legal_moves)
            for text in generator.sample(sorted(seen), min(12, len(seen))):
                assert ours.is_legal(text) == other.is_legal(text), text
            if ours.is_over or ours.ply > 150:
                break
            moves = ours.legal_moves
            move = "done" if "done" in moves and generator.random() < 0.3 else generator.choice(moves)
            ours.play(move)
            other.play(move)


@pytest.mark.parametrize("text", ["a1=28", "a1=1000000000", "a1=1000000001", "a1=0", "a1=01", "d1=1", "a4=1", "A1=1"])
def test_two_referees_agree_on_numbers_that_are_not_listed(text: str) -> None:
    ours, other = two("sums-grid", {"n": 3})
    assert ours.is_legal(text) == other.is_legal(text)


def test_two_referees_agree_on_the_best_games_known(our_game_id: str) -> None:
    """Random games seldom come near the best scores."""
    rows = [row for row in find(None).rows(our_game_id) if len(row.witness.split()) <= 60]
    for row in rows[:12]:
        ours, other = two(row.game, dict(row.parameters))
        for move in row.witness.split():
            ours.play(move)
            other.play(move)
        agree(ours, other)
    assert rows


def test_a_turn_of_2r_steps_must_stop_at_the_last() -> None:
    ours, other = two("divisors-multiples", {"r": 4})
    for _ in range(6):
        ours.play("1")
        other.play("1")
    agree(ours, other)
    ours.play("2")
    other.play("2")
    agree(ours, other)
    assert ours.legal_moves == ["2!", "4!"]
    with pytest.raises(quet.IllegalMove, match="at most 8 steps, so this one must stop"):
        ours.play("4")


def test_a_step_after_which_the_turn_could_not_stop_is_refused() -> None:
    ours, other = two("divisors-multiples", {"r": 3})
    for move in ("3!", "3", "3", "3", "3"):
        ours.play(move)
        other.play(move)
        agree(ours, other)
    assert ours.legal_moves == ["1"]  # 3 has no divisor or multiple left to take at the last step
    with pytest.raises(quet.IllegalMove, match="no divisor or multiple of 3 is left"):
        ours.play("3")
