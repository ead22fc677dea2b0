"""Waiting for what other threads and processes do."""

import time
from collections.abc import Callable

LONG = 100.0  # seconds, however busy the machine is


def wait_until(is_so: Callable[[], bool]) -> None:
    """Look again and again until it is so; fails after a long time."""
    until = time.monotonic() + LONG
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.01)
