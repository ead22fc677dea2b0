"""Every command in the documentation is one that can be given, and those that take little time are run, page by page.

`test_manual.py` runs the conversations, which show what is printed too. What isn't run has its reason in NOT_RUN.
"""

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import quet
from quet.cli.arguments import parser
from quet.cli.main import main

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted(
        page
        for page in (ROOT / "docs").rglob("*.md")
        if page.relative_to(ROOT / "docs").parts[0] not in ("decisions", "notes", "make")
    ),
]
_COMMAND = re.compile(r"^(?:    )?((?:quet|python3?|make|pip|\S*/pip) .*)$")
LONG, SERVES, PERSON, ABROAD = (
    "it takes longer than a test may",
    "it serves until it is stopped",
    "a person has to answer",
    "it rests on what a reader has: another machine, a file, a folder",
)
NOT_RUN = {  # how a command begins, and why it isn't run
    "quet serve": SERVES,
    "quet ugi": SERVES,
    "quet play": PERSON,
    "quet learn": PERSON,
    "quet daily": PERSON,
    "quet puzzle ": PERSON,
    "quet puzzle": PERSON,
    "quet puzzles make": LONG,
    "quet puzzles check": LONG,
    "quet verify": "solving takes longer than a test may; conversations verify what they have solved",
    "quet solve": LONG,
    "quet results verify": LONG,
    "quet results submit": ABROAD,
    "quet results remake": LONG,
    "quet results my-game": ABROAD,
    "quet check my-game": ABROAD,
    "quet rl": LONG,
    "quet dataset": LONG,
    "quet arena": LONG,
    "quet analyse": LONG,
}
RUN = ("quet results verify sums-grid",)  # of those above, what is quick


def commands(page: Path) -> Iterator[str]:
    """The commands on a page, without comments, each on one line."""
    text = page.read_text(encoding="utf-8")
    is_shell = is_block = False
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("```"):
            is_block, is_shell = not is_block, line == "```sh"
            continue
        if is_block and not is_shell:
            continue
        found = _COMMAND.match(line)
        if found and (is_shell or line.startswith("    ")):
            yield from (part.strip() for part in re.split(r"\s{2,}#|\s+&&\s+|\s{4,}", found[1]) if part.strip())


FOUND = {page: [line for line in commands(page) if _COMMAND.match(line)] for page in PAGES}
ON_PAGES = {page.relative_to(ROOT).as_posix(): lines for page, lines in FOUND.items() if lines}


def reason(line: str) -> str | None:
    """Why a command isn't run; None where it is."""
    if line.startswith(RUN):
        return None
    return next((why for start, why in NOT_RUN.items() if line == start or line.startswith(f"{start.strip()} ")), None)


@pytest.mark.parametrize("lines", ON_PAGES.values(), ids=ON_PAGES)
def test_every_command_on_a_page_can_be_given(lines: list[str]) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for line in lines:
        words = shlex.split(line, comments=True)
        if "<" in words:
            words = words[: words.index("<")]
        program = Path(words[0]).name
        if program == "quet" and words[1] != "score":  # its words are the paper itself
            parser().parse_args(words[1:])  # raises for an option that isn't there
        elif program == "make":
            assert set(words[1:]) <= set(targets), line
        elif program == "pip":
            named = re.search(r"quet\[([a-z,]+)\]", line)
            assert named is None or set(named[1].split(",")) <= set(extras), line
        elif words[1] == "-m" and words[2].startswith("quet."):
            program = (ROOT / "src" / words[2].replace(".", "/")).as_posix()
            source = Path(f"{program}.py") if Path(f"{program}.py").exists() else Path(program) / "__main__.py"
            _has_options(source, words[3:])
        elif words[1].startswith("bench/"):
            _has_options(ROOT / words[1], words[2:])


def _has_options(source: Path, words: list[str]) -> None:
    text = source.read_text()
    for word in words:
        if word.startswith("--"):
            assert f'"{word.partition("=")[0]}"' in text, f"{source.name} has no {word}"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder with the files that readers of the pages have."""
    game = quet.new("up-and-up", n=4)
    while not game.is_over:
        game.play(game.legal_moves[0])
    quet.save(tmp_path / "games.quet", quet.Record.of(game))
    return tmp_path


@pytest.mark.parametrize("page", ON_PAGES)
def test_commands_that_take_little_time_are_run(page: str, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(games)
    for line in ON_PAGES[page]:
        words = shlex.split(line, comments=True)
        if words[0] == "quet" and reason(line) is None:
            assert main(words[1:]) in (0, 3), line  # 3 is the answer of a checker that can't repeat a search


def test_each_reason_is_still_needed() -> None:
    everywhere = [line for lines in ON_PAGES.values() for line in lines]
    for start in (*NOT_RUN, *RUN):
        assert any(line.startswith(start.strip()) for line in everywhere), start
