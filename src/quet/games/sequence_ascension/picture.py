"""The picture of Sequence Ascension: the terms, the thin line that placed them, and the path that climbs them.

Terms that are too long for a square are shown as their ranks, since only their order matters: `#3` is the third
smallest of their values, and equal terms have equal ranks. The strip below the board shows the terms that come next
and, in the second part, the terms on the path.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from quet.core.grid import is_touching, square_text
from quet.core.messages import joined, say
from quet.core.numbers import integer_text
from quet.core.position import Position
from quet.draw.board import (
    LABEL_MARGIN,
    LABEL_SIZE,
    MARGIN,
    board_size,
    board_title,
    centre,
    grid_shapes,
    last_mark,
    legal_mark,
    number_size,
    outline,
    passing_over,
    squares,
)
from quet.draw.scene import Circle, Line, Rectangle, Scene, Shape, Text

from . import rules
from .rules import EMPTY, State

LONGEST = 6  # characters of a term that can be read in a square of the picture
LONGEST_GLYPH = 4
STRIP = 1.1  # height of the strip below the board


def scene(position: Position) -> Scene:
    """The picture of a position; the terms on the path are ringed."""
    s: State = position.state
    n = s.n
    terms = [integer_text(term) for term in position.parameters["sequence"].values[: n * n]]
    shown, glyphs = short_terms(terms, s, LONGEST), short_terms(terms, s, LONGEST_GLYPH)
    placed = sorted((square for square in range(n * n) if s.index[square] != EMPTY), key=lambda square: s.index[square])
    path = sorted((square for square in placed if s.path[square] != EMPTY), key=lambda square: s.path[square])
    # A grid from paper may have come without the order in which it was filled.
    is_order = all(is_touching(before, square, n) for before, square in pairwise(placed))
    last = path[-1] if path else placed[-1] if placed else None

    size = min(number_size(term) for term in shown)
    shapes = grid_shapes(n)
    if is_order:
        shapes += _line(placed, n, "edge" if path else "edge_strong", 0.05)
    shapes += _line(path, n, "path", 0.13)
    for square in placed:
        is_on_path = s.path[square] != EMPTY
        if is_on_path:
            shapes.append(Circle(*centre(square, n), 0.41, "path"))
        shapes.append(Circle(*centre(square, n), 0.34 if is_on_path else 0.3, "tint_two" if is_on_path else "square"))
        role = "muted" if path and not is_on_path else "ink"
        shapes.append(Text(*centre(square, n), shown[s.index[square] - 1], role, size))
    if last is not None:
        shapes.append(last_mark(last, n))
    shapes += (legal_mark(square, n, is_filled=s.index[square] != EMPTY) for square in position.legal)
    shapes += _strip(s, shown, path, size)

    def words(square: int) -> str:
        if s.index[square] == EMPTY:
            return say("empty")
        index, step = s.index[square], s.path[square]
        term = shorten_term(terms[index - 1])
        holds = (
            say("holds {term}, term {index}", term=term, index=index) if is_order else say("holds {term}", term=term)
        )
        return say("{holds}, step {step} of the path", holds=holds, step=step) if step != EMPTY else holds

    ranked = (say("#3 is the third smallest value; equal terms have equal ranks."),)
    width, height = board_size(n)
    return Scene(
        title=board_title(say("Sequence Ascension"), n),
        width=width,
        height=height + STRIP,
        shapes=tuple(shapes),
        squares=squares(
            n,
            lambda square: glyphs[s.index[square] - 1] if s.index[square] != EMPTY else ".",
            words,
            {square: [square_text(square, n)] for square in position.legal},
            last,
        ),
        notes=(*_notes(s, terms, path), *(ranked if shown != terms else ())),
        signs=ranked if glyphs != shown else (),
    )


def shorten_term(term: str) -> str:
    """The term as it can stand in a sentence: of a very long one the beginning and the number of digits."""
    if len(term) <= 40:
        return term
    return say("{beginning}... ({count} digits)", beginning=term[:12], count=len(term.lstrip("-")))


def short_terms(terms: Sequence[str], s: State, longest: int) -> list[str]:
    """The terms, or all their ranks if one of them is longer than `longest`."""
    if all(len(term) <= longest for term in terms):
        return list(terms)
    return [f"#{s.ranks[k] + 1}" for k in range(len(terms))]


def _line(order: Sequence[int], n: int, role: str, width: float) -> Iterator[Shape]:
    for before, square in pairwise(order):
        yield from passing_over((centre(before, n), centre(square, n)), role, width)


def _strip(s: State, shown: Sequence[str], path: Sequence[int], size: float) -> Iterator[Shape]:
    """Boxes as wide as the board: the next term framed and those after it, or the end of the path."""
    y = MARGIN + s.n + LABEL_MARGIN
    if s.is_placing:
        label, texts, framed = say("next"), shown[s.count : s.count + s.n], 0
    else:
        texts = [shown[s.index[square] - 1] for square in path[-s.n :]]
        label, framed = say("path"), len(texts) - 1
    yield Text(LABEL_MARGIN / 2, y + 0.4, label, "muted", LABEL_SIZE)
    for k, text in enumerate(texts):
        x = LABEL_MARGIN + k
        yield Rectangle(x + 0.08, y, 0.84, 0.8, "square" if s.is_placing else "tint_two", 0.1)
        if k == framed:
            yield outline(x + 0.08, y, 0.84, 0.8, "border", 0.05)
        elif not s.is_placing:
            yield Line(((x + 0.92, y + 0.4), (x + 1.08, y + 0.4)), "path", 0.1)
        yield Text(x + 0.5, y + 0.4, text, "ink" if k == framed else "muted", size)


def _notes(s: State, terms: Sequence[str], path: Sequence[int]) -> Iterator[str]:
    size = s.n * s.n
    if s.is_placing:
        after = [shorten_term(term) for term in terms[s.count + 1 : s.count + 5]]
        term: str = shorten_term(terms[s.count])
        if after:
            term = say("{term}, then {after}", term=term, after=joined(after))
        yield say("Next is term {number} of {size}: {term}.", number=s.count + 1, size=size, term=term)
    elif not path:
        yield say("Squares filled: {count} of {size}. The path starts at any filled square.", count=s.count, size=size)
    else:
        steps = [
            say("{term} at {square}", term=shorten_term(terms[s.index[square] - 1]), square=square_text(square, s.n))
            for square in path[-6:]
        ]
        end = say("The game is over") if rules.is_over(s) else say("The path goes on")
        yield say(
            "{end}. Filled squares on the path: {length} of {count}, {steps}.",
            end=end,
            length=len(path),
            count=s.count,
            steps=say("at last {steps}", steps=joined(steps)) if len(path) > 6 else joined(steps),
        )
