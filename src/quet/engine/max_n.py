"""What every player may expect of a small game of three or more, found by trying all of it: max-n.

Each player takes what is best for themselves; moves that are equally good for the mover are equally likely, as nothing
tells them apart for those who don't know the mover's habits. Luckhardt and Irani, "An algorithmic solution of n-person
games", 1986. It runs as plain Python: games with so few positions are solved before anything is compiled.
"""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

from ..core.rules import AnyRules, AnyState, legal_moves
from ..core.state import copy

Shares = tuple[float, ...]  # of the win, player 1's first; they make 1 together

SMALLEST = 1e-9  # shares that differ by less are equal but for rounding


@dataclass
class _Position:
    """A position on the way from the first one, and what is known of it so far."""

    state: AnyState
    key: bytes
    moves: list[int]
    after: list[Shares] = field(default_factory=list)  # the shares after the first of the moves


class MaxN:
    """Finds the shares of the win in positions of one game, and keeps those of all positions that it met."""

    def __init__(self, rules: AnyRules) -> None:
        self._rules = rules
        self._shares: dict[bytes, Shares] = {}

    @property
    def num_positions(self) -> int:
        """The number of positions whose shares are known."""
        return len(self._shares)

    def after(self, s: AnyState, most_positions: int) -> dict[int, Shares] | None:
        """The shares after each legal move in s; None where that takes more than `most_positions` new positions."""
        limit = len(self._shares) + most_positions
        found = {}
        for move in legal_moves(self._rules, s):
            twin = copy(s)
            self._rules.play(twin, move)
            shares = self._of(twin, limit)
            if shares is None:
                return None
            found[move] = shares
        return found

    def best(self, s: AnyState, most_positions: int) -> list[int]:
        """The moves that are best for the mover, in ascending order; none where `after` gives none."""
        after = self.after(s, most_positions)
        return [] if after is None else best(after, self._rules.mover(s))

    def _of(self, first: AnyState, limit: int) -> Shares | None:
        known = self._known(first)
        if known is not None:
            return known
        way = [self._position(first)]
        while True:
            position = way[-1]
            if len(position.after) < len(position.moves):
                twin = copy(position.state)
                self._rules.play(twin, position.moves[len(position.after)])
                known = self._known(twin)
                if known is not None:
                    position.after.append(known)
                elif len(self._shares) + len(way) >= limit:
                    return None
                else:
                    way.append(self._position(twin))
                continue
            after = dict(zip(position.moves, position.after, strict=True))
            taken = [after[move] for move in best(after, self._rules.mover(position.state))]
            known = tuple(sum(column) / len(taken) for column in zip(*taken, strict=True))
            self._shares[position.key] = known
            way.pop()
            if not way:
                return known
            way[-1].after.append(known)

    def _known(self, s: AnyState) -> Shares | None:
        """The shares of a game that is over, or of a position met before."""
        rules = self._rules
        if not rules.is_over(s):
            return self._shares.get(key(s))
        sign = -1 if rules.LOWER_IS_BETTER else 1
        scores = [sign * rules.score(s, player) for player in range(1, rules.num_players(s) + 1)]
        return tuple((score == max(scores)) / scores.count(max(scores)) for score in scores)

    def _position(self, s: AnyState) -> _Position:
        return _Position(s, key(s), legal_moves(self._rules, s))


def best(after: Mapping[int, Shares], mover: int) -> list[int]:
    """The moves after which the mover's share is largest."""
    most = max(shares[mover - 1] for shares in after.values())
    return [move for move, shares in after.items() if shares[mover - 1] > most - SMALLEST]


def key(s: AnyState) -> bytes:
    """Sixteen bytes that differ for different positions; among millions two agree with a chance below one in 2^80."""
    digest = blake2b(digest_size=16)
    for name in type(s).__slots__:
        value = getattr(s, name)
        digest.update(array("q", [value] if type(value) is int else value))
    return digest.digest()
