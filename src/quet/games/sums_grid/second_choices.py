"""Whether a sums grid scores at least m, n^3 - m being 4 at most: each time the choice with the fewest alternatives.

Either the smallest sum that no run has yet is written in some square, or a number that is smaller: a run with more
squares and this sum has only such numbers. Or an empty square holds any of its numbers. What was tried is forbidden
afterwards, so no grid is met twice.

At most n^3 - m runs may be wasted: their sum is another run's, too, or above m. A number above m would waste 2n - 1
runs, which is too many for n > 2; grids of 2 are whole in the beginning. A square can hold a number if the runs that it
completes waste no more than that, after what the other squares must waste. And a run that isn't complete yet has at
least the sum of the least numbers of its empty squares. The runs that have x or more that way, but for those that may
be wasted, need different sums from x to m.

Sets of sums and of numbers are the bits of an integer, 2 the lowest. A 1 is written from the beginning, so the 63 bits
of a positive integer suffice for n = 4. Compiled by `quet.engine.compiled`.
"""

from quet.engine.arrays import Ints

ALLOCATES = False

MOST_WASTED = 4
MISSING = 0  # columns of a step: the sums from 2 to m that no run has
USED = 1  # the numbers written, and those below a number of the beginning
SPARE = 2  # runs that may still be wasted
SQUARE = 3  # where a number is being tried, or -1
NUMBER = 4  # this number
NEXT = 5  # the next alternative to try
COUNT = 6  # how many there are
WIDTH = 7
ROOM = MOST_WASTED + 4
BASE = 128  # an alternative is the square times this, and the number


def search(
    m: int,
    board: Ints,
    runs: Ints,
    through: Ints,
    known: Ints,
    empty: Ints,
    steps: Ints,
    forbidden: Ints,
    alternatives: Ints,
    room: Ints,
    counts: Ints,
) -> int:
    """1 where a grid that continues `board` scores at least m, else 0; 1 leaves it in `board`.

    The numbers of `board` are the smallest of the grid, and one is 1. Squares that are empty in the end can hold any
    other numbers. runs[r] is the number of squares of a run and then these; through[s] is the number of runs through a
    square and then these. known[r] has room for the sum of what is written in a run, and empty[r] for how many of its
    squares are empty. `steps`, `forbidden` and `alternatives` have a row for each step of the search; `room` has `ROOM`
    for all. counts[0] is the positions looked at.
    """
    step = 0
    for square in range(len(board)):
        forbidden[0][square] = 0
    begin(m, board, runs, known, empty, steps[0])
    if steps[0][SPARE] < 0:
        return 0
    counts[0] += 1
    if steps[0][MISSING] == 0:
        return 1
    if not look(m, board, through, known, empty, steps[0], forbidden[0], alternatives[0], room):
        return 0
    while step >= 0:
        here = steps[step]
        square = here[SQUARE]
        if square >= 0:
            write(board, through, known, empty, square, -here[NUMBER])
            forbidden[step][square] |= 1 << (here[NUMBER] - 2)
            here[SQUARE] = -1
        if here[NEXT] == here[COUNT]:
            step -= 1
            continue
        square, number = alternatives[step][here[NEXT]] // BASE, alternatives[step][here[NEXT]] % BASE
        here[NEXT], here[SQUARE], here[NUMBER] = here[NEXT] + 1, square, number
        write(board, through, known, empty, square, number)
        there = steps[step + 1]
        there[MISSING], there[USED], there[SPARE] = here[MISSING], here[USED] | 1 << (number - 2), here[SPARE]
        for i in range(1, through[square][0] + 1):
            if empty[through[square][i]] == 0:
                take(m, known[through[square][i]], there)
        if there[SPARE] < 0:
            continue
        counts[0] += 1
        if there[MISSING] == 0:
            return 1
        for other in range(len(board)):
            forbidden[step + 1][other] = forbidden[step][other]
        if look(m, board, through, known, empty, there, forbidden[step + 1], alternatives[step + 1], room):
            step += 1
    return 0


def begin(m: int, board: Ints, runs: Ints, known: Ints, empty: Ints, here: Ints) -> None:
    """Write what is known of the runs, and the first step."""
    here[MISSING], here[USED], here[SPARE], here[SQUARE] = (1 << (m - 1)) - 1, 0, len(runs) - m, -1
    for number in board:
        if number > 1:
            here[USED] |= (1 << (number - 1)) - 1
    for r in range(len(runs)):
        known[r] = empty[r] = 0
        for i in range(1, runs[r][0] + 1):
            known[r] += board[runs[r][i]]
            empty[r] += board[runs[r][i]] == 0
        if empty[r] == 0 and known[r] > 1:
            take(m, known[r], here)


