"""Reads what was played on paper, puts it on a board, and scores it with everything that counts."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..catalog import Entry
from ..core.errors import BadPaper, BadParameter, IllegalMove, UnreadableMove
from ..core.grid import shorten
from ..core.messages import say
from ..core.paper import LARGEST_PAPER
from ..core.parameters import TermsParameter, read_parameters
from ..core.position import Item, Position
from ..draw.scene import Scene
from ..game import Game


@dataclass(frozen=True)
class Judged:
    """A paper, judged."""

    game: Game  # as on the paper; it has no moves, since a paper need not tell them
    position: Position
    items: Sequence[Item]  # what makes up the scores, player by player

    @property
    def scene(self) -> Scene:
        """The picture of what is on the paper."""
        return self.game.entry.picture.scene(self.position)

    @property
    def verdict(self) -> str:
        """Who won, as a sentence."""
        if not self.game.is_over:
            return say("The game is unfinished.")
        if self.game.num_players == 1:
            return say("The game is over.")
        *others, last = map(str, self.game.winners)
        return (
            say("Players {others} and {last} share the win.", others=", ".join(others), last=last)
            if others
            else say("Player {last} wins.", last=last)
        )


def judge_paper(entry: Entry, text: str, given: Mapping[str, object], *, files: bool = True) -> Judged:
    """The paper of a game, judged; `given` are the parameters that it doesn't show, as text or values.

    If the first word of the text is a move of the game, the text is read as the moves from the start. With
    `files=False` no parameter may name a file. Raises BadPaper and BadParameter.
    """
    if not files:
        _refuse_files(entry, given)
    position = _read(entry, text, given)
    game = Game(entry, position.parameters)
    game.state = position.state
    return Judged(game, position, entry.judge.items(position))


def _refuse_files(entry: Entry, given: Mapping[str, object]) -> None:
    """Raises BadParameter if a file would be read. Judges read parameters themselves, from their descriptions alone."""
    for parameter in entry.rules.PARAMETERS:
        if isinstance(parameter, TermsParameter) and str(given.get(parameter.name, "")).startswith("file:"):
            raise BadParameter(say("{name} may not name a file here.", name=parameter.name))


def _read(entry: Entry, text: str, given: Mapping[str, object]) -> Position:
    """The position on a paper, or after the moves that the text lists."""
    words = text.replace(",", " ").split() if len(text) <= LARGEST_PAPER else []
    if not words or not _is_move(entry, words[0], given):
        return entry.judge.read_paper(text, given)
    with contextlib.suppress(BadPaper, BadParameter):  # `+ - a1 b2` can be read as both; it is read as a position first
        return entry.judge.read_paper(text, given)
    game = Game(entry, read_parameters(entry.rules.PARAMETERS, given))
    for number, word in enumerate(words, 1):
        try:
            game.play(word)
        except UnreadableMove as error:
            raise BadPaper(say("Move {number}: {error}", number=number, error=error.message)) from None
        except IllegalMove as error:
            raise BadPaper(
                say("Move {number}, {word}: {error}", number=number, word=shorten(word), error=error.message)
            ) from None
    return game.position(legal=False)


def _is_move(entry: Entry, word: str, given: Mapping[str, object]) -> bool:
    """Whether the word is a move in a game with these parameters, or with the defaults if these are refused."""
    for parameters in (given, {}):
        with contextlib.suppress(BadParameter, UnreadableMove):
            game = Game(entry, read_parameters(entry.rules.PARAMETERS, parameters))
            game.rules.read_move(game.state, word)
            return True
    return False
