"""How the results of a day are spread, as a picture with its words."""

from collections.abc import Mapping

from ..core.messages import joined, say, say_number
from ..draw.chart import HEIGHT, LARGE, LEFT, NORMAL, SMALL, WIDTH, Axes, amounts, panel, round_step
from ..draw.scene import Rectangle, Scene, Shape, Text
from .daily import Daily

MOST_NUMBERS = 16  # below the panel
ROOM = 0.08  # of the largest amount, above it: for a word on the highest bar


def spread(day: Daily, results: Mapping[int, int], own: int | None = None) -> Scene:
    """The picture of a day's results: how many people had each score. `own` is the score that is marked."""
    scores = sorted(results)
    first, last = min([*scores, day.best]), max([*scores, day.best])
    _, high, step = amounts(0, max(results.values(), default=1))
    axes = Axes(first - 0.6, last + 0.6, 0.0, (1 + ROOM) * high, 0.0)
    ticks = [(float(k * step), str(k * step)) for k in range(round(high / step) + 1)]
    numbers = range(first, last + 1, round_step(last - first + 1, MOST_NUMBERS))
    title = say("Results of {day}", day=day.day)
    what = say_number("{number} person has finished", "{number} people have finished", sum(results.values()))
    shapes: list[Shape] = [
        Text(LEFT, 0.55, title, "ink", LARGE, "start"),
        Text(LEFT, 1.15, what, "muted", NORMAL, "start"),
        *panel(axes, ticks, 0.0, numbers, say("Score; {best} is the best possible", best=day.best)),
    ]
    bottom = axes.y(0.0)
    for score in scores:
        left, right, top = axes.x(score - 0.4), axes.x(score + 0.4), axes.y(results[score])
        shapes.append(Rectangle(left, top, right - left, bottom - top, "good" if score == own else "one"))
    if own in results:
        x, y = axes.x(own or 0), axes.y(results[own or 0])
        shapes.append(Text(x, y - 0.25, say("you"), "ink", SMALL))
    notes = [joined([what, "."], "")]
    notes += [say("Score {score}: {count}.", score=score, count=results[score]) for score in reversed(scores)]
    return Scene(title, WIDTH, HEIGHT, tuple(shapes), (), notes=tuple(notes))
