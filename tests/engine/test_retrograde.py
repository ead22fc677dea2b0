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


def test_positions_are_numbered_without_gaps_and_moves_lead_to_the_numbers_foretold() -> None:
    s = state(4)
    seen = set()
    for number in range(exact.num_positions(s) - 1, -1, -1):
        made = state(4)
        exact.make(made, number)
        if number == exact.num_positions(s) - 1:
            stepping = copy(made)
        assert stepping == made
        assert exact.index(made) == number
        seen.add(tuple(made.digits[:4]))
        out = [0] * 8
        for move in out[: rules.legal_moves(made, out)]:
            after = copy(made)
            rules.play(after, move)
            assert exact.index(after) == number + exact.offset(move)
        if number:
            exact.step_back(stepping)
    assert len(seen) == 81


@pytest.mark.parametrize("m", range(1, 13))
def test_the_stages_cover_every_number_once_and_later_ones_depend_on_earlier_ones(m: int) -> None:
    ranges = [bounds for stage in exact.stages(state(m)) for bounds in stage]
    assert sorted(ranges)[0][0] == 0
    assert all(a[1] == b[0] for a, b in zip(sorted(ranges), sorted(ranges)[1:], strict=False))
    assert max(last for _, last in ranges) == 3**m


@pytest.mark.parametrize("num_threads", [1, 2])
def test_every_entry_is_the_best_of_its_successors(num_threads: int) -> None:
    s = state(7)
    table = retrograde.solve(rules, exact, s, num_threads)
    for number in range(len(table)):
        made = state(7)
        exact.make(made, number)
        if rules.is_over(made):
            assert exact.UNIT * table[number] == rules.score(made, 1) - rules.score(made, 2)
        else:
            out = [0] * 14
            after = [int(table[number + exact.offset(move)]) for move in out[: rules.legal_moves(made, out)]]
            assert table[number] == (max(after) if rules.mover(made) == 1 else min(after))


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
