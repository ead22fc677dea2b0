"""An analysis as a picture: how the outlook went up and down from move to move, with the turning points marked."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..core.messages import joined, say, say_number
from ..draw.chart import BOTTOM, HEIGHT, LARGE, LEFT, NORMAL, SMALL, TOP, WIDTH, Axes, amounts, panel, round_step
from ..draw.scene import Circle, Line, Polygon, Scene, Shape, Text, text_width
from ..game import Game
from ..knowledge.known import How
from ..knowledge.worth import UNKNOWN, Value, of_scores
from .assessments import Analysis, Assessment

COLOURS = ("one", "two", "good", "bad", "path", "last", "filled", "muted")  # of the players
MOST_LABELS = 12  # turning points that have their moves beside them; the others have a ring only

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class _Series:
    """The values that one line of the plot joins."""

    name: str
    role: str
    points: Sequence[tuple[int, Value]]  # after how many moves, what was expected


def plot(analysis: Analysis) -> Scene:
    """The picture of an analysis, for `quet.draw`.

    For two players it shows player 1's share of the win, or player 1's lead in points if all values are exact. For more
    players it shows the share of each player, where exact also after others' moves. For a solitaire it shows the
    best score still reachable. A band is one standard error wide on each side. Full dots are exact values, empty
    dots are estimates, and rings are turning points.
    """
    game = analysis.game
    is_lead = _is_lead(analysis)
    series = _series(analysis, is_lead=is_lead)
    axes, ticks, middle = _axes(analysis, series, is_lead=is_lead)
    title = say_number(
        "{title}: {number} move analysed", "{title}: {number} moves analysed", game.ply, title=game.entry.title
    )
    if game.num_players == 1:
        what = say("Best score still reachable")
    elif is_lead:
        what = say("Final lead of player 1, in points")
    else:
        is_two = game.num_players == 2
        what = (
            say("Expected share of the win of player 1, in percent")
            if is_two
            else say("Expected share of the win, in percent")
        )
    shapes: list[Shape] = [
        Text(LEFT, 0.55, game.entry.title, "ink", LARGE, "start"),
        Text(LEFT, 1.15, what, "muted", NORMAL, "start"),
        *panel(axes, ticks, middle, range(0, game.ply + 1, round_step(game.ply, 16)), say("moves played")),
    ]
    for one in series:
        shapes += _band(one, axes)
    for one in series:
        shapes += _line(one, axes)
    shapes += _turning_points(analysis, series, axes, is_lead=is_lead)
    shapes += _legend(series, has_turning_points=bool(analysis.turning_points))
    notes = (joined([what, "."], ""), *(one.turning_point for one in analysis.turning_points))
    return Scene(title, WIDTH, HEIGHT, tuple(shapes), (), notes=notes)


def points(analysis: Analysis) -> list[tuple[int, float, float]]:
    """Where the points of the plot lie, each once: after how many moves, and the place in the picture."""
    is_lead = _is_lead(analysis)
    series = _series(analysis, is_lead=is_lead)
    axes, _, _ = _axes(analysis, series, is_lead=is_lead)
    places = ((ply, axes.x(ply), axes.y(value.amount)) for one in series for ply, value in one.points)
    return list(dict.fromkeys(places))  # several players may have the same


def _is_lead(analysis: Analysis) -> bool:
    """Whether the plot shows leads in points: all values are exact, and in points."""
    return all(v.margin is not None for one in analysis.assessments for v in (one.value, one.best))


def _series(analysis: Analysis, *, is_lead: bool) -> list[_Series]:
    """The lines of the plot. A line begins with the value of the first position, if that is known for its player."""
    game, first = analysis.game, analysis.assessments[0]
    values = [(first.ply - 1, first, first.best), *((one.ply, one, one.value) for one in analysis.assessments)]
    if game.num_players > 2:
        return [
            _Series(
                say("player {player}", player=player),
                COLOURS[(player - 1) % len(COLOURS)],
                _known((ply, _seen_by(game, player, one, value)) for ply, one, value in values),
            )
            for player in game.players
        ]
    points = _known((ply, _seen_by_first(one, value, is_lead=is_lead)) for ply, one, value in values)
    return [_Series(say("player 1") if game.num_players == 2 else "", "one", points)]


def _known(points: Iterable[tuple[int, Value]]) -> list[tuple[int, Value]]:
    return [(ply, value) for ply, value in points if value.is_known]


def _seen_by(game: Game, player: int, one: Assessment, value: Value) -> Value:
    """A mover's value as one of three or more players sees it, where it tells that."""
    if player == one.mover:
        return value
    if value.scores:
        return of_scores(game, value.scores, player, How.SOLVED)
    return Value(0.0, is_exact=True) if value.is_exact and value.amount == 1 else UNKNOWN


def _seen_by_first(one: Assessment, value: Value, *, is_lead: bool) -> Value:
    """A mover's value as player 1 sees it: in points if the plot shows leads."""
    seen = value if one.mover == 1 else value.for_other()
    return Value(float(seen.margin or 0), is_exact=True) if is_lead else seen


