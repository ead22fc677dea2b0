"""The grid of numbers, and beside it a chart of 1 to n^3: which occur as a sum, and which is the first missing."""

from quet.core.messages import say
from quet.core.position import Position
from quet.draw.board import (
    MARGIN,
    board_size,
    board_title,
    centre,
    grid_shapes,
    last_mark,
    number_mark,
    outline,
    squares,
)
from quet.draw.scene import Choice, Rectangle, Scene, Shape, Text, text_width

from .rules import BASE, EMPTY, State, move_text, score

CHART_TOP = MARGIN + 1.15  # below two lines of words
LONGEST = 5  # digits in one line
NUMBERED = 4  # grids up to this side have a chart of numbers, ten in a line; larger ones a bar, fifty in a line


def scene(position: Position) -> Scene:
    """The picture of a position."""
    s: State = position.state
    n = s.n
    sums, reached = _sums(s), score(s, 1)
    missing = reached + 1 if reached < n**3 else None
    last = position.moves[-1] // BASE if position.moves else n * n
    done = n * n * BASE
    left, height = board_size(n)
    left += 0.25

    shapes = grid_shapes(n)
    for square in range(n * n):
        if s.numbers[square] != EMPTY:
            shapes += _number(square, n, str(s.numbers[square]))
    if last < n * n:
        shapes.append(last_mark(last, n))
    reached_words, missing_words = _words(reached, missing)
    shapes.append(Text(left, MARGIN + 0.2, reached_words, "good" if reached else "ink", 0.36, "start"))
    shapes.append(Text(left, MARGIN + 0.68, missing_words, "bad" if missing else "good", 0.36, "start"))
    chart, right, bottom = (_numbers if n <= NUMBERED else _bars)(n, sums, reached, left)
    further = sorted(value for value in sums if reached < value <= n**3)
    return Scene(
        title=board_title(say("Sums Equal 1,2,3,...m In Small Grid"), n),
        width=max(right, left + text_width("1 to 1000 occur as sums", 0.36)) + MARGIN,
        height=max(height, bottom + MARGIN),
        shapes=(*shapes, *chart),
        squares=squares(
            n,
            lambda square: _short(s.numbers[square]),
            lambda square: (
                say("empty") if s.numbers[square] == EMPTY else say("holds {number}", number=s.numbers[square])
            ),
            last=last,
            prompts={square: move_text(s, square * BASE) for square in range(n * n) if _takes_some(square, position)},
        ),
        choices=(Choice("done", say("finish the grid")),) if done in position.legal else (),
        notes=(
            _sentence(reached, missing_words),
            *([say("Further sums: {further}", further=_list(further))] if further else []),
        ),
    )


def _takes_some(square: int, position: Position) -> bool:
    """Whether a number may be written in the square, or erased there: in a puzzle what stands in the grid stays."""
    limit = position.state.n**3
    # To ask for each is faster than to list all moves.
    return position.legal != () and any(square * BASE + value in position.legal for value in range(limit + 1))


def _sums(s: State) -> set[int]:
    """The totals of all runs without an empty square."""
    n = s.n
    lines = [s.numbers[k * n : k * n + n] for k in range(n)] + [s.numbers[k : n * n : n] for k in range(n)]
    runs = (line[first:end] for line in lines for first in range(n) for end in range(first + 1, n + 1))
    return {sum(run) for run in runs if EMPTY not in run}


def _number(square: int, n: int, text: str) -> list[Text]:
    """A number in its square, in two lines where it is long."""
    if len(text) <= LONGEST:
        return [number_mark(square, n, text)]
    x, y = centre(square, n)
    half = (len(text) + 1) // 2
    return [Text(x, y - 0.13, text[:half], "ink", 0.22), Text(x, y + 0.13, text[half:], "ink", 0.22)]


def _words(reached: int, missing: int | None) -> tuple[str, str]:
    """What occurs, and what is the first missing."""
    if reached == 0:
        return say("No sum counts yet"), say("1 is missing")
    occurs = say("1 occurs as a sum") if reached == 1 else say("1 to {reached} occur as sums", reached=reached)
    return occurs, say("no more is possible") if missing is None else say("{missing} is missing", missing=missing)


def _sentence(reached: int, missing_words: str) -> str:
    """The same as a sentence."""
    if reached == 0:
        return say("No sum counts yet; {missing}.", missing=missing_words)
    if reached == 1:
        return say("1 occurs as a sum; {missing}.", missing=missing_words)
    return say("1 to {reached} occur as sums; {missing}.", reached=reached, missing=missing_words)


def _short(number: int) -> str:
    """A number in at most four characters: 12k for 12345, 3M, 1G."""
    if number == EMPTY:
        return "."
    for unit, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= max(unit, 10**4):
            return f"{number // unit}{letter}"
    return str(number)


def _list(values: list[int]) -> str:
    """Values in order, neighbours joined: `21-24 26`; the end of a long list is left out."""
    spans: list[list[int]] = []
    for value in values:
        if spans and value == spans[-1][1] + 1:
            spans[-1][1] = value
        else:
            spans.append([value, value])
    words = [str(a) if a == b else f"{a}-{b}" for a, b in spans]
    return " ".join(words if len(words) <= 12 else [*words[:11], "..."])


def _role(value: int, sums: set[int], reached: int) -> str:
    """What a number in the chart is: `good` where it counts, `bad` the first missing, else `tint` or `square`."""
    if value <= reached:
        return "good"
    return "bad" if value == reached + 1 else "tint" if value in sums else "square"


def _numbers(n: int, sums: set[int], reached: int, left: float) -> tuple[list[Shape], float, float]:
    """The chart with numbers, its right and its bottom."""
    shapes: list[Shape] = []
    columns = min(n**3, 10)
    for value in range(1, n**3 + 1):
        x, y = left + (value - 1) % columns * 0.62, CHART_TOP + (value - 1) // columns * 0.56
        role = _role(value, sums, reached)
        ground = f"tint_{role}" if role in ("good", "bad") else role
        ink = role if role in ("good", "bad") else "ink" if role == "tint" else "muted"
        shapes.append(Rectangle(x, y, 0.56, 0.5, ground, 0.1))
        if role == "bad":
            shapes.append(outline(x + 0.02, y + 0.02, 0.52, 0.46, "bad", 0.04))
        shapes.append(Text(x + 0.28, y + 0.25, str(value), ink, 0.28))
    return shapes, left + columns * 0.62, CHART_TOP + (n**3 - 1) // columns * 0.56 + 0.5


def _bars(n: int, sums: set[int], reached: int, left: float) -> tuple[list[Shape], float, float]:
    """The chart as bars, a step for each number, its right and its bottom; the first of each line is named."""
    shapes: list[Shape] = []
    step, pitch, indent = 0.2, 0.42, 0.75
    for first in range(1, n**3 + 1, 50):
        y = CHART_TOP + (first - 1) // 50 * pitch
        count = min(50, n**3 + 1 - first)
        shapes.append(Text(left + indent - 0.15, y + 0.14, str(first), "muted", 0.26, "end"))
        shapes.append(Rectangle(left + indent, y, count * step, 0.28, "square"))
        begin = first
        for value in range(first, first + count):
            role = _role(value, sums, reached)
            if value + 1 < first + count and _role(value + 1, sums, reached) == role:
                continue
            if role != "square":
                ink = "grid" if role == "tint" else role
                x = left + indent + (begin - first) * step
                shapes.append(Rectangle(x, y, (value + 1 - begin) * step, 0.28, ink))
            begin = value + 1
    return shapes, left + indent + 50 * step, CHART_TOP + (n**3 - 1) // 50 * pitch + 0.28
