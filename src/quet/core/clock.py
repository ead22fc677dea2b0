"""The clock that limits searches and solvers. It stands still while this process compiles, which is no search.

Only where somebody has said how long to wait (`never_standing`), it goes on meanwhile.
"""

import contextlib
import threading
import time
from collections.abc import Iterator

COMPILING = "about 10 seconds"  # of a game's search, once, as people are told; `bench/run.py` measures it


class _Standing:
    lock = threading.Lock()
    holders = 0  # who wants it to stand still
    since = 0.0  # when the first of them began
    seconds = 0.0  # that it stood still before
    never = False


def clock() -> float:
    """Seconds since some moment, as `time.perf_counter` has them, without those in which it stood still."""
    with _Standing.lock:
        now = time.perf_counter()
        is_standing = _Standing.holders and not _Standing.never
        return now - _Standing.seconds - (now - _Standing.since if is_standing else 0.0)


def stood() -> float:
    """For how many seconds it has stood still until now."""
    with _Standing.lock:
        return _Standing.seconds + (time.perf_counter() - _Standing.since if _Standing.holders else 0.0)


def hold() -> None:
    """Let the clock stand still until `release` has been called as often."""
    with _Standing.lock:
        if _Standing.holders == 0:
            _Standing.since = time.perf_counter()
        _Standing.holders += 1


def release() -> None:
    """Let the clock go on, unless somebody else holds it."""
    with _Standing.lock:
        _Standing.holders -= 1
        if _Standing.holders == 0 and not _Standing.never:
            _Standing.seconds += time.perf_counter() - _Standing.since


@contextlib.contextmanager
def never_standing() -> Iterator[None]:
    """Meanwhile the clock goes on whatever happens. Begun and ended while nobody holds it."""
    _Standing.never = True
    try:
        yield
    finally:
        _Standing.never = False
