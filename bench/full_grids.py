"""Games of Up And Up that fill larger grids than the rules allow.

    python bench/full_grids.py 21 32

Prints for each size which round of the search filled the grid, and after how long. Every game is played again here.
"""

import itertools
import time

import arguments

from quet.games.up_and_up.full_grid import long_game


def fills(n: int, game: list[int]) -> bool:
    """Whether this is a game that fills the grid."""

    def at_distance(square: int, k: int) -> set[int]:
        row, column = divmod(square, n)
        around = {(row - k, column), (row + k, column), (row, column - k), (row, column + k)}
        return {a * n + b for a, b in around if 0 <= a < n and 0 <= b < n} - filled

    filled = {game[0]}
    k = 1
    for last, square in itertools.pairwise(game):
        if not at_distance(last, k):
            k = 1
        if square not in at_distance(last, k):
            return False
        filled.add(square)
        k += 1
    return len(filled) == len(game) == n * n


def main() -> None:
    """Print what the module says."""
    parser = arguments.parser(__doc__)
    for name in ("first", "last"):
        parser.add_argument(name, type=arguments.size)
    options = parser.parse_args()
    for n in range(options.first, options.last + 1):
        start = time.process_time()
        for round in itertools.count():
            game, _ = long_game(n, round, 1)
            if fills(n, game):
                break
        print(f"{n}: round {round}, {time.process_time() - start:.1f} s of CPU", flush=True)


if __name__ == "__main__":
    main()
