"""The programs of bench/ that pages name say what they do, and refuse words that can't be in a sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"
WRONG = {
    "many": ["blob 3", "divisors-multiples many", ""],
    "short_games": ["3", "3 5 again", "0 5"],
    "full_grids": ["5", "5 -6"],
    "refute": ["1 n=99", "1 m=3"],
    "learned": ["chess", "blob n=99", "blob n=8 --weights nothing.npz"],
    "interactive": ["x"],
    "start": ["x"],
    "solvable": ["x"],
    "peers": ["x"],
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_bench_does_is_told_and_wrong_words_are_refused(name: str) -> None:
    for words, status in (("--help", 0), *((words, 2) for words in WRONG[name])):
        done = subprocess.run([sys.executable, BENCH / f"{name}.py", *words.split()], capture_output=True, text=True)
        assert (done.returncode, "Traceback" in done.stderr) == (status, False), done.stderr
        assert len((done.stdout if status == 0 else done.stderr).splitlines()) > 1
