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
from ...core.files import LockedFile, locked
from .database import Database

FILE = "QUET_SQLITE_FILE"  # in the environment of server processes: which file the program that started them serves


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

    Nobody else serves the file until both have ended. Raises BadParameter if another program serves it. If there is
    another file by now, or none, this process doesn't open or make it.
    """
    database.file = os.environ.get(FILE, "")
    if not database.is_sqlite or sys.platform == "win32":  # where a lock can't be shared
        yield
        return
    with _locked(database, is_first=False):
        yield


@contextlib.contextmanager
def _locked(database: Database, *, is_first: bool) -> Iterator[None]:
    file = Path(str(database.url.database)).resolve()
    with contextlib.ExitStack() as stack:
        try:
            lock = stack.enter_context(locked(file, is_first=is_first))
        except OSError as error:
            raise BadParameter(f"The database can't be opened: {error.filename}: {error.strerror}.") from None
        except LockedFile:
            raise BadParameter(
                f"Another `quet serve` serves {file}. End that one; more processes can serve the same games with "
                "--workers, or by PostgreSQL."
            ) from None
        with contextlib.suppress(OSError):  # in a container, root may not be allowed to give files
            give(lock, file)
        yield


def give(made: Path, end: Path) -> None:
    """Give a file that root has made to the owner of the database, or of its folder, so that the server can open it."""
    if sys.platform == "win32" or os.geteuid() != 0:
        return
    for owned in (end, end.parent):
        if owned.exists() and owned.stat().st_uid != 0:
            # The owner of the folder could have put a link there, to a file that isn't for them.
            os.chown(made, owned.stat().st_uid, owned.stat().st_gid, follow_symlinks=False)
            return
