"""Whole games of the strongest level in solitaires, from the start and after random moves.

    python bench/solitaires.py up-and-up n=20 --openings 0,4,20 --games 3
    QUET_CACHE=$(mktemp -d) python bench/solitaires.py up-and-up n=20    # with nothing compiled

Prints the score of each game, how long the first move and all moves took, and the longest move, in seconds, those of
compiling left out and told apart. The table of best results is left out, whose games the level would only repeat from
the start; `--results` lets it in. With `--cpu` plans are given CPU time, so that a busy machine weakens nothing.
"""

import argparse
import random
import time

import quet
from quet.core.clock import clock
from quet.engine import planning
from quet.knowledge import ask
from quet.knowledge.sources import Results
from quet.players.levels import LEVELS, LevelPlayer


def main() -> None:
    """Play the games and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("parameters", nargs="*", help="as for quet play, n=8")
    parser.add_argument("--openings", default="0", help="numbers of random moves to begin with")
    parser.add_argument("--games", type=int, default=1, help="for each opening")
    parser.add_argument("--level", default="level:6")
    parser.add_argument("--results", action="store_true", help="the level may look into the table of best results")
    parser.add_argument("--cpu", action="store_true", help="plans count the CPU time of this process")
    given = parser.parse_args()
    if given.cpu:
        planning.clock = time.process_time
    if not given.results:
        ask.SOURCES = [one for one in ask.SOURCES if not isinstance(one, Results)]
    for opening in map(int, given.openings.split(",")):
        for seed in range(1, given.games + 1):
            _play(given, opening, seed)


def _play(given: argparse.Namespace, opening: int, seed: int) -> None:
    game = quet.new(given.game, **dict(each.split("=") for each in given.parameters))
    chance = random.Random(1000 * opening + seed)
    for _ in range(opening):
        if not game.is_over:
            game.play(chance.choice(list(game.legal_moves)))
    mover = LevelPlayer(LEVELS[given.level], seed)
    begun, spent = time.perf_counter(), []
    while not game.is_over:
        now = clock()
        move = mover.choose(game)
        spent.append(clock() - now)
        game.play(move)
    whole = sum(spent)
    compiling = time.perf_counter() - begun - whole
    print(
        f"{' '.join([given.game, *given.parameters])} {given.level} opening {opening} seed {seed}: "
        f"score {game.scores[0]}, "
        f"{len(spent)} moves, first {spent[0] if spent else 0:.2f} s, longest {max(spent, default=0):.2f} s, "
        f"all {whole:.1f} s, compiling {compiling:.1f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()
