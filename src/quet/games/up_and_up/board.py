"""The squares that the next number can go to, on a bare grid as searches keep it."""

from quet.core.state import Row

ALLOCATES = False


def near(n: int, square: int, step: int, out: Row) -> int:
    """Write the squares `step` from this one in its row and column to `out`, in ascending order; return how many."""
    row = square // n
    column = square - row * n
    count = 0
    if row >= step:
        out[count] = square - step * n
        count += 1
    if column >= step:
        out[count] = square - step
        count += 1
    if column + step < n:
        out[count] = square + step
        count += 1
    if row + step < n:
        out[count] = square + step * n
        count += 1
    return count


def choices(n: int, filled: Row, last: int, step: int, out: Row) -> int:
    """Write to `out` the squares where the next number can go; return twice their number, plus 1 if the step is 1."""
    for k in (step, 1):
        count = 0
        for i in range(near(n, last, k, out)):
            if not filled[out[i]]:
                out[count] = out[i]
                count += 1
        if count > 0 or step == 1:
            return 2 * count + (k == 1)
    return 1
