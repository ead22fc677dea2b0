"""The one reader of JSON: what it takes, and the sentence and place of what it refuses."""

import json
import sys

import pytest

from quet.core import json_text
from quet.core.json_text import BadJson

DEEPEST = "[" * json_text.MOST_DEPTH + "]" * json_text.MOST_DEPTH


@pytest.mark.parametrize(
    "value", [None, True, 0, -7, 'a[[{\\"', [], {}, {"a": [1, {"b": "\n"}]}, ["[" * 999], ["]"] * 99]
)
def test_what_python_writes_is_read(value: object) -> None:
    assert json_text.read(json.dumps(value)) == value
    assert json_text.read(f"\r\n {json.dumps(value, ensure_ascii=False)} \t".encode()) == value


def test_the_limits_themselves_are_taken() -> None:
    assert json.dumps(json_text.read(DEEPEST)) == DEEPEST
    assert json_text.read(f"[{DEEPEST[1:-1]}]" + " " * 3) == json.loads(DEEPEST)
    assert json_text.read("9" * json_text.MOST_DIGITS) == 10**json_text.MOST_DIGITS - 1
    assert json_text.read("[1]", largest=3) == [1]
    assert json_text.read(json.dumps([[0]] * 1_000)) == [[0]] * 1_000


@pytest.mark.parametrize(
    ("content", "sentence", "position"),
    [
        (f"\n[{DEEPEST}]", "line 2: The JSON is nested too deeply.", 1 + json_text.MOST_DEPTH),
        ("[" + "[]," * (json_text.MOST_VALUES // 2) + "0]", "line 1: The JSON has more than 6000000 values.", 0),
        ('{"a":' * 100_000, "line 1: The JSON is nested too deeply.", 5 * json_text.MOST_DEPTH),
        ('["\\"]]]", ' + "[" * 99, "line 1: The JSON is nested too deeply.", 10 + json_text.MOST_DEPTH - 1),
        ('"' + "\\" * 10_001, "line 1: The JSON is malformed: unterminated string starting.", 0),
        ("[\n" + "9" * (json_text.MOST_DIGITS + 1) + "]", "line 1: The JSON has a number that is too long.", 0),
        ('\n{"a": 1, "a": 1}', "line 2: A name stands twice in one JSON object.", 1),
        ("[1.5]", "line 1: 1.5 is not an integer.", 0),
        ("1e999", "line 1: 1e999 is not an integer.", 0),
        ("-Infinity", "line 1: -Infinity is not an integer.", 0),
        ("0." + "3" * 99, "line 1: 0.333333333333333... is not an integer.", 0),
        ('{"a":\n\n}', "line 3: The JSON is malformed: expecting value.", 7),
        ("[1]\n2", "line 2: Something follows the end of the JSON.", 4),
        ("", "line 1: The JSON is malformed: expecting value.", 0),
        (b"\xff[]", "line 1: It is not text in UTF-8.", 0),
        ("[1, 2, 3, 4]", "line 1: The JSON has more than 10 characters.", 0),
    ],
)
def test_a_refusal_is_a_sentence_with_its_place(content: str | bytes, sentence: str, position: int) -> None:
    largest = 10 if sentence.endswith("10 characters.") else json_text.LARGEST
    with pytest.raises(BadJson) as caught:
        json_text.read(content, largest=largest)
    assert (str(caught.value), caught.value.position) == (sentence, position)


def test_fractions_are_read_where_asked_for_and_constants_nowhere() -> None:
    assert json_text.read("[0.5, 2]", has_fractions=True) == [0.5, 2]
    for text in ("NaN", "[Infinity]", "0." + "1" * json_text.MOST_DIGITS):
        with pytest.raises(BadJson):
            json_text.read(text, has_fractions=True)


def test_the_depth_is_limited_before_the_decoder_runs() -> None:
    limit = sys.getrecursionlimit()
    with pytest.raises(BadJson, match="too deeply"):
        json_text.read("[" * 50 * limit)
    assert sys.getrecursionlimit() == limit
