"""Fits the weights of a game's patterns, by backward induction from the ends of games.

Positions come from games of the program against itself. For each number of plies left, from 1 on, their values are
found by looking a few plies ahead, where the weights for fewer plies left value them; where the game ends on the way,
the values are exact. Ridge regression then finds the weights with which the totals of patterns come nearest to these
values. A weight for which there are few positions stays near that for one ply less.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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
FREE = 1e-3  # the ridge of the weight of every position
ROUNDS = 6  # of a fit with a bound
HALVED = 6  # times that a step may be
FLAT = 0.02  # added to a slope, so that a position that is far beyond the bound still counts
CHANCES = (50, 150, 400, 1000)  # in 1,000, of random moves in the games of later rounds


@dataclass(frozen=True)
class Recipe:
    """How weights are made."""

    positions: int = 12_000  # for each number of plies left, before equal ones are left out
    depth: int = 4  # plies that are looked ahead
    exact: int = 0  # plies left up to which the search goes to the end of the game, if they are more
    rounds: int = 2  # the first learns from random games, each other from games with the weights of the one before
    ridge: float = 8.0  # how strongly a weight is held, in positions
    bound: float = 0.0  # points that values approach, so that what is won by far counts little more; 0 for no bound
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
        parts = np.asarray(patterns.parts(start))[self._classes]  # numbered anew, with a last one that counts nothing
        used, place = np.unique(np.append(parts.ravel(), -1), return_inverse=True)
        self._num_parts = len(used) - 1
        self._parts: Ints = np.where(place == 0, self._num_parts, place - 1)[:-1].reshape(parts.shape)
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
            before: Floats = np.zeros(len(self._classes) + 1 + self._num_parts)
            for left in range(1, self._plies + 1):
                positions = games[:, self._plies - left]
                keys, settled = self._keys(positions)
                firsts = _first_of_each(keys)
                positions = positions[firsts]
                found = self._pressed(self._values(positions, left, rows, table) - settled[firsts])
                before, error = self._fit(positions, found, before)
                rows[left] = self._row(before)
                inherited = self.errors[left - self._ahead(left)]
                self.errors[left] = np.hypot(error, inherited)
                report(number, left, len(positions), error)
            self.rows = rows
        return Weights(self.rows, self.errors)

    def _ahead(self, left: int) -> int:
        """How many plies are looked ahead with so many plies left."""
        return left if left <= self._recipe.exact else min(self._recipe.depth, left)

    def _row(self, weights: Floats) -> Ints:
        """The weight of each pattern, and that of every position, from those of classes and parts."""
        num_classes = len(self._classes)
        each = weights[:num_classes].copy()
        if self._num_parts:
            each += np.append(weights[num_classes + 1 :], 0.0)[self._parts].sum(axis=1)
        row: Ints = np.append(each[self._class_of], weights[num_classes]).astype(np.int64)
        return np.clip(row, -MOST_WEIGHT, MOST_WEIGHT)

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
        depth = self._ahead(left)
        self._module.value_all(
            positions, found, table, self._counts, rows, *self._searching, *self._room, self._margins, depth
        )
        return found.astype(np.float64)

    def _fit(self, positions: Records, found: Floats, before: Floats) -> tuple[Floats, float]:
        """The weights of classes of patterns, of every position and of parts; and how far off they are."""
        written = np.full((len(positions), self._module.most_patterns(positions, self._room[0])), -1, np.int32)
        self._module.write_patterns(positions, written, self._room[0])
        unused = len(self._classes) + 1
        active = np.append(self._class_of, unused)[written]
        active = np.concatenate([active, np.full((len(active), 1), unused - 1)], axis=1)
        design = Design(active, self._numbers_of_parts(active), unused)
        is_fitted = np.arange(len(active)) % HELD_OUT != 0
        change = self._change(design.of(is_fitted), found[is_fitted], before)
        weights = np.clip(np.rint(before + change), -MOST_WEIGHT, MOST_WEIGHT)
        told = self._pressed(design.of(~is_fitted).totals(weights))
        error = np.mean((found[~is_fitted] - told) ** 2) / np.mean(self._slopes(told) ** 2)
        return weights, float(np.sqrt(error) / horizon.POINT)

    def _change(self, design: "Design", wanted: Floats, before: Floats) -> Floats:
        """What the fit adds to weights. Where values are pressed below a bound, sums are too, and it takes steps."""
        cost = np.full(len(before), self._recipe.ridge)
        cost[len(self._classes)] = FREE
        change = np.zeros(len(before))
        for _ in range(ROUNDS if self._recipe.bound else 1):
            told = self._pressed(design.totals(before + change))
            more = _ridge(design, self._slopes(told), wanted - told, cost, cost * change)
            lost = self._lost(design, wanted, before, change, cost)
            for _ in range(HALVED if self._recipe.bound else 0):  # a step may be too long where sums are pressed
                if self._lost(design, wanted, before, change + more, cost) <= lost:
                    break
                more /= 2
            change += more
        return change

    def _lost(self, design: "Design", wanted: Floats, before: Floats, change: Floats, cost: Floats) -> float:
        """What a fit makes small."""
        off = wanted - self._pressed(design.totals(before + change))
        return float(off @ off + cost @ change**2)

    def _pressed(self, totals: Floats) -> Floats:
        """Totals below the recipe's bound, in the order of the totals."""
        most = self._recipe.bound * horizon.POINT
        return most * np.tanh(totals / most) if most else totals

    def _slopes(self, pressed: Floats) -> Floats:
        """By how much pressed totals grow with the totals."""
        most = self._recipe.bound * horizon.POINT
        return 1 - (pressed / most) ** 2 + FLAT if most else np.ones_like(pressed)

    def _numbers_of_parts(self, active: Ints) -> Floats:
        """[position, part]: how often each part is in the patterns."""
        most = self._num_parts
        found = np.zeros((len(active), most))
        if most > 0:
            parts = np.append(self._parts, np.full((2, self._parts.shape[1]), most), axis=0)
            for i, row in enumerate(active):
                found[i] = np.bincount(parts[row].ravel(), minlength=most + 1)[:most]
        return found


