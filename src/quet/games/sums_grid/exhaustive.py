"""All grids with a score of at least m, or the proof that there is none, or some of them soon; for n up to 4.

The search always looks at the smallest number that is no sum yet, while it is at most m. Some run must have it as its
sum. Either the number itself is written in an empty square, or a run with empty squares is completed to this sum.
Numbers that complete a run are smaller, so they are sums already. There are only n^3 runs, so at most n^3 - m of them
can be wasted: on a sum that another run has, or that is above m.

Looking ahead: each number that an empty square could hold wastes some of the runs in which only this square is empty.
The least waste of each empty square, added up over all of them, can't be more than what may still be wasted.

Nearly all positions that waste a run early lead nowhere, while good grids waste most of theirs with their last numbers.
So a limit on early waste leaves few positions and many of the good grids. Harvey and Ginsberg, "Limited discrepancy
search", 1995, has much the same idea.

Sets of sums and of numbers are the bits of an integer, 2 the lowest. A 1 is written from the beginning, so the 63 bits
of a positive integer suffice for n = 4. In plain Python `decide` solves n = 3 before a compiler would be ready;
`quet.engine.compiled` compiles it for n = 4.
"""

from collections.abc import Sequence

from quet.core.state import Row

ALLOCATES = False

BITS = 63
WIDTH = 14  # columns of `frames`:
UNCOVERED = 0  # the numbers from 2 to m that are no sum yet, as bits
USED = 1  # the numbers written, as bits
SPARE = 2  # runs that may still be wasted
SMALLEST = 3  # number that was no sum when the run to complete was chosen, or is none now
PENDING = 4  # run to be completed to it, or -1
WAY = 5  # the next way to make the smallest number: a square to write it in, then a run to complete
SQUARE = 6  # square in which numbers are tried
NEXT, LAST = 7, 8  # the next of these numbers, and the last
AFTER = 9  # run to be completed next, or -1
WRITTEN = 10  # the number that is written in the square now, or 0
FEWEST = 11  # runs that the empty squares will waste at least
FILLED = 12  # squares that hold a number
ROOM = 13  # runs that the next number may waste


def decide(
    m: int,
    most_filled: int,
    late: Row,
    board: Row,
    lengths: Row,
    squares: Sequence[Row],
    through: Sequence[Row],
    known: Row,
    empty: Row,
    frames: Sequence[Row],
    fewest: Sequence[Row],
    grids: Sequence[Row],
    counts: Row,
    stop: Row,
) -> int:
    """Find all grids that continue `board`, in which 1 is written, and score at least m; return how many.

    With k squares filled, at most late[k] runs may be wasted. If that is n^3 - m for all k, no grid is left out. Where
    `most_filled` squares are filled and no run is half completed, the search goes no deeper, and the board counts as a
    grid. Grids are written to the rows of `grids`, as many as there is room for. An empty square is 0; in a whole grid
    any number above m will do there. counts[0] is the positions looked at, and the search stops when stop[0] becomes 1.

    Run r has lengths[r] squares, squares[r]; through[s] is the number of runs through square s and then these runs;
    known[r] is the sum of what is written in a run, and empty[r] how many of its squares are empty. `frames` and
    `fewest` have a row for each step of the search, whose depth is at most the number of squares plus one. A row of
    `fewest` has five places for each square.
    """
    num_found = 0
    depth = 0
    counts[0] += 1
    most_wasted = len(lengths) - m
    begin(m, board, lengths, squares, known, empty, frames[0])
    f = frames[0]
    if f[UNCOVERED] == 0:
        keep(board, grids, 0)
        return 1
    f[ROOM] = room(f, late, most_wasted)
    if f[SPARE] < 0 or not look_ahead(board, through, known, empty, f, fewest[0]):
        return 0
    while depth >= 0 and not stop[0]:
        f = frames[depth]
        square = f[SQUARE]
        if f[WRITTEN]:
            change(board, through, known, empty, square, -f[WRITTEN])
            f[WRITTEN] = 0
        if f[NEXT] > f[LAST]:
            if not next_way(board, lengths, squares, known, empty, f, fewest[depth]):
                depth -= 1
            continue
        number = f[NEXT]
        f[NEXT] += 1
        if f[USED] >> (number - 2) & 1 or not is_allowed(f, fewest[depth], len(board), square, number):
            continue
        change(board, through, known, empty, square, number)
        f[WRITTEN] = number
        uncovered = f[UNCOVERED]
        spare = f[SPARE]
        runs = through[square]
        for i in range(1, runs[0] + 1):
            if empty[runs[i]] == 0:
                total = known[runs[i]]
                if total <= m and uncovered >> (total - 2) & 1:
                    uncovered ^= 1 << (total - 2)
                else:
                    spare -= 1
        if spare < f[FEWEST] - fewest[depth][square] or f[SPARE] - spare > f[ROOM]:
            continue  # two runs have the same new sum
        counts[0] += 1
        g = frames[depth + 1]
        g[UNCOVERED], g[USED], g[SPARE], g[FILLED] = uncovered, f[USED] | 1 << (number - 2), spare, f[FILLED] + 1
        g[SMALLEST], g[PENDING], g[ROOM] = f[SMALLEST], f[AFTER], room(g, late, most_wasted)
        g[WAY], g[SQUARE], g[NEXT], g[LAST], g[WRITTEN] = 0, 0, 1, 0, 0
        if uncovered == 0 or (g[FILLED] >= most_filled and g[PENDING] < 0):
            keep(board, grids, num_found)
            num_found += 1
        elif look_ahead(board, through, known, empty, g, fewest[depth + 1]):
            depth += 1
    return num_found


