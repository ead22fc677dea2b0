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
MOST_POSITIONS = 20_000  # tried for the value of one
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


def position_value(s: rules.State) -> int | None:
    """What a puzzle's position is worth to who is asked, whom `puzzle_rules.ask` has noted, against all others: 1 for a
    win, 0 for a shared one, -1 for a loss. None where nobody is asked, or where more than MOST_POSITIONS are tried.
    """
    asked = s.is_left[0]
    return _against_all(s, asked, -1, 1, [MOST_POSITIONS]) if asked else None


def _against_all(s: rules.State, asked: int, low: int, high: int, left: list[int]) -> int | None:
    """The value if it lies between `low` and `high`, else a bound; `left` are the positions that may still be tried."""
    if not s.is_left[asked]:
        return -1
    if s.is_over:
        return 1 if s.num_left == 1 else 0
    left[0] -= 1
    if left[0] < 0:
        return None
    out = [0] * rules.most_moves(s)
    is_asked = s.mover == asked
    best = -1 if is_asked else 1
    for move in out[: rules.legal_moves(s, out)]:
        after = copy(s)
        rules.play(after, move)
        value = _against_all(after, asked, low, high, left)
        if value is None:
            return None
        if is_asked:
            best = max(best, value)
            low = max(low, best)
        else:
            best = min(best, value)
            high = min(high, best)
        if low >= high:
            break
    return best


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
