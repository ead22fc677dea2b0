"""Tablebases in files. They are saved once and mapped into memory, so that a look-up doesn't read the whole file.

A file begins with a line that names the format and its version. Then come the length and the SHA-256 of what stands
before the arrays: the header, which is a JSON object, and a CRC-32 of each block of the arrays. A block is checked when
something is first looked up in it. So one of a gigabyte opens at once, and damage is found before it has an effect.

What can be saved: the positions of `engine.positions`, and the `Solution` of a game's own `exact.py`. Each is a data
class of arrays and of what JSON holds.
"""

import hashlib
import json
import math
import mmap
import os
import stat
import struct
import tempfile
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..capabilities import Capabilities, Solved
from ..core import json_text
from ..core.errors import QuetError
from ..core.files import UnwritableFile, open_at_once, remove_leftovers, user_folder, waited_for, write_file
from ..core.parameters import written
from ..core.rules import AnyRules, AnyState
from ..engine import positions
from ..engine.arrays import Ints

MAGIC = b"quet-table "
VERSION = 1
BLOCK = 1 << 16  # bytes that have a CRC-32; every array begins at a multiple of it
LARGEST_HEADER = 1 << 24  # bytes, with the CRC-32 of more than a hundred gigabytes
MOST_OPEN = 4  # tablebases kept open
POSITIONS = "positions"  # the kind of a tablebase by the game's keys
OWN = "solution"  # the kind of a game's own tablebase; "retrograde" in some earlier files
CODES = {  # earlier files have a digest of the code in place of a numbering; these have numbering 1
    "08a20a9b3438a4b5a2f739531820986d01b125e5122b88d01ff27ef3fb9fdf74",
    "1fd4488262e32bb27f88cda301a6877e3b40b1f95d4947a22c4ff6b679ed08f0",
    "3e70c8ef6281a11716b8d7d3aab02d82b0b9df8791a1a8b6bc952be37face3e8",
    "5e99eeb7827c84822ed4bb25c08e80f94ca0aaf7ca08df33c0413bd3e32731e5",
    "9a8f5ac52af10e3c9e9d1ab0875cf96cfe799d95ac8b9e27adea660870d88e1a",
    "ceb739aaf90023cddfc018e381f2e3b84273e4aabe758596d691c93b65d6f726",
    "fc6c25a968698d06910afb3debb76b173ffd8ca4886c89db31ad248b932b2e47",
}
_LENGTH_AND_DIGEST = struct.Struct("<Q32s")
_TYPES = {"int8", "int16", "int32", "int64"}  # of entries, little-endian


Checks = NDArray[np.uint32]  # CRC-32 of blocks


class BadTablebase(QuetError):
    """A file that isn't the tablebase it should be; the sentence doesn't name the file."""


def folder() -> Path:
    """Where tablebases are kept: QUET_TABLES, else the folder `tables` in the user's data folder."""
    given = os.environ.get("QUET_TABLES")
    return Path(given) if given else user_folder() / "tables"


def make_folder() -> None:
    """Make the folder of tablebases if it isn't there. Raises UnwritableFile if no file can be made in it."""
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder()):
            pass
    except OSError as error:
        raise UnwritableFile(f"No file can be made in this folder: {error.strerror}.") from None


def path(game: str, parameters: Mapping[str, object]) -> Path:
    """Where the tablebase of this game and size is kept: `palindromes-m20.table` in the folder of tables."""
    shown = [
        f"{name}{value if type(value) is int else hashlib.sha256(str(value).encode()).hexdigest()[:12]}"
        for name, value in parameters.items()
    ]
    return folder() / f"{'-'.join([game, *shown])}.table"


