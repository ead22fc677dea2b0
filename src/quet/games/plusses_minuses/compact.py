"""The same game for a search alone: heights, columns and predictions are bits, and the scores are kept up to date.

A search takes this one module for rules and exact. Moves and scores are those of the rules. It plays several times as
fast, for boards up to n = 9.
"""

from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np

from quet.core.state import state
from quet.engine.playouts import num_bits
from quet.engine.walking import sort

from . import rules

ALLOCATES = False


def _is_odd(one: Sequence[int]) -> bool:
    """Whether a permutation is an odd one."""
    return sum(a > b for a, b in combinations(one, 2)) % 2 == 1


LOWER_IS_BETTER = False
LARGEST = 9  # side of a grid whose positions all have a key of 63 bits
SORTED = 25  # moves up to which sorting them costs more than it saves
LAST = 4  # squares left in a position near the end
NO_LESS = LARGEST - 1  # no value is less than minus this
TRIPLES = (
    np.array(  # of the permutations of four, numbered in their order: those of one kind with one number in a place
        [
            sum(1 << way for way, one in enumerate(permutations(range(4))) if one[i] == j and _is_odd(one) == odd)
            for i in range(4)
            for j in range(4)
            for odd in (False, True)
        ]
    )
)
EVENS = 0x0F0F0F0F0F  # every other number of a line
ONES = tuple(int("0" + "1" * n, 16) for n in range(LARGEST + 1))  # the lowest bits of n numbers of a line
HIGHEST, LOWEST = 0x8080808080, 0x0101010101  # the highest bits of their bytes, and the lowest


@state
class State:
    """A position. A place is where a prediction belongs: 0 is between the first two columns, or rows."""

    n: int  # side of the grid
    second_part_first: int  # the player who fills the first square
    ply: int  # symbols and squares so far
    plus1: int  # places where player 1 predicted +, as bits
    plus2: int
    height: int  # of the filled square in each column, from 1, in 4 bits each; 0 where none
    column: int  # of the filled square in each row
    open1: int  # places between columns that aren't both filled, as bits
    open2: int  # the same between rows
    score1: int
    score2: int


def of(s: rules.State) -> State:
    """The same position."""
    made = State()
    made.n, made.second_part_first = s.n, s.second_part_first
    made.open1 = made.open2 = (1 << s.n - 1) - 1
    for sign in s.predicted[: min(s.ply, 2 * (s.n - 1))]:
        play(made, s.n * s.n if sign > 0 else s.n * s.n + 1)
    for column in range(s.n):
        if s.height[column] != rules.EMPTY:
            play(made, (s.height[column] - 1) * s.n + column)
    return made


def num_players(s: State) -> int:
    return 2


def most_moves(s: State) -> int:
    return s.n * s.n


def legal_moves(s: State, out: list[int]) -> int:
    n = s.n
    if s.ply < 2 * (n - 1):
        out[0] = n * n
        out[1] = n * n + 1
        return 2
    count = 0
    for row in range(n):
        if s.column >> 4 * row & 15 == 0:
            for column in range(n):
                if s.height >> 4 * column & 15 == 0:
                    out[count] = row * n + column
                    count += 1
    return count


def play(s: State, move: int) -> None:
    n = s.n
    if s.ply < 2 * (n - 1):
        if move == n * n:
            if s.ply % 2 == 0:
                s.plus1 |= 1 << s.ply // 2
            else:
                s.plus2 |= 1 << s.ply // 2
    else:
        row = move // n
        column = move - row * n
        s.height |= row + 1 << 4 * column
        s.column |= column + 1 << 4 * row
        known = settled_places(n, s.height, column)
        s.open1 &= ~known
        s.score1 += num_right(s.height, known, s.plus1)
        known = settled_places(n, s.column, row)
        s.open2 &= ~known
        s.score2 += num_right(s.column, known, s.plus2)
    s.ply += 1


def settled_places(n: int, line: int, i: int) -> int:
    """The places beside number i of the line, just written, whose other number is written too; as bits."""
    places = 0
    if i > 0 and line >> 4 * (i - 1) & 15 != 0:
        places |= 1 << i - 1
    if i < n - 1 and line >> 4 * (i + 1) & 15 != 0:
        places |= 1 << i
    return places


