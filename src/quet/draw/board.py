"""The n by n board that the pictures of the grid games share: its frame, its marks and its squares.

A picture paints `grid_shapes`, then the contents of the squares, then `last_mark` and `legal_mark`. `squares` makes the
places to touch. Squares are numbers as in `quet.core.grid`: a1 = 0 is the LOWER left.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import hypot

from ..core.grid import COLUMNS, square_text
from ..core.messages import say
from .scene import Circle, Line, Rectangle, Shape, Square, Text

LABEL_MARGIN = 0.9  # left of the board, for row numbers, and below it, for column letters
MARGIN = 0.45  # above the board and right of it
LABEL_SIZE = 0.32
NUMBER_SIZE = 0.4  # of at most two digits

Point = tuple[float, float]


def board_title(name: str, n: int) -> str:
    """The title of a picture: `Up And Up, 8 by 8`."""
    return say("{name}, {n} by {n}", name=name, n=n)


def board_size(n: int) -> tuple[float, float]:
    """The width and height of a picture that is a board and its labels."""
    return LABEL_MARGIN + n + MARGIN, MARGIN + n + LABEL_MARGIN


def square_box(square: int, n: int) -> Point:
    """The upper left corner of a square."""
    return LABEL_MARGIN + square % n, MARGIN + n - 1 - square // n


def centre(square: int, n: int) -> Point:
    """The middle of a square."""
    x, y = square_box(square, n)
    return x + 0.5, y + 0.5


def outline(x: float, y: float, width: float, height: float, role: str, line: float = 0.06) -> Line:
    """The outline of a rectangle, drawn along its edge with a line of this width."""
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y))
    return Line(corners, role, line)


def grid_shapes(n: int, fills: Mapping[int, str] | None = None) -> list[Shape]:
    """The empty board with its labels; squares in `fills` are painted with the role given there."""
    x, y = LABEL_MARGIN, MARGIN
    shapes: list[Shape] = [Rectangle(x, y, n, n, "square")]
    for square, role in (fills or {}).items():
        shapes.append(Rectangle(*square_box(square, n), 1, 1, role))
    for k in range(1, n):
        shapes.append(Line(((x + k, y), (x + k, y + n)), "grid", 0.03))
        shapes.append(Line(((x, y + k), (x + n, y + k)), "grid", 0.03))
    shapes.append(outline(x, y, n, n, "border"))
    for k in range(n):
        shapes.append(Text(x / 2, y + n - k - 0.5, str(k + 1), "muted", LABEL_SIZE))
        shapes.append(Text(x + k + 0.5, y + n + LABEL_MARGIN / 2, COLUMNS[k], "muted", LABEL_SIZE))
    return shapes


def number_size(text: str, largest: float = NUMBER_SIZE) -> float:
    """The size at which text fits in a square: 0.4 for two digits, 0.34 for three, and smaller from there on."""
    return min(largest, 1.02 / max(len(text), 1))


def number_mark(square: int, n: int, text: str, role: str = "ink") -> Text:
    """A number in the middle of a square."""
    x, y = centre(square, n)
    return Text(x, y, text, role, number_size(text))


def last_mark(square: int, n: int) -> Line:
    """The outline, inside its square, of the last move."""
    x, y = square_box(square, n)
    return outline(x + 0.06, y + 0.06, 0.88, 0.88, "last")


def legal_mark(square: int, n: int, *, is_filled: bool = False) -> Circle:
    """The dot on a square that may be chosen: in the middle of an empty square, in the upper right corner of a filled
    one.
    """
    x, y = square_box(square, n)
    return Circle(x + 0.84, y + 0.16, 0.1, "legal") if is_filled else Circle(x + 0.5, y + 0.5, 0.1, "legal")


def squares(
    n: int,
    glyph: Callable[[int], str],
    words: Callable[[int], str],
    moves: Mapping[int, Sequence[str]] | None = None,
    last: int | None = None,
    prompts: Mapping[int, str] | None = None,
) -> tuple[Square, ...]:
    """All squares in reading order, with the glyph, words, moves and prompt of each. `last` is the square of the last
    move.
    """
    moves, prompts = moves or {}, prompts or {}
    return tuple(
        Square(
            name=square_text(square, n),
            column=square % n,
            row=n - 1 - square // n,
            x=square_box(square, n)[0],
            y=square_box(square, n)[1],
            width=1,
            height=1,
            glyph=glyph(square),
            words=words(square),
            moves=tuple(moves.get(square, ())),
            prompt=prompts.get(square, ""),
            is_last=square == last,
        )
        for square in reading_order(n)
    )


def reading_order(n: int) -> Iterable[int]:
    """The squares by rows from the top, each row from the left."""
    return (row * n + column for row in range(n - 1, -1, -1) for column in range(n))


def passing_over(points: Sequence[Point], role: str, width: float = 0.08) -> list[Shape]:
    """A line painted over earlier lines. Gaps on both sides of it show that it is on top where lines cross.

    The gaps end before the line does, so that they don't cut another line that meets it at an end.
    """
    middle = _without_ends(points, 0.3)
    gap: list[Shape] = [Line(middle, "square", width + 0.12)] if len(middle) > 1 else []
    return [*gap, Line(tuple(points), role, width)]


def hop(start: Point, end: Point, height: float) -> tuple[Point, ...]:
    """An arc from start to end that rises `height` to the left of the straight line."""
    (x, y), (right, down) = start, (end[0] - start[0], end[1] - start[1])
    length = hypot(right, down) or 1.0
    pieces = max(8, round(4 * length))

    def point(part: float) -> Point:
        rise = 4 * part * (1 - part) * height / length
        return round(x + right * part + down * rise, 3), round(y + down * part - right * rise, 3)

    return tuple(point(k / pieces) for k in range(pieces + 1))


def _without_ends(points: Sequence[Point], length: float) -> tuple[Point, ...]:
    return _without_start(_without_start(points, length)[::-1], length)[::-1]


def _without_start(points: Sequence[Point], length: float) -> tuple[Point, ...]:
    """The line without its first `length`; empty if the line is shorter than that."""
    for k, ((x, y), (next_x, next_y)) in enumerate(pairwise(points)):
        piece = hypot(next_x - x, next_y - y)
        if piece > length:
            part = length / piece
            return ((x + part * (next_x - x), y + part * (next_y - y)), *points[k + 1 :])
        length -= piece
    return ()
