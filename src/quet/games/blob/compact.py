"""The same game for a search alone: the filled squares are bits, and the scores are kept up to date.

A search takes this one module for rules and exact. Moves and scores are those of the rules. It plays ten times as fast,
for boards up to n = 8, where the highest bit is the sign of a number.
"""

from quet.core.state import state
from quet.engine.walking import sort

from . import rules
from .lines import CROSS, GOOD, LARGEST, MENDS, MODULUS, PROMISES, SPOILS, SQUARE, UPRIGHT, signed

ALLOCATES = False
LOWER_IS_BETTER = False


@state
class State:
    """A position."""

    n: int  # side of the grid
    ply: int  # squares filled
    filled: int  # their bits, row by row
    turned: int  # the same, column by column
    rows: int  # good ones
    columns: int
    row_mends: int  # empty squares, as bits, each of which would make its row good
    row_spoils: int  # and those that would make a good row not good
    column_mends: int
    column_spoils: int


def of(s: rules.State) -> State:
    """The same position."""
    made = State()
    made.n = s.n
    fill(made, signed(sum(1 << square for square in range(s.n * s.n) if s.cells[square] == rules.FULL)))
    return made


def fill(s: State, filled: int) -> None:
    """Make s, whose n is set, the position with these squares filled."""
    s.ply = s.filled = s.turned = 0
    s.rows = s.columns = s.n  # without a run of filled squares a line is good
    s.row_mends = s.row_spoils = s.column_mends = s.column_spoils = 0
    for i in range(s.n):
        s.row_spoils = signed(s.row_spoils | int(SPOILS[s.n, 0]) << i * s.n)
        s.column_spoils = signed(s.column_spoils | int(UPRIGHT[s.n, SPOILS[s.n, 0]]) << i)
    for square in range(s.n * s.n):
        if filled >> square & 1:
            play(s, square)


def num_players(s: State) -> int:
    return 2


def most_moves(s: State) -> int:
    return s.n * s.n


def legal_moves(s: State, out: list[int]) -> int:
    count = 0
    edge = beside(s.n, s.filled)
    for square in range(s.n * s.n):
        if edge >> square & 1:
            out[count] = square
            count += 1
    return count


def beside(n: int, filled: int) -> int:
    """The squares that may be filled, as bits."""
    whole = signed((1 << n * n - 1) * 2 - 1)  # shifting by 64 bits isn't possible
    if filled == 0:
        return whole
    first = int(UPRIGHT[n, (1 << n) - 1])
    last = signed(first << n - 1)
    across = (filled & ~last) << 1 | (filled & ~first) >> 1
    under = filled >> n & (1 << n * n - n) - 1
    return signed((filled << n | under | across) & ~filled & whole)


def play(s: State, move: int) -> None:
    n = s.n
    i = move // n
    j = move - i * n
    whole = (1 << n) - 1
    row = s.filled >> i * n & whole
    column = s.turned >> j * n & whole
    s.rows -= int(GOOD[n, row])
    s.columns -= int(GOOD[n, column])
    row |= 1 << j
    column |= 1 << i
    s.rows += int(GOOD[n, row])
    s.columns += int(GOOD[n, column])
    s.filled = signed(s.filled | 1 << move)
    s.turned = signed(s.turned | 1 << j * n + i)
    others = ~signed(whole << i * n)
    s.row_mends = signed(s.row_mends & others | int(MENDS[n, row]) << i * n)
    s.row_spoils = signed(s.row_spoils & others | int(SPOILS[n, row]) << i * n)
    others = ~(int(UPRIGHT[n, whole]) << j)
    s.column_mends = signed(s.column_mends & others | int(UPRIGHT[n, MENDS[n, column]]) << j)
    s.column_spoils = signed(s.column_spoils & others | int(UPRIGHT[n, SPOILS[n, column]]) << j)
    s.ply += 1


def arrange(s: State, moves: list[int], count: int) -> None:
    """Sort the moves by what they promise the mover, the most first; equal ones by their square."""
    # For sorting, a promise and its move are put into one number.
    sign = -1 if s.ply % 2 == 0 else 1
    for k in range(count):
        moves[k] = sign * promise(s, moves[k]) << 8 | moves[k]
    sort(moves, count)
    for k in range(count):
        moves[k] &= (1 << 8) - 1


