"""What the moves of a lesson are told."""

from dataclasses import replace
from typing import Any

import pytest

from quet.catalog import Entry
from quet.core.errors import BrokenRules, UnreadableMove
from quet.core.lesson_file import LessonStep, Reply
from quet.study import lesson

TEMPLATE = Entry("template", "quet.template.game")
assert TEMPLATE.lesson is not None
ANY, NAMED, LAST, *_ = TEMPLATE.lesson.steps


def test_a_right_move_is_played_and_told_with_its_values() -> None:
    game = lesson.position(TEMPLATE, LAST)
    told = lesson.answer(LAST, game, "3")
    assert told.is_right and told.game is not None and told.game.is_over
    assert told.words == "Nothing is left to fill, and you filled the last square: you win, 1 to 0."
    assert told.shows == ("filled the last square",)
    assert game.moves == ["1", "5"]


def test_a_move_is_read_as_people_type_it() -> None:
    game = lesson.position(TEMPLATE, ANY)
    assert lesson.answer(ANY, game, " 4 ").words == "4 is filled, and the other player is next."
    with pytest.raises(UnreadableMove):
        lesson.answer(ANY, game, "6")


def test_a_forbidden_move_is_told_in_the_words_of_the_lesson_or_of_the_rules() -> None:
    game = lesson.position(TEMPLATE, NAMED)
    named, other = lesson.answer(NAMED, game, "1"), lesson.answer(NAMED, game, "2")
    assert (named.words, named.is_right, named.game) == ("1 is beside 2, which is filled.", False, None)
    assert (other.words, other.is_right, other.game) == ("Square 2 is filled already.", False, None)


def test_a_legal_move_that_nobody_thought_of_is_told_so() -> None:
    game = lesson.position(TEMPLATE, NAMED)
    step = type(NAMED)(NAMED.parameters, NAMED.moves, NAMED.words, NAMED.task, NAMED.replies[1:], "Not {move}.")
    told = lesson.answer(step, game, "4")
    assert (told.words, told.is_right, told.game is not None) == ("Not 4.", False, True)
    nothing = type(NAMED)(NAMED.parameters, NAMED.moves, NAMED.words, NAMED.task, (Reply(("5",), "x", True),), "")
    assert not lesson.answer(nothing, game, "4").is_right


@pytest.mark.parametrize("step", TEMPLATE.lesson.steps)
def test_the_solution_is_right(step: LessonStep) -> None:
    game = lesson.position(TEMPLATE, step)
    assert lesson.answer(step, game, lesson.solution(step, game)).is_right


@pytest.mark.parametrize("part", ["words", "task", "otherwise", "replies"])
def test_words_about_a_player_who_is_not_there_are_refused(part: str) -> None:
    for name in ("score2", "score", "gain"):
        lesson.position(TEMPLATE, _with(part, f"{{{name}}} is what you have."))
    with pytest.raises(BrokenRules, match=r"^The words of a lesson name the score of player 3, who isn't there\.$"):
        lesson.position(TEMPLATE, _with(part, "{score3} is what nobody has."))


def _with(part: str, words: str) -> LessonStep:
    """A step with these words in one place."""
    changed: Any = {part: (Reply(("5",), words, is_right=True),) if part == "replies" else words}
    return replace(NAMED, **changed)
