"""The picture of a position: shapes in board units (a square is 1 by 1), and the squares that can be touched."""

from quet.core.messages import say
from quet.core.position import Position
from quet.draw.scene import Circle, Rectangle, Scene, Shape, Square, Text

from .rules import FILLED

MARGIN = 0.5


def scene(position: Position) -> Scene:
    """A row of numbered squares."""
    s = position.state
    last = position.moves[-1] if position.moves else None
    shapes: list[Shape] = []
    squares: list[Square] = []
    for i in range(s.n):
        x, is_filled, is_legal = MARGIN + i, s.cells[i] == FILLED, i in position.legal
        shapes.append(Rectangle(x, MARGIN, 1, 1, "border"))
        shapes.append(Rectangle(x + 0.03, MARGIN + 0.03, 0.94, 0.94, "filled" if is_filled else "square"))
        if i == last:
            shapes.append(Circle(x + 0.5, MARGIN + 0.5, 0.2, "last"))
        if is_legal:
            shapes.append(Circle(x + 0.5, MARGIN + 0.5, 0.1, "legal"))
        shapes.append(Text(x + 0.5, MARGIN + 1.3, str(i + 1), "muted", 0.32))
        squares.append(
            Square(
                name=str(i + 1),
                column=i,
                row=0,
                x=x,
                y=MARGIN,
                width=1,
                height=1,
                glyph="*" if is_filled else ".",
                words=say("filled") if is_filled else say("empty"),
                moves=(str(i + 1),) if is_legal else (),
                is_last=i == last,
            )
        )
    title = say("TITLE, {n} squares", n=s.n)
    about = say("{filled} of {n} squares are filled.", filled=s.cells.count(FILLED), n=s.n)
    return Scene(title, s.n + 2 * MARGIN, 2 * MARGIN + 1.5, tuple(shapes), tuple(squares), about=(about,))
