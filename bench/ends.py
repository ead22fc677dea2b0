"""How long the value of a position takes by alpha-beta, by how many moves are left: what a solve can reach.

    python bench/ends.py blob n=8 --left 8 14

Positions come up in games of random moves. For each number of moves left it prints the median of the seconds of CPU,
and the mean of the positions visited, on an empty table of transpositions of 128 MB. A value that takes longer than
`--seconds` counts as that. Compiling isn't counted.
"""

import argparse
import random
import statistics
import time
from collections.abc import Iterator

import quet
from quet.core.errors import refusing
from quet.core.parameters import split_parameters
from quet.core.rules import AnyState, legal_moves
from quet.core.state import copy
from quet.engine.deepening import Deepening

MEMORY = 2**27
MOST_GAMES = 1000  # of random moves, for each number of moves left


def positions(game: quet.Game, left: int, number: int, chance: random.Random) -> Iterator[AnyState]:
    """So many positions of random games with so many moves left; fewer where games are shorter."""
    rules = game.rules
    for _ in range(MOST_GAMES):
        s = copy(game.state)
        line = [copy(s)]
        while not rules.is_over(s):
            rules.play(s, chance.choice(legal_moves(rules, s)))
            line.append(copy(s))
        if len(line) > left:
            yield line[-1 - left]
            number -= 1
        if number == 0:
            return


def measured(game: quet.Game, s: AnyState, seconds: float) -> tuple[float, int]:
    """Seconds of CPU until the value is found, and positions visited."""
    rules, capabilities, bits = game.entry.capabilities.for_search(game.rules, s)
    search = Deepening(rules, capabilities, bits, memory=MEMORY)
    begun = time.process_time()
    found = search.run(bits, seconds=seconds)
    return time.process_time() - begun, found.num_nodes


def main() -> None:
    """Print a line for each number of moves left."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("parameters", metavar="p=v", nargs="*")
    parser.add_argument("--left", metavar=("FROM", "TO"), nargs=2, type=int, required=True, help="moves left")
    parser.add_argument("--number", metavar="N", type=int, default=10, help="positions for each (10)")
    parser.add_argument("--seconds", metavar="S", type=float, default=20.0, help="for each position at most (20)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if not 1 <= options.left[0] <= options.left[1] or options.number < 1:
        parser.error("FROM, TO and N are 1 or more, and TO isn't less than FROM.")
    with refusing(parser):
        game = quet.new(options.game, **split_parameters(options.parameters))
    keys = game.entry.capabilities.keys
    if game.num_players != 2 or keys is None or not keys.fits(game.state):
        parser.error("Alpha-beta doesn't search this game at this size.")
    chance = random.Random(options.seed)
    for s in positions(game, min(2, options.left[0]), 1, chance):
        measured(game, s, options.seconds)  # compiles
    for left in range(options.left[0], options.left[1] + 1):
        found = [measured(game, s, options.seconds) for s in positions(game, left, options.number, chance)]
        if len(found) < options.number:
            parser.error(f"Too few games have {left} moves.")
        seconds, nodes = zip(*found, strict=True)
        print(f"{left} left: {statistics.median(seconds):.3f} s, {statistics.mean(nodes):,.0f} positions", flush=True)


if __name__ == "__main__":
    main()
