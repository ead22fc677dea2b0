"""What a solver is asked, and what it answers."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from ..core.clock import clock
from ..core.errors import NotSolved
from ..core.messages import say
from ..core.state import Row
from .workers import Processes, Workers

T = TypeVar("T")

LOOK = 0.05  # seconds between two looks at whether to stop
SHORTEST = 0.005  # seconds to wait for a result at least, since the clock stands still at times
MEMORY = 1536 * 2**20  # bytes of a search, unless another limit is given
NOTES = 1  # the version of the notes, which checkpoints have; raise it when the meaning of a note changes
IMPROVING = 60.0  # seconds for a search that only improves and never ends, unless a time is given


@dataclass
class Task:
    """How long a solver may work and what it may use.

    `notes` holds what is finished, as JSON can hold it. A solver looks there before it begins a part of its work, and
    puts each finished part there. So it can be stopped and continued, and no part is done or counted twice.
    """

    seconds: float | None = None  # by `core.clock`, so that compiling isn't counted; None: until it is done
    memory: int = MEMORY
    is_lowest: bool = False  # the lowest score of a solitaire is wanted
    seed: int = 0
    notes: dict[str, Any] = field(default_factory=dict)
    table: Path | None = None  # a file that keeps a table too large for the notes, as `blocks.py` fills it
    save: Callable[[], None] = lambda: None  # called when something has been added to the notes
    report: Callable[[int, int, str], None] = lambda done, total, words: None  # parts done, parts in all, what is done
    keep: Callable[[Any], None] = lambda solved: None  # called with the table that solved the game
    begun: float = field(default_factory=clock)
    patience: float = 0.0  # further seconds for work that will be done by then, as far as can be told
    stop: threading.Event | None = None  # ends the work as the time does; only those who value positions look at it
    workers: Workers = field(default_factory=Processes)  # who does the parts of a long solve, as `parts.py` sends them
    lacks: list[int] = field(default_factory=list)  # bytes that `has_room` was asked for and that were too many

    @property
    def until(self) -> float:
        """When to stop, in the time of `core.clock`."""
        return float("inf") if self.seconds is None else self.begun + self.seconds

    @property
    def left(self) -> float | None:
        """Seconds left; None where there is no limit."""
        if self.stop is not None and self.stop.is_set():
            return 0.0
        return None if self.seconds is None else max(0.0, self.until - clock())

    @property
    def is_over(self) -> bool:
        """Whether the time is over, or the work is stopped."""
        return clock() >= self.until or (self.stop is not None and self.stop.is_set())

    def is_over_after(self, done: int, total: int) -> bool:
        """Whether the time is over for work of which so much is done: the rest would take longer than the patience."""
        if not self.is_over or (self.stop is not None and self.stop.is_set()):
            return self.is_over
        return not done or self.begun + (clock() - self.begun) * total / done > self.until + self.patience

    def within(self, seconds: float) -> "Task":
        """The same task, with this limit of time if it has none."""
        return self if self.seconds is not None else replace(self, seconds=clock() - self.begun + seconds)

    def improving(self) -> "Task":
        """The same task with a limit of time, for a search that would never end by itself."""
        return self.within(IMPROVING)

    def run(self, flag: Row, call: Callable[[], T]) -> T:
        """What a long compiled call returns, which ends early when flag[0] becomes 1: at the end of time, or Ctrl-C."""
        return run(flag, call, self.left, self.stop)

    def has_room(self, needed: int) -> bool:
        """Whether so many bytes may be used. Where not, it is kept that they would have helped."""
        if needed > self.memory:
            self.lacks.append(needed)
        return needed <= self.memory

    def note(self, name: str, value: object) -> None:
        """Keep what is finished."""
        self.notes[name] = value
        self.save()


@dataclass(frozen=True)
class Answer:
    """What was found. Values are scores as the rules count them; for two players, player 1's score minus player 2's."""

    low: int | None  # the value is not below
    high: int | None  # and not above; None where nothing is known
    witness: list[int]  # moves of a game that reaches the value, or the best one found
    best_moves: list[int]  # first moves that keep the value: all of them, or the witness's if not all are known
    nodes: int  # positions looked at, or what `counted` says
    method: str  # how it was found, as a part of a sentence
    value: int | None = None  # or the best score found; None where nothing is known
    counted: str = "positions"  # what `nodes` are
    counts: dict[str, Any] = field(default_factory=dict)  # what else was counted: all games, all optimal games
    has_all_best: bool = False  # `best_moves` are all of them
    is_at_bound: bool = False  # the side that the witness doesn't show is the bound that the rules alone give
    confirmed_by: str | None = None  # the second way in which the value was found, as a part of a sentence
    refute: Callable[[], dict[str, object]] | None = None  # makes grounds that can be checked for the other side
    is_too_large_to_certify: bool = False  # a bound rests on a strategy of a theorem that no certificate can hold
    scores: list[int] | None = None  # the final scores of all players, if more than two play; then there is no value

    @property
    def is_proven(self) -> bool:
        """Whether the value is known for certain or, for more than two players, the scores."""
        return self.scores is not None or (self.low is not None and self.low == self.high)


def run(flag: Row, call: Callable[[], T], seconds: float | None, stop: threading.Event | None = None) -> T:
    """What a long compiled call returns, which ends early when flag[0] becomes 1: after so many seconds, when `stop` is
    set, or at Ctrl-C.

    Compiled code sees neither the clock nor Ctrl-C, so it runs in another thread.
    """
    flag[0] = 0
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(call)
        try:
            return _in_time(future, seconds, stop)
        except TimeoutError:
            flag[0] = 1
            return future.result()
        except KeyboardInterrupt:
            flag[0] = 1
            raise


def _in_time(future: Future[T], seconds: float | None, stop: threading.Event | None) -> T:
    """The result; raises TimeoutError when the seconds are over or `stop` is set. Compiling isn't counted."""
    if seconds is None and stop is None:
        return future.result()
    longest = threading.TIMEOUT_MAX if stop is None else LOOK
    until = float("inf") if seconds is None else clock() + seconds
    while stop is None or not stop.is_set():
        try:
            return future.result(min(longest, max(SHORTEST, until - clock())))
        except TimeoutError:
            if clock() >= until:
                raise
    raise TimeoutError


def no_strategy() -> NotSolved:
    """The error for a strategy that isn't found before the time of a task is over."""
    return NotSolved(say("The time is over before a strategy is found."))
