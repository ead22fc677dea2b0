"""Lessons: the position of a step, and what a move made there is told."""

from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter

from ..catalog import Entry
from ..core.errors import BrokenRules, IllegalMove
from ..core.lesson_file import LessonStep
from ..core.messages import Message, say
from ..core.parameters import read_parameters
from ..game import Game


@dataclass(frozen=True)
class Told:
    """The answer to a move."""

    words: str  # a message
    is_right: bool
    game: Game | None  # with the move played; None where the rules forbid it
    shows: tuple[str, ...] = ()  # the items of the scores that it speaks of


def position(entry: Entry, step: LessonStep) -> Game:
    """The game in which a step asks for a move. Raises BadParameter, MoveError and BrokenRules for a wrong lesson."""
    game = Game(entry, read_parameters(entry.rules.PARAMETERS, step.parameters, files=False))
    for words in (step.words, step.task, step.otherwise, *(reply.words for reply in step.replies)):
        for _, field, *_ in Formatter().parse(words):
            player = (field or "").removeprefix("score")
            if player.isdecimal() and int(player) > game.num_players:
                raise BrokenRules(f"The words of a lesson name the score of player {player}, who isn't there.")
    for move in step.moves:
        game.play(move)
    return game


def introduction(step: LessonStep, game: Game) -> str:
    """What the step teaches, as a message; `game` is in its position."""
    return Message(step.words, _scores(game))


def task(step: LessonStep, game: Game) -> str:
    """What to do in the step, as a message."""
    return Message(step.task, _scores(game))


def answer(step: LessonStep, game: Game, text: str) -> Told:
    """What a move is told, typed as people do. `game` is in the step's position and stays there.

    A move that the rules forbid is told the rule, unless the lesson has its own words for it. Raises UnreadableMove.
    """
    try:
        number = game.read_typed(text)
    except IllegalMove as error:
        named = step.reply("".join(text.split()).lower())
        words = error.message if named is None else Message(named.words, {"move": text, **_scores(game)})
        return Told(words, is_right=False, game=None)
    move = game.rules.move_text(game.state, number)
    reply = step.reply(move) or step.to_all_others
    after = game.after(move)
    if reply is None:
        return Told(say("That is legal, but not what is asked for."), is_right=False, game=after)
    mover = game.rules.mover(game.state)
    gain = after.scores[mover - 1] - game.scores[mover - 1]
    values = {"move": move, "score": after.scores[mover - 1], "gain": gain, **_each(after)}
    return Told(Message(reply.words, values), reply.is_right, after, reply.shows)


def solution(step: LessonStep, game: Game) -> str:
    """A right move, as text; empty where there is none."""
    named = next((reply.moves[0] for reply in step.replies if reply.is_right and reply.moves), "")
    return named or next((move for move in game.legal_moves if step.reply(move) is None), "")


def _scores(game: Game) -> Mapping[str, object]:
    mover = game.rules.mover(game.state)
    return {"score": game.scores[mover - 1], "gain": 0, **_each(game)}


def _each(game: Game) -> Mapping[str, object]:
    return {f"score{player}": score for player, score in zip(game.players, game.scores, strict=True)}