@dataclass(frozen=True)
class Design:
    """What the weights are summed over, for some positions: the classes of their patterns, and the parts of these."""

    active: Ints  # [position, any]: a class; the last but one is in every position, and the last counts nothing
    parts: Floats  # [position, part]: how often
    count: int  # of classes that count

    def of(self, chosen: npt.NDArray[np.bool_]) -> "Design":
        """Those of some of the positions."""
        return Design(self.active[chosen], self.parts[chosen], self.count)

    def totals(self, weights: Floats) -> Floats:
        """The sum of the weights in each position."""
        total: Floats = np.append(weights[: self.count], 0.0)[self.active].sum(axis=1)
        return total + self.parts @ weights[self.count :] if self.parts.shape[1] else total

    def turned(self, per_position: Floats) -> Floats:
        """For each weight the sum of the numbers of the positions that it is in."""
        each = np.repeat(per_position, self.active.shape[1])
        found = np.bincount(self.active.ravel(), each, self.count + 1)[: self.count].astype(np.float64)
        return np.append(found, per_position @ self.parts) if self.parts.shape[1] else found

    def squares(self, per_position: Floats) -> Floats:
        """For each weight the sum of the squares of the numbers of the positions that it is in."""
        each = np.repeat(per_position**2, self.active.shape[1])
        found = np.bincount(self.active.ravel(), each, self.count + 1)[: self.count]
        return np.append(found, per_position**2 @ self.parts**2)


def _first_of_each(keys: Ints) -> Ints:
    return np.sort(np.unique(keys, return_index=True)[1])


def _ridge(design: Design, slopes: Floats, wanted: Floats, cost: Floats, pull: Floats) -> Floats:
    """The numbers whose totals, times the slopes, come nearest to what is wanted, by conjugate gradients.

    Each number costs its square times its cost, and twice itself times its pull.
    """
    found = np.zeros(len(cost))
    residual = design.turned(slopes * wanted) - pull
    ease = 1 / (design.squares(slopes) + cost) if design.parts.shape[1] else np.ones_like(cost)
    eased = ease * residual
    direction = eased.copy()
    size = first = float(residual @ eased)
    for _ in range(STEPS):
        if size <= CLOSE**2 * first or size == 0.0:
            break
        product = design.turned(slopes**2 * design.totals(direction)) + cost * direction
        step = size / float(direction @ product)
        found += step * direction
        residual -= step * product
        eased = ease * residual
        size, before = float(residual @ eased), size
        direction = eased + size / before * direction
    return found
