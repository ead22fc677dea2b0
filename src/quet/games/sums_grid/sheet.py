"""The board on paper: the grid, and below it the numbers from 1 on, to be crossed off as they occur as a sum."""

from math import ceil

from quet.core.messages import say
from quet.core.position import Position
from quet.draw.board import LABEL_MARGIN, board_size, board_title, grid_shapes, outline
from quet.draw.scene import Scene, Shape, Text

MOST = 250  # numbers to cross off
WIDE, HIGH = 0.55, 0.5  # of a number's box
FEWEST = 9  # boxes in a line


def board(position: Position) -> Scene:
    """The empty board of a game's start."""
    n = position.state.n
    width, height = board_size(n)
    width = max(width, LABEL_MARGIN + FEWEST * WIDE + 0.1)
    columns = int((width - LABEL_MARGIN) / WIDE)
    count = min(MOST, n**3)
    shapes: list[Shape] = grid_shapes(n)
    for k in range(count):
        x, y = LABEL_MARGIN + k % columns * WIDE, height + 0.1 + k // columns * HIGH
        shapes.append(outline(x, y, WIDE, HIGH, "grid", 0.02))
        shapes.append(Text(x + WIDE / 2, y + HIGH / 2, str(k + 1), "muted", 0.26))
    bottom = height + 0.1 + ceil(count / columns) * HIGH
    return Scene(board_title(say("Sums Equal 1,2,3,...m"), n), width, bottom + 0.2, tuple(shapes), ())
