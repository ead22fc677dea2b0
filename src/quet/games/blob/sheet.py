"""The board on paper: the grid, a box for each row to be marked if it is good, and one for each column."""

from quet.core.messages import say
from quet.core.position import Position
from quet.draw.board import LABEL_MARGIN, MARGIN, board_size, board_title, grid_shapes, outline
from quet.draw.scene import Scene

BOX = 0.5


def board(position: Position) -> Scene:
    """The empty board of a game's start."""
    n = position.state.n
    width, height = board_size(n)
    aside = (1 - BOX) / 2
    rows = (outline(width - 0.2, MARGIN + k + aside, BOX, BOX, "one", 0.03) for k in range(n))
    columns = (outline(LABEL_MARGIN + k + aside, height - 0.1, BOX, BOX, "two", 0.03) for k in range(n))
    return Scene(board_title(say("Blob"), n), width + 0.55, height + 0.6, (*grid_shapes(n), *rows, *columns), ())
