"""OpenSpiel's MCTSBot, measured at the sizes of the table. It learns nothing, and needs no more than `quet[rl]`.

python examples/mcts_bot.py --simulations 100 --seed 1 --out agents/mctsbot.json

Each move is a tree search with so many simulations, each ended by one random playout.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import arguments
import pyspiel

from quet.core.errors import QuetError, one_line
from quet.rl import leaderboard
from quet.rl.agents import OpenSpielAgent

if TYPE_CHECKING:
    from quet.rl.openspiel import Bot, QuetGame

AGENTS = Path(__file__).parents[1] / "agents"
CONSTANT, MEGABYTES = 2.0, 50  # of UCT, and the most that a tree takes


def agent(simulations: int, seed: int) -> OpenSpielAgent:
    """The bot as an agent of `quet.rl.measure`."""

    def make(game: "QuetGame") -> "Bot":
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(game, evaluator, CONSTANT, simulations, MEGABYTES, True, seed, False)

    return OpenSpielAgent(f"MCTSBot {simulations}", make)


def main(words: Sequence[str] | None = None) -> int:
    """Measure, print the table, write an entry; exit status 0."""
    parser = argparse.ArgumentParser(description="Measure what OpenSpiel's MCTSBot loses.", allow_abbrev=False)
    parser.add_argument("--simulations", type=arguments.simulations, default=100, help="of a move (100)")
    parser.add_argument("--seed", type=arguments.seed, default=1)
    parser.add_argument(
        "--positions", type=arguments.measured, default=leaderboard.POSITIONS, help="of each size, at most (300)"
    )
    parser.add_argument(
        "--games", type=arguments.measured, default=leaderboard.GAMES, help="against a perfect opponent (30)"
    )
    parser.add_argument("--folder", type=Path, default=AGENTS, help="of the sizes")
    parser.add_argument("--out", type=arguments.writable, help="write an entry for the table of agents")
    given = parser.parse_args(words)
    try:
        asked = leaderboard.tasks(given.folder)
    except QuetError as error:
        parser.error(f"{str(given.folder / leaderboard.TASKS)!r}: {one_line(error)}")
    about = f"OpenSpiel's MCTSBot, `{arguments.command(__file__, words)}`"
    entry = leaderboard.measured(
        agent(given.simulations, given.seed), asked, about=about, seed=given.seed, positions=given.positions,
        num_games=given.games, report=lambda done, total, doing: print(done, "of", total, doing, flush=True),
    )  # fmt: skip
    print(leaderboard.table([entry], asked))
    if given.out:
        arguments.write(parser, {given.out: leaderboard.text(entry)})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
