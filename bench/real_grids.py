"""Grids of real numbers whose sums are nearly 1, 2, 3, ..., n^3.

    python bench/real_grids.py 5 3000

They show what no argument about sizes alone can exclude. Each of so many random grids is improved by turns: the least
sum should be 1, the next one 2 and so on, and the grid that comes nearest to that takes its place. Prints how far the
sums of the best grid are from 1, ..., n^3 at most, and its rows.
"""

import sys

import numpy as np

STEPS = 400  # at most, from one grid
NOISY = 60  # of these move the numbers at random, too


def runs(n: int) -> np.ndarray:
    """A row of 0 and 1 for each of the n^3 runs: which squares it has."""
    squares = np.arange(n * n).reshape(n, n)
    lines = [*squares, *squares.T]
    found = {tuple(sorted(line[i:j].tolist())) for line in lines for i in range(n) for j in range(i + 1, n + 1)}
    return np.array([[float(square in run) for square in range(n * n)] for run in sorted(found)])


def near(n: int, of: np.ndarray, back: np.ndarray, random: np.random.Generator) -> tuple[float, np.ndarray]:
    """How far the sums of a grid are from 1, ..., n^3 at most, and its numbers."""
    wanted = np.arange(1.0, n**3 + 1)
    numbers = random.exponential(n * n, n * n)
    for step in range(STEPS):
        sums = np.empty(n**3)
        sums[np.argsort(of @ numbers)] = wanted
        better = back @ sums
        if step < NOISY:
            better += random.normal(0, 4 * (1 - step / NOISY), n * n)
        better = np.maximum(better, 0.5)
        if np.allclose(better, numbers):
            break
        numbers = better
    return float(np.abs(np.sort(of @ numbers) - wanted).max()), numbers


def main() -> None:
    """Print what the module says."""
    n, starts = int(sys.argv[1]), int(sys.argv[2])
    of = runs(n)
    back = np.linalg.pinv(of)
    random = np.random.default_rng(1)
    distance, numbers = min((near(n, of, back, random) for _ in range(starts)), key=lambda found: found[0])
    print(f"at most {distance:.2f} away")
    print(np.round(numbers.reshape(n, n), 2))


if __name__ == "__main__":
    main()
