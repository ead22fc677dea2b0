"""A large table that is filled block by block. Each block is a part of the solve, and any worker may fill it.

Several processes see one table, which is a file mapped into memory. If a solve has a checkpoint, the file is beside it
and outlives the program. The task's notes have a CRC-32 of each full block. If the bytes of a block differ, because the
file is damaged or the machine lost them, the block is filled again. Without a checkpoint the file is in this machine's
memory; a single process needs no file.
"""

import contextlib
import math
import mmap
import os
import secrets
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.errors import QuetError
from ..core.files import UnwritableFile, open_at_once
from ..core.quoting import shorten
from ..distribution.parts import done
from ..distribution.task import Task

NOTE = "block "  # how the names of the notes begin
TOKEN = 16  # bytes at the end of a file, by which a worker knows that it sees the same one
WORDS = "blocks of the table full"
MOST_TURNS = 20  # on a layer that several machines fill


Table = NDArray[np.signedinteger]


class Block(NamedTuple):
    """A part of a table: its rows from `first` up to `last`, and further arguments of the function that fills them."""

    first: int
    last: int
    arguments: tuple[object, ...] = ()


@dataclass(frozen=True)
class Place:
    """Where a table is; a worker is sent this."""

    file: str  # empty where no other process is to see it
    shape: tuple[int, ...]
    type: str  # of its numbers, as NumPy names it
    token: str
    is_kept: bool = False  # beside a checkpoint
    is_far: bool = False  # workers may be on other machines

    @property
    def length(self) -> int:
        """Bytes of the table."""
        return math.prod(self.shape) * np.dtype(self.type).itemsize


_tables: dict[str, Table] = {}  # those that this process sees, by their tokens


def filled(
    task: Task,
    shape: tuple[int, ...],
    type: str,
    layers: Sequence[Mapping[str, Block]],
    function: Callable[..., bool],
    arguments: tuple[object, ...],
) -> Table | None:
    """The table when all blocks are full, None if the time is over before. It begins with zeros.

    The blocks of a layer depend only on blocks of earlier layers. `function(table, *arguments, *block.arguments,
    seconds)` fills a block and returns whether it finished. It is sent with its arguments as parts are. Raises
    UnwritableFile if the file can't be made, and QuetError if parts can't be done.
    """
    total, before = sum(map(len, layers)), 0

    def report(full: int, _: int, words: str) -> None:
        task.report(before + full, total, words)

    with _made(task, shape, type) as (place, table):
        for layer in layers:
            parts = {NOTE + name: (place, block, function, arguments) for name, block in layer.items()}
            for _ in range(MOST_TURNS):
                for name in _not_as_noted(task, layer, place, table):
                    del task.notes[name]
                full = sum(1 for _ in done(replace(task, report=report), fill, parts, WORDS))
                if full < len(parts):
                    return None
                if not place.is_far:
                    break
                # Machines write whole pages: if a page has parts of two blocks, one of them may be as it was before.
                table = _opened(place)[1]
                if not _not_as_noted(task, layer, place, table):
                    break
            else:
                raise _unkept(place)
            before += full
        if place.is_far and any(_not_as_noted(task, layer, place, table) for layer in layers):
            raise _unkept(place)
        return table


def fill(
    place: Place, block: Block, function: Callable[..., bool], arguments: tuple[object, ...], seconds: float | None
) -> int | None:
    """Fill a block and return its CRC-32, 0 if the table isn't kept, or None if the time is over before the block is
    full.
    """
    content = None
    if place.is_far:  # opening a shared file makes sure that it is as other machines left it
        content, table = _opened(place)
    elif place.token in _tables:
        table = _tables[place.token]
    else:
        _tables.clear()  # of another solve
        table = _tables[place.token] = _opened(place)[1]
    if not function(table, *arguments, *block.arguments, seconds):
        return None
    if content is not None:
        content.flush()
    return _sum(table, block) if place.is_kept else 0


def remove(task: Task) -> None:
    """Remove the file of a task whose table isn't needed any more, if it has made one."""
    if task.table is not None and any(name.startswith(NOTE) for name in task.notes):
        with contextlib.suppress(PermissionError):  # some systems keep a file that is still mapped into memory
            task.table.unlink(missing_ok=True)


def _unkept(place: Place) -> QuetError:
    return QuetError(f"{shorten(place.file, 200)}: The folder doesn't keep what the workers write there.")


