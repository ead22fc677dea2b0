"""The games as a native environment of PufferLib: many games at once, stepped by a batch.

from quet.rl.puffer import Games
env = pufferlib.vector.make(Games, env_args=["up-and-up"], env_kwargs={"num": 1024, "n": 8})

No extra brings PufferLib, since its releases want older versions of NumPy and Gymnasium than the others.
"""

import copy
from collections.abc import Mapping
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.errors import BadParameter, MissingExtra
from ..core.extras import needs
from ..core.messages import say
from .batches import Batch, Reward, batch_of
from .forms import Form

with needs("rl", "Gymnasium"):
    from gymnasium import spaces

try:
    import pufferlib
except ModuleNotFoundError as error:
    raise MissingExtra("PufferLib is not installed; pip install pufferlib brings it.") from error

Infos = list[dict[str, float]]


class Games(pufferlib.PufferEnv):  # type: ignore[misc] # PufferLib has no types
    """`num` games side by side. Each player of each game is an agent with a row, those of one game together.

    All players of a game see the same. Only the action of the one to move counts; those of the others are passed over.
    `legal` has a row for each agent: which actions count now, none for those who aren't to move. An agent's reward is
    its player's, as `quet.rl.Batch` has it, and illegal actions are as there. A game that ends begins again in the same
    step, in which `terminals` or `truncations` are true for all its players; then one info has how many games ended.
    The batch itself is `games`. It is written into PufferLib's buffers, whose arrays stay the same.
    """

    def __init__(
        self,
        game: str,
        *,
        num: SupportsIndex = 1024,
        reward: Reward | None = None,
        illegal_reward: float = -1.0,
        longest: SupportsIndex | None = None,
        threads: SupportsIndex | None = 1,
        buf: Mapping[str, NDArray[np.generic]] | None = None,
        seed: SupportsIndex | None = 0,
        **parameters: object,
    ) -> None:
        """`buf` and `seed` are PufferLib's. Raises UnknownGame and BadParameter."""
        form = Form(game, parameters)
        self.games: Batch = batch_of(
            form, num, reward=reward, illegal_reward=illegal_reward, longest=longest, threads=threads
        )
        self.planes: Mapping[str, str] = form.planes
        self.num_agents = self.games.num * form.num_players
        self.single_observation_space = spaces.Box(-np.inf, np.inf, form.bounds.shape, np.float32)
        self.single_action_space = spaces.Discrete(form.bounds.num_actions)
        self.legal = np.zeros((self.num_agents, form.bounds.num_actions), np.bool_)
        super().__init__(buf)
        self._every = np.arange(self.games.num)
        self.reset(seed)

    def reset(self, seed: SupportsIndex | None = None) -> tuple[NDArray[np.float32], Infos]:
        """Begin all games anew: the observations, and no infos. There is no chance in these games."""
        self.games.reset(seed)
        self._tell()
        return self.observations, []

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Play what the player to move in each game has chosen. Raises BadParameter unless a row has an integer."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_agents,):
            raise BadParameter(say("The actions must be {num} integers, one for each agent.", num=self.num_agents))
        games = self.games
        games.step(chosen.reshape(games.num, -1)[self._every, games.movers])
        self._tell()
        num_ended = int((games.ended | games.cut).sum())
        infos: Infos = [{"ended": float(num_ended)}] if num_ended else []
        return self.observations, self.rewards, self.terminals, self.truncations, infos

    def close(self) -> None:
        """Nothing is to be closed."""

    def __copy__(self) -> "Games":
        """A copy plays games of its own, and so is never shallow."""
        return copy.deepcopy(self)

    def _tell(self) -> None:
        games, players = self.games, self.games.form.num_players
        shape = (games.num, players)
        self.observations.reshape(*shape, *games.observations.shape[1:])[:] = games.observations[:, None]
        self.rewards[:] = games.rewards.reshape(-1)
        self.terminals.reshape(shape)[:] = games.ended[:, None]
        self.truncations.reshape(shape)[:] = games.cut[:, None]
        self.legal[:] = False
        self.legal.reshape(*shape, -1)[self._every, games.movers] = games.masks
