"""Measures two programs side by side, and makes the rows of the table."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

TURN = 0.15  # seconds of one turn
ROUNDS = 7


@dataclass(frozen=True)
class Row:
    """One line of the table. `middle`, `low` and `high` are over the rounds."""

    group: str  # rows of one group have a geometric mean together
    name: str
    middle: float | None  # None where it could not be measured; `note` says why
    low: float = 0.0
    high: float = 0.0
    bar: float | None = None
    unit: str = "x"  # x: a ratio, larger is better; s and MB: smaller is better
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        """Whether the bar is met; None without a bar or a measurement."""
        if self.bar is None or self.middle is None:
            return None
        return self.middle >= self.bar if self.unit == "x" else self.middle <= self.bar


@dataclass(frozen=True)
class Pace:
    """How thoroughly to measure."""

    rounds: int = ROUNDS
    turn: float = TURN


def fitting(run: Callable[[int], object], seconds: float) -> int:
    """How many units of `run` take about so many seconds of processor time. The first call may compile."""
    run(1)
    count = 1
    while True:
        taken = _seconds(run, count)
        if taken >= seconds / 4:
            return max(1, round(count * seconds / taken))
        count *= 4


def compare(
    group: str,
    name: str,
    ours: Callable[[int], object],
    theirs: Callable[[int], object],
    pace: Pace,
    *,
    bar: float | None = None,
    same_count: bool = False,
    their_size: int = 1,
) -> Row:
    """The ratio of the speeds of ours and theirs. They run in turn, so that both share the machine with the same
    programs.

    Each is called with a number of units of work. One unit of theirs is as much as `their_size` units of ours.
    `same_count` gives both the same number of units, for work whose units cost more the more came before, as in a
    growing tree. Processor time is measured, so that waiting for a busy processor does not count.
    """
    our_count = fitting(ours, pace.turn)
    their_count = our_count if same_count else fitting(theirs, pace.turn)
    if same_count:
        theirs(1)
    ratios, rates = [], []
    for _ in range(pace.rounds):
        our_rate = our_count / _seconds(ours, our_count)
        their_rate = their_count * their_size / _seconds(theirs, their_count)
        ratios.append(our_rate / their_rate)
        rates.append(our_rate)
    note = f"{_short(statistics.median(rates))}/s"
    return Row(group, name, statistics.median(ratios), min(ratios), max(ratios), bar, note=note)


def _seconds(run: Callable[[int], object], count: int) -> float:
    before = time.process_time()
    run(count)
    return max(time.process_time() - before, 1e-9)


def _short(number: float) -> str:
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.3g}{unit}"
    return f"{number:.3g}"


def geometric_mean(rows: list[Row]) -> float | None:
    """The geometric mean of the ratios in the rows; None if there are none."""
    ratios = [row.middle for row in rows if row.middle is not None and row.unit == "x"]
    return statistics.geometric_mean(ratios) if ratios else None
