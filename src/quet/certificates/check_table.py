"""Checks a table of all positions of a game: the value of each must be that of its best move, and 0 at the end.

A value is the amount by which the result (see `aims.py`) still changes under best play. Positions are numbered in the
order in which they are met, breadth first, moves in ascending order.
"""

from collections import deque
from collections.abc import Sequence

from ..core.errors import BadCertificate
from ..core.quoting import shorten
from ..core.rules import AnyState, legal_moves
from ..core.state import Packing, copy
from .aims import LARGEST_VALUE, Result, aim, is_value, result, told
from .claims import Subject
from .limits import Meter

MOST_POSITIONS = 1_000_000
_BESIDES = 150  # bytes that Python takes for a position besides its key and its state
_OFTEN = 1 << 10  # positions between two looks at the memory


def check(
    subject: Subject,
    start: AnyState,
    given: object,
    claimed: Result,
    *,
    is_lowest: bool,
    best_moves: list[str] | None,
    line: list[str],
    meter: Meter | None = None,
) -> str:
    """Check the table `given`, that the claim is what it says, and that every move of the line keeps the claim.

    `best_moves`, if any, must be all moves that keep the claim. Returns what was checked, as a sentence; raises
    BadCertificate, and TooLargeToCheck where the time is over, or it takes too much memory.
    """
    rules = subject.rules
    values = _values(given, len(claimed))
    numbers = _check_positions(subject, start, values, is_lowest, meter or Meter())
    value = _sum(result(rules, start), values[0])
    _need(value == claimed, f"By the table the value is {told(value)}, not {told(claimed)}.")

    def keeps(s: AnyState, move: int) -> bool:
        twin = copy(s)
        rules.play(twin, move)
        return _sum(result(rules, twin), values[numbers[subject.key(twin)]]) == claimed

    best = [rules.move_text(start, move) for move in legal_moves(rules, start) if keeps(start, move)]
    _need(best_moves in (None, best), f"The best moves are {shorten(' '.join(best), 200)}.")
    s = copy(start)
    for number, word in enumerate(line, 1):
        move = rules.read_move(s, word)
        _need(keeps(s, move), f"Move {number} of the witness loses value.")
        rules.play(s, move)
    return f"Each of the {len(values)} positions is worth the best of its moves."


def _values(given: object, width: int) -> list[Result]:
    """The values of a table, as results. With three or more players each of them is written as a list."""
    if not isinstance(given, list) or not given:
        raise BadCertificate("values must be a list with at least one value.", step="grounds")
    _need(len(given) <= MOST_POSITIONS, f"A table has at most {MOST_POSITIONS} positions.")
    if width == 1:
        _need(all(map(is_value, given)), f"values are integers, {LARGEST_VALUE} at most.")
        return [(value,) for value in given]
    for value in given:
        are_scores = isinstance(value, list) and len(value) == width and all(map(is_value, value))
        _need(are_scores, f"values are lists of {width} integers, one for each player.")
    return [tuple(value) for value in given]


def _check_positions(
    subject: Subject, start: AnyState, values: Sequence[Result], is_lowest: bool, meter: Meter
) -> dict[bytes, int]:
    """Go through all positions; return the number of each, by its key."""
    rules, packing = subject.rules, Packing(start)
    numbers = {subject.key(start): 0}
    waiting = deque([packing.packed(start)])
    after: list[list[int]] = []
    num_ways = 0
    while waiting:
        meter.step()
        if len(after) % _OFTEN == 0:
            each = len(next(iter(numbers))) + packing.size + _BESIDES
            meter.hold(len(numbers) * each + 8 * num_ways)
        s = packing.unpacked(waiting.popleft())
        here, number = result(rules, s), len(after)
        found, results = [], []
        for move in legal_moves(rules, s):
            twin = copy(s)
            rules.play(twin, move)
            key = subject.key(twin)
            if key not in numbers:
                numbers[key] = len(numbers)
                is_there = len(numbers) <= len(values)
                _need(is_there, f"The game has more than the {len(values)} positions of the table.")
                waiting.append(packing.packed(twin))
            found.append(numbers[key])
            results.append(_sum(result(rules, twin), values[numbers[key]]))
        best = max(results, key=aim(subject, s, is_lowest=is_lowest), default=here)
        is_right = _sum(here, values[number]) == best
        still = tuple(one - other for one, other in zip(best, here, strict=True))
        _need(is_right, f"Position {number + 1} is worth {told(still)}, not {told(values[number])}.")
        after.append(found)
        num_ways += len(found)
    _need(len(after) == len(values), f"The game has {len(after)} positions, the table {len(values)}.")
    _need(_has_no_circle(after), "Positions come again, so that a table proves nothing.")
    return numbers


def _sum(one: Result, other: Result) -> Result:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _has_no_circle(after: list[list[int]]) -> bool:
    """Whether no position can occur again; found by repeatedly removing positions that come after no other."""
    left = [0] * len(after)
    for found in after:
        for number in found:
            left[number] += 1
    free = [number for number, count in enumerate(left) if count == 0]
    num_taken = 0
    while free:
        num_taken += 1
        for number in after[free.pop()]:
            left[number] -= 1
            if left[number] == 0:
                free.append(number)
    return num_taken == len(after)


def _need(is_so: bool, sentence: str) -> None:
    if not is_so:
        raise BadCertificate(sentence, step="grounds")
