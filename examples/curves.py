"""How a learner gets better while it learns: a line for each measurement, whose time isn't counted as training.

A line has what was done so far (rounds, steps or games), the seconds of CPU in training, and in how many percent of
positions of random games the learner keeps the margin; more may follow. The first line is from before any training.
"""

import contextlib
import time
from collections.abc import Iterator

import quet
import quet.rl
from quet.rl.agents import Agent

PARTS = (0, 1 / 32, 1 / 16, 1 / 8, *(k / 8 for k in range(2, 9)))  # of the training, after which it is measured
POSITIONS = 256  # of random games


class Curve:
    """The clock of a training, which begins now, and its measurements."""

    def __init__(self, agent: Agent, game: quet.Game, *, seed: int) -> None:
        self._agent, self._game, self._seed = agent, game, seed
        self._num = 0  # parts that are measured
        self.text = ""  # the lines so far: whoever keeps them does so in the end, as a training may be stopped
        self._begun, self._paused = time.process_time(), 0.0  # when the clock was stopped; 0 while it goes

    @property
    def used(self) -> float:
        """The seconds of CPU in training."""
        return (self._paused or time.process_time()) - self._begun

    @contextlib.contextmanager
    def pause(self) -> Iterator[None]:
        """Stop the clock."""
        self._paused = time.process_time()
        yield
        self._begun += time.process_time() - self._paused
        self._paused = 0.0

    def is_due(self, share: float) -> bool:
        """Whether it is time to measure, after such a share of the training."""
        is_due = self._num < len(PARTS) and share >= PARTS[self._num]
        while self._num < len(PARTS) and share >= PARTS[self._num]:
            self._num += 1
        return is_due

    def add(self, done: int, *more: str) -> None:
        """Measure, print a line and keep it; called while the clock is stopped."""
        found = quet.rl.measure.accuracy(self._agent, self._game, positions="random", num=POSITIONS, seed=self._seed)
        line = "\t".join([str(done), f"{self.used:.1f}", f"{100 * found.keeps_margin.value:.1f}", *more])
        print(line, flush=True)
        self.text += line + "\n"
