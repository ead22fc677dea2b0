"""The files of the table: what they hold is read back, and what is damaged is told with file and line."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from certified import GAMES, empty_table, filed, reached, resealed, value_of
from quet.certificates.aims import LARGEST_VALUE
from quet.cli.main import main
from quet.core.errors import BadParameter, BadResult
from quet.results import folder as folders
from quet.results.check import check
from quet.results.folder import Folder, find
from quet.results.submit import submit


def small_table(path: Path) -> Folder:
    """Two rows of one game and one of another."""
    table = empty_table(path)
    for made in (reached(7), reached(7, is_lowest=True), value_of("palindromes", "1=0 2=1", m=2)):
        submit(table, filed(made, path), finder="Ann")
    return table


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return small_table(tmp_path_factory.mktemp("table"))


def test_a_line_is_a_row_and_reads_back_as_it_was(table: Folder) -> None:
    rows = table.rows("up-and-up")
    assert [(row.score, row.value) for row in rows] == [("highest", 7), ("lowest", 7)]
    lines = (table.path / "up-and-up.jsonl").read_text().splitlines()
    assert lines == [row.line() for row in rows]
    assert [json.loads(line) for line in lines] == [row.json() for row in rows]
    assert json.loads(lines[0])["witness"] == GAMES[7]


def test_a_game_without_a_file_has_no_rows(table: Folder) -> None:
    assert table.rows("blob") == []
    assert {row.game for row in table.rows()} == {"palindromes", "up-and-up"}


CHANGES: list[tuple[str, Any, str]] = [
    ("game", "chess", "There is no game 'chess'"),
    ("game", "palindromes", "parameters must be those of the game."),
    ("game", 7, "game must be a text."),
    ("parameters", {"n": 99}, "n must be from 1 to 35, not '99'."),
    ("parameters", {"n": "3"}, "parameters must be written as"),
    ("parameters", {"n": None}, "parameters must be texts or integers."),
    ("parameters", {}, "parameters must be those of the game."),
    ("score", "value", "score must be highest or lowest."),
    ("value", 10, "The value 10 is beyond the bound 9."),
    ("value", 7.0, "It is not a row in JSON: 7.0 is not an integer."),
    ("value", True, "value must be an integer."),
    ("bound", 10**30, "bound must be from -1000000000000 to 1000000000000."),
    ("value", -(10**12) - 1, "value must be from -1000000000000 to 1000000000000."),
    ("bound", 6, "The value 7 is beyond the bound 6."),
    ("status", "proven", "status must be open."),
    ("proof", "</b>", "proof must be a kind of grounds."),
    ("finder", "", "finder must be a name of 1 to 100 printable characters."),
    ("prover", "a\tb", "prover must be a name of 1 to 100 printable characters."),
    ("date", "2026-02-30", "date must be a date like 2026-11-30."),
    ("proof_date", "20261130", "proof_date must be a date like 2026-11-30."),
    ("certificate", "../up-and-up-3.json", "certificate must be the name of a file .json or .json.gz."),
    ("witness", "a1  a2", "witness must be moves, with one space between them."),
    ("witness", "\ud800", "witness must be moves, with one space between them."),
]


@pytest.mark.parametrize(
    ("name", "value", "sentence"), CHANGES, ids=[f"{name}={value!r}" for name, value, _ in CHANGES]
)
def test_what_no_row_can_say_is_told_with_file_and_line(name: str, value: Any, sentence: str, tmp_path: Path) -> None:
    table = small_table(tmp_path)
    file = table.path / "up-and-up.jsonl"
    first, second = file.read_text().splitlines()
    file.write_text(f"{json.dumps(json.loads(first) | {name: value})}\n{second}\n")
    with pytest.raises(BadResult) as caught:
        table.rows("up-and-up")
    assert str(caught.value).startswith(f"{file}, line 1: {sentence}")


def test_the_largest_bound_that_a_row_can_have_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = small_table(tmp_path)
    file, plot = table.path / "up-and-up.jsonl", tmp_path / "plot.svg"
    first, second = (json.loads(line) for line in file.read_text().splitlines())
    words = ["results", "up-and-up", "--folder", str(table.path), "--plot", str(plot)]
    for bound, status in ((LARGEST_VALUE, 0), (LARGEST_VALUE + 1, 2), (10**400, 2)):
        file.write_text(f"{json.dumps(first | {'bound': bound})}\n{json.dumps(second)}\n")
        assert main(words) == status
        assert capsys.readouterr().err.count("\n") == (status != 0)
    assert plot.read_text().startswith("<svg")


def test_rows_in_another_order_or_twice_or_in_another_games_file_are_refused(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    file = table.path / "up-and-up.jsonl"
    first, second = file.read_text().splitlines()
    for lines in ([second, first], [first, first]):
        file.write_text("\n".join(lines) + "\n")
        with pytest.raises(BadResult, match=r"up-and-up\.jsonl, line 2: The row doesn't come after the one before it"):
            table.rows()
    file.write_text(first + "\n\n")
    with pytest.raises(BadResult, match=r"up-and-up\.jsonl, line 2: It is not a row in JSON"):
        table.rows()
    file.unlink()
    (table.path / "blob.jsonl").write_text(first)
    with pytest.raises(BadResult, match=r"blob\.jsonl, line 1: The row is about 'up-and-up', the file about 'blob'\."):
        table.rows()


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    begin=st.integers(0, 900),
    length=st.integers(0, 30),
    other=st.one_of(st.binary(max_size=6), st.sampled_from([b'"', b"\n", b"{", b"9" * 5000, b"[" * 2000, b"\\ud800"])),
)
def test_a_damaged_file_reads_or_is_refused_in_one_sentence_with_file_and_line(
    begin: int, length: int, other: bytes, table: Folder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = (table.path / "up-and-up.jsonl").read_bytes()
    file = tmp_path / "up-and-up.jsonl"
    file.write_bytes(content[:begin] + other + content[begin + length :])
    status = main(["results", "--folder", str(tmp_path)])
    printed = capsys.readouterr()
    if status:
        assert status == 2
        assert printed.err.startswith(f"quet: {file}, line ")
        assert printed.err.count("\n") == 1
        assert printed.out == ""
    else:
        assert len(Folder(tmp_path).rows()) <= 2


def test_a_row_that_says_something_else_than_its_certificate_is_found(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    assert [one.error for one in check(table)] == ["", "", ""]
    file = table.path / "up-and-up.jsonl"
    file.write_text(file.read_text().replace('"value": 7, "bound": 9', '"value": 8, "bound": 9'))
    assert [one.error for one in check(table, "up-and-up")] == [
        "up-and-up-3.json: row: The row says value 8, the certificate 7. "
        "Its entry may have been interrupted: "
        f"quet results submit {table.path / 'certificates' / 'up-and-up-3.json'} enters it.",
        "",
    ]


def test_a_certificate_that_is_missing_false_or_no_rows_is_found(tmp_path: Path) -> None:
    table = small_table(tmp_path)
    made = reached(7)
    claimed = resealed(made | {"claim": made["claim"] | {"low": 8}})
    certificates = table.path / "certificates"
    (certificates / "up-and-up-3.json").write_text(json.dumps(claimed))
    (certificates / "up-and-up-3-lowest.json").rename(certificates / "other.json")
    (certificates / ".half").touch()  # which a program that is writing may have there
    errors = {one.name: one.error for one in check(table)}
    assert ".half" not in errors
    assert errors["up-and-up n=3, highest"] == "up-and-up-3.json: witness: The witness reaches 7, not 8."
    assert errors["up-and-up n=3, lowest"].startswith("up-and-up-3-lowest.json: file: It can't be read")
    table.path_of_larger.mkdir()
    shutil.copy(certificates / "other.json", table.path_of_larger / "larger.json")
    unnamed, larger = (one for one in check(table) if one.name in ("other.json", "larger.json"))
    assert larger.unnamed.endswith("enters it. Or delete it.")
    assert (unnamed.error, unnamed.verdict) == ("", "unchecked")
    assert unnamed.unnamed.startswith("No row names this certificate. Its entry may have been interrupted: ")


def test_the_table_is_the_folder_given_or_the_one_here_or_the_one_that_came_with_quet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert find(None).path == Path(__file__).parents[2] / "results"
    (tmp_path / "results").mkdir()  # another folder of this name
    assert find(None).path == Path(__file__).parents[2] / "results"
    (tmp_path / "results" / "blob.jsonl").touch()
    assert find(None).path == Path("results")
    assert find(str(tmp_path)).path == tmp_path
    with pytest.raises(BadParameter, match="There is no such folder"):
        find("nowhere")
    (tmp_path / "results" / "blob.jsonl").unlink()
    monkeypatch.setattr(folders, "_CLONE", tmp_path / "nowhere")
    with pytest.raises(BadParameter, match="There is no table of results here; name its folder with --folder"):
        find(None)
