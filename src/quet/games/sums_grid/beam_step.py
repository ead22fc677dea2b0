"""One step of the beam search of `beam.py`: the grids with one number more, and how many runs each wastes at least.

As in `exhaustive.py`, the next number makes the smallest sum that no run has yet: it is this sum, in some empty square,
or it completes a run. Sets of sums and of numbers are words of `BITS` bits, 1 the lowest. Compiled by
`quet.engine.compiled`.
"""

from collections.abc import MutableSequence, Sequence

from quet.core.state import Row
from quet.engine.playouts import num_bits

ALLOCATES = False

BITS = 62  # of a word
MASK = (1 << BITS) - 1
PARENT, SQUARE, NUMBER = 0, 1, 2  # columns of `found`: the grid that goes on, and what is written where
WASTED, IS_DONE = 3, 4  # how many runs are wasted then, and whether no sum is missing
WIDTH = 5
SETS = 3
MISSING, AFTER, UNUSED = 0, 1, 2  # sums that no run has, before and after a number is written, and numbers to write
COMPLETE = 0.1  # what a whole run costs in a rank, where one that is wasted costs 1
CHANCE = 0.05  # of a rank is chance


def expand(
    m: int,
    most_wasted: int,
    grids: Sequence[Row],
    wasted: Row,
    lengths: Row,
    squares: Sequence[Row],
    through: Sequence[Row],
    keys: Sequence[Row],
    images: Sequence[Row],
    known: Row,
    empty: Row,
    sets: Sequence[Row],
    tried: Sequence[Row],
    found: Sequence[Row],
    ranks: MutableSequence[float],
    names: Row,
) -> int:
    """Write what continues the grids to `found`, `ranks` and `names`, which have room for it; return how many do.

    wasted[i] is how many runs grid i wastes. A number that would waste more than `most_wasted` runs, with those that
    the empty squares must waste, isn't written.

    Run r has lengths[r] squares, squares[r]; through[s] is the number of runs through square s and then these. The
    lower a rank, the better. Images of a grid have the same name, made of `keys`, a random number for each square and
    number; images[i] are the squares of one of them. `known`, `empty`, `sets` and `tried`, which is zero at first, have
    room for what is known of a grid: the sum of what is written in a run and how many of its squares are empty, the
    sets above, and in which grid a number was tried in a square last.
    """
    num_squares, num_runs = len(through), len(lengths)
    count = 0
    for at in range(len(grids)):
        grid = grids[at]
        num_complete = read(m, grid, lengths, squares, known, empty, sets)
        smallest = lowest(sets[MISSING])
        for way in range(num_squares + num_runs):
            square, number = way, smallest
            if way >= num_squares:
                run = way - num_squares
                square, number = gap(grid, squares[run], lengths[run]), smallest - known[run]
                if empty[run] != 1 or known[run] == 0 or number < 1:
                    continue
            if grid[square] or tried[square][number] == at + 1 or not has(sets[UNUSED], number):
                continue
            tried[square][number] = at + 1
            write(grid, square, number, through, known, empty)
            now, complete = wasted[at], num_complete
            for k in range(len(sets[AFTER])):
                sets[AFTER][k] = sets[MISSING][k]
            for i in range(1, through[square][0] + 1):
                if empty[through[square][i]] == 0:
                    complete += 1
                    now += not take(sets[AFTER], known[through[square][i]], m)
            change(sets[UNUSED], number)
            later, rareness = look_ahead(grid, through, known, empty, sets)
            if now + later <= most_wasted:
                found[count][PARENT], found[count][SQUARE], found[count][NUMBER] = at, square, number
                found[count][WASTED], found[count][IS_DONE] = now, complete - now == m
                names[count] = name(grid, keys, images)
                ranks[count] = now + later + rareness + COMPLETE * complete + CHANCE * (names[count] & 1023) / 1024
                count += 1
            change(sets[UNUSED], number)
            write(grid, square, -number, through, known, empty)
    return count


