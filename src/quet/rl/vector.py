"""The solitaires as vector environments of Gymnasium: many games at once, stepped by a batch.

import gymnasium
import quet.rl
envs = gymnasium.make_vec("quet/UpAndUp-v1", num_envs=1024, n=8)
"""

import copy
from collections.abc import Mapping
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.arguments import as_integer, flag, integer, listed
from ..core.errors import BadParameter
from ..core.extras import needs
from ..core.messages import say
from ..engine.arrays import pack
from .batches import Batch, Seeds, batch_of
from .forms import longest_of
from .generic import LONGEST
from .gym import RenderMode, Solitaire
from .pictures import drawn
from .single import Told, moves_of, options_of, seed_of

with needs("rl", "Gymnasium"):
    import gymnasium
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space

Arrays = dict[str, object]


class Solitaires(gymnasium.vector.VectorEnv[NDArray[np.float32], NDArray[np.int64], NDArray[np.generic]]):
    """Games of a `Solitaire` side by side, as Gymnasium's `SyncVectorEnv` has them, all stepped in one call.

    A game that ends begins again in the same step (`AutoresetMode.SAME_STEP`): then `final_obs` and `final_info` of the
    info are those of its end, and `_final_obs` and `_final_info` say for which games there are any. `action_mask` has a
    row for each game. Illegal actions are as in `Solitaire`, but no sentence says which rule was broken: `illegal` and
    `_illegal` are true for the games in which one was given, also where it was the last of a game. `final_info` has the
    `action_mask` of the last position, which a learner needs where a game was cut off. What is returned stays as it is;
    `games` is the batch itself, whose arrays are written anew by each step and can be used without a copy.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": Solitaire.metadata["render_modes"]}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        *,
        num_envs: SupportsIndex = 1,
        illegal_reward: float = -1.0,
        longest: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        render_mode: RenderMode | None = None,
        max_episode_steps: SupportsIndex | None = None,
        compiled: bool = True,
        **parameters: object,
    ) -> None:
        """Use `gymnasium.make_vec`. `max_episode_steps` is Gymnasium's name for `longest`; the smaller one counts.
        A game that ends with its last permitted action isn't cut off; where `gymnasium.make` counts, it is both.
        `compiled` is there as `gymnasium.make` takes it; a batch is always compiled.

        Raises UnknownGame and BadParameter.
        """
        if not flag("compiled", compiled):
            raise BadParameter(say("Games in a batch are always compiled; gymnasium.make plays one game without."))
        if max_episode_steps is not None:
            most = integer("max_episode_steps", max_episode_steps, 1, LONGEST)
            longest = min(most, longest_of(longest) or most)
        one = Solitaire(
            game, render_mode=render_mode, illegal_reward=illegal_reward, longest=longest, compiled=False, **parameters
        )
        self.games: Batch = batch_of(
            one.form, num_envs, reward="score", illegal_reward=illegal_reward, longest=longest, threads=threads
        )
        self.planes: Mapping[str, str] = one.planes
        self.num_envs, self.render_mode = self.games.num, render_mode
        self.single_observation_space, self.single_action_space = one.observation_space, one.action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: Seeds = None, options: Mapping[str, object] | None = None
    ) -> tuple[NDArray[np.float32], Arrays]:
        """Begin all games: the observations, and the info. Raises BadParameter.

        A list has a seed for each game, or None; `np_random` gets the first of them. The option `reset_mask` has a flag
        for each game: those alone begin, and the others go on. `moves` is as in `Solitaire`, for all that begin now;
        those that begin after an end begin at the start. There are no other options.
        """
        given = options_of(options, "reset_mask")
        moves, only = moves_of(given), given.get("reset_mask")
        first = Told(self.games.form, moves).state
        self.games.reset(_folded(seed), only=only)  # type: ignore[arg-type]  # which checks it
        if moves:
            self.games.resume(np.repeat(pack([first]), self.num_envs), only=only)  # type: ignore[arg-type]
        seeds = [seed] if (given_seeds := listed(seed)) is None else given_seeds
        super().reset(seed=next((as_integer(one) for one in seeds if one is not None), None))
        return self.games.observations.copy(), self._info()

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], Arrays]:
        """Play an action in each game: observations, rewards, which games ended, which were cut off, the info."""
        games = self.games.step(actions)
        rewards = games.rewards[:, 0].astype(np.float64)
        done = games.ended | games.cut
        last: Arrays = {}
        if done.any():
            final = {"score": np.where(done, games.all_scores(final=True)[:, 0], 0), "_score": done}
            masks = np.where(done[:, None], games.final_masks, False).astype(np.int8)
            final |= {"action_mask": masks, "_action_mask": done}
            ends = np.full(self.num_envs, None, dtype=object)  # as Gymnasium has them: None where a game goes on
            for i in np.flatnonzero(done):
                ends[i] = games.final_observations[i].copy()
            last = {"final_obs": ends, "_final_obs": done, "final_info": final, "_final_info": done}
        info = self._info() | last | {"illegal": games.illegal.copy(), "_illegal": games.illegal.copy()}
        return games.observations.copy(), rewards, games.ended.copy(), games.cut.copy(), info

    def render(self) -> tuple[NDArray[np.uint8] | str, ...] | None:
        """The position of each game as an array of pixels, a text or an SVG, as the render mode says."""
        if self.render_mode is None:
            return None
        picture = self.games.form.entry.picture
        frames = (drawn(picture.scene(self.games.position(i)), self.render_mode) for i in range(self.num_envs))
        return tuple(frame for frame in frames if frame is not None)

    def __copy__(self) -> "Solitaires":
        """A copy plays games of its own, and so is never shallow."""
        return copy.deepcopy(self)

    def _info(self) -> Arrays:
        every = np.ones(self.num_envs, np.bool_)
        score = self.games.all_scores()[:, 0]
        return {"action_mask": self.games.masks.astype(np.int8), "_action_mask": every, "score": score, "_score": every}


def _folded(seed: object) -> Seeds:
    """Seeds as a batch takes them, which has 64 bits of each, from those of up to 128 bits that Gymnasium draws.

    Both halves count, and smaller seeds stay what they are. Raises BadParameter.
    """
    seeds = listed(seed)
    return _half(seed) if seeds is None else [_half(one) for one in seeds]


def _half(seed: object) -> int | None:
    number = seed_of(seed)
    return None if number is None else (number ^ number >> 64) % 2**64
