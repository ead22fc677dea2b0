"""Convoluted Coprimality: every game is played by the rules, each new grid once."""

import time
from collections.abc import Mapping
from fractions import Fraction

from ...core.state import copy
from . import rules

LARGEST = 60
WORDS = "all games by the rules, each new grid once"
MOST_PLAYERS = 8  # that the rules allow
FINDS_BOUNDS = False
Shares = tuple[Fraction, ...]  # of the win, player 1's first


def value(parameters: Mapping[str, int | str], value: int, bound: int, until: float) -> int | None:
    """The value for two: 1 where player 1 wins alone, -1 where player 2 does, else 0."""
    found = scores(parameters, until)
    return None if found is None else found[0] - found[1]


def scores(parameters: Mapping[str, int | str], until: float) -> list[int] | None:
    """1 for those who win or share the win, by max-n; None when `time.monotonic()` is `until` before.

    Each wants a large share. If moves are equal for the mover, the best one for the next player counts, and so on.
    """
    n, players, grids = (int(parameters[name]) for name in ("n", "players", "grids"))
    everybody = (1 << players) - 1
    begun: dict[int, Shares] = {}  # the shares in the end by those who are left when the next grid is begun
    for grid in range(grids, 0, -1):
        now = {}
        for left in range(1, everybody + 1):
            if left & left - 1 and (grid > 1 or left == everybody):
                if time.monotonic() >= until:
                    return None
                now[left] = _shares(_begun(n, players, grids, grid, left), begun)
        begun = now
    return [int(share > 0) for share in begun[everybody]]


def _begun(n: int, players: int, grids: int, grid: int, left: int) -> rules.State:
    """The position in which those of the set `left` begin a grid: bit i stands for player i + 1."""
    s = rules.State()
    rules.start(s, n=n, players=players, grids=grids)
    s.grid, s.num_left = grid, left.bit_count()
    for player in range(1, players + 1):
        s.is_left[player] = left >> player - 1 & 1
    s.mover = (left & -left).bit_length()
    return s


def _shares(s: rules.State, begun: dict[int, Shares]) -> Shares:
    """The shares of the win in the end."""
    if s.is_over:
        return tuple(Fraction(s.is_left[player], s.num_left) for player in range(1, s.players + 1))
    out = [0] * rules.most_moves(s)
    found = []
    for move in out[: rules.legal_moves(s, out)]:
        after = copy(s)
        rules.play(after, move)
        if after.grid == s.grid:
            found.append(_shares(after, begun))
        else:
            found.append(begun[sum(after.is_left[player] << player - 1 for player in range(1, s.players + 1))])
    return max(found, key=lambda shares: shares[s.mover - 1 :] + shares[: s.mover - 1])
