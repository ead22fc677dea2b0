"""A lesson is read as it stands, and refused in a sentence where it can't be."""

import importlib.resources
import tomllib

import pytest

from quet.core.errors import BrokenRules
from quet.core.lesson_file import read_lesson

WHOLE = importlib.resources.files("quet.template.game").joinpath("lesson.toml").read_text(encoding="utf-8")
RIGHT = 'words = "{move} is filled, and the other player is next."'


def test_all_of_a_lesson_is_read() -> None:
    lesson = read_lesson(tomllib.loads(WHOLE))
    assert (len(lesson.steps), lesson.parameters, lesson.opponent) == (5, {"n": 7}, "level:1")
    first, second, third, *_ = lesson.steps
    assert [(reply.moves, reply.is_right) for reply in second.replies] == [(("4", "5"), True), (("1", "3"), False)]
    assert (second.parameters, second.moves) == ({"n": 5}, ("2",))
    assert third.replies[0].shows == ("filled the last square",)
    assert first.to_all_others is first.replies[0] and second.to_all_others is None
    assert second.reply("3") is second.replies[1] and second.reply("9") is None


def test_its_texts_are_listed_once_each_for_translators() -> None:
    texts = read_lesson(tomllib.loads(WHOLE)).texts
    assert len(set(texts)) == len(texts) == 17
    assert "1 and 3 are beside 2, so the game is over and you win." in texts


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("first_game]", "last_game]", "In the lesson nothing is called 'last_game'."),
        ("opponent =", "rival =", "In [first_game] nothing is called 'rival'."),
        (
            'opponent = "level:1"',
            "opponent = 1",
            "opponent of [first_game] of the lesson must be one line of text.",
        ),
        ("{ n = 7 }", "{ n = [7] }", "The parameters of [first_game] of the lesson must be integers and texts."),
        ("{ n = 7 }", "7", "The parameters of [first_game] of the lesson must be a table."),
        ("task =", "tasks =", "In step 1 nothing is called 'tasks'."),
        ('task = "Fill any square."', "", "The task of step 1 of the lesson must be one line of text."),
        ('task = "Fill any square."', 'task = " "', "The task of step 1 of the lesson must be one line of text."),
        ("[[steps.right]]", "[[steps.wrong]]", "The right moves of step 1 of the lesson must be tables."),
        (
            RIGHT,
            f'{RIGHT}\nshows = "x"',
            "right moves of step 1 of the lesson must be a list of texts.",
        ),
        (RIGHT, f"{RIGHT}\nmove = '1'", "In right moves of step 1 nothing is called 'move'."),
        (RIGHT, f"moves = 1\n{RIGHT}", "The right moves of step 1 of the lesson must be one line of text."),
        ("{move} is filled", "{moves} is filled", "have a value 'moves', which isn't known."),
        ("{move} is filled", "{move is filled", "have no braces but around the name of a value."),
        ("{move} is filled", "{} is filled", "have no braces but around the name of a value."),
        (
            "Two players",
            "{move}: two players",
            "words of step 1 of the lesson have a value 'move', which isn't known.",
        ),
        ('moves = "1 3"', 'moves = "1 4"', "In step 2 of the lesson '4' has two replies."),
        ('moves = "1 3"', "", "must be named, or for one reply be all others."),
        (
            RIGHT,
            f"{RIGHT}\n[[steps.right]]\n{RIGHT}",
            "The right moves of step 1 of the lesson must be named, or for one reply be all others.",
        ),
        (
            'task = "Fill any square."',
            'task = "Fill any square."\notherwise = "No."',
            "have one reply, and a right one without moves is it already.",
        ),
    ],
)
def test_a_damaged_lesson_is_refused_in_a_sentence(old: str, new: str, sentence: str) -> None:
    assert old in WHOLE
    with pytest.raises(BrokenRules) as error:
        read_lesson(tomllib.loads(WHOLE.replace(old, new, 1)))
    assert sentence in str(error.value)
    assert str(error.value).isprintable()


@pytest.mark.parametrize("steps", [[], [1] * 5, 5, [{}] * 9])
def test_a_lesson_has_five_to_eight_steps(steps: object) -> None:
    with pytest.raises(BrokenRules, match=r"must be (5 to 8 tables \[\[steps\]\]|a table)\."):
        read_lesson({"steps": steps})
