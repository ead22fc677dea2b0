"""The board on paper: the row of squares, with room above and below it for what is found."""

from math import ceil

from quet.core.messages import say
from quet.core.position import Position
from quet.draw.board import outline
from quet.draw.scene import Scene, Shape, Text

LONGEST = 17  # squares in one line
PITCH = 2.0  # from line to line


def board(position: Position) -> Scene:
    """The empty row of a game's start."""
    m = position.state.m
    lines = ceil(m / LONGEST)
    wide = ceil(m / lines)
    shapes: list[Shape] = []
    for square in range(m):
        x, y = 0.1 + square % wide, 0.6 + square // wide * PITCH
        shapes.append(outline(x, y, 1, 1, "border", 0.04))
        shapes.append(Text(x + 0.13, y + 0.21, str(square + 1), "muted", 0.2, "start"))
    return Scene(say("Palindromes, {m} squares", m=m), max(wide + 0.2, 6.0), lines * PITCH, tuple(shapes), ())
