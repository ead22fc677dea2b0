"""What a game's own strategies add to an answer that is still open."""

from dataclasses import replace

from ..capabilities import Line, Strategy
from ..core.rules import AnyState
from ..distribution.task import Answer


def improved(answer: Answer, state: AnyState, strategy: Strategy[AnyState] | None) -> Answer:
    """The answer with the bounds that strategies hold, where these are better; as it is without strategies."""
    if strategy is None:
        return answer
    held = {ground["for"][0]: value for value, ground in strategy.find(state)}
    low = max((v for v in (answer.low, held.get("low")) if v is not None), default=None)
    high = min((v for v in (answer.high, held.get("high")) if v is not None), default=None)
    if (low, high) == (answer.low, answer.high):
        return answer
    better = replace(answer, low=low, high=high, method=f"{answer.method}; {strategy.METHOD}")
    if held.get("low") != held.get("high") or not isinstance(strategy, Line):
        return better
    line = strategy.line(state)
    return replace(better, value=low, witness=line, best_moves=line[:1], has_all_best=False)
