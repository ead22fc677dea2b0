"""The games in the form that learning programs want: actions numbered 0, 1, ... without gaps, bounds, and arrays.

A Form is one game with its parameters. It knows the number of actions, the longest game and the highest score before
play begins. It turns actions into moves, and writes a state into an array. A game's `observe.py` says what is true of
that game; `generic` serves a game without one.
"""

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import catalog
from ..capabilities import Actions, HighestScore, Observe
from ..core.arguments import integer, shown
from ..core.errors import BadParameter, IllegalMove
from ..core.messages import say
from ..core.parameters import read_parameters, written
from ..core.rules import AnyState
from ..core.state import copy
from ..game import Game, Start
from .generic import LONGEST, Fields, Numbers, Places


class Bounds(NamedTuple):
    """What is known of a game before it is played."""

    num_actions: int
    longest: int  # moves in a game, at most
    shape: tuple[int, ...]  # of an observation
    low: float  # what the game is worth to a player, at least; see `Form.utilities`
    high: float  # and at most


class Form:
    """A game with its parameters. One Form serves all states of its games and never changes.

    `texts` are the parameters as texts and numbers. They always give the same game, even if a file or a random
    generator has changed since. `planes` names the planes of an observation, in order, with a sentence each.
    """

    def __init__(self, id: str, given: Mapping[str, object]) -> None:
        """Raises UnknownGame and BadParameter."""
        self.id = id
        self.entry = catalog.get(id)
        self.rules = self.entry.rules
        self.parameters = read_parameters(self.rules.PARAMETERS, given)
        self.texts = written(self.parameters)
        self._start = s = self.rules.State()
        self.rules.start(s, **self.parameters)
        self.num_players = self.rules.num_players(s)
        own = self.entry.observe
        self._observer: Observe[AnyState] = Fields(self.rules, self.entry.capabilities.plies) if own is None else own
        self._actions: Actions[AnyState] = Places(self.rules) if own is None else Numbers(self.rules)
        if isinstance(own, Actions):
            self._actions = own
        self.planes = self._observer.planes(s)
        self.bounds = Bounds(
            self._observer.num_actions(s),
            self._observer.longest(s),
            (len(self.planes), *self._observer.shape(s)),
            *self._worth(own.highest_score(s) if isinstance(own, HighestScore) else inf),
        )

    def check_moves(self) -> None:
        """Check that its actions are the rules' moves, which exact values are of.

        Raises BadParameter where they make a game of their own: where a whole board can be changed for ever
        (`local_search.py`), actions of the game's own come to an end.
        """
        if self.entry.local_search is not None and isinstance(self.entry.observe, Actions):
            raise BadParameter(
                say(
                    "Programs that learn play {title} without changing what is written. By the rules it can be "
                    "changed, and exact values are of that game. So they don't judge such programs.",
                    title=self.entry.title,
                )
            )

    def observe(self, s: AnyState, array: NDArray[np.float32]) -> None:
        """Write what every player sees of s into `array`, which is all 0 and of `bounds.shape`."""
        self._observer.observe(s, self.mask(s), array.reshape(len(self.planes), -1))

    def start(self) -> AnyState:
        """The first state of a game."""
        return copy(self._start)

    def mover(self, s: AnyState) -> int:
        """The player to move, 1..N, or 0 when the game is over."""
        return 0 if self.rules.is_over(s) else self.rules.mover(s)

    def mask(self, s: AnyState) -> NDArray[np.bool_]:
        """Of each action whether it is legal."""
        legal = np.zeros(self.bounds.num_actions, np.bool_)
        if not self.rules.is_over(s):
            self._actions.mark_legal(s, [0] * self.rules.most_moves(s), legal)
        return legal

    def legal_actions(self, s: AnyState) -> list[int]:
        """The legal actions, ascending."""
        found: list[int] = np.flatnonzero(self.mask(s)).tolist()
        return found

    def text(self, s: AnyState, action: int) -> str:
        """The action as people write the move. Raises IllegalMove where there is no such action."""
        if not 0 <= action < self.bounds.num_actions:
            raise IllegalMove(self.broken_rule(s, action))
        return self._actions.action_text(s, action)

    def action(self, s: AnyState, text: str) -> int:
        """The action that plays a legal move as people write it.

        Raises UnreadableMove and IllegalMove, also for a move of the rules that no action plays.
        """
        number = self.game(s).read(text)
        for action in self.legal_actions(s):
            if self._actions.moves(s, action)[0] == number:
                return action
        raise IllegalMove(say("No action plays {move} here.", move=shown(text)))

    def moves(self, s: AnyState, action: int) -> Sequence[int]:
        """The moves that a legal action plays, as the rules number them, in order: nearly always one."""
        return self._actions.moves(s, action)

    def game(self, s: AnyState) -> Game:
        """A game that goes on from s. Where that isn't the first state, nobody knows its moves, and it begins there."""
        return Game(self.entry, self.parameters, None if s == self._start else Start("a state", copy(s), ()))

    def broken_rule(self, s: AnyState, action: int) -> str:
        """The rule that the action breaks in this state, as a sentence; empty when it is legal."""
        if not 0 <= action < self.bounds.num_actions:
            return f"There is no action {action}; the actions are 0 to {self.bounds.num_actions - 1}."
        if self.rules.is_over(s):
            return "The game is over."
        return self._actions.broken_rule(s, action)

    def play(self, s: AnyState, action: int) -> None:
        """Change s by an action; raises IllegalMove, and s is then as it was."""
        broken = self.broken_rule(s, action)
        if broken:
            raise IllegalMove(broken)
        self._actions.play(s, action)

    def scores(self, s: AnyState) -> list[int]:
        """The score of each player as it stands, player 1 first; final when the game is over."""
        return [self.rules.score(s, player) for player in range(1, self.num_players + 1)]

    def utilities(self, s: AnyState) -> list[float]:
        """What a finished game is worth to each player, player 1 first: more is better.

        A solitaire is worth its score, or minus its score if a lower score is better. In a game for N players each
        player stakes 1/(N-1), and the players with the best score share the stakes. So a single winner gets 1 and the
        others get -1/(N-1). If all share, each gets 0.
        """
        scores = self.scores(s)
        if self.num_players == 1:
            return [-float(scores[0]) if self.rules.LOWER_IS_BETTER else float(scores[0])]
        best = (min if self.rules.LOWER_IS_BETTER else max)(scores)
        stake = 1 / (self.num_players - 1)
        prize = stake * (self.num_players / scores.count(best) - 1)
        return [prize if score == best else -stake for score in scores]

    def _worth(self, highest: float) -> tuple[float, float]:
        """The least and the most that a game is worth. Scores are from 0 to `highest`; they are unbounded if that is
        inf.
        """
        if self.num_players > 1:
            return -1 / (self.num_players - 1), 1.0
        low = -inf if highest == inf else 0.0
        return (-highest, -low) if self.rules.LOWER_IS_BETTER else (low, float(highest))

    def __reduce__(self) -> tuple[Callable[[str, Mapping[str, object]], "Form"], tuple[str, Mapping[str, object]]]:
        """How to pickle a Form: by its texts, since modules can't be pickled."""
        return Form, (self.id, self.texts)


def longest_of(value: object) -> int | None:
    """The number of actions after which a game is cut off, or None; raises BadParameter."""
    return None if value is None else integer(say("The longest game"), value, 1, LONGEST)
