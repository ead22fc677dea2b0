"""The squares of the path with their terms, and filled grids read from paper with their longest path."""

from collections import Counter
from collections.abc import Mapping, Sequence

from quet.core.errors import BadPaper
from quet.core.grid import is_touching, square_text
from quet.core.messages import say
from quet.core.numbers import integer_text
from quet.core.paper import EMPTY_MARKS, read_grid, read_numbers, read_side, shorten_number
from quet.core.position import Item, Position
from quet.core.sequences import read_terms

from . import rules
from .longest_path import LongestPath, longest_path

WORK = 50_000  # squares tried in the search for an order of placing, less than half a second


def items(position: Position) -> list[Item]:
    """Each square of the path with its term, 1 point each; last, for a grid from paper, whether it is the longest."""
    s = position.state
    terms = position.parameters["sequence"].values
    path = sorted((square for square in range(s.n * s.n) if s.path[square]), key=lambda square: s.path[square])
    found = []
    for square in path:
        name = square_text(square, s.n)
        found.append(Item(1, 1, f"{name}: {integer_text(terms[s.index[square] - 1])}", (name,)))
    if path and not position.moves:
        is_longest = _longest_path(s).is_longest
        words = say("no path is longer") if is_longest else say("this path is the best found, not proven the longest")
        found.append(Item(1, 0, words))
    return found


def read_paper(text: str, given: Mapping[str, object]) -> Position:
    """The grid, rows from the top, with its terms and `.` for empty squares; it is given its best path.

    An order of placing is looked for; where none exists, the paper is refused. With a `sequence` given, the terms must
    be its first ones, and the order is that of the sequence. Without one, the paper doesn't tell which term was placed
    when; the sequence is then the terms sorted (and, for the squares left empty, the largest again). The position has
    no moves. Raises BadPaper and BadParameter.
    """
    grid = read_grid(text)
    if grid[0][0] in EMPTY_MARKS and any(cell[0].isalpha() for row in grid for cell in row):  # squares, as by_hand.py
        raise BadPaper(say("Term 1 isn't placed yet."))
    values = read_side(grid, rules.PARAMETERS, given)
    n = values["n"]
    terms = read_numbers(grid)
    ordered = sorted(term for term in terms if term is not None)
    if not ordered:
        raise BadPaper(say("No square holds a number."))
    last_squares = _last_squares(terms, n)
    if "sequence" in given:
        sequence = values["sequence"]
        _check_terms(ordered, sequence.values[: len(ordered)])
        order = _placing(terms, sequence.values, last_squares, n)
    else:
        filled = [None if term is None else 0 for term in terms]
        _placing(filled, [0] * len(ordered), last_squares, n)
        padded = ordered + ordered[-1:] * (n * n - len(ordered))
        sequence = read_terms("sequence", padded, n * n, files=False)
        order = []
    s = rules.State()
    rules.start(s, n, sequence)
    s.count = len(ordered)
    for k, square in enumerate(order or _any_order(terms, sequence.values[: s.count]), 1):
        s.index[square] = k
    s.is_placing = 0
    for square in _longest_path(s).squares:
        rules.play(s, square)
    return Position(s, {"n": n, "sequence": sequence})


def _longest_path(s: rules.State) -> LongestPath:
    ranks = (s.ranks[s.index[square] - 1] if s.index[square] else None for square in range(s.n * s.n))
    return longest_path(s.n, tuple(ranks))


def _last_squares(terms: Sequence[int | None], n: int) -> list[int]:
    """The squares where the placing can have ended: filled, and touching no empty one. Raises BadPaper for none."""
    around = _neighbours(n)
    filled = [square for square, term in enumerate(terms) if term is not None]
    reached, edge = {filled[0]}, [filled[0]]
    while edge:
        found = {other for square in edge for other in around[square] if terms[other] is not None} - reached
        reached |= found
        edge = list(found)
    apart = [square for square in filled if square not in reached]
    if apart:
        raise BadPaper(
            say(
                "The numbers don't hang together: no way over touching ones leads from {first} to {second}.",
                first=square_text(filled[0], n),
                second=square_text(apart[0], n),
            )
        )
    last_squares = [square for square in filled if all(terms[other] is not None for other in around[square])]
    if not last_squares:
        raise BadPaper(
            say("Every number touches an empty square, but placing goes on until no touching square is empty.")
        )
    return last_squares


def _check_terms(ordered: Sequence[int], sequence: Sequence[int]) -> None:
    """Raises BadPaper unless the numbers on the paper are those of the sequence, in any order."""
    written, needed = Counter(ordered), Counter(sequence)
    for term in sorted(written | needed):
        if written[term] != needed[term]:
            raise BadPaper(
                say(
                    "{term} stands on the paper {written}, but among the first {count} terms of the sequence {needed}.",
                    term=shorten_number(term),
                    written=_times(written[term]),
                    count=len(ordered),
                    needed=_times(needed[term]),
                )
            )


def _placing(terms: Sequence[int | None], sequence: Sequence[int], last_squares: Sequence[int], n: int) -> list[int]:
    """The squares in an order in which the sequence can have been placed; empty when that takes too much work.

    Raises BadPaper when there is no such order.
    """
    around = _neighbours(n)
    count = len(terms) - terms.count(None)
    order: list[int] = []
    ways = [
        [square for square in range(n * n) if terms[square] == sequence[0]]
    ]  # left to try at each place in the order
    is_placed = [False] * (n * n)
    is_end_wrong = False
    for _ in range(WORK):
        if ways[-1]:
            square = ways[-1].pop()
            order.append(square)
            is_placed[square] = True
            if len(order) == count:
                if square in last_squares:
                    return order
                is_end_wrong = True
            next_terms = sequence[len(order) : count][:1]
            ways.append([other for other in around[square] if not is_placed[other] and terms[other] in next_terms])
        else:
            ways.pop()
            if not ways and is_end_wrong:
                raise BadPaper(say("Placing can't have stopped here: the last number always touches an empty square."))
            if not ways:
                raise BadPaper(
                    say("The sequence can't have been placed like this: no order steps from square to touching square.")
                )
            is_placed[order.pop()] = False
    return []


def _any_order(terms: Sequence[int | None], sequence: Sequence[int]) -> list[int]:
    """The squares in some order in which they hold the sequence, touching or not."""
    left: dict[int, list[int]] = {}
    for square, term in enumerate(terms):
        if term is not None:
            left.setdefault(term, []).append(square)
    return [left[term].pop() for term in sequence]


def _neighbours(n: int) -> list[list[int]]:
    """For each square the squares that touch it."""
    return [[other for other in range(n * n) if is_touching(square, other, n)] for square in range(n * n)]


def _times(number: int) -> str:
    return {0: say("not at all"), 1: say("once"), 2: say("twice")}.get(number, say("{number} times", number=number))