def promise(s: State, move: int) -> int:
    """How much better player 1 may be at the end for this move, in millionths of a line."""
    n = s.n
    left = 2 * (n * n // 4) - s.ply - 1
    i = move // n
    j = move - i * n
    row = s.filled >> i * n & (1 << n) - 1
    column = s.turned >> j * n & (1 << n) - 1
    table = PROMISES[n, left]
    return int(table[row | 1 << j] - table[row] - table[column | 1 << i] + table[column])


def is_near_end(s: State) -> bool:
    """Whether each player has one move left."""
    return s.ply == 2 * (s.n * s.n // 4) - 2


def ending(s: State, low: int, high: int) -> int:
    """The value of a position near the end, or low or high where it isn't between them."""
    while high > low and not holds(s, high):
        high -= 1
    return high


def holds(s: State, aim: int) -> bool:
    """Whether player 1 has a move after which player 2, who moves last, can't get the value below `aim`."""
    n = s.n
    wanted = aim - s.rows + s.columns  # the change by both moves
    edge = beside(n, s.filled)
    left = edge  # moves that change the value by no more than `change`
    for change in range(2, -3, -1):
        worse = left & below(change, s.row_mends, s.row_spoils, s.column_mends, s.column_spoils)
        moves = left & ~worse
        left = worse
        # A reply that gets the value below `aim` still does so after a move in another row and another column.
        replies = edge & below(wanted - change, s.row_mends, s.row_spoils, s.column_mends, s.column_spoils)
        while replies != 0 and moves != 0:
            moves &= CROSS[n, SQUARE[(replies & -replies) % MODULUS]]
            replies &= replies - 1
        while moves != 0:
            if withstands(s, SQUARE[(moves & -moves) % MODULUS], wanted - change):
                return True
            moves &= moves - 1
    return False


def withstands(s: State, move: int, wanted: int) -> bool:
    """Whether every reply to this move changes the value by `wanted` or more."""
    n = s.n
    i = move // n
    j = move - i * n
    whole = (1 << n) - 1
    row = s.filled >> i * n & whole | 1 << j
    column = s.turned >> j * n & whole | 1 << i
    others = ~signed(whole << i * n)
    row_mends = s.row_mends & others | MENDS[n, row] << i * n
    row_spoils = s.row_spoils & others | SPOILS[n, row] << i * n
    others = ~(UPRIGHT[n, whole] << j)
    column_mends = s.column_mends & others | UPRIGHT[n, MENDS[n, column]] << j
    column_spoils = s.column_spoils & others | UPRIGHT[n, SPOILS[n, column]] << j
    replies = beside(n, s.filled | 1 << move)
    return bool(replies & below(wanted, row_mends, row_spoils, column_mends, column_spoils) == 0)


def below(change: int, row_mends: int, row_spoils: int, column_mends: int, column_spoils: int) -> int:
    """The squares that change the value by less than `change`, as bits; -1 where all do."""
    if change <= -2:
        return 0
    if change == -1:
        return row_spoils & column_mends
    if change == 0:
        return row_spoils & ~column_spoils | column_mends & ~row_mends
    if change == 1:
        return ~(row_mends & ~column_mends | column_spoils & ~row_spoils)
    if change == 2:
        return ~(row_mends & column_spoils)
    return -1


def mover(s: State) -> int:
    return 1 + s.ply % 2


def is_over(s: State) -> bool:
    return s.ply == 2 * (s.n * s.n // 4)


def score(s: State, player: int) -> int:
    return s.rows if player == 1 else s.columns


def fits(s: State) -> bool:
    """Whether keys tell all positions of this size apart."""
    return s.n <= LARGEST


def bounds(s: State) -> tuple[int, int]:
    """The lowest and highest value that any position of this size can have."""
    return -s.n, s.n


def reach(s: State) -> tuple[int, int]:
    """The lowest and highest value that can still be reached: a move changes one row and one column."""
    left = 2 * (s.n * s.n // 4) - s.ply
    low = max(s.rows - left, 0) - min(s.columns + left, s.n)
    high = min(s.rows + left, s.n) - max(s.columns - left, 0)
    return low, high


def settled(s: State) -> int:
    """The part of the value that no move changes any more. Positions with the same key agree in the rest."""
    return 0


def key(s: State) -> int:
    """The filled squares as bits, the same for a grid and its mirror images left to right and top to bottom."""
    return first_image(s.n, s.filled)


def first_image(n: int, filled: int) -> int:
    """The least number among those of a grid and its images by two mirrors and both."""
    line = (1 << n) - 1
    upside = 0
    for row in range(n):
        upside = upside << n | filled >> row * n & line
    # Columns reversed.
    across = both = 0
    first = 0
    for row in range(n):
        first |= 1 << row * n
    for column in range(n):
        across |= (filled >> column & first) << n - 1 - column
        both |= (upside >> column & first) << n - 1 - column
    return min(min(filled, signed(across)), min(signed(upside), signed(both)))
