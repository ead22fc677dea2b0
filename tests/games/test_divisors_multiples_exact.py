"""The table of all sets of taken numbers: stopped in the middle, and telling how far it is."""

import _thread
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest

import quet
from quet.engine.compiled import compiled
from quet.games.divisors_multiples import exact

MEMORY = 2**30
LONG = 22  # r of a table that takes much longer than these tests may


def start(r: int) -> Any:
    return quet.new("divisors-multiples", r=r).state


def test_a_table_tells_how_many_of_its_blocks_are_full() -> None:
    told: list[tuple[int, int, str]] = []

    def report(done: int, total: int, words: str) -> None:
        told.append((done, total, words))

    assert exact.solve(start(9), until=float("inf"), memory=MEMORY, report=report) is not None
    assert told == [(number, 64, "blocks of the table full") for number in range(1, 65)]


def test_a_table_stopped_in_the_middle_is_none() -> None:
    stop = threading.Event()
    told: list[int] = []

    def report(done: int, total: int, words: str) -> None:
        told.append(done)
        if done == 3:
            stop.set()

    assert exact.solve(start(LONG), until=float("inf"), memory=MEMORY, stop=stop, report=report) is None
    assert 3 <= max(told) < 16


def test_a_table_whose_time_is_over_in_the_middle_is_none() -> None:
    begun = time.monotonic()
    assert exact.solve(start(LONG), until=begun + 0.5, memory=MEMORY) is None


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
        exact.solve(start(LONG), until=float("inf"), memory=MEMORY, report=report)
    assert threading.active_count() == before
    assert len(portions) < 50  # of some 150 of the blocks that were waiting


def test_a_table_needs_as_many_bytes_as_it_says() -> None:
    solution = exact.solve(start(9), until=float("inf"), memory=exact.needed(start(9)))
    assert solution is not None
    assert solution.table.nbytes == exact.needed(start(9))
