"""The value of a position of any small game, by its rules alone, in plain Python: nothing has to be compiled.

Alpha-beta looks to the end of every game and keeps what it learns of each position: the value, or a bound on one side
(Marsland, "A review of game-tree pruning", 1986). Two positions are the same when all fields of their States are equal.
Rules are functions of the State, so equal States have the same future and the same scores.
"""

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass

from ..core.clock import clock
from ..core.rules import AnySearchRules, AnyState, difference, legal_moves
from ..core.state import copy, key

FAR = 1 << 62  # no value is as far from 0
OF_AN_ENTRY = 300  # bytes of one position in the memo, besides its key: places in a dict that grows, and two bounds
LOOK = 256  # positions between two looks at the clock


@dataclass
class _Position:
    """A position on the way from the one that was asked about."""

    state: AnyState
    key: object
    moves: list[int]
    is_first: bool  # player 1 moves
    alpha: int  # the value only matters between these two
    beta: int
    best: int
    number: int = 0  # of the moves that have been tried

    def __post_init__(self) -> None:
        self.low, self.high = self.alpha, self.beta  # on entering

    def learn(self, value: int) -> None:
        """A move is worth this."""
        if self.is_first:
            self.best = max(self.best, value)
            self.alpha = max(self.alpha, value)
        else:
            self.best = min(self.best, value)
            self.beta = min(self.beta, value)


class Memo:
    """What is known of the positions of one game; `memory` bounds its bytes, roughly.

    Values are player 1's final score less player 2's, or a solitaire's score; times `sign`, so that player 1 wants them
    large. No value is outside `bounds`.
    """

    def __init__(self, rules: AnySearchRules, *, sign: int, memory: int, bounds: tuple[int, int] = (-FAR, FAR)) -> None:
        self._rules, self._sign, self._memory, self._bounds = rules, sign, memory, bounds
        self._known: dict[object, tuple[int, int]] = {}
        self._is_endless = False  # a position has occurred twice in one game
        self.num_positions = 0  # looked at

    def value(
        self,
        s: AnyState,
        *,
        until: float,
        report: Callable[[int, int, str], None],
        stop: threading.Event | None = None,
    ) -> int | None:
        """The value of a position.

        None when `core.clock` reaches `until`, when `stop` is set, when the memory is full (it is then emptied),
        and in games where a position can occur again. `report` is told how many positions there are.
        """
        way: list[_Position] = []
        keys: set[object] = set()  # of the positions on the way
        value = self._entered(s, *self._bounds, way)
        most = self._memory // (OF_AN_ENTRY + _size(key(s)))
        while way and not self._is_endless:
            if value is not None:
                way[-1].learn(value)
            position = way[-1]
            keys.add(position.key)
            if position.number == len(position.moves) or position.alpha >= position.beta:
                way.pop()
                keys.discard(position.key)
                self._keep(position)
                value = position.best
                continue
            if clock() >= until or (stop is not None and stop.is_set()):
                return None
            if self.num_positions % LOOK == 0:
                report(0, 0, f"{len(self._known)} positions kept")
                if len(self._known) >= most:
                    self._known.clear()
                    return None
            after = copy(position.state)
            self._rules.play(after, position.moves[position.number])
            position.number += 1
            self.num_positions += 1
            value = self._entered(after, position.alpha, position.beta, way)
            self._is_endless = value is None and way[-1].key in keys
        return None if self._is_endless else value

    def _entered(self, s: AnyState, alpha: int, beta: int, way: list[_Position]) -> int | None:
        """The value of a position if it is known well enough; else None, and the position is added to the way."""
        if self._rules.is_over(s):
            return self._sign * difference(self._rules, s)
        known = key(s)
        low, high = self._known.get(known, (-FAR, FAR))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        is_first = self._rules.mover(s) == 1
        moves = legal_moves(self._rules, s)
        way.append(_Position(s, known, moves, is_first, max(alpha, low), min(beta, high), -FAR if is_first else FAR))
        return None

    def _keep(self, position: _Position) -> None:
        """Keep what was learnt of a position: its value if that lies inside the window, else a bound."""
        low, high = self._known.get(position.key, (-FAR, FAR))
        if position.best > position.low:
            low = max(low, position.best)
        if position.best < position.high:
            high = min(high, position.best)
        self._known[position.key] = low, high


def _size(key: tuple[object, ...]) -> int:
    return sys.getsizeof(key) + sum(map(sys.getsizeof, key))
