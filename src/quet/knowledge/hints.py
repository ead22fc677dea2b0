"""A hint: a good move in a position, found in about a second, and what it is worth."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.errors import IllegalMove, NotCompiled
from ..core.messages import say
from ..game import Game
from .search import search_for
from .worth import best_score, expected_share, in_words, line_text

if TYPE_CHECKING:
    from ..engine.tree import Findings


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


def hint(game: Game, *, seconds: float = 1.0, seed: int | None = None, stop: threading.Event | None = None) -> Hint:
    """A good move for the mover; `stop` ends the search early.

    Raises IllegalMove when the game is over, and TooLarge when the search lacks memory.
    """
    if game.is_over:
        raise IllegalMove(say("The game is over."))
    is_plain = False
    try:
        findings = search_for(game, seed=seed).run(seconds=seconds, stop=stop)
    except NotCompiled:
        is_plain = True
        findings = search_for(game, seed=seed, is_plain=True).run(seconds=seconds, stop=stop)
    line = [game.rules.move_text(game.state, move) for move in findings.line]
    return Hint(game.rules.move_text(game.state, findings.move), _worth(game, findings), line, is_plain)


def _worth(game: Game, findings: "Findings") -> str:
    if game.num_players > 1:
        return in_words(expected_share(findings.candidates[:1]), game)
    value = best_score([findings])
    if value.is_exact:
        return say("the best score still reachable is {score}", score=in_words(value, game))
    return say("the best score found is {score}", score=in_words(value, game))
