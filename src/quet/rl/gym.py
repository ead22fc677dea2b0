"""The solitaires as environments of Gymnasium: `quet/UpAndUp-v1`, `quet/SumsGrid-v1` and so on.

    import gymnasium
    import quet.rl
    env = gymnasium.make("quet/UpAndUp-v1", n=8)
    observation, info = env.reset()
    info["action_mask"]

The parameters of a game are keywords. It needs Gymnasium, which the extra `quet[rl]` brings.
"""

import copy
from collections.abc import Mapping
from typing import Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from .. import catalog
from ..core.errors import BadParameter, one_line
from ..core.extras import needs
from ..core.messages import say
from ..game import Game
from .batches import illegal_reward_of
from .forms import Form, longest_of
from .generic import LONGEST
from .pictures import drawn
from .single import Compiled, Plain, Single, action_of, moves_of, options_of, seed_of

with needs("rl", "Gymnasium"):
    import gymnasium
    from gymnasium import spaces

VERSION = 1  # of all environments; it is raised when one behaves differently
RenderMode = Literal["rgb_array", "ansi", "svg"]


def environment_id(id: str) -> str:
    """The name of a game's environment.

    >>> environment_id("up-and-up")
    'quet/UpAndUp-v1'
    """
    return f"quet/{''.join(word.capitalize() for word in id.split('-'))}-v{VERSION}"


class Solitaire(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A solitaire. The observation is the planes that `planes` names; an action is a number from 0 on.

    The reward of an action is how much the score grew (how much it fell, where a lower score is better), so that the
    rewards of an episode add up to the score. `info` has `action_mask`, 1 for each legal action, and `score`. In place
    of an illegal action the first legal one is played, `illegal_reward` is added to the reward, and `info["illegal"]`
    says which rule was broken. `longest` bounds an episode, which is then truncated; its last `action_mask` is that of
    the position where it was cut off. There is no chance in these games: the seed of `reset` seeds `np_random` only.
    """

    metadata = {"render_modes": ["rgb_array", "ansi", "svg"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        *,
        render_mode: RenderMode | None = None,
        illegal_reward: float = -1.0,
        longest: SupportsIndex | None = None,
        compiled: bool = True,
        **parameters: object,
    ) -> None:
        """Use `gymnasium.make`. Raises UnknownGame and BadParameter. With compiled=False the plain rules play."""
        self.form = Form(game, parameters)
        if self.form.num_players != 1:
            raise BadParameter(say("{game} is no solitaire; quet.rl.aec makes an environment of it.", game=game))
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise BadParameter(say("There is no render mode {mode}.", mode=repr(render_mode)))
        bounds = self.form.bounds
        limit = longest_of(longest)
        if limit is None and bounds.longest >= LONGEST:
            raise BadParameter(say("{game} has no bound to its length; longest=1000 sets one.", game=game))
        self.planes: Mapping[str, str] = self.form.planes
        self.action_space = spaces.Discrete(bounds.num_actions)
        self.observation_space = spaces.Box(-np.inf, np.inf, bounds.shape, np.float32)
        self.render_mode = render_mode
        kind = Compiled if compiled else Plain
        self._game: Single = kind(self.form, "score", illegal_reward_of(illegal_reward), limit)

    def reset(
        self, *, seed: SupportsIndex | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, object]]:
        """Begin a game: the observation, and `info`.

        The option `moves` has the moves to the position at which it begins, a text or a list. There the score is what
        it is, and the first reward has it, too. Raises BadParameter, also for other options, and then nothing has
        changed.
        """
        number = seed_of(seed)
        self._game.begin(moves_of(options_of(options)))
        super().reset(seed=number)
        return self._game.observation(), self._info()

    def step(self, action: SupportsIndex) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, object]]:
        """Play an action: the observation, the reward, whether the game ended, whether it was cut off, `info`.

        Raises BadParameter unless the action is an integer.
        """
        if self._game.ended or self._game.cut:  # as Gymnasium's own environments: what comes after the end is undefined
            return self._game.observation(), 0.0, self._game.ended, self._game.cut, self._info()
        self._game.play(action_of(action))
        info = self._info()
        if self._game.was_illegal:
            info["illegal"] = self._game.was_illegal
        return self._game.observation(), self._game.rewards[0], self._game.ended, self._game.cut, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Of each action whether it is legal, as MaskablePPO of sb3-contrib asks."""
        return self._game.mask().astype(np.bool_)

    @property
    def game(self) -> Game:
        """The position as a `quet.Game` with its moves, which `quet.value` and the oracle take; one of its own."""
        return self._game.game()

    def render(self) -> NDArray[np.uint8] | str | None:
        """The position as an array of pixels, a text or an SVG, as the render mode says."""
        return drawn(self.form.entry.picture.scene(self._game.position()), self.render_mode)

    def __copy__(self) -> "Solitaire":
        """A copy plays a game of its own, and so is never shallow."""
        return copy.deepcopy(self)

    def _info(self) -> dict[str, object]:
        return {"action_mask": self._game.mask(), "score": self._game.scores()[0]}


def register() -> None:
    """Make Gymnasium know every solitaire of the catalog; doing it again changes nothing."""
    for id in catalog.ids():
        try:
            is_solitaire = Form(id, {}).num_players == 1
        except Exception as error:  # a game of another package can be broken in any way
            gymnasium.logger.warn(f"{id} is broken: {one_line(error)}")
            continue
        if is_solitaire and environment_id(id) not in gymnasium.registry:
            gymnasium.register(
                environment_id(id),
                entry_point="quet.rl.gym:Solitaire",
                vector_entry_point="quet.rl.vector:Solitaires",
                kwargs={"game": id},
            )
