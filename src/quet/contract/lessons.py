"""The part of the contract that lessons rely on: each step can be played, and each move there is answered."""

from collections.abc import Iterator

from ..catalog import Entry
from ..core.errors import BadParameter, BrokenRules, MoveError, UnreadableMove
from ..core.lesson_file import LessonStep
from ..core.parameters import read_parameters
from ..core.state import copy
from ..game import Game
from ..study import lesson
from .trials import is_line, require

MOST_TRIED = 200  # legal moves of a step that no reply names


def lessons_can_be_played(entry: Entry) -> None:
    """Each step of the lesson has its position, a right move, and an answer to every move; what it claims is true."""
    if entry.lesson is None:
        return
    try:
        first = Game(entry, read_parameters(entry.rules.PARAMETERS, entry.lesson.parameters, files=False))
    except BadParameter as error:
        raise BrokenRules(f"The [first_game] of the lesson: {error}") from None
    require(bool(entry.lesson.opponent) == (first.num_players > 1), "Only a lesson of a game for two has an opponent.")
    for number, step in enumerate(entry.lesson.steps, 1):
        try:
            _check(entry, step)
        except BrokenRules as error:
            raise BrokenRules(f"Step {number} of the lesson: {error}") from None


def _check(entry: Entry, step: LessonStep) -> None:
    try:
        game = lesson.position(entry, step)
    except (BadParameter, MoveError) as error:
        raise BrokenRules(f"its position can't be reached: {error}") from None
    require(not game.is_over, "the game is over before its move.")
    before = copy(game.state)
    sentences = _sentences(step, game)
    require(game.state == before, "an answer changes the position.")
    for sentence in sentences:
        require(is_line(sentence) and sentence.endswith((".", "?", "!")), f"this is no sentence: {sentence!r}.")


def _sentences(step: LessonStep, game: Game) -> list[str]:
    """All that the step says, to every move that a reply names, and to some of the others."""
    try:
        sentences = [lesson.introduction(step, game), lesson.task(step, game)]
    except KeyError as error:
        raise BrokenRules(f"its words name a value that this game doesn't have: {error}.") from None
    named = [(move, reply) for reply in step.replies for move in reply.moves]
    others = [(move, step.to_all_others) for move in _unnamed(step, game)]
    for move, reply in named + others:
        try:
            told = lesson.answer(step, game, move)
        except (UnreadableMove, KeyError) as error:
            raise BrokenRules(f"the reply to {move} can't be said: {error}") from None
        require(reply is not None, f"{move} has no reply.")
        assert reply is not None
        require(told.is_right == reply.is_right, f"{move} is {'' if told.is_right else 'not '}taken for right.")
        words = {str(item.words) for item in told.game.items} if told.game else set()
        missing = [item for item in reply.shows if item not in words]
        require(not missing, f"after {move} no item of the scores says {', '.join(missing)}.")
        sentences.append(told.words)
    move = lesson.solution(step, game)
    require(lesson.answer(step, game, move).is_right, f"{move} is not the solution.")
    return sentences


def _unnamed(step: LessonStep, game: Game) -> Iterator[str]:
    """Some of the legal moves that no reply names."""
    unnamed = (move for move in game.legal_moves if step.reply(move) is None)
    return (move for move, _ in zip(unnamed, range(MOST_TRIED), strict=False))
