"""`quet results`, as people and programs run it."""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

import quet
from quet.certificates import certificate_file, verify
from quet.cli.arguments import parser
from quet.cli.main import main
from quet.records import record
from quet.results.claim import of_game

Run = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `quet results` on a table of its own; returns the exit status and what it printed."""
    (tmp_path / "results").mkdir(exist_ok=True)

    def run(*words: str) -> tuple[int, str, str]:
        status = main(["results", *words, "--folder", str(tmp_path / "results")])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def game_file(path: Path, n: int) -> str:
    """A file with a finished game of Up And Up, the first legal move each time."""
    game = quet.new("up-and-up", n=n)
    while not game.is_over:
        game.play(next(iter(game.legal_moves)))
    file = path / f"{n}.quet"
    record.save(file, [quet.Record.of(game)])
    return str(file)


def test_a_game_is_submitted_shown_and_verified(run: Run, tmp_path: Path) -> None:
    status, out, _ = run("submit", game_file(tmp_path, 3), "--finder", "Ann Example")
    assert (status, out) == (0, "Entered up-and-up n=3, highest: 8, and at most 9, which is new.\n")
    status, out, _ = run()
    header, names, row = out.splitlines()[:3]
    assert header == "Up And Up, Grid Solitaire (up-and-up)"
    assert names.split() == "size score best bound status by finder date certificate".split()
    assert row.split()[:6] == ["n=3", "highest", "8", "9", "open", "rules"]
    assert "Ann Example" in row and row.endswith("up-and-up-3.json")
    assert run("up-and-up", "n=3")[1] == out
    assert run("verify")[:2] == (
        0,
        "verified   up-and-up n=3, highest\n1 row: 1 verified, 0 unchecked, 0 refuted, 0 missing.\n",
    )
    status, out, err = run("submit", game_file(tmp_path, 3))
    assert (status, out) == (2, "")
    assert err.startswith("quet: up-and-up n=3, highest: The table has 8, and at most 9, and this is 8, and at most 9")
    assert err.endswith(", which is no better.\n")


def test_it_is_told_which_table_is_shown_and_extended(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "results"
    assert run()[1] == f"0 results from {table}\n"
    assert run("verify")[::2] == (2, f"quet: There is nothing to verify in {table}.\n")
    run("submit", game_file(tmp_path, 2))
    assert run()[1].endswith(f"\n1 result from {table}\n")
    monkeypatch.chdir(tmp_path)
    assert main(["results", "submit", game_file(tmp_path, 3)]) == 0
    assert capsys.readouterr().out.endswith(f"\nThe table is {table}.\n")


def test_what_is_left_out_of_a_certificate_is_told(run: Run, tmp_path: Path) -> None:
    made = cast(dict[str, Any], of_game(record.load(game_file(tmp_path, 3))[0].game, is_lowest=False))
    search = {"for": ["high"], "kind": "exhaustive", "method": "a search", "positions": 10, "confirmed_by": None}
    made |= {"claim": made["claim"] | {"high": 8}, "grounds": [made["grounds"][0], search]}
    file = tmp_path / "searched.json"
    certificate_file.write(made | {"digest": verify.digest(made)}, file)
    status, out, _ = run("submit", str(file))
    assert (status, out.splitlines()) == (
        0,
        [
            "Entered up-and-up n=3, highest: 8, and at most 9, which is new.",
            "      left out, for only --trust enters it: high by exhaustive search: a search, 10 positions; "
            "not confirmed otherwise.",
        ],
    )


def test_json_has_every_field_of_a_record(run: Run, tmp_path: Path) -> None:
    (row,) = json.loads(run("submit", game_file(tmp_path, 3), "--json")[1])
    assert json.loads(run("--json")[1]) == [row]
    assert set(row) >= {"game", "parameters", "value", "bound", "status", "witness", "finder", "date", "certificate"}
    assert row["finder"] == "anonymous"
    (result,) = json.loads(run("verify", "--json")[1])
    assert result == {"row": "up-and-up n=3, highest", "verdict": "verified", "trusted": []}


def test_a_table_that_does_not_hold_fails(run: Run, tmp_path: Path) -> None:
    run("submit", game_file(tmp_path, 3))
    (tmp_path / "results" / "certificates" / "up-and-up-3.json").unlink()
    status, out, _ = run("verify")
    assert status == 1
    assert out.startswith("refuted    up-and-up n=3, highest: up-and-up-3.json: file: It can't be read")


def test_files_are_written_for_the_sequence_that_is_named(run: Run, tmp_path: Path) -> None:
    for n in (1, 2, 3):
        run("submit", game_file(tmp_path, n))
    svg, png, b_file, draft = (str(tmp_path / name) for name in ("plot.svg", "plot.PNG", "b.txt", "draft.txt"))
    status, out, err = run("up-and-up", "--plot", svg, "--b-file", b_file, "--oeis", draft, "--author", "_Ann_")
    assert (status, out) == (0, "")
    assert err.startswith("The draft has 2 proven terms from the first size on; ")
    assert Path(svg).read_text().startswith("<svg")
    assert Path(b_file).read_text().endswith("\n1 1\n2 4\n")
    assert "%S A000000 1,4\n" in Path(draft).read_text()
    assert "%C A000000 8 <= a(3) <= 9.\n" in Path(draft).read_text()
    assert "%A A000000 _Ann_, " in Path(draft).read_text()
    assert "Attach" not in err  # no theorem is about these scores
    run("submit", game_file(tmp_path, 1), "--lowest")
    err = run("up-and-up", "--lowest", "--oeis", draft)[2]
    assert "Attach a proof to the draft (docs/proofs.md, theorem 4), " in err
    assert run("up-and-up", "--plot", png)[0] == 0
    assert Path(png).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chess"], "There is no game 'chess'"),
        (["blob"], "The table has no result of blob."),
        (["up-and-up", "n=4"], "The table has no result of up-and-up n=4."),
        (["up-and-up", "--lowest"], "The table has no result of up-and-up --lowest."),
        (["convoluted-coprimality", "n=99"], "n must be from 2 to 60, not '99'.\n"),
        (
            ["up-and-up", "--lowest", "n=36"],
            "n must be from 1 to 35, not '36'. A theorem says: a(n) = 19 for all n >= 36.\n",
        ),
        (["up-and-up", "n=36"], "not '36'. With --lowest a theorem says: a(n) = 19 for all n >= 36.\n"),
        (["up-and-up", "--lowest", "m=3", "n=36"], "There is no parameter 'm'; this game has n.\n"),
        (
            ["plusses-minuses", "n=15"],
            "The table has no result of plusses-minuses n=15. A theorem says: a(n) = 0 for all n >= 2. "
            "With second_part_first=2 a theorem says: -3 <= a(n) <= 0 for all n >= 2.\n",
        ),
        (
            ["plusses-minuses", "n=15", "second_part_first=2"],
            "n=15 second_part_first=2. A theorem says: -3 <= a(n) <= 0 for all n >= 2.\n",
        ),
        (
            ["palindromes", "m=40"],
            "no result of palindromes m=40. A theorem says: For all even m from 2 to 64 a(m) <= -2",
        ),
        (
            ["sums-grid", "n=11"],
            "n must be from 1 to 10, not '11'. A theorem says: a(3) < 27, a(n) < n^3 for all n >= 5",
        ),
        (["up-and-up", "--lowest", "n=0"], "n must be from 1 to 35, not '0'.\n"),
        (["up-and-up", "m=3"], "There is no parameter 'm'; this game has n."),
        (["up-and-up", "three"], "'three' is not a parameter"),
        (["up-and-up", "--plot", ""], "The plot must end with .svg or .png."),
        (["up-and-up", "--plot", "plot.gif"], "The plot must end with .svg or .png."),
        (["up-and-up", "--plot", "no/where.svg"], "It can't be written"),
        (["up-and-up", "--json", "--oeis", "x"], "Give --json or a file to write, not both."),
        (["up-and-up", "--finder", "Ann"], "--finder has no meaning with quet results GAME"),
        (["up-and-up", "--author", "Ann"], "--author has no meaning with quet results GAME"),
        (["--oeis", "x"], "Name a game, as in quet results GAME --oeis FILE."),
        (["--plot", "x.svg"], "Name a game, as in quet results GAME --plot FILE."),
        (["--lowest"], "--lowest has no meaning with quet results;"),
        (["verify", "--trust"], "--trust has no meaning with quet results verify"),
        (["verify", "blob", "up-and-up"], "checks the whole table, or that of one game"),
        (["submit"], "Name one file, as in quet results submit FILE."),
        (["submit", "a", "b"], "Name one file, as in quet results submit FILE."),
        (["submit", "nothing.json"], "nothing.json': It can't be read"),
        (["submit", "a", "--plot", "b.svg"], "--plot has no meaning with quet results submit"),
        (["submit", "a", "--finder", ""], "A finder has a name of 1 to 100 printable characters"),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_sentence(words: list[str], message: str, run: Run, tmp_path: Path) -> None:
    run("submit", game_file(tmp_path, 3))
    before = {file: file.read_bytes() for file in (tmp_path / "results").rglob("*.json*")}
    status, out, err = run(*words)
    assert status == 2
    assert message in err
    assert err.count("\n") == 1
    assert out == ""
    assert {file: file.read_bytes() for file in (tmp_path / "results").rglob("*.json*")} == before


def test_a_folder_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["results", "--folder", "nowhere"]) == 2
    assert capsys.readouterr().err == "quet: 'nowhere': There is no such folder.\n"


def test_the_table_is_shown_without_the_engine() -> None:
    code = (
        "import sys\nfrom quet.cli.main import main\nmain(['results'])\n"
        "sys.exit(any(name in sys.modules for name in ('numba', 'PIL')))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=120)


def test_help_tells_which_acts_each_option_is_of(run: Run) -> None:
    (commands,) = (action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    acts = {"GAME": ["blob"], "submit": ["submit", "x"], "verify": ["verify"], "remake": ["remake"]}
    for option in commands.choices["results"]._actions:
        name = option.option_strings[-1] if option.option_strings else "--help"
        if name not in ("--help", "--folder", "--json"):
            said = re.match("of (.*?): ", option.help or "")
            assert said, name
            value = [] if option.nargs == 0 else ["1"]
            for act, words in acts.items():
                is_refused = f"{name} has no meaning" in run(*words, name, *value)[2]
                assert is_refused == (act not in said[1].split(" and ") or name == "--author"), (name, act)
