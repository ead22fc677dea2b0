"""Fits the weights of a game's patterns, by backward induction from the ends of games.

Positions come from games of the program against itself. For each number of plies left, from 1 on, their values are
found by looking a few plies ahead, where the weights for fewer plies left value them; where the game ends on the way,
the values are exact. Ridge regression then finds the weights with which the totals of patterns come nearest to these
values. A weight for which there are few positions stays near that for one ply less.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..capabilities import Patterns
from ..core.rules import AnyState
from ..engine import arrays, horizon
from ..engine.arrays import Floats, Ints, Records
from ..engine.compiled import compiled
from ..engine.horizon_search import Weights
from ..engine.tree import mixed

TABLE = 1 << 16  # entries of the searches' table
HELD_OUT = 10  # one position in so many is left out of the fit, and tells how far off it is
STEPS = 60  # of a fit, at most
CLOSE = 1e-4  # a fit ends when what is left of its error is so small a part of it
MOST_WEIGHT = (1 << 15) - 1
CHANCES = (50, 150, 400, 1000)  # in 1,000, of random moves in the games of later rounds


@dataclass(frozen=True)
class Recipe:
    """How weights are made."""

    positions: int = 12_000  # for each number of plies left, before equal ones are left out
    depth: int = 4  # plies that are looked ahead
    rounds: int = 2  # the first learns from random games, each other from games with the weights of the one before
    ridge: float = 8.0  # how strongly a weight is held, in positions
    seed: int = 0


class Fit:
    """The weights of one game's patterns in the making."""

    def __init__(self, patterns: Patterns[AnyState], start: AnyState, recipe: Recipe) -> None:
        """`start` is the first position of a game, as the patterns have it."""
        self._patterns, self._start, self._recipe = patterns, start, recipe
        self._module = compiled(horizon, rules=patterns)
        self._plies = patterns.plies_left(start)
        most_moves, num_patterns = patterns.most_moves(start), patterns.num_patterns(start)
        self._stack = np.zeros(self._plies + 1, arrays.dtype(type(start)))
        self._moves = np.zeros((self._plies + 1, most_moves), np.int64)
        self._room = np.zeros((2, num_patterns), np.int64)
        self._searching = (
            self._stack.copy(),
            np.zeros(self._plies + 1, horizon.FRAME),
            self._moves,
            np.zeros((self._plies + 1, most_moves), np.int64),
            np.zeros((most_moves, 2), np.int64),
        )
        self._margins = np.full(self._plies + 1, horizon.UNKNOWN)
        self._counts = np.zeros(3, np.int64)
        self._classes, self._class_of = np.unique(patterns.alike(start), return_inverse=True)
        self._rng = np.array([mixed(recipe.seed)], np.uint64)
        self.rows = np.zeros((self._plies + 1, num_patterns + 1), np.int32)
        self.errors = np.zeros(self._plies + 1)

    def run(self, report: Callable[[int, int, int, float], None] = lambda *_: None) -> Weights:
        """All rounds. `report` is called for each number of plies left, with the round, that number, how many positions
        there were, and the standard deviation of the values from the weights' totals, in points.
        """
        for number in range(1, self._recipe.rounds + 1):
            games = self._games(is_random=number == 1)
            rows, table = np.zeros_like(self.rows), np.zeros(TABLE, horizon.ENTRY)
            before: Floats = np.zeros(len(self._classes) + 1)
            for left in range(1, self._plies + 1):
                positions = games[:, self._plies - left]
                keys, settled = self._keys(positions)
                firsts = _first_of_each(keys)
                positions = positions[firsts]
                found = self._values(positions, left, rows, table) - settled[firsts]
                before, error = self._fit(positions, found, before)
                rows[left] = np.append(before[self._class_of], before[-1])
                inherited = self.errors[max(0, left - self._recipe.depth)]
                self.errors[left] = np.hypot(error, inherited)
                report(number, left, len(positions), error)
            self.rows = rows
        return Weights(self.rows, self.errors)

    def _games(self, *, is_random: bool) -> Records:
        """[game, ply]: positions of whole games."""
        games = np.zeros((self._recipe.positions, self._plies + 1), self._stack.dtype)
        moves, values = self._moves[0], np.zeros_like(self._moves[0])
        games[:, 0] = arrays.pack([self._start])[0]
        for i, game in enumerate(games):
            chance = 1000 if is_random else CHANCES[i % len(CHANCES)]
            self._module.play_game(game, moves, values, self.rows, *self._room, self._rng, chance)
        return games

    def _keys(self, positions: Records) -> tuple[Ints, Ints]:
        """Their keys, and what is settled in each, in parts of a point."""
        keys, settled = np.zeros((2, len(positions)), np.int64)
        self._module.write_keys(positions, keys, settled)
        return keys, settled

    def _values(self, positions: Records, left: int, rows: Ints, table: Records) -> Floats:
        """What the positions are worth, in parts of a point, looking ahead as far as the recipe says."""
        found = np.zeros(len(positions), np.int64)
        depth = min(self._recipe.depth, left)
        self._module.value_all(
            positions, found, table, self._counts, rows, *self._searching, *self._room, self._margins, depth
        )
        return found.astype(np.float64)

    def _fit(self, positions: Records, found: Floats, before: Floats) -> tuple[Floats, float]:
        """The weights of the classes of patterns, the last for every position, and how far off they are."""
        written = np.full((len(positions), self._module.most_patterns(positions, self._room[0])), -1, np.int32)
        self._module.write_patterns(positions, written, self._room[0])
        unused = len(self._classes) + 1
        active = np.append(self._class_of, unused)[written]
        active = np.concatenate([active, np.full((len(active), 1), unused - 1)], axis=1)
        held_out = np.arange(len(active)) % HELD_OUT == 0
        change = _ridge(
            active[~held_out], found[~held_out] - _totals(active[~held_out], before), unused, self._recipe.ridge
        )
        weights = np.clip(np.rint(before + change), -MOST_WEIGHT, MOST_WEIGHT)
        error = found[held_out] - _totals(active[held_out], weights)
        return weights, float(np.sqrt(np.mean(error**2)) / horizon.POINT)


def _first_of_each(keys: Ints) -> Ints:
    return np.sort(np.unique(keys, return_index=True)[1])


def _totals(active: Ints, weights: Floats) -> Floats:
    """The sum of the weights in each row; what lies beyond them counts nothing."""
    total: Floats = np.append(weights, 0.0)[active].sum(axis=1)
    return total


def _ridge(active: Ints, wanted: Floats, count: int, ridge: float) -> Floats:
    """The `count` numbers whose totals come nearest to what is wanted, by conjugate gradients.

    Each number but the last costs its square times `ridge`.
    """
    cost = np.full(count, ridge)
    cost[-1] = 1e-3

    def turned(per_row: Floats) -> Floats:
        return np.bincount(active.ravel(), np.repeat(per_row, active.shape[1]), count + 1)[:count].astype(np.float64)

    found = np.zeros(count)
    residual = turned(wanted)
    direction = residual.copy()
    size = first = float(residual @ residual)
    for _ in range(STEPS):
        if size <= CLOSE**2 * first or size == 0.0:
            break
        product = turned(_totals(active, direction)) + cost * direction
        step = size / float(direction @ product)
        found += step * direction
        residual -= step * product
        size, before = float(residual @ residual), size
        direction = residual + size / before * direction
    return found
