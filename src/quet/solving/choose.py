"""Which way of solving suits a game and its size. Only this module decides it.

`quet solve`, computer players, analysis and tablebases ask here. The ways, the best first: the table that the game
makes itself; alpha-beta by its keys or, near the end of a game too large for them, by the moves made; a tree search,
where it is enough to know who wins; and the rules alone, for a game that offers nothing else.
"""

from enum import Enum

from ..capabilities import Capabilities, Solved
from ..catalog import Entry
from ..certificates import claims
from ..core.rules import AnySearchRules, AnyState
from ..distribution.task import Task


class Way(Enum):
    """A way of solving."""

    TABLE = "the game's own table"
    KEYS = "alpha-beta by the game's keys"
    MOVES = "alpha-beta by the moves made"
    TREE = "a tree search"
    RULES = "the rules alone"


def way(
    rules: AnySearchRules,
    capabilities: Capabilities,
    state: AnyState,
    *,
    memory: int | None,
    is_whole_board: bool = False,
) -> Way | None:
    """The way for a position of this size; None where none is known.

    `memory` is how many bytes a table may take; None where somebody waits for the answer, so that it must be quick.
    `is_whole_board` says that the game is searched by whole boards; it then has too many positions for most ways.
    """
    has = capabilities
    if rules.num_players(state) > 2:
        return None
    key_bits = has.key_bits(rules, state)
    has_keys = key_bits == 0
    if has.table is not None:
        is_quick = has.table.is_quick(state)
        if is_quick if memory is None else has.table.needed(state) <= memory or (is_quick and not has_keys):
            return Way.TABLE
    if has_keys:
        return Way.KEYS
    if key_bits is not None:
        return Way.MOVES
    if has.is_sign_value and rules.num_players(state) == 2:
        return Way.TREE
    if has.keys is not None or has.table is not None or is_whole_board:
        return None
    # In a large solitaire a search often meets a score that can't be beaten long before it has tried everything.
    is_often_met = rules.num_players(state) == 1 and has.bounds is not None and memory is None
    return Way.TREE if is_often_met else Way.RULES


def can_be_solved(entry: Entry, num_players: int) -> bool:
    """Whether there is any way for this game of so many players, at some size."""
    if num_players > 2:
        return claims.of(entry.id).wish is not None
    has = entry.capabilities
    return has.table is not None or has.keys is not None or has.is_sign_value or entry.local_search is None


def all_positions(
    rules: AnySearchRules, capabilities: Capabilities, state: AnyState, task: Task
) -> Solved[AnyState] | None:
    """A table of all positions, for a solve that didn't make one.

    None where there can be no table of this game, or where it takes too much memory or time.
    """
    from ..engine import positions

    found = way(rules, capabilities, state, memory=task.memory)
    if found is Way.TABLE and capabilities.table is not None:
        return capabilities.table.solve(state, task)
    if found is Way.KEYS:
        return positions.solve(rules, capabilities, state, memory=task.memory, until=task.until, report=task.report)
    return None
