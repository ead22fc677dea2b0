"""The lowest scores of Up And Up on larger grids than the rules allow, and on all grids beyond.

    python bench/short_games.py 22 36

Prints for each size but the last the score of the shortest game, and the number of positions that it took to find it.
For the last size it prints a number such that no grid of that size or larger has a shorter game.
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