def save(
    solved: Solved[AnyState],
    game: str,
    rules: AnyRules,
    capabilities: Capabilities,
    parameters: Mapping[str, object],
    report: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> Path:
    """Write a tablebase to its place in the folder of tablebases, in one step, and return where.

    `report` is called with the number of bytes written, the number of all bytes, and what they are. Raises
    UnwritableFile.
    """
    file = path(game, parameters)
    kind, facts, arrays = _taken_apart(solved)
    arrays = {name: np.ascontiguousarray(array, array.dtype.newbyteorder("<")) for name, array in arrays.items()}
    checks = b"".join(struct.pack("<I", zlib.crc32(block)) for array in arrays.values() for block in _blocks(array))
    header = {
        **_question(game, rules, parameters),
        "kind": kind,
        "numbering": _numbering(capabilities, kind),
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
                report(done, total, "bytes of the tablebase written")
            yield bytes(-array.nbytes % BLOCK)

    make_folder()
    with waited_for(folder()):
        remove_leftovers(file)
        write_file(file, parts())
    return file


def _question(game: str, rules: AnyRules, parameters: Mapping[str, object]) -> dict[str, object]:
    """The question that a tablebase answers."""
    plain = written(parameters)
    return {"game": game, "version of the rules": rules.VERSION, "parameters": plain}


def _numbering(capabilities: Capabilities, kind: str) -> list[int]:
    """The versions of the numbering of positions in a tablebase of this kind."""
    return [positions.NUMBERING, capabilities.numbering] if kind == POSITIONS else [capabilities.numbering]


def _blocks(array: Ints) -> Iterator[memoryview]:
    whole = array.reshape(-1).view(np.uint8).data
    for first in range(0, len(whole), BLOCK):
        yield whole[first : first + BLOCK]


def _beginning(header: bytes, checks: bytes) -> bytes:
    """The file up to the arrays, without the zeros before them."""
    followed = struct.pack("<Q", len(header)) + header + checks
    digest = hashlib.sha256(followed).digest()
    return MAGIC + b"%d\n" % VERSION + _LENGTH_AND_DIGEST.pack(len(followed), digest) + followed


def find(
    game: str, rules: AnyRules, capabilities: Capabilities, parameters: Mapping[str, object]
) -> Solved[AnyState] | None:
    """The tablebase of this game and size, open; None if there is none. Raises BadTablebase."""
    file = path(game, parameters)
    try:
        about = file.stat()
    except OSError:
        return None
    seen = about.st_ino, about.st_mtime_ns, about.st_size, rules.VERSION, capabilities, tuple(parameters.items())
    with _lock:
        kept = _open.get(file)
    if kept is None or kept[0] != seen:
        kept = seen, load(file, game, rules, capabilities, parameters)
        with _lock:
            _open[file] = kept
            for old in list(_open)[:-MOST_OPEN]:
                del _open[old]
    return kept[1]


_open: dict[Path, tuple[object, Solved[AnyState]]] = {}  # tablebases found, with the state of their files then
_lock = threading.Lock()


def load(
    file: Path, game: str, rules: AnyRules, capabilities: Capabilities, parameters: Mapping[str, object]
) -> Solved[AnyState]:
    """The tablebase in this file, mapped into memory. A look-up in a damaged block raises BadTablebase.

    Raises BadTablebase for any other file, and for a tablebase of another game, size, or version of the rules.
    """
    try:
        with open(file, "rb", opener=open_at_once) as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                raise BadTablebase("It is not a regular file.")
            return _read(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ), game, rules, capabilities, parameters)
    except OSError as error:
        raise BadTablebase(f"It can't be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, OverflowError, struct.error, json_text.BadJson):
        raise BadTablebase("It is no tablebase, or a damaged one.") from None


def _read(
    content: mmap.mmap, game: str, rules: AnyRules, capabilities: Capabilities, parameters: Mapping[str, object]
) -> Solved[AnyState]:
    header, checks, begins = _header(content)
    for name, value in _question(game, rules, parameters).items():
        if header[name] != value:
            raise BadTablebase(f"It is the tablebase of another question; its {name} is another one.")
    kind = POSITIONS if header["kind"] == POSITIONS else OWN
    numbering = _numbering(capabilities, kind)
    if "code" in header:
        header["numbering"] = [1] * len(numbering) if header["code"] in CODES else None
    if header["numbering"] != numbering:
        raise BadTablebase("Another version of the program saved it, which may number positions in another way.")
    return _put_together(kind, capabilities, header["facts"], _arrays(content, header["arrays"], checks, begins))


def _header(content: mmap.mmap) -> tuple[dict[str, Any], Checks, int]:
    """The header, the CRC-32 of all blocks, and where these end."""
    line_end = content.find(b"\n", 0, len(MAGIC) + 10)
    if content[: len(MAGIC)] != MAGIC or line_end < 0:
        raise BadTablebase("It is no tablebase.")
    if content[len(MAGIC) : line_end] != b"%d" % VERSION:
        raise BadTablebase(f"It is of another version of the format than {VERSION}; solve and save it again.")
    length, digest = _LENGTH_AND_DIGEST.unpack_from(content, line_end + 1)
    begins = line_end + 1 + _LENGTH_AND_DIGEST.size
    followed = content[begins : begins + min(length, LARGEST_HEADER)]
    if hashlib.sha256(followed).digest() != digest:
        raise BadTablebase("Its header is damaged.")
    (header_length,) = struct.unpack_from("<Q", followed)
    checks = np.frombuffer(followed, "<u4", offset=8 + header_length)
    header = json_text.read(followed[8 : 8 + header_length], has_fractions=True)
    return header, checks, begins + len(followed)


def _arrays(
    content: mmap.mmap, about: list[tuple[str, str, list[int]]], checks: Checks, at: int
) -> dict[str, "Checked"]:
    """The arrays after this place; `about` has their names, types and shapes."""
    found: dict[str, Checked] = {}
    for name, kind, shape in about:
        if kind not in _TYPES:
            raise ValueError(kind)
        dtype = np.dtype(kind).newbyteorder("<")
        count = math.prod(shape)
        num_blocks = -(-count * dtype.itemsize // BLOCK)
        at += -at % BLOCK
        if at + count * dtype.itemsize > len(content):
            raise BadTablebase("It is cut short.")
        found[name] = Checked(np.frombuffer(content, dtype, count, at).reshape(shape), checks[:num_blocks])
        at, checks = at + count * dtype.itemsize, checks[num_blocks:]
    if len(checks) or at + -at % BLOCK != len(content):
        raise BadTablebase("It is cut short, or has more at its end.")
    return found


class Checked:
    """An array of a mapped file, read entry by entry. A block is checked when it is first used."""

    def __init__(self, array: Ints, checks: Checks) -> None:
        self._array = array
        self._bytes = array.reshape(-1).view(np.uint8).data
        self._checks = checks
        self._is_checked = bytearray(len(checks))
        self.shape = array.shape
        self.size = array.size

    def __len__(self) -> int:
        return len(self._array)

    def __array__(self, dtype: np.dtype[np.signedinteger] | None = None, copy: bool | None = None) -> Ints:
        """All entries, checked; they stay in the file unless a copy is asked for. Raises BadTablebase."""
        for block in range(len(self._checks)):
            self._check(block)
        return np.array(self._array, dtype=dtype, copy=copy)

    def __getitem__(self, index: int | tuple[int, ...]) -> int:
        """The entry at this index, one number for each dimension, none below 0. Raises BadTablebase and IndexError."""
        place = 0
        for i, length in zip(index if isinstance(index, tuple) else (index,), self.shape, strict=True):
            if not 0 <= i < length:
                raise IndexError(index)
            place = place * length + i
        self._check(place * self._array.itemsize // BLOCK)
        return int(self._array[index])

    def _check(self, block: int) -> None:
        if not self._is_checked[block]:
            if zlib.crc32(self._bytes[block * BLOCK : (block + 1) * BLOCK]) != self._checks[block]:
                raise BadTablebase("A part of it is damaged.")
            self._is_checked[block] = 1


def _taken_apart(solved: Solved[AnyState]) -> tuple[str, dict[str, object], dict[str, Ints]]:
    """Which kind of tablebase it is, what of it JSON can hold, and its arrays."""
    kind = POSITIONS if isinstance(solved, positions.Positions) else OWN
    inside = {name: value for name, value in vars(solved).items() if name != "capabilities"}
    arrays = {name: value for name, value in inside.items() if isinstance(value, np.ndarray)}
    return kind, {name: value for name, value in inside.items() if name not in arrays}, arrays


def _put_together(
    kind: str, capabilities: Capabilities, facts: Mapping[str, object], arrays: Mapping[str, "Checked"]
) -> Solved[AnyState]:
    """The opposite of `_taken_apart`."""
    if kind == POSITIONS:
        return positions.Positions(
            capabilities, **cast(Mapping[str, Ints], arrays)
        )  # read entry by entry, as arrays are
    if capabilities.table is None:
        raise BadTablebase("The game makes no such tablebase any more.")
    plain = {name: tuple(value) if isinstance(value, list) else value for name, value in facts.items()}
    return capabilities.table.Solution(**plain, **arrays)
