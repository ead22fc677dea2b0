"""Which answers a strategy takes: `cover.py`, compiled, with room for what it writes."""

import numpy as np

from . import cover
from .arrays import Floats, Ints, Words
from .compiled import compiled

ALIKE = np.zeros(0)  # the weights where every new position costs the same


def chosen(
    first: Ints, served: Ints, needs: Ints, is_needed: Words, num_positions: int, touch: float, weights: Floats = ALIKE
) -> Ints:
    """For each position the place in `served` of the answer that serves it. One has to serve each of them.

    Answer a begins at first[a] in `served`. The rest is as for `cover`, which adds to `is_needed`.
    """
    num_answers = len(first)
    found = np.zeros(num_positions, np.int64)
    compiled(cover).cover(
        np.append(first, len(served)), served, needs, weights, is_needed, found,
        np.zeros(num_answers), np.zeros(num_answers, np.int64), touch,
    )  # fmt: skip
    assert found.min() >= 0  # or a value is wrong: each position has a move that keeps it
    return found
