"""The lowest scores of Up And Up for larger grids than the rules allow, and for all that are larger still.

    python bench/short_games.py 22 36

Prints for each size but the last what the shortest game has, and how many positions that took; for the last one,
that all grids of that size or a larger one have no game with fewer numbers than are told.
"""

import itertools
import sys
import time

from quet.games.up_and_up.shortest import WITHOUT_END, game_of

LONGEST = 18  # of the games that are looked for on all larger grids


def main() -> None:
    """Print what the module says."""
    first, last = int(sys.argv[1]), int(sys.argv[2])
    for n in range(first, last + 1):
        total, start = 0, time.process_time()
        for length in itertools.count(2):
            size, squares, nodes = game_of(length, n, n if n < last else WITHOUT_END)
            total += nodes
            if size or (n == last and length == LONGEST):
                break
        found = f"{len(squares)} on {size}: {squares}" if size else f"none of {length} or fewer"
        and_larger = " and larger" if n == last else ""
        print(f"{n}{and_larger}: {found} ({total} positions, {time.process_time() - start:.1f} s of CPU)", flush=True)


if __name__ == "__main__":
    main()