def _not_as_noted(task: Task, layer: Mapping[str, Block], place: Place, table: Table) -> list[str]:
    """The names of the notes on full blocks whose bytes have changed."""
    notes = {NOTE + name: block for name, block in layer.items() if NOTE + name in task.notes}
    return [name for name, block in notes.items() if not place.is_kept or task.notes[name] != _sum(table, block)]


def _sum(table: Table, block: Block) -> int:
    return zlib.crc32(table[block.first : block.last].data)


@contextlib.contextmanager
def _made(task: Task, shape: tuple[int, ...], type: str) -> Iterator[tuple[Place, Table]]:
    """The table of a task and its place, while its blocks are being filled."""
    place = Place("", shape, type, secrets.token_hex(TOKEN))
    with contextlib.ExitStack() as stack:
        if task.table is not None:
            place, table = _kept(task.table, replace(place, is_kept=True, is_far=task.workers.are_far))
        elif task.workers.are_far:
            raise QuetError(
                "Workers of a cluster fill this table in a file that they all see: "
                "give --checkpoint FILE, in a folder that they share."
            )
        elif task.workers.seconds_here == math.inf:
            table = np.zeros(shape, type)
        else:
            opened, name = stack.enter_context(_shared())
            os.ftruncate(opened, place.length + TOKEN)
            place = replace(place, file=name)
            table = _marked(opened, place)
        _tables[place.token] = table
        stack.callback(_tables.pop, place.token)
        yield place, table


def _kept(file: Path, place: Place) -> tuple[Place, Table]:
    """The table in the file beside a checkpoint. The file is made if it isn't there. Raises UnwritableFile."""
    name = shorten(str(file), 200)
    try:
        file.touch()
        if not file.is_file():
            raise UnwritableFile(f"{name}: It is not a regular file.")
        with open(file, "r+b", opener=open_at_once) as opened:
            size = os.fstat(opened.fileno()).st_size
            if size not in (0, place.length + TOKEN):
                raise UnwritableFile(f"{name}: It is no table of this solve; move it away.")
            if size == 0:
                try:
                    _reserve(opened.fileno(), place.length + TOKEN)
                except OSError:
                    file.unlink()
                    raise
            return replace(place, file=str(file.resolve())), _marked(opened.fileno(), place)
    except OSError as error:
        raise UnwritableFile(f"{name}: It can't be written: {error.strerror}.") from None


def _reserve(file: int, length: int) -> None:
    """Give an empty file this length. If the system can, reserve its place on the disk too, so that the disk isn't full
    later.
    """
    os.posix_fallocate(file, 0, length) if hasattr(os, "posix_fallocate") else os.ftruncate(file, length)


@contextlib.contextmanager
def _shared() -> Iterator[tuple[int, str]]:
    """A file that other processes of this machine can open by its name. It is in memory if the system can do that."""
    if hasattr(os, "memfd_create"):
        opened = os.memfd_create("quet")
        try:
            yield opened, f"/proc/{os.getpid()}/fd/{opened}"
        finally:
            os.close(opened)
    else:
        opened, name = tempfile.mkstemp(prefix="quet-")
        try:
            yield opened, name
        finally:
            os.close(opened)
            with contextlib.suppress(PermissionError):
                Path(name).unlink()


def _marked(opened: int, place: Place) -> Table:
    """The table in a file. Writes its token at the end of the file."""
    content, table = _mapped(opened, place)
    content[-TOKEN:] = bytes.fromhex(place.token)
    if place.is_far:
        content.flush()
    return table


def _opened(place: Place) -> tuple[mmap.mmap, Table]:
    """The file of a table, and the table in it. Raises QuetError where this process doesn't see it."""
    with contextlib.suppress(OSError, ValueError), open(place.file, "r+b", opener=open_at_once) as opened:
        content, table = _mapped(opened.fileno(), place)
        if content[-TOKEN:] == bytes.fromhex(place.token):
            return content, table
    file = shorten(place.file, 200)
    raise QuetError(f"A worker doesn't see {file}, where the table is: all must share the checkpoint's folder.")


def _mapped(opened: int, place: Place) -> tuple[mmap.mmap, Table]:
    content = mmap.mmap(opened, place.length + TOKEN)
    return content, np.frombuffer(content, place.type, math.prod(place.shape)).reshape(place.shape)
