"""What checking a certificate may take: whoever writes one decides how long the check is."""

import math
import time
from dataclasses import dataclass

from ..core.errors import TooLargeToCheck

_STEPS = 16  # between two looks at the clock; on the largest boards a position takes some hundredths of a second


@dataclass(frozen=True)
class Limits:
    """The time and memory of a check."""

    seconds: float = 3600.0  # of CPU; where they are estimated before, on a slow machine
    memory: int = 4 << 30  # bytes


USUAL = Limits()


class Meter:
    """The limits of one check, and how much of its time is left.

    With `is_patient` the time has no end, and only estimates are compared with the limits.
    """

    def __init__(self, limits: Limits = USUAL, *, is_patient: bool = False) -> None:
        self.limits = limits
        self._end = math.inf if is_patient else time.process_time() + limits.seconds
        self._num_steps = 0

    def step(self) -> None:
        """Count another position or clause. Raises TooLargeToCheck where the time is over."""
        self._num_steps += 1
        if self._num_steps % _STEPS == 0:
            self.look()

    def look(self) -> None:
        """Raise TooLargeToCheck where the time is over."""
        if time.process_time() > self._end:
            raise TooLargeToCheck(f"Checking takes more than {self.limits.seconds:g} s of CPU (--time).")

    def hold(self, needed: int) -> None:
        """Raise TooLargeToCheck where so many bytes are more than allowed."""
        if needed > self.limits.memory:
            allowed = megabytes(self.limits.memory)
            raise TooLargeToCheck(f"Checking takes up to {megabytes(needed)} MB; allowed are {allowed} MB (--memory).")


def megabytes(memory: int) -> int:
    """So many bytes in MB, rounded up."""
    return -(-memory // 2**20)
