"""Clocks: how much time the players have, and what their clocks show.

Both classes are values that know no wall clock. Every time is a number of seconds that the caller brings: seconds since
1970 on the site, seconds since any moment in a terminal.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

MOST_MINUTES = 10_000  # of a clock in a terminal
MOST_INCREMENT = 10_000  # seconds


@dataclass(frozen=True, slots=True)
class Clock:
    """How much time each player has. Only the clock of the player to move runs."""

    seconds: float  # each player's: for the whole game, or for each move
    increment: float = 0.0  # seconds added after each move, and gone again when it is taken back
    is_per_move: bool = False  # whether every move has `seconds` of its own
    first_move: float | None = None  # a first move costs no time and may take so long; None if it counts too
    runs_for_computers: bool = True


@dataclass(frozen=True, slots=True)
class Times:
    """The seconds that each player has, as they were when the turn of the player to move began."""

    clock: Clock
    left: tuple[float, ...]
    since: float  # when the turn began
    untimed: frozenset[int] = frozenset()  # players whose clocks never run
    moved: frozenset[int] = frozenset()  # players who have ever moved

    @classmethod
    def at_start(cls, clock: Clock, num_players: int, computers: Iterable[int], at: float) -> "Times":
        """The times before the first move; the first turn begins at `at`."""
        untimed = frozenset() if clock.runs_for_computers else frozenset(computers)
        return cls(clock, (clock.seconds,) * num_players, at, untimed)

    def seconds_left(self, player: int, now: float, *, is_mover: bool) -> float:
        """The seconds that the player has left now, at least 0."""
        used = now - self.since if is_mover and self._counts(player) else 0.0
        return max(0.0, self.left[player - 1] - used)

    def deadline(self, mover: int) -> float | None:
        """When the time of the player to move runs out; None for a player without a clock."""
        if mover in self.untimed:
            return None
        left = self.left[mover - 1]
        if not self._counts(mover):
            left = max(left, self.clock.first_move or 0.0)
        return self.since + left

    def turn(self, at: float) -> "Times":
        """The times when a new turn begins, and nobody pays for the turn before."""
        return replace(self, since=at)

    def after_move(self, player: int, at: float) -> "Times":
        """The times after a move: its player pays for the turn and gets the increment."""
        left = self.left
        if not self.clock.is_per_move and player not in self.untimed:
            rest = self.seconds_left(player, at, is_mover=True) + self.clock.increment
            left = (*left[: player - 1], rest, *left[player:])
        return Times(self.clock, left, at, self.untimed, self.moved | {player})

    def after_turn(self, player: int | None, at: float) -> "Times":
        """The times when a turn ends without a move; the player, if any, pays for it."""
        after = self
        if player is not None and not self.clock.is_per_move and self._counts(player):
            after = self._add(player, self.since - at)
        return after.turn(at)

    def with_increments(self, players: Iterable[int], sign: int) -> "Times":
        """The times after moves were played again, or taken back with sign -1; `players` has the player of each.

        As much time as an increment stays to who has it, so that nobody loses by taking back.
        """
        after, increment = self, self.clock.increment
        for player in players:
            if player not in self.untimed and not self.clock.is_per_move:
                spare = max(0.0, after.left[player - 1] - increment)
                after = after._add(player, increment if sign > 0 else -min(increment, spare))
        return after

    def _counts(self, player: int) -> bool:
        """Whether the player's clock runs while they are to move."""
        if player in self.untimed:
            return False
        return self.clock.is_per_move or self.clock.first_move is None or player in self.moved

    def _add(self, player: int, seconds: float) -> "Times":
        left = max(0.0, self.left[player - 1] + seconds)
        return replace(self, left=(*self.left[: player - 1], left, *self.left[player:]))
