"""`quet.rl.batch`: many games of one kind at once, stepped by the compiled rules and seen as arrays."""

import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Literal, SupportsIndex, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..capabilities import Actions, KnowsPositions
from ..core.arguments import integer, listed, real, shown
from ..core.errors import BadParameter
from ..core.messages import say
from ..core.position import Position
from ..core.rules import AnyState
from ..core.state import fields
from ..engine import stepping
from ..engine.arrays import Records, Words, dtype, pack, unpack
from ..engine.compiled import compiled
from ..engine.tree import mixed
from ..game import Game, check_game
from .forms import Form, longest_of

Reward = Literal["score", "margin", "win"]
Seeds = SupportsIndex | Sequence[SupportsIndex | None] | NDArray[np.integer] | None
Flags = Sequence[bool] | NDArray[np.bool_] | None
KINDS = {"score": stepping.SCORE, "margin": stepping.MARGIN, "win": stepping.WIN}
MOST_GAMES = 2**20
MOST_BYTES = 2**34  # of all arrays
ENDLESS = 2**62  # plies
LARGEST_SEED = 2**64 - 1
MOST_REWARD = 1e30  # for an illegal action; rewards are of 32 bits


def batch(
    game: Game,
    num: SupportsIndex = 4096,
    *,
    reward: Reward | None = None,
    illegal_reward: float = -1.0,
    longest: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
) -> "Batch":
    """`num` games from this position on, which must not be over; see `Batch`.

    `reward` is "score", "margin" or "win"; see `Batch.rewards`. By default it is "score" for one player, else "win". A
    game is cut off after `longest` actions, if that is given. `threads` is 1 to 64, by default one for each core.
    Raises BadParameter, also where the arrays take more than 16 GB or than there is. The rules are compiled at the
    first call for a game, which takes some seconds, once.

    >>> import quet, quet.rl
    >>> games = quet.rl.batch(quet.new("palindromes", m=8), 16, threads=1)
    >>> games.observations.shape, games.masks.shape
    ((16, 4, 8), (16, 16))
    >>> ended = sum(games.step(games.random_actions()).ended.sum() for _ in range(16))
    >>> int(ended), games.movers.tolist()[:3]
    (32, [0, 0, 0])
    """
    check_game(game)
    if game.is_over:
        raise BadParameter(say("The game is over."))
    form = Form(game.id, game.parameters)
    return batch_of(
        form, num, reward=reward, illegal_reward=illegal_reward, longest=longest, threads=threads, start=game.state
    )


def batch_of(
    form: Form,
    num: SupportsIndex,
    *,
    reward: Reward | None = None,
    illegal_reward: float = -1.0,
    longest: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    start: AnyState | None = None,
) -> "Batch":
    """As `batch`, of a Form, from its first state or from another one. Raises BadParameter."""
    cores = os.cpu_count() or 1
    count = integer(say("The number of games"), num, 1, MOST_GAMES)
    try:
        return Batch(
            form,
            count,
            reward=reward,
            illegal_reward=illegal_reward,
            longest=longest_of(longest),
            start=start,
            threads=min(cores, 64) if threads is None else integer(say("The number of threads"), threads, 1, 64),
        )
    except MemoryError:  # how much there is nobody knows before it is taken
        raise BadParameter(say("There is too little memory for {num} games of this size.", num=count)) from None


