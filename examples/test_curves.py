"""Tests of `curves.py`."""

import time

import curves

import quet
from quet.rl.agents import agent


def busy(seconds: float) -> None:
    """Use so much processor time."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_measuring_takes_no_time_of_the_training() -> None:
    curve = curves.Curve(agent("random", seed=1), quet.new("palindromes", m=4), seed=1)
    busy(0.2)
    with curve.pause():
        busy(0.4)
        before = curve.used
        curve.add(7, "more")
        assert curve.used == before
    assert 0.2 <= before < 0.4 and before <= curve.used < before + 0.1
    done, seconds, kept, more = curve.text.strip().split("\t")
    assert (done, seconds, more) == ("7", "0.2", "more") and 20 < float(kept) < 90


def test_it_is_due_before_the_training_then_more_and_more_seldom_and_at_the_end() -> None:
    curve = curves.Curve(agent("random"), quet.new("palindromes", m=4), seed=1)
    due = [percent for percent in range(0, 151) if curve.is_due(percent / 100)]
    assert due == [0, 4, 7, 13, 25, 38, 50, 63, 75, 88, 100]
    late = curves.Curve(agent("random"), quet.new("palindromes", m=4), seed=1)
    assert [late.is_due(share) for share in (0.5, 0.5, 1.2, 1.3)] == [True, False, True, False]
