"""The corridor of Up And Up of which docs/notes/proofs.md tells."""

import importlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[1] / "bench"


@pytest.fixture
def corridor(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module("corridor")


def test_the_corridor_is_filled_by_moves_that_the_rules_allow() -> None:
    told = subprocess.run([sys.executable, BENCH / "corridor.py"], capture_output=True, text=True, check=True).stdout
    assert told == (
        "Corridors are filled: 30 squares for 6 rows and 5 columns.\nThe moves reach over 28 columns and 25 rows.\n"
    )


def test_what_is_wrong_is_told(corridor: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def told(moves: Sequence[tuple[int, ...]]) -> list[str]:
        monkeypatch.setattr(corridor, "MOVES", moves)
        return list(corridor.broken())

    moves, period = corridor.MOVES, 2 * corridor.WIDTH
    beyond = [(column + period, row, step) for column, row, step in moves[:5]] + moves[5:]
    assert told(beyond)[-1] == "Move 5 has another distance."
    assert told([*moves[:4], moves[0], *moves[5:]]) == ["A square is filled twice, or never."]
    mirrored = [(-column, row, step) for column, row, step in moves]  # what was filled is empty now
    assert "Before move 5 a square 7 away is empty." in told(mirrored)


@pytest.mark.parametrize("is_down", [False, True])
def test_the_moves_are_those_of_a_game_on_a_board(corridor: ModuleType, is_down: bool) -> None:
    """The corridor that comes next is played for six periods, on squares all of which are written down."""
    width, height, mirror = corridor.WIDTH, corridor.HEIGHT, corridor.MIRROR
    ways, filled = corridor.fills(), set()

    def turned(row: int) -> int:
        return mirror - row if is_down else row

    for column in range(-50, 60):
        for up in range(-50, 110):
            row = turned(up)
            ((way, own_column, own_row, _),) = ways[column % (2 * width), row % height]
            corridors = (column - width * way - own_column) // (2 * width)  # before the first two
            comes = corridors < 0 or (is_down and corridors == way == 0)
            if comes or (way == is_down and corridors == 0 and (up - own_row) // height < 0):
                filled.add((column, row))
    shift = width * is_down
    column, row, step = corridor.MOVES[-1][0] + shift, turned(corridor.MOVES[-1][1] - height), 1
    for period in range(6):
        for to_column, to_row, to_step in corridor.MOVES:
            to = (to_column + shift, turned(to_row + period * height))
            k = step + 1
            around = {(column + k, row), (column - k, row), (column, row + k), (column, row - k)} - filled
            assert (to_step == k and to in around) if around else to_step == 1
            assert abs(to[0] - column) + abs(to[1] - row) == to_step and to not in filled
            filled.add(to)
            (column, row), step = to, to_step
