"""Today's code goes on from checkpoints of commit 2f1d3df as that code did."""

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from quet.cli.main import main
from quet.distribution.task import Task
from quet.tablebases import blocks

KEPT = Path(__file__).parent / "old_checkpoints"
ANSWERS: dict[str, dict[str, Any]] = json.loads(
    (KEPT / "answers.json").read_text()
)  # as that code gave them in the end


def copied(name: str, folder: Path) -> Path:
    """A copy of a checkpoint, and of the blocks beside it."""
    beside = KEPT / f"{name}.blocks.gz"
    if beside.exists():
        (folder / f"{name}.blocks").write_bytes(gzip.decompress(beside.read_bytes()))
    return Path(shutil.copy(KEPT / name, folder))


def resumed(file: Path, capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, Any]:
    asked = json.loads(file.read_text())
    words = [asked["game"], *(f"{name}={value}" for name, value in asked["parameters"].items()), *more]
    words += ["--lowest"] if asked["lowest"] else []
    assert main(["solve", *words, "--workers", "1", "--resume", str(file), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("name", ANSWERS)
def test_the_answer_is_the_one_of_before_and_nothing_is_done_twice(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = copied(name, tmp_path)
    before = json.loads(file.read_text())["notes"]
    noted: list[str] = []
    note = Task.note

    def spied(task: Task, name: str, value: object) -> None:
        noted.append(name)
        note(task, name, value)

    monkeypatch.setattr(Task, "note", spied)
    found = resumed(file, capsys)
    assert {key: found[key] for key in ANSWERS[name]} == ANSWERS[name]
    assert before
    assert not set(before) & set(noted)


def test_a_block_that_was_full_is_not_filled_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    filled: list[int] = []
    fill = blocks.fill

    def spied(place: blocks.Place, block: blocks.Block, *more: Any) -> int | None:
        filled.append(block.first)
        return fill(place, block, *more)

    monkeypatch.setattr(blocks, "fill", spied)
    resumed(copied("palindromes-m10.json", tmp_path), capsys)
    assert len(filled) == 5  # of eleven
    filled.clear()
    resumed(copied("divisors-multiples-r11.json", tmp_path), capsys)
    assert len(filled) == 2  # of four


def test_rounds_of_a_search_without_end_are_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = resumed(copied("palindromes-m45.json", tmp_path), capsys, "--time", "0.5")
    assert found["status"] == "open"
    assert found["nodes"] >= 720
    assert len(found["witness"]) == 45
