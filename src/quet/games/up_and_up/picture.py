"""The picture of Up And Up: the numbers, and the last jumps in arcs that show which one passes over which.

More jumps would hide the numbers. The order of those before can be read: they are what the numbers tell.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from quet.core.grid import square_text
from quet.core.messages import say, say_number
from quet.core.position import Position
from quet.draw.board import (
    board_size,
    board_title,
    centre,
    grid_shapes,
    hop,
    last_mark,
    legal_mark,
    number_mark,
    passing_over,
    squares,
)
from quet.draw.scene import Circle, Scene, Shape

from . import rules
from .rules import EMPTY, State

JUMPS = 8  # that are drawn
RUNS = (("path", 0.09), ("edge_strong", 0.07), ("edge_strong", 0.035))  # role and width: latest run, one before, older


def scene(position: Position) -> Scene:
    """The picture of a position; a number where the step went back to 1 is in a disc, and those of the latest run stand
    on a tint.
    """
    s: State = position.state
    n = s.n
    order = sorted(
        (square for square in range(n * n) if s.numbers[square] != EMPTY), key=lambda square: s.numbers[square]
    )
    resets = {order[i] for i in range(2, len(order)) if _distance(order[i - 1], order[i], n) == 1}
    begin = max((i for i, square in enumerate(order) if square in resets), default=1) - 1
    latest = set(order[begin:])
    shapes = grid_shapes(n, dict.fromkeys(latest, "tint"))
    shapes += _path(order, resets, n)
    for square in order:
        is_reset, is_latest = square in resets, square in latest
        disc = "tint_two" if is_reset else "tint" if is_latest else "square"
        shapes.append(Circle(*centre(square, n), 0.35 if is_reset else 0.29, disc))
        shapes.append(number_mark(square, n, str(s.numbers[square]), "ink" if is_reset or is_latest else "muted"))
    if order:
        shapes.append(last_mark(order[-1], n))
    shapes += (legal_mark(square, n) for square in position.legal)

    def words(square: int) -> str:
        if s.numbers[square] == EMPTY:
            return say("empty")
        holds = say("holds {number}", number=s.numbers[square])
        return say("{holds}; here the step went back to 1", holds=holds) if square in resets else holds

    width, height = board_size(n)
    return Scene(
        title=board_title(say("Up And Up"), n),
        width=width,
        height=height,
        shapes=tuple(shapes),
        squares=squares(
            n,
            lambda square: str(s.numbers[square] or "."),
            words,
            {square: [square_text(square, n)] for square in position.legal},
            order[-1] if order else None,
        ),
        notes=tuple(_notes(s)),
    )


def _distance(a: int, b: int, n: int) -> int:
    """The distance of two squares in one row or column."""
    return abs(a // n - b // n) + abs(a % n - b % n)


def _path(order: Sequence[int], resets: set[int], n: int) -> Iterator[Shape]:
    """The last jumps; those since the last return to 1 stand out, and those of the run before it a little."""
    runs_ago = len(resets)
    for i, (before, square) in enumerate(pairwise(order)):
        runs_ago -= square in resets
        if i < len(order) - 1 - JUMPS:
            continue
        role, width = RUNS[min(runs_ago, 2)]
        length = _distance(before, square, n)
        # A jump is an arc: a straight line would run through the numbers that it jumps.
        points = hop(centre(before, n), centre(square, n), 0.0 if length == 1 else 0.3 + 0.02 * length)
        yield from passing_over(points, role, width)


def _notes(s: State) -> Iterator[str]:
    if s.count == 0:
        yield say("1 goes in any square.")
        return
    yield say("Squares filled: {count} of {size}.", count=s.count, size=s.n * s.n)
    out = [0] * rules.most_moves(s)
    if rules.legal_moves(s, out) == 0:
        yield (
            say("The game is over: no empty square lies {step} or 1 from {count}.", step=s.step, count=s.count)
            if s.step > 1
            else say("The game is over: no empty square lies beside 1.")
        )
        return
    step = _distance(s.last, out[0], s.n)
    if step < s.step:
        yield say(
            "{next} goes 1 square from {count}: the step is back to 1, as no empty square lies {step} away.",
            next=s.count + 1,
            count=s.count,
            step=s.step,
        )
    else:
        yield say_number(
            "{next} goes {number} square from {count}.",
            "{next} goes {number} squares from {count}.",
            step,
            next=s.count + 1,
            count=s.count,
        )
