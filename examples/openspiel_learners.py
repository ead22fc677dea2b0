"""OpenSpiel's own learners, measured at the sizes of the table: its tabular Q-learner and its DQN in PyTorch.

python examples/openspiel_learners.py qlearner palindromes m=6 --minutes 1 --seed 1
python examples/openspiel_learners.py dqn palindromes m=8 --minutes 1 --out agents/dqn-palindromes-8.json

Both are OpenSpiel's code, unchanged, one learner for each seat, which play each other in the game that
`quet.rl.openspiel` registers. Their reward is OpenSpiel's: a win, a loss or a draw, so that points don't count; in a
solitaire it is the score. The tabular learner needs no more than `quet[rl]`.

The tabular learner draws among actions that seem equally good to it: in a position that it hasn't met these are all. It
draws from what training draws from, so that a measurement changes how training goes on.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import arguments
import numpy as np
from curves import Curve
from open_spiel.python.algorithms.tabular_qlearner import QLearner
from open_spiel.python.rl_environment import Environment

import quet
import quet.rl
from quet.core.errors import refusing
from quet.rl import leaderboard
from quet.rl.agents import OpenSpielAgent
from quet.rl.openspiel import loaded

if TYPE_CHECKING:
    from quet.rl.openspiel import Bot, QuetGame, QuetState

AGENTS = Path(__file__).parents[1] / "agents"
EXPLORING = 0.2  # the share of random moves in training
NAMES = {"qlearner": "OpenSpiel QLearner", "dqn": "OpenSpiel DQN"}


class Learners:
    """A learner for each seat. As a bot of OpenSpiel each plays what it likes best, without exploring and learning."""

    def __init__(self, kind: str, game: "QuetGame", seed: int) -> None:
        np.random.seed(seed)  # OpenSpiel's learners draw from it
        self.environment = Environment(game)
        self.learners = [_learner(kind, self.environment, player, seed) for player in range(game.num_players())]

    def play(self) -> None:
        """Play one game, and learn from it."""
        seen = self.environment.reset()
        while not seen.last():
            chosen = self.learners[seen.current_player()].step(seen)
            seen = self.environment.step([chosen.action])
        for learner in self.learners:
            learner.step(seen)

    def step(self, state: "QuetState") -> int:
        """The action that the learner of this seat likes best, by chance one of them where they are more."""
        self.environment.set_state(state)
        chosen = self.learners[state.current_player()].step(self.environment.get_time_step(), is_evaluation=True)
        return int(chosen.action)


def _learner(kind: str, environment: Environment, player: int, seed: int) -> Any:
    actions = environment.action_spec()["num_actions"]
    if kind == "qlearner":
        return QLearner(player, actions)  # by default a fifth of its moves is random
    import torch
    from open_spiel.python.pytorch.dqn import DQN

    torch.set_num_threads(1)
    return DQN(
        player, environment.observation_spec()["info_state"][0], actions, hidden_layers_sizes=[128, 128],
        replay_buffer_capacity=20_000, learning_rate=1e-3, optimizer_str="adam", update_target_network_every=200,
        epsilon_start=1.0, epsilon_end=EXPLORING, epsilon_decay_duration=5_000, epsilon_decay_schedule_str="linear",
        seed=seed + player,
    )  # fmt: skip


def train(kind: str, game: quet.Game, *, minutes: float, seed: int = 1) -> OpenSpielAgent:
    """An agent that has learned for so many minutes of CPU; it is measured while it learns."""
    theirs, num_games, share = loaded(game.id, game.parameters), 0, 0.0
    learners = Learners(kind, theirs, seed)

    def made(_: "QuetGame") -> "Bot":
        return learners

    agent = OpenSpielAgent(NAMES[kind], made)
    curve = Curve(agent, game, seed=seed)
    while True:
        if curve.is_due(share):
            with curve.pause():
                curve.add(num_games)
        if share >= 1:
            break
        learners.play()
        num_games, share = num_games + 1, curve.used / (60 * minutes)
    agent.learned = f"{num_games} games, {curve.used:.0f} s of CPU"  # type: ignore[attr-defined]
    agent.curve = curve.text  # type: ignore[attr-defined]
    return agent


def main(words: Sequence[str] | None = None) -> int:
    """Train, measure, write an entry; exit status 0."""
    parser = argparse.ArgumentParser(
        description="Train a learner of OpenSpiel, and measure what it loses.", allow_abbrev=False
    )
    parser.add_argument("kind", choices=sorted(NAMES))
    parser.add_argument("game")
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("--minutes", type=arguments.minutes, default=1.0, help="of CPU (1)")
    parser.add_argument("--seed", type=arguments.seed, default=1)
    parser.add_argument("--log", type=arguments.writable, help="a line for each measurement: games, CPU s, % kept")
    parser.add_argument("--out", type=arguments.writable, help="write an entry for the table of agents")
    given = parser.parse_args(words)
    game = arguments.game_of(parser, given.game, given.parameters)
    asked = leaderboard.task(game, AGENTS)
    arguments.check_apart(parser, given)
    with refusing(parser):
        agent = train(given.kind, asked.game, minutes=given.minutes, seed=given.seed)
    about = f"`{arguments.command(__file__, words)}`: {agent.learned}"
    print(about)
    written = {given.log: agent.curve}
    if given.out:
        entry = leaderboard.measured(agent, [asked], about=about, seed=given.seed)
        written[given.out] = leaderboard.text(entry)
    arguments.write(parser, written)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
