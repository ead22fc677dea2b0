"""Rows that are set up square by square."""

from collections.abc import Mapping

from quet.core.draft import EMPTY, Draft, toggled
from quet.core.errors import BadPaper
from quet.core.messages import say
from quet.core.paper import EMPTY_MARKS, read_size, read_words
from quet.core.position import Position
from quet.core.quoting import shorten

from . import rules

WAYS = {"write": say("A click writes 0 in an empty square, then 1, and then empties it.")}
MARKS = ("0", "1")
NUMBER = ""
FIELDS = ()


def read(text: str, given: Mapping[str, object]) -> Draft:
    """The draft in a row, as on paper."""
    row = "".join(read_words(text))
    for mark in row:
        if mark not in (*MARKS, *EMPTY_MARKS):
            raise BadPaper(say("{mark} can't stand in a square.", mark=shorten(mark)))
    length = say("The length of the row is {length}", length=len(row))
    parameters = read_size("m", len(row), length, rules.PARAMETERS, given)
    return Draft(parameters, {str(square): mark for square, mark in enumerate(row, 1) if mark in MARKS})


def text(draft: Draft) -> str:
    """The draft as on paper."""
    return "".join(draft.squares.get(str(square), EMPTY) for square in range(1, draft.parameters["m"] + 1))


def of(position: Position) -> Draft:
    """The draft of a position."""
    s: rules.State = position.state
    digits = {str(square + 1): str(s.digits[square]) for square in range(s.m) if s.digits[square] != rules.EMPTY}
    return Draft(position.parameters, digits)


def click(draft: Draft, square: str, way: str, mark: str) -> Draft:
    """The draft after a click on a square."""
    return toggled(draft, square, mark, MARKS)


def sketch(draft: Draft) -> Position:
    """A position to be drawn; every draft of a row is one."""
    s = rules.State()
    rules.start(s, **draft.parameters)
    for square, mark in draft.squares.items():
        rules.play(s, 2 * (int(square) - 1) + int(mark))
    return Position(s, draft.parameters)
