"""The board on paper: the grid, and below it all terms in the order in which they are placed, to be crossed off."""

from math import ceil

from quet.core.messages import say
from quet.core.numbers import integer_text
from quet.core.position import Position
from quet.draw.board import LABEL_MARGIN, board_size, board_title, grid_shapes, outline
from quet.draw.scene import Scene, Shape, Text

from .picture import LONGEST, short_terms

HIGH = 0.5  # of a term's box


def board(position: Position) -> Scene:
    """The empty board of a game's start."""
    n = position.state.n
    width, height = board_size(n)
    terms = [integer_text(term) for term in position.parameters["sequence"].values[: n * n]]
    shown = short_terms(terms, position.state, LONGEST)
    wide = max(0.5, 0.2 + 0.17 * max(map(len, shown)))
    columns = min(n * n, int(n / wide))
    shapes: list[Shape] = grid_shapes(n)
    for k, term in enumerate(shown):
        x, y = LABEL_MARGIN + k % columns * wide, height + 0.1 + k // columns * HIGH
        shapes.append(outline(x, y, wide, HIGH, "grid", 0.02))
        shapes.append(Text(x + wide / 2, y + HIGH / 2, term, "ink", 0.28))
    bottom = height + 0.1 + ceil(n * n / columns) * HIGH
    return Scene(board_title(say("Sequence Ascension"), n), width, bottom + 0.2, tuple(shapes), ())
