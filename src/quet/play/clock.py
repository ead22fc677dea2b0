"""A clock for each seat: time for the whole game, and an increment after each move."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Clock:
    """The seconds that each player has left; only the mover's run.

    `now` is a function that returns seconds and never goes back; tests give their own.
    """

    seconds: float  # each player's, at the start
    increment: float = 0.0  # added after each move
    num_players: int = 2
    now: Callable[[], float] = time.monotonic
    _left: list[float] = field(init=False)
    _running: int | None = field(default=None, init=False)
    _since: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._left = [self.seconds] * self.num_players

    def left(self, player: int) -> float:
        """The seconds that the player has left, at least 0."""
        used = self.now() - self._since if self._running == player else 0.0
        return max(0.0, self._left[player - 1] - used)

    def run_for(self, player: int | None) -> None:
        """Stop the clock that runs, if any, and run this player's; None when nobody is to move."""
        if self._running is not None:
            self._left[self._running - 1] = self.left(self._running)
        self._running = player
        self._since = self.now()

    def press(self, player: int, next_player: int | None) -> None:
        """The player has moved: add the increment, and run the next player's clock."""
        self.run_for(None)
        self._left[player - 1] += self.increment
        self.run_for(next_player)

    @property
    def is_out(self) -> int | None:
        """The player whose time has run out, or None."""
        return self._running if self._running is not None and self.left(self._running) == 0.0 else None