class Batch:
    """Games that are played side by side. All arrays have a row for each game, and each step writes them anew.

    A game that ends begins again at once: then `ended` or `cut` is true, `observations`, `masks` and `movers` are those
    of the new game, and `final_observations`, `final_masks` and `final` keep the end of the old one. (After an end no
    action is legal; where a game was cut off, `final_masks` says which were.) The arrays are the batch's own: copy what
    is to be kept. Through DLPack they are tensors of PyTorch or JAX without a copy
    (`torch.from_dlpack(batch.observations)`).

    `states` are the positions, as `quet.rl.oracle` takes them: records with the fields of the rules' State.
    `observations`, float32, are the planes that `planes` names; every player sees the same. `masks`, bool, say of each
    action whether it is legal. `movers`, int64, are the players to move, 0 for player 1.

    `rewards`, float32, have a column for each player. They are differences, and add up to what the game is worth at its
    end. With "score" that is the player's score; with "margin" how much better it is than the best other score; with
    "win" what `Form.utilities` says: 1 and -1, for two players. Where a lower score is better, it counts with a minus.
    """

    def __init__(
        self,
        form: Form,
        num: int,
        *,
        reward: Reward | None = None,
        illegal_reward: float = -1.0,
        longest: int | None = None,
        start: AnyState | None = None,
        threads: int = 1,
    ) -> None:
        """Use `batch`. Raises BadParameter."""
        kind = ("score" if form.num_players == 1 else "win") if reward is None else reward_named(reward)
        s = form.start() if start is None else start
        self.form, self.num, self.reward = form, num, kind
        self.planes = form.planes
        self.illegal_reward, self._longest = illegal_reward_of(illegal_reward), longest or ENDLESS
        self._kind = KINDS[kind] if form.num_players > 1 else stepping.SCORE
        self._fast = stepped(form)
        self._sees_fields = form.entry.observe is None
        shape, players = form.bounds.shape, form.num_players
        size = int(np.prod(shape))
        if num * 2 * (4 * size + form.bounds.num_actions + dtype(type(s)).itemsize) > MOST_BYTES:
            raise BadParameter(say("{num} games of this size take more than 16 GB.", num=num))
        self._first, self._start = s, pack([s])
        self.states: Records = np.repeat(self._start, num)
        self._last: Records = self.states.copy()
        self._most_moves = form.rules.most_moves(s)
        self._seen = np.zeros((num, shape[0], size // shape[0]), np.float32)
        self._last_seen = np.zeros_like(self._seen)
        self.observations = self._seen.reshape(num, *shape)
        self.final_observations = self._last_seen.reshape(num, *shape)
        self.masks = np.zeros((num, form.bounds.num_actions), np.bool_)
        self.final_masks = np.zeros_like(self.masks)
        self.movers = np.zeros(num, np.int64)
        self._last_movers = np.full(num, -1)
        self.rewards = np.zeros((num, players), np.float32)
        self.illegal, self.ended, self.cut = (np.zeros(num, np.bool_) for _ in range(3))
        self._worths = np.zeros((num, players))  # of 64 bits, or differences of large scores were wrong
        self._plies = np.zeros(num, np.int64)
        self._chosen = np.zeros(num, np.int64)
        parts = min(threads, num)
        edges = [num * part // parts for part in range(parts + 1)]
        self._steps = [self._arguments(slice(begin, end)) for begin, end in itertools.pairwise(edges)]
        self._threads = threads
        self._pool, self._pool_of = ThreadPoolExecutor(parts), os.getpid()  # starts its threads when they are needed
        self._words = streams(0, num)
        self.reset()
        if not self.masks[0].any():  # where a game has fewer actions than moves
            raise BadParameter(say("There is no action at this position."))

    def reset(
        self,
        seed: Seeds = None,
        *,
        only: Flags = None,
    ) -> None:
        """Begin all games anew. The seed, 0 to 2**64 - 1, is that of `random_actions`; without one its numbers go on.

        What it draws for a game depends on the seed and on the place of the game alone, not on `num` and `threads`. A
        new batch has seed 0. A list has a seed for each game, or None. With `only`, a flag for each game, the others go
        on as if nothing had happened. Raises BadParameter.

        >>> import quet, quet.rl
        >>> few, many = (quet.rl.batch(quet.new("blob", n=8), num) for num in (3, 1000))
        >>> few.reset(7), many.reset(7)
        (None, None)
        >>> few.random_actions().tolist() == many.random_actions()[:3].tolist()
        True
        """
        only = self._flags(only)
        words = self._words if seed is None else self._words_of(seed)
        self._words = words if only is None else np.where(only, words, self._words)
        self._begin(self._start, only)

    def resume(self, states: Records, *, only: Flags = None) -> "Batch":
        """Put each game into a state of its own, as a tree search needs, and return the batch itself.

        `states` are as `Batch.states`, one for each game, of this game and size; none may be over. The rewards of the
        next step are all that a game is worth after it, since a game that has just been put somewhere is worth 0. A
        game that ends begins anew as before. `only` is as in `reset`; the states of the others are passed over. Raises
        BadParameter, and then nothing has changed.

        >>> import quet, quet.rl
        >>> games = quet.rl.batch(quet.new("palindromes", m=8), 2, threads=1)
        >>> kept = games.step([0, 3]).states.copy()
        >>> games.step([5, 5]).masks.sum(axis=1).tolist(), games.resume(kept).masks.sum(axis=1).tolist()
        ([12, 12], [14, 14])
        """
        if not isinstance(states, np.ndarray) or states.dtype != self.states.dtype or states.shape != (self.num,):
            raise BadParameter(say("The states must be {num} records of this game, one for each game.", num=self.num))
        only = self._flags(only)
        # What is checked is what is taken.
        given = states.copy() if only is None else np.where(only, states, self.states)
        check_states(self.form, self._fast, given)
        states, before = self.states.copy(), [array.copy() for array in self._told]
        self._begin(given, only)
        if not self.masks.any(axis=1).all():
            self._begin(states)
            for array, old in zip(self._told, before, strict=True):
                array[:] = old
            raise BadParameter(say("The game is over."))
        return self

    def _flags(self, only: Flags) -> NDArray[np.bool_] | None:
        """The flags of the games that begin anew as an array, or None; raises BadParameter."""
        if only is None:
            return None
        if isinstance(only, np.ndarray) and only.dtype == np.bool_ and only.shape == (self.num,) and only.any():
            return only  # as most are, and there may be a million
        given = listed(only)
        if given is None or len(given) != self.num or not all(isinstance(one, bool | np.bool_) for one in given):
            given = ()
        flags = np.array(given, np.bool_)
        if not flags.any():
            raise BadParameter(
                say(
                    "The games that begin anew must be {num} values True or False, at least one of them True.",
                    num=self.num,
                )
            )
        return flags

    def _words_of(self, seed: object) -> Words:
        """The beginnings of the random numbers of all games. Raises BadParameter."""
        seeds = listed(seed)
        if seeds is None:
            return streams(integer(say("The seed"), seed, 0, LARGEST_SEED), self.num)
        if len(seeds) != self.num:
            raise BadParameter(
                say("A list of seeds must have {num}, one for each game, not {count}.", num=self.num, count=len(seeds))
            )
        numbers = [0 if one is None else integer(say("The seed"), one, 0, LARGEST_SEED) for one in seeds]
        goes_on = np.array([one is None for one in seeds])
        return np.where(goes_on, self._words, streams(numbers, self.num))

    @property
    def _told(self) -> tuple[NDArray[np.generic], ...]:
        """What is kept of each game beside its position."""
        return self._plies, self._worths, self.rewards, self.illegal, self.ended, self.cut

    def _begin(self, states: Records, only: NDArray[np.bool_] | None = None) -> None:
        """Begin each game at a state, or those of `only`."""
        if only is not None:
            before = [array.copy() for array in self._told]
            self._begin(np.where(only, states, self.states))
            for array, old in zip(self._told, before, strict=True):
                array[~only] = old[~only]
            return
        self._fast.begin(self.states, states, self._room(), self.masks, self._seen, self.movers, self._worths)
        self._plies[:] = self.rewards[:] = self.illegal[:] = self.ended[:] = self.cut[:] = 0
        if self._sees_fields:
            self._see_fields(self.states, self.movers, self._seen)

    def step(self, actions: ArrayLike) -> "Batch":
        """Play an action in each game, and return the batch itself, whose arrays are new.

        An illegal action is marked in `illegal`: the first legal one is played in its place, and `illegal_reward` is
        added to the player's reward. Raises BadParameter unless there is an integer for each game.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.num,) or chosen.dtype.kind not in "iu":
            raise BadParameter(say("The actions must be {num} integers, one for each game.", num=self.num))
        self._chosen[:] = chosen
        if len(self._steps) == 1:
            self._step(self._steps[0])
        else:
            if self._pool_of != os.getpid():  # a forked child has none of the threads, and the pool doesn't know it
                self._pool, self._pool_of = ThreadPoolExecutor(len(self._steps)), os.getpid()
            list(self._pool.map(self._step, self._steps))
        if self._sees_fields:
            self._see_fields(self.states, self.movers, self._seen)
            if self.ended.any() or self.cut.any():
                self._see_fields(self._last, self._last_movers, self._last_seen)
        return self

    def random_actions(self) -> NDArray[np.int64]:
        """A legal action for each game, all equally likely."""
        actions = np.zeros(self.num, np.int64)
        self._fast.choose(self.masks, actions, self._words)
        return actions

    def position(self, i: SupportsIndex, *, final: bool = False) -> Position:
        """The position of game i, from 0 on, for pictures; with `final` the last one of the game before it.

        Raises BadParameter.
        """
        return Position(self._state(i, final), self.form.parameters)

    def game(self, i: SupportsIndex, *, final: bool = False) -> Game:
        """The same as a `quet.Game`, to be played on independently. A batch knows no moves, so that it begins there.

        Raises BadParameter.
        """
        return self.form.game(self._state(i, final))

    def scores(self, i: SupportsIndex, *, final: bool = False) -> list[int]:
        """The players' scores in game i as they stand; with `final` those at the end of the game before it.

        Raises BadParameter.
        """
        return self.form.scores(self._state(i, final))

    def all_scores(self, *, final: bool = False) -> NDArray[np.int64]:
        """The same of all games, a row for each and a column for each player; an array of its own."""
        scores = np.zeros((self.num, self.form.num_players), np.int64)
        self._fast.score_all(self._last if final else self.states, scores)
        return scores

    def _state(self, i: SupportsIndex, final: bool) -> AnyState:
        number = integer(say("The number of the game"), i, 0, self.num - 1)
        s: AnyState = unpack((self._last if final else self.states)[number], type(self._first))
        return s

    def _step(self, arguments: tuple[object, ...]) -> None:
        self._fast.step(*arguments, self.illegal_reward, self._longest, self._kind)

    def _arguments(self, part: slice) -> tuple[object, ...]:
        """What a step of these games takes. They are cut once, since that takes longer than a step of one game."""
        arrays = (self._chosen, self.masks, self._seen, self.movers, self._worths, self.rewards, self.illegal)
        more = (self.ended, self.cut, self._plies, self._last, self.final_masks, self._last_seen, self._last_movers)
        return (
            self.states[part],
            self._start,
            self._room(),
            *(array[part] for array in arrays + more),
            np.zeros(self.form.num_players),
        )

    def __reduce__(self) -> tuple[Callable[..., "Batch"], tuple[object, ...], dict[str, NDArray[np.generic]]]:
        """How to copy and pickle a batch: by what it is made of, as compiled code is made anew, and by its arrays."""
        longest = None if self._longest == ENDLESS else self._longest
        made = type(self), self.form, self.num, self.reward, self.illegal_reward, longest, self._start, self._threads
        return _made_again, made, {name: getattr(self, name).copy() for name in KEPT}

    def __setstate__(self, kept: Mapping[str, NDArray[np.generic]]) -> None:
        for name, array in kept.items():
            getattr(self, name)[...] = array  # in place, since a step has parts of them

    def _room(self) -> NDArray[np.int64]:
        return np.zeros(self._most_moves, np.int64)

    def _see_fields(self, states: Records, movers: NDArray[np.int64], seen: NDArray[np.float32]) -> None:
        """Write what is seen of a game without `observe.py`; see `generic.Fields`. A mover of -1 is nobody."""
        players = self.form.num_players
        seen[:, :players, 0] = movers[:, None] == np.arange(players)
        at = players
        for name, length in fields(type(self._first)).items():
            numbers = states[name].reshape(self.num, -1)
            width = 1 if length is None else length.size
            seen[:, at : at + width, 0] = np.copysign(np.log1p(np.abs(numbers.astype(np.float64))), numbers)
            at += width


# The arrays of a batch, without those that are views of them.
KEPT = (
    *("states", "_last", "_seen", "_last_seen", "masks", "final_masks", "movers", "rewards", "illegal", "ended", "cut"),
    *("_worths", "_plies", "_words", "_last_movers"),
)


def _made_again(
    kind: type[Batch],
    form: Form,
    num: int,
    reward: Reward,
    illegal_reward: float,
    longest: int | None,
    start: Records,
    threads: int,
) -> Batch:
    """A batch that begins as one that was copied or pickled did."""
    first = unpack(start[0], type(form.start()))
    return kind(form, num, reward=reward, illegal_reward=illegal_reward, longest=longest, start=first, threads=threads)


def reward_named(reward: object) -> Reward:
    """The kind of reward that an argument must be; raises BadParameter."""
    if not isinstance(reward, str) or reward not in KINDS:
        raise BadParameter(say("There is no reward {reward}; there are score, margin and win.", reward=shown(reward)))
    return cast(Reward, reward)


def illegal_reward_of(value: object) -> float:
    """The reward for illegal actions that an argument must be; raises BadParameter."""
    return real(say("The reward for an illegal action"), value, MOST_REWARD)


def streams(seed: int | Sequence[int], num: int) -> Words:
    """For each game the beginning of its random numbers, which depends on the seed and on the game's place alone.

    They are the outputs of splitmix64 from a place on that is the seed's: those of near seeds have nothing in common.
    Games may have a seed each.
    """
    seeds = [seed] if isinstance(seed, int) else seed
    begin = np.array([mixed(one) for one in seeds], np.uint64)
    x = np.arange(1, num + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + begin
    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    x[x == 0] = 1
    return x


def stepped(form: Form) -> ModuleType:
    """The functions of `stepping`, compiled for a game."""
    own = form.entry.observe
    given = form.rules if own is None else own
    return compiled(
        stepping,
        rules=form.rules,
        see=given,
        own=given,
        knows=given,
        knows_positions=isinstance(own, KnowsPositions),
        has_own=isinstance(own, Actions),
        has_places=own is None,
    )


def check_states(form: Form, fast: ModuleType, states: Records) -> None:
    """Raises BadParameter unless all states, records of this game's State, can be positions of this game and size.

    Compiled rules trust what they are given, and would leave their arrays. Of a game whose `observe.py` doesn't say
    what a position is, only the fields that are parameters are compared.
    """
    first, room = pack([form.start()]), np.zeros(form.rules.most_moves(form.start()), np.int64)
    strange = np.zeros(len(states), np.bool_)
    for name in fields(type(form.start())):
        if name in form.parameters:
            strange |= states[name] != first[name]
    place = int(strange.argmax()) if strange.any() else int(fast.first_strange(states, first[0], room))
    if place >= 0:
        game = f"{form.id} {' '.join(f'{name}={value}' for name, value in form.texts.items())}"
        raise BadParameter(say("State {place} of those given is no position of {game}.", place=place, game=game))
