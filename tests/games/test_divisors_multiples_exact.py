"""The table of all sets of taken numbers: stopped in the middle, and telling how far it is."""

import _thread
import threading
from types import SimpleNamespace
from typing import Any

import pytest

import quet
from quet.core.errors import TooLarge
from quet.distribution.task import Task
from quet.distribution.workers import Processes
from quet.engine.compiled import compiled
from quet.games.divisors_multiples import exact, solve

LONG = 24  # r of a table that takes much longer than these tests may


def start(r: int) -> Any:
    return quet.new("divisors-multiples", r=r).state


def alone(**more: Any) -> Task:
    """A task that this process does."""
    return Task(workers=Processes(1), **more)


def test_a_table_tells_how_many_of_its_blocks_are_full() -> None:
    told: list[tuple[int, int, str]] = []

    def report(done: int, total: int, words: str) -> None:
        told.append((done, total, words))

    assert exact.solve(start(13), alone(report=report)) is not None
    assert sorted(set(told)) == [(number, 16, "blocks of the table full") for number in range(17)]
    assert told == sorted(told)


def test_a_table_whose_time_is_over_in_the_middle_is_none() -> None:
    told: list[int] = []

    def report(done: int, total: int, words: str) -> None:
        told.append(done)

    assert exact.solve(start(LONG), alone(seconds=0.5, report=report)) is None
    assert max(told) < 256


def test_a_table_without_time_is_none_and_compiled_for_the_next_time() -> None:
    assert exact.solve(start(LONG), alone(seconds=0.0)) is None
    module: Any = compiled(exact)
    known = len(module.fill.signatures)
    assert known > 0
    assert exact.solve(start(9), alone()) is not None
    assert len(module.fill.signatures) == known  # for the arrays that there are
    costs: Any = compiled(solve)
    assert solve.table(quet.new("divisors-multiples", r=LONG, players=3).state, alone(seconds=0.0)) is None
    known = len(costs.fill.signatures)
    assert known > 0
    assert solve.table(quet.new("divisors-multiples", r=9, players=3).state, alone()) is not None
    assert len(costs.fill.signatures) == known


def test_an_interrupted_table_leaves_its_blocks_unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    before = threading.active_count()
    module: Any = compiled(exact)
    portions: list[int] = []

    def fill(table: Any, numbers: Any, room: Any, r: int, first: int, last: int) -> None:
        portions.append(first)
        module.fill(table, numbers, room, r, first, last)

    monkeypatch.setattr(exact, "compiled", lambda module: SimpleNamespace(fill=fill))

    def report(done: int, total: int, words: str) -> None:
        if done == 2:
            portions.clear()
            _thread.interrupt_main()

    with pytest.raises(KeyboardInterrupt):
        exact.solve(start(LONG), alone(report=report))
    assert threading.active_count() == before
    assert len(portions) < 10


def test_the_blocks_hold_each_set_once_and_those_with_more_of_the_last_numbers_come_first() -> None:
    for count in range(1, 21):
        layers = exact.layers(count)
        assert sorted(row for layer in layers for block in layer.values() for row in range(*block[:2])) == list(
            range(2**count)
        )
        seen: set[int] = set()
        for layer in layers:
            for block in layer.values():
                size = block.last - block.first
                others = {block.first | 1 << i for i in range(count) if 1 << i >= size} - {block.first}
                assert others <= seen
            seen |= {block.first for block in layer.values()}


def test_a_table_needs_as_many_bytes_as_it_says() -> None:
    needed = exact.needed(start(9))
    solution = exact.solve(start(9), alone(memory=needed))
    assert solution is not None
    assert solution.table.nbytes == needed
    with pytest.raises(TooLarge):
        exact.solve(start(9), alone(memory=needed - 1))
