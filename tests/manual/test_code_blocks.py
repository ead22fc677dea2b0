"""No block of code on a page is without a test: each is run, or read and compared, here or by a test that is named."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from code_blocks import ROOT, Block, blocks, named

import quet
from quet.games.palindromes import strategy

BLOCKS = list(blocks())
RUN = {  # how a block is tested, by its language
    "python": "test_manual.py, or pytest itself where there are prompts",
    "console": "test_manual.py",
    "quet": "test_manual.py",
    "json": "test_manual.py",
}
READ = {  # other blocks, by page and first words, and what tests them
    ("docs/capabilities.md", "from .rules import"): "tests/contract/test_capable.py",
    ("docs/decisions/0009-rooms.md", "cli"): "it tells how the layers were then",
    ("docs/house.md", "faces"): "below",
    ("docs/how-to/submit-an-agent.md", "import quet.rl, torch"): "examples/test_pages.py",
    ("docs/house.md", "rules.py"): "below",
    ("docs/library.md", ""): "tests/test_library.py",
    ("docs/proofs.md", "q(c-1) ="): "tests/manual/test_formulas.py",
    ("docs/proofs.md", "0101101"): "below",
    ("docs/proofs.md", "0001111"): "below",
    ("docs/proofs.md", "(0,1) (1,1)"): "tests/games/test_up_and_up_shortest.py",
    ("docs/proofs.md", "8½"): "tests/manual/test_formulas.py",
    ("docs/proofs.md", "n(n+1) +"): "tests/manual/test_formulas.py",
    ("docs/proofs.md", "(1 - cos(t))"): "tests/manual/test_formulas.py",
    ("docs/protocol.md", "> newgame"): "below",
    ("docs/records.md", "records"): "tests/records/test_record_text.py",
    ("docs/results.md", "[score]"): "test_manual.py",
    ("docs/site-pages.md", "/study?"): "tests/web/test_study_board.py",
    ("docs/site.md", "CREATE ROLE"): "tests/web/test_postgresql.py",
    ("docs/truth.md", ""): "tests/manual/test_formulas.py",
}


def place(block: Block) -> tuple[str, str] | None:
    """Where the block stands in READ."""
    return next((key for key in READ if key[0] == block.page and block.text.startswith(key[1])), None)


@pytest.mark.parametrize("block", [each for each in BLOCKS if not each.is_commands], ids=str)
def test_a_block_that_is_not_typed_into_a_shell_has_a_test(block: Block) -> None:
    assert block.language in RUN or place(block), f"{block}: nothing runs it\n{block.text}"
    collected = block.page == "README.md" or block.page.startswith("docs/")
    assert collected or block.language != "python", f"{block}: no doctest is collected from this page"


def test_no_name_of_a_test_is_left_over() -> None:
    assert {place(block) for block in BLOCKS if not block.is_commands and block.language not in RUN} == set(READ)
    for told in READ.values():
        assert " " in told or told == "below" or any(ROOT.rglob(told)), told


def test_the_house_has_the_rooms_that_it_tells_of_in_the_order_of_the_layers() -> None:
    rooms = re.findall(r"^(?:faces)? *([a-z_]+)(?:/|\.py) ", named("docs/house.md", "faces").text, re.MULTILINE)
    there = {
        path.stem for path in (ROOT / "src" / "quet").iterdir() if path.suffix in ("", ".py") and path.stem[0] != "_"
    }
    assert sorted(rooms) == sorted(there - {"py"})
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (layers,) = [each["layers"] for each in contracts if each["name"] == "Imports point down"]
    rank = {name.strip("() "): number for number, layer in enumerate(layers) for name in layer.split("|")}
    ranks = [rank[room] for room in rooms if room in rank]
    assert len(ranks) > 20 and ranks[3:] == sorted(ranks[3:]) and max(ranks[:4]) < min(ranks[4:])


def test_the_files_of_a_games_folder_are_those_that_games_have() -> None:
    told = set(re.findall(r"^([a-z_]+\.[a-z]+) ", named("docs/house.md", "rules.py").text, re.MULTILINE))
    games = [path for path in (ROOT / "src" / "quet" / "games").iterdir() if path.is_dir()]
    assert {name for name in told if not any((game / name).exists() for game in games)} == set()
    everywhere = {name for name in told if all((game / name).exists() for game in games if game.name[0] != "_")}
    assert {"rules.py", "facts.toml", "picture.py", "judge.py", "de.po"} <= everywhere


def test_the_files_that_are_found_by_their_names_are_those_that_the_code_looks_for() -> None:
    told = named("docs/house.md", "rules.py").text.partition("found by their names")[2]
    code = "".join(path.read_text("utf-8") for path in (ROOT / "src" / "quet").rglob("*.py"))
    sought = set(re.findall(r'\b(?:_optional|optional_part)\((?:[^()]*, )?"(\w+)"', code))
    assert "exact" in sought and set(re.findall(r"^([a-z_]+)\.py ", told, re.MULTILINE)) == sought


@pytest.mark.parametrize(("first", "worth"), [("0101101", 60), ("0001111", -52)])
def test_the_rows_that_show_why_pairings_end_keep_all_rules_and_are_worth_what_is_said(first: str, worth: int) -> None:
    row = named("docs/proofs.md", first).text.strip()
    for one, other, rule in strategy._pairs(len(row)):
        assert (row[one - 1] == row[other - 1]) == (rule == "same")
    lead, behind = quet.score("palindromes", row).scores
    assert lead - behind == worth
    page = " ".join((ROOT / "docs" / "proofs.md").read_text("utf-8").split())
    assert re.search(rf"{row} keeps the rules of player [12] and is worth {worth}\.", page)


def test_the_conversation_with_the_engine_goes_as_the_page_says() -> None:
    lines = named("docs/protocol.md", "> newgame").text.splitlines()
    typed = "".join(f"{line[2:]}\n" for line in lines if line.startswith("> "))
    done = subprocess.run(
        [sys.executable, "-m", "quet", "ugi"], input=typed, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [line for line in lines if not line.startswith("> ")]


def test_contributors_are_told_what_is_run_smaller() -> None:
    """The page for contributors names the files that keep a list of what is run in place of what stands on a page."""
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert "tests/manual/test_commands.py" in page and Path("tests/manual/test_code_blocks.py").name in page
