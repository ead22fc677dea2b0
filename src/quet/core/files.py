"""Reading and writing a file that a person named, which may be anything."""

import contextlib
import glob
import math
import os
import secrets
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from .errors import QuetError, why
from .messages import say

BETWEEN_TRIES = 0.01  # seconds until a lock that another program has is asked for again


def user_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of the user's data: QUET_DATA, or where the system has it. It need not be there."""
    from platformdirs import user_data_path

    given = environment.get("QUET_DATA")
    return Path(given) if given else user_data_path("quet", appauthor=False)


class UnreadableFile(QuetError):
    """A file that isn't there, isn't a regular file, is too large or may not be read."""


def read_file(path: str | os.PathLike[str], largest: int) -> bytes:
    """The content of a regular file of at most `largest` bytes.

    A pipe or a device is refused and not waited for. Raises UnreadableFile, with a sentence that doesn't name the file.
    """
    try:
        with open_file(path) as file:
            content = file.read(largest + 1)
    except OSError as error:
        raise _unreadable(error) from None
    if content is None:  # some files of the system have nothing to read just now
        raise UnreadableFile(say("It has nothing to read now."))
    if len(content) > largest:
        raise UnreadableFile(say("It is larger than {megabytes} MB.", megabytes=f"{largest / 1e6:g}"))
    return content


def open_file(path: str | os.PathLike[str]) -> BinaryIO:
    """A regular file, open to read; raises UnreadableFile as `read_file` does."""
    try:
        file = open(path, "rb", opener=open_at_once)  # noqa: SIM115 - whoever asks closes it
    except (OSError, ValueError) as error:
        raise _unreadable(error) from None
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise UnreadableFile(say("It is not a regular file."))
    return file


def _unreadable(error: Exception) -> UnreadableFile:
    return UnreadableFile(say("It can't be read: {why}.", why=why(error)))


class UnwritableFile(QuetError):
    """A file that can't be written, or is there and isn't a regular one."""


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise UnwritableFile where `write_file` can't write: better before long work than after it.

    The sentence doesn't name the file.
    """
    path = Path(os.path.realpath(path))  # as it's written, by whatever link it is named
    if path.is_dir():
        trouble = "It is a folder."
    elif path.exists() and not path.is_file():
        trouble = "It is not a regular file."
    elif not path.parent.is_dir():
        trouble = "Its folder doesn't exist."
    elif not os.access(path.parent, os.W_OK):
        trouble = "Its folder can't be written."
    else:
        return
    raise UnwritableFile(trouble)


def write_file(path: str | os.PathLike[str], content: bytes | Iterable[bytes | memoryview]) -> None:
    """Make the file hold the content, or its parts, in one step: written beside it, flushed to the disk, and renamed.

    The file is there whole or, when something fails, as it was. Raises UnwritableFile, with a sentence that doesn't
    name the file.
    """
    write_files({Path(path): content})


def write_files(contents: Mapping[Path, bytes | Iterable[bytes | memoryview]]) -> None:
    """Make files hold contents as `write_file` does. None is renamed before all are written, so that a full disk
    leaves all as they were.
    """
    beside: list[tuple[Path, Path]] = []
    try:
        for name, content in contents.items():
            path = Path(os.path.realpath(name))
            written = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
            beside.append((path, written))
            _write_beside(path, written, [content] if isinstance(content, bytes) else content)
        for path, written in beside:
            written.replace(path)
    except (OSError, ValueError) as error:
        raise UnwritableFile(say("It can't be written: {why}.", why=why(error))) from None
    finally:
        for _, written in beside:
            with contextlib.suppress(OSError, ValueError):
                written.unlink()


def remove_leftovers(path: str | os.PathLike[str]) -> None:
    """Remove what programs that were killed while they wrote this file left beside it. None may be writing it now."""
    path = Path(os.path.realpath(path))
    for file in path.parent.glob(f".{glob.escape(path.name)}.{'[0-9a-f]' * 8}"):
        with contextlib.suppress(OSError):
            file.unlink()


class LockedFile(QuetError):
    """A file that another program has for itself. Whoever asked for it says so."""


@contextlib.contextmanager
def locked(path: str | os.PathLike[str], *, is_first: bool = True) -> Iterator[Path]:
    """Have a file, which need not be there, for this program alone; yields the empty file beside it that has the lock.

    The lock ends with the program, however that ends. Processes that are not `is_first` share it with the first one of
    them; whoever is first must have the file alone for a moment. Raises LockedFile, and OSError where the file beside
    it can't be opened.
    """
    file = Path(os.path.realpath(path))
    beside = file.with_name(f"{file.name}.lock")
    descriptor = os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            _lock(descriptor, is_first=is_first)
            is_there = os.path.samestat(os.fstat(descriptor), beside.stat())
        except (BlockingIOError, PermissionError, FileNotFoundError):
            is_there = False
        except OSError:  # a file system without locks
            is_there = True
        if not is_there:  # or it was removed just now
            raise LockedFile
        yield beside
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def waited_for(folder: str | os.PathLike[str], seconds: float = math.inf) -> Iterator[bool]:
    """Have a folder for this program alone, as soon as no other one has it; others wait meanwhile.

    Yields whether it has the folder; where it doesn't, another one kept it for longer than these seconds.
    The lock is on the folder itself and ends with the program, however that ends. Windows and some file systems have no
    such lock: there, two programs may have a folder at the same moment. Raises UnwritableFile, with a sentence that
    doesn't name the folder.
    """
    if sys.platform == "win32":
        yield True
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise UnwritableFile(say("It can't be written: {why}.", why=why(error))) from None
    try:
        yield _is_had(descriptor, seconds)
    finally:
        os.close(descriptor)


def _is_had(descriptor: int, seconds: float) -> bool:
    """Whether a folder could be locked within these seconds, or is on a file system without locks."""
    import fcntl

    deadline = time.monotonic() + seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if seconds == math.inf else fcntl.LOCK_NB))
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(BETWEEN_TRIES)
        except OSError:
            return True
        else:
            return True


def _lock(descriptor: int, *, is_first: bool) -> None:
    """Lock an open file; raises BlockingIOError or PermissionError if another program has locked it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        if is_first:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)


def open_at_once(path: str, flags: int) -> int:
    """An opener that doesn't wait for a pipe or a device."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _write_beside(path: Path, beside: Path, parts: Iterable[bytes | memoryview]) -> None:
    """Write what is to take the place of the file, with its owner and mode, and flush it to the disk."""
    about = None
    with contextlib.suppress(FileNotFoundError):
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise ValueError("it is not a regular file")
    with beside.open("xb") as file:
        file.writelines(parts)
        file.flush()
        if about is not None and sys.platform != "win32":
            os.fchmod(file.fileno(), stat.S_IMODE(about.st_mode))
            if os.geteuid() == 0:  # what root writes over stays its owner's
                with contextlib.suppress(OSError):  # in a container, root may not be allowed to give files
                    os.fchown(file.fileno(), about.st_uid, about.st_gid)
        os.fsync(file.fileno())
