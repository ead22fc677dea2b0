"""The corridor of Up And Up of which docs/notes/proofs.md tells."""

import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).parents[1] / "bench"


@pytest.fixture
def corridor(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("corridor")


def test_the_corridor_is_filled_by_moves_that_the_rules_allow() -> None:
    told = subprocess.run([sys.executable, BENCH / "corridor.py"], capture_output=True, text=True, check=True).stdout
    assert told == (
        "The corridor is filled: 28 squares in 4 rows and 7 columns.\nIts moves reach over 56 columns and 62 rows.\n"
    )


def test_moves_that_the_rules_forbid_are_told(corridor: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def told(moves: list[Any]) -> list[str]:
        monkeypatch.setattr(corridor, "MOVES", moves)
        return list(corridor.broken())

    moves = corridor.MOVES
    beyond = [(column + corridor.WIDTH, row, step) for column, row, step in moves[:5]] + moves[5:]
    assert told(beyond)[-1] == "Move 5 has another distance."
    back_too_soon = [*moves[:4], (moves[3][0] + 1, moves[3][1], 1), *moves[5:]]
    with pytest.raises(ValueError, match="filled twice"):
        told(back_too_soon)
    mirrored = [(-column, row, step) for column, row, step in moves]  # what was filled is empty now
    assert "Before move 22 a square 27 away is empty." in told(mirrored)
