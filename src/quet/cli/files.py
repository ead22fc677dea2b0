"""The files that a command line names: `-` is standard input or standard output."""

import contextlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path

from ..core import files
from ..core.errors import BadParameter, BadRecord, why
from ..core.files import UnwritableFile, write_file
from ..core.numbers import read_integer
from ..core.quoting import printable, shorten
from ..play.files import exists, path_of
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
        raise BadRecord("There is no record in it.", file=INPUT if name == STANDARD else printable(name, 200))
    return found


def chosen(found: Sequence[records.Record], number: int) -> records.Record:
    """The record of this number, from 1 on, among those of a file; raises BadParameter."""
    if not 1 <= number <= len(found):
        has = f"{len(found)} record{'' if len(found) == 1 else 's'}"
        raise BadParameter(f"The file has {has}; there is no record {number}.")
    return found[number - 1]


def one_game(text: str) -> tuple[records.Record, str]:
    """The game in a file that a player names, or that of the number behind the name, as in `games.quet 2`.

    With it the name of the file if there is no other game in it. Raises BadRecord and BadParameter.
    """
    if text == STANDARD:
        raise BadRecord("Standard input is where the commands come from; name a file.")
    name, number = text, 0
    before, _, last = text.rpartition(" ")
    if before and not exists(text):
        number = read_integer(last) or 0
        name = before if number else text
    found = records.load(path_of(name))
    if len(found) == 1 and not number:
        return found[0], name
    if not found or not number:
        which = f"; write the number of one behind it, as in {name} {len(found)}" if found else ""
        raise BadRecord(
            f"There should be one game in the file, not {len(found) or 'none'}{which}.", file=printable(name)
        )
    return chosen(found, number), ""


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
        raise BadParameter(f"{printable(name, 200)}: {error}") from None


def check_writable(name: str) -> None:
    """Raise BadParameter where a file of this name can't be written: better before long work than after it."""
    if name == STANDARD:
        return
    try:
        files.check_writable(name)
    except UnwritableFile as error:
        raise BadParameter(f"{shorten(name, 200)}: {error}") from None


@contextlib.contextmanager
def alone(name: str, otherwise: str) -> Iterator[None]:
    """Have a file for this command alone; raises BadParameter, with the sentence `otherwise` if another one has it."""
    with contextlib.ExitStack() as stack:
        try:
            beside = stack.enter_context(files.locked(name))
        except files.LockedFile:
            raise BadParameter(f"{shorten(name, 200)}: {otherwise}") from None
        except (OSError, ValueError) as error:
            if not (isinstance(error, PermissionError) and os.access(name, os.W_OK)):
                raise BadParameter(f"{shorten(name, 200)}: It can't be written: {why(error)}.") from None
            beside = None  # in a folder that takes no other file
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # some systems keep a file that is open
                if beside is not None and beside.stat().st_size == 0:  # or it is somebody's
                    beside.unlink()


def check_no_json(name: str | None, what: str, *, is_json: bool) -> None:
    """Raise BadParameter where `what` and JSON would both go to standard output."""
    if name == STANDARD and is_json:
        raise BadParameter(f"Standard output takes {what} or JSON, not both.")


def check_apart(written: Mapping[str, str | None], read: Mapping[str, str | None] | None = None) -> None:
    """Check that no file is written twice, nor written where it is read; raises BadParameter.

    Each file has the name that a person gave it, or None, by what the command line calls it, such as an option.
    """
    outputs = [(what, name) for what, name in written.items() if name is not None]
    inputs = [(what, name) for what, name in (read or {}).items() if name not in (None, STANDARD)]
    for (one, name), (other, other_name) in [*combinations(outputs, 2), *product(inputs, outputs)]:
        if name == other_name == STANDARD:
            raise BadParameter(f"Give {one} or {other} -, not both: each writes to standard output.")
        if STANDARD not in (name, other_name) and _is_same(str(name), str(other_name)):
            raise BadParameter(f"{one} and {other} name the same file, {shorten(other_name, 200)}.")


def of_parameters(parameters: Mapping[str, object]) -> dict[str, str | None]:
    """The files that parameters name, as in sequence=file:PATH, by the names of the parameters."""
    found = {name: str(value) for name, value in parameters.items()}
    return {name: value.removeprefix("file:") for name, value in found.items() if value.startswith("file:")}


def _is_same(one: str, other: str) -> bool:
    """Whether two names are of one file, which need not be there."""
    with contextlib.suppress(OSError, ValueError):
        return Path(one).samefile(other)
    with contextlib.suppress(OSError, ValueError):
        return os.path.realpath(one) == os.path.realpath(other)
    return False


def suffix(name: str) -> str:
    """What says the kind of a picture: the end of the file's name in small letters. `-` gets an SVG."""
    return ".svg" if name == STANDARD else Path(name).suffix.lower()
