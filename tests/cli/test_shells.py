"""What shells and `man` know of `quet` is as its parser has it, and works in a shell."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import shells

ROOT = Path(__file__).parents[2]
# For each shell what it reads first, and how it is asked what the last of some words is completed to.
SHELLS = {
    "bash": (
        "source {share}/bash-completion/completions/quet",
        'COMP_WORDS=({words} "{last}") COMP_CWORD={index}; _shtab_quet; echo "${{COMPREPLY[@]}}"',
    ),
    "fish": (
        "source {share}/fish/vendor_completions.d/quet.fish",
        "echo (complete -C '{words} {last}' | cut -f 1)",
    ),
    # zsh completes only for a terminal: the words are typed, Tab is pressed, and the rest of the last must appear.
    "zsh": (
        """
        zmodload zsh/zpty
        zpty terminal zsh -f -i
        zpty -w terminal 'fpath=({share}/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u -D; print O""K'
        zpty -r terminal said '*OK*'
        """,
        """
        zpty -w -n terminal $'\\C-u{words} {last}\\t'
        zpty -r terminal said '*{rest}*' && print -r -- {last}{rest}
        """,
    ),
}
EXAMPLES = [
    ("quet", "so", "solve"),
    ("quet solve", "conv", "convoluted-coprimality"),
    ("quet solve", "--cert", "--certificate"),
    ("quet results", "sub", "submit"),
    ("quet results", "merg", "merge"),
    ("quet rl", "mea", "measure"),
    ("quet puzzles", "che", "check"),
    ("quet forget", "ent", "entry"),
]


def test_what_is_installed_for_shells_and_man_is_current() -> None:
    made = shells.made()
    there = {str(file.relative_to(shells.SHARE)) for file in shells.SHARE.rglob("*") if file.is_file()}
    assert there == set(made)
    if sys.version_info[:2] == shells.MADE_WITH:  # argparse words its help otherwise in other versions of Python
        for name, text in made.items():
            assert (shells.SHARE / name).read_text("utf-8") == text, f"{name} is not current: make share"


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes(shell: str, tmp_path: Path) -> None:
    assert complete(shell, tmp_path, EXAMPLES) == [completed for *_, completed in EXAMPLES]


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_what_a_command_does_not_take_is_not_offered(shell: str, tmp_path: Path) -> None:
    assert complete(shell, tmp_path, [("quet rl", "blo", ""), ("quet puzzles", "sub", "")]) == ["", ""]


def test_the_man_page_has_the_help_of_every_argument() -> None:
    """Troff drops a line that begins like one of its commands."""
    lines = (shells.SHARE / shells.PAGE).read_text("utf-8").splitlines()
    assert {line.split()[0] for line in lines if line.startswith(".")} == {".TH", ".SH", ".TP", ".B"}


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_a_number_is_not_completed_to_a_game(shell: str, tmp_path: Path) -> None:
    assert complete(shell, tmp_path, [("quet analyse --game", "blo", "")]) == [""]


def test_bash_completes_names_of_files_with_blanks(tmp_path: Path) -> None:
    if not shutil.which("bash"):
        pytest.skip("bash is not installed.")
    (tmp_path / "my file.json").touch()
    master, slave = os.openpty()
    typed = ["quet verify my", r"quet verify my\ f", 'quet verify "my f', "quet solve blob --certificate=my"]
    with subprocess.Popen(
        ["bash", "--noprofile", "--norc", "-i"],
        stdin=slave,
        stdout=subprocess.PIPE,
        stderr=slave,
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path), "TERM": "dumb"},
        start_new_session=True,
    ) as run:
        begin = [SHELLS["bash"][0].format(share=shells.SHARE), "quet() { printf '<%s>' \"$@\"; echo; }"]
        lines = [*begin, *(f"{text}\t" for text in typed), "exit"]
        os.write(master, "".join(f"{line}\n" for line in lines).encode())
        assert run.stdout is not None
        said = run.stdout.read().decode().splitlines()
        os.close(slave)
        os.close(master)
    assert said == ["<verify><my file.json>"] * 3 + ["<solve><blob><--certificate=my file.json>"]


def complete(shell: str, home: Path, examples: list[tuple[str, str, str]]) -> list[str]:
    """What the shell completes the last word of each example to."""
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed.")
    begin, ask = SHELLS[shell]
    script = [begin.format(share=shells.SHARE)]
    for words, last, completed in examples:
        rest = completed.removeprefix(last)
        script.append(ask.format(words=words, last=last, index=len(words.split()), rest=rest))
    environment = {**os.environ, "HOME": str(home), "TERM": "vt100"}
    run = [shell, "-c", "\n".join(script)]
    done = subprocess.run(run, env=environment, cwd=home, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.splitlines()


def test_the_wheel_installs_them_where_shells_and_man_look() -> None:
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert targets["wheel"]["shared-data"] == {"share": "share"}
