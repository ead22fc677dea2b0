"""Grids of numbers that are set up square by square, after those that were blocked before."""

from collections.abc import Mapping

from quet.core.draft import Draft, Field, draft_of_grid, draft_of_numbers, grid_text, numbered
from quet.core.errors import BadPaper
from quet.core.grid import read_square
from quet.core.messages import say
from quet.core.paper import read_grids
from quet.core.position import Position

from . import rules

WAYS = {"write": say("A click writes the next number in an empty square, or erases what stands there.")}
MARKS = ()
NUMBER = say("The number that a click writes")
FIELDS = (Field("before", say("The grids blocked before, as on paper")),)


def read(text: str, given: Mapping[str, object]) -> Draft:
    """The draft in the last grid on the paper; numbers may be missing in it, and lie anywhere."""
    *before, grid = read_grids(text)
    draft = draft_of_grid(grid, rules.PARAMETERS, given, (), len(grid) ** 2)
    return draft.write("before", " // ".join(" / ".join(" ".join(row) for row in other) for other in before))


def text(draft: Draft) -> str:
    """The draft as on paper, with all grids."""
    before = [grid for grid in (draft.fields.get("before", ""),) if grid.strip()]
    return "\n\n".join([*before, grid_text(draft, draft.parameters["n"])])


def of(position: Position) -> Draft:
    """The draft of a position. Raises BadPaper where its moves don't tell of the grids before."""
    s: rules.State = position.state
    before = []
    game = rules.State()
    rules.start(game, **position.parameters)
    for move in position.moves:
        numbers, grid = game.numbers[: s.n * s.n], game.grid
        numbers[move] = game.number + 1
        rules.play(game, move)
        if game.grid > grid:
            before.append(grid_text(draft_of_numbers(position, numbers), s.n).replace("\n", " / "))
    if len(before) + 1 != s.grid:
        raise BadPaper(say("The moves don't tell what stood in the grids before."))
    return draft_of_numbers(position, s.numbers).write("before", " // ".join(before))


def click(draft: Draft, square: str, way: str, mark: str) -> Draft:
    """The draft after a click on a square."""
    return numbered(draft, square, mark, draft.parameters["n"] ** 2)


def sketch(draft: Draft) -> Position:
    """A position to be drawn; it may break rules."""
    s = rules.State()
    rules.start(s, **draft.parameters)
    s.numbers[s.last] = rules.EMPTY
    for name, number in draft.squares.items():
        square = read_square(name, s.n)
        s.numbers[square] = int(number)
        if s.numbers[square] >= s.number:
            s.number, s.last = s.numbers[square], square
    return Position(s, draft.parameters)
