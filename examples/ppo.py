"""PPO: MaskablePPO of sb3-contrib learns a solitaire, or a game for two by playing against itself.

python examples/ppo.py up-and-up n=4 --steps 40000 --seed 1
python examples/ppo.py palindromes m=8 --minutes 0.6 --out agents/ppo-palindromes-8.json

A solitaire is the environment that `import quet.rl` registers, and the reward is the score. While it trains, the score
of one game without chance is told beside the best score that there is, which the oracle knows. It trains for so many
steps, or so many minutes of CPU.

In a game for two many games are a `quet.rl.batch`. In half of them the learner is player 1, in half player 2; the other
player moves by what was learned so far, by chance. The reward is the margin at the end. Illegal actions are masked. In
every game it is told, at some times, in how many positions of random games the agent keeps the margin. It needs no GPU.
"""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import arguments
import gymnasium
import numpy as np
import torch
from curves import Curve
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecEnv

import quet
import quet.rl
from quet.core.errors import refusing
from quet.rl import leaderboard
from quet.rl.agents import ArrayAgent
from quet.rl.gym import environment_id

AGENTS = Path(__file__).parents[1] / "agents"
GAME = "up-and-up"
STEPS = 40_000
NUM = 32  # games for two side by side


class SelfPlay(VecEnv):
    """Games for two side by side, as Stable-Baselines3 takes them; `model` moves for the other player."""

    render_mode = None

    def __init__(self, game: quet.Game, num: int = NUM) -> None:
        self.games = quet.rl.batch(game, num, reward="margin", threads=1)
        ends = quet.playouts(game, 1000, seed=0)
        self.scale = max(1.0, float(np.std(ends[:, 0] - ends[:, 1])))  # so that rewards are about 1
        self.seats = np.arange(num) % 2  # the learner's, 0 for player 1
        self.model: MaskablePPO | None = None
        shape, actions = self.games.observations.shape[1:], self.games.masks.shape[1]
        seen = gymnasium.spaces.Box(-np.inf, np.inf, shape, np.float32)
        super().__init__(num, seen, gymnasium.spaces.Discrete(actions))

    def reset(self) -> NDArray[np.float32]:
        """Begin all games anew."""
        self.games.reset()
        self._begun()
        self._reply()
        return self.games.observations.copy()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the learner's actions."""
        self._chosen = np.asarray(actions, np.int64)

    def step_wait(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play them, and what the other player replies until it is the learner's turn in all games."""
        self._begun()
        self._play(self._chosen, np.ones(self.num_envs, np.bool_))
        self._reply()
        return self.games.observations.copy(), self._rewards, self._ended, [{} for _ in self.seats]

    def _begun(self) -> None:
        self._rewards = np.zeros(self.num_envs, np.float32)
        self._ended = np.zeros(self.num_envs, np.bool_)

    def _reply(self) -> None:
        while (theirs := self.games.movers != self.seats).any():
            if self.model is None:  # nothing is learned yet
                actions = self.games.random_actions()
            else:
                actions = self.model.predict(self.games.observations, action_masks=self.games.masks)[0]
            self._play(actions, theirs)

    def _play(self, actions: NDArray[np.int64], moving: NDArray[np.bool_]) -> None:
        """Play these actions in some of the games, and leave the others as they are."""
        games = self.games
        kept = games.states.copy()
        games.resume(kept).step(np.where(moving, actions, games.masks.argmax(1)))  # a reward is now the whole margin
        over = games.ended & moving
        self._ended |= over
        self._rewards[over] = games.rewards[np.flatnonzero(over), self.seats[over]] / self.scale
        games.resume(np.where(moving, games.states, kept))

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal in each game."""
        return self.games.masks.copy()

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """As Stable-Baselines3 asks for masks."""
        return list(getattr(self, method_name)(*args, **kwargs))

    def has_attr(self, attr_name: str) -> bool:
        """Whether the games have it."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The same for each game."""
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Nothing of a single game can be set."""
        raise AttributeError(attr_name)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Iterable[int] | int | None = None) -> list[bool]:
        """No game is wrapped."""
        return [False] * self.num_envs

    def close(self) -> None:
        """Nothing is to be closed."""


def agent_of(model: MaskablePPO) -> ArrayAgent:
    """What was learned as an agent: in each position the legal action that the policy likes best."""

    def act(seen: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.integer]:
        actions: NDArray[np.integer] = model.predict(seen, deterministic=True, action_masks=legal)[0]
        return actions

    return ArrayAgent("PPO", act)


def score(model: MaskablePPO, game: quet.Game) -> int:
    """The score of the solitaire that it plays without chance."""
    agent, game = agent_of(model), game.copy()
    while not game.is_over:
        game.play(agent.moves([game])[0])
    return game.scores[0]


def kept(model: MaskablePPO, game: quet.Game) -> float:
    """In how many percent of 256 positions of random games it keeps the margin."""
    found = quet.rl.measure.accuracy(agent_of(model), game, positions="random", num=256, seed=1)
    return 100 * found.keeps_margin.value


def train(game: quet.Game, *, steps: int | None = None, minutes: float | None = None,
          seed: int = 1) -> MaskablePPO:  # fmt: skip
    """A model that has learned for so many steps of the environment or minutes of CPU, or a bit longer.

    It learns from some steps at once: 1,000 of a solitaire, 2,048 of a game for two.
    """
    if game.num_players == 1:
        env = gymnasium.make(environment_id(game.id), **game.parameters)
        model = MaskablePPO("MlpPolicy", env, n_steps=1000, batch_size=250, ent_coef=0.01, seed=seed, device="cpu")
        best = quet.rl.oracle(game).value(game)
    else:
        both = SelfPlay(game)
        model = MaskablePPO(
            "MlpPolicy", both, n_steps=64, batch_size=256, ent_coef=0.01, gamma=1.0, seed=seed, device="cpu"
        )
        both.model = model
    share, curve = 0.0, Curve(agent_of(model), game, seed=seed)
    while True:
        if curve.is_due(share):
            with curve.pause():
                curve.add(model.num_timesteps, *([f"{score(model, game)} of {best}"] if game.num_players == 1 else []))
        if share >= 1:
            break
        model.learn(1, reset_num_timesteps=False)  # rounded up to what it learns from at once
        share = curve.used / (60 * minutes) if minutes else model.num_timesteps / (steps or STEPS)
    model.used, model.curve = curve.used, curve.text
    return model


def main(words: Sequence[str] | None = None) -> int:
    """Train, measure, write an entry; exit status 0."""
    parser = argparse.ArgumentParser(
        description="Train PPO on a game of Quet, and measure what it loses.", allow_abbrev=False
    )
    parser.add_argument("words", nargs="*", metavar="GAME NAME=VALUE", help=f"a game ({GAME}) and its parameters")
    parser.add_argument("--steps", type=arguments.count, default=STEPS, help=f"of the environment ({STEPS})")
    parser.add_argument("--minutes", type=arguments.minutes, help="of CPU; then the steps don't matter")
    parser.add_argument("--seed", type=arguments.seed, default=1)
    parser.add_argument("--threads", type=arguments.threads, default=1, help="of PyTorch (1)")
    parser.add_argument(
        "--log", type=arguments.writable, help="a line for each measurement: steps, CPU s, % kept, and a score"
    )
    parser.add_argument("--out", type=arguments.writable, help="write an entry for the table of agents")
    given = parser.parse_args(words)
    torch.set_num_threads(given.threads)
    parts = given.words if given.words and "=" not in given.words[0] else [GAME, *given.words]
    game = arguments.game_of(parser, parts[0], parts[1:])
    asked = leaderboard.task(game, AGENTS)
    arguments.check_apart(parser, given)
    with refusing(parser):
        model = train(asked.game, steps=given.steps, minutes=given.minutes, seed=given.seed)
    if game.num_players == 1:
        print(f"The best that there is: {quet.rl.oracle(game).value(game)}. What it plays now: {score(model, game)}.")
    written = {given.log: model.curve}
    if given.out:
        learned = f"{model.num_timesteps} steps, {model.used:.0f} s of CPU"
        about = f"`{arguments.command(__file__, words)}`: {learned}"
        entry = leaderboard.measured(agent_of(model), [asked], about=about, seed=given.seed)
        written[given.out] = leaderboard.text(entry)
    arguments.write(parser, written)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
