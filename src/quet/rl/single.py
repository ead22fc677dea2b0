"""One game for an environment: by the compiled rules, or by the plain ones, which are the referee's."""

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import as_integer, integer, listed, shown
from ..core.errors import BadParameter, IllegalMove, UnreadableMove
from ..core.messages import say
from ..core.position import Position
from ..core.quoting import shorten
from ..core.rules import AnyState
from ..core.state import copy
from ..engine.arrays import pack
from ..game import Game
from .batches import Batch, Reward
from .forms import Form

MOST_MOVES = 10_000  # to the position at which a game begins
LARGEST_SEED = 2**128 - 1  # as large as those that Gymnasium draws


class Single(Protocol):
    """A game that goes on until its end, and what can be seen of it."""

    rewards: list[float]  # of the last action, player 1 first
    was_illegal: str  # the rule that the last action broke, as a sentence, or ""
    ended: bool
    cut: bool

    def begin(self, moves: Sequence[str] = ()) -> None:
        """Begin anew, at the position after these moves. Raises BadParameter, and then nothing has changed."""

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

    def game(self) -> Game:
        """The position with the moves that led to it, a game of its own."""

    def scores(self) -> list[int]:
        """The players' scores as they stand."""


class Told:
    """The moves of a game that is played by actions. They are made of the actions when one asks for them."""

    def __init__(self, form: Form, moves: Sequence[str] = ()) -> None:
        """Raises BadParameter unless these are moves to a position that isn't over."""
        self._form = form
        self._game = Game(form.entry, form.parameters)
        self._actions: list[int] = []  # played since the last question
        for number, move in enumerate(moves, 1):
            try:
                self._play(form.action(self._game.state, move))
            except UnreadableMove as error:
                raise BadParameter(say("Move {number}: {error}", number=number, error=error.message)) from None
            except IllegalMove as error:
                raise BadParameter(
                    say("Move {number}, {word}: {error}", number=number, word=shorten(move), error=error.message)
                ) from None
        if self._game.is_over:
            raise BadParameter(say("The game is over."))

    @property
    def state(self) -> AnyState:
        """The position after the moves; a state of its own."""
        return copy(self.game().state)

    def add(self, action: int) -> None:
        """Note a legal action that was played."""
        self._actions.append(action)

    def game(self) -> Game:
        """The position with its moves, a game of its own."""
        for action in self._actions:
            self._play(action)
        self._actions.clear()
        return self._game.copy()

    def _play(self, action: int) -> None:
        for number in self._form.moves(self._game.state, action):
            self._game.push(number)


def options_of(options: object, *known: str, passed_over: str = "") -> Mapping[str, object]:
    """The options of `reset`, which may be `moves` and those of `known`; raises BadParameter."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise BadParameter(say("The options must be a dictionary, not {value}.", value=shown(options)))
    names = ("moves", *known)
    for name in options:
        if name not in names and name != passed_over:
            raise BadParameter(
                say("There is no option {name}; there is {names}.", name=shown(name), names=", ".join(names))
            )
    return options


def moves_of(options: Mapping[str, object]) -> Sequence[str]:
    """The moves to the position at which the next game begins, as `Single.begin` takes them; raises BadParameter."""
    given = options.get("moves")
    if given is None:
        return ()
    if isinstance(given, str):
        given = given.replace(",", " ").split(maxsplit=MOST_MOVES)
    moves = listed(given)
    if moves is None:
        raise BadParameter(say("The moves must be a text or a list of texts, not {value}.", value=shown(given)))
    if len(moves) > MOST_MOVES:
        raise BadParameter(say("A game can begin after {most} moves at most.", most=MOST_MOVES))
    return cast(Sequence[str], moves)  # each is read, and then refused unless it is a text


def seed_of(value: object) -> int | None:
    """The seed that an argument must be, or None; raises BadParameter."""
    return None if value is None else integer(say("The seed"), value, 0, LARGEST_SEED)


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

    def begin(self, moves: Sequence[str] = ()) -> None:
        self._told = Told(self._form, moves)
        self._batch.reset()
        if moves:
            self._batch.resume(pack([self._told.state]))
        self.rewards = [0.0] * self._form.num_players
        self.was_illegal = ""
        self.ended = self.cut = False

    def play(self, action: int) -> None:
        batch = self._batch
        legal = 0 <= action < self._form.bounds.num_actions and bool(batch.masks[0, action])
        self.was_illegal = "" if legal else self._form.broken_rule(self.position().state, action)
        self._told.add(action if legal else int(batch.masks[0].argmax()))
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

    def game(self) -> Game:
        return self._told.game()

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

    def begin(self, moves: Sequence[str] = ()) -> None:
        self._told = Told(self._form, moves)
        self._state: AnyState = self._told.state
        self._plies = 0
        self._worths = self.rewards = [0.0] * self._form.num_players
        self.was_illegal = ""
        self.ended = self.cut = False

    def play(self, action: int) -> None:
        mover = self.mover()
        self.was_illegal = self._form.broken_rule(self._state, action)
        chosen = self._form.legal_actions(self._state)[0] if self.was_illegal else action
        self._form.play(self._state, chosen)
        self._told.add(chosen)
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

    def game(self) -> Game:
        return self._told.game()

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
