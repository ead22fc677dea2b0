"""The way to an answer that suits a game: its own, an exact search, or the best that a search of games can find."""

from typing import Any

from ..core.errors import BadParameter
from . import improve, perfect
from .answer import Answer, Task

MOST_SECONDS = 600.0  # for an exact search, unless a time is given


def answer(rules: Any, state: Any, task: Task, *, exact: Any, local_search: Any, own: Any) -> Answer:
    """What can be found out of the game that begins with `state`; the last three are the game's own modules or None.

    Raises BadParameter for a question that makes no sense.
    """
    if task.is_lowest and rules.num_players(state) > 1:
        raise BadParameter("Only solitaires have a lowest score.")
    if rules.num_players(state) > 2:
        raise BadParameter("Only games of one or two players have a value; give players=2.")
    if own is not None:
        found: Answer = own.solve(state, task)
        return found
    if task.is_lowest:
        raise BadParameter("This solitaire has nothing that looks for a lowest score.")
    exactly = perfect.solve(rules, exact, state, task.within(MOST_SECONDS))
    if exactly is not None and (exactly.is_proven or exactly.witness):
        return exactly
    return improve.solve(rules, exact, local_search, state, task)
