"""The compiled code once more, with every index of an array checked: outside it, compiled code reads what it finds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_compiled_games_and_searches_stay_within_their_arrays() -> None:
    tests = ["tests/engine/test_tree.py", "tests/test_every_game.py", "-k", "tree or compiled"]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "2", *tests],
        cwd=ROOT,
        env=os.environ | {"NUMBA_BOUNDSCHECK": "1"},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stdout
