"""The files that a command line names: `-` is standard input or standard output."""

import sys
from collections.abc import Sequence
from pathlib import Path

from ..core.errors import BadParameter, BadRecord
from ..core.files import UnwritableFile, write_file
from ..core.grid import shorten
from ..records import record as records

STANDARD = "-"
INPUT = "standard input"


def read_input(largest: int) -> bytes | None:
    """All of standard input; None if it has more bytes than `largest`."""
    content = sys.stdin.buffer.read(largest + 1)
    return content if len(content) <= largest else None


def load(name: str) -> list[records.Record]:
    """The records in a file, or in standard input; raises BadRecord as `records.load` does, and if there is none."""
    if name != STANDARD:
        found = records.load(name)
    else:
        content = read_input(records.LARGEST_FILE)
        if content is None:
            raise BadRecord("It is larger than 16 MB.", file=INPUT)
        found = records.decode(content, INPUT)
    if not found:
        raise BadRecord("There is no record in it.", file=INPUT if name == STANDARD else shorten(name, 200)[1:-1])
    return found


def chosen(found: Sequence[records.Record], number: int) -> records.Record:
    """The record of this number, from 1 on, among those of a file; raises BadParameter."""
    if not 1 <= number <= len(found):
        has = f"{len(found)} record{'' if len(found) == 1 else 's'}"
        raise BadParameter(f"The file has {has}; there is no record {number}.")
    return found[number - 1]


def write(name: str, content: bytes) -> None:
    """Write a file as a whole, or to standard output; raises BadParameter."""
    if name == STANDARD:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        write_file(name, content)
    except UnwritableFile as error:
        raise BadParameter(f"{shorten(name, 200)[1:-1]}: {error}") from None


def suffix(name: str) -> str:
    """What says the kind of a picture: the end of the file's name in small letters. `-` gets an SVG."""
    return ".svg" if name == STANDARD else Path(name).suffix.lower()
