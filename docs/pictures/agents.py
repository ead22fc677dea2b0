"""Draws the pictures of docs/learned-agents.md from the entries in agents/.

    python docs/pictures/agents.py

How often agents keep the margin by size, while they train, and at sizes where they weren't trained; and how PPO's
score grows while it trains.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from quet.draw.chart import HEIGHT, LARGE, LEFT, NORMAL, WIDTH, Axes, panel
from quet.draw.scene import Circle, Line, Scene, Shape, Text, text_width
from quet.draw.svg import svg
from quet.rl import leaderboard

HERE = Path(__file__).parent
AGENTS = HERE.parents[1] / "agents"
COLOURS = ("muted", "bad", "last", "two", "good", "one")
USUAL = ("random", "level:1", "level:3", "level:5", "level:6")
SIZES = {  # a picture: the game, the parameter of its size, and who learned it
    "agents-palindromes": ("palindromes", "m", "alphazero"),
    "agents-up-and-up": ("up-and-up", "n", "PPO"),
}
RUNS = ("3", "4", "5")  # of PPO, by n
LEARNERS = ("qlearner", "dqn", "ppo", "alphazero")
LARGEST = {  # of each game the size of which curves are drawn, and the lowest share of the picture
    "palindromes": ("m", 10, 20),
    "blob": ("n", 6, 20),
    "plusses-minuses": ("n", 5, 60),
    "divisors-multiples": ("r", 6, 20),
    "up-and-up": ("n", 5, 60),
}


class Curve(NamedTuple):
    """A line of the picture: where it goes, and the interval of each point."""

    name: str
    points: Sequence[tuple[float, float]]
    intervals: Sequence[tuple[float, float]] = ()


def chart(title: str, below: str, axes: Axes, numbers: Sequence[int], curves: Sequence[Curve]) -> str:
    """The picture of shares from 0 to 100 %."""
    ticks = [(tick, f"{tick} %") for tick in range(round(axes.low), round(axes.high) + 1, 20)]
    shapes: list[Shape] = [Text(LEFT, 0.9, title, "ink", LARGE, "start"), *panel(axes, ticks, 100, numbers, below)]
    left = LEFT + 0.1
    for number, curve in enumerate(curves):
        colour, aside = COLOURS[-len(curves) :][number], 0.12 * (number - (len(curves) - 1) / 2)
        points = [(axes.x(x) + (aside if curve.intervals else 0), axes.y(y)) for x, y in curve.points]
        shapes.append(Line(tuple(points), colour, 0.05))
        shapes += [Circle(x, y, 0.1, colour) for x, y in points]
        for (x, _), (low, high) in zip(points, curve.intervals, strict=bool(curve.intervals)):
            shapes.append(Line(((x, axes.y(low)), (x, axes.y(high))), colour, 0.03))
        shapes.append(Line(((left - 0.1, HEIGHT - 0.4), (left + 0.2, HEIGHT - 0.4)), colour, 0.1))
        shapes.append(Text(left + 0.35, HEIGHT - 0.4, curve.name, "muted", NORMAL, "start"))
        left += 1.0 + text_width(curve.name, NORMAL)
    notes = [f"{curve.name}: {', '.join(f'{y:.0f} % at {x:g}' for x, y in curve.points)}." for curve in curves]
    return svg(Scene(title, WIDTH, HEIGHT, tuple(shapes), (), notes=tuple(notes)))


def by_size(game: str, parameter: str, learner: str) -> str:
    """How often agents keep the margin at each size of a game."""
    curves = []
    for name in (*USUAL, learner):
        rows = sorted(
            (row["parameters"][parameter], *row["keeps_margin"])
            for entry in leaderboard.entries(AGENTS)
            for row in entry["tasks"]
            if (entry["agent"], row["game"]) == (name, game)
        )
        points = [(size, 100 * value) for size, value, _, _ in rows]
        curves.append(Curve(name, points, [(100 * low, 100 * high) for _, _, low, high in rows]))
    sizes = sorted({round(x) for curve in curves for x, _ in curve.points})
    axes = Axes(sizes[0] - 0.5, sizes[-1] + 0.5, 20, 100, 2)
    return chart(f"{game}: moves that keep the margin", f"{parameter}, the size", axes, sizes, curves)


def rows(name: str, game: str, size: int | str) -> list[list[str]]:
    """The measurements of a learner while it learned a game: what it did, seconds, the share kept, and more."""
    file = AGENTS / "curves" / f"{name}-{game}-{size}.tsv"
    return [line.split("\t") for line in file.read_text().splitlines()]


def training() -> str:
    """The score of PPO, in percent of the best, against the CPU time of training."""
    curves = []
    for n in RUNS:
        points = []
        for _, seconds, _, words in rows("ppo", "up-and-up", n):
            score, best = map(int, words.split(" of "))
            points.append((float(seconds), 100 * score / best))
        curves.append(Curve(f"n = {n}", points))
    return chart("PPO on Up And Up: score of one game, of the best", "seconds of CPU in training", *over(curves, 40))


def learning(game: str) -> str:
    """How often learners keep the margin at the largest size of a game, against the CPU time of training."""
    parameter, size, low = LARGEST[game]
    curves = []
    for name in LEARNERS:
        points = [(float(row[1]), float(row[2])) for row in rows(name, game, size)]
        curves.append(Curve(name, points))
    title = f"{game} {parameter} = {size}: moves that keep the margin"
    return chart(title, "seconds of CPU in training", *over(curves, low))


def over(curves: list[Curve], low: float) -> tuple[Axes, Sequence[int], list[Curve]]:
    """Axes from these percents to 100 over all the time of training, the numbers below, and the curves."""
    last = max(x for curve in curves for x, _ in curve.points)
    return Axes(0, last + 2, low, 100, 2), range(0, round(last) + 1, 10), curves


def generalising() -> str:
    """How often moves keep the margin at the size of training, the first, and at larger ones."""
    found = json.loads((AGENTS / "generalisation" / "palindromes.json").read_text())
    curves = []
    for row in reversed(found["rows"]):
        kept = {int(m): three for m, three in row["keeps_margin"].items()}
        points = [(m, 100 * three[0]) for m, three in kept.items()]
        curves.append(Curve(row["agent"], points, [(100 * low, 100 * high) for _, low, high in kept.values()]))
    sizes = sorted(kept)
    axes = Axes(sizes[0] - 0.5, sizes[-1] + 0.5, 0, 100, 2)
    title = f"palindromes: trained at m = {sizes[0]}, moves that keep the margin"
    return chart(title, "m, the size", axes, sizes, curves)


def pictures() -> dict[str, str]:
    """The pictures by the names of their files."""
    found = {f"{name}.svg": by_size(*what) for name, what in SIZES.items()}
    found |= {"agents-training.svg": training()} | {f"agents-learning-{game}.svg": learning(game) for game in LARGEST}
    return found | {"agents-generalisation.svg": generalising()}


if __name__ == "__main__":
    for name, picture in pictures().items():
        (HERE / name).write_text(picture)
