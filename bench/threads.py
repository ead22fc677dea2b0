"""How strong a second thread makes a tree search: games of two searches against each other.

    python bench/threads.py 200 200 400 1000 2500

The first number is that of the games, and each other one the simulations of a move for one thread. The game is Blob
n = 8, from the balanced openings of `openings.py`, each from both sides. In the column *two threads* the first player
has two threads, which grow one tree together, and twice the simulations of the only thread of its opponent. So both
take equal time on idle cores, and a busy machine changes nothing. In the column *twice the simulations* one thread has
as many. Then come the simulations a second of processor time, in millions, of one and of two threads.
"""

import statistics
import sys
import time

from openings import MATCHES, after, book

import quet
from quet.engine.tree import TreeSearch
from quet.knowledge.search import search_for

MATCH = "blob-8"
MEMORY = 128 * 2**20
SPEED = 200_000  # simulations whose time is taken


def search(game: quet.Game, seed: int, num_threads: int) -> TreeSearch:
    """A tree search from the position."""
    found = search_for(game, seed=seed, num_threads=num_threads, memory=MEMORY)
    assert isinstance(found, TreeSearch)
    return found


def game_of(number: int, sides: tuple[tuple[int, int], tuple[int, int]], seed: int) -> float:
    """What the first side gets from a game, 1 for a win and 0.5 for a draw.

    A side is a number of threads and of simulations.
    """
    id, parameters, plies = MATCHES[MATCH]
    game = after(quet.new(id, **parameters), number, plies)
    searches = [search(game, 2 * seed + i, sides[i][0]) for i in range(2)]
    first = seed % 2
    while game.mover is not None:
        mine = (game.mover - 1 + first) % 2
        move = searches[mine].run(simulations=sides[mine][1]).move
        game.push(move)
        for one in searches:
            one.advance(move)
    lead = game.scores[first] - game.scores[1 - first]
    return 0.5 if lead == 0 else float(lead > 0)


def share(count: int, num_threads: int, simulations: int) -> str:
    """The share of the points of so many threads with twice the simulations, with its standard error."""
    numbers = book()[MATCH]
    sides = (num_threads, 2 * simulations), (1, simulations)
    points = [game_of(numbers[seed // 2 % len(numbers)], sides, seed) for seed in range(count)]
    return f"{100 * statistics.fmean(points):.1f} % ± {100 * statistics.stdev(points) / count**0.5:.1f}"


def speed(num_threads: int) -> float:
    """Simulations a second of processor time, in millions."""
    id, parameters, _ = MATCHES[MATCH]
    grown = search(quet.new(id, **parameters), 1, num_threads)
    grown.run(simulations=1000)
    begun = time.process_time()
    grown.run(simulations=SPEED)
    return SPEED / (time.process_time() - begun) / 1e6


def main() -> None:
    """Print what the module says."""
    count, *numbers = map(int, sys.argv[1:])
    print("| simulations of one thread | two threads | twice the simulations |")
    print("|--:|--:|--:|", flush=True)
    for simulations in numbers:
        print(f"| {simulations:,} | {share(count, 2, simulations)} | {share(count, 1, simulations)} |", flush=True)
    print(f"simulations a second of processor time: {speed(1):.2f} and {speed(2):.2f} million")


if __name__ == "__main__":
    main()
