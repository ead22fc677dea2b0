"""Tables filled block by block: what is full outlives the program that filled it."""

import contextlib
import errno
import json
import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quet
from quet.cli.main import main
from quet.core.errors import QuetError
from quet.core.files import UnwritableFile
from quet.distribution.task import Task
from quet.distribution.workers import Processes
from quet.games.divisors_multiples import exact, solve
from quet.games.palindromes import retrograde
from quet.tablebases import blocks
from quet.tablebases.blocks import Block, Place

LONG = 300.0  # seconds that anything may take on a busy machine
R = 15
NUM_BLOCKS = 64
ROWS = 2**14 // NUM_BLOCKS  # sets of a block
BLOCK = ROWS * 14 * 2  # bytes


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The first rows of the blocks that are filled from now on in this process."""
    found: list[int] = []
    fill = blocks.fill

    def spied(place: Place, block: Block, *more: Any) -> int | None:
        found.append(block.first)
        return fill(place, block, *more)

    monkeypatch.setattr(blocks, "fill", spied)
    return found


def filled(task: Task) -> Any:
    """The table of a small game; None where it was stopped."""
    found = exact.solve(quet.new("divisors-multiples", r=R).state, task)
    return None if found is None else found.table


def alone(**more: Any) -> Task:
    """A task of this process."""
    return Task(workers=Processes(1), **more)


def test_a_table_in_a_file_is_the_one_in_memory(tmp_path: Path, begun: list[int]) -> None:
    task = alone(table=tmp_path / "kept.blocks")
    expected = filled(alone())
    assert begun == sorted(begun, key=lambda row: -(row // ROWS).bit_count())
    begun.clear()
    assert np.array_equal(filled(task), expected)
    assert sorted(begun) == list(range(0, 2**14, ROWS))
    assert task.table is not None
    assert task.table.stat().st_size == exact.needed(quet.new("divisors-multiples", r=R).state) + blocks.TOKEN
    assert task.table.stat().st_mode & 0o111 == 0
    assert len(task.notes) == NUM_BLOCKS
    begun.clear()
    assert np.array_equal(filled(task), expected)
    assert begun == []


@pytest.mark.parametrize("has_memory_files", [True, False])
def test_processes_fill_the_table_that_one_would(
    has_memory_files: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_memory_files:
        monkeypatch.delattr(os, "memfd_create", raising=False)
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    expected = filled(alone())
    game = quet.new("palindromes", m=15)
    other = retrograde.solve(game.state, alone())
    assert other is not None
    workers = Processes(2)
    workers.seconds_here = 0.0
    with contextlib.closing(workers):
        assert np.array_equal(filled(Task(workers=workers)), expected)
        task = Task(workers=workers)
        found = retrograde.solve(game.state, task)
    assert found is not None
    assert np.array_equal(found.values, other.values)
    assert np.array_equal(found.starts, other.starts)
    assert len(task.notes) > 15
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("num_full", [1, 20, 63])
def test_a_table_that_was_stopped_goes_on_where_it_was(num_full: int, tmp_path: Path, begun: list[int]) -> None:
    class Stop(Exception):
        pass

    def report(done: int, total: int, words: str) -> None:
        assert (total, words) == (NUM_BLOCKS, blocks.WORDS)
        if done == num_full:
            raise Stop

    task = alone(table=tmp_path / "kept.blocks", report=report)
    with pytest.raises(Stop):
        filled(task)
    assert len(begun) == num_full
    notes = json.loads(json.dumps(task.notes))  # as a checkpoint has them
    table = filled(alone(table=task.table, notes=notes))
    assert sorted(begun) == list(range(0, 2**14, ROWS))
    assert np.array_equal(table, filled(alone()))


def test_blocks_noted_without_a_file_are_filled_again(begun: list[int]) -> None:
    task = alone()
    first = filled(task)
    assert np.array_equal(filled(task), first)
    assert len(begun) == 2 * NUM_BLOCKS


def test_blocks_that_another_machine_has_undone_are_filled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = filled(alone())
    task = alone(table=tmp_path / "kept.blocks")
    task.workers.are_far = True
    fill, undone = blocks.fill, set()

    def writing_a_whole_page(place: Place, block: Block, *more: Any) -> int | None:
        """Acts like a machine that writes whole pages: with its block, the old end of the block before."""
        found = fill(place, block, *more)
        number = block.first // ROWS
        if number > 0 and number.bit_count() == (number - 1).bit_count() and number not in undone:
            undone.add(number)
            with Path(place.file).open("r+b") as file:
                file.seek(number * BLOCK - 40)
                file.write(bytes(40))
        return found

    monkeypatch.setattr(blocks, "fill", writing_a_whole_page)
    assert np.array_equal(filled(task), expected)
    assert len(undone) == 16


def test_a_folder_that_never_keeps_what_is_written_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = alone(table=tmp_path / "kept.blocks")
    task.workers.are_far = True
    monkeypatch.setattr(blocks, "fill", lambda place, block, *more: 1)
    with pytest.raises(QuetError, match=r"kept\.blocks'?: The folder doesn't keep what the workers write there\.$"):
        filled(task)


def test_a_damaged_block_alone_is_filled_again(tmp_path: Path, begun: list[int]) -> None:
    task = alone(table=tmp_path / "kept.blocks")
    filled(task)
    assert task.table is not None
    content = task.table.read_bytes()
    damaged = bytearray(content)
    damaged[37 * BLOCK + 20] ^= 1
    task.table.write_bytes(damaged)
    begun.clear()
    filled(task)
    assert begun == [37 * ROWS]
    assert task.table.read_bytes()[: -blocks.TOKEN] == content[: -blocks.TOKEN]


def test_without_its_file_a_table_is_filled_anew(tmp_path: Path, begun: list[int]) -> None:
    task = alone(table=tmp_path / "kept.blocks")
    filled(task)
    assert task.table is not None
    begun.clear()
    task.table.unlink()
    filled(task)
    assert len(begun) == NUM_BLOCKS


def test_a_worker_that_sees_another_file_says_so_and_leaves_it(tmp_path: Path) -> None:
    file = tmp_path / "kept.blocks"
    place = Place(str(file), (4,), "int8", "00" * blocks.TOKEN, is_kept=True, is_far=True)
    block = Block(0, 4)

    def ones(table: Any, seconds: float | None) -> bool:
        table[:] = 1
        return True

    for content in (None, b"a letter", b"\0" * 4 + b"\1" * blocks.TOKEN):
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(
            QuetError, match=r"A worker doesn't see .*kept\.blocks', where the table is: all must share"
        ):
            blocks.fill(place, block, ones, (), None)
        assert not file.exists() if content is None else file.read_bytes() == content
    file.write_bytes(b"\0" * (4 + blocks.TOKEN))
    assert blocks.fill(place, block, ones, (), None) == zlib.crc32(b"\1" * 4)
    assert file.read_bytes() == b"\1" * 4 + b"\0" * blocks.TOKEN


def test_a_file_of_something_else_is_refused_and_stays(tmp_path: Path) -> None:
    task = alone(table=tmp_path / "kept.blocks")
    assert task.table is not None
    task.table.write_text("a letter")
    with pytest.raises(UnwritableFile, match=r"kept\.blocks': It is no table of this solve; move it away\.$"):
        filled(task)
    assert task.table.read_text() == "a letter"
    task.table.unlink()
    os.mkfifo(task.table)
    with pytest.raises(UnwritableFile, match=r"kept\.blocks': It is not a regular file\.$"):
        filled(task)
    with pytest.raises(UnwritableFile, match="It can't be written: No such file or directory"):
        filled(alone(table=tmp_path / "nowhere" / "kept.blocks"))


def test_a_full_disk_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: int, offset: int, length: int) -> None:
        os.ftruncate(file, length // 2)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    task = alone(table=tmp_path / "kept.blocks")
    with monkeypatch.context() as patched:
        patched.setattr(os, "posix_fallocate", full, raising=False)
        with pytest.raises(UnwritableFile, match="It can't be written: No space left on device"):
            filled(task)
    assert list(tmp_path.iterdir()) == []
    assert filled(task) is not None


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["solve", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def num_kept(checkpoint: Path) -> int:
    if not checkpoint.exists():
        return 0
    return sum(name.startswith(blocks.NOTE) for name in json.loads(checkpoint.read_text())["notes"])


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "num_blocks", "positions"),
    [
        (["divisors-multiples", "r=19"], 256, 18 * 2**18),
        (["divisors-multiples", "r=18", "players=3"], 256, 17 * 2**17),
        (["palindromes", "m=19"], 35, 292_030_211),
    ],
    ids=str,
)
def test_a_solve_that_is_killed_goes_on_and_fills_no_block_twice(
    words: list[str],
    num_blocks: int,
    positions: int,
    tmp_path: Path,
    begun: list[int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    checkpoint = tmp_path / "kept.json"
    command = [sys.executable, "-m", "quet", "solve", *words, "--workers", "1"]
    killed = subprocess.Popen([*command, "--checkpoint", str(checkpoint)], stdout=subprocess.DEVNULL)
    started = time.monotonic()
    while not num_kept(checkpoint):
        assert killed.poll() is None
        assert time.monotonic() - started < LONG
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    assert killed.wait(LONG) == -signal.SIGKILL
    before = num_kept(checkpoint)
    file = tmp_path / "kept.json.blocks"
    assert 0 < before < num_blocks
    assert file.exists()
    found = answered(capsys, *words, "--workers", "1", "--resume", str(checkpoint))
    assert len(begun) == num_blocks - before
    assert (found["status"], found["nodes"]) == ("proven", positions)
    assert not file.exists()  # nor is it needed again
    again = answered(capsys, *words, "--workers", "1", "--resume", str(checkpoint))
    assert len(begun) == num_blocks - before
    for key in ("value", "scores", "witness", "best_moves", "nodes"):
        assert again[key] == found[key]
    game = quet.new(words[0], **dict(word.split("=") for word in words[1:]))
    for move in found["witness"]:
        game.play(move)
    if game.num_players == 2:
        assert (
            game.scores[0] - game.scores[1] == found["value"] == {"divisors-multiples": 16, "palindromes": 6}[game.id]
        )
    else:
        assert list(game.scores) == found["scores"]


def test_what_is_full_when_the_time_is_over_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checkpoint = tmp_path / "kept.json"
    words = ["divisors-multiples", "r=22", "--workers", "1", "--checkpoint", str(checkpoint), "--time"]
    before, seconds = 0, 0.5
    for _ in range(2):
        while num_kept(checkpoint) == before:
            assert seconds < LONG
            assert answered(capsys, *words, str(seconds))["status"] == "open"
            seconds *= 2  # on a busy machine it may have been too short for a block
        assert before < num_kept(checkpoint) < 256
        assert (tmp_path / "kept.json.blocks").exists()
        before, seconds = num_kept(checkpoint), seconds / 2


def test_a_file_beside_a_checkpoint_of_no_table_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "kept.json.blocks"
    other.write_text("a letter")
    assert main(["solve", "plusses-minuses", "n=3", "--checkpoint", str(tmp_path / "kept.json")]) == 0
    assert other.read_text() == "a letter"
    assert main(["solve", "divisors-multiples", "r=5", "--checkpoint", str(tmp_path / "more.json")]) == 0
    assert not (tmp_path / "more.json.blocks").exists()
    capsys.readouterr()
    (tmp_path / "more.json.blocks").write_text("a letter")
    assert main(["solve", "divisors-multiples", "r=6", "--checkpoint", str(tmp_path / "more.json")]) == 2
    assert "It is the checkpoint of divisors-multiples r=5 players=2, and this solve is of" in capsys.readouterr().err
    (tmp_path / "more.json").unlink()
    assert main(["solve", "divisors-multiples", "r=6", "--checkpoint", str(tmp_path / "more.json")]) == 2
    assert "more.json.blocks': It is no table of this solve; move it away." in capsys.readouterr().err
    assert (tmp_path / "more.json.blocks").read_text() == "a letter"


def test_the_scores_of_three_players_are_not_sought_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["divisors-multiples", "r=6", "players=3", "--checkpoint", str(tmp_path / "kept.json")]
    first = answered(capsys, *words)
    monkeypatch.setattr(solve, "table", None)
    again = answered(capsys, *words)
    assert first | {"seconds": 0} == again | {"seconds": 0}