def num_right(line: int, places: int, plus: int) -> int:
    """At how many of these places the line has the predicted sign."""
    total = 0
    k = 0
    while places >> k != 0:
        if places >> k & 1:
            is_plus = line >> 4 * (k + 1) & 15 > line >> 4 * k & 15
            if is_plus == (plus >> k & 1 == 1):
                total += 1
        k += 1
    return total


def mover(s: State) -> int:
    if s.ply < 2 * (s.n - 1):
        return 1 + s.ply % 2
    return 1 + (s.ply + s.second_part_first - 1) % 2


def is_over(s: State) -> bool:
    return s.ply == 3 * s.n - 2


def score(s: State, player: int) -> int:
    return s.score1 if player == 1 else s.score2


def fits(s: State) -> bool:
    """Whether keys tell all positions of this size apart."""
    return s.n <= LARGEST


def bounds(s: State) -> tuple[int, int]:
    """The lowest and highest value that any position of this size can have."""
    return 1 - s.n, s.n - 1


def reach(s: State) -> tuple[int, int]:
    """The lowest and highest value that can still be reached: each open prediction can come true, or not.

    But where a number is less, or more, than all that are still to be written, the sign beside it is known.
    """
    right1, wrong1 = known_signs(s.height, s.column, s.n, s.open1, s.plus1)
    right2, wrong2 = known_signs(s.column, s.height, s.n, s.open2, s.plus2)
    now = s.score1 - s.score2
    return now + right1 - num_bits(s.open2) + wrong2, now + num_bits(s.open1) - wrong1 - right2


def known_signs(line: int, other: int, n: int, places: int, plus: int) -> tuple[int, int]:
    """At how many of these places, not settled yet, the sign is known to be the predicted one, and the other one.

    A number of the line is less, or more, than all those that are still to be written to it, which are the places of
    the empty numbers of the `other` line. All numbers are compared at once, each in 4 bits of its own.
    """
    free = empty(other, n)
    if free == 0:
        return 0, 0
    least = num_bits((free & -free) - 1) >> 2  # counted from 0
    for shift in (4, 8, 16, 32):
        free |= free >> shift
    most = num_bits(free)  # counted from 1
    small = at_least(least, line, n) & ~empty(line, n)
    large = ~at_least(most, line, n) & ONES[n] << 3
    rises, falls = small | large >> 4, large | small >> 4  # from each number to the next
    places, plus = apart(places) >> 4, apart(plus) >> 4
    rises, falls = rises & places, falls & places
    return num_bits(rises & plus | falls & ~plus), num_bits(rises & ~plus | falls & plus)


def empty(line: int, n: int) -> int:
    """The highest of the 4 bits of each number that isn't written."""
    return ~(line | (line & 0x777777777) + 0x777777777) & ONES[n] << 3


def at_least(number: int, line: int, n: int) -> int:
    """The highest of the 4 bits of each of the line's numbers that is at most `number`, which is 0 to 9."""
    evens, odds = line & EVENS, line >> 4 & EVENS
    all_alike = number * LOWEST + HIGHEST
    return ((all_alike - evens & HIGHEST) >> 4 | all_alike - odds & HIGHEST) & ONES[n] << 3


def arrange(s: State, moves: list[int], count: int) -> None:
    """Sort the moves, the best for the mover first.

    Squares are sorted by the middle of what can be reached after them. The symbol that the opponent predicted last is
    first: to repeat it is a good move in every proof that is known.
    """
    if s.ply < 2 * (s.n - 1):
        last = s.plus1 >> s.ply // 2 if s.ply % 2 == 1 else s.plus2 << 1 >> s.ply // 2
        if last & 1 == 0:
            moves[0], moves[1] = moves[1], moves[0]
        return
    if count <= SORTED:
        return
    sign = -1 if mover(s) == 1 else 1
    height, column, open1, open2, score1, score2 = s.height, s.column, s.open1, s.open2, s.score1, s.score2
    for k in range(count):
        play(s, moves[k])
        low, high = reach(s)
        # For sorting, what can be reached and the move are put into one number.
        moves[k] = sign * (low + high) << 8 | moves[k]
        s.ply -= 1
        s.height, s.column, s.open1, s.open2, s.score1, s.score2 = height, column, open1, open2, score1, score2
    sort(moves, count)
    for k in range(count):
        moves[k] &= (1 << 8) - 1


