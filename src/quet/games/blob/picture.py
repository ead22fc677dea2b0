"""The blob, with the run lengths of every row beside it and of every column below it; good lines stand out."""

from collections.abc import Sequence

from quet.core.grid import COLUMNS
from quet.core.messages import joined, listed, say, say_number
from quet.core.position import Position
from quet.draw.board import (
    LABEL_MARGIN,
    MARGIN,
    board_size,
    board_title,
    centre,
    grid_shapes,
    last_mark,
    legal_mark,
    squares,
)
from quet.draw.scene import Circle, Line, Polygon, Rectangle, Scene, Shape, Text

from .rules import EDGE, FULL, State, is_good, move_text, score

GAP = 0.07  # between the blob and the lines of the grid
CORNER = 0.26  # radius of the blob's corners
HOLLOW = 0.16  # radius of its inner corners
STEP = 0.42  # from one run length to the next
CLUE = 0.3  # height of a run length


def scene(position: Position) -> Scene:
    """The picture of a position."""
    s: State = position.state
    n = s.n
    last = position.moves[-1] if position.moves else None
    rows, columns = [_runs(s, k * n, 1) for k in range(n)], [_runs(s, k, n) for k in range(n)]
    room = STEP * max(_usual_runs(n), *(len(runs) for runs in rows + columns)) + 0.35
    width, height = board_size(n)

    shapes = grid_shapes(n)
    shapes += _blob(s)
    if last is not None:
        shapes.append(last_mark(last, n))
    shapes += [legal_mark(square, n) for square in position.legal]
    for k in range(n):
        good_row, good_column = is_good(s, k * n, 1), is_good(s, k, n)
        shapes += _clues(rows[k], width - MARGIN, MARGIN + n - k - 0.5, STEP, 0, "one" if good_row else "")
        shapes += _clues(columns[k], LABEL_MARGIN + k + 0.5, height - 0.15, 0, STEP, "two" if good_column else "")
    scores = [
        say_number("Player 1: {number} good row", "Player 1: {number} good rows", score(s, 1)),
        say_number("Player 2: {number} good column", "Player 2: {number} good columns", score(s, 2)),
    ]
    filled = say("Squares filled: {count} of {all}", count=s.ply, all=2 * (n * n // 4))
    column_notes = {k: _line(columns[k], is_good(s, k, n)) for k in range(n)}
    good = (
        [str(row + 1) for row in range(n) if is_good(s, row * n, 1)],
        [COLUMNS[k] for k in range(n) if is_good(s, k, n)],
    )
    foot = height + room + 0.1
    for k, role in enumerate(("one", "two")):
        shapes.append(Circle(LABEL_MARGIN + 0.12, foot + 0.5 * k, 0.12, role))
        shapes.append(Text(LABEL_MARGIN + 0.4, foot + 0.5 * k, scores[k], "ink", 0.36, "start"))
    shapes.append(Text(LABEL_MARGIN, foot + 1.0, filled, "ink", 0.36, "start"))

    def glyph(square: int) -> str:
        return "*" if s.cells[square] == FULL else "."

    def words(square: int) -> str:
        return (
            say("filled")
            if s.cells[square] == FULL
            else say("empty, at the edge")
            if s.cells[square] == EDGE
            else say("empty")
        )

    return Scene(
        title=board_title(say("Multiples/Divisors Blob Game"), n),
        width=max(width + room, LABEL_MARGIN + 4.8),
        height=foot + 1.0 + MARGIN,
        shapes=tuple(shapes),
        squares=squares(n, glyph, words, {square: [move_text(s, square)] for square in position.legal}, last),
        row_notes={n - 1 - k: _line(rows[k], is_good(s, k * n, 1)) for k in range(n)},
        column_notes=column_notes,
        notes=(*(joined([COLUMNS[k], note], ": ") for k, note in column_notes.items()), *scores, filled),
        about=(_good_rows(good[0]), _good_columns(good[1])),
    )


def _good_rows(rows: Sequence[str]) -> str:
    if not rows:
        return say("Player 1 has no good row.")
    return say_number(
        "Player 1 has {number} good row, {rows}.",
        "Player 1 has {number} good rows, {rows}.",
        len(rows),
        rows=listed(rows),
    )


def _good_columns(columns: Sequence[str]) -> str:
    if not columns:
        return say("Player 2 has no good column.")
    return say_number(
        "Player 2 has {number} good column, {columns}.",
        "Player 2 has {number} good columns, {columns}.",
        len(columns),
        columns=listed(columns),
    )


def _usual_runs(n: int) -> int:
    """For how many run lengths there is always room, so that the picture seldom grows during a game."""
    return min(n, 3 + n // 3)


def _runs(s: State, first: int, step: int) -> list[int]:
    """The run lengths of a line: rows from the left, columns from the TOP."""
    line = [s.cells[first + i * step] == FULL for i in range(s.n)]
    if step > 1:
        line.reverse()
    runs = [1]
    for k in range(1, s.n):
        if line[k] == line[k - 1]:
            runs[-1] += 1
        else:
            runs.append(1)
    return runs


def _line(runs: list[int], is_good: bool) -> str:
    lengths = " ".join(map(str, runs))
    return say("{lengths} good", lengths=lengths) if is_good else lengths


def _clues(runs: list[int], x: float, y: float, right: float, down: float, good: str) -> list[Shape]:
    """Run lengths from x, y on, to the right or down; those of a good line on the tint of its player."""
    x, y = x + 0.9 * right, y + 0.75 * down
    shapes: list[Shape] = []
    if good:
        length = (len(runs) - 1) * (right + down)
        tint = Rectangle(
            x - 0.2 - 0.06 * (right > 0),
            y - 0.2 - 0.06 * (down > 0),
            (length if right else 0) + 0.4 + 0.12 * (right > 0),
            (length if down else 0) + 0.4 + 0.12 * (down > 0),
            f"tint_{good}",
            0.2,
        )
        shapes.append(tint)
    for k, run in enumerate(runs):
        shapes.append(Text(x + k * right, y + k * down, str(run), good or "muted", CLUE))
    return shapes


def _blob(s: State) -> list[Shape]:
    """Filled squares, those beside each other joined, all corners round."""
    n = s.n

    def is_full(column: int, row: int) -> bool:
        return 0 <= column < n and 0 <= row < n and s.cells[row * n + column] == FULL

    shapes: list[Shape] = []
    seams: list[Shape] = []
    wide = 1 - 2 * GAP
    for square in range(n * n):
        column, row = square % n, square // n
        if not is_full(column, row):
            continue
        x, y = centre(square, n)
        shapes.append(Rectangle(x - wide / 2, y - wide / 2, wide, wide, "filled", CORNER))
        right, up = is_full(column + 1, row), is_full(column, row + 1)
        if right:
            shapes.append(Rectangle(x, y - wide / 2, 1, wide, "filled"))
            seams.append(Line(((x + 0.5, y - 0.43), (x + 0.5, y + 0.43)), "seam", 0.025))
        if up:
            shapes.append(Rectangle(x - wide / 2, y - 1, wide, 1, "filled"))
            seams.append(Line(((x - 0.43, y - 0.5), (x + 0.43, y - 0.5)), "seam", 0.025))
        if right and up and is_full(column + 1, row + 1):
            shapes.append(Rectangle(x, y - 1, 1, 1, "filled"))
    for row in range(n - 1):
        for column in range(n - 1):
            around = [(column + i, row + j) for j in (0, 1) for i in (0, 1)]
            empty = [place for place in around if not is_full(*place)]
            if len(empty) == 1:
                shapes.append(_hollow(empty[0][0] - column, empty[0][1] - row, *centre(row * n + column, n)))
    return shapes + seams


def _hollow(right: int, up: int, x: float, y: float) -> Polygon:
    """The shape that rounds an inner corner; the empty square is right of x, y if `right` is 1, above if `up` is 1."""
    across, down = 2 * right - 1, 1 - 2 * up  # from the corner into the empty square
    corner_x, corner_y = x + 0.5 - across * GAP, y - 0.5 - down * GAP
    bend = ((1.0, 0.0), (0.617, 0.076), (0.293, 0.293), (0.076, 0.617), (0.0, 1.0))  # a quarter circle
    points = [(corner_x + across * HOLLOW * a, corner_y + down * HOLLOW * b) for a, b in bend]
    # A little into the blob, so that no seam is seen.
    behind = (corner_x - across * 0.05, corner_y - down * 0.05)
    first = (points[0][0], behind[1])
    last = (behind[0], points[-1][1])
    return Polygon((behind, first, *points, last), "filled")
