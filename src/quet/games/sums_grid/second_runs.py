"""Whether the runs of a sums grid can have given sums, each run a different one: by narrowing what each run can be.

Each run has a domain: the sums that it can still have, as the bits of an integer. Writing a number narrows the domains
of the others. A sum belongs to one run. A run's sum is that of two shorter runs together. A sum that only one run can
have is that run's. No more runs can lie above (or below) a sum than there are such sums. The smallest sum that no run
has yet must be a single number: the numbers of a longer run are smaller, and all smaller ones are written. It is tried
in every square.

The least sum is given with its square, so the 63 bits of a positive integer suffice for 1 to 64. Compiled by
`quet.engine.compiled`.
"""

from quet.engine.arrays import Ints

ALLOCATES = False
BITS = 63  # of a domain; the lowest is for the second smallest sum
ALL = (1 << BITS) - 1
IMPOSSIBLE = -1


def search(
    one: int,
    least: int,
    wanted: int,
    board: Ints,
    parts: Ints,
    runs: Ints,
    rooms: Ints,
    steps: Ints,
    tally: Ints,
    counts: Ints,
) -> int:
    """1 where a grid that continues `board` has the least sum and all the wanted ones, else 0; 1 leaves it in `board`.

    `one` is the square of the least sum. The first runs are the single squares; runs[r] is the number of squares of run
    r and then these. Each of `parts` is a run and two shorter ones that it is made of. For each step of the search,
    `rooms` has the domains of all runs, the least and the largest sum in each, and marks; `steps` has the sums that
    runs have, the number being tried, its square and whether it is written there. counts[0] is the positions looked at.
    """
    domains, lows, highs, marks = rooms[0], rooms[1], rooms[2], rooms[3]
    counts[0] += 1
    begin(one, least, wanted, board, runs, domains[0], lows[0], highs[0], marks[0])
    steps[0][0] = narrow(one, least, wanted, 0, parts, domains[0], lows[0], highs[0], marks[0], tally)
    if steps[0][0] == IMPOSSIBLE:
        return 0
    open_step(0, least, wanted, steps)
    step = 0
    while step >= 0:
        found, number, square = steps[step][0], steps[step][1], steps[step][2]
        if found == wanted:
            write_all(board, lows[step])
            return 1
        if square >= 0 and steps[step][3] > 0:
            board[square] = 0
        square += 1
        bit = 1 << (number - least - 1)
        while square < len(board) and not (domains[step][square] & bit and board[square] == 0):
            square += 1
        steps[step][2], steps[step][3] = square, 0
        if square == len(board):
            step -= 1
            continue
        board[square] = number
        steps[step][3] = 1
        if not is_new(found | bit, least, wanted, board, square, runs, lows[step], highs[step]):
            continue
        follow(domains[step], domains[step + 1])
        follow(lows[step], lows[step + 1])
        follow(highs[step], highs[step + 1])
        for r in range(len(runs)):
            marks[step + 1][r] = -1
        domains[step + 1][square] = bit
        lows[step + 1][square] = highs[step + 1][square] = number
        marks[step + 1][square] = 0
        there = step + 1
        after = narrow(one, least, wanted, found, parts, domains[there], lows[there], highs[there], marks[there], tally)
        if after != IMPOSSIBLE:
            counts[0] += 1
            step += 1
            steps[step][0] = after
            open_step(step, least, wanted, steps)
    return 0


def open_step(step: int, least: int, wanted: int, steps: Ints) -> None:
    """Begin a step with the smallest sum that no run has."""
    number = least + 1
    missing = wanted & ~steps[step][0]
    while missing != 0 and not missing & 1:
        missing >>= 1
        number += 1
    steps[step][1], steps[step][2], steps[step][3] = number, -1, 0


def begin(
    one: int, least: int, wanted: int, board: Ints, runs: Ints, domains: Ints, lows: Ints, highs: Ints, marks: Ints
) -> None:
    """Let every run have any sum, except those that are written completely."""
    for r in range(len(runs)):
        domains[r], lows[r], highs[r], marks[r] = wanted, least + 1, least + BITS, 0
        total = whole(board, runs[r])
        if r == one:
            domains[r], lows[r], highs[r] = 0, least, least
        elif total > 0:
            domains[r] = 1 << (total - least - 1)
        if r != one:
            tighten(r, least, domains, lows, highs)


def whole(board: Ints, run: Ints) -> int:
    """The sum of a run, 0 where one of its squares is empty."""
    total = 0
    for i in range(1, run[0] + 1):
        if board[run[i]] == 0:
            return 0
        total += board[run[i]]
    return total


def is_new(found: int, least: int, wanted: int, board: Ints, square: int, runs: Ints, lows: Ints, highs: Ints) -> bool:
    """Whether the sums of the runs that this square's number completes are wanted, different and new."""
    for r in range(len(board), len(runs)):
        total = 0
        for i in range(1, runs[r][0] + 1):
            if runs[r][i] == square:
                total = whole(board, runs[r])
        if total > 0:
            place = total - least - 1
            if place >= BITS or not wanted >> place & 1:
                return False
            if found >> place & 1 and not lows[r] == highs[r] == total:
                return False
            found |= 1 << place
    return True


def follow(here: Ints, there: Ints) -> None:
    """Copy one array to another."""
    for i in range(len(here)):
        there[i] = here[i]


def write_all(board: Ints, lows: Ints) -> None:
    """Write in each square the only number that it can hold."""
    for square in range(len(board)):
        board[square] = lows[square]


