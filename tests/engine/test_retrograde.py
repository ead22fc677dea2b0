"""Retrograde tables: every entry is the best of its successors, every end is scored by the referee."""

import random
from typing import Any

import pytest

import quet
from quet.core.state import copy
from quet.engine import retrograde
from quet.games.palindromes import exact, rules
from quet.play.values import exact_values


def state(m: int) -> rules.State:
    s = rules.State()
    rules.start(s, m)
    return s


def position(m: int, number: int) -> tuple[rules.State, list[int]]:
    """The position of this number, and its legal moves."""
    s = state(m)
    exact.make(s, number)
    out = [0] * rules.most_moves(s)
    return s, out[: rules.legal_moves(s, out)]


def test_positions_are_numbered_without_gaps_and_moves_lead_to_the_numbers_foretold() -> None:
    seen = set()
    for number in range(exact.num_positions(state(4))):
        s, moves = position(4, number)
        assert exact.index(s) == number
        seen.add(tuple(s.digits[:4]))
        for move in moves:
            after = copy(s)
            rules.play(after, move)
            assert exact.index(after) == number + exact.offset(move)
    assert len(seen) == 81


@pytest.mark.parametrize("m", [3, 5, 7])
def test_a_move_depends_on_the_place_it_changes_or_on_the_block_it_changes_alone(m: int) -> None:
    size = exact.num_places(state(m))
    assert exact.num_positions(state(m)) % size == 0
    for number in range(exact.num_positions(state(m))):
        place = number % size
        at_place, at_block = position(m, place), position(m, number - place)
        within = [move for move in at_place[1] if place + exact.offset(move) < size]
        between = [move for move in at_block[1] if exact.offset(move) >= size]
        s, moves = position(m, number)
        assert sorted(within + between) == moves
        assert all(exact.offset(move) % size == 0 for move in between)
        assert (s.ply + at_place[0].ply + at_block[0].ply) % 2 == 0  # so that its mover follows from theirs


@pytest.mark.parametrize("m", [1, 4, 5, 7])
def test_every_entry_is_the_best_of_its_successors(m: int) -> None:
    table = retrograde.solve(rules, exact, state(m))
    for number in range(len(table)):
        s, moves = position(m, number)
        if rules.is_over(s):
            assert exact.UNIT * table[number] == rules.score(s, 1) - rules.score(s, 2)
        else:
            after = [int(table[number + exact.offset(move)]) for move in moves]
            assert table[number] == (max(after) if rules.mover(s) == 1 else min(after))


def test_a_value_too_large_for_the_table_is_found_all_the_same() -> None:
    game = quet.new("palindromes", m=14)
    for square in range(1, 14):
        game.play(f"{square}=0")
    values = exact_values(game)
    after = {}
    for move in game.legal_moves:
        twin = game.copy()
        twin.play(move)
        after[move] = twin.scores[1] - twin.scores[0]
    assert values == after
    assert min(after.values()) < -2 * retrograde.LARGEST


def test_the_table_agrees_with_alpha_beta() -> None:
    import quet.play.values as module

    generator = random.Random(1)
    game: Any = quet.new("palindromes", m=11)
    for _ in range(4):
        game.play(generator.choice(game.legal_moves))
    by_table = exact_values(game)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_POSITIONS", 0)
        assert exact_values(game, seconds=30) == by_table
