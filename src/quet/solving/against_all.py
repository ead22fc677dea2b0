"""Whether a player can win alone, whatever all others do: the player is tried against all others together.

So each position is won or not, as in a game for two, and the search of `by_rules.py` finds out which. Where the claims
of the game say which turns matter (`certificates.claims.Turns`), whole turns are tried, else moves.
"""

import threading
from collections.abc import Sequence

from ..capabilities import StillIn
from ..certificates import claims
from ..core.clock import clock
from ..core.rules import AnyState, legal_moves
from ..core.state import copy
from .by_rules import Memo

Turn = tuple[int, ...]  # its moves


class AgainstAll:
    """The rules of a game as its mover plays it alone, who is player 1 here, against all others, who are player 2.

    A move is the number of a turn. A game is worth 1 where the player is the only winner, else 0.
    """

    def __init__(self, subject: claims.Subject, still_in: StillIn[AnyState] | None, player: int) -> None:
        self._subject, self._rules, self._still_in, self._player = subject, subject.rules, still_in, player
        self._turns: list[Turn] = []
        self._numbers: dict[Turn, int] = {}  # of the turns
        self.LOWER_IS_BETTER, self.State = False, subject.rules.State

    def num_players(self, s: AnyState) -> int:
        return 2

    def mover(self, s: AnyState) -> int:
        return 1 if self._rules.mover(s) == self._player else 2

    def is_over(self, s: AnyState) -> bool:
        """The same as in the game, and when the player is out of it."""
        return self._rules.is_over(s) or (self._still_in is not None and not self._still_in.is_in(s, self._player))

    def score(self, s: AnyState, player: int) -> int:
        """1 for player 1 where nobody else has as good a score, in a game that is over; else 0."""
        if player == 2 or not self._rules.is_over(s):
            return 0
        sign = -1 if self._rules.LOWER_IS_BETTER else 1
        scores = [sign * self._rules.score(s, one) for one in range(1, self._rules.num_players(s) + 1)]
        own = scores.pop(self._player - 1)
        return int(own > max(scores))

    def most_moves(self, s: AnyState) -> int:
        return self._rules.most_moves(s)

    def legal_moves(self, s: AnyState, out: list[int]) -> int:
        """The turns that matter. There are no more of them than moves."""
        turns = self._of(s)
        for i, turn in enumerate(turns):
            out[i] = self._numbers.setdefault(turn, len(self._turns))
            if out[i] == len(self._turns):
                self._turns.append(turn)
        return len(turns)

    def play(self, s: AnyState, move: int) -> None:
        for one in self._turns[move]:
            self._rules.play(s, one)

    def turn(self, number: int) -> Turn:
        """The turn with this number."""
        return self._turns[number]

    def _of(self, s: AnyState) -> Sequence[Turn]:
        """The turns from s on."""
        if self._subject.turns is None:
            return [(move,) for move in legal_moves(self._rules, s)]
        return [tuple(turn) for turn in self._subject.turns(s)]


def winning_turn(
    subject: claims.Subject,
    still_in: StillIn[AnyState] | None,
    s: AnyState,
    *,
    seconds: float,
    memory: int,
    stop: threading.Event | None = None,
) -> Turn:
    """The moves of a turn after which the mover of s, where three or more play, is the only winner whatever all others
    play; empty where there is none, and where none is found in so many seconds and bytes or before `stop` is set.
    """
    rules = AgainstAll(subject, still_in, subject.rules.mover(s))
    memo, until = Memo(rules, sign=1, memory=memory, bounds=(0, 1)), clock() + seconds
    for number in legal_moves(rules, s):
        if clock() >= until or (stop is not None and stop.is_set()):
            break
        turn = rules.turn(number)
        after = _after(subject, s, turn)
        if after is None:
            continue
        value = (
            rules.score(after, 1)
            if rules.is_over(after)
            else memo.value(after, until=until, report=lambda done, total, words: None, stop=stop)
        )
        if value is None:
            break
        if value:
            return turn
    return ()


def _after(subject: claims.Subject, s: AnyState, turn: Turn) -> AnyState | None:
    """The position after a turn; None where the rules forbid it, as they may where s is in the middle of one."""
    rules, after = subject.rules, copy(s)
    for move in turn:
        if move not in legal_moves(rules, after):
            return None
        rules.play(after, move)
    return after