def read(m: int, grid: Row, lengths: Row, squares: Sequence[Row], known: Row, empty: Row, sets: Sequence[Row]) -> int:
    """Note what is known of a grid; return how many of its runs are whole."""
    for k in range(len(sets[MISSING])):
        sets[MISSING][k] = MASK
    for number in range(m + 1, BITS * len(sets[MISSING]) + 1):
        change(sets[MISSING], number)
    for k in range(len(sets[MISSING])):
        sets[UNUSED][k] = sets[MISSING][k]
    num_whole = 0
    for r in range(len(lengths)):
        known[r] = empty[r] = 0
        for i in range(lengths[r]):
            known[r] += grid[squares[r][i]]
            empty[r] += grid[squares[r][i]] == 0
        if empty[r] == 0:
            num_whole += 1
            take(sets[MISSING], known[r], m)
            if lengths[r] == 1:
                take(sets[UNUSED], known[r], m)
    return num_whole


def write(grid: Row, square: int, number: int, through: Sequence[Row], known: Row, empty: Row) -> None:
    """Write a number in an empty square or, if it is negative, take it away there."""
    grid[square] += number
    for i in range(1, through[square][0] + 1):
        known[through[square][i]] += number
        empty[through[square][i]] += -1 if number > 0 else 1


def gap(grid: Row, squares: Row, length: int) -> int:
    """The first empty square of a run, or its last square."""
    for i in range(length):
        if grid[squares[i]] == 0:
            return int(squares[i])
    return int(squares[length - 1])


def look_ahead(grid: Row, through: Sequence[Row], known: Row, empty: Row, sets: Sequence[Row]) -> tuple[int, float]:
    """How many runs the empty squares waste at least, and for how few numbers: 1/k for each square that has k of them.

    Of the runs in which only this square is empty, a number wastes those whose sum is no use. They are counted for all
    numbers at once, as binary digits.
    """
    wasted, rareness = 0, 0.0
    for square in range(len(through)):
        if grid[square]:
            continue
        fewest, how_many = 64, 0
        for k in range(len(sets[AFTER])):
            ones = twos = fours = eights = sixteens = more = 0
            for i in range(1, through[square][0] + 1):
                run = through[square][i]
                if empty[run] == 1:
                    wasting = ~word(sets[AFTER], k, known[run])
                    for j in range(1, i):
                        if empty[through[square][j]] == 1 and known[through[square][j]] == known[run]:
                            wasting = MASK  # two runs have the same sum, whatever it is
                    ones, wasting = ones ^ wasting, ones & wasting
                    twos, wasting = twos ^ wasting, twos & wasting
                    fours, wasting = fours ^ wasting, fours & wasting
                    eights, wasting = eights ^ wasting, eights & wasting
                    sixteens, wasting = sixteens ^ wasting, sixteens & wasting
                    more |= wasting
            numbers, least = sets[UNUSED][k], 0
            for digits, worth in ((more, 32), (sixteens, 16), (eights, 8), (fours, 4), (twos, 2), (ones, 1)):
                if numbers & ~digits:
                    numbers &= ~digits
                else:
                    least += worth
            if numbers and least <= fewest:
                how_many = num_bits(numbers) + (how_many if least == fewest else 0)
                fewest = least
        wasted += fewest
        rareness += 1 / max(1, how_many)
    return wasted, rareness


def word(bits: Row, k: int, shift: int) -> int:
    """Word k of a set whose numbers are made smaller by `shift`."""
    k += shift // BITS
    shift %= BITS
    low = bits[k] >> shift if k < len(bits) else 0
    high = bits[k + 1] << BITS - shift & MASK if shift and k + 1 < len(bits) else 0
    return int(low | high)


def name(grid: Row, keys: Sequence[Row], images: Sequence[Row]) -> int:
    """The same number for all images of a grid, and hardly ever for others."""
    least = 0
    for i in range(len(images)):
        mixed = 0
        for square in range(len(grid)):
            if grid[square]:
                mixed ^= keys[images[i][square]][grid[square]]
        least = mixed if i == 0 else min(least, mixed)
    return least


def lowest(bits: Row) -> int:
    """The least number of a set that isn't empty."""
    k = 0
    while bits[k] == 0:
        k += 1
    return k * BITS + num_bits((bits[k] & -bits[k]) - 1) + 1


def has(bits: Row, number: int) -> bool:
    """Whether a number is in a set."""
    return bool(bits[(number - 1) // BITS] >> (number - 1) % BITS & 1)


def change(bits: Row, number: int) -> None:
    """Put a number in a set, or take it out."""
    bits[(number - 1) // BITS] ^= 1 << (number - 1) % BITS


def take(bits: Row, number: int, m: int) -> bool:
    """Take a number out of a set; return whether it was there. Those above m aren't."""
    if number > m or not has(bits, number):
        return False
    change(bits, number)
    return True
