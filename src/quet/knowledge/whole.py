"""Tables that have the value of every position of a small game: saved ones, or made when they are asked for."""

from typing import TYPE_CHECKING

from ..capabilities import NO_VALUE, SolvedForMany
from ..core.errors import TooLarge
from ..core.rules import advantage
from ..game import Game
from .known import Budget
from .values import asked_of_saved

if TYPE_CHECKING:
    from ..capabilities import Solved
    from ..core.rules import AnyState
    from ..engine.arrays import Ints, Records


def whole_table(game: Game, budget: Budget) -> "Solved[AnyState] | None":
    """A table of this position and of all that can come after it; None where there is none, or not within this budget.

    A saved tablebase, or one that is made now. A damaged one is passed over, with a TablebaseWarning.
    """
    from ..solving.choose import all_positions

    if game.num_players > 2 or game.is_over:
        return None
    saved = asked_of_saved(game, lambda table: table if table.covers(game.state) else None)
    if saved is not None:
        return saved
    try:
        return all_positions(game.rules, game.entry.capabilities, game.state, budget.task())
    except TooLarge:
        return None


def values_of(game: Game, table: "Solved[AnyState]", states: "Records") -> "Ints":
    """The value of each state, over or not, from a table that covers all; NO_VALUE where it doesn't have it.

    Values are those of `Solved`: where the lower score is better, times -1.
    """
    if isinstance(table, SolvedForMany):
        return table.values_of(states, game.rules)
    import numpy as np

    from ..engine.arrays import unpack

    kind = type(game.state)
    found = np.full(len(states), NO_VALUE, np.int64)
    for i, record in enumerate(states):
        value = one_value(game, table, unpack(record, kind))
        if value is not None:
            found[i] = value
    return found


def one_value(game: Game, table: "Solved[AnyState]", s: "AnyState") -> int | None:
    """The value of one state, over or not; None where the table doesn't have it."""
    return advantage(game.rules, s) if game.rules.is_over(s) else table.value(s)
