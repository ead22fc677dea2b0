"""One `quet serve` for an SQLite file: a second one would hear nothing of the moves that the first one writes.

The lock is on a file beside the database, and it ends with the program, however that ends.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from ...core.errors import BadParameter
from .database import Database


@contextlib.contextmanager
def alone(database: Database) -> Iterator[None]:
    """Have the SQLite file for this program and its processes alone. Raises BadParameter if another one serves it.

    Any number of programs may serve a PostgreSQL database, which tells them of each other's changes.
    """
    if not database.is_sqlite:
        yield
        return
    file = Path(str(database.url.database)).resolve()
    beside = file.with_name(f"{file.name}.lock")
    try:
        descriptor = os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise BadParameter(f"The database can't be opened: {beside}: {error.strerror}.") from None
    try:
        try:
            _lock(descriptor)
        except OSError:
            raise BadParameter(
                f"Another `quet serve` serves {file}. End that one, give it more processes with --workers, or use "
                "PostgreSQL."
            ) from None
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int) -> None:
    """Lock an open file; raises OSError if somebody else has locked it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
