"""A sheet for play on paper: boards to write on, places for names and scores, and the rules in short.

It is as wide as A4 and as high as US letter, so that it prints in its true size on both. A board unit is 40 pixels, at
96 pixels to the inch: 10.6 mm.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import ceil

from ..core.messages import say
from ..draw.board import outline
from ..draw.scene import Circle, Line, Polygon, Rectangle, Scene, Shape, Text, text_width
from ..game import Game

WIDTH, HEIGHT, MARGIN = 19.8, 26.4, 1.2
INSIDE = WIDTH - 2 * MARGIN
TITLE, WORDS, SMALL = 0.66, 0.32, 0.28  # sizes of text
LINE = 1.4  # from line to line, in sizes
SAFE = 0.87  # the part of the width that lines of words may fill, since fonts differ
GAP = 0.7  # between two boards
USUAL, LARGEST = 1.0, 1.4  # a board's unit on the sheet: as many boards as fit with the first
SEAT_WIDTH, WIDEST_SEAT, SEAT_HEIGHT = 5.0, 8.0, 0.9  # of the place for a player's name and score

Point = tuple[float, float]
Translate = Callable[[str], str]


def sheet(game: Game, translate: Translate = str) -> Scene:
    """The sheet for a game with these parameters, with its words translated. The moves played don't matter."""
    facts = game.entry.facts
    title = translate(game.entry.title)
    seats = [translate(say("Name"))]
    if game.num_players > 1:
        seats = [translate(say("Player {player}", player=player)) for player in game.players]
    numbers = {name: value for name, value in game.parameters.items() if isinstance(value, int)}
    settings = translate(game.entry.parameters_said(numbers))
    about = f"{facts['author']}, {facts['date'].year}; {settings}"
    head, top = _text(MARGIN, [(title, TITLE, "ink"), (about, SMALL, "muted")])
    rules = [f"{number}. {translate(rule)}" for number, rule in enumerate(facts["rules"], 1)]
    foot, high = _text(0, [(rule, SMALL, "ink") for rule in rules])
    bottom = HEIGHT - MARGIN - high  # where the rules begin
    shapes: list[Shape] = [Rectangle(0, 0, WIDTH, HEIGHT, "square"), *head]
    shapes.append(Line(((MARGIN, bottom - 0.3), (WIDTH - MARGIN, bottom - 0.3)), "grid", 0.03))
    shapes += _moved(foot, 0, bottom, 1)
    shapes += _boards(_board(game, translate), seats, translate(say("Score")), top + 0.3, bottom - 0.6)
    return Scene(f"{title}: {translate(say('a sheet for play on paper'))}", WIDTH, HEIGHT, tuple(shapes), ())


def _board(game: Game, translate: Translate) -> Scene:
    """The board at the start, as the game's `sheet.py` or else its `picture.py` draws it."""
    start = Game(game.entry, game.parameters)
    scene: Scene = game.entry.sheet.board(start.position(legal=False)) if game.entry.sheet else start.scene(legal=False)
    shapes = (replace(one, text=translate(one.text)) if isinstance(one, Text) else one for one in scene.shapes)
    return replace(scene, shapes=tuple(shapes))


def _boards(board: Scene, seats: Sequence[str], score: str, top: float, bottom: float) -> Iterator[Shape]:
    """As many boards as fit in their usual size, evenly spread, each with places for its players."""

    def unit(columns: int, rows: int) -> float:
        """How large a board's unit can be, with so many boards."""
        wide, high = _part(INSIDE, columns), _part(bottom - top, rows)
        return min(LARGEST, wide / board.width, (high - _seats_high(seats, wide)) / board.height)

    least = min(USUAL, unit(1, 1))
    ways = [(columns, rows) for columns in range(1, 4) for rows in range(1, 7) if unit(columns, rows) >= least]
    columns, rows = max(ways, key=lambda way: (way[0] * way[1], unit(*way)))
    size, wide, high = unit(columns, rows), _part(INSIDE, columns), _part(bottom - top, rows)
    tall = board.height * size + _seats_high(seats, wide)
    for k in range(columns * rows):
        x, y = MARGIN + k % columns * (wide + GAP), top + k // columns * (high + GAP) + (high - tall) / 2
        yield from _moved(board.shapes, x + (wide - board.width * size) / 2, y, size)
        yield from _seats(seats, score, x, y + board.height * size + 0.2, wide)


def _part(whole: float, number: int) -> float:
    """The length that each part gets, with gaps between the parts."""
    return (whole + GAP) / number - GAP


def _seats_high(seats: Sequence[str], wide: float) -> float:
    return 0.2 + SEAT_HEIGHT * ceil(len(seats) / int(wide / SEAT_WIDTH))


def _seats(seats: Sequence[str], score: str, left: float, top: float, wide: float) -> Iterator[Shape]:
    """A line for the name of each player, with a box for the score at its end."""
    beside = min(int(wide / SEAT_WIDTH), len(seats))
    each = min(wide / beside, WIDEST_SEAT)
    left += (wide - each * beside) / 2
    for k, seat in enumerate(seats):
        x, y = left + k % beside * each, top + k // beside * SEAT_HEIGHT + 0.65
        box = x + each - 1.3
        yield Text(x + 0.2, y - 0.15, seat, "muted", WORDS, "start")
        begin, end = x + 0.35 + text_width(seat, WORDS), box - text_width(score, WORDS) - 0.25
        yield Line(((begin, y), (max(begin + 0.4, end), y)), "border", 0.03)
        yield Text(box - 0.1, y - 0.15, score, "muted", WORDS, "end")
        yield outline(box, y - 0.55, 1.1, 0.65, "border", 0.03)


def _text(top: float, paragraphs: Sequence[tuple[str, float, str]]) -> tuple[list[Shape], float]:
    """Paragraphs in lines as long as the sheet is wide, each with its size and role; and where they end."""
    shapes: list[Shape] = []
    y = top
    for words, size, role in paragraphs:
        for line in _wrapped(words, size):
            shapes.append(Text(MARGIN, y + LINE * size / 2, line, role, size, "start"))
            y += LINE * size
        y += 0.3 * size
    return shapes, y


def _wrapped(words: str, size: float) -> Iterator[str]:
    line = ""
    for word in words.split():
        longer = f"{line} {word}".lstrip()
        if line and text_width(longer, size) > SAFE * INSIDE:
            yield line
            longer = word
        line = longer
    yield line


def _moved(shapes: Sequence[Shape], x: float, y: float, unit: float) -> Iterator[Shape]:
    """The shapes, `unit` times as large and moved to x, y."""
    for shape in shapes:
        match shape:
            case Rectangle():
                yield replace(
                    shape,
                    x=x + unit * shape.x,
                    y=y + unit * shape.y,
                    width=unit * shape.width,
                    height=unit * shape.height,
                    radius=unit * shape.radius,
                )
            case Circle():
                yield replace(shape, x=x + unit * shape.x, y=y + unit * shape.y, radius=unit * shape.radius)
            case Text():
                yield replace(shape, x=x + unit * shape.x, y=y + unit * shape.y, size=unit * shape.size)
            case Line():
                yield replace(shape, points=_all_moved(shape.points, x, y, unit), width=unit * shape.width)
            case Polygon():
                yield replace(shape, points=_all_moved(shape.points, x, y, unit))


def _all_moved(points: Sequence[Point], x: float, y: float, unit: float) -> tuple[Point, ...]:
    return tuple((x + unit * across, y + unit * down) for across, down in points)
