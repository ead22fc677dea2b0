"""Rows of Palindromes, empty and partly filled, for the tests of its tables."""

import random

from quet.core.rules import legal_moves
from quet.games.palindromes import rules


def state(m: int) -> rules.State:
    """The empty row."""
    s = rules.State()
    rules.start(s, m)
    return s


def position(m: int, num_empty: int, seed: int) -> rules.State:
    """A row that random moves have filled, but for so many squares."""
    s, chance = state(m), random.Random(seed)
    while s.m - s.ply > num_empty:
        rules.play(s, chance.choice(legal_moves(rules, s)))
    return s
