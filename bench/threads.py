"""How strong a second thread makes a tree search: games of two searches against each other.

    python bench/threads.py blob n=8 200 10000
    python bench/threads.py blob n=8 200 15000 0.03

After the game and one parameter come the number of games and the simulations of one thread for each move. The first
player has two threads, each with a tree of its own and as many simulations as the only thread of the second; so both
take equal time on idle cores, and a busy machine changes nothing. A second row has one tree with twice the simulations,
which is more than two threads that share a tree could do. Each opening of two random moves is played from both sides.

With the seconds of processor time that these simulations take, both players also solve positions with few moves left.
The thread of the second player solves for three tenths of its time. In the first row the second thread of the first
player does nothing else, and in the second row its two threads divide their time as the other player does.
"""

import random
import statistics
import sys
import time
import types
from collections.abc import Sequence
from dataclasses import dataclass

import quet
from quet.core import clock
from quet.knowledge import values
from quet.knowledge.search import search_for

OPENING = 2  # random moves
MEMORY = 128 * 2**20
TABLE = 60 * 2**20  # bytes of a table of values
SOLVING = 0.3  # of its time that a thread solves, as level:6 does
SOLVED = 22  # moves left, from which on positions are solved; earlier ones never are in so little time


@dataclass(frozen=True)
class Side:
    """What a player does for each move."""

    threads: int
    simulations: int
    solving: float = 0.0  # seconds of a solve before the search


class Kept(dict[object, object]):
    """The tables of both players, which `values` would keep one at a time."""

    def clear(self) -> None:
        """Keep all."""


def game_of(opening: Sequence[int], game: quet.Game, sides: Sequence[Side], seed: int) -> float:
    """What the first side gets from a game, 1 for a win and 0.5 for a draw."""
    for move in opening:
        game.push(move)
    searches = [search_for(game, seed=2 * seed + i, num_threads=sides[i].threads, memory=MEMORY) for i in range(2)]
    first = seed % 2
    while game.mover is not None:
        mine = (game.mover - 1 + first) % 2
        side, best = sides[mine], None
        if side.solving and len(game.legal_numbers()) <= SOLVED:
            best = values.solved_best(game, seconds=side.solving, memory=TABLE + mine)
        if best is None:
            move = searches[mine].run(simulations=side.simulations).move
        else:
            move = game.rules.read_move(game.state, best[1])
        game.push(move)
        for search in searches:
            search.advance(move)
    lead = game.scores[first] - game.scores[1 - first]
    return 0.5 if lead == 0 else float(lead > 0)


def players(simulations: int, seconds: float) -> tuple[Sequence[tuple[str, Side]], Side]:
    """The first players of the rows, and the other player, who has one thread."""
    if not seconds:
        rows = [("two threads", Side(2, 2 * simulations)), ("one tree, twice", Side(1, 2 * simulations))]
        return rows, Side(1, simulations)
    rest = round((1 - SOLVING) * simulations)
    beside = ("a solve beside the search", Side(1, simulations, seconds))
    return [beside, ("one tree, twice", Side(1, 2 * rest, 2 * SOLVING * seconds))], Side(1, rest, SOLVING * seconds)


def main() -> None:
    """Print what the module says."""
    id, parameter, count, simulations = *sys.argv[1:3], *map(int, sys.argv[3:5])
    name, value = parameter.split("=")
    rows, other = players(simulations, float(sys.argv[5]) if len(sys.argv) > 5 else 0.0)
    clock.time = types.SimpleNamespace(perf_counter=time.process_time)
    print("| first player | games | its share of the points | standard error |")
    print("|---|--:|--:|--:|", flush=True)
    for words, side in rows:
        points = []
        for seed in range(count):
            game = quet.new(id, **{name: int(value)})
            chance = random.Random(seed // 2)
            opening: list[int] = []
            trial = quet.new(id, **{name: int(value)})
            for _ in range(OPENING):
                opening.append(chance.choice(trial.legal_numbers()))
                trial.push(opening[-1])
            values._idle = Kept()
            points.append(game_of(opening, game, (side, other), seed))
        share, error = statistics.fmean(points), statistics.stdev(points) / count**0.5
        print(f"| {words} | {count} | {100 * share:.1f} % | {100 * error:.1f} % |", flush=True)


if __name__ == "__main__":
    main()
