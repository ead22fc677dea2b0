"""What a turn is worth, found with two layers of sets in memory: as the table of all sets has it, or not at all."""

import _thread
import itertools
import math
import random
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import quet
from quet.core.errors import TooLarge
from quet.core.rules import difference, legal_moves
from quet.core.state import copy
from quet.distribution.task import Task
from quet.distribution.workers import Processes
from quet.engine.compiled import compiled
from quet.games.divisors_multiples import by_layers, exact, rules

LONG = 26  # r for which layers take much longer than these tests may


def start(r: int) -> Any:
    return quet.new("divisors-multiples", r=r).state


@pytest.mark.parametrize("r", [2, 3, 4, 5, 6, 9, 12, 14])
def test_turns_are_worth_what_the_table_of_all_sets_has(r: int) -> None:
    chance, s = random.Random(r), start(r)
    whole = exact.solve(s, Task())
    assert whole is not None
    while not rules.is_over(s):
        turn = by_layers.solve(s, Task())
        assert turn is not None
        assert turn.numbers == exact.numbers_left(s)
        while not rules.is_over(s) and turn.covers(s):
            assert turn.value(s) == whole.value(s)
            for move in legal_moves(rules, s):
                after = copy(s)
                rules.play(after, move)
                worth = -difference(rules, after) if rules.is_over(after) else whole.value(after)
                assert turn.value(after) == worth
            rules.play(s, chance.choice(legal_moves(rules, s)))


@pytest.mark.parametrize("count", [1, 2, 7, 10])
def test_a_set_is_found_by_its_place_among_those_of_its_size(count: int) -> None:
    binomials = np.array([[math.comb(b, j) for j in range(count + 2)] for b in range(count + 1)], np.int64)
    for size in range(1, count + 1):
        sets = sorted(sum(1 << b for b in bits) for bits in itertools.combinations(range(count), size))
        assert [by_layers.set_at(place, size, count, binomials) for place in range(len(sets))] == sets


def test_where_the_table_does_not_fit_the_value_and_a_game_are_found_by_layers() -> None:
    for r in (17, 18):
        s, memory = start(r), exact.needed(start(r)) - 1
        found = by_layers.answer(s, Task(memory=memory))
        whole = exact.solve(s, Task())
        assert found is not None and whole is not None
        assert found.is_proven and found.has_all_best
        assert found.value == -whole.value(s)
        for move in legal_moves(rules, s):
            after = copy(s)
            rules.play(after, move)
            assert (-whole.value(after) == found.value) == (move in found.best_moves)
        for move in found.witness:
            rules.play(s, move)
        assert difference(rules, s) == found.value


def test_the_file_of_a_table_made_with_more_memory_is_left_alone(tmp_path: Path) -> None:
    s, file = start(17), tmp_path / "kept.blocks"
    file.write_bytes(b"a table of all sets")
    found = by_layers.answer(s, Task(memory=exact.needed(s) - 1, table=file))
    assert found is not None and found.is_proven and found.witness
    assert file.read_bytes() == b"a table of all sets"


def test_what_fits_is_left_to_the_table_and_what_is_too_large_even_so_to_others() -> None:
    s = start(18)
    assert by_layers.answer(s, Task(memory=exact.needed(s))) is None
    assert by_layers.answer(s, Task(memory=by_layers.needed(s) - 1)) is None
    with pytest.raises(TooLarge):
        by_layers.solve(s, Task(memory=by_layers.needed(s) - 1))
    assert by_layers.solve(s, Task(memory=by_layers.needed(s))) is not None


def test_two_layers_take_what_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[int] = []
    module: Any = compiled(by_layers)

    def fill(now: Any, after: Any, *others: Any) -> None:
        held.append(now.base.nbytes + after.nbytes if now.base is not None else now.nbytes + after.nbytes)
        module.fill(now, after, *others)

    monkeypatch.setattr(by_layers, "compiled", lambda module: SimpleNamespace(fill=fill))
    s = start(12)
    assert by_layers.solve(s, Task()) is not None
    assert max(held) == by_layers.needed(s)


def test_a_turn_is_found_once_and_noted() -> None:
    s, task = start(9), Task()
    turn = by_layers.solve(s, task)
    assert turn is not None
    assert task.notes == {"after 1": list(turn.rests)}
    task.notes["after 1"][0] += 1
    again = by_layers.solve(s, task)
    assert again is not None
    assert again.rests[0] == turn.rests[0] + 1


def test_without_time_there_is_no_value() -> None:
    told: list[tuple[int, int, str]] = []
    task = Task(seconds=0.5, report=lambda *words: told.append(words))
    assert by_layers.solve(start(LONG), task) is None
    assert {words[1:] for words in told} == {(1 << LONG - 1, "sets of taken numbers")}
    found = by_layers.answer(start(LONG), Task(seconds=0.0))
    assert found is not None
    assert not found.is_proven


def test_an_interrupted_search_begins_nothing_more() -> None:
    before = threading.active_count()

    def report(done: int, total: int, words: str) -> None:
        if done > 1 << 12:
            _thread.interrupt_main()

    with pytest.raises(KeyboardInterrupt):
        by_layers.solve(start(LONG), Task(workers=Processes(1), report=report))
    assert threading.active_count() == before
