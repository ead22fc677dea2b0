"""Predictions and filled squares that are set up by hand."""

from collections.abc import Mapping

from quet.core.draft import EMPTY, Draft, Field, toggled
from quet.core.errors import BadPaper, UnreadableMove
from quet.core.grid import read_square, square_text
from quet.core.messages import say
from quet.core.paper import read_words
from quet.core.parameters import read_parameters
from quet.core.position import Position

from . import rules
from .judge import SIGNS, with_hyphens

WAYS = {"fill": say("A click fills a square, or empties it. Others in its row and its column are emptied.")}
MARKS = ("*",)
NUMBER = ""
FIELDS = (
    Field("first", say("What player 1 predicted"), ("+", "-")),
    Field("second", say("What player 2 predicted"), ("+", "-")),
)


def read(text: str, given: Mapping[str, object]) -> Draft:
    """The draft in two lists and squares, as on paper; `.` is a list without signs, and lists may have any lengths."""
    words = [with_hyphens(word) for word in read_words(text)]
    num_lists = next((i for i, word in enumerate(words) if word != EMPTY and set(word) - set("+-")), len(words))
    lists = [word.replace(EMPTY, "") for word in words[:num_lists]]
    if not lists:
        raise BadPaper(say("The paper must begin with two lists of + and -, and there is none."))
    if num_lists > 2:
        raise BadPaper(say("The paper must begin with two lists of + and -, not {num_lists}.", num_lists=num_lists))
    first, second = (*lists, "")[:2]
    parameters = read_parameters(rules.PARAMETERS, given if "n" in given else {**given, "n": len(first) + 1})
    draft = Draft(parameters, {}, {"first": first, "second": second})
    for name in words[num_lists:]:
        try:
            read_square(name, parameters["n"])
        except UnreadableMove as error:
            raise BadPaper(error.message) from None
        draft = draft.put(name, MARKS[0])
    return draft


def text(draft: Draft) -> str:
    """The draft as on paper; `.` stands for a list without signs."""
    return " ".join([*(_signs(draft.fields.get(name, "")) or EMPTY for name in ("first", "second")), *draft.squares])


def of(position: Position) -> Draft:
    """The draft of a position."""
    s: rules.State = position.state
    lists = ["".join(SIGNS[sign] for sign in s.predicted[first : 2 * s.n - 2 : 2] if sign) for first in (0, 1)]
    filled = [(s.height[column] - 1) * s.n + column for column in range(s.n) if s.height[column] != rules.EMPTY]
    squares = {square_text(square, s.n): MARKS[0] for square in filled}
    return Draft(position.parameters, squares, {"first": lists[0], "second": lists[1]})


def click(draft: Draft, square: str, way: str, mark: str) -> Draft:
    """The draft after a click on a square, which then is the only one in its row and its column."""
    after = toggled(draft, square, mark, MARKS)
    n = draft.parameters["n"]
    if square in after.squares:
        row, column = divmod(read_square(square, n), n)
        for name in after.squares:
            other = read_square(name, n)
            if name != square and (other // n == row or other % n == column):
                after = after.put(name, EMPTY)
    return after


def sketch(draft: Draft) -> Position:
    """A position to be drawn; it may break rules."""
    s = rules.State()
    rules.start(s, **draft.parameters)
    for player, name in enumerate(("first", "second")):
        for k, sign in enumerate(_signs(draft.fields.get(name, ""))[: s.n - 1]):
            s.predicted[2 * k + player] = 1 if sign == "+" else -1
            s.ply += 1
    for name in draft.squares:
        square = read_square(name, s.n)
        s.height[square % s.n], s.column[square // s.n] = square // s.n + 1, square % s.n + 1
        s.ply += 1
    return Position(s, draft.parameters)


def _signs(text: str) -> str:
    return "".join(with_hyphens(text).split())
