"""Whole boards that are in reach from any position, where all of them can be changed (`local_search.py` of a game)."""

from dataclasses import replace

from ..capabilities import LocalSearch
from ..catalog import Entry
from ..core.rules import AnyRules, AnyState
from ..core.state import copy
from ..distribution.task import Answer, Task


def solved(entry: Entry, state: AnyState, start: AnyState, task: Task) -> Answer | None:
    """What the game's own solver finds from the start, with the moves that lead to that board from here.

    None where there is no such solver, and where what is on the board stays.
    """
    if entry.solve is None or entry.local_search is None:
        return None
    found = entry.solve.solve(start, task)
    if found is None or not found.witness:
        return found
    target, end = copy(start), copy(state)
    for move in found.witness:
        entry.rules.play(target, move)
    moves = moves_to(entry.rules, entry.local_search, state, target, is_lowest=task.is_lowest)
    for move in moves:
        entry.rules.play(end, move)
    value = entry.rules.score(end, 1)
    if value != found.value:  # a board that is there already is better than what was found
        low, high = (found.low, value) if task.is_lowest else (value, found.high)
        found = replace(found, value=value, low=low, high=high)
    return replace(found, witness=moves, best_moves=moves[:1])


def moves_to(
    rules: AnyRules, search: LocalSearch[AnyState], s: AnyState, target: AnyState, *, is_lowest: bool
) -> list[int]:
    """The moves from s to the end with the board of `target`; a full board that scores as much already stays."""
    sign = -1 if is_lowest else 1
    stay = search.moves_to(s, s)
    is_as_good = sign * rules.score(s, 1) >= sign * rules.score(target, 1) and not rules.broken_rule(s, stay[0])
    return stay if is_as_good else search.moves_to(s, target)
