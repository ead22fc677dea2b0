"""`quet.rl.oracle`: the exact value of positions and of every move, one by one or a million at once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ..capabilities import NO_VALUE
from ..core.arguments import MOST_MEMORY, integer, shown
from ..core.arguments import seconds as check_seconds
from ..core.clock import clock
from ..core.errors import BadParameter, NotSolved
from ..core.messages import say
from ..core.parameters import AnyValue, used
from ..core.rules import difference, wants_high
from ..engine.arrays import Records, pack, unpack
from ..game import Game, Start, check_game
from ..knowledge.ask import MOST_SECONDS, advantages, ask
from ..knowledge.known import MEMORY, Budget
from ..knowledge.whole import one_value, values_of, whole_table
from .batches import Batch, check_states, stepped
from .forms import Form

PORTION = 2**25  # bytes of the states that are looked up at once


class Values(NamedTuple):
    """The exact values of many positions and of all their actions, in the order of the positions."""

    positions: NDArray[np.int64]  # what each position is worth
    actions: NDArray[np.int32]  # of each position a row: what each action is worth; 0 where it is illegal
    legal: NDArray[np.bool_]  # of each position a row: which actions are legal, as the masks of a batch


def oracle(game: Game, *, seconds: float = 5.0, memory: SupportsIndex = MEMORY // 2**20) -> "Oracle":
    """What positions of this game and size are worth under perfect play; see `Oracle`.

    An answer about one position may take so many seconds, besides compiling, and a table so many MB. The first question
    for a size makes its table, unless one is saved. Raises BadParameter, also for more than two players.

    >>> import quet, quet.rl
    >>> game = quet.new("palindromes", m=4)
    >>> quet.rl.oracle(game).value(game), quet.rl.oracle(game).moves(game.after("1=0"))
    (-2, {'2=0': 2, '2=1': 2, '3=0': 2, '3=1': 2, '4=0': -2, '4=1': -2})
    """
    check_game(game)
    if game.num_players > 2:
        raise BadParameter(say("A game for {count} players has no value.", count=game.num_players))
    return Oracle(
        game,
        seconds=check_seconds(say("The time"), seconds, MOST_SECONDS),
        memory=integer(say("The memory"), memory, 1, MOST_MEMORY) * 2**20,
    )


class Oracle:
    """The exact values of positions of one game and size.

    The value of a position is player 1's final score minus player 2's, if both play to make their own advantage large.
    In a solitaire it is the best final score that can still be reached. A move is worth what the position after it is.
    """

    def __init__(self, game: Game, *, seconds: float, memory: int) -> None:
        """Use `oracle`."""
        self._first = game.at(0)
        self._budget = Budget(seconds, memory)
        self._sign = -1 if game.rules.LOWER_IS_BETTER else 1
        self._is_later = self._first.state != Form(game.id, game.parameters).start()
        self._table = whole_table(self._first, self._budget)

    @property
    def has_table(self) -> bool:
        """Whether values are looked up in a table of all positions; else each is found when it is asked for."""
        return self._table is not None

    def value(self, position: Game) -> int:
        """What a position is worth. Raises BadParameter for another game or size, and NotSolved."""
        self._check(position)
        if position.is_over:
            return difference(position.rules, position.state)
        found = self._looked_up(position)
        if found is not None:
            return found
        until = clock() + self._budget.seconds
        known = ask(position, self._budget)
        if known is not None and known.is_exact and known.low is not None:
            return self._turned(known.low, position)
        worths = self._worths(position, max(0.0, until - clock()))
        return (max if self._is_high(position) else min)(worths.values())

    def moves(self, position: Game) -> dict[str, int]:
        """What each legal move is worth, in the order of moves; nothing when the game is over. Raises as `value`."""
        self._check(position)
        if position.is_over:
            return {}
        if self.has_table:
            found = {move: self._looked_up(position.after(move)) for move in position.legal_moves}
            exact = {move: value for move, value in found.items() if value is not None}
            if len(exact) == len(found):
                return exact
        return self._worths(position, self._budget.seconds)

    def best(self, position: Game) -> list[str]:
        """The moves that are worth as much as the position; none when the game is over. Raises as `value`."""
        worths = self.moves(position)
        best = (max if self._is_high(position) else min)(worths.values(), default=0)
        return [move for move, worth in worths.items() if worth == best]

    def look_up(self, positions: Batch | Records | Sequence[Game]) -> Values:
        """What many positions and all their actions are worth: those of a batch as they stand, states, or games.

        Actions are numbered as in batches and environments. States are records of NumPy, as `Batch.states` and
        `quet.positions` have them. Raises BadParameter, and NotSolved where there is no table.
        """
        if isinstance(positions, Batch):
            form, states = positions.form, positions.states
            self._check_kind(form.id, form.parameters)
        else:
            form = Form(self._first.id, self._first.parameters)
            if isinstance(positions, np.ndarray):
                states = positions
            else:
                games = self._games(positions)
                states = pack([game.state for game in games]) if games else pack([self._first.state])[:0]
        if states.dtype != pack([self._first.state]).dtype or states.ndim != 1:
            raise self._of_another()
        if not self.has_table:
            raise NotSolved(
                say("There is no table of {title} at this size; ask for positions one by one.", title=self._title)
            )
        return self._values(form, states)

    def _values(self, form: Form, states: Records) -> Values:
        fast = stepped(form)
        check_states(form, fast, states)
        num, num_actions = len(states), form.bounds.num_actions
        found = Values(
            np.zeros(num, np.int64), np.zeros((num, num_actions), np.int32), np.zeros((num, num_actions), np.bool_)
        )
        portion = max(1, PORTION // (states.itemsize * num_actions))
        after = np.zeros(portion * num_actions, states.dtype)
        room = np.zeros(form.rules.most_moves(self._first.state), np.int64)
        for begin in range(0, num, portion):
            part = slice(begin, begin + portion)
            count = int(fast.follow(states[part], room, found.legal[part], after))
            found.positions[part] = self._all(states[part])
            found.actions[part][found.legal[part]] = self._all(after[:count])
        return found

    def _all(self, states: Records) -> NDArray[np.int64]:
        assert self._table is not None
        values = values_of(self._first, self._table, states)
        if self._is_later:  # a table from there on may not have what was given, and then has another's value for it
            kind = type(self._first.state)
            values[[not self._table.covers(unpack(record, kind)) for record in states]] = NO_VALUE
        for i in np.flatnonzero(values == NO_VALUE):
            values[i] = self._sign * self._of_state(states[i : i + 1])
        return (self._sign * values).astype(np.int64)

    def _of_state(self, state: Records) -> int:
        """What one position is worth that the table doesn't have."""
        first = self._first
        # Nobody knows by which moves it came about; without any it would be taken for the beginning of the game.
        start = Start("a state", unpack(state[0], type(first.state)), ())
        return self.value(Game(first.entry, first.parameters, start))

    def _looked_up(self, position: Game) -> int | None:
        if self._table is None:
            return None
        s = position.state
        if not position.is_over and not self._table.covers(s):
            return None
        value = one_value(position, self._table, s)
        return None if value is None else self._sign * value

    def _worths(self, position: Game, seconds: float) -> dict[str, int]:
        """What each move is worth. Raises NotSolved."""
        found = advantages(position, replace(self._budget, seconds=seconds))
        if found is None:
            raise NotSolved(
                say(
                    "The value of {title} at this position isn't known, and was not found in {seconds} s. "
                    "Smaller sizes and later positions take less time.",
                    title=self._title,
                    seconds=f"{self._budget.seconds:g}",
                )
            )
        return {move: self._turned(advantage, position) for move, advantage in found.items()}

    def _turned(self, advantage: int, position: Game) -> int:
        """An advantage of the mover, as `Known` has it, as a value."""
        return advantage if self._is_high(position) else -advantage

    def _is_high(self, position: Game) -> bool:
        """Whether the mover wants values to be high."""
        return wants_high(position.rules, position.rules.mover(position.state))

    @property
    def _title(self) -> str:
        return self._first.entry.title

    def _games(self, positions: object) -> Sequence[Game]:
        """The games that were given; raises BadParameter for anything else."""
        if isinstance(positions, Game) or not isinstance(positions, Iterable):
            raise BadParameter(
                say("Give a batch, an array of states or a list of games, not {value}.", value=shown(positions))
            )
        games = list(positions)
        for game in games:
            self._check(game)
        return games

    def _check(self, position: Game) -> None:
        check_game(position)
        self._check_kind(position.id, position.parameters)

    def _check_kind(self, id: str, parameters: Mapping[str, AnyValue]) -> None:
        """Raises BadParameter for another game or size; games that are equal are of one."""
        if (id, used(parameters)) != (self._first.id, used(self._first.parameters)):
            raise self._of_another()

    def _of_another(self) -> BadParameter:
        return BadParameter(say("This oracle is for {game}.", game=repr(self._first.at(0))))
