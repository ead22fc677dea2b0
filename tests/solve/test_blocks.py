"""Tables filled block by block: what is full outlives the program that filled it."""

import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quet
from quet.cli.main import main
from quet.core.files import UnwritableFile
from quet.games.divisors_multiples import exact, solve
from quet.solve import blocks
from quet.solve.answer import Task
from quet.solve.blocks import Blocks

LONG = 300.0  # seconds that anything may take on a busy machine
R = 9
NUM_BLOCKS = 64
BLOCK = 4 * (R - 1) * 2  # bytes


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The blocks that are filled from now on."""
    found: list[int] = []
    note = Blocks.note

    def spied(self: Blocks, block: int) -> None:
        found.append(block)
        note(self, block)

    monkeypatch.setattr(Blocks, "note", spied)
    return found


def filled(task: Task | None, **more: Any) -> Any:
    """The table of a small game; None where it was stopped."""
    s = quet.new("divisors-multiples", r=R).state
    found = exact.solve(s, until=float("inf"), memory=2**30, task=task, **more)
    return None if found is None else found.table


def kept(tmp_path: Path) -> Task:
    return Task(table=tmp_path / "kept.blocks")


def test_a_table_in_a_file_is_the_one_in_memory(tmp_path: Path, noted: list[int]) -> None:
    task = kept(tmp_path)
    assert np.array_equal(filled(task), filled(None))
    assert task.table is not None
    assert task.table.stat().st_size == exact.needed(quet.new("divisors-multiples", r=R).state)
    assert task.table.stat().st_mode & 0o111 == 0
    assert len(task.notes) == NUM_BLOCKS
    noted.clear()
    again = filled(task)
    assert noted == []
    assert np.array_equal(again, filled(None))


@pytest.mark.parametrize("num_full", [1, 20, 63])
def test_a_table_that_was_stopped_goes_on_where_it_was(num_full: int, tmp_path: Path, noted: list[int]) -> None:
    task, stop = kept(tmp_path), threading.Event()

    def report(done: int, total: int, words: str) -> None:
        if done == num_full:
            stop.set()

    assert filled(task, stop=stop, report=report, num_threads=1) is None
    done = list(noted)
    assert num_full <= len(done) < NUM_BLOCKS
    notes = json.loads(json.dumps(task.notes))  # as a checkpoint has them
    table = filled(Task(table=task.table, notes=notes))
    assert sorted(noted) == list(range(NUM_BLOCKS))
    assert np.array_equal(table, filled(None))


def test_a_damaged_block_alone_is_filled_again(tmp_path: Path, noted: list[int]) -> None:
    task = kept(tmp_path)
    filled(task)
    assert task.table is not None
    content = task.table.read_bytes()
    damaged = bytearray(content)
    damaged[37 * BLOCK + 20] ^= 1
    task.table.write_bytes(damaged)
    noted.clear()
    filled(task)
    assert noted == [37]
    assert task.table.read_bytes() == content


def test_without_its_file_or_with_other_code_a_table_is_filled_anew(
    tmp_path: Path, noted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    task = kept(tmp_path)
    filled(task)
    assert task.table is not None
    noted.clear()
    task.table.unlink()
    filled(task)
    assert sorted(noted) == list(range(NUM_BLOCKS))
    noted.clear()
    monkeypatch.setattr(blocks, "_code", lambda module: "another")
    filled(task)
    assert sorted(noted) == list(range(NUM_BLOCKS))


def test_a_file_of_something_else_is_refused_and_stays(tmp_path: Path) -> None:
    task = kept(tmp_path)
    assert task.table is not None
    task.table.write_text("a letter")
    with pytest.raises(UnwritableFile, match=r"kept\.blocks': It is no table of this solve; move it away\.$"):
        filled(task)
    assert task.table.read_text() == "a letter"
    task.table.unlink()
    os.mkfifo(task.table)
    with pytest.raises(UnwritableFile, match=r"kept\.blocks': It "):
        filled(task)
    with pytest.raises(UnwritableFile, match="It can't be written: No such file or directory"):
        filled(Task(table=tmp_path / "nowhere" / "kept.blocks"))


def test_a_full_disk_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int, offset: int, length: int) -> None:
        os.ftruncate(file, length // 2)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    task = kept(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(os, "posix_fallocate", full, raising=False)
        with pytest.raises(UnwritableFile, match="It can't be written: No space left on device"):
            filled(task)
    assert filled(task) is not None  # what was left there is no hindrance


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["solve", "divisors-multiples", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def num_kept(checkpoint: Path) -> int:
    if not checkpoint.exists():
        return 0
    return sum(name.startswith(blocks.NOTE) for name in json.loads(checkpoint.read_text())["notes"])


@pytest.mark.parametrize(("words", "positions"), [(["r=21"], 20 * 2**20), (["r=19", "players=3"], 18 * 2**18)], ids=str)
def test_a_solve_that_is_killed_goes_on_and_fills_no_block_twice(
    words: list[str], positions: int, tmp_path: Path, noted: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    checkpoint = tmp_path / "kept.json"
    command = [sys.executable, "-m", "quet", "solve", "divisors-multiples", *words, "--workers", "1"]
    killed = subprocess.Popen([*command, "--checkpoint", str(checkpoint)], stdout=subprocess.DEVNULL)
    begun = time.monotonic()
    while not num_kept(checkpoint):
        assert killed.poll() is None
        assert time.monotonic() - begun < LONG
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    assert killed.wait(LONG) == -signal.SIGKILL
    before = num_kept(checkpoint)
    file = tmp_path / "kept.json.blocks"
    assert 0 < before < NUM_BLOCKS
    assert file.exists()
    found = answered(capsys, *words, "--resume", str(checkpoint))
    assert len(noted) == NUM_BLOCKS - before
    assert (found["status"], found["nodes"]) == ("proven", positions)
    assert not file.exists()  # nor is it needed again
    again = answered(capsys, *words, "--resume", str(checkpoint))
    assert len(noted) == NUM_BLOCKS - before
    for key in ("value", "scores", "witness", "best_moves", "nodes"):
        assert again[key] == found[key]
    game = quet.new("divisors-multiples", **dict(word.split("=") for word in words))
    for move in found["witness"]:
        game.play(move)
    if game.num_players == 2:
        assert game.scores[0] - game.scores[1] == found["value"] == 10
    else:
        assert list(game.scores) == found["scores"]


def test_what_is_full_when_the_time_is_over_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checkpoint = tmp_path / "kept.json"
    words = ["r=22", "--workers", "1", "--checkpoint", str(checkpoint), "--time"]
    before, seconds = 0, 0.5
    for _ in range(2):
        while num_kept(checkpoint) == before:
            assert seconds < LONG
            assert answered(capsys, *words, str(seconds))["status"] == "open"
            seconds *= 2  # on a busy machine it may have been too short for a block
        assert before < num_kept(checkpoint) < NUM_BLOCKS
        assert (tmp_path / "kept.json.blocks").exists()
        before, seconds = num_kept(checkpoint), seconds / 2


def test_a_file_beside_a_checkpoint_of_no_table_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "kept.json.blocks"
    other.write_text("a letter")
    assert main(["solve", "palindromes", "m=5", "--checkpoint", str(tmp_path / "kept.json")]) == 0
    assert other.read_text() == "a letter"
    assert main(["solve", "divisors-multiples", "r=5", "--checkpoint", str(tmp_path / "more.json")]) == 0
    assert not (tmp_path / "more.json.blocks").exists()
    capsys.readouterr()
    (tmp_path / "more.json.blocks").write_text("a letter")
    assert main(["solve", "divisors-multiples", "r=6", "--checkpoint", str(tmp_path / "more.json")]) == 2
    assert "It is the checkpoint of another question" in capsys.readouterr().err
    (tmp_path / "more.json").unlink()
    assert main(["solve", "divisors-multiples", "r=6", "--checkpoint", str(tmp_path / "more.json")]) == 2
    assert "more.json.blocks': It is no table of this solve; move it away." in capsys.readouterr().err
    assert (tmp_path / "more.json.blocks").read_text() == "a letter"


def test_the_scores_of_three_players_are_not_sought_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["r=6", "players=3", "--checkpoint", str(tmp_path / "kept.json")]
    first = answered(capsys, *words)
    monkeypatch.setattr(solve, "table", None)
    again = answered(capsys, *words)
    assert first | {"seconds": 0} == again | {"seconds": 0}