def take(m: int, total: int, here: Ints) -> None:
    """Note that a run has this sum: it isn't missing any more, or the run is wasted."""
    if total <= m and here[MISSING] >> (total - 2) & 1:
        here[MISSING] ^= 1 << (total - 2)
    else:
        here[SPARE] -= 1


def write(board: Ints, through: Ints, known: Ints, empty: Ints, square: int, number: int) -> None:
    """Write a number in an empty square or, if it is negative, take it away there."""
    board[square] += number
    for i in range(1, through[square][0] + 1):
        known[through[square][i]] += number
        empty[through[square][i]] += -1 if number > 0 else 1


def look(
    m: int,
    board: Ints,
    through: Ints,
    known: Ints,
    empty: Ints,
    here: Ints,
    forbidden: Ints,
    alternatives: Ints,
    room: Ints,
) -> bool:
    """Write the alternatives of the best choice; return whether there may be a grid."""
    missing, spare = here[MISSING], here[SPARE]
    fewest, numbers = room[MOST_WASTED + 1], room[0]
    wasted = 0
    for square in range(len(board)):
        if board[square] == 0:
            wasting(through[square], known, empty, missing, square, room)
            free = ((1 << (m - 1)) - 1) & ~here[USED] & ~forbidden[square]
            fewest[square] = 0
            for waste in range(MOST_WASTED + 1):
                room[waste][square] &= free
            while fewest[square] <= MOST_WASTED and room[fewest[square]][square] == 0:
                fewest[square] += 1
            wasted += fewest[square]
            if wasted > spare:
                return False
    smallest = size((missing & -missing) - 1) + 2
    up_to = (1 << (smallest - 1)) - 1
    num_smallest, best, least = 0, -1, m
    for square in range(len(board)):
        if board[square] == 0:
            numbers[square] = room[min(MOST_WASTED, spare - wasted + fewest[square])][square]
            num_smallest += size(numbers[square] & up_to)
            if size(numbers[square]) < least or best < 0:
                best, least = square, size(numbers[square])
    if least == 0 or num_smallest == 0 or not have_room(m, smallest, board, through, known, empty, here, room):
        return False
    here[NEXT], here[COUNT], here[SQUARE] = 0, 0, -1
    for square in range(len(board)):
        if board[square] == 0 and (num_smallest <= least or square == best):
            left = numbers[square] & up_to if num_smallest <= least else numbers[square]
            while left != 0:
                alternatives[here[COUNT]] = square * BASE + size((left & -left) - 1) + 2
                here[COUNT] += 1
                left &= left - 1
    return True


def wasting(through: Ints, known: Ints, empty: Ints, missing: int, square: int, room: Ints) -> None:
    """Write to room[w][square] the numbers that waste at most w runs in which only this square is empty.

    `ones`, `twos` and `fours` are the bits of the number of runs wasted, for all numbers at once; `more` says whether
    it is above 7.
    """
    ones = twos = fours = more = 0
    for i in range(1, through[0] + 1):
        rest = known[through[i]]
        if empty[through[i]] == 1:
            wastes = ~(missing >> rest) if rest < 63 else -1
            for j in range(1, i):
                if empty[through[j]] == 1 and known[through[j]] == rest:
                    wastes = -1  # two runs have the same sum, whatever it is
            carry = ones & wastes
            ones ^= wastes
            carry, twos = twos & carry, twos ^ carry
            carry, fours = fours & carry, fours ^ carry
            more |= carry
    room[0][square] = ~(more | fours | twos | ones)
    room[1][square] = ~(more | fours | twos)
    room[2][square] = ~(more | fours | twos & ones)
    room[3][square] = ~(more | fours)
    room[4][square] = ~(more | fours & (twos | ones))


def have_room(
    m: int, smallest: int, board: Ints, through: Ints, known: Ints, empty: Ints, here: Ints, room: Ints
) -> bool:
    """Whether the runs that aren't complete can have different sums up to m, but for those that may be wasted."""
    numbers, least, how_many = room[0], room[MOST_WASTED + 2], room[MOST_WASTED + 3]
    for r in range(len(known)):
        least[r] = known[r]
    for square in range(len(board)):
        if board[square] == 0:
            low = size((numbers[square] & -numbers[square]) - 1) + 2
            for i in range(1, through[square][0] + 1):
                least[through[square][i]] += low
    for total in range(m + 2):
        how_many[total] = 0
    for r in range(len(known)):
        if empty[r] > 0:
            how_many[min(least[r], m + 1)] += 1
    num_runs, num_sums = how_many[m + 1], here[SPARE]
    for total in range(m, smallest, -1):
        if num_runs > num_sums:
            return False
        num_runs += how_many[total]
        num_sums += here[MISSING] >> (total - 2) & 1
    return bool(num_runs <= num_sums)


def size(bits: int) -> int:
    """The number of bits of a positive integer."""
    count = 0
    while bits != 0:
        bits &= bits - 1
        count += 1
    return count
