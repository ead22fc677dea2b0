"""Datasets: exact values in every row, the same bytes again, and what the command does."""

import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quet
import quet.rl
from quet.cli.main import main
from quet.rl.dataset import COLUMNS, make
from quet.rl.forms import Form

SIZES: list[tuple[str, dict[str, Any], int]] = [
    ("blob", {"n": 3}, 25),
    ("convoluted-coprimality", {"n": 2, "grids": 2}, 6),
    ("divisors-multiples", {"r": 3}, 15),
    ("palindromes", {"m": 5}, 60),
    ("plusses-minuses", {"n": 3}, 25),
    ("sequence-ascension", {"n": 2}, 20),
    ("up-and-up", {"n": 3}, 25),
]
SMALL = quet.new("palindromes", m=4)


@pytest.mark.parametrize(("id", "parameters", "num"), SIZES, ids=str)
def test_every_row_has_the_exact_values(id: str, parameters: dict[str, Any], num: int) -> None:
    game, form = quet.new(id, **parameters), Form(id, parameters)
    oracle = quet.rl.oracle(game)
    for source in ("reachable", "random"):
        made = make(game, num, source, 5)
        assert len(made) == num
        positions = []
        for i, moves in enumerate(made.moves):
            position = game.copy()
            for move in moves.split():
                position.play(move)
            positions.append(position)
            assert not position.is_over and made.mover[i] == position.mover
            assert made.value[i] == oracle.value(position)
            worths = oracle.moves(position)
            actions = np.flatnonzero(made.legal[i]).tolist()
            assert actions == form.legal_actions(position.state)
            assert all(made.action_values[i, a] == worths[form.text(position.state, a)] for a in actions)
            assert not made.action_values[i][~made.legal[i]].any()
            seen = np.zeros(form.bounds.shape, np.float32)
            form.observe(position.state, seen)
            assert np.array_equal(made.observation[i], seen)
        if source == "reachable":
            assert len(set(positions)) == num


def test_a_dataset_is_the_same_in_portions_and_where_each_value_is_searched_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, told = make(SMALL, 40, "reachable", 1), list[int]()
    assert {*whole.mover.tolist()} == {1, 2} and not whole.is_level
    monkeypatch.setattr("quet.rl.dataset.PORTION", 16)
    assert make(SMALL, 40, "reachable", 1, lambda done, *_: told.append(done)).digest == whole.digest
    assert told == [16, 32, 40]
    monkeypatch.setattr("quet.rl.oracles.whole_table", lambda *_: None)
    assert make(SMALL, 40, "reachable", 1).digest == whole.digest


@pytest.mark.parametrize("source", ["reachable", "random"])
def test_values_of_the_rules_are_not_given_to_actions_of_another_game(source: str) -> None:
    with pytest.raises(quet.BadParameter, match=r"^Programs that learn play .* without changing what is written\."):
        make(quet.new("sums-grid", n=2), 30, source, 1)


def test_the_same_arguments_make_the_same_bytes() -> None:
    game = quet.new("palindromes", m=5)
    one, again, other = (make(game, 30, "random", seed) for seed in (1, 1, 2))
    assert one.npz() == again.npz() and one.parquet() == again.parquet() and one.card == again.card
    assert one.digest == again.digest != other.digest and one.npz() != other.npz()
    assert make(game, 5, "level:1", 1).digest == make(game, 5, "level:1", 1).digest
    digests = {source: make(game, 30, source, 1).digest[:16] for source in ("reachable", "random")}
    assert digests == {"reachable": "59aa63a7f51375e5", "random": "2ba9204da2c96ca3"}  # raise VERSION with them


def test_reachable_positions_are_all_drawn_alike() -> None:
    game = quet.new("palindromes", m=2)
    drawn = [make(game, 1, "reachable", seed).moves[0] for seed in range(300)]
    counts = {moves: drawn.count(moves) for moves in drawn}
    assert set(counts) == {"", "1=0", "1=1", "2=0", "2=1"} and all(35 <= count <= 85 for count in counts.values())
    assert sorted(make(game, 5, "reachable", 1).moves) == sorted(counts)


def test_a_dataset_says_where_its_positions_begin() -> None:
    whole, paper = quet.new("palindromes", m=6), quet.position("palindromes", "10....")
    first = make(whole, 5, "random", 1)
    assert not {"start", "after"} & first.about.keys() and "`quet dataset palindromes m=6 --positions 5" in first.card
    cases = {
        "on paper": (paper, {"start": "10...."}, ["the position `10....` on paper"]),
        "after moves": (whole.after("1=0"), {"after": "1=0"}, ["**Begins after**: `1=0`;"]),
        "both": (paper.after("3=1"), {"start": "10....", "after": "3=1"}, ["`10....` on paper", "after**: `3=1`;"]),
    }
    for game, begins, sentences in cases.values():
        made = make(game, 5, "random", 1)
        assert made.about.items() >= begins.items() and len(made.about) == len(first.about) + len(begins)
        assert "quet dataset" not in made.card and "`quet.rl.dataset.make(game, 5, 'random', 1)`" in made.card
        assert all(sentence in made.card for sentence in sentences)
        for moves, value in zip(made.moves, made.value, strict=True):
            position = game.at(0)
            for move in moves.split():
                position.play(move)
            assert quet.rl.oracle(game).value(position) == value


