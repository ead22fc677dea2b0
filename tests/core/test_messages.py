"""Messages: English by themselves, and what makes them can be taken apart again."""

import copy
import json
import pickle

import pytest

from quet.core.errors import BadRecord, IllegalMove, QuetError
from quet.core.messages import AND, Message, joined, listed, say, say_number


def test_a_message_is_its_english() -> None:
    message = say("{square} holds {number} already.", square="c3", number=7)
    assert message == "c3 holds 7 already."
    assert f"{message}" == str(message) == "c3 holds 7 already."
    assert json.dumps(message) == '"c3 holds 7 already."'
    assert (message.template, message.values) == ("{square} holds {number} already.", {"square": "c3", "number": 7})


def test_a_text_without_values_is_its_own_template() -> None:
    assert say("It is {empty}, 100 %.") == "It is {empty}, 100 %."
    assert say("").values == {}


def test_a_value_that_the_template_needs_must_be_given() -> None:
    with pytest.raises(KeyError):
        say("{square} holds {number} already.", square="c3")


def test_values_are_not_read_as_templates() -> None:
    assert say("{text} is no move.", text="{text} {0} %s") == "{text} {0} %s is no move."


def test_numbers_have_their_own_forms() -> None:
    forms = [say_number("{number} row of {n}", "{number} rows of {n}", number, n=3) for number in (0, 1, 2)]
    assert forms == ["0 rows of 3", "1 row of 3", "2 rows of 3"]
    assert {(form.template, form.many) for form in forms} == {("{number} row of {n}", "{number} rows of {n}")}


def test_messages_are_values_of_messages_and_parts_of_lists() -> None:
    inner = say("player {player}", player=2)
    assert say("{who} resigned", who=inner).values["who"] is inner
    assert joined([1, inner]) == "1, player 2"
    assert inner in joined([1, inner]).values.values()
    assert joined([1, 2, 3], AND) == "1 and 2 and 3"
    assert [listed(range(1, count)) for count in range(1, 5)] == ["", "1", "1 and 2", "1, 2 and 3"]


@pytest.mark.parametrize(
    "message",
    [
        say("{square} is {what}.", square="c3", what=say("filled")),
        say_number("{number} row", "{number} rows", 2),
        joined([1, 2]),
        say("The end."),
    ],
)
def test_a_message_survives_copies_and_other_processes(message: Message) -> None:
    for twin in (pickle.loads(pickle.dumps(message)), copy.deepcopy(message), copy.copy(message)):
        assert twin == message
        assert (twin.template, twin.values, twin.many) == (message.template, message.values, message.many)


def test_an_error_keeps_its_message() -> None:
    message = say("{square} is filled already.", square="c3")
    error = pickle.loads(pickle.dumps(IllegalMove(message)))
    assert str(error) == "c3 is filled already."
    assert error.message.template == message.template
    assert QuetError().message == ""


def test_what_is_put_before_a_message_leaves_it_whole() -> None:
    message = say("{square} is filled already.", square="c3")
    error = BadRecord(message, file="mine.quet", line=6, move=1)
    assert str(error) == error.message == "mine.quet, line 6, move 1: c3 is filled already."
    assert isinstance(error.message, Message)
    assert error.message.values["sentence"] is message
