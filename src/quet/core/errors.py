"""Every error that Quet raises on purpose. Each message is a sentence that a player can read.

QuetError
├── UnknownGame        no game has this name
├── BadParameter       a parameter that the game doesn't have, or a value outside its range
├── MoveError          (also a ValueError) a move that wasn't played
│   ├── UnreadableMove     the text is no move of this game
│   ├── IllegalMove        the text is a move, and the rules forbid it here
│   └── NotYourTurn        somebody else is to move, or nobody yet
├── BadPaper           what was written on paper can't be read or breaks the rules
├── BadRecord          a damaged record: file, line and move number
├── BadJson            (in `json_text.py`) a text that is not JSON as files of Quet have it
├── BadResult          a damaged table of results: file and line
├── BadCertificate     a certificate that doesn't hold: file, and the first step that fails
│   └── TooLargeToCheck    one whose grounds would take a checker more time or memory than it has
├── TooLarge           a search that needs more memory than it was allowed
├── NotSolved          an exact value that nobody knows, or that wasn't found in time
├── NotCompiled        a search whose code another process still compiles
├── MissingExtra       (also an ImportError) packages that an extra brings are not installed
└── BrokenRules        a rules module that doesn't keep the contract
"""

import contextlib
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .messages import joined, say
from .quoting import printable

if TYPE_CHECKING:
    from argparse import ArgumentParser

_NUMBER = re.compile(r"\[Errno -?[0-9]+\] ")  # libraries quote errors of the system with it


class QuetError(Exception):
    """The base of all errors below."""

    @property
    def message(self) -> str:
        """What it says; a `Message`, which can be translated, where it was raised with one."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


def one_line(message: object, longest: int = 500) -> str:
    """An error, or its message, as one printable line of reasonable length, whatever the text that it quotes."""
    return printable(str(message), longest)


def why(error: BaseException) -> str:
    """What failed, for the end of a sentence: the first line, without the number and the file of a system's error."""
    text = str(getattr(error, "strerror", None) or error).partition("\n")[0]
    return one_line(_NUMBER.sub("", text).rstrip("."), 300)


@contextlib.contextmanager
def refusing(parser: "ArgumentParser") -> Iterator[None]:
    """A context in which an error of what a command line asks for, or of a file, ends the program with its sentence."""
    try:
        yield
    except QuetError as error:
        parser.error(one_line(error))
    except OSError as error:
        if error.filename is None:  # no file that was named: nothing that other words would help against
            raise
        parser.error(one_line(f"{error.filename}: {why(error)}."))


class UnknownGame(QuetError):
    """No game has this name."""


class BadParameter(QuetError):
    """A parameter that the game doesn't have, or a value outside its range."""


class MoveError(QuetError, ValueError):
    """A move that wasn't played; the game stands as it stood."""


class UnreadableMove(MoveError):
    """The text is no move of this game."""


class IllegalMove(MoveError):
    """The text is a move, and the rules forbid it in this position; the message names the rule."""


class NotYourTurn(MoveError):
    """Somebody else is to move, or the game has not begun, or it is over."""


class BadPaper(QuetError):
    """A position or game written on paper that can't be read or breaks the rules."""


class BadPosition(BadPaper):
    """A paper that breaks a rule and can't be meant as a list of moves."""


class BadRecord(QuetError):
    """A damaged record. The message begins with the file, the line and the move, as far as they are known."""

    def __init__(self, sentence: str, *, file: str = "", line: int = 0, move: int = 0) -> None:
        self.sentence = sentence
        self.file = file
        self.line = line
        self.move = move
        where = [file] if file else []
        where += [say("line {line}", line=line)] if line else []
        where += [say("move {move}", move=move)] if move else []
        super().__init__(say("{where}: {sentence}", where=joined(where), sentence=sentence) if where else sentence)


class BadResult(QuetError):
    """A damaged table of results. The message begins with the file and the line, as far as they are known."""

    def __init__(self, sentence: str, *, file: str = "", line: int = 0) -> None:
        self.sentence = sentence
        self.file = file
        self.line = line
        where = [file] if file else []
        where += [f"line {line}"] if line else []
        super().__init__(f"{', '.join(where)}: {sentence}" if where else sentence)


class BadCertificate(QuetError):
    """A certificate that doesn't hold. The message names the file, where it is known, and the first step that fails."""

    def __init__(self, sentence: str, *, step: str, file: str = "") -> None:
        self.sentence = sentence
        self.step = step
        self.file = file
        super().__init__(joined([*([file] if file else []), step, sentence], ": "))


class TooLargeToCheck(BadCertificate):
    """Grounds that would take a checker more time or memory than it has. Nothing is wrong in them, as far as it saw."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, step="grounds")


class TooLarge(QuetError):
    """A search that needs more memory than it was allowed; the message has the amount needed."""

    def __init__(self, needed: int, allowed: int) -> None:
        """Both in bytes."""
        megabytes = str(-(-needed // 2**20))
        if len(megabytes) > 12:
            megabytes = say("more than 10^{exponent}", exponent=len(megabytes) - 1)
        super().__init__(
            say(
                "The search needs {megabytes} MB of memory and may use {allowed} MB.",
                megabytes=megabytes,
                allowed=allowed // 2**20,
            )
        )


class NotSolved(QuetError):
    """An exact value that nobody knows, or that wasn't found in time."""


class NotCompiled(QuetError):
    """A search whose code isn't compiled yet, in a process that leaves compiling to another one."""

    def __init__(self) -> None:
        super().__init__(say("The code of this search is still being compiled."))


class MissingExtra(QuetError, ImportError):
    """Packages that an extra of Quet brings are not installed; the message has the command that installs them."""


class BrokenRules(QuetError):
    """A rules module that doesn't keep the contract of `quet.core.rules.Rules`."""
