"""How strong a second thread makes a tree search: games of two searches against each other.

    python bench/threads.py blob n=8 200 10000

After the game and one parameter come the number of games and the simulations of one thread for each move. The first
player has two threads, each with a tree of its own and as many simulations as the only thread of the second; so both
take equal time on idle cores, and a busy machine changes nothing. A second row has one tree with twice the simulations,
which is more than two threads that share a tree could do. Each opening of two random moves is played from both sides.
"""

import random
import statistics
import sys
from collections.abc import Sequence

import quet
from quet.knowledge.search import search_for

OPENING = 2  # random moves
MEMORY = 128 * 2**20


def game_of(opening: Sequence[int], game: quet.Game, sides: Sequence[tuple[int, int]], seed: int) -> float:
    """What the first side gets from a game, 1 for a win and 0.5 for a draw; `sides` are threads and simulations."""
    for move in opening:
        game.push(move)
    searches = [search_for(game, seed=2 * seed + i, num_threads=sides[i][0], memory=MEMORY) for i in range(2)]
    first = seed % 2
    while game.mover is not None:
        mine = (game.mover - 1 + first) % 2
        move = searches[mine].run(simulations=sides[mine][1]).move
        game.push(move)
        for search in searches:
            search.advance(move)
    lead = game.scores[first] - game.scores[1 - first]
    return 0.5 if lead == 0 else float(lead > 0)


def main() -> None:
    """Print what the module says."""
    id, parameter, count, simulations = *sys.argv[1:3], *map(int, sys.argv[3:5])
    name, value = parameter.split("=")
    print("| first player | games | its share of the points | standard error |")
    print("|---|--:|--:|--:|", flush=True)
    for words, side in (("two threads", (2, 2 * simulations)), ("one tree, twice", (1, 2 * simulations))):
        points = []
        for seed in range(count):
            game = quet.new(id, **{name: int(value)})
            chance = random.Random(seed // 2)
            opening: list[int] = []
            trial = quet.new(id, **{name: int(value)})
            for _ in range(OPENING):
                opening.append(chance.choice(trial.legal_numbers()))
                trial.push(opening[-1])
            points.append(game_of(opening, game, (side, (1, simulations)), seed))
        share, error = statistics.fmean(points), statistics.stdev(points) / count**0.5
        print(f"| {words} | {count} | {100 * share:.1f} % | {100 * error:.1f} % |", flush=True)


if __name__ == "__main__":
    main()
