"""Grids of real numbers whose sums are nearly 1, ..., n^3, as docs/notes/proofs.md tells of them."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "bench" / "real_grids.py"


def test_the_sums_of_the_printed_grid_are_as_far_away_as_it_says() -> None:
    command = [sys.executable, str(SCRIPT), "3", "20"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    first, _, rest = text.partition("\n")
    rows = [[float(word) for word in line.strip(" []").split()] for line in rest.splitlines()]
    assert [len(row) for row in rows] == [3, 3, 3]
    longer = [column[i:j] for column in zip(*rows, strict=True) for i in range(3) for j in range(i + 2, 4)]
    runs = [*longer, *(row[i:j] for row in rows for i in range(3) for j in range(i + 1, 4))]
    distance = max(abs(sum(run) - k) for k, run in enumerate(sorted(runs, key=sum), 1))
    told = float(first.removeprefix("at most ").removesuffix(" away"))
    assert abs(distance - told) < 0.02  # the numbers are rounded
    assert told < 3
