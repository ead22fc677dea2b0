"""Tests of `train_all.py`."""

import shlex
from pathlib import Path

import ppo
import pytest
import train_all

from quet.rl import entries, leaderboard

ROOT = Path(__file__).parents[1]


def test_each_learner_learns_each_size_of_the_table_and_no_file_is_written_twice() -> None:
    found = list(train_all.commands(list(train_all.LEARNERS), ""))
    num_sizes = len(leaderboard.tasks(ROOT / "agents"))
    assert len(found) == len(train_all.LEARNERS) * num_sizes + len(train_all.LONGER)
    files = [word for line in found for word in shlex.split(line) if word.startswith("agents/")]
    assert len(set(files)) == len(files) == 2 * len(found)
    assert all((ROOT / file).exists() for file in files)
    assert all((ROOT / shlex.split(line)[1]).exists() for line in found)


def test_the_entries_name_these_commands() -> None:
    for line in train_all.commands(list(train_all.LEARNERS), ""):
        words = shlex.split(line)
        (entry,) = [entries.read((ROOT / word).read_bytes()) for word in words if word.endswith(".json")]
        (told,) = [part for part in entry["about"].split("`") if part.startswith("examples/")]
        left = words[1 : words.index("--out")]
        if "--name" in left:
            name = left.pop(left.index("--name") + 1)
            left.remove("--name")
            assert entry["agent"] == name
        assert shlex.split(told) == left


def test_commands_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[list[str]] = []
    monkeypatch.chdir(tmp_path)  # so that the folder is what it was, afterwards
    monkeypatch.setattr(ppo, "main", ran.append)
    assert train_all.main(["ppo", "--game", "blob"]) == 0
    assert [words[:2] for words in ran] == [["blob", f"n={n}"] for n in (4, 5, 6)]
    assert train_all.main(["--show"]) == 0 and len(ran) == 3
    assert capsys.readouterr().out.count("python examples/") > 60


@pytest.mark.parametrize("words", [["nobody"], ["dqn", "--game", "nogame"], ["ppo", "ppo"]])
def test_what_cannot_be_run_is_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        train_all.main([*words, "--show"])
