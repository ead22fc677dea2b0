"""Lines that people type, or that come through a pipe."""

import argparse
import os
import sys
from collections.abc import Iterable
from typing import BinaryIO

from ..core.errors import BadParameter, MoveError, QuetError

LONGEST_LINE = 10_000  # bytes


class BadUsage(QuetError):
    """A command line that can't be read."""


def refuse(options: argparse.Namespace, names: Iterable[str], asked: str) -> None:
    """Raise BadParameter for the first of these options that is given, as it does nothing with what is asked."""
    for name in names:
        if getattr(options, name) != options.usual(name):
            command = " ".join(asked.split()[:2])
            option = name.replace("_", "-")
            raise BadParameter(f"--{option} has no meaning with {asked}; {command} --help tells more.")


def can_draw() -> bool:
    """Whether the terminal application can draw here: not through a pipe, and not where TERM is `dumb`."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def line_text(line: bytes, lines: BinaryIO) -> str:
    """A line as text. The rest of a line that is too long is read and dropped. Raises MoveError."""
    if len(line) > LONGEST_LINE:
        while line and not line.endswith(b"\n"):
            line = lines.readline(LONGEST_LINE)
        raise MoveError(f"The line is too long; {LONGEST_LINE} bytes are read at most.")
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        raise MoveError("The line is not text in UTF-8.") from None