def begin(m: int, board: Row, lengths: Row, squares: Sequence[Row], known: Row, empty: Row, f: Row) -> None:
    """Set up the first step of the search, and what is known of the runs."""
    uncovered = 0
    for number in range(2, m + 1):
        uncovered |= 1 << (number - 2)
    used = spare = 0
    for r in range(len(lengths)):
        known[r] = empty[r] = 0
        for i in range(lengths[r]):
            number = board[squares[r][i]]
            known[r] += number
            empty[r] += number == 0
            if lengths[r] == 1 and number > 1:
                used |= 1 << (number - 2)
        if empty[r] == 0 and known[r] > 1:
            if known[r] <= m and uncovered >> (known[r] - 2) & 1:
                uncovered ^= 1 << (known[r] - 2)
            else:
                spare -= 1
    f[UNCOVERED], f[USED], f[SPARE], f[SMALLEST], f[PENDING] = uncovered, used, spare + len(lengths) - m, 2, -1
    f[WAY], f[SQUARE], f[NEXT], f[LAST], f[WRITTEN], f[FILLED] = 0, 0, 1, 0, 0, 0
    for number in board:
        f[FILLED] += number != 0


def room(f: Row, late: Row, most_wasted: int) -> int:
    """How many runs the next number may waste."""
    allowed = late[min(f[FILLED] + 1, len(late) - 1)] - (most_wasted - f[SPARE])
    return int(max(0, min(f[SPARE], allowed)))


def keep(board: Row, grids: Sequence[Row], number: int) -> None:
    """Write the board to a row of `grids`, if there is such a row."""
    if number < len(grids):
        for square in range(len(board)):
            grids[number][square] = board[square]


def change(board: Row, through: Sequence[Row], known: Row, empty: Row, square: int, number: int) -> None:
    """Write a number in an empty square or, if it is negative, erase it there."""
    is_written = 1 if number > 0 else -1
    board[square] += number
    runs = through[square]
    for i in range(1, runs[0] + 1):
        known[runs[i]] += number
        empty[runs[i]] -= is_written


