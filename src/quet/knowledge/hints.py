"""A hint: a good move in a position, found in about a second, and what it is worth."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsIndex

from ..core.arguments import integer
from ..core.arguments import seconds as check_seconds
from ..core.errors import NotCompiled
from ..core.messages import say
from ..game import Game, check_game, check_going_on
from .search import search_for
from .worth import best_score, expected_share, in_words, line_text

if TYPE_CHECKING:
    from ..engine.tree import Findings


MOST_SECONDS = 3600.0  # that a hint may take


@dataclass(frozen=True)
class Hint:
    """A good move, with its worth and the best continuation."""

    move: str
    worth: str  # in words: `about 62 % of the win`, `a win`, `the best score found is 32`
    line: Sequence[str]  # the best continuation found, `move` first
    is_plain: bool = False  # found in plain Python, by a shorter look, as the search isn't compiled yet

    @property
    def sentence(self) -> str:
        """All of it: `Hint: e3, about 62 % of the win. Expected: e3 d4 d5.`"""
        line = line_text(self.line)
        found = say("Hint: {move}, {worth}. Expected: {line}.", move=self.move, worth=self.worth, line=line)
        if self.is_plain:
            return say("{hint} It comes from a short look, as the search is still being compiled.", hint=found)
        return found


def hint(
    game: Game, *, seconds: float = 1.0, seed: SupportsIndex | None = None, stop: threading.Event | None = None
) -> Hint:
    """A good move for the mover, found in so many seconds; `stop` ends the search early.

    Raises IllegalMove when the game is over, BadParameter, and TooLarge when the search lacks memory.
    """
    check_game(game)
    limit = check_seconds(say("The time"), seconds, MOST_SECONDS)
    number = None if seed is None else integer(say("The seed"), seed, 0, 2**48 - 1)
    check_going_on(game)
    is_plain = False
    try:
        findings = search_for(game, seed=number).run(seconds=limit, stop=stop)
    except NotCompiled:
        is_plain = True
        findings = search_for(game, seed=number, is_plain=True).run(seconds=limit, stop=stop)
    line = [game.rules.move_text(game.state, move) for move in findings.line]
    return Hint(game.rules.move_text(game.state, findings.move), _worth(game, findings), line, is_plain)


def _worth(game: Game, findings: "Findings") -> str:
    if game.num_players > 1:
        return in_words(expected_share(findings.candidates[:1]), game)
    value = best_score([findings])
    if value.is_exact:
        return say("the best score still reachable is {score}", score=in_words(value, game))
    return say("the best score found is {score}", score=in_words(value, game))
