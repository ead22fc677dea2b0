"""Compiling in a process beside the server counts against none of its limits."""

import contextlib
import multiprocessing
from types import SimpleNamespace

import pytest

from quet.core import clock
from quet.web import compiling
from quet.web.compiling import Compiling, answers


class Told(Exception):
    """The process has told it once."""


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which a test sets; who sleeps has told the server."""

    def sleep(seconds: float) -> None:
        raise Told

    time = [100.0]
    monkeypatch.setattr(compiling, "time", SimpleNamespace(monotonic=lambda: time[0], sleep=sleep))
    monkeypatch.setattr(clock, "time", SimpleNamespace(perf_counter=lambda: time[0]))
    return time


def test_a_limit_goes_on_only_while_nothing_is_compiled(now: list[float]) -> None:
    of_process = Compiling()
    before = clock.stood()
    limit = of_process.limit(10.0)
    now[0] += 4.0
    assert limit.left == 6.0
    clock.hold()
    now[0] += 50.0
    with contextlib.suppress(Told):
        of_process._tell()
    clock.release()
    assert of_process.seconds == before + 50.0
    limit._compiled = before  # what was told when the limit began
    assert limit.left == 6.0
    now[0] += 6.0
    assert limit.left == 0.0
    assert of_process.limit(10.0).left == 10.0  # what was compiled before doesn't count


def test_who_compiles_for_ever_is_given_up(now: list[float]) -> None:
    of_process = Compiling()
    limit = of_process.limit(10.0)
    of_process._seconds.value = 1e9
    now[0] += compiling.MOST + 10.0
    assert limit.left == 0.0


def test_an_answer_is_waited_for_until_the_limit_is_reached(now: list[float]) -> None:
    ours, theirs = multiprocessing.Pipe()
    limit = Compiling().limit(0.0)
    assert not answers(ours, limit)
    theirs.send("done")
    assert answers(ours, limit)
