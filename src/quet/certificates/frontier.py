"""The positions that a walk through a game has come to and hasn't looked at yet, within one block of memory.

They are kept by stage. What is more than a block goes to files. Each has positions in ascending order of their keys,
and a stage is read from all its files at once, in that order. So positions that came up again are found there at the
latest, side by side (Korf, "Delayed duplicate detection: extended abstract", IJCAI 2003).
"""

import heapq
import itertools
import struct
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from operator import itemgetter
from typing import IO, TypeAlias

from ..core.errors import TooLargeToCheck
from ..core.rules import AnyState
from ..core.state import Packing

MOST_ON_DISK = 8 << 30  # bytes of all files
BESIDES = 200  # bytes that Python takes for a position beside its key and what it holds
_MOST_FILES = 32  # of a stage; more of them are made into one
_HEAD = struct.Struct("<IIq")  # the lengths of a key and of a position, and what the result so far is worth

Found: TypeAlias = tuple[bytes, int, bytes]
"""A position as it came up: its key, what the result so far is worth, and its packed state."""


class Frontier:
    """Positions by stage. Of those with one key it keeps the first, or the first of those that are worth least."""

    def __init__(self, packing: Packing[AnyState], block: int, *, on_disk: bool) -> None:
        """At most `block` bytes of positions stay in memory; without `on_disk` there can't be more."""
        self._packing, self._block, self._on_disk = packing, block, on_disk
        self._stages: dict[int, dict[bytes, tuple[int, bytes]]] = {}
        self._files: dict[int, list[IO[bytes]]] = {}
        self._each = 1  # bytes in memory of the largest position so far
        self._written = 0  # bytes in files
        self.num_held = 0  # positions in memory

    def __bool__(self) -> bool:
        """Whether any stage is left."""
        return bool(self._stages or self._files)

    def has(self, key: bytes, stage: int) -> bool:
        """Whether a position of this stage is in memory. Without `on_disk` all are."""
        return key in self._stages.get(stage, ())

    def add(self, s: AnyState, key: bytes, stage: int, worth: int) -> None:
        """Have a position come up, whose result so far is worth so much.

        Raises TooLargeToCheck where there are too many, or no room for files.
        """
        here = self._stages.get(stage)
        if here is None:
            here = self._stages[stage] = {}
        known = here.get(key)
        if known is not None and worth >= known[0]:
            return
        here[key] = worth, self._packing.packed(s)
        if known is not None:
            return
        self.num_held += 1
        self._each = max(self._each, len(key) + self._packing.size + BESIDES)
        if self.num_held * self._each > self._block:
            if not self._on_disk:
                raise TooLargeToCheck(f"More than {self._block // self._each} positions can come up at once.")
            for other in list(self._stages):
                self._write_stage(other)

    def pop(self) -> tuple[int, Iterator[AnyState]]:
        """The lowest stage and its positions in ascending order of their keys, each once. They are gone then.

        They must be taken before another stage is asked for.
        """
        stage = min([*self._stages, *self._files])
        # Positions of the next stage need room beside those of this one.
        if stage in self._files or (self._on_disk and 2 * len(self._stages[stage]) * self._each > self._block):
            self._write_stage(stage)
        files = self._files.pop(stage, None)
        found = self._taken(self._stages.pop(stage)) if files is None else self._merged(files)
        return stage, (self._packing.unpacked(state) for _, _, state in found)

    def close(self) -> None:
        """Remove all files."""
        for file in itertools.chain.from_iterable(self._files.values()):
            file.close()
        self._files.clear()

    def _taken(self, here: dict[bytes, tuple[int, bytes]]) -> Iterator[Found]:
        keys = sorted(here, reverse=True)
        while keys:
            self.num_held -= 1
            key = keys.pop()
            yield key, *here.pop(key)

    def _write_stage(self, stage: int) -> None:
        """Have the positions of a stage that are in memory in a file."""
        here = self._stages.pop(stage, None)
        if not here:
            return
        files = self._files.setdefault(stage, [])
        files.append(self._in_file((key, *here[key]) for key in sorted(here)))
        self.num_held -= len(here)
        if len(files) > _MOST_FILES:
            files[:] = [self._in_file(self._merged(files))]

    def _in_file(self, positions: Iterable[Found]) -> IO[bytes]:
        """A file without a name that has these positions."""
        with _room_on_disk(), ExitStack() as undo:
            file = undo.enter_context(tempfile.TemporaryFile())
            for key, worth, state in positions:
                self._written += file.write(b"".join((_HEAD.pack(len(key), len(state), worth), key, state)))
                if self._written > MOST_ON_DISK:
                    raise TooLargeToCheck(f"Positions that can come up take more than {MOST_ON_DISK >> 30} GB on disk.")
            file.flush()
            undo.pop_all()
        return file

    def _merged(self, files: list[IO[bytes]]) -> Iterator[Found]:
        """The positions of files, each once; files that came first go before others. The files are removed."""
        for _, alike in itertools.groupby(heapq.merge(*map(self._read, files), key=itemgetter(0)), itemgetter(0)):
            yield min(alike, key=itemgetter(1))

    def _read(self, file: IO[bytes]) -> Iterator[Found]:
        with _room_on_disk(), file:
            size = file.tell()
            file.seek(0)
            while head := file.read(_HEAD.size):
                key, state, worth = _HEAD.unpack(head)
                yield file.read(key), worth, file.read(state)
        self._written -= size


@contextmanager
def _room_on_disk() -> Iterator[None]:
    """Raises TooLargeToCheck where a file fails: that refutes nothing."""
    try:
        yield
    except OSError as error:
        raise TooLargeToCheck(f"Positions that can come up can't be kept on disk (TMPDIR): {error.strerror}.") from None
