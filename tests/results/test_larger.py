"""Larger certificates: kept by digest, told where they are missing, and made again by one command."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from certified import empty_table, filed, only_row, reached, searched
from quet.certificates import certificate_file, verify
from quet.cli.main import main
from quet.core.errors import BadResult
from quet.game import new_to_solve
from quet.results import larger
from quet.results.check import check
from quet.results.claim import Refused
from quet.results.folder import Folder
from quet.results.make import Question, take_further
from quet.results.submit import enter, submit

ROOT = Path(__file__).parents[2]
NAME = "up-and-up-3-lowest.json"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A table of one row, whose certificate is a larger one."""
    monkeypatch.setattr(larger, "LARGEST_CARRIED", 100)
    monkeypatch.setattr(larger, "LARGEST_CLONED", 200)
    folder = empty_table(tmp_path)
    said = take_further(folder, Question("up-and-up", {"n": 3}, is_lowest=True, seconds=60), tmp_path, None)
    assert said == "up-and-up n=3, lowest: 6, proven, which is new."
    return folder


def file_of(table: Folder) -> Path:
    return table.certificate(table.rows()[0])


@pytest.fixture
def run(table: Folder, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `quet results`; returns the exit status, what it printed, and what on standard error."""

    def run(*words: str) -> tuple[int, str, str]:
        status = main(["results", *words, "--folder", str(table.path)])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.mark.long
@pytest.mark.parametrize("name", ["palindromes-16.json.gz", "divisors-multiples-19.json.gz"])
def test_strategies_are_made_again_with_the_digests_of_the_table(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another choice of replies would give another file."""
    assert main(["results", "remake", name, "--folder", str(ROOT / "results"), "--into", str(tmp_path)]) == 0
    assert "Made again, with the digest on the list: " in capsys.readouterr().out


def test_a_larger_certificate_has_a_place_and_a_line_in_the_list(table: Folder) -> None:
    assert file_of(table) == table.path / "larger" / NAME
    content = file_of(table).read_bytes()
    certificate = json.loads(content)
    about = larger.Larger(verify.digest(certificate), len(content), "quet solve up-and-up n=3 --lowest --time 60")
    assert table.larger() == {NAME: about}
    assert [one.error or one.missing for one in check(table)] == [""]


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_made(
    table: Folder, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quet.results.remake.subprocess.run", Mock(side_effect=AssertionError))
    (tmp_path / "file").write_text("")
    for place, why in ((tmp_path / "none" / "deep", "No such file or directory"), (tmp_path / "file", "File exists")):
        status, _, error = run("remake", NAME, "--into", str(place))
        assert status == 2 and error.endswith(f"It can't be written: {why}.\n")


def test_what_takes_its_place_takes_it_off_the_list(table: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = json.loads(file_of(table).read_bytes())
    (row,) = table.rows()
    monkeypatch.setattr(larger, "LARGEST_CARRIED", 100_000)
    monkeypatch.setattr(larger, "LARGEST_CLONED", 100_000)
    with table.locked():
        table.enter(row, certificate_file.to_bytes(certificate), certificate["digest"])
    assert file_of(table) == table.path / "certificates" / NAME
    assert not (table.path / "larger" / NAME).exists()
    assert table.larger() == {}


def test_of_a_certificate_that_nobody_has_told_the_command_of_it_is_the_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(larger, "LARGEST_CARRIED", 100)
    folder = empty_table(tmp_path)
    enter(folder, reached(6, is_lowest=True), finder="Ann", is_trusted=False)
    assert folder.larger()[NAME].command == "quet solve up-and-up n=3 --lowest"


def test_of_strategies_the_command_asks_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(larger, "LARGEST_CARRIED", 100)
    folder, file = empty_table(tmp_path), tmp_path / "strategies.json"
    assert main(["solve", "palindromes", "m=4", "--strategies", "--certificate", str(file)]) == 0
    submit(folder, str(file), finder="Ann")
    assert [one.command for one in folder.larger().values()] == ["quet solve palindromes m=4 --strategies"]


def test_a_certificate_joined_of_two_is_not_made_by_the_command_of_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(larger, "LARGEST_CARRIED", 100)
    folder = empty_table(tmp_path)
    enter(folder, searched(reached(8, is_lowest=True), 4), finder="Ann", is_trusted=True)
    question, longer = "quet solve up-and-up n=3 --lowest", "quet solve up-and-up n=3 --lowest --time 1"
    for submitted, ends, command in (
        (reached(7, is_lowest=True), (7, 4), question),
        (searched(reached(6, is_lowest=True), 6), (6, 6), longer),  # better on both sides, so that nothing is joined
    ):
        enter(folder, submitted, finder="Bob", is_trusted=True, command=longer)
        assert (only_row(folder).value, only_row(folder).bound) == ends
        assert folder.larger()[NAME].command == command


def test_a_table_without_it_says_so_and_still_holds(table: Folder, run: Run) -> None:
    file_of(table).unlink()
    size = f"{round(table.larger()[NAME].bytes / 1e3)} kB"
    sentence = f"It is not carried here, as it has {size}; quet results remake {NAME} makes it again."
    counts = "1 row: 0 verified, 0 unchecked, 0 refuted, 1 missing."
    assert run("verify") == (3, f"missing    up-and-up n=3, lowest: {NAME}: {sentence}\n{counts}\n", "")
    said = "1 certificate is not carried here; quet results verify tells more."
    assert run()[1].splitlines()[-2:] == [f"1 result from {table.path}", said]
    (found,) = json.loads(run("verify", "--json")[1])
    assert (found["verdict"], found["error"]) == ("missing", f"{NAME}: {sentence}")


def test_what_is_smaller_a_clone_has(table: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(larger, "LARGEST_CLONED", 100_000)
    file_of(table).unlink()
    assert "; a clone of the repository has it, and quet results remake" in table.missing(table.rows()[0])


def test_nothing_is_entered_beside_a_row_that_can_not_be_compared(table: Folder, tmp_path: Path) -> None:
    file_of(table).unlink()
    with pytest.raises(Refused, match=r"The certificate of the table is needed to compare\. It is not carried here"):
        submit(table, filed(reached(6, is_lowest=True), tmp_path), is_lowest=False)


def test_it_is_made_again_with_its_digest(table: Folder, run: Run, tmp_path: Path) -> None:
    file = file_of(table)
    content = file.read_bytes()
    assert run("remake") == (0, "No certificate is missing.\n", "")
    file.unlink()
    sentence = f"Made again, with the digest on the list: {file}"
    assert run("remake") == (0, f"{sentence}\n", "")
    assert file.read_bytes() == content
    other = tmp_path / "into" / NAME
    status, out, _ = run("remake", NAME, "--into", str(other.parent), "--json")
    assert (status, json.loads(out)) == (0, [f"Made again, with the digest on the list: {other}"])
    assert other.read_bytes() == content


def test_the_game_of_the_row_is_kept_where_the_solver_finds_a_worse_one(
    table: Folder, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = file_of(table).read_bytes()
    worse = json.loads(content)
    worse["claim"]["high"] += 1
    worse["witness"] = []

    def solved(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        Path(command[-1]).write_text(json.dumps(worse))
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr("quet.results.remake.subprocess.run", solved)
    file_of(table).unlink()
    assert "Made again, with the digest on the list: " in run("remake")[1]
    assert file_of(table).read_bytes() == content


def change(table: Folder, **changes: object) -> None:
    path = table.path / larger.LIST
    found = json.loads(path.read_text())
    found[NAME] |= changes
    path.write_text(json.dumps(found))


def test_another_proof_is_taken_where_it_shows_the_same(table: Folder, run: Run) -> None:
    change(table, digest="0" * 64)
    file_of(table).unlink()
    assert ", with another digest, and checked by the rules: " in run("remake")[1]
    assert [one.error or one.missing for one in check(table)] == [""]


def test_another_claim_is_refused(table: Folder, run: Run) -> None:
    change(table, command="quet solve up-and-up n=3")
    file_of(table).unlink()
    status, out, error = run("remake")
    assert (status, out) == (2, "")
    assert error.startswith(f"quet: {NAME}: ")
    assert not file_of(table).exists()


@pytest.mark.parametrize(
    "command",
    [
        "rm -r x",
        "quet serve",
        "quet solve up-and-up n=3 --checkpoint /tmp/x",
        "quet solve up-and-up n=3 --cluster tcp://host:8786",
        "quet solve up-and-up n=3 --time",
        "quet solve 'up-and-up n=3'",
        "quet solve 'up-and-up",
        "",
    ],
)
def test_another_persons_list_can_only_ask_to_solve(command: str, table: Folder, run: Run) -> None:
    change(table, command=command)
    assert run("remake", NAME)[0] == 2
    assert "is no command that makes a certificate" in run("remake", NAME)[2]


def test_a_command_that_fails_says_why(table: Folder, run: Run) -> None:
    change(table, command="quet solve up-and-up n=1000")
    status, _, error = run("remake", NAME)
    assert (status, error[:44]) == (2, "quet: quet solve up-and-up n=1000: n must be")


def test_what_is_not_on_the_list_is_not_made(run: Run) -> None:
    status, _, error = run("remake", "x.json")
    assert (status, error) == (2, "quet: 'x.json' is not one of the larger certificates of this table.\n")


@pytest.mark.parametrize(
    "text",
    ["", "[]", '{"x": 1}', '{"x": {}}', '{"x": {"digest": "0", "bytes": 1, "command": ""}}', "[" * 100_000],
)
def test_a_damaged_list_is_told(text: str, tmp_path: Path) -> None:
    folder = empty_table(tmp_path)
    (folder.path / larger.LIST).write_text(text)
    with pytest.raises(BadResult, match=r"larger\.json: It "):
        folder.larger()


def test_the_installed_table_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch, table: Folder, run: Run) -> None:
    monkeypatch.setattr("quet.results.folder._INSTALLED", table.path)
    status, _, error = run("remake", NAME)
    assert (status, error) == (
        2,
        "quet: The table that came with Quet stays as it is; name a folder for certificates with --into.\n",
    )


def test_verify_says_where_a_certificate_of_the_table_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    name = "sequence-ascension-5.json.gz"
    file = str(tmp_path / name)
    sentence = f"It is not carried here, as it has 4.6 MB; quet results remake {name} makes it again."
    for words in ([], ["--json"]):
        assert main(["verify", file, *words]) == 2
        assert capsys.readouterr() == ("", f"quet: {file}: {sentence}\n")
    assert main(["verify", str(tmp_path / "x.json")]) == 2
    assert "remake" not in capsys.readouterr().err


def test_a_clone_has_all_certificates_but_the_largest_and_the_list_has_these() -> None:
    table = Folder(ROOT / "results")
    listed = table.larger()
    tracked = subprocess.run(
        ["git", "ls-files", "-s", "results"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if tracked.returncode:
        pytest.skip("not a clone")
    names = {Path(line.split("\t")[1]).name for line in tracked.stdout.splitlines()}
    for row in table.rows():
        file = table.certificate(row)
        size = listed[row.certificate].bytes if row.certificate in listed else file.stat().st_size
        assert (row.certificate in listed) == (size > larger.LARGEST_CARRIED), row.certificate
        assert (row.certificate in names) == (size <= larger.LARGEST_CLONED), row.certificate
        if row.certificate in listed and file.exists():
            certificate = certificate_file.read(file)
            assert isinstance(certificate, dict)
            assert verify.digest(certificate) == listed[row.certificate].digest
    assert set(listed) <= {row.certificate for row in table.rows()}
    for about in listed.values():
        game, *parameters = about.command.split()[2:]
        new_to_solve(game, **dict(word.split("=") for word in parameters if "=" in word))
