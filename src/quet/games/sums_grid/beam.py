"""A beam search for a grid that scores at least m: of the grids with so many numbers, the best few are continued.

The best are those that waste the fewest runs, with those that their empty squares must waste. Lowerre, "The Harpy
speech recognition system", 1976. `beam_step.py` says what continues a grid.
"""

import itertools
import math
from collections.abc import Iterator

import numpy as np

from quet.core.clock import clock
from quet.engine.arrays import Floats, Ints
from quet.engine.compiled import compiled

from . import beam_step
from .exhaustive import tables
from .ways import Grid, score

Found = tuple[Ints, Floats, Ints]  # what continues grids, as `beam_step.expand` writes it

ROOM = 8  # grids that are found before the best are chosen, for each that is chosen
PORTION = 200  # grids continued between two looks at the clock
LATE, WIDER = 5, 4  # with fewer squares left, so many times as many grids are continued


def grid_by_beam(n: int, m: int, width: int, seed: int, seconds: float | None) -> tuple[Grid | None, int] | None:
    """A grid that scores m or more, None where none is met, and how many grids were looked at.

    The whole result is None when the time is over. It is a part of the work. Of grids with as many numbers, `width`
    are continued.
    """
    until = math.inf if seconds is None else clock() + seconds
    step = _Step(n, m, np.random.default_rng(seed))
    grids, wasted, count = np.zeros((1, n * n), np.int64), np.zeros(1, np.int64), 0
    for left in range(n * n - 1, -1, -1):
        most = width * (WIDER if left < LATE else 1)
        portions: list[Found] = []
        num_found = 0
        for found in step.portions(grids, wasted):
            if clock() >= until:
                return None
            portions.append(found)
            count += len(found[0])
            num_found += len(found[0])
            if num_found > ROOM * most:
                portions, num_found = [_best(portions, most)], most
        best = _best(portions, most)[0]
        grids, wasted = grids[best[:, beam_step.PARENT]], best[:, beam_step.WASTED]
        grids[np.arange(len(best)), best[:, beam_step.SQUARE]] = best[:, beam_step.NUMBER]
        done = grids[best[:, beam_step.IS_DONE] == 1]
        if len(done):
            return max((_full(m, grid.tolist()) for grid in done), key=lambda grid: score(n, grid)), count
        if not len(grids):
            break
    return None, count


def _best(portions: list[Found], most: int) -> Found:
    """The best grids, one of each name."""
    found, ranks, names = (np.concatenate(columns) for columns in zip(*portions, strict=True))
    first = np.unique(names, return_index=True)[1]
    order = first[np.argsort(ranks[first], kind="stable")[:most]]
    return found[order], ranks[order], names[order]


def _full(m: int, grid: Grid) -> Grid:
    """The grid with numbers above m in its empty squares."""
    above = itertools.count(m + 1)
    return [number or next(above) for number in grid]


class _Step:
    """What continues grids, by `beam_step.py`."""

    def __init__(self, n: int, m: int, rng: np.random.Generator) -> None:
        lengths, squares, through = (np.array(rows, np.int64) for rows in tables(n))
        keys = rng.integers(1 << 62, size=(n * n, m + 1))
        turned = [np.rot90(np.arange(n * n).reshape(n, n), k) for k in range(4)]
        images = np.array([image.flatten() for grid in turned for image in (grid, grid.T)])
        self._limits = (m, n**3 - m)
        self._tables = (lengths, squares, through, keys, images)
        self._module = compiled(beam_step)
        self._most = n * n + n**3  # grids that continue one

    def portions(self, grids: Ints, wasted: Ints) -> Iterator[Found]:
        """What continues the grids, some grids after the other."""
        m, most_wasted = self._limits
        lengths, squares, through, keys, images = self._tables
        known, empty = np.zeros((2, len(lengths)), np.int64)
        sets = np.zeros((beam_step.SETS, -(-m // beam_step.BITS)), np.int64)
        for first in range(0, len(grids), PORTION):
            some = grids[first : first + PORTION]
            room = len(some) * self._most
            found, ranks, names = np.zeros((room, beam_step.WIDTH), np.int64), np.zeros(room), np.zeros(room, np.int64)
            tried = np.zeros(keys.shape, np.int64)
            count = self._module.expand(
                m,
                most_wasted,
                some,
                wasted[first : first + PORTION],
                lengths,
                squares,
                through,
                keys,
                images,
                known,
                empty,
                sets,
                tried,
                found,
                ranks,
                names,
            )
            found[:count, beam_step.PARENT] += first
            yield found[:count].copy(), ranks[:count].copy(), names[:count].copy()
