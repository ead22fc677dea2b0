"""The games of two players and more as environments of PettingZoo: `quet.rl.aec("blob", n=5)`.

It needs PettingZoo, which the extra `quet[rl]` brings.
"""

import copy
from typing import TYPE_CHECKING, Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ..core.errors import BadParameter, QuetError
from ..core.extras import needs
from ..core.messages import say
from ..draw.text import text
from ..game import Game
from .batches import Reward, illegal_reward_of, reward_named
from .forms import Form, longest_of
from .pictures import drawn
from .single import Compiled, Plain, Single, action_of, moves_of, options_of, seed_of

with needs("rl", "PettingZoo"):
    from gymnasium import spaces
    from pettingzoo import AECEnv

RenderMode = Literal["human", "rgb_array", "ansi", "svg"]
MODES = ["human", "rgb_array", "ansi", "svg"]
# What an environment has from its first `reset` on.
_OF_A_GAME = ("agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos")


def aec(
    game: str,
    *,
    reward: Reward = "win",
    render_mode: RenderMode | None = None,
    illegal_reward: float = -1.0,
    longest: SupportsIndex | None = None,
    compiled: bool = True,
    **parameters: object,
) -> "Table":
    """An environment of PettingZoo, in which agents act in turn; see `Table`.

    `reward` is "win", "margin" or "score", as in `quet.rl.Batch`. `longest` bounds the number of actions. With
    compiled=False the plain rules play. Raises UnknownGame and BadParameter.
    """
    form = Form(game, parameters)
    if form.num_players == 1:
        raise BadParameter(say("{game} is a solitaire; gymnasium.make makes an environment of it.", game=game))
    reward = reward_named(reward)
    if render_mode not in (None, *MODES):
        raise BadParameter(say("There is no render mode {mode}.", mode=repr(render_mode)))
    limit = longest_of(longest)
    kind = Compiled if compiled else Plain
    return Table(form, kind(form, reward, illegal_reward_of(illegal_reward), limit), render_mode)


class NotBegun(QuetError, AttributeError):
    """Before the first `reset` a table has no agents; PettingZoo's wrappers call that an AttributeError, too."""


class Table(AECEnv[str, NDArray[np.float32], int]):  # type: ignore[misc] # PettingZoo has no types
    """A game at whose table sit the agents `player_1`, `player_2`, ...

    An observation is the planes that `planes` names, the same for every agent. `infos[agent]` has `action_mask`, 1 for
    each legal action, which is all 0 for those who aren't to move; of a game that was cut off it is that of the last
    position, for the agent who would be to move. In place of an illegal action the first legal one is
    played, `illegal_reward` is added to the agent's reward, and `infos[agent]["illegal"]` says which rule was broken.
    """

    metadata = {"render_modes": MODES, "name": "quet_v1", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, form: Form, single: Single, render_mode: RenderMode | None) -> None:
        """Use `aec`."""
        super().__init__()
        self.form, self.render_mode, self._game = form, render_mode, single
        self.planes = form.planes
        self.possible_agents = [f"player_{player}" for player in range(1, form.num_players + 1)]
        bounds = form.bounds
        self.state_space = spaces.Box(-np.inf, np.inf, bounds.shape, np.float32)
        self._seen = {agent: spaces.Box(-np.inf, np.inf, bounds.shape, np.float32) for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(bounds.num_actions) for agent in self.possible_agents}

    if not TYPE_CHECKING:  # where all attributes would be taken to come from here

        def __getattr__(self, name: str) -> object:
            """Called for what isn't there."""
            if name in _OF_A_GAME:
                raise NotBegun(say("Call reset first: {name} is of a game that has begun.", name=name))
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observation_space(self, agent: str) -> spaces.Space:  # type: ignore[type-arg] # as PettingZoo has it
        """What an agent observes; the same object every time."""
        return self._seen[agent]

    def action_space(self, agent: str) -> spaces.Space:  # type: ignore[type-arg] # as PettingZoo has it
        """What an agent may do; the same object every time."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Begin a game. There is no chance in it, so the seed changes nothing.

        The option `moves` has the moves to the position at which the game begins, a text or a list. There the scores
        are what they are, and the first rewards have them, too. Raises BadParameter, also for other options.
        """
        seed_of(seed)
        # PettingZoo's api_test gives an option of the name `options`, and wants it to be passed over.
        self._game.begin(moves_of(options_of(options, passed_over="options")))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._tell_masks()
        self.agent_selection = self.possible_agents[self._game.mover()]

    def observe(self, agent: str) -> NDArray[np.float32]:
        """The planes, which are the same for every agent."""
        return self._game.observation()

    def state(self) -> NDArray[np.float32]:
        """The planes once more, since every agent sees all there is."""
        return self._game.observation()

    @property
    def game(self) -> Game:
        """The position as a `quet.Game` with its moves, which `quet.value` and the oracle take; one of its own."""
        return self._game.game()

    def step(self, action: SupportsIndex | None) -> None:
        """Play the action of the agent to move; None for one whose game is over.

        Raises BadParameter unless it is an integer, also for None while the game goes on, and NotBegun.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = action_of(action)
        self._cumulative_rewards[agent] = 0.0
        self._game.play(number)
        self.rewards = dict(zip(self.possible_agents, self._game.rewards, strict=True))
        self._tell_masks()
        if self._game.was_illegal:
            self.infos[agent]["illegal"] = self._game.was_illegal
        self.terminations = dict.fromkeys(self.agents, self._game.ended)
        self.truncations = dict.fromkeys(self.agents, self._game.cut)
        following = self._game.mover()
        if self._game.ended or self._game.cut:
            following = (self.possible_agents.index(agent) + 1) % len(self.possible_agents)
        self.agent_selection = self.possible_agents[following]
        self._accumulate_rewards()

    def scores(self) -> list[int]:
        """The players' scores as they stand, player 1 first."""
        return self._game.scores()

    def render(self) -> NDArray[np.uint8] | str | None:
        """The position as an array of pixels, a text or an SVG, as the render mode says; "human" prints the text."""
        scene = self.form.entry.picture.scene(self._game.position())
        if self.render_mode == "human":
            print(text(scene))
            return None
        return drawn(scene, self.render_mode)

    def __copy__(self) -> "Table":
        """A copy plays a game of its own, and so is never shallow."""
        return copy.deepcopy(self)

    def _tell_masks(self) -> None:
        mask, mover = self._game.mask(), self._game.mover()
        self.infos: dict[str, dict[str, object]] = {
            agent: {"action_mask": mask if player == mover else np.zeros_like(mask)}
            for player, agent in enumerate(self.possible_agents)
        }

    def close(self) -> None:
        """Nothing is held open."""