def look_ahead(board: Row, through: Sequence[Row], known: Row, empty: Row, f: Row, fewest: Row) -> bool:
    """Write to fewest[square] how many runs each empty square wastes at least; return whether that is not too many.

    The runs that a square wastes if it holds a number are counted for all numbers at once: `ones` has the lowest bits
    of the counts, `twos` the next bits, and so on. They are kept in the rest of `fewest`, where `waste` finds them.
    """
    uncovered = f[UNCOVERED]
    if f[PENDING] < 0:
        while not uncovered >> (f[SMALLEST] - 2) & 1:
            f[SMALLEST] += 1
    total = 0
    for square in range(len(board)):
        if board[square] != 0:
            continue
        ones = twos = fours = eights = 0
        runs = through[square]
        for i in range(1, runs[0] + 1):
            if empty[runs[i]] == 1:
                rest = known[runs[i]]
                wasting = ~(uncovered >> rest) if rest < BITS else -1
                ones, carry = ones ^ wasting, ones & wasting
                twos, carry = twos ^ carry, twos & carry
                fours, carry = fours ^ carry, fours & carry
                eights |= carry
        numbers = ~f[USED]
        least = 0
        for bits, worth in ((eights, 8), (fours, 4), (twos, 2), (ones, 1)):
            if numbers & ~bits:
                numbers &= ~bits
            else:
                least += worth
        fewest[square] = least
        total += least
        if total > f[SPARE]:
            return False
        for i, bits in enumerate((ones, twos, fours, eights), 1):
            fewest[i * len(board) + square] = bits
    f[FEWEST] = total
    return True


def waste(fewest: Row, num_squares: int, square: int, number: int) -> int:
    """How many of the runs in which only this square is empty are wasted if it holds the number."""
    place = number - 2
    return int(
        (fewest[num_squares + square] >> place & 1)
        + 2 * (fewest[2 * num_squares + square] >> place & 1)
        + 4 * (fewest[3 * num_squares + square] >> place & 1)
        + 8 * (fewest[4 * num_squares + square] >> place & 1)
    )


def is_allowed(f: Row, fewest: Row, num_squares: int, square: int, number: int) -> bool:
    """Whether the number may be written in the square, given what it wastes and what the other squares must waste."""
    wasted = waste(fewest, num_squares, square, number)
    return bool(wasted <= f[ROOM] and f[FEWEST] - fewest[square] + wasted <= f[SPARE])


def next_way(board: Row, lengths: Row, squares: Sequence[Row], known: Row, empty: Row, f: Row, fewest: Row) -> bool:
    """Find the next square to write in, and the numbers to try there; return whether there is one."""
    num_squares = len(board)
    while True:
        way = f[WAY]
        f[WAY] += 1
        if f[PENDING] >= 0:
            if way > 0:
                return False
            run = f[PENDING]
        elif way < num_squares:
            if board[way] == 0 and is_allowed(f, fewest, num_squares, way, f[SMALLEST]):
                f[SQUARE], f[NEXT], f[LAST], f[AFTER] = way, f[SMALLEST], f[SMALLEST], -1
                return True
            continue
        elif f[ROOM] > 0 and way < num_squares + len(lengths):
            run = way - num_squares
            if lengths[run] == 1 or empty[run] == 0 or empty[run] > f[SPARE]:
                continue
        else:
            return False
        f[NEXT], f[LAST], f[AFTER] = 2, f[SMALLEST] - known[run] - 2 * (empty[run] - 1), run
        if empty[run] == 1:
            f[NEXT], f[AFTER] = max(2, f[LAST]), -1
        for i in range(lengths[run] - 1, -1, -1):
            if board[squares[run][i]] == 0:
                f[SQUARE] = squares[run][i]
        if f[NEXT] <= f[LAST]:
            return True


def tables(n: int) -> tuple[list[int], list[list[int]], list[list[int]]]:
    """The lengths of all runs, their squares, and for each square the number of its runs and then these; 0 fills up."""
    lines = [[row * n + column for column in range(n)] for row in range(n)]
    columns = [list(column) for column in zip(*lines, strict=True)]
    runs = [[square] for square in range(n * n)]
    runs += [line[a:b] for line in lines + columns for a in range(n) for b in range(a + 2, n + 1)]
    through = [[number for number, run in enumerate(runs) if square in run] for square in range(n * n)]
    most = max(len(found) for found in through)
    return (
        [len(run) for run in runs],
        [run + [0] * (n - len(run)) for run in runs],
        [[len(found), *found] + [0] * (most - len(found)) for found in through],
    )
