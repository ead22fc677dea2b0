"""The load test runs, and finds no error. Its numbers are not tested."""

import subprocess
import sys
from pathlib import Path

import pytest

LOAD = Path(__file__).parents[2] / "bench" / "load.py"


@pytest.mark.long
def test_a_few_games_at_once_lose_nothing_and_the_table_has_every_row() -> None:
    done = subprocess.run([sys.executable, LOAD, "--quick"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    table = dict(line.split("|")[1:3] for line in done.stdout.splitlines() if line.startswith("|"))
    names = {name.strip() for name in table}
    rows = "rows a second through the bare endpoint"
    assert {"**ratio**", f"{rows}, batched as moves are", f"{rows}, unbatched", "memory with all of them"} <= names
    assert table[" errors, lost moves, double moves "].strip() == "none of 220 moves"