def _axes(
    analysis: Analysis, series: Sequence[_Series], *, is_lead: bool
) -> tuple[Axes, list[tuple[float, str]], float]:
    """The axes, the amounts at the side as they are written, and the amount in the middle."""
    plies = analysis.game.ply
    if analysis.game.num_players > 1 and not is_lead:
        return Axes(0, plies, 0.0, 1.0, 0.06), [(k / 4, f"{25 * k}") for k in range(5)], 0.5
    found = [value.amount for one in series for _, value in one.points] + ([0.0] if is_lead else [])
    low, high, step = amounts(min(found), max(found))
    ticks = [low + step * k for k in range(round((high - low) / step) + 1)]
    return Axes(0, plies, low, high, 0.25 * step), [(tick, f"{tick:g}") for tick in ticks], 0.0


def _band(series: _Series, axes: Axes) -> list[Shape]:
    """The band of one standard error on each side of the line, at the points that have an error."""
    if all(value.error == 0 for _, value in series.points):
        return []
    upper = [(axes.x(ply), axes.y(value.amount + value.error)) for ply, value in series.points]
    lower = [(axes.x(ply), axes.y(value.amount - value.error)) for ply, value in series.points]
    role = {"one": "tint_one", "two": "tint_two", "good": "tint_good", "bad": "tint_bad"}.get(series.role, "tint")
    return [Polygon((*upper, *reversed(lower)), role)]


def _line(series: _Series, axes: Axes) -> list[Shape]:
    points = [(axes.x(ply), axes.y(value.amount)) for ply, value in series.points]
    shapes: list[Shape] = [Line(tuple(points), series.role, 0.07)] if len(points) > 1 else []
    radius = min(0.13, 3.5 / axes.last)
    for (x, y), (_, value) in zip(points, series.points, strict=True):
        shapes.append(Circle(x, y, radius, series.role))
        if not value.is_exact:
            shapes.append(Circle(x, y, 0.6 * radius, "square"))
    return shapes


def _turning_points(analysis: Analysis, series: Sequence[_Series], axes: Axes, *, is_lead: bool) -> list[Shape]:
    """A ring around each turning point. The moves of the largest ones are beside them, if there is room."""
    shapes: list[Shape] = []
    boxes = [box for one in series for box in _near_line(one, axes)]
    at: dict[int, Point] = {}
    for one in analysis.turning_points:
        value = one.value if analysis.game.num_players > 2 else _seen_by_first(one, one.value, is_lead=is_lead)
        x, y = at[one.ply] = axes.x(one.ply), axes.y(value.amount)
        shapes.append(_ring(x, y, 0.24))
    for one in sorted(analysis.turning_points, key=lambda one: -one.loss)[:MOST_LABELS]:
        label = f"{one.ply}. {one.move}"
        place = _free_place(at[one.ply], text_width(label, SMALL), boxes)
        if place is not None:
            boxes.append(place)
            middle = (place[0] + place[2]) / 2, (place[1] + place[3]) / 2
            shapes.append(Text(*middle, label, "bad", SMALL))
    return shapes


def _near_line(series: _Series, axes: Axes) -> list[Box]:
    """Small boxes along the line, which no label is to cover."""
    points = [(axes.x(ply), axes.y(value.amount)) for ply, value in series.points]
    boxes = [(x - 0.2, y - 0.15, x + 0.2, y + 0.15) for x, y in points]
    for (x, y), (next_x, next_y) in pairwise(points):
        pieces = math.ceil(4 * math.hypot(next_x - x, next_y - y))
        along = [(x + k / pieces * (next_x - x), y + k / pieces * (next_y - y)) for k in range(pieces)]
        boxes += [(x - 0.05, y - 0.05, x + 0.05, y + 0.05) for x, y in along]
    return boxes


def _free_place(point: Point, width: float, boxes: Sequence[Box]) -> Box | None:
    """A box for a label near the point, inside the panel and free of other things; None if there isn't one."""
    for distance in (0.5, 0.75, 1.0, 1.3, 1.6):
        for up in (-1, 1):
            for shift in (0.0, 0.5, -0.5, 0.9, -0.9):
                x, y = point[0] + shift * width, point[1] + up * distance
                box = (x - width / 2, y - 0.2, x + width / 2, y + 0.2)
                is_inside = box[0] > LEFT and box[2] < WIDTH - 0.1 and box[1] > TOP and box[3] < HEIGHT - BOTTOM
                if is_inside and not any(
                    box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in boxes
                ):
                    return box
    return None


def _legend(series: Sequence[_Series], *, has_turning_points: bool) -> list[Shape]:
    """What the dots and rings mean, and whose each line is if there are several."""
    x, y = LEFT + 0.1, HEIGHT - 0.4
    role = series[0].role
    shapes: list[Shape] = []

    def add(words: str, *marks: Shape) -> None:
        nonlocal x
        shapes.extend(marks)
        shapes.append(Text(x + 0.3, y, words, "muted", SMALL, "start"))
        x += 0.9 + text_width(words, SMALL)

    for one in series if len(series) > 1 else ():
        add(one.name, Line(((x - 0.15, y), (x + 0.15, y)), one.role, 0.1))
    values = [value for one in series for _, value in one.points]
    if any(value.is_exact for value in values):
        add(say("exact"), Circle(x, y, 0.13, role))
    if not all(value.is_exact for value in values):
        add(say("estimate"), Circle(x, y, 0.13, role), Circle(x, y, 0.08, "paper"))
    if has_turning_points:
        add(say("turning point"), _ring(x, y, 0.17))
    return shapes


def _ring(x: float, y: float, radius: float) -> Line:
    turns = [math.tau * k / 32 for k in range(33)]
    return Line(tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns), "bad", 0.07)
