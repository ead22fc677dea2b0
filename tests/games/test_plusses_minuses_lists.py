"""Plusses And Minuses solved for many pairs of lists at once: as the rules have it, and as alpha-beta has it."""

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest

import quet
from quet.core.rules import difference, legal_moves
from quet.core.state import copy
from quet.distribution.task import Task
from quet.distribution.workers import Processes
from quet.games.plusses_minuses import exact, filling, predicting, rules, solve
from quet.solving import perfect


def start(n: int, first: int) -> Any:
    return quet.new("plusses-minuses", n=n, second_part_first=first).state


def alone() -> Task:
    return Task(workers=Processes(1))


def plain_value(s: Any) -> int:
    if rules.is_over(s):
        return difference(rules, s)
    return (max if rules.mover(s) == 1 else min)(plain_value(after(s, move)) for move in legal_moves(rules, s))


def after(s: Any, move: int) -> Any:
    twin = copy(s)
    rules.play(twin, move)
    return twin


def with_lists(s: Any, plus1: int, plus2: int) -> Any:
    """The beginning of the second part after these lists."""
    twin = copy(s)
    for k, player in itertools.product(range(s.n - 1), (plus1, plus2)):
        rules.play(twin, s.n**2 + 1 - (player >> k & 1))
    return twin


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("n", [6, 7])
def test_positions_of_the_second_part_are_worth_what_the_rules_say(n: int, first: int) -> None:
    chance = random.Random(n)
    for filled in range(n - 5):
        s = with_lists(start(n, first), 0, 0)
        for _ in range(filled):
            rules.play(s, chance.choice(legal_moves(rules, s)))
        pairs = [(chance.getrandbits(n - 1), chance.getrandbits(n - 1)) for _ in range(70)]
        least = [chance.randint(-2, 2) for _ in pairs]
        found = filling.reached(s, pairs, least, math.inf)
        assert found is not None
        assert sorted(found.after) == legal_moves(rules, s)
        assert 0 < sum(found.here) < len(pairs)
        for i in (0, 1, 66):
            here = copy(s)
            for k, player in itertools.product(range(n - 1), range(2)):
                here.predicted[2 * k + player] = 1 if pairs[i][player] >> k & 1 else -1
            for move in [None, *chance.sample(legal_moves(rules, here), 3)]:
                t = here if move is None else after(here, move)
                solved = perfect.solve(rules, quet.catalog.get("plusses-minuses").capabilities, t, alone())
                assert solved is not None
                assert solved.value is not None
                assert (found.here if move is None else found.after[move])[i] == (solved.value >= least[i])


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_pairs_that_stand_for_one_another_are_worth_the_same(n: int) -> None:
    whole, tree, pairs = start(n, 2), predicting.FirstPart(n), predicting._pairs(n - 1).tolist()
    values: dict[int, set[int]] = {}
    for leaf in range(1 << tree.num_plies):
        s = copy(whole)
        for ply in range(tree.num_plies):
            rules.play(s, n * n + 1 - (leaf >> tree.num_plies - 1 - ply & 1))
        lists = tree.lists_of(leaf)
        assert with_lists(whole, *lists) == s
        if leaf % 29 == 0 or n < 5:
            likewise = with_lists(whole, *predicting.lists(pairs[leaf], n))
            values.setdefault(pairs[leaf], set()).update((plain_value(s), plain_value(likewise)))
    assert all(len(found) == 1 for found in values.values())
    assert n == 2 or len(values) < 1 << tree.num_plies - 1


