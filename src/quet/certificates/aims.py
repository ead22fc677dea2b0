"""Results of a game as certificates tell them, and which of several the mover takes.

A result is a tuple: the score of a solitaire, of two players the difference, of more the scores of all.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

Result = tuple[int, ...]


def result(rules: Any, s: Any) -> Result:
    """What stands on the score sheet."""
    scores = [int(rules.score(s, player)) for player in range(1, rules.num_players(s) + 1)]
    return (scores[0] - scores[1],) if len(scores) == 2 else tuple(scores)


def as_result(claimed: int | Sequence[int]) -> Result:
    """What a certificate writes as a number or as a list of them."""
    return (claimed,) if isinstance(claimed, int) else tuple(claimed)


def told(found: Result) -> str:
    """A result in words."""
    return ", ".join(map(str, found))


def ahead(scores: Sequence[int], player: int) -> int:
    """What all others have paid, less what the player has, once for each of them."""
    return sum(scores) - len(scores) * scores[player - 1]


def share(scores: Sequence[int], player: int) -> Fraction:
    """The player's part of the win, of which all who are left have equal parts."""
    return Fraction(scores[player - 1], sum(scores) or 1)  # nobody is left in a false table only


WISHES: dict[str, Callable[[Sequence[int], int], Any]] = {  # what each of three or more players wants large
    "convoluted-coprimality": share,
    "divisors-multiples": ahead,
}


def aim(game: str, rules: Any, s: Any, *, is_lowest: bool) -> Callable[[Result], Any]:
    """What the mover wants to be as large as it can: of no two results is it the same.

    With three and more players that is the wish of the mover, where that doesn't decide of the next player, and so on;
    at last that the scores are small together.
    """
    players: int = rules.num_players(s)
    if players > 2:
        wish = WISHES[game]
        order = [(rules.mover(s) - 1 + i) % players + 1 for i in range(players)]
        return lambda scores: (*(wish(scores, player) for player in order), -sum(scores))
    is_raised = not is_lowest if players == 1 else (rules.mover(s) == 1) != rules.LOWER_IS_BETTER
    return lambda scores: scores[0] if is_raised else -scores[0]
