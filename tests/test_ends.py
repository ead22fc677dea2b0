"""How long ends take, as docs/notes/solving.md tells of them."""

import re
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "bench" / "ends.py"


def run(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False)


def test_each_number_of_moves_left_has_a_line() -> None:
    found = run("blob", "n=8", "--left", "1", "4", "--number", "3").stdout
    lines = re.findall(r"^(\d+) left: \d+\.\d{3} s, ([\d,]+) positions$", found, re.MULTILINE)
    assert [int(left) for left, _ in lines] == [1, 2, 3, 4]
    assert all(int(nodes.replace(",", "")) > 0 for _, nodes in lines)


def test_what_alpha_beta_does_not_search_is_refused() -> None:
    for words in (("up-and-up",), ("blob", "n=9"), ("blob", "n=banana")):
        found = run(*words, "--left", "2", "3")
        assert found.returncode == 2
        assert "Traceback" not in found.stderr


def test_more_moves_than_a_game_has_and_other_nonsense_are_one_sentence() -> None:
    for words in (("3", "2"), ("0", "2"), ("1", "1", "--number", "0"), ("3", "3")):
        found = run("blob", "n=2", "--left", *words)
        assert found.returncode == 2, words
        assert "Traceback" not in found.stderr
