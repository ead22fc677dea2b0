"""The board on paper: the grid, and boxes for what each player predicted and for what came true.

The boxes of player 1 stand below the columns that a sign is about, those of player 2 to the right of the rows.
"""

from quet.core.messages import say
from quet.core.position import Position
from quet.draw.board import LABEL_MARGIN, MARGIN, board_size, board_title, grid_shapes, outline
from quet.draw.scene import Circle, Scene, Shape, Text

BOX, APART = 0.56, 0.66


def board(position: Position) -> Scene:
    """The empty board of a game's start."""
    n = position.state.n
    width, height = board_size(n)
    shapes: list[Shape] = [*grid_shapes(n), Circle(LABEL_MARGIN, MARGIN + n, 0.13, "border")]
    across, down = height + 0.3, width + 0.2  # the middles of the two lists of predictions
    for k in range(n - 1):
        for shift in (0.0, APART):
            shapes.append(_box(LABEL_MARGIN + k + 1, across + shift, "one"))
            shapes.append(_box(down + shift, MARGIN + k + 1, "two"))
    for shift, words in ((0.0, say("predicted")), (APART, say("truth"))):
        shapes.append(Text(LABEL_MARGIN + n - 0.6, across + shift, words, "muted", 0.3, "start"))
        shapes.append(Text(down + shift, MARGIN + 0.3, say("pred.") if shift == 0 else words, "muted", 0.24))
    right = max(down + APART + 0.5, LABEL_MARGIN + n + 1.0)
    return Scene(board_title(say("Plusses And Minuses"), n), right, across + APART + 0.4, tuple(shapes), ())


def _box(x: float, y: float, role: str) -> Shape:
    return outline(x - BOX / 2, y - BOX / 2, BOX, BOX, role, 0.03)
