"""What makes up a score, and how a position played on paper is read."""

from collections.abc import Mapping

from quet.core.errors import BadPaper
from quet.core.messages import say
from quet.core.parameters import read_parameters
from quet.core.position import Item, Position

from .rules import FILLED, PARAMETERS, State, is_beside_filled, is_over, mover, start


def items(position: Position) -> list[Item]:
    """The point for filling the last square, once the game is over."""
    s = position.state
    return [Item(3 - mover(s), 1, say("filled the last square"))] if is_over(s) else []


def read_paper(text: str, given: Mapping[str, object]) -> Position:
    """The row written as `*` for a filled square and `.` for an empty one; raises BadPaper and BadParameter."""
    row = "".join(text.split())
    if not row or set(row) - {"*", "."}:
        raise BadPaper(say("Write the row with * for a filled square and . for an empty one, as in *..*."))
    parameters = read_parameters(PARAMETERS, {"n": len(row), **given})
    if parameters["n"] != len(row):
        raise BadPaper(say("The row has {length} squares, not {n}.", length=len(row), n=parameters["n"]))
    s = State()
    start(s, **parameters)
    for i, character in enumerate(row):
        if character == "*":
            s.cells[i] = FILLED
            s.ply += 1
    for i in range(len(row)):
        if s.cells[i] == FILLED and is_beside_filled(s, i):
            raise BadPaper(say("Square {square} is beside another filled square.", square=i + 1))
    return Position(s, parameters)
