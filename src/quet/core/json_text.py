"""The reader of JSON that somebody else may have written: certificates, records, results, tablebases, checkpoints.

It refuses what is too large or too deep before the decoder of Python's library sees it, and what JSON allows or that
decoder takes but no file of Quet has: a name twice in one object, NaN, Infinity and, unless asked for, fractions.
"""

import json
import re
from typing import Any, NoReturn

from .errors import QuetError
from .messages import say

LARGEST = 100_000_000  # characters
MOST_DEPTH = 50  # of arrays and objects inside one another
MOST_VALUES = 6_000_000  # arrays, objects, and what is in them: a short text would fill the memory with empty arrays
MOST_DIGITS = 4_000  # of a number, its sign and point included
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)


class BadJson(QuetError):
    """A text that isn't JSON as Quet's files have it. The message begins with the line."""

    def __init__(self, sentence: str, text: str = "", position: int = 0) -> None:
        self.sentence = sentence
        self.position = position  # of the damage, or where the value with it begins
        self.line = text.count("\n", 0, position) + 1
        super().__init__(say("{where}: {sentence}", where=say("line {line}", line=self.line), sentence=sentence))


def read(content: str | bytes, *, largest: int = LARGEST, has_fractions: bool = False) -> Any:
    """The one value in the text; bytes are UTF-8. Raises BadJson."""
    try:
        text = content if isinstance(content, str) else content.decode()
    except UnicodeDecodeError as error:
        raise BadJson(say("It is not text in UTF-8."), position=error.start) from None
    reader = Reader(text, largest=largest, has_fractions=has_fractions)
    value, after = reader.value(reader.skip(0))
    after = reader.skip(after)
    if after < len(text):
        raise BadJson(say("Something follows the end of the JSON."), text, after)
    return value


class Reader:
    """Reads the values in a text one by one, from places that the caller names."""

    def __init__(self, text: str, *, largest: int = LARGEST, has_fractions: bool = False) -> None:
        """Raises BadJson if the text is too large, has too many values, or anything in it is too deep."""
        if len(text) > largest:
            raise BadJson(say("The JSON has more than {largest} characters.", largest=largest))
        if text.count(",") + text.count("[") + text.count("{") > MOST_VALUES:
            raise BadJson(say("The JSON has more than {most} values.", most=MOST_VALUES))
        _check_depth(text)
        self._text = text
        self._decoder = json.JSONDecoder(
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_fraction if has_fractions else _no_integer,
            parse_constant=_no_integer,
        )

    def skip(self, start: int) -> int:
        """The place of the first character from here that is no blank."""
        return _BLANKS.match(self._text, start).end()  # type: ignore[union-attr]

    def value(self, start: int) -> tuple[Any, int]:
        """The value that begins here, and where it ends; raises BadJson."""
        try:
            return self._decoder.raw_decode(self._text, start)
        except json.JSONDecodeError as error:
            wrong = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
            raise BadJson(say("The JSON is malformed: {wrong}.", wrong=wrong), self._text, error.pos) from None
        except _Refused as error:
            raise BadJson(error.message, self._text, start) from None


_BLANKS = re.compile(r"[ \t\n\r]*")


class _Refused(QuetError):
    """What the decoder's hooks raise; they don't know the place."""


def _check_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= MOST_DEPTH:
        return
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        character = text[found.start()]
        if character in "[{":
            depth += 1
            if depth > MOST_DEPTH:
                raise BadJson(say("The JSON is nested too deeply."), text, found.start())
        elif character != '"':
            depth -= 1


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Refused(say("A name stands twice in one JSON object."))
    return found


def _integer(digits: str) -> int:
    _check_length(digits)
    return int(digits)


def _fraction(digits: str) -> float:
    _check_length(digits)
    return float(digits)


def _check_length(digits: str) -> None:
    if len(digits) > MOST_DIGITS:
        raise _Refused(say("The JSON has a number that is too long."))


def _no_integer(number: str) -> NoReturn:
    raise _Refused(say("{number} is not an integer.", number=number if len(number) <= 20 else f"{number[:17]}..."))
