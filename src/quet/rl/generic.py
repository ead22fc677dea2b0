"""What learning programs see of a game that has no `observe.py`, and the actions that they have there."""

from collections.abc import Mapping, Sequence
from math import copysign, log1p

import numpy as np
from numpy.typing import NDArray

from ..capabilities import Plies
from ..core.errors import IllegalMove
from ..core.rules import AnyRules, AnyState, legal_moves
from ..core.state import fields

LONGEST = 2**31 - 1  # moves; the largest number that OpenSpiel takes, as nothing is known


class Fields:
    """Observes all numbers of a state, one after the other, and for each player whether that player is to move.

    A number v is written as log(1 + |v|) with the sign of v, since nothing bounds it.
    """

    def __init__(self, rules: AnyRules, plies: Plies[AnyState] | None = None) -> None:
        """`plies` are the game's own, where it says how long it can be."""
        self._rules, self._plies = rules, plies

    def planes(self, s: AnyState) -> Mapping[str, str]:
        players = range(1, self._rules.num_players(s) + 1)
        named = {f"player {player}": f"1 while player {player} is to move." for player in players}
        for name, length in fields(type(s)).items():
            if length is None:
                named[name] = f"The logarithm of {name}."
            else:
                named |= {f"{name} {i}": f"The logarithm of entry {i} of {name}." for i in range(length.size)}
        return named

    def shape(self, s: AnyState) -> tuple[int, ...]:
        return ()

    def observe(self, s: AnyState, legal: NDArray[np.bool_], array: NDArray[np.float32]) -> None:
        at = self._rules.num_players(s)
        if not self._rules.is_over(s):
            array[self._rules.mover(s) - 1] = 1
        for name in fields(type(s)):
            value = getattr(s, name)
            for number in [value] if type(value) is int else value:
                array[at] = copysign(log1p(abs(number)), number)
                at += 1

    def num_actions(self, s: AnyState) -> int:
        return self._rules.most_moves(s)

    def longest(self, s: AnyState) -> int:
        return LONGEST if self._plies is None else min(LONGEST, self._plies.most_plies(s))


class Numbers:
    """Actions that are the numbers of moves."""

    def __init__(self, rules: AnyRules) -> None:
        self._rules = rules

    def mark_legal(self, s: AnyState, moves: list[int], legal: NDArray[np.bool_]) -> None:
        legal[moves[: self._rules.legal_moves(s, moves)]] = True

    def action_text(self, s: AnyState, action: int) -> str:
        return self._rules.move_text(s, action)

    def moves(self, s: AnyState, action: int) -> Sequence[int]:
        return (action,)

    def broken_rule(self, s: AnyState, action: int) -> str:
        return self._rules.broken_rule(s, action)

    def play(self, s: AnyState, action: int) -> None:
        self._rules.play(s, action)


class Places:
    """Actions that are places in the ascending list of legal moves, for a game whose move numbers have no known bound.

    The same action can mean different moves in different positions.
    """

    def __init__(self, rules: AnyRules) -> None:
        self._rules = rules

    def mark_legal(self, s: AnyState, moves: list[int], legal: NDArray[np.bool_]) -> None:
        legal[: self._rules.legal_moves(s, moves)] = True

    def action_text(self, s: AnyState, action: int) -> str:
        if broken := self.broken_rule(s, action):
            raise IllegalMove(broken)
        return self._rules.move_text(s, legal_moves(self._rules, s)[action])

    def moves(self, s: AnyState, action: int) -> Sequence[int]:
        return (legal_moves(self._rules, s)[action],)

    def broken_rule(self, s: AnyState, action: int) -> str:
        last = len(legal_moves(self._rules, s)) - 1
        return "" if action <= last else f"There is no action {action} here; the actions are 0 to {last}."

    def play(self, s: AnyState, action: int) -> None:
        self._rules.play(s, legal_moves(self._rules, s)[action])
