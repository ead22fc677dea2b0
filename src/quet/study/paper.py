"""Reads what was played on paper, puts it on a board, and scores it with everything that counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .. import catalog
from ..catalog import Entry
from ..core.messages import joined, say
from ..core.numbers import integer_text
from ..core.position import Item, Position
from ..draw.scene import Scene
from ..game import Game
from ..records.outcome import outcome
from ..starts import on_paper


@dataclass(frozen=True)
class Judged:
    """A paper, judged."""

    game: Game  # that begins as on the paper; no move has been played in it
    position: Position  # the same, as the referee sees it
    items: Sequence[Item]  # what makes up the scores, player by player

    @property
    def scores(self) -> list[int]:
        """The score of each player, player 1 first."""
        return self.game.scores

    @property
    def scene(self) -> Scene:
        """The picture of what is on the paper."""
        return self.game.entry.picture.scene(self.position)

    @property
    def verdict(self) -> str:
        """Who won, or the score of a solitaire, as a sentence."""
        if self.game.is_over:
            return outcome(self.game, self.game.winners)
        words = [say("The game is unfinished.")]
        if self.game.num_players == 1:
            words.append(say("The score so far is {score}.", score=integer_text(self.game.scores[0])))
        return joined(words, " ")


def score(id: str, paper: str, /, **parameters: object) -> Judged:
    """What was played on paper, judged: the scores, and each thing that counts.

    The paper is written as for `quet.position`, which makes it the start of a game. Raises UnknownGame, BadPaper and
    BadParameter.

    >>> import quet
    >>> judged = quet.score("palindromes", "10011")
    >>> judged.scores, [item.words for item in judged.items if item.player == 1]
    ([8, 8], ['1001 at 1-4, a palindrome', '00 at 2-3, a palindrome', '11 at 4-5, a palindrome'])
    """
    return judge_paper(catalog.get(id), paper, parameters)


def judge_paper(entry: Entry, text: str, given: Mapping[str, object], *, files: bool = True) -> Judged:
    """The paper of a game, judged; `given` are the parameters that it doesn't show, as text or values.

    If the first word of the text is a move of the game, the text is read as the moves from the start. With
    `files=False` no parameter may name a file. Raises BadPaper and BadParameter.
    """
    game = on_paper(entry, text, given, files=files)
    return Judged(game, game.position(legal=False), game.items)
