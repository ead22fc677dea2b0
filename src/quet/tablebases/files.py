"""Solved tables in files: saved once, mapped into memory, and looked into without being read.

A file begins with a line that names the format and its version, the length and the SHA-256 of what follows up to the
arrays: the header, a JSON object, and a CRC-32 of each block of the arrays. A block is checked when it is first looked
into, so that a table of a gigabyte is open at once, and damage is found all the same before it does any.

What can be saved: the tables of `engine.retrograde` and of `engine.positions`, and the `Solution` of a game's own
`exact.py`. Each is a data class of arrays and of what JSON holds.
"""

import dataclasses
import functools
import hashlib
import json
import math
import mmap
import os
import stat
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..core.errors import QuetError
from ..core.files import UnwritableFile, open_at_once, write_file
from ..core.parameters import written
from ..distribution.task import Task
from ..engine import positions, retrograde
from ..engine.compiled import sources
from . import layers

MAGIC = b"quet-table "
VERSION = 1
BLOCK = 1 << 16  # bytes that have a CRC-32; every array begins at a multiple of it
LARGEST_HEADER = 1 << 24  # bytes, with the CRC-32 of more than a hundred gigabytes
KINDS: dict[str, Any] = {"retrograde": retrograde.Table, "positions": positions.Positions}
OWN = "solution"  # of the game's own
_LENGTH_AND_DIGEST = struct.Struct("<Q32s")
_TYPES = {"int8", "int16", "int32", "int64"}  # of entries, little-endian


class BadTable(QuetError):
    """A file that isn't the table it should be; the sentence doesn't name the file."""


def folder() -> Path:
    """Where tables are kept: QUET_TABLES, else the folder `tables` in the user's data folder."""
    from platformdirs import user_data_path

    given = os.environ.get("QUET_TABLES")
    return Path(given) if given else user_data_path("quet", appauthor=False) / "tables"


