"""What a game's own strategies add to an answer that is still open."""

from dataclasses import replace

from ..capabilities import Hold, Line, Strategy
from ..core.rules import AnyRules, AnyState, difference, legal_moves
from ..core.state import copy
from ..distribution.task import Answer


def improved(
    answer: Answer, rules: AnyRules, state: AnyState, strategy: Strategy[AnyState] | None, *, is_start: bool
) -> Answer:
    """The answer with the bounds that strategies hold, where these are better; as it is without strategies.

    What a certificate can rest on is for whole games, and so is asked where the state `is_start`.
    """
    if strategy is None:
        return answer
    certified = {ground["for"][0]: value for value, ground in strategy.find(state)} if is_start else {}
    better = _within(answer, strategy.METHOD, certified.get("low"), certified.get("high"))
    is_certain = bool(certified) and certified.get("low") == certified.get("high")
    if better is not answer and is_certain and isinstance(strategy, Line):
        line = strategy.line(state)
        return replace(better, value=better.low, witness=line, best_moves=line[:1], has_all_best=False)
    low, high = held(rules, state, strategy)
    found = _within(better, strategy.METHOD, low, high)
    if found is better:
        return better
    found = replace(found, is_too_large_to_certify=True)
    is_own = (found.low != better.low) if rules.mover(state) == 1 else (found.high != better.high)
    first = _first(rules, state, strategy) if is_own else []
    if not first and not found.is_proven:
        return found
    line = _line(rules, state, strategy)
    if found.is_proven:
        is_shown = found.low == _value(rules, state, line)
        line = line if is_shown else first
        return replace(found, value=found.low, witness=line, best_moves=line[:1], has_all_best=False)
    return replace(found, witness=line, best_moves=first, has_all_best=False)


def held(rules: AnyRules, s: AnyState, strategy: Strategy[AnyState] | None) -> tuple[int | None, int | None]:
    """The bounds that strategies hold from s on, at any size; None for a side that they don't hold."""
    if not isinstance(strategy, Hold) or rules.is_over(s) or rules.num_players(s) != 2:
        return None, None
    low, high = (None if one is None else one[0] for one in (strategy.hold(s, 1), strategy.hold(s, 2)))
    if rules.LOWER_IS_BETTER:  # strategies have such values times -1
        return (None if high is None else -high), (None if low is None else -low)
    return low, high


def is_enough(rules: AnyRules, s: AnyState, strategy: Strategy[AnyState] | None) -> bool:
    """Whether strategies hold the value for both players."""
    low, high = held(rules, s, strategy)
    return low is not None and low == high


def _within(answer: Answer, method: str, low: int | None, high: int | None) -> Answer:
    """The answer with these bounds where they are better; the same answer where neither is."""
    low = max((bound for bound in (answer.low, low) if bound is not None), default=None)
    high = min((bound for bound in (answer.high, high) if bound is not None), default=None)
    if (low, high) == (answer.low, answer.high):
        return answer
    methods = dict.fromkeys(one for one in (answer.method, method) if one)
    return replace(answer, low=low, high=high, method="; ".join(methods))


def _first(rules: AnyRules, s: AnyState, strategy: Strategy[AnyState]) -> list[int]:
    """The move with which the mover's strategy goes on; none where it holds nothing."""
    own = strategy.hold(s, rules.mover(s)) if isinstance(strategy, Hold) else None
    return [] if own is None else [own[1]]


def _line(rules: AnyRules, state: AnyState, strategy: Strategy[AnyState]) -> list[int]:
    """A game in which both play their strategies; who has none plays the first move that is legal."""
    s, line = copy(state), list[int]()
    while not rules.is_over(s):
        move, *_ = _first(rules, s, strategy) or legal_moves(rules, s)
        line.append(move)
        rules.play(s, move)
    return line


def _value(rules: AnyRules, state: AnyState, line: list[int]) -> int:
    """What a whole game is worth."""
    s = copy(state)
    for move in line:
        rules.play(s, move)
    return difference(rules, s)
