"""One `quet serve` for an SQLite file: a second one would hear nothing of the moves that the first one writes.

The lock is on a file beside the database. It ends with the program and all its server processes, however they end: each
of them shares it, and whoever begins to serve the file must have it alone for a moment.
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
    with _locked(database, is_first=True):
        yield


@contextlib.contextmanager
def with_others(database: Database) -> Iterator[None]:
    """Share the SQLite file with the program that started this server process.

    Nobody else serves the file until both have ended. Raises BadParameter if another program serves it.
    """
    if not database.is_sqlite or sys.platform == "win32":  # where a lock can't be shared
        yield
        return
    with _locked(database, is_first=False):
        yield


@contextlib.contextmanager
def _locked(database: Database, *, is_first: bool) -> Iterator[None]:
    file = Path(str(database.url.database)).resolve()
    beside = file.with_name(f"{file.name}.lock")
    try:
        descriptor = os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise BadParameter(f"The database can't be opened: {beside}: {error.strerror}.") from None
    try:
        try:
            _lock(descriptor, is_first=is_first)
        except OSError:
            raise BadParameter(
                f"Another `quet serve` serves {file}. End that one, give it more processes with --workers, or use "
                "PostgreSQL."
            ) from None
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, *, is_first: bool) -> None:
    """Lock an open file, so that the first one's server processes can too; raises OSError if another has locked it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        if is_first:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
