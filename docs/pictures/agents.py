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
LEARNERS = {"qlearner": 2, "dqn": 2, "ppo": 2, "alphazero": 3}  # where the lines of their curves have the share kept
TRAINED = "palindromes-8"  # the game and size of which curves are drawn


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


def training() -> str:
    """The score of PPO, in percent of the best, against the steps of training."""
    curves = []
    for n in RUNS:
        points = []
        for line in (AGENTS / "curves" / f"ppo-up-and-up-{n}.tsv").read_text().splitlines():
            steps, _, words = line.split("\t")
            score, best = map(int, words.split(" of "))
            points.append((int(steps) / 1000, 100 * score / best))
        curves.append(Curve(f"n = {n}", points))
    axes = Axes(0, 160, 60, 100, 2)
    return chart(
        "PPO on Up And Up: score of one game, of the best", "steps of training, in thousands", axes,
        range(0, 160, 20), curves,
    )  # fmt: skip


def learning() -> str:
    """How often learners keep the margin, against the CPU time of training."""
    curves = []
    for name, column in LEARNERS.items():
        file = AGENTS / "curves" / f"{name}-{TRAINED}.tsv"
        rows = [line.split("\t") for line in file.read_text().splitlines()]
        curves.append(Curve(name, [(float(row[1]), float(row[column])) for row in rows]))
    last = max(x for curve in curves for x, _ in curve.points)
    axes = Axes(0, last + 2, 20, 100, 2)
    return chart(
        "palindromes m = 8: moves that keep the margin", "seconds of CPU in training", axes,
        range(0, round(last) + 1, 10), curves,
    )  # fmt: skip


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
    found |= {"agents-training.svg": training(), "agents-learning.svg": learning()}
    return found | {"agents-generalisation.svg": generalising()}


if __name__ == "__main__":
    for name, picture in pictures().items():
        (HERE / name).write_text(picture)
