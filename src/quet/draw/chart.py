"""A chart as shapes: a panel with axes and numbers. The caller draws inside it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .scene import Line, Rectangle, Shape, Text

WIDTH, HEIGHT = 18.0, 10.0  # of the picture, in board units
LEFT, RIGHT, TOP, BOTTOM = 1.7, 0.6, 1.6, 1.9  # margins around the panel
SMALL, NORMAL, LARGE = 0.3, 0.36, 0.5  # sizes of text


@dataclass(frozen=True)
class Axes:
    """Where numbers lie in the picture."""

    first: float  # at the left edge of the panel
    last: float  # at the right edge
    low: float  # the least and the largest amount
    high: float
    pad: float  # what the panel shows below and above them

    def x(self, number: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (number - self.first) / (self.last - self.first)

    def y(self, amount: float) -> float:
        part = (min(max(amount, self.low), self.high) - self.low + self.pad) / (self.high - self.low + 2 * self.pad)
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part


def amounts(low: float, high: float) -> tuple[float, float, int]:
    """A rounder range that contains this one, and the step between the numbers on the axis."""
    step = round_step((high - low) or 1, 6)
    low, high = float(step * math.floor(low / step)), float(step * math.ceil(high / step))
    return (low - step, high + step, step) if low == high else (low, high, step)


def round_step(span: float, most: int) -> int:
    """The step among 1, 2, 5, 10, 20, ... that divides the span into at most about `most` parts."""
    step = 1
    while span / step > most:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    return step


def panel(
    axes: Axes, ticks: Sequence[tuple[float, str]], strong: float, numbers: Sequence[int], words: str
) -> list[Shape]:
    """The empty panel: a line for each amount of `ticks`, the `strong` one marked, and `numbers` below with `words`."""
    left, right, top, bottom = axes.x(axes.first), axes.x(axes.last), TOP, HEIGHT - BOTTOM
    shapes: list[Shape] = [Rectangle(left, top, right - left, bottom - top, "square")]
    for tick, text in ticks:
        y = axes.y(tick)
        shapes.append(Line(((left, y), (right, y)), "edge_strong" if tick == strong else "edge", 0.03))
        shapes.append(Text(left - 0.25, y, text, "muted", SMALL, "end"))
    for number in numbers:
        x = axes.x(number)
        shapes.append(Line(((x, bottom), (x, bottom + 0.12)), "border", 0.03))
        shapes.append(Text(x, bottom + 0.36, str(number), "muted", SMALL))
    shapes.append(Line(((left, top), (left, bottom), (right, bottom)), "border", 0.04))
    shapes.append(Text((left + right) / 2, bottom + 0.85, words, "muted", NORMAL))
    return shapes
