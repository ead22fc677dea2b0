"""How long a process beside the server has compiled: its limits of time don't count that.

The server can't see what another process does, so the process tells it through memory that both see.
"""

import ctypes
import threading
import time
from multiprocessing import sharedctypes
from multiprocessing.connection import Connection

from ..core.clock import stood

TOLD = 0.5  # seconds between two times that a process tells
MOST = 600.0  # seconds of compiling for one piece of work; after them it is as if nothing more were compiled


class Compiling:
    """What one process tells the server."""

    def __init__(self) -> None:
        """Made by the server, and given to the process when it starts."""
        self._seconds = sharedctypes.RawValue(ctypes.c_double, 0.0)

    @property
    def seconds(self) -> float:
        """For how long the process has compiled since it began."""
        return float(self._seconds.value)

    def tell(self) -> None:
        """Tell the server from now on. Called in the process."""
        threading.Thread(target=self._tell, name="compiling", daemon=True).start()

    def _tell(self) -> None:
        while True:
            self._seconds.value = stood()
            time.sleep(TOLD)

    def limit(self, seconds: float) -> "Limit":
        """A limit for work that begins now."""
        return Limit(self, seconds)


class Limit:
    """A number of seconds without those in which the process compiled."""

    def __init__(self, compiling: Compiling, seconds: float) -> None:
        self._compiling, self._seconds = compiling, seconds
        self._begun, self._compiled = time.monotonic(), compiling.seconds

    @property
    def left(self) -> float:
        """Seconds that are left now; not above 0 when the time is over."""
        compiled = min(MOST, self._compiling.seconds - self._compiled)
        return self._begun + self._seconds + compiled - time.monotonic()


def answers(connection: Connection, limit: Limit) -> bool:
    """Whether something comes from a process before its time is over."""
    while not connection.poll(max(0.0, limit.left)):
        if limit.left <= 0.0:
            return False
    return True
