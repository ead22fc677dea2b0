"""A large table filled block by block: in memory or, where a solve has a checkpoint, in a file beside it.

That file is the table itself, mapped into memory, and what is in it outlives the program. The task's notes have a
CRC-32 of each block that is full. A block whose bytes are others, because the file is damaged or the machine lost them,
is filled again, and so is a table that other code has filled.
"""

import contextlib
import hashlib
import math
import mmap
import os
import stat
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ..core.files import UnwritableFile, open_at_once
from ..core.grid import shorten
from ..engine.compiled import sources
from .answer import Task

NOTE = "block "  # how the names of the notes begin


class Blocks:
    """A table of 16-bit numbers, zeros at first, in so many blocks of equal size along its first dimension."""

    def __init__(self, shape: tuple[int, ...], count: int, module: str, task: Task | None = None) -> None:
        """`module` is the name of the one that fills the table. Raises UnwritableFile."""
        self._task, self._count = task, count
        file = None if task is None else task.table
        self.table: Any = np.zeros(shape, np.int16) if file is None else _mapped(file, shape)
        self._name = "" if file is None else f"of {count} by {_code(module)}"
        noted = {} if task is None else task.notes
        known = [block for block in range(count) if self._noted_as(block) in noted]
        self.full = {block for block in known if noted[self._noted_as(block)] == self._sum(block)}

    def left(self, blocks: Iterable[int]) -> list[int]:
        """Those of the blocks that aren't full."""
        return [block for block in blocks if block not in self.full]

    def note(self, block: int) -> None:
        """Keep that a block is full."""
        self.full.add(block)
        if self._name and self._task is not None:
            self._task.note(self._noted_as(block), self._sum(block))

    def _noted_as(self, block: int) -> str:
        return f"{NOTE}{block} {self._name}"

    def _sum(self, block: int) -> int:
        size = len(self.table) // self._count
        return zlib.crc32(self.table[block * size : (block + 1) * size])


def remove(task: Task) -> None:
    """Take away the file of a task whose table isn't needed any more, where it has made one."""
    if task.table is not None and any(name.startswith(NOTE) for name in task.notes):
        with contextlib.suppress(PermissionError):  # some systems keep a file that is still mapped into memory
            task.table.unlink(missing_ok=True)


def _mapped(file: Path, shape: tuple[int, ...]) -> Any:
    """The array in a file, which is made where it isn't there."""
    length = 2 * math.prod(shape)
    name = shorten(str(file), 200)
    try:
        file.touch()
        with open(file, "r+b", opener=open_at_once) as opened:
            about = os.fstat(opened.fileno())
            if not stat.S_ISREG(about.st_mode):
                raise UnwritableFile(f"{name}: It is not a regular file.")
            if about.st_size not in (0, length):
                raise UnwritableFile(f"{name}: It is no table of this solve; move it away.")
            if about.st_size == 0:
                _reserve(opened.fileno(), length)
            return np.frombuffer(mmap.mmap(opened.fileno(), length), np.int16).reshape(shape)
    except OSError as error:
        raise UnwritableFile(f"{name}: It can't be written: {error.strerror}.") from None


def _reserve(file: int, length: int) -> None:
    """Make an empty file so long; where the system can, with its place on the disk, which would be missed later."""
    try:
        os.posix_fallocate(file, 0, length) if hasattr(os, "posix_fallocate") else os.ftruncate(file, length)
    except OSError:
        os.ftruncate(file, 0)
        raise


def _code(module: str) -> str:
    """A digest of the game's code that fills a table, by which tables of other versions are told apart."""
    package = module.rpartition(".")[0]
    files = {name: file for name, file in sources(module).items() if name.startswith(package)}
    return hashlib.sha256(b"\0".join(files[name].read_bytes() for name in sorted(files))).hexdigest()[:16]
