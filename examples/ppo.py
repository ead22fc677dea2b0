"""PPO on Up And Up: MaskablePPO of sb3-contrib learns from the environment that `import quet.rl` registers.

python examples/ppo.py n=4 --steps 40000 --seed 1
python examples/ppo.py n=5 --steps 100000 --out agents/ppo-up-and-up-5.json

Illegal actions are masked, and the reward is the score. While it trains, the score of one game without chance is told
beside the best score that there is, which the oracle knows. It needs no GPU.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

import quet
import quet.rl
from quet.rl import leaderboard
from quet.rl.agents import ArrayAgent

AGENTS = Path(__file__).parents[1] / "agents"
GAME, ENVIRONMENT = "up-and-up", "quet/UpAndUp-v1"


def agent_of(model: MaskablePPO) -> ArrayAgent:
    """What was learned as an agent: in each position the legal action that the policy likes best."""

    def act(seen: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.integer]:
        actions: NDArray[np.integer] = model.predict(seen, deterministic=True, action_masks=legal)[0]
        return actions

    return ArrayAgent("PPO", act)


def score(model: MaskablePPO, game: quet.Game) -> int:
    """The score of the game that it plays without chance."""
    agent, game = agent_of(model), game.copy()
    while not game.is_over:
        game.play(agent.moves([game])[0])
    return game.scores[0]


def train(game: quet.Game, *, steps: int, seed: int = 1, every: int = 10_000, log: Path | None = None) -> MaskablePPO:
    """A model that has learned for so many steps of the environment, or a few more, since they come in batches."""
    env = gymnasium.make(ENVIRONMENT, **game.parameters)
    model = MaskablePPO("MlpPolicy", env, n_steps=1000, batch_size=250, ent_coef=0.01, seed=seed, device="cpu")
    best, begun = quet.rl.oracle(game).value(game), time.process_time()
    while model.num_timesteps < steps:
        done = model.num_timesteps
        model.learn(min(every, steps - done), reset_num_timesteps=False)
        found = score(model, game)
        line = f"{model.num_timesteps}\t{time.process_time() - begun:.1f}\t{found} of {best}"
        print(line, flush=True)
        if log is not None:
            with log.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
    return model


def main(words: Sequence[str] | None = None) -> int:
    """Train, measure, write an entry; exit status 0."""
    parser = argparse.ArgumentParser(description="Train PPO on Up And Up, and measure what it loses.")
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("--steps", type=int, default=40_000, help="of the environment (40000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch (1)")
    parser.add_argument("--log", type=Path, help="add a line for each measurement: steps, CPU seconds, score")
    parser.add_argument("--out", type=Path, help="write an entry for the table of agents")
    given = parser.parse_args(words)
    torch.set_num_threads(given.threads)
    game = quet.new(GAME, **dict(word.split("=", 1) for word in given.parameters))
    begun = time.process_time()
    model = train(game, steps=given.steps, seed=given.seed, log=given.log)
    seconds = time.process_time() - begun
    print(f"The best that there is: {quet.rl.oracle(game).value(game)}. What it plays now: {score(model, game)}.")
    if given.out:
        size = " ".join(given.parameters)
        about = f"`examples/ppo.py {size} --steps {given.steps} --seed {given.seed}`: {seconds:.0f} s of CPU"
        entry = leaderboard.measured(agent_of(model), [leaderboard.task(game, AGENTS)], about=about, seed=given.seed)
        given.out.write_text(leaderboard.text(entry), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
