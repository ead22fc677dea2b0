"""A solitaire's score in proportion: beside the best that is known of it, and what a computer player gets."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..core.errors import QuetError
from ..core.facts import level_facts
from ..core.messages import Message, joined, say
from ..core.parameters import written
from ..game import Game
from ..results.best import best_row
from ..results.row import Row

LEVEL = 3  # the computer player that scores are compared with


@dataclass(frozen=True)
class Proportion:
    """The score of a solitaire that its rules have ended, beside a row of the table of best results."""

    score: int
    row: Row  # of the best score: the highest, or the lowest where the lower score is better
    is_known: bool = False  # whether this very game is the table's

    @property
    def is_beaten(self) -> bool:
        """Whether the score is better than all that the table has."""
        return self.score < self.row.number if self.row.is_lowest else self.score > self.row.number

    @property
    def is_best(self) -> bool:
        """Whether the score is at least as good as the best of the table."""
        return self.is_beaten or self.score == self.row.number

    @property
    def parts(self) -> Sequence[Message]:
        """How good the score is, as the beginning of a sentence."""
        row, words = self.row, {"score": self.score, "best": self.row.number, "bound": self.row.limit}
        if row.is_proven:
            kind = say("{score}, where {best} is the lowest possible (proven)", **words)
            return [kind if row.is_lowest else say("{score} of {best} possible (proven)", **words)]
        if row.is_lowest:
            return [say("{score}; the best known is {best}, and less than {bound} is impossible", **words)]
        return [say("{score}; the best known is {best}, and more than {bound} is impossible", **words)]

    @property
    def news(self) -> Message | None:
        """A sentence for whoever has equalled or beaten the table; None for others."""
        if self.is_beaten:
            return say("That is better than the best result known.")
        if not self.is_best:
            return None
        return say("No better score is possible.") if self.row.is_proven else say("That equals the best result known.")


def proportion(game: Game) -> Proportion | None:
    """The score of a game beside the best known; None unless it is a solitaire that is over and in the table.

    A table that can't be read is passed over.
    """
    if game.num_players > 1 or game.start or not game.is_over:
        return None
    try:
        row = best_row(game)
    except (QuetError, OSError):
        return None
    return None if row is None else Proportion(game.scores[0], row, is_known=" ".join(game.moves) == row.witness)


def level_score(game: Game) -> int | None:
    """What the computer player of LEVEL gets in such a game on average, as measured; None where nobody has measured."""
    parameters = written(game.parameters)
    for part in level_facts(game.entry.facts):
        if all(parameters[name] == value for name, value in part.parameters.items()) and len(part.scores) >= LEVEL:
            return round(part.scores[LEVEL - 1])
    return None


def in_proportion(game: Game, own: int | None = None) -> Message | None:
    """All of it in a sentence or two; None as for `proportion`. `own` is the player's best score before.

    >>> import quet
    >>> print(in_proportion(quet.new("up-and-up", n=2).after("a1").after("a2").after("b2").after("b1")))
    4 of 4 possible (proven). No better score is possible.
    """
    found = proportion(game)
    if found is None:
        return None
    parts = list(found.parts)
    if own is not None:
        is_news = own > found.score if found.row.is_lowest else own < found.score
        parts.append(
            say("your best here before was {score}", score=own) if is_news else say("your best here {score}", score=own)
        )
    mean = level_score(game)
    if mean is not None:
        parts.append(say("level {level} gets {score}", level=LEVEL, score=mean))
    whole = joined([joined(parts, "; "), "."], "")
    return whole if found.news is None else joined([whole, found.news], " ")