def test_the_moves_count_among_what_all_columns_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    game = quet.new("palindromes", m=5)
    made = make(game, 100, "random", 1)
    assert max(map(len, made.moves)) > 0
    columns = np.load(io.BytesIO(made.npz()))
    size = sum(columns[name].nbytes for name in COLUMNS)
    monkeypatch.setattr("quet.rl.dataset.MOST_BYTES", size)
    assert make(game, 100, "random", 1).digest == made.digest
    monkeypatch.setattr("quet.rl.dataset.MOST_BYTES", size - 1)
    sentence = r"^With the texts of their moves 100 positions take more than 4 GB\.$"
    with pytest.raises(quet.BadParameter, match=sentence):
        make(game, 100, "random", 1)


@pytest.mark.parametrize("kind", ["npz", "parquet"])
def test_the_command_writes_a_file_and_its_card(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / f"positions.{kind}"
    words = ["dataset", "palindromes", "m=5", "--positions", "20", "--out", str(file), "--seed", "4", "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    made = make(quet.new("palindromes", m=5), 20, "random", 4)
    assert (told["digest"], told["status"], told["file"]) == (made.digest, "done", str(file))
    assert Path(told["card"]).read_text() == made.card and made.digest in made.card
    assert all(word in made.card for word in ("m=5", "--seed 4", "--from random", "`action_values`", "empty: 1 on an"))
    if kind == "npz":
        found = np.load(file)
        assert str(found["digest"]) == made.digest and found["moves"].tolist() == made.moves
        assert np.array_equal(found["action_values"], made.action_values)
        assert json.loads(str(found["about"])) == made.about
    else:
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(file)
        assert table.column_names == ["moves", "mover", "value", "observation", "legal", "action_values"]
        assert table["action_values"].to_pylist() == made.action_values.tolist()
        assert table["observation"].to_pylist() == made.observation.reshape(20, -1).tolist()
        assert table.schema.metadata[b"quet.digest"].decode() == made.digest


def test_a_dataset_whose_values_are_all_equal_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--positions", "9", "--from", "random", "--out", str(tmp_path / "positions.npz")]
    told = "All values are equal: no move in any of these positions loses anything. "
    for size, is_level in (("blob n=3", True), ("palindromes m=4", False)):
        assert main(["dataset", *size.split(), *words]) == 0
        assert capsys.readouterr().err.startswith(f"quet: {told}") is is_level
        assert (told.replace(": ", "**: ", 1) in (tmp_path / "positions.npz.md").read_text()) is is_level


def test_ctrl_c_stops_the_command_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*given: Any) -> None:
        given[-1](7, 20, "positions")
        raise KeyboardInterrupt

    monkeypatch.setattr("quet.cli.dataset.make", interrupted)
    words = ["dataset", "palindromes", "m=5", "--positions", "20", "--out", str(tmp_path / "a.npz")]
    assert main(words) == 130
    assert capsys.readouterr().out == "Stopped: 7 of 20 positions were made by then, and no file was written.\n"
    assert main([*words, "--json"]) == 130
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["made"]) == ("stopped", 7)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((None, 3, "random", 1), "'None' is not a game"),
        ((SMALL, 2.5, "random", 1), "The number of positions must be an integer, not '2.5'."),
        ((SMALL, "3", "random", 1), "The number of positions must be an integer, not '3'."),
        ((SMALL, 3, None, 1), "Positions come from one of reachable, random, "),
        ((SMALL, 3, "random", 2.5), "The seed must be an integer, not '2.5'."),
        ((SMALL, 3, "random", True), "The seed must be an integer, not 'True'."),
    ],
)
def test_arguments_of_another_kind_are_refused_in_a_sentence(arguments: Any, sentence: str) -> None:
    with pytest.raises(quet.BadParameter, match=f"^{re.escape(sentence)}"):
        make(*arguments)


def test_any_kind_of_integer_is_taken() -> None:
    made = make(SMALL, np.int8(3), "random", np.int64(1))
    assert made.digest == make(SMALL, 3, "random", 1).digest and type(made.seed) is int


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("palindromes m=5 --positions 5 --out a.csv", "The file must end with .parquet or .npz."),
        ("palindromes m=5 --positions 0 --out a.npz", "The number of positions must be from 1 to 10000000, not '0'."),
        ("palindromes m=5 --positions 5 --out a.npz --seed -1", "The seed must be from 0 to 4294967295, not '-1'."),
        ("palindromes m=5 --positions 5 --out a.npz --from level:6", "Positions come from one of reachable, random, "),
        (
            "palindromes m=3 --positions 20 --out a.npz --from reachable",
            "There are only 19 positions that aren't over.",
        ),
        ("palindromes m=64 --positions 9000000 --out a.npz", "9000000 positions of this size take more than 4 GB."),
        ("divisors-multiples players=3 --positions 5 --out a.npz", "A game for 3 players has no value."),
        ("palindromes m=5 --positions 5 --out /nowhere/a.npz", "'/nowhere/a.npz': Its folder doesn't exist."),
    ],
)
def test_bad_arguments_are_refused_in_a_sentence(
    words: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["dataset", *words.split()]) == 2
    assert capsys.readouterr().err.startswith(f"quet: {sentence}")
    assert list(tmp_path.iterdir()) == []