def between(least: int, low: int, high: int) -> int:
    """The sums from low to high, as bits."""
    low, high = max(low, least + 1), min(high, least + BITS)
    if low > high:
        return 0
    skipped = low - least - 1
    return ALL >> (least + BITS - high) >> skipped << skipped


def tighten(r: int, least: int, domains: Ints, lows: Ints, highs: Ints) -> None:
    """The least and the largest sum in the domain of a run, which isn't empty."""
    low, high, domain = lows[r], highs[r], domains[r]
    while not domain >> (low - least - 1) & 1:
        low += 1
    while not domain >> (high - least - 1) & 1:
        high -= 1
    lows[r], highs[r] = low, high


def narrow(
    one: int,
    least: int,
    wanted: int,
    found: int,
    parts: Ints,
    domains: Ints,
    lows: Ints,
    highs: Ints,
    marks: Ints,
    tally: Ints,
) -> int:
    """Narrow the domains until nothing changes; return the sums whose run is known, or IMPOSSIBLE.

    `found` is the sums that were known before. A run is marked with the round in which it changed last.
    """
    now = 0
    while True:
        is_same = True
        now += 1
        for r in range(len(domains)):
            if marks[r] < now - 1 or lows[r] != highs[r] or r == one or found & domains[r]:
                continue
            found |= domains[r]
            for other in range(len(domains)):
                if other != r and domains[other] & domains[r]:
                    is_same = False
                    if not keep(other, ~domains[r], now, least, domains, lows, highs, marks):
                        return IMPOSSIBLE
        for k in range(len(parts)):
            run, left, right = parts[k][0], parts[k][1], parts[k][2]
            if max(marks[run], marks[left], marks[right]) < now - 1:
                continue
            first, second = (right, left) if right == one or lows[left] != highs[left] else (left, right)
            total, rest = domains[run], domains[second]
            if lows[first] == highs[first]:
                number = lows[first]
                total = total & rest << number & ALL if number < BITS else 0
                rest = rest & domains[run] >> number if number < BITS else 0
            else:
                total &= between(least, lows[left] + lows[right], highs[left] + highs[right])
                rest &= between(least, lows[run] - highs[first], highs[run] - lows[first])
                mine = between(least, lows[run] - highs[second], highs[run] - lows[second])
                if domains[first] & ~mine:
                    is_same = False
                    if not keep(first, mine, now, least, domains, lows, highs, marks):
                        return IMPOSSIBLE
            if total != domains[run]:
                is_same = False
                if not keep(run, total, now, least, domains, lows, highs, marks):
                    return IMPOSSIBLE
            if rest != domains[second]:
                is_same = False
                if not keep(second, rest, now, least, domains, lows, highs, marks):
                    return IMPOSSIBLE
        changes = give_alone(one, wanted, found, now, least, domains, lows, highs, marks)
        if changes == 0 and is_same:
            changes = count(one, wanted, found, now, least, domains, lows, highs, marks, tally)
        if changes < 0:
            return IMPOSSIBLE
        if changes == 0 and is_same:
            return found


def keep(r: int, sums: int, now: int, least: int, domains: Ints, lows: Ints, highs: Ints, marks: Ints) -> bool:
    """Leave only these sums in the domain of a run; return whether any is left."""
    domains[r] &= sums
    marks[r] = now
    if domains[r] == 0:
        return False
    tighten(r, least, domains, lows, highs)
    return True


def give_alone(
    one: int, wanted: int, found: int, now: int, least: int, domains: Ints, lows: Ints, highs: Ints, marks: Ints
) -> int:
    """Give each sum that only one run can have to that run; return how many, IMPOSSIBLE where a sum has no run."""
    once = twice = 0
    for r in range(len(domains)):
        if r != one:
            twice |= once & domains[r]
            once |= domains[r]
    if once != wanted:
        return IMPOSSIBLE
    alone = once & ~twice & ~found
    changes = 0
    if alone != 0:
        for r in range(len(domains)):
            mine = domains[r] & alone
            if r != one and mine != 0:
                if mine & (mine - 1):
                    return IMPOSSIBLE
                if mine != domains[r]:
                    changes += 1
                    keep(r, mine, now, least, domains, lows, highs, marks)
    return changes


def count(
    one: int,
    wanted: int,
    found: int,
    now: int,
    least: int,
    domains: Ints,
    lows: Ints,
    highs: Ints,
    marks: Ints,
    tally: Ints,
) -> int:
    """See that no more runs lie above a sum, or below, than there are sums; where as many do, other runs are kept out.

    Returns how many runs that narrowed; IMPOSSIBLE where too many runs lie there.
    """
    changes = 0
    for side in range(2):
        ends = lows if side == 0 else highs
        for place in range(BITS):
            tally[place] = 0
        for r in range(len(domains)):
            if r != one:
                tally[ends[r] - least - 1] += 1
        room = open_sums = 0  # sums so far, less the runs there; and whether the run of any of these sums isn't known
        for i in range(BITS):
            place = BITS - 1 - i if side == 0 else i
            room += (wanted >> place & 1) - tally[place]
            if room < 0:
                return IMPOSSIBLE
            open_sums |= wanted & ~found & 1 << place
            if room > 0 or open_sums == 0:
                continue
            edge = least + 1 + place
            others = between(least, least + 1, edge - 1) if side == 0 else between(least, edge + 1, least + BITS)
            for r in range(len(domains)):
                is_there = lows[r] >= edge if side == 0 else highs[r] <= edge
                if r != one and not is_there and domains[r] & ~others:
                    changes += 1
                    if not keep(r, others, now, least, domains, lows, highs, marks):
                        return IMPOSSIBLE
    return changes
