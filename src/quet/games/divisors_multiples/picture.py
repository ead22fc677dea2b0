"""The picture of the Divisors/Multiples game: 1..r in layers by how many prime factors they have, 1 at the bottom.

An edge joins two numbers whose quotient is a prime (the Hasse diagram of divisibility); where r is large only the edges
at the current number are drawn. Taken numbers are filled, the current number is ringed, and at each number that can be
stepped to stands the price.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, sqrt

from quet.core.messages import joined, say, say_number
from quet.core.position import Position
from quet.draw.board import LABEL_MARGIN, LABEL_SIZE, MARGIN, number_size
from quet.draw.scene import Circle, Line, Rectangle, Scene, Shape, Square, Text

from . import rules
from .rules import State

LARGEST_WHOLE = 60  # up to this r all edges are drawn, and a layer is one row
FEW_EDGES = 24  # more at one number are thin, so that they don't hide the numbers that they pass
RADIUS = 0.35  # of the disc of a number


@dataclass(frozen=True)
class Place:
    """Where a number stands: its row from the top and column, and the middle of its disc."""

    row: int
    column: int
    x: float
    y: float


@dataclass(frozen=True)
class Layout:
    """The places of what is the same in all pictures of one r."""

    width: float
    height: float
    places: dict[int, Place]  # in reading order
    layers: tuple[tuple[int, float], ...]  # number of prime factors, middle height
    edges: tuple[tuple[int, int], ...]  # a number and its multiple by a prime


def scene(position: Position) -> Scene:
    """The picture of a position; touching a number that can be stepped to offers `12!` before `12`."""
    s: State = position.state
    layout = _layout(s.r)
    moves: dict[int, list[str]] = {}
    for move in sorted(position.legal, key=lambda move: (move // 2, -(move % 2))):
        moves.setdefault(move // 2, []).append(rules.move_text(s, move))

    shapes: list[Shape] = [Text(LABEL_MARGIN / 2, y, str(factors), "muted", LABEL_SIZE) for factors, y in layout.layers]
    shapes += _edges(s, layout)
    for y, place in layout.places.items():
        shapes += _disc(s, y, place, is_legal=y in moves)
    for y in moves:
        shapes += _price(s, y, layout.places[y])
    return Scene(
        title=say("Divisors/Multiples, 1 to {r}", r=s.r),
        width=layout.width,
        height=layout.height,
        shapes=tuple(shapes),
        squares=tuple(
            Square(
                name=str(y),
                column=place.column,
                row=place.row,
                x=place.x - 0.5,
                y=place.y - 0.5,
                width=1,
                height=1,
                glyph=_glyph(s, y),
                words=_words(s, y, is_legal=y in moves),
                moves=tuple(moves.get(y, ())),
                move_words=tuple(
                    say("stop there") if move[-1] == "!" else say("step on from there") for move in moves.get(y, ())
                ),
                is_last=y == s.current,
            )
            for y, place in layout.places.items()
        ),
        notes=tuple(_notes(s)),
        signs=(say("Numbers with * are taken."),),
    )


def num_prime_factors(r: int) -> list[int]:
    """Omega(k), the number of prime factors of k with multiplicity (OEIS A001222), at k for 1 <= k <= r."""
    factors = [0] * (r + 1)
    for k in range(2, r + 1):
        if factors[k] == 0:  # a prime
            power = k
            while power <= r:
                for multiple in range(power, r + 1, power):
                    factors[multiple] += 1
                power *= k
    return factors


@lru_cache(maxsize=16)
def _layout(r: int) -> Layout:
    factors = num_prime_factors(r)
    layers: list[list[int]] = [[] for _ in range(max(factors) + 1)]
    for k in range(1, r + 1):
        layers[factors[k]].append(k)
    most = max(len(layer) for layer in layers)
    is_whole = r <= LARGEST_WHOLE
    columns = most if is_whole else ceil(1.2 * sqrt(r))
    gap = 0.5 + 0.08 * columns if is_whole else 0.5  # wide layers need more room for slanting edges

    places: dict[int, Place] = {}
    labels = []
    row, top = 0, MARGIN
    for number in range(len(layers) - 1, -1, -1):
        layer = layers[number]
        width = min(columns, len(layer))
        height = ceil(len(layer) / columns)
        for i, k in enumerate(layer):
            places[k] = Place(
                row=row + i // columns,
                column=(columns - width) // 2 + i % columns,
                x=round(LABEL_MARGIN + (columns - width) / 2 + i % columns + 0.5, 3),
                y=round(top + i // columns + 0.5, 3),
            )
        labels.append((number, top + height / 2))
        row, top = row + height, top + height + gap
    edges = [
        (k, multiple) for k in range(1, r + 1) for multiple in range(2 * k, r + 1, k) if factors[multiple // k] == 1
    ]
    return Layout(LABEL_MARGIN + columns + MARGIN, top - gap + MARGIN, places, tuple(labels), tuple(edges))


def _edges(s: State, layout: Layout) -> Iterator[Shape]:
    """The edges; those at the current number lie over the others."""

    def line(edge: Sequence[int], role: str, width: float) -> Line:
        a, b = (layout.places[k] for k in edge)
        return Line(((a.x, a.y), (b.x, b.y)), role, width)

    if s.r <= LARGEST_WHOLE:
        yield from (line(edge, "edge", 0.04) for edge in layout.edges if s.current not in edge)
    strong = [edge for edge in layout.edges if s.current in edge]
    yield from (line(edge, "edge_strong", 0.06 if len(strong) <= FEW_EDGES else 0.015) for edge in strong)


def _disc(s: State, y: int, place: Place, *, is_legal: bool) -> Iterator[Shape]:
    if y == s.current:
        yield Circle(place.x, place.y, RADIUS + 0.11, "last")
        yield Circle(place.x, place.y, RADIUS + 0.03, "paper")
    elif is_legal:
        yield Circle(place.x, place.y, RADIUS + 0.06, "legal")
    else:
        yield Circle(place.x, place.y, RADIUS + 0.03, "grid")
    yield Circle(place.x, place.y, RADIUS, "filled" if s.is_taken[y] else "square")
    yield Text(place.x, place.y, str(y), "on_filled" if s.is_taken[y] else "ink", number_size(str(y), 0.36))


def _price(s: State, y: int, place: Place) -> Iterator[Shape]:
    """The price of a step to y, lower right of its disc."""
    text = str(rules.price(s, y))
    width = 0.14 + 0.16 * len(text)
    x, y_middle = place.x + 0.5 - width / 2, place.y + 0.4
    yield Rectangle(x - width / 2, y_middle - 0.165, width, 0.33, "tint_cost", 0.1)
    yield Text(x, y_middle, text, "cost", 0.29)


def _glyph(s: State, y: int) -> str:
    """The number, with a star when it is taken; 1000 has no room for one and is then `1k*`."""
    if not s.is_taken[y]:
        return str(y)
    return f"{y}*" if y < 1000 else "1k*"


def _words(s: State, y: int, *, is_legal: bool) -> str:
    words = say("taken") if s.is_taken[y] else say("not taken")
    if y == s.current:
        words = say("{words}, the current number", words=words)
    return say("{words}; a step costs {price}", words=words, price=rules.price(s, y)) if is_legal else words


def _notes(s: State) -> Iterator[str]:
    costs = joined(
        say("player {player} has paid {cost}", player=player, cost=s.cost[player]) for player in range(1, s.players + 1)
    )
    if rules.is_over(s):
        yield say("The game is over: all numbers are taken.")
    else:
        current, step = s.current, s.num_steps + 1
        if step == 1:
            yield say("Player {mover} steps from {current}.", mover=s.mover, current=current)
        else:
            yield say(
                "Player {mover} steps from {current} (step {step} of this turn).",
                mover=s.mover,
                current=current,
                step=step,
            )
    yield say("Costs: {costs}; the lowest wins.", costs=costs)
    taken = say_number(
        "{number} number of {r} is taken.",
        "{number} numbers of {r} are taken.",
        s.num_taken,
        r=s.r,
    )
    price = say("A step costs the larger number divided by the smaller, and twice that to a taken number.")
    yield joined([taken, price], " ")
    yield say("The layers from below hold the numbers of 0, 1, 2 and more prime factors.")
