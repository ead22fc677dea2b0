"""Tests of `arguments.py`: what learners refuse before they train, and what they write."""

import argparse
import importlib
import json
from pathlib import Path
from typing import Any

import arguments
import pytest

LEARNERS = {
    "openspiel_learners": ["qlearner", "palindromes", "m=3"],
    "mcts_bot": [],
    "ppo": ["palindromes", "m=3"],
    "alphazero": ["palindromes", "m=3"],
    "generalise": ["3", "4"],
}


def learner(name: str) -> Any:
    """A module of the examples; those that need PyTorch are tested where it is."""
    if name in ("ppo", "alphazero", "generalise"):
        pytest.importorskip("torch")
    return importlib.import_module(name)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--seed", "-1"], "'-1' is no integer from 0 to"),
        (["--seed", "x"], "'x' is no integer from 0 to"),
        (["--minutes", "-1"], "'-1' is no number of minutes above 0"),
        (["--minutes", "0"], "'0' is no number of minutes above 0"),
        (["--minutes", "nan"], "'nan' is no number of minutes above 0"),
        (["--minutes", "inf"], "'inf' is no number of minutes above 0"),
        (["--simulations", "0"], "'0' is no integer from 1 to"),
        (["--simulations", "1000000000"], "'1000000000' is no integer from 1 to 100000"),
        (["--threads", "257"], "'257' is no integer from 1 to 256"),
        (["--out", "nowhere/entry.json"], "'nowhere/entry.json': Its folder doesn't exist."),
        (["--out", "."], "'.': It is a folder."),
        (["--log", "nowhere/log"], "'nowhere/log': Its folder doesn't exist."),
        (["--log", "x", "--out", "./x"], "--log and --out name the same file, 'x'."),
        (["--name", "a|b"], "An agent's name has from 1 to"),
        (["--positions", "2000000"], "'2000000' is no integer from 1 to 1000000"),
        (["--seed", "3000000000"], "'3000000000' is no integer from 0 to 2147483646"),
    ],
)
@pytest.mark.parametrize("name", LEARNERS)
def test_bad_options_are_refused_in_a_sentence_before_the_training(
    name: str, more: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    module = learner(name)
    if f'"{more[0]}"' not in Path(module.__file__).read_text(encoding="utf-8"):
        return  # it has no such option
    with pytest.raises(SystemExit) as ended:
        module.main([*LEARNERS[name], *more])
    assert ended.value.code == 2 and sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["palindromes", "m"], "'m' is not a parameter; write name=value, as in n=8."),
        (["nogame"], "There is no game 'nogame'"),
        (["palindromes", "m=0"], "m must be "),
        (["sums-grid", "n=3"], "without changing what is written."),
        (["divisors-multiples", "r=4", "players=3"], "the measures are for one or two players"),
    ],
)
@pytest.mark.parametrize("name", ["openspiel_learners", "ppo", "alphazero"])
def test_bad_games_are_refused_in_a_sentence(
    name: str, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    module = learner(name)
    with pytest.raises(SystemExit) as ended:
        module.main([*(["qlearner"] if name == "openspiel_learners" else []), *words])
    assert ended.value.code == 2 and sentence in capsys.readouterr().err


def test_a_folder_without_tasks_is_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        learner("mcts_bot").main(["--folder", str(tmp_path)])
    assert ended.value.code == 2 and "tasks.json': It can't be read: " in capsys.readouterr().err


def test_a_training_that_is_stopped_leaves_the_curve_and_the_entry_of_an_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, log, out = learner("openspiel_learners"), tmp_path / "log", tmp_path / "entry.json"
    log.write_text("old")
    out.write_text("old")
    words = [*LEARNERS["openspiel_learners"], "--minutes", "0.001", "--log", str(log), "--out", str(out)]

    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("quet.rl.leaderboard.measured", stopped)
        with pytest.raises(KeyboardInterrupt):
            module.main(words)
    assert (log.read_text(), out.read_text()) == ("old", "old")
    monkeypatch.setattr("quet.rl.leaderboard.measured", lambda *_, **__: {})
    assert module.main(words) == 0
    assert log.read_text().startswith("0\t0.0\t") and json.loads(out.read_text()) == {}


def test_only_files_that_were_asked_for_are_written(tmp_path: Path) -> None:
    arguments.write(argparse.ArgumentParser(), {None: "a curve", tmp_path / "entry": "é"})
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("entry", "é".encode())]


def test_what_cannot_be_written_after_the_training_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "removed meanwhile" / "entry"
    with pytest.raises(SystemExit) as ended:
        arguments.write(argparse.ArgumentParser(), {tmp_path / "log": "a curve\n", None: "nothing", file: "an entry\n"})
    out, err = capsys.readouterr()
    assert ended.value.code == 2 and out == "a curve\nan entry\n" and not list(tmp_path.iterdir())
    assert f"{tmp_path / 'log'}, {file}: It can't be written: No such file or directory. " in err


def test_the_command_that_made_an_entry_is_told_as_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["up-and-up", "n=3", "--out=a.json", "--simulations", "64", "--log", "b", "--name", "c d", "--threads=2"]
    told = "examples/alphazero.py up-and-up n=3 --simulations 64 --threads=2"
    assert arguments.command("/somewhere/examples/alphazero.py", words) == told
    monkeypatch.setattr("sys.argv", ["alphazero.py", *words])
    assert arguments.command("alphazero.py", None) == told


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("openspiel_learners", ["--minutes", "0.001"]),
        ("mcts_bot", ["--games", "3", "--positions", "2", "--simulations", "2"]),
        ("ppo", ["--minutes", "0.001", "--threads", "2"]),
        ("alphazero", ["--minutes", "0.001", "--simulations", "2", "--threads", "2"]),
        ("generalise", ["--minutes", "0.001", "--simulations", "2", "--positions", "5"]),
    ],
)
def test_an_entry_tells_the_whole_command(name: str, more: list[str], tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text('[["palindromes", {"m": 3}, "reachable"]]')
    words = [*LEARNERS[name], *(["--folder", str(tmp_path)] if name == "mcts_bot" else []), *more]
    assert learner(name).main([*words, "--out", str(tmp_path / "entry")]) == 0
    assert f"`examples/{name}.py {' '.join(words)}`" in json.loads((tmp_path / "entry").read_text())["about"]