def is_near_end(s: State) -> bool:
    """Whether at most four squares are left."""
    return s.ply >= max(3 * s.n - 2 - LAST, 2 * (s.n - 1))


def ending(s: State, low: int, high: int) -> int:
    """The value of a position near the end; with four squares left, low or high where it isn't between them.

    With three squares left there are six ways to fill them, three even permutations and three odd ones. Each first
    square leaves one way of either kind to the player who replies, and every such pair of ways is left by some square.
    """
    a = b = c = x = y = z = 0  # the rows and the columns that are left, the last ones in c and z
    for i in range(s.n):
        if s.column >> 4 * i & 15 == 0:
            a, b, c = b, c, i
        if s.height >> 4 * i & 15 == 0:
            x, y, z = y, z, i
    left = 3 * s.n - 2 - s.ply
    is_first = mover(s) == 1
    if left == 1:
        return outcome(s, up(c, z), across(c, z))
    if left == 2:
        one = outcome(s, up(b, y) | up(c, z), across(b, y) | across(c, z))
        other = outcome(s, up(b, z) | up(c, y), across(b, z) | across(c, y))
        return max(one, other) if is_first else min(one, other)
    if left == 4:
        return ending_of_four(s, low, high)
    even1 = outcome(s, up(a, x) | up(b, y) | up(c, z), across(a, x) | across(b, y) | across(c, z))
    even2 = outcome(s, up(a, y) | up(b, z) | up(c, x), across(a, y) | across(b, z) | across(c, x))
    even3 = outcome(s, up(a, z) | up(b, x) | up(c, y), across(a, z) | across(b, x) | across(c, y))
    odd1 = outcome(s, up(a, x) | up(b, z) | up(c, y), across(a, x) | across(b, z) | across(c, y))
    odd2 = outcome(s, up(a, y) | up(b, x) | up(c, z), across(a, y) | across(b, x) | across(c, z))
    odd3 = outcome(s, up(a, z) | up(b, y) | up(c, x), across(a, z) | across(b, y) | across(c, x))
    if is_first:
        return min(max(even1, even2, even3), max(odd1, odd2, odd3))
    return max(min(even1, even2, even3), min(odd1, odd2, odd3))


def ending_of_four(s: State, low: int, high: int) -> int:
    """`ending` with four squares left.

    After the first square three ways of one kind are left to one who would have them all good (see `ending`): the
    mover. So the mover gets what each of the three ways of some set in TRIPLES brings.
    """
    rows = columns = 0  # in 4 bits each
    num_rows = num_columns = 0
    for i in range(s.n):
        if s.column >> 4 * i & 15 == 0:
            rows |= i << 4 * num_rows
            num_rows += 1
        if s.height >> 4 * i & 15 == 0:
            columns |= i << 4 * num_columns
            num_columns += 1
    first_half = second_half = 0  # what the 24 ways bring, in 5 bits each
    open1, plus1, open2, plus2 = apart(s.open1), apart(s.plus1), apart(s.open2), apart(s.plus2)
    now = s.score1 - s.score2 + NO_LESS
    way = 0
    for i in range(4):
        x = columns >> 4 * i & 15
        row = rows & 15
        up1, across1 = s.height | up(row, x), s.column | across(row, x)
        for j in range(4):
            if j != i:
                x = columns >> 4 * j & 15
                row = rows >> 4 & 15
                up2, across2 = up1 | up(row, x), across1 | across(row, x)
                for k in range(4):
                    if k not in (i, j):
                        x = columns >> 4 * k & 15
                        row = rows >> 8 & 15
                        height, column = up2 | up(row, x), across2 | across(row, x)
                        x = columns >> 4 * (6 - i - j - k) & 15
                        row = rows >> 12
                        height, column = height | up(row, x), column | across(row, x)
                        worth = now + all_right(height, open1, plus1) - all_right(column, open2, plus2)
                        if way < 12:
                            first_half |= worth << 5 * way
                        else:
                            second_half |= worth << 5 * (way - 12)
                        way += 1
    is_first = mover(s) == 1
    least, most = reach(s)
    low, high = max(low, least), min(high, most)
    while high > low:
        good = 0  # the ways that bring `high` or more
        for way in range(12):
            good |= (first_half >> 5 * way & 31 >= high + NO_LESS) << way
            good |= (second_half >> 5 * way & 31 >= high + NO_LESS) << way + 12
        if not is_first:
            good = ~good
        is_sure = False  # that the mover can have one of the good ways; for player 2, one of the others
        for triple in TRIPLES:
            is_sure |= good & triple == triple
        if is_sure == is_first:
            break
        high -= 1
    return high


