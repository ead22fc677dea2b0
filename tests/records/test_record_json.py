"""Records as JSON: the schema, round trips, and what is said of a damaged one."""

import copy
import importlib.resources
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from test_record import FULL, a_game, whole_records
from test_record_text import block

from quet.core.errors import BadRecord, QuetError
from quet.records import record_json
from quet.records.record import Record, Termination, read, read_all

SCHEMA = json.loads((importlib.resources.files("quet.records") / "record.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@given(st.lists(whole_records(), max_size=3))
def test_what_is_written_reads_back_the_same(made: list[Record]) -> None:
    text = record_json.write_all(made)
    again = read_all(text)
    assert record_json.write_all(again) == text
    assert [record.text() for record in again] == [record.text() for record in made]
    VALIDATOR.validate(json.loads(text))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats(allow_nan=False) | st.text(max_size=4)
    | st.sampled_from(["1=0", "[x", "12.", "a b", "\n", "\u2028", "\ud800", "file:x", "unfinished", "stopped"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)  # fmt: skip


@st.composite
def mangled(draw: st.DrawFn) -> Any:
    """A record with one value, at any depth, replaced, removed, doubled or added."""
    data = draw(whole_records()).json()
    place: Any = data
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = draw(st.sampled_from(keys)) if keys else None
        if key is None or not isinstance(place[key], (dict, list)) or draw(st.booleans()):
            break
        place = place[key]
    change = draw(st.sampled_from(["replace", "remove", "add"])) if key is not None else "add"
    if change == "replace":
        place[key] = draw(VALUES)
    elif change == "remove":
        del place[key]
    elif isinstance(place, dict):
        place[draw(st.text(max_size=3) | st.sampled_from(["0", "01", "Game", "Result", "A\n"]))] = draw(VALUES)
    else:
        place.append(draw(VALUES))
    return data


@given(mangled())
def test_what_the_schema_refuses_the_reader_refuses(data: Any) -> None:
    try:
        record = read(json.dumps(data))
    except QuetError as error:
        assert isinstance(error, BadRecord)
        assert "\n" not in str(error)
    else:
        assert VALIDATOR.is_valid(data)
        assert record.json() == data


@given(st.text() | st.text(alphabet='[]{}",:01 \n') | VALUES.map(json.dumps))
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, "[{" + text, '{"' + text, "[" + text + "]"):
        try:
            read_all(whole)
        except QuetError as error:
            assert isinstance(error, BadRecord)


def good() -> dict[str, Any]:
    return Record.of(a_game(*FULL), tags={"A": "b"}, comments={0: ["c"], 3: ["d", "e"]}).json()


def stopped() -> dict[str, Any]:
    return Record.of(a_game("1=0"), termination=Termination("player 1 resigned", (2,))).json()


TREE: dict[str, Any] = {"ply": 1, "moves": ["2=1"], "comments": {}, "variations": []}


def deep(depth: int) -> list[dict[str, Any]]:
    """Variations inside one another."""
    return [TREE | {"variations": deep(depth - 1)}] if depth else []


@pytest.mark.parametrize(
    ("key", "value", "message", "schema_too"),
    [
        ("format", "pgn", "The format must be quet-record and its version 1.", True),
        ("version", 2, "The format must be quet-record and its version 1.", True),
        ("version", True, "The format must be quet-record and its version 1.", True),
        ("game", "chess", "There is no game 'chess'; the games are ", False),
        ("game", None, "The game must be a text.", True),
        ("rules", 2, "The record is of version '2' of the rules of palindromes; they are at version 1 here.", False),
        ("rules", "1", "The version of the rules must be an integer.", True),
        ("parameters", {}, "The parameter m is missing.", False),
        ("parameters", {"m": 4, "q": 1}, "There is no parameter 'q'; this game has m.", False),
        ("parameters", {"m": 65}, "m must be from 1 to 64, not '65'.", False),
        ("parameters", {"m": "4"}, "The parameter m must be an integer.", False),
        ("parameters", {"m": True}, "The parameter m must be an integer.", True),
        ("parameters", {"m": 4.5}, "The parameter m must be an integer.", True),
        ("parameters", [], "The parameters must be an object.", True),
        ("tags", {"A": 1}, "The tag 'A' must be a text.", True),
        ("tags", {"A": "\x00"}, "The tag 'A' holds a control character.", True),
        ("tags", {"A": "\ud800"}, "The tag 'A' holds a control character.", True),
        ("tags", {"1": ""}, "'1' is not the name of a tag", True),
        ("tags", {"Result": ""}, "The tag 'Result' has a fixed meaning", True),
        ("tags", {"m": "4"}, "The tag 'm' has a fixed meaning", False),
        ("moves", ["1=0", "1=1"], "Square 1 holds a 0 already.", False),
        ("moves", [*FULL, "1=0"], "The game is over.", False),
        ("moves", ["1=0", 2], "A move must be a text.", True),
        ("moves", ["1=0", "[x"], "'[x' is no move of any game.", True),
        ("moves", ["1=0", "3."], "'3.' is no move of any game.", True),
        ("moves", "1=0", "The moves must be an array.", True),
        ("comments", {"0": []}, "The list of comments after move 0 is empty.", True),
        ("comments", {"0": "x"}, "What follows move 0 must be an array.", True),
        ("comments", {"5": ["x"]}, "A comment follows move '5', but there are 4 moves.", False),
        ("comments", {"01": ["x"]}, "Comments must follow a move number, 0 for the start, not '01'.", True),
        ("comments", {"9" * 9999: ["x"]}, "Comments must follow a move number", False),
        ("comments", {"1": ["\t"]}, "A comment holds a control character.", True),
        ("comments", {"1": [None]}, "A comment must be a text.", True),
        ("variations", [], "The list of variations is empty.", True),
        ("variations", {}, "The variations must be an array.", True),
        ("variations", ["2=0"], "A variation must be an object.", True),
        ("variations", [{"ply": 1}], "A variation has no moves.", True),
        ("variations", [TREE | {"x": 1}], "A variation has nothing called 'x'.", True),
        ("variations", [TREE | {"ply": "1"}], "The first move of a variation must be an integer.", True),
        ("variations", [TREE | {"ply": 6}], "A variation begins with move '6', but its line has", False),
        ("variations", [TREE | {"moves": []}], "A variation must have a tuple of moves", True),
        ("variations", [TREE | {"moves": ["1=0", "1=1"]}], "Square 1 holds a 0 already.", False),
        ("variations", [TREE | {"moves": ["(x)"]}], "'(x)' is", True),
        ("variations", [TREE | {"comments": {"7": ["x"]}}], "A comment follows move '7', but there", False),
        ("variations", [TREE | {"ply": 2}, TREE], "The variations of a line must be in the order", False),
        ("variations", deep(21), "Variations stand at most 20 deep inside one another.", False),
        ("variations", deep(22), "Variations stand at most 20 deep inside one another.", False),
        ("result", {"status": "unfinished"}, 'The result should be {"scores": [4, 6], "status": ', False),
        ("result", {"status": "finished", "scores": [4, 6]}, "The result should be ", True),
        ("result", {"status": "finished", "scores": [4, 6], "winners": [1]}, "The result should be ", False),
        ("result", {"status": "finished", "scores": [4, 7], "winners": [2]}, "The result should be ", False),
        ("result", {"status": "finished", "scores": [4, 6], "winners": [2], "x": 1}, "The result should be ", True),
        ("result", {"status": "stopped", "winners": [2], "termination": "x"}, "The game ended by its rules", False),
        ("result", {"status": "stopped", "winners": 2, "termination": "x"}, "What the result calls winners must", True),
        ("result", {"status": "stopped", "winners": [2]}, "The termination must be a text.", True),
        ("result", "4-6", "The result should be ", True),
    ],
)  # fmt: skip
def test_a_damage_is_one_sentence(key: str, value: object, message: str, schema_too: bool) -> None:
    data = good() | {key: value}
    with pytest.raises(BadRecord) as caught:
        read(json.dumps(data))
    assert caught.value.sentence.startswith(message)
    assert VALIDATOR.is_valid(data) is not schema_too


@pytest.mark.parametrize(
    ("winners", "message", "schema_too"),
    [
        ([3], "The winners must be players of this game, 1 to 2.", False),
        ([9], "The winners must be players of this game", True),
        ([True], "The winners must be players of this game", True),
        ([[]], "The winners must be players of this game", True),
        ([2, 1], "The winners must be in ascending order, each once.", False),
        ([1, 1], "The winners must be in ascending order, each once.", True),
    ],
)
def test_the_winners_of_a_stopped_game_must_fit(winners: list[Any], message: str, schema_too: bool) -> None:
    data = stopped()
    assert read(json.dumps(data)).winners == [2]
    data["result"]["winners"] = winners
    with pytest.raises(BadRecord) as caught:
        read(json.dumps(data))
    assert caught.value.sentence.startswith(message)
    assert VALIDATOR.is_valid(data) is not schema_too


@pytest.mark.parametrize("key", list(good()))
def test_every_part_is_required(key: str) -> None:
    data = good()
    del data[key]
    assert not VALIDATOR.is_valid(data)
    with pytest.raises(BadRecord, match=rf"The record has no {key}\."):
        read(json.dumps(data))


def test_nothing_else_may_stand_in_a_record() -> None:
    data = good() | {"more": 1}
    assert not VALIDATOR.is_valid(data)
    with pytest.raises(BadRecord, match=r"A record has nothing called 'more'\."):
        read(json.dumps(data))


def test_a_damage_in_an_array_is_named_with_the_line_of_its_record_and_the_move() -> None:
    bad = copy.deepcopy(good())
    bad["moves"][2] = "2=1"
    text = f"[\n{json.dumps(good())},\n\n{json.dumps(bad)}]"
    with pytest.raises(BadRecord, match=r"^games\.json, line 4, move 3: Square 2 holds a 0 already\.$"):
        read_all(text, "games.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"game": \n x}', "line 2: The JSON is malformed: expecting value."),
        ('{"game": "a', "line 1: The JSON is malformed: unterminated string starting."),
        ("[{}", "line 1: The record has no format."),
        ("[]\n x", "line 2: Something follows the end of the JSON."),
        ("[", "line 1: The JSON is malformed: "),
        ('{"game": "x", "game": "y"}', "line 1: A name stands twice in one JSON object."),
        ('{"game": NaN}', "line 1: NaN is not an integer."),
        ('{"game": ' + "[" * 100_000, "line 1: The JSON is nested too deeply."),
        ('{"game": ' + "9" * 10_000 + "}", "line 1: The JSON has a number that is too long."),
        (json.dumps(good()) + "x", "line 1: Something follows the end of the JSON."),
        ("[" + json.dumps(good()), "line 1: The JSON is malformed: expecting a comma or ] after a record."),
        ("[" + json.dumps(good()) + ",]", "line 1: The JSON is malformed: expecting value."),
    ],
)
def test_what_is_no_json_is_refused_in_one_sentence(text: str, message: str) -> None:
    with pytest.raises(BadRecord) as caught:
        read_all(text)
    assert str(caught.value).startswith(message)


def test_a_sequence_in_json_is_a_text_of_terms() -> None:
    data = good() | {"game": "sequence-ascension", "moves": [], "comments": {}, "result": {"status": "unfinished"}}
    data["parameters"] = {"n": 2, "sequence": "3,1,4,1"}
    assert read(json.dumps(data)).json() == data
    for sequence in ([3, 1, 4, 1], "file:/etc/hosts", "random:1:2:3"):
        data["parameters"]["sequence"] = sequence
        with pytest.raises(BadRecord, match="sequence must be"):
            read(json.dumps(data))


def test_the_example_in_the_document_is_the_twin_of_the_text() -> None:
    assert record_json.write_all(read_all(block("quet"))[:1]) == block("json")
    VALIDATOR.validate(json.loads(block("json")))