def test_what_is_wanted_are_the_pairs_that_a_proof_needs() -> None:
    tree = predicting.FirstPart(4)
    assert tree.is_reached(0) is None
    wanted = tree.wanted(0, 8, is_likely=True)
    assert len(wanted) == len(set(wanted)) == 8
    while tree.is_reached(0) is None:
        tree.learn(0, tree.wanted(0, 1, is_likely=True), [])  # all that is asked is reached
    assert tree.is_reached(0) is True
    assert tree.is_reached(-1) is True  # and so is what is less
    assert tree.is_reached(1) is None
    assert tree.wanted(0, 8, is_likely=True) == []
    while tree.is_reached(2) is None:
        tree.learn(2, [], tree.wanted(2, 3, is_likely=True))
    assert tree.is_reached(2) is False
    assert tree.is_reached(3) is False


@pytest.mark.parametrize("first", [1, 2])
@pytest.mark.parametrize("n", [6, 7])
@pytest.mark.parametrize("guess", [-2, 0, 3])
def test_the_value_and_a_game_are_those_of_alpha_beta(n: int, first: int, guess: int) -> None:
    s = start(n, first)
    entry = quet.catalog.get("plusses-minuses")
    expected = perfect.solve(rules, entry.capabilities, s, alone())
    assert expected is not None
    questions = solve.Questions(s, alone())
    low, high = questions.value(guess)
    assert low == high == expected.value
    assert sorted(questions.keeping(low)) == expected.best_moves
    for move in questions.line(low):
        assert move in legal_moves(rules, s)
        rules.play(s, move)
    assert rules.is_over(s)
    assert difference(rules, s) == low


@pytest.mark.parametrize("first", [1, 2])
def test_quet_solve_takes_lists_for_large_grids(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert solve.solve(start(solve.SMALLEST - 1, first), Task()) is None
    monkeypatch.setattr(solve, "SMALLEST", 8)
    s = start(8, first)
    assert solve.solve(s, Task(memory=filling.needed(s.n, s.n) - 1, workers=Processes(1))) is None
    found = solve.solve(s, Task(memory=filling.needed(s.n, s.n), workers=Processes(1)))
    assert found is not None
    assert found.is_proven
    assert found.value == (0 if first == 1 else -1)
    assert exact.bounds(s)[0] <= found.value
    for move in found.witness:
        rules.play(s, move)
    assert difference(rules, s) == found.value


def test_what_is_noted_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    s, task = start(7, 2), alone()
    before = solve.Questions(s, task)
    value = before.value(0)
    line = before.line(value[0])
    monkeypatch.setattr(filling, "reached", None)
    again = solve.Questions(s, task)
    assert again.value(0) == value
    assert again.line(value[0]) == line
    assert again.num_positions == before.num_positions > 0


def test_without_time_there_are_bounds() -> None:
    s = start(10, 2)
    found = solve.solve(s, Task(seconds=0.0, workers=Processes(1)))
    assert found is not None
    assert (found.low, found.high, found.value, found.witness) == (-9, 9, None, [])
    questions = solve.Questions(s, Task(seconds=1.0, workers=Processes(1)))
    assert questions.value(-1) == (-9, 9)
    assert questions.line(-1) == []


def test_layers_take_what_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[int] = []
    full = np.full

    def counted(*arguments: Any) -> Any:
        made = full(*arguments)
        held.append(made.nbytes)
        return made

    monkeypatch.setattr(np, "full", counted)
    filling.reached(with_lists(start(8, 2), 0, 0), [(0, 0)], [0], math.inf)
    assert held[0] + held[1] + 8 * filling.WORDS * 4**7 == filling.needed(8, 8)
    assert sum(held) < 2 * held[0]


def test_no_more_groups_are_asked_at_once_than_fit_into_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    s, asked = start(9, 2), list[int]()

    def none_done(task: Task, function: object, parts: dict[str, object], words: str) -> list[tuple[str, object]]:
        asked.append(len(parts))
        return []

    monkeypatch.setattr(solve, "done", none_done)
    for memory, most in ((1, 1), (filling.needed(9, 9) * 2, 2), (filling.needed(9, 9) * 9, 3)):
        questions = solve.Questions(s, Task(memory=memory, workers=Processes(3)))
        assert questions.value(-1) == (-8, 8)
        assert asked.pop() == most