def make_folder() -> None:
    """Make the folder of tables, where it isn't there. Raises UnwritableFile where no file can be made in it."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder()):
            pass
    except OSError as error:
        raise UnwritableFile(f"No file can be made in this folder: {error.strerror}.") from None


def path(game: str, parameters: Mapping[str, object]) -> Path:
    """Where the table of this game and size is kept: `palindromes-m20.table` in the folder of tables."""
    shown = [
        f"{name}{value if type(value) is int else hashlib.sha256(str(value).encode()).hexdigest()[:12]}"
        for name, value in parameters.items()
    ]
    return folder() / f"{'-'.join([game, *shown])}.table"


def save(
    solved: Any,
    game: str,
    rules: Any,
    exact: Any,
    parameters: Mapping[str, object],
    report: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> Path:
    """Write a solved table to its place in the folder of tables, in one step, and return where.

    `report` is told how many bytes are written, how many there are, and what they are. Raises UnwritableFile.
    """
    file = path(game, parameters)
    kind, facts, arrays = _taken_apart(solved)
    arrays = {name: np.ascontiguousarray(array, array.dtype.newbyteorder("<")) for name, array in arrays.items()}
    checks = b"".join(struct.pack("<I", zlib.crc32(block)) for array in arrays.values() for block in _blocks(array))
    header = {
        **_question(game, rules, parameters),
        "kind": kind,
        "code": _code(exact, kind),
        "facts": facts,
        "arrays": [[name, array.dtype.name, list(array.shape)] for name, array in arrays.items()],
    }
    total = sum(array.nbytes for array in arrays.values())

    def parts() -> Iterator[bytes | memoryview]:
        beginning = _beginning(json.dumps(header).encode(), checks)
        yield beginning + bytes(-len(beginning) % BLOCK)
        done = 0
        for array in arrays.values():
            for block in _blocks(array):
                yield block
                done += len(block)
                report(done, total, "bytes of the table written")
            yield bytes(-array.nbytes % BLOCK)

    make_folder()
    write_file(file, parts())
    return file


def _question(game: str, rules: Any, parameters: Mapping[str, object]) -> dict[str, Any]:
    """What a table answers."""
    plain = written(parameters)
    return {"game": game, "version of the rules": rules.VERSION, "parameters": plain}


@functools.cache
def _code(exact: Any, kind: str) -> str:
    """A digest of the code that says where a position stands in a table of this kind."""
    files: dict[str, Path] = {}
    for module in (exact.__name__, getattr(exact, "COMPACT", exact.__name__)):
        files |= {name: file for name, file in sources(module).items() if name.startswith(exact.__package__)}
    if kind in KINDS:
        module = KINDS[kind].__module__
        files[module] = sources(module)[module]
    return hashlib.sha256(b"\0".join(files[name].read_bytes() for name in sorted(files))).hexdigest()


def _blocks(array: Any) -> Iterator[memoryview]:
    whole = memoryview(array.reshape(-1).view(np.uint8))
    for first in range(0, len(whole), BLOCK):
        yield whole[first : first + BLOCK]


def _beginning(header: bytes, checks: bytes) -> bytes:
    """The file up to the arrays, but for the zeros before them."""
    followed = struct.pack("<Q", len(header)) + header + checks
    digest = hashlib.sha256(followed).digest()
    return MAGIC + b"%d\n" % VERSION + _LENGTH_AND_DIGEST.pack(len(followed), digest) + followed


def find(game: str, rules: Any, exact: Any, parameters: Mapping[str, object]) -> Any:
    """The saved table of this game and size, open; None where there is none. Raises BadTable."""
    file = path(game, parameters)
    try:
        about = file.stat()
    except OSError:
        return None
    return _open(file, (about.st_ino, about.st_mtime_ns, about.st_size), game, rules, exact, tuple(parameters.items()))


@functools.lru_cache(maxsize=4)
def _open(
    file: Path, about: object, game: str, rules: Any, exact: Any, parameters: tuple[tuple[str, object], ...]
) -> Any:
    """As `load`, remembered for as long as the file stays what it is."""
    return load(file, game, rules, exact, dict(parameters))


def load(file: Path, game: str, rules: Any, exact: Any, parameters: Mapping[str, object]) -> Any:
    """The table in this file, mapped into memory: what was saved, where looking into a damaged block raises BadTable.

    Raises BadTable for any other file, and for a table of another game, size, or version of the rules.
    """
    try:
        with open(file, "rb", opener=open_at_once) as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                raise BadTable("It is not a regular file.")
            return _read(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ), game, rules, exact, parameters)
    except OSError as error:
        raise BadTable(f"It can't be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, RecursionError, struct.error):
        raise BadTable("It is no table of solved positions, or a damaged one.") from None


def _read(content: mmap.mmap, game: str, rules: Any, exact: Any, parameters: Mapping[str, object]) -> Any:
    header, checks, begins = _header(content)
    for name, value in _question(game, rules, parameters).items():
        if header[name] != value:
            raise BadTable(f"It is the table of another question; its {name} is another one.")
    if header["code"] != _code(exact, header["kind"]):
        raise BadTable("Another version of the program saved it, which may number positions in another way.")
    return _put_together(header["kind"], exact, header["facts"], _arrays(content, header["arrays"], checks, begins))


def _header(content: mmap.mmap) -> tuple[dict[str, Any], Any, int]:
    """The header, the CRC-32 of all blocks, and where these end."""
    line_end = content.find(b"\n", 0, len(MAGIC) + 10)
    if content[: len(MAGIC)] != MAGIC or line_end < 0:
        raise BadTable("It is no table of solved positions.")
    if content[len(MAGIC) : line_end] != b"%d" % VERSION:
        raise BadTable(f"It is of another version of the format than {VERSION}; solve and save it again.")
    length, digest = _LENGTH_AND_DIGEST.unpack_from(content, line_end + 1)
    begins = line_end + 1 + _LENGTH_AND_DIGEST.size
    followed = content[begins : begins + min(length, LARGEST_HEADER)]
    if hashlib.sha256(followed).digest() != digest:
        raise BadTable("Its header is damaged.")
    (header_length,) = struct.unpack_from("<Q", followed)
    checks = np.frombuffer(followed, "<u4", offset=8 + header_length)
    return json.loads(followed[8 : 8 + header_length]), checks, begins + len(followed)


def _arrays(content: mmap.mmap, about: Any, checks: Any, at: int) -> dict[str, "Checked"]:
    """The arrays after this place, of which `about` has names, types and shapes."""
    found: dict[str, Checked] = {}
    for name, kind, shape in about:
        if kind not in _TYPES:
            raise ValueError(kind)
        dtype = np.dtype(kind).newbyteorder("<")
        count = math.prod(shape)
        num_blocks = -(-count * dtype.itemsize // BLOCK)
        at += -at % BLOCK
        if at + count * dtype.itemsize > len(content):
            raise BadTable("It is cut short.")
        found[name] = Checked(np.frombuffer(content, dtype, count, at).reshape(shape), checks[:num_blocks])
        at, checks = at + count * dtype.itemsize, checks[num_blocks:]
    if len(checks) or at + -at % BLOCK != len(content):
        raise BadTable("It is cut short, or has more at its end.")
    return found


class Checked:
    """An array of a mapped file, of which single entries are asked; the block of each is checked at its first use."""

    def __init__(self, array: Any, checks: Any) -> None:
        self._array = array
        self._bytes = memoryview(array.reshape(-1).view(np.uint8))
        self._checks = checks
        self._is_checked = bytearray(len(checks))
        self.shape = array.shape
        self.size = array.size

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: int | tuple[int, ...]) -> int:
        """The entry at this index, one number for each dimension, none below 0. Raises BadTable and IndexError."""
        place = 0
        for i, length in zip(index if isinstance(index, tuple) else (index,), self.shape, strict=True):
            if not 0 <= i < length:
                raise IndexError(index)
            place = place * length + i
        block = place * self._array.itemsize // BLOCK
        if not self._is_checked[block]:
            if zlib.crc32(self._bytes[block * BLOCK : (block + 1) * BLOCK]) != self._checks[block]:
                raise BadTable("A part of it is damaged.")
            self._is_checked[block] = 1
        return int(self._array[index])


def all_positions(rules: Any, exact: Any, state: Any, task: Task) -> Any:
    """A table of all positions, where the solver made none, as it doesn't for this game or had nothing left to solve.

    None where there is no table of this game, or it takes more memory or time.
    """
    if rules.num_players(state) > 2:
        return None
    if hasattr(exact, "num_squares") and retrograde.needed(exact, state) <= task.memory:
        return layers.solve(rules, exact, state, task)
    if hasattr(exact, "solve") and exact.needed(state) <= task.memory:
        return exact.solve(state, task)
    if hasattr(exact, "key") and exact.fits(state):
        return positions.solve(rules, exact, state, memory=task.memory, until=task.until, report=task.report)
    return None


def _taken_apart(solved: Any) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Which kind of table it is, what of it JSON can hold, and its arrays."""
    kind = next((name for name, known in KINDS.items() if isinstance(solved, known)), OWN)
    inside = {each.name: getattr(solved, each.name) for each in dataclasses.fields(solved) if each.name != "exact"}
    arrays = {name: value for name, value in inside.items() if isinstance(value, np.ndarray)}
    return kind, {name: value for name, value in inside.items() if name not in arrays}, arrays


def _put_together(kind: str, exact: Any, facts: dict[str, Any], arrays: dict[str, Checked]) -> Any:
    """The opposite of `_taken_apart`."""
    if kind != OWN:
        return KINDS[kind](exact, **facts, **arrays)
    return exact.Solution(
        **{name: tuple(value) if isinstance(value, list) else value for name, value in facts.items()}, **arrays
    )
