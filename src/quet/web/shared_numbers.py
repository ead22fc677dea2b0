"""The file in which a server process keeps its numbers for whoever adds those of all processes up.

It has the format of prometheus_client, whose own class maps the file into memory. On a full disk the system kills a
process that touches a part of such memory for which the disk has no room (SIGBUS), and each one that takes its place.
Here a number that finds no room waits in the process until there is some.
"""

import contextlib
import errno
import struct
from io import FileIO
from pathlib import Path

from prometheus_client import values
from prometheus_client.mmap_dict import MmapedDict

_HEAD = struct.Struct("i4x")  # how many bytes are used
_NUMBER = struct.Struct("dd")  # a value and a time


class NumbersFile:
    """A dict of numbers written to a file, as the library's values use it. Not thread-safe: they have a lock."""

    def __init__(self, filename: str) -> None:
        self._path = Path(filename)
        self._file: FileIO | None = None
        self._used = _HEAD.size
        self._kept: dict[str, tuple[float, float]] = {}
        self._positions: dict[str, int] = {}
        self._waiting: set[str] = set()  # what has to be written
        if self._path.exists():  # of a process that had the same number before
            self._file = self._path.open("r+b", buffering=0)
            found = MmapedDict.read_all_values_from_file(filename)  # type: ignore[no-untyped-call]
            for key, value, time, position in found:
                self._kept[key], self._positions[key] = (value, time), position
                self._used = position + _NUMBER.size

    def read_value(self, key: str) -> tuple[float, float]:
        """The value and its time; zeros for a new key, which is written."""
        if key not in self._kept:
            self.write_value(key, 0.0, 0.0)
        return self._kept[key]

    def write_value(self, key: str, value: float, timestamp: float) -> None:
        """Keep a value, and write it to the file where the disk has room."""
        self._kept[key] = value, timestamp
        self._waiting.add(key)
        with contextlib.suppress(OSError):  # the next change tries again
            for each in list(self._waiting):
                if each in self._positions:
                    self._write(self._positions[each], _NUMBER.pack(*self._kept[each]))
                else:
                    self._add(each)
                self._waiting.remove(each)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _add(self, key: str) -> None:
        encoded = key.encode()
        entry = struct.pack("i", len(encoded)) + encoded + b" " * (8 - (len(encoded) + 4) % 8)
        self._write(self._used, entry + _NUMBER.pack(*self._kept[key]))
        end = self._used + len(entry) + _NUMBER.size
        self._write(0, _HEAD.pack(end))  # at last, as others read up to here
        self._positions[key] = self._used + len(entry)
        self._used = end

    def _write(self, position: int, data: bytes) -> None:
        if self._file is None:
            self._file = self._open()
        self._file.seek(position)
        if self._file.write(data) != len(data):
            raise OSError(errno.ENOSPC, "")  # there was room for a part only

    def _open(self) -> FileIO:
        """A new file, which has its head before others see it."""
        beside = self._path.with_name(f"{self._path.name}.new")
        beside.write_bytes(_HEAD.pack(_HEAD.size))
        beside.replace(self._path)
        return self._path.open("r+b", buffering=0)


def use() -> None:
    """Have the library keep the numbers of several processes in such files."""
    values.MmapedDict = NumbersFile  # type: ignore[assignment, attr-defined]
