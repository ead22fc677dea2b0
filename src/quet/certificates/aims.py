"""Results of a game as certificates tell them, and which of several the mover takes.

A result is a tuple: the score of a solitaire, the difference of the scores of two players, or the scores of all players
where there are more.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from ..core.rules import AnyRules, AnyState, wants_high
from .claims import Subject

LARGEST_VALUE = 10**12  # of a result, up or down; no game of a size that is solved comes near

Result = tuple[int, ...]
Aim = Callable[[Result], tuple[int | Fraction, ...]]


def is_value(value: object) -> bool:
    """Whether it is an integer that a result can have."""
    return type(value) is int and abs(value) <= LARGEST_VALUE


def result(rules: AnyRules, s: AnyState) -> Result:
    """The result as the scores stand."""
    scores = [int(rules.score(s, player)) for player in range(1, rules.num_players(s) + 1)]
    return (scores[0] - scores[1],) if len(scores) == 2 else tuple(scores)


def as_result(claimed: int | Sequence[int]) -> Result:
    """The result that a certificate writes as a number or as a list of numbers."""
    return (claimed,) if isinstance(claimed, int) else tuple(claimed)


def told(found: Result) -> str:
    """A result in words."""
    return ", ".join(map(str, found))


def aim(subject: Subject, s: AnyState, *, is_lowest: bool) -> Aim:
    """A number, or several, that differ for any two results; the mover takes the move whose result has the largest.

    With three or more players the first number is the wish of the mover. Where it is the same for two results, the wish
    of the next player decides, and so on; in the end the result with the smaller sum of scores is taken. The game must
    have a `wish` then.
    """
    rules = subject.rules
    players = rules.num_players(s)
    if players > 2:
        wish = subject.wish
        assert wish is not None
        order = [(rules.mover(s) - 1 + i) % players + 1 for i in range(players)]
        return lambda scores: (*(wish(scores, player) for player in order), -sum(scores))
    is_raised = not is_lowest if players == 1 else wants_high(rules, rules.mover(s))
    return lambda scores: scores if is_raised else (-scores[0],)
