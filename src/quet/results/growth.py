"""How the values of a game grow with its size, as a picture."""

from collections.abc import Sequence

from .. import catalog
from ..core.messages import Message, joined, say
from ..draw.chart import HEIGHT, LARGE, LEFT, NORMAL, SMALL, WIDTH, Axes, amounts, panel, round_step
from ..draw.scene import Circle, Line, Scene, Shape, Text, text_width
from .row import Row
from .series import Series, meaning, series

COLOURS = ("one", "two", "good", "bad", "last", "muted")  # of the series
RADIUS = 0.13  # of a dot
CAP = 0.12  # half the width of the line that ends a bar
MOST_NUMBERS = 21  # below the panel
COLUMNS = 3  # of the legend
LINE = 0.4  # the height of one of its lines

Point = tuple[float, float]


def growth(rows: Sequence[Row]) -> Scene:
    """The picture of the rows of one game, at least one, for `quet.draw`. Rows of three and more players are left out.

    A full dot is a proven value. An empty dot is the best value known, with a bar to the bound. Raises like `series`.
    """
    found = series(rows)
    rows = [row for one in found for row in one.rows]
    entry = catalog.get(rows[0].game)
    size = entry.rules.PARAMETERS[0]
    sizes = [row.size for row in rows]
    known = [0, *(row.number for row in rows), *(row.limit for row in rows)]
    low, high, step = amounts(min(known), max(known))
    axes = Axes(min(sizes) - 0.5, max(sizes) + 0.5, low, high, 0.25 * step)
    ticks = [(low + step * k, f"{low + step * k:g}") for k in range(round((high - low) / step) + 1)]
    numbers = range(min(sizes), max(sizes) + 1, round_step(max(sizes) - min(sizes) + 1, MOST_NUMBERS))
    meanings = dict.fromkeys(meaning(one) for one in found)
    what = next(iter(meanings)) if len(meanings) == 1 else say("Highest score and lowest score")
    shapes: list[Shape] = [
        Text(LEFT, 0.55, entry.title, "ink", LARGE, "start"),
        Text(LEFT, 1.15, what, "muted", NORMAL, "start"),
        *panel(axes, ticks, 0.0, numbers, joined([size.name, Message(size.meaning, {})], ": ")),
    ]
    names = _names(found)
    for number, one in enumerate(found):
        shapes += _marks(one, COLOURS[number % len(COLOURS)], axes, _aside(number, len(found)))
    shapes += _legend(names, rows)
    title, height = joined([entry.title, what], ": "), _height(len(names))
    return Scene(title, WIDTH, height, tuple(shapes), (), notes=tuple(_notes(found, names)))


def _aside(number: int, total: int) -> float:
    """How far to the side a series is drawn, so that no series hides another."""
    return 0.0 if total == 1 else 0.16 * (number - (total - 1) / 2)


def _marks(one: Series, role: str, axes: Axes, aside: float) -> list[Shape]:
    points = [(axes.x(row.size) + aside, axes.y(row.number)) for row in one.rows]
    shapes: list[Shape] = [Line(tuple(points), role, 0.05)] if len(points) > 1 else []
    for row, (x, y) in zip(one.rows, points, strict=True):
        if not row.is_proven:
            shapes += _bar((x, y), axes.y(row.limit), role)
    for row, (x, y) in zip(one.rows, points, strict=True):
        shapes += _dot((x, y), role, "square", is_proven=row.is_proven)
    return shapes


def _bar(point: Point, end: float, role: str) -> list[Shape]:
    x, y = point
    return [Line(((x, y), (x, end)), role, 0.03), Line(((x - CAP, end), (x + CAP, end)), role, 0.05)]


def _dot(point: Point, role: str, inside: str, *, is_proven: bool) -> list[Shape]:
    full: list[Shape] = [Circle(*point, RADIUS, role)]
    return full if is_proven else [*full, Circle(*point, 0.6 * RADIUS, inside)]


def _names(found: Sequence[Series]) -> list[Message]:
    """What tells the series apart: the score and the parameters in which they differ."""
    entry = catalog.get(found[0].game)
    differing = [name for name in found[0].others if len({one.others[name] for one in found}) > 1]
    has_scores = len({one.score for one in found}) > 1
    names = []
    for one in found:
        words: list[str] = [_SCORES[one.score]] if has_scores else []
        for name in differing:
            words.append(entry.parameters_said({name: one.others[name]}))
        names.append(joined(words))
    return names


_SCORES = {"highest": say("highest"), "lowest": say("lowest")}


def _legend(names: Sequence[Message], rows: Sequence[Row]) -> list[Shape]:
    """The series in columns of one width, as their names may be longer in another language; then the dots."""
    shapes: list[Shape] = []
    for number, name in enumerate(names if len(names) > 1 else ()):
        row, column = divmod(number, COLUMNS)
        x, y = LEFT + 0.1 + column * (WIDTH - LEFT) / COLUMNS, HEIGHT - 0.65 + row * LINE
        shapes.append(Line(((x - 0.15, y), (x + 0.15, y)), COLOURS[number % len(COLOURS)], 0.1))
        shapes.append(Text(x + 0.3, y, name, "muted", SMALL, "start"))
    x, y = LEFT + 0.1, _height(len(names)) - 0.25
    if any(row.is_proven for row in rows):
        proven = say("proven")
        shapes += [*_dot((x, y), "muted", "paper", is_proven=True), Text(x + 0.3, y, proven, "muted", SMALL, "start")]
        x += 0.9 + text_width(proven, SMALL)
    if not all(row.is_proven for row in rows):
        words = say("best known, with a bar to the bound")
        shapes += [*_dot((x, y), "muted", "paper", is_proven=False), Text(x + 0.3, y, words, "muted", SMALL, "start")]
    return shapes


def _height(num_names: int) -> float:
    """The height of a picture with a legend of so many names."""
    return HEIGHT + LINE * ((num_names - 1) // COLUMNS)


def _notes(found: Sequence[Series], names: Sequence[Message]) -> list[Message]:
    """The values in words, for people who can't see the picture."""
    notes = []
    for one, name in zip(found, names, strict=True):
        values = joined(
            row.value if row.is_proven else say("{low} to {high}", low=row.value, high=row.bound) for row in one.rows
        )
        sizes = say("sizes {first} to {last}: {values}.", first=one.rows[0].size, last=one.rows[-1].size, values=values)
        notes.append(joined([name, sizes] if name else [sizes]))
    return notes
