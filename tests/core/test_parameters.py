"""Parameters: only what is in range comes through, and a refusal is a QuetError."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import quet
from quet import catalog
from quet.core.parameters import read_parameters, split_parameters
from quet.core.sequences import read_terms

TEXTS = st.one_of(
    st.text(max_size=20),
    st.integers(-5, 1100).map(str),
    st.sampled_from(["divisors", "random:1:2:3", "file:", "file:/", "file:\0", "1,2,3", "-0", "8 ", "8\n"]),
    st.lists(st.integers(), max_size=30).map(lambda terms: ",".join(map(str, terms))),
)


@given(
    st.sampled_from(quet.game_ids()), st.dictionaries(st.sampled_from("n m r sequence players grids".split()), TEXTS)
)
def test_any_text_gives_a_game_or_a_bad_parameter(id: str, given: dict[str, object]) -> None:
    try:
        game = quet.new(id, **given)
    except quet.BadParameter as error:
        assert str(error).endswith(".")
    else:
        again = quet.new(id, **{name: str(value) for name, value in game.parameters.items()})
        assert again.parameters == game.parameters


@pytest.mark.parametrize("value", [8.0, True, None, [], b"8", 10**5000, "8" * 5000], ids=range(7))
def test_a_value_that_is_no_small_integer_is_refused(value: object) -> None:
    with pytest.raises(quet.BadParameter):
        quet.new("blob", n=value)


def test_every_parameter_is_refused_just_outside_its_range(game_id: str) -> None:
    for p in catalog.get(game_id).rules.PARAMETERS:
        for value in (getattr(p, "low", 0) - 1, getattr(p, "high", 0) + 1):
            with pytest.raises(quet.BadParameter):
                quet.new(game_id, **{p.name: value})


def test_an_unknown_parameter_is_refused_by_name() -> None:
    with pytest.raises(quet.BadParameter, match="There is no parameter 'size'; this game has n"):
        quet.new("blob", size=8)


@pytest.mark.parametrize("words", [["n"], ["=8"], ["n=8", "n=8"]])
def test_words_that_are_no_parameters_are_refused(words: list[str]) -> None:
    with pytest.raises(quet.BadParameter):
        split_parameters(words)


def test_a_sequence_may_be_a_list_and_have_more_terms_than_needed() -> None:
    game = quet.new("sequence-ascension", n=2, sequence=[5, -1, 5, 0, 9])
    assert str(game.parameters["sequence"]) == "5,-1,5,0,9"
    assert game.parameters["sequence"].used == (5, -1, 5, 0)


def test_a_random_sequence_is_kept_term_by_term() -> None:
    text = str(quet.new("sequence-ascension", n=2, sequence="random:1:0:9").parameters["sequence"])
    assert text == "2,9,1,4"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"1 2\n2 3\n", "has 2 terms, but 4 are needed"),
        (b"1 2\n3 4\n", "line 2: the index doesn't follow"),
        (b"1 2\nx 4\n", "line 2: not an index and a term"),
        (b"1 2 3\n", "line 1: not an index and a term"),
        (b"1\n", "line 1: not an index and a term"),
        (b"\xff\xfe", "is not a text file"),
        (b"#" * 1_000_001, "is larger than 1 MB"),
    ],
)
def test_a_damaged_b_file_is_refused_with_its_line(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "b.txt"
    file.write_bytes(content)
    with pytest.raises(quet.BadParameter, match=reason):
        quet.new("sequence-ascension", n=2, sequence=f"file:{file}")


def test_a_named_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(quet.BadParameter, match="is not a regular file"):
        quet.new("sequence-ascension", n=2, sequence=f"file:{pipe}")


def test_a_file_can_be_forbidden(tmp_path: Path) -> None:
    rules = catalog.get("sequence-ascension").rules
    with pytest.raises(quet.BadParameter, match="digits each\\) or random:SEED:LOW:HIGH, not 'fibonacci'"):
        read_terms("sequence", "fibonacci", 4, files=False)
    with pytest.raises(quet.BadParameter, match="may not name a file here"):
        read_parameters(rules.PARAMETERS, {"sequence": "file:/etc/hostname"}, files=False)


@pytest.mark.parametrize(
    "sequence",
    [
        [10**10_000, 1, 2, 3],
        ["1", "2", "3", "4"],
        "1," * 500_001 + "1",
        f"random:1:0:{'9' * 9_999}",
        f"random:1:-{'9' * 9_999}:0",
    ],
    ids=range(5),
)
def test_a_sequence_that_no_record_could_hold_is_refused(sequence: object) -> None:
    with pytest.raises(quet.BadParameter):
        quet.new(
            "sequence-ascension",
            n=20 if isinstance(sequence, str) and sequence.startswith("random") else 2,
            sequence=sequence,
        )


def test_a_file_with_nothing_to_read_now_is_refused() -> None:
    if Path("/proc/kmsg").exists():
        with pytest.raises(quet.BadParameter, match="/proc/kmsg"):
            quet.new("sequence-ascension", sequence="file:/proc/kmsg")
