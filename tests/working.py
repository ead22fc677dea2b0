"""Parts of work for the tests of those who do them."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from quet.core.errors import BadParameter


def square(number: int, seconds: float | None) -> int:
    return number * number


def slow_square(number: int, lasts: float, seconds: float | None) -> list[int] | None:
    """The square, in so many seconds, and who made it; None when there is less time."""
    begun = time.monotonic()
    while time.monotonic() - begun < lasts:
        if seconds is not None and time.monotonic() - begun >= seconds:
            return None
        time.sleep(0.005)
    return [number * number, os.getpid()]


def square_of_a_mortal(number: int, fatal: int, flag: str, seconds: float | None) -> int:
    """The square; the first who makes that of `fatal` dies of it, and all do where there is no flag to leave."""
    if number == fatal and not (flag and Path(flag).exists()):
        if flag:
            Path(flag).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def refusal(number: int, seconds: float | None) -> Any:
    raise BadParameter(f"There is no {number}.")


def bug(number: int, seconds: float | None) -> Any:
    raise ZeroDivisionError(number)


def forever(number: int, flag: str, seconds: float | None) -> Any:
    """Work that sees neither the clock nor a signal, and leaves a file that says who does it."""
    Path(flag).write_text(str(os.getpid()))
    time.sleep(1000)
