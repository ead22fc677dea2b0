"""One game for an environment: by the compiled rules, or by the plain ones, which are the referee's."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import as_integer, shown
from ..core.errors import BadParameter
from ..core.messages import say
from ..core.position import Position
from ..core.rules import AnyState
from .batches import Batch, Reward
from .forms import Form


class Single(Protocol):
    """A game that goes on until its end, and what can be seen of it."""

    rewards: list[float]  # of the last action, player 1 first
    was_illegal: str  # the rule that the last action broke, as a sentence, or ""
    ended: bool
    cut: bool

    def begin(self) -> None:
        """Begin anew."""

    def play(self, action: int) -> None:
        """Play an action, or the first legal one in place of an illegal one; the game isn't over."""

    def observation(self) -> NDArray[np.float32]:
        """What is seen, an array of its own."""

    def mask(self) -> NDArray[np.int8]:
        """1 for each legal action, an array of its own; none is legal when the game is over.

        Of a game that was cut off it is that of the last position, where a learner asks what the best action is worth.
        """

    def mover(self) -> int:
        """The player to move, 0 for player 1; -1 when the game is over. One that was cut off still has one."""

    def position(self) -> Position:
        """The position, for pictures."""

    def scores(self) -> list[int]:
        """The players' scores as they stand."""


def action_of(value: object) -> int:
    """The integer that an action must be; raises BadParameter. Whether it is legal is another question."""
    action = as_integer(value)
    if action is None:
        raise BadParameter(say("The action must be an integer, not {value}.", value=shown(value)))
    return action


class Compiled:
    """A batch of one game."""

    def __init__(self, form: Form, reward: Reward, illegal_reward: float, longest: int | None) -> None:
        self._form = form
        self._batch = Batch(form, 1, reward=reward, illegal_reward=illegal_reward, longest=longest)
        self.begin()

    def begin(self) -> None:
        self._batch.reset()
        self.rewards = [0.0] * self._form.num_players
        self.was_illegal = ""
        self.ended = self.cut = False

    def play(self, action: int) -> None:
        batch = self._batch
        legal = 0 <= action < self._form.bounds.num_actions and bool(batch.masks[0, action])
        self.was_illegal = "" if legal else self._form.broken_rule(self.position().state, action)
        batch.step(np.array([action if legal else -1]))
        self.rewards = batch.rewards[0].tolist()
        self.ended, self.cut = bool(batch.ended[0]), bool(batch.cut[0])

    def observation(self) -> NDArray[np.float32]:
        batch = self._batch
        seen: NDArray[np.float32] = (batch.final_observations if self._is_done else batch.observations)[0]
        return seen.copy()

    def mask(self) -> NDArray[np.int8]:
        batch = self._batch
        legal: NDArray[np.bool_] = (batch.final_masks if self._is_done else batch.masks)[0]
        return legal.astype(np.int8)

    def mover(self) -> int:
        return self._form.mover(self.position().state) - 1 if self._is_done else int(self._batch.movers[0])

    def position(self) -> Position:
        return self._batch.position(0, final=self._is_done)

    def scores(self) -> list[int]:
        return self._batch.scores(0, final=self._is_done)

    @property
    def _is_done(self) -> bool:
        return self.ended or self.cut


class Plain:
    """The same by the plain rules: slow, needs no compiling, and what `Compiled` is compared with."""

    def __init__(self, form: Form, reward: Reward, illegal_reward: float, longest: int | None) -> None:
        self._form, self._reward, self._illegal_reward, self._longest = form, reward, illegal_reward, longest
        self.begin()

    def begin(self) -> None:
        self._state: AnyState = self._form.start()
        self._plies = 0
        self._worths = self.rewards = [0.0] * self._form.num_players
        self.was_illegal = ""
        self.ended = self.cut = False

    def play(self, action: int) -> None:
        mover = self.mover()
        self.was_illegal = self._form.broken_rule(self._state, action)
        self._form.play(self._state, self._form.legal_actions(self._state)[0] if self.was_illegal else action)
        self._plies += 1
        self.ended = self._form.mover(self._state) == 0
        self.cut = not self.ended and self._longest is not None and self._plies >= self._longest
        now = self._worth()
        self.rewards = [after - before for after, before in zip(now, self._worths, strict=True)]
        self.rewards[mover] += self._illegal_reward if self.was_illegal else 0.0
        self._worths = now

    def observation(self) -> NDArray[np.float32]:
        array = np.zeros(self._form.bounds.shape, np.float32)
        self._form.observe(self._state, array)
        return array

    def mask(self) -> NDArray[np.int8]:
        return self._form.mask(self._state).astype(np.int8)

    def mover(self) -> int:
        return self._form.mover(self._state) - 1

    def position(self) -> Position:
        return Position(self._state, self._form.parameters)

    def scores(self) -> list[int]:
        return self._form.scores(self._state)

    def _worth(self) -> list[float]:
        form = self._form
        if form.num_players > 1 and self._reward == "win":
            return form.utilities(self._state) if self.ended else [0.0] * form.num_players
        sign = -1.0 if form.rules.LOWER_IS_BETTER else 1.0
        scores = [sign * score for score in self.scores()]
        if form.num_players == 1 or self._reward == "score":
            return scores
        return [score - max(scores[:i] + scores[i + 1 :]) for i, score in enumerate(scores)]
