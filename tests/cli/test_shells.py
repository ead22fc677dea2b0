"""What shells and `man` know of `quet` is as its parser has it, and works in a shell."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import shells

ROOT = Path(__file__).parents[2]
COMPLETE = """
source {script}
COMP_WORDS=({words} "{last}") COMP_CWORD={index}
_shtab_quet
echo "${{COMPREPLY[@]}}"
"""


def test_what_is_installed_for_shells_and_man_is_current() -> None:
    made = shells.made()
    there = {str(file.relative_to(shells.SHARE)) for file in shells.SHARE.rglob("*") if file.is_file()}
    assert there == set(made)
    if sys.version_info[:2] == shells.MADE_WITH:  # argparse words its help otherwise in other versions of Python
        for name, text in made.items():
            assert (shells.SHARE / name).read_text("utf-8") == text, f"{name} is not current: make share"


@pytest.mark.parametrize(
    "words, last, completed",
    [
        ("quet", "so", "solve"),
        ("quet solve", "conv", "convoluted-coprimality"),
        ("quet solve", "--cert", "--certificate"),
        ("quet results", "sub", "submit"),
    ],
)
def test_bash_completes(words: str, last: str, completed: str) -> None:
    script = COMPLETE.format(
        script=shells.SHARE / shells.SHELLS["bash"], words=words, last=last, index=len(words.split())
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, timeout=20)
    assert done.stdout.strip() == completed


def test_the_wheel_installs_them_where_shells_and_man_look() -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert targets["wheel"]["shared-data"] == {"share": "share"}
