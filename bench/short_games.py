"""The lowest scores of Up And Up on larger grids than the rules allow, and on all grids beyond.

    python bench/short_games.py 22 36
    python bench/short_games.py 22 33 tried

Prints for each size but the last the score of the shortest game, and the number of positions that it took to find it.
For the last size it prints a number such that no grid of that size or larger has a shorter game. With `tried` it prints
for all sizes the score of the shortest game, and how many positions the checker of certificates tries, in its own way
and in plain Python, to see that there is no shorter one.
"""

import itertools
import time

import arguments

from quet.certificates import claims
from quet.certificates.check_tried import check
from quet.certificates.limits import Meter
from quet.games.up_and_up.rules import State
from quet.games.up_and_up.shortest import WITHOUT_END, game_of, lowest

LONGEST = 18  # of the games that are looked for on all larger grids
MOST = 10**9  # positions that the checker tries


def main() -> None:
    """Print what the module says."""
    parser = arguments.parser(__doc__)
    for name in ("first", "last"):
        parser.add_argument(name, type=arguments.size)
    parser.add_argument("how", choices=["tried"], nargs="?")
    options = parser.parse_args()
    first, last = options.first, options.last
    if options.how:
        for n in range(first, last + 1):
            try_again(n)
        return
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


def try_again(n: int) -> None:
    """Find the shortest game of one size, and have the checker try all shorter ones."""
    length, _, squares = lowest(n, n)
    s, start = State(), time.process_time()
    s.n = n  # the checker's way asks for nothing else, so that the size may be larger than the rules allow
    told = check(claims.of("up-and-up"), s, length, "low", most=MOST, meter=Meter(is_patient=True))
    print(f"{n}: {length}: {squares}. {told} {time.process_time() - start:.1f} s of CPU", flush=True)


if __name__ == "__main__":
    main()
