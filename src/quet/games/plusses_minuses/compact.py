"""The same game for a search alone: heights, columns and predictions are bits, and the scores are kept up to date.

A search takes this one module for rules and exact. Moves and scores are those of the rules. It plays several times as
fast, for boards up to n = 9.
"""

from quet.core.state import state

from . import rules

ALLOCATES = False
LOWER_IS_BETTER = False
LARGEST = 9  # side of a grid whose positions all have a key of 63 bits


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
    low, high = s.score1 - s.score2, s.score1 - s.score2
    free_rows = free_columns = 0
    for i in range(s.n):
        if s.height >> 4 * i & 15 == 0:
            free_columns |= 2 << i
        if s.column >> 4 * i & 15 == 0:
            free_rows |= 2 << i
    for k in range(s.n - 1):
        if s.open1 >> k & 1:
            sign = known_sign(s.height >> 4 * k & 15, s.height >> 4 * (k + 1) & 15, free_rows)
            if sign == 0:
                high += 1
            elif (sign > 0) == (s.plus1 >> k & 1 == 1):
                low += 1
                high += 1
        if s.open2 >> k & 1:
            sign = known_sign(s.column >> 4 * k & 15, s.column >> 4 * (k + 1) & 15, free_columns)
            if sign == 0:
                low -= 1
            elif (sign > 0) == (s.plus2 >> k & 1 == 1):
                low -= 1
                high -= 1
    return low, high


def known_sign(a: int, b: int, free: int) -> int:
    """The sign from a to b, 0 where it isn't known. One of them is 0 and will be one of `free`, numbers as bits."""
    if a != 0:
        return -1 if free >> a == 0 else 1 if free & ((1 << a) - 1) == 0 else 0
    if b != 0:
        return 1 if free >> b == 0 else -1 if free & ((1 << b) - 1) == 0 else 0
    return 0


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
