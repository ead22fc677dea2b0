"""What a checker of certificates has to know of Palindromes/Antipalindromes In Sequence.

Bounds, symmetry, all positions, and pairings.

A pairing of squares is a whole strategy in one line. Each pair has a rule: its digits shall be the same, or different.
As soon as one square of a pair is filled, the player who replies fills the other one. So the full row keeps all rules,
however the opponent plays. With p pairs there are 2^p such rows; all are looked at. Where the number of squares is odd,
player 1 replies, and begins with the square that is left.

In a long row the player who replies may have to break a rule now and then, so that some rows don't come about: then the
rows that have one of the parts to be avoided aren't looked at, and each part is checked (`avoiding.py`).

All rows are counted at once (`planes.py`). All positions can be tried, too (`perfect.py`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from struct import Struct

from quet.core.errors import BadCertificate, QuetError, one_line
from quet.core.state import copy

from . import rules
from .avoiding import MOST_FREE, Pair, Part, Plan, with_exchanged
from .perfect import is_at_least, num_bytes
from .planes import Total, alternating, difference, half_scores
from .rules import State

MOST_PAIRS = 32
MOST_PARTS = 100  # to be avoided
_AT_ONCE = 18  # pairs whose rows are counted at once; with more pairs, one case of the others after another
_POSITIONS_IN_A_SECOND = 200_000_000  # that are tried, on a slow machine
_ROWS = [Struct(f"{length}b") for length in range(65)]
_ROW = bytes([1, 2, *range(3, 256), 0])  # makes 1 and 2 of 0 and 1 in a row of bytes, and 0 of an empty square
_OTHER = bytes([2, 1, *range(3, 256), 0])  # the same with 0 and 1 exchanged
STRATEGIES: Mapping[str, Sequence[str]] = {"pairing": ("first", "pairs"), "avoiding": ("first", "pairs", "avoided")}


def highest(s: State) -> int:
    """The score of a row of zeros, in which all stretches of even length around each centre are palindromes."""
    return sum(half * (half + 1) for half in (min(centre, s.m - centre) for centre in range(1, s.m)))


def lowest(s: State) -> int:
    return -highest(s)


def room(s: State) -> Mapping[str, int]:
    """A number a square."""
    return {"digits": s.m}


def canonical(s: State) -> bytes:
    """The first in order of the row, its mirror image, and both with 0 and 1 exchanged: all have the same patterns."""
    digits = _ROWS[s.m].pack(*s.digits[: s.m])
    row, other = digits.translate(_ROW), digits.translate(_OTHER)
    return min(row, row[::-1], other, other[::-1])


def num_positions(start: State) -> int:
    return int(3**start.m)  # a square is empty, or has a 0 or a 1


def cost(start: State) -> tuple[float, int] | None:
    """All positions are tried twice."""
    return None if start.ply else (2 * num_positions(start) / _POSITIONS_IN_A_SECOND, num_bytes(start.m))


def perfect(start: State, claimed: Sequence[int]) -> list[int]:
    """By all positions: player 1 can hold the value claimed, and no more."""
    (value,) = claimed
    _need(abs(value) <= highest(start), f"By the rules alone the value isn't {value}.")
    is_held, are_good = is_at_least(start.m, value)
    _need(is_held, f"By trying all positions the value is below {value}.")
    _need(not is_at_least(start.m, value + 1)[0], f"By trying all positions the value is above {value}.")
    return [2 * square + digit for square in range(start.m) if are_good[square] for digit in (0, 1)]


def guarantee(
    start: State, ground: Mapping[str, object], side: str, step: Callable[[], None] = lambda: None
) -> tuple[int, str]:
    """The value that the pairing holds (an upper bound for `high`, a lower bound for `low`), and what was checked.

    `step` is called before each look at some 100,000 rows, or at one reply. Raises BadCertificate, and what `step`
    raises.
    """
    replier = 2 if side == "high" else 1
    first, pairs = _first(start, ground["first"], replier), _pairs(ground["pairs"], start.m)
    filled = [square for square, _ in first] + [square for pair in pairs for square in pair[:2]]
    _need(sorted(filled) == list(range(start.m)), "Each square must be filled first or be in one pair.")
    parts = _parts(ground.get("avoided", []), start.m, first, pairs)
    # The player who replies keeps the opponent's lead small.
    liked = 3 - replier
    found = []
    for chosen in _cases(first, pairs):
        step()
        found.append(_worst(start.m, chosen, pairs, liked, parts))
    _need(any(found), "All rows are avoided.")
    worst, row = max(found_one for found_one in found if found_one)
    plan = Plan(start.m, pairs, parts, liked, worst, step)
    for number, part in enumerate(parts[: len(parts) // 2], 1):  # with 0 and 1 exchanged everything is alike
        _need(_is_avoided(plan, part), f"Part {number} can't always be avoided.")
    value = -worst if side == "low" else worst
    _check_row(start, row, value)
    word = "least" if side == "low" else "most"
    if not parts:
        return value, f"Each of the 2^{len(pairs)} rows that the pairing allows is worth {value} at {word}."
    return value, (
        f"Each of the 2^{len(pairs)} rows that the pairing allows is worth {value} at {word}, but for those "
        f"that have one of {len(parts) // 2} parts; and these can be avoided."
    )


def _need(is_so: bool, sentence: str) -> None:
    if not is_so:
        raise BadCertificate(sentence, step="grounds")


def _first(start: State, text: object, replier: int) -> list[tuple[int, int]]:
    """The square and digit that are written first, where the player who replies begins."""
    if rules.mover(start) != replier:
        _need(text is None, f"Player {replier} doesn't begin, and so has no first move.")
        return []
    if not isinstance(text, str):
        raise BadCertificate(f"Player {replier} begins, and so has a first move.", step="grounds")
    try:
        move = rules.read_move(start, text)
    except QuetError as error:
        raise BadCertificate(f"The first move: {one_line(error)}", step="grounds") from None
    return [divmod(move, 2)]


def _pairs(given: object, m: int) -> list[Pair]:
    if not isinstance(given, list):
        raise BadCertificate("The pairs must be a list.", step="grounds")
    _need(len(given) <= MOST_PAIRS, f"At most {MOST_PAIRS} pairs can be checked.")
    pairs = []
    for pair in given:
        _need(isinstance(pair, list) and len(pair) == 3, "Each pair must be two squares, and same or different.")
        one, other, rule = pair
        are_squares = all(type(square) is int and 1 <= square <= m for square in (one, other))
        _need(are_squares and one < other, f"The squares of a pair must be from 1 to {m}, in order.")
        _need(rule in ("same", "different"), "The rule of a pair must be same or different.")
        pairs.append((one - 1, other - 1, int(rule == "different")))
    return pairs


def _parts(given: object, m: int, first: list[tuple[int, int]], pairs: list[Pair]) -> list[Part]:
    """The parts to be avoided, and then all of them with 0 and 1 exchanged."""
    if not isinstance(given, list):
        raise BadCertificate("The parts to be avoided must be a list.", step="grounds")
    _need(len(given) <= MOST_PARTS, f"At most {MOST_PARTS} parts can be checked.")
    parts = []
    for number, text in enumerate(given, 1):
        is_row = isinstance(text, str) and len(text) == m and set(text) <= set("01.")
        _need(is_row, f"Part {number} must be a row of {m} digits and dots.")
        part = Part.read(text)
        first_is_in = all(text[square] == str(digit) for square, digit in first)
        _need(first_is_in, f"Part {number} must have the square that is filled first, with its digit.")
        whole = all((text[one] == ".") == (text[other] == ".") for one, other, _ in pairs)
        _need(whole, f"Part {number} must have both squares of a pair, or none.")
        kept = all(text[one] == "." or (text[one] != text[other]) == differ for one, other, differ in pairs)
        _need(kept, f"Part {number} must keep the rules of its pairs.")
        num_free = sum(text[one] == "." for one, _, _ in pairs)
        _need(num_free <= MOST_FREE, f"Part {number} must leave at most {MOST_FREE} pairs free.")
        _need(num_free < len(pairs), f"Part {number} must have a pair.")
        parts.append(part)
    return with_exchanged(parts)


def _is_avoided(plan: Plan, part: Part) -> bool:
    """Whether the player who replies has a good answer to each move that threatens to complete the part."""
    kept = [pair for pair in plan.pairs if part.squares >> pair[0] & 1]
    free = [pair for pair in plan.pairs if not part.squares >> pair[0] & 1]
    row = part.digits | sum(1 << other for _, other, differ in free if differ)
    return all(plan.avoids(row, pair, free) for pair in kept)


def _cases(first: list[tuple[int, int]], pairs: list[Pair]) -> Iterator[dict[int, int]]:
    """The digits of the squares that are not counted at once, in all ways.

    With no square filled first, the first pair has one case, since exchanging 0 and 1 everywhere changes no score.
    """
    free = pairs[: max(0, len(pairs) - _AT_ONCE)] if first else pairs[: max(1, len(pairs) - _AT_ONCE)]
    num_cases = 2 ** (len(free) if first else len(free) - 1)
    for case in range(num_cases):
        digits = dict(first)
        for number, (one, other, differ) in enumerate(free):
            digit = case >> number & 1
            digits |= {one: digit, other: digit ^ differ}
        yield digits


def _worst(
    m: int, chosen: dict[int, int], pairs: list[Pair], liked: int, parts: Sequence[Part] = ()
) -> tuple[int, list[int]] | None:
    """The largest lead of the player `liked` over all rows with these digits and no part, and a row that has it.

    None where each row has one of the parts.
    """
    left = [pair for pair in pairs if pair[0] not in chosen]
    all_rows = (1 << (1 << len(left))) - 1
    squares = [0] * m  # bit r is the digit in row r
    for square, digit in chosen.items():
        squares[square] = all_rows * digit
    for number, (one, other, differ) in enumerate(left):
        squares[one] = alternating(number, len(left))
        squares[other] = squares[one] ^ all_rows * differ
    rows = all_rows
    for part in parts:
        rows &= ~_having(part, squares, all_rows)
    if not rows:
        return None
    palindromes, antipalindromes = half_scores(squares, all_rows)
    gains, losses = (palindromes, antipalindromes) if liked == 1 else (antipalindromes, palindromes)
    worst, rows = _largest(gains, losses, rows)
    row = (rows & -rows).bit_length() - 1
    return 2 * worst, [square >> row & 1 for square in squares]


def _having(part: Part, squares: list[int], rows: int) -> int:
    """Those of the rows that have the part."""
    for number, square in enumerate(squares):
        if part.squares >> number & 1:
            rows &= square if part.digits >> number & 1 else ~square
            if not rows:
                break
    return rows


def _largest(gains: Total, losses: Total, among: int) -> tuple[int, int]:
    """The largest difference of the two totals among these rows, and those of them that have it."""
    bits, below = difference(gains, losses)
    rows = among & ~below or among  # those with a difference of at least 0, if there are any
    value = 0 if among & ~below else -1 << len(bits)
    for place in reversed(range(len(bits))):
        if rows & bits[place]:
            rows &= bits[place]
            value += 1 << place
    return value, rows


def _check_row(start: State, row: list[int], value: int) -> None:
    """See that the referee counts the same value for the worst row."""
    s = copy(start)
    for square, digit in enumerate(row):
        rules.play(s, 2 * square + digit)
    found = rules.score(s, 1) - rules.score(s, 2)
    _need(found == value, f"The row {''.join(map(str, row))} is worth {found}, not {value}.")