def up(row: int, column: int) -> int:
    """What filling this square, both from 0, adds to the heights."""
    return row + 1 << 4 * column


def across(row: int, column: int) -> int:
    """What it adds to the columns."""
    return column + 1 << 4 * row


def outcome(s: State, up: int, across: int) -> int:
    """The value of the full grid in which these heights and columns are written to what s has."""
    right1 = all_right(s.height | up, apart(s.open1), apart(s.plus1))
    return s.score1 - s.score2 + right1 - all_right(s.column | across, apart(s.open2), apart(s.plus2))


def all_right(line: int, places: int, plus: int) -> int:
    """At how many places a full line has the predicted sign, all at once; places and signs are as `apart` has them."""
    evens, odds = line & EVENS, line >> 4 & EVENS
    rises = (odds + HIGHEST - LOWEST - evens) & HIGHEST  # from number 0 to 1, from 2 to 3, ...
    rises |= ((evens >> 8) + HIGHEST - LOWEST - odds & HIGHEST) << 4  # from number 1 to 2, from 3 to 4, ...
    return num_bits(places & ~(rises ^ plus))


def apart(places: int) -> int:
    """These places where `all_right` has their signs: bit k becomes bit 4 * k + 7."""
    places = (places | places << 12) & 0x000F000F
    places = (places | places << 6) & 0x03030303
    places = (places | places << 3) & 0x11111111
    return places << 7


def settled(s: State) -> int:
    """The part of the value that is scored already. Positions with the same key agree in the rest."""
    return s.score1 - s.score2


def key(s: State) -> int:
    """What the rest of the game depends on.

    Predictions that are settled don't matter. A square doesn't matter when its neighbours in both lines are filled.
    """
    n = s.n
    if s.ply < 2 * (n - 1):
        return -1 - ((s.plus2 << n | s.plus1) << 5 | s.ply)
    # Reading the columns from right to left turns the signs between them, and the numbers in the rows; so do the rows.
    plain = across = upside = both = 0
    rows = rows_upside = 0
    for column in range(n):
        number = s.height >> 4 * column & 15
        other = number
        if number != 0:
            rows |= 1 << number - 1
            rows_upside |= 1 << n - number
            if around(s.open1, column) == 0 and around(s.open2, number - 1) == 0:
                number = other = n + 1
            else:
                other = n + 1 - number
        plain = (n + 2) * plain + number
        upside = (n + 2) * upside + other
        number = s.height >> 4 * (n - 1 - column) & 15
        other = number
        if number != 0:
            if around(s.open1, n - 1 - column) == 0 and around(s.open2, number - 1) == 0:
                number = other = n + 1
            else:
                other = n + 1 - number
        across = (n + 2) * across + number
        both = (n + 2) * both + other
    plus1, plus2 = s.plus1 & s.open1, s.plus2 & s.open2
    minus1, minus2 = s.open1 & ~s.plus1, s.open2 & ~s.plus2
    plain = ((plain << n | rows) << n - 1 | plus1) << n - 1 | plus2
    across = ((across << n | rows) << n - 1 | turned(n - 1, minus1)) << n - 1 | minus2
    upside = ((upside << n | rows_upside) << n - 1 | minus1) << n - 1 | turned(n - 1, minus2)
    both = ((both << n | rows_upside) << n - 1 | turned(n - 1, plus1)) << n - 1 | turned(n - 1, plus2)
    return min(min(plain, across), min(upside, both))


def turned(size: int, bits: int) -> int:
    """The lowest `size` bits in the opposite order."""
    total = 0
    for i in range(size):
        total |= (bits >> i & 1) << size - 1 - i
    return total


def around(places: int, i: int) -> int:
    """Those of `places` that are beside number i of a line."""
    return (places << 1 >> i) & 3
