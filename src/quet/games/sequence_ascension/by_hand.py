"""Grids whose terms, and the path over them, are set up square by square.

A draft holds in each square which term stands there, 1 for a(1), and the path as a list of squares. On paper both are
the moves from the start; a `.` stands for a term that is missing.
"""

from collections.abc import Mapping
from dataclasses import replace

from quet.core.draft import EMPTY, Draft, Field, next_number, numbered
from quet.core.errors import BadPaper, UnreadableMove
from quet.core.grid import read_square, square_text
from quet.core.messages import say
from quet.core.paper import read_words
from quet.core.parameters import read_parameters
from quet.core.position import Position

from . import rules

WAYS = {
    "place": say("A click places the next term in an empty square, or takes away the term that stands there."),
    "path": say("A click leads the path on to a square, or takes the square off the path."),
}
MARKS = ()
NUMBER = say("Which term a click places: 1 for a(1), the first")
FIELDS = (Field("path", say("The squares of the path")),)


def read(text: str, given: Mapping[str, object]) -> Draft:
    """The draft in a list of squares: those of the terms in their order, then those of the path.

    The path begins with the first square that is named again.
    """
    words = read_words(text.replace(",", " "))
    parameters = read_parameters(rules.PARAMETERS, given)
    n = parameters["n"]
    squares: dict[str, str] = {}
    path: list[str] = []
    for number, word in enumerate(words, 1):
        try:
            if word != EMPTY:
                read_square(word, n)
        except UnreadableMove as error:
            raise BadPaper(error.message) from None
        if path or word in squares:
            path.append(word)
        elif word != EMPTY:
            squares[word] = str(number)
    if len(squares) + len(path) > 2 * n * n:
        raise BadPaper(say("The path names squares twice."))
    return Draft(parameters, squares, {"path": " ".join(path)})


def text(draft: Draft) -> str:
    """The draft as a list of squares."""
    squares = {int(number): square for square, number in draft.squares.items()}
    placed = [squares.get(number, EMPTY) for number in range(1, max(squares, default=0) + 1)]
    return " ".join([*placed, *draft.fields.get("path", "").split()])


def of(position: Position) -> Draft:
    """The draft of a position."""
    s: rules.State = position.state
    size = s.n * s.n
    placed = {square_text(square, s.n): str(s.index[square]) for square in range(size) if s.index[square]}
    path = sorted((square for square in range(size) if s.path[square]), key=lambda square: s.path[square])
    return Draft(position.parameters, placed, {"path": " ".join(square_text(square, s.n) for square in path)})


def click(draft: Draft, square: str, way: str, mark: str) -> Draft:
    """The draft after a click on a square; a square without a term can't be on the path."""
    path = draft.fields.get("path", "").split()
    if way == "path" and not mark:
        if square not in draft.squares:
            raise BadPaper(say("{square} is empty, so the path can't go there.", square=square))
        path = [name for name in path if name != square] if square in path else [*path, square]
        return draft.write("path", " ".join(path))
    after = numbered(draft, square, mark, draft.parameters["n"] ** 2)
    return after.write("path", " ".join(name for name in path if name in after.squares))


def sketch(draft: Draft) -> Position:
    """A position to be drawn; it may break rules."""
    s = rules.State()
    rules.start(s, **draft.parameters)
    for name, number in draft.squares.items():
        s.index[read_square(name, s.n)] = int(number)
    s.count = min(next_number(draft) - 1, s.n * s.n - 1)  # the strip shows what is placed next
    s.is_placing = 1
    for name in draft.fields.get("path", "").split():
        if name in draft.squares:
            s.is_placing, s.length = 0, s.length + 1
            s.path[read_square(name, s.n)] = s.length
    return Position(s, replace(draft).parameters)
