"""The way to an answer that suits a game: its own, an exact search, or the best that a search of games can find."""

from dataclasses import replace
from typing import Any

from ..core.errors import BadParameter
from ..distribution.task import Answer, Task

MOST_SECONDS = 600.0  # for an exact search, unless a time is given


def answer(
    rules: Any, state: Any, task: Task, *, exact: Any, local_search: Any, own: Any, strategy: Any = None
) -> Answer:
    """What can be found out of the game that begins with `state`; the last four are the game's own modules or None.

    The own solver may leave a question to the others and return None. Raises BadParameter for one that makes no sense.
    """
    if task.is_lowest and rules.num_players(state) > 1:
        raise BadParameter("Only solitaires have a lowest score.")
    found: Answer | None = None if own is None else own.solve(state, task)
    if found is not None:
        return found
    from . import improve, perfect, strategies  # with NumPy, which an own solver may do without

    if rules.num_players(state) > 2:
        raise BadParameter("Only games of one or two players have a value; give players=2.")
    if task.is_lowest:
        raise BadParameter("This solitaire has nothing that looks for a lowest score.")
    exactly = perfect.solve(rules, exact, state, task.within(MOST_SECONDS))
    if exactly is not None and exactly.is_proven:
        return exactly
    found = exactly
    if found is None or not found.witness:
        best = improve.solve(rules, exact, local_search, state, task)
        found = best if exactly is None else _joined(exactly, best)
    return found if strategy is None else strategies.improved(found, state, strategy)


def _joined(exactly: Answer, best: Answer) -> Answer:
    """The bounds of a search that wasn't done with the game that another one found."""
    nodes, method = exactly.nodes + best.nodes, f"{exactly.method}; {best.method}"
    return replace(exactly, witness=best.witness, best_moves=best.best_moves, nodes=nodes, method=method)
