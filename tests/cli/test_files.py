"""`-` is standard input or output where a command line names a file; `quet sheet` writes one."""

import io
import json
import os
import sys
from pathlib import Path

import pytest

import quet
from quet.cli.main import main


class Bytes(io.TextIOWrapper):
    """Standard input with this content."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content))


@pytest.fixture
def record() -> bytes:
    game = quet.new("palindromes", m=2)
    game.play("1=0")
    game.play("2=0")
    return quet.Record.of(game).text().encode()


def test_records_are_read_from_standard_input(
    record: bytes, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    for words in (["replay", "-"], ["replay", "-", "--json"], ["show", "-"], ["analyse", "-", "--sims", "5"]):
        monkeypatch.setattr(sys, "stdin", Bytes(record))
        assert main(words) == 0
        assert capsysbinary.readouterr().out
    for words in (["show", "-", "-o", "-"], ["analyse", "-", "--sims", "5", "-o", "-"]):
        monkeypatch.setattr(sys, "stdin", Bytes(record))
        assert main(words) == 0
        out = capsysbinary.readouterr().out
        assert out.startswith(b"<svg")
        assert out.count(b"</svg>") == 1
        assert b"Turning" not in out


def test_what_is_no_record_or_too_large_is_said_of_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Bytes(b"garbage"))
    assert main(["replay", "-"]) == 2
    assert capsys.readouterr().err.startswith("quet: standard input, line 1: ")
    monkeypatch.setattr("quet.records.record.LARGEST_FILE", 5)
    monkeypatch.setattr(sys, "stdin", Bytes(b"garbage"))
    assert main(["replay", "-"]) == 2
    assert capsys.readouterr().err == "quet: standard input: It is larger than 16 MB.\n"
    monkeypatch.setattr(sys, "stdin", Bytes(b""))
    assert main(["replay", "-"]) == 2
    assert capsys.readouterr().err == "quet: standard input: There is no record in it.\n"


def test_an_empty_file_is_said_to_be_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "empty.quet"
    file.write_text("\n")
    for words in (["replay"], ["replay", "--json"], ["show"], ["analyse"]):
        assert main([*words, str(file)]) == 2
        assert capsys.readouterr() == ("", f"quet: {file}: There is no record in it.\n")


def test_a_certificate_is_verified_from_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "c.json.gz"
    assert main(["solve", "up-and-up", "n=2", "--certificate", str(file)]) == 0
    for content, status in ((file.read_bytes(), 0), (b"{}", 1)):
        monkeypatch.setattr(sys, "stdin", Bytes(content))
        assert main(["verify", "-"]) == status
    assert "verified   -: up-and-up n=2" in capsys.readouterr().out


def test_a_b_file_is_written_to_standard_output(capsys: pytest.CaptureFixture[str], our_game_id: str) -> None:
    status = main(["results", our_game_id, "--b-file", "-"])
    out, err = capsys.readouterr()
    if status:
        assert err.startswith("quet: ")
    else:
        assert all(line.startswith("#") or len(line.split()) == 2 for line in out.splitlines())


def test_a_sheet_of_every_game_is_made(our_game_id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", our_game_id]) == 0
    out = capsys.readouterr().out
    assert out.startswith("<svg")
    assert quet.new(our_game_id).entry.title.replace("&", "&amp;") in out
    file = tmp_path / "sheet.png"
    assert main(["sheet", our_game_id, "-o", str(file)]) == 0
    assert file.read_bytes().startswith(b"\x89PNG")
    assert main(["sheet", our_game_id, "-o", str(tmp_path / "sheet.pdf")]) == 2


@pytest.mark.parametrize("separator", ["\u2028", "\x0b", "\x0c", "\x1c", "\x85", "\r"])
def test_only_lf_and_crlf_end_lines_of_a_b_file(tmp_path: Path, separator: str) -> None:
    file = tmp_path / "b000005.txt"
    file.write_bytes(b"# A000005\r\n\r\n 1\t1 \n2 2 # two\n3 2\n4  3")
    assert str(quet.new("sequence-ascension", n=2, sequence=f"file:{file}").parameters["sequence"]) == "1,2,2,3"
    file.write_bytes(f"1 1{separator}2 2\n3 2\n4 3\n".encode())
    with pytest.raises(quet.BadParameter, match="line 1: not an index and a term"):
        quet.new("sequence-ascension", n=2, sequence=f"file:{file}")


@pytest.mark.parametrize("blank", ["\u00a0", "\u3000", "\x0b", "\x1f", "\r"])
def test_only_spaces_and_tabs_are_blanks_of_a_b_file(tmp_path: Path, blank: str) -> None:
    file = tmp_path / "b000005.txt"
    file.write_bytes(f"1{blank}1\n2 2\n3 2\n4 3\n".encode())
    with pytest.raises(quet.BadParameter, match="line 1: not an index and a term"):
        quet.new("sequence-ascension", n=2, sequence=f"file:{file}")


def test_a_certificate_goes_to_standard_output_and_from_there_into_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["solve", "up-and-up", "n=2", "--certificate", "-"]) == 0
    out, err = capsysbinary.readouterr()
    assert json.loads(out)["game"] == "up-and-up"
    assert b"proven" in err
    monkeypatch.setattr(sys, "stdin", Bytes(out))
    assert main(["results", "submit", "-", "--folder", str(tmp_path)]) == 0
    assert capsysbinary.readouterr().out.startswith(b"Entered up-and-up n=2")


def test_a_game_is_submitted_from_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Bytes(b"garbage"))
    assert main(["results", "submit", "-", "--folder", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("quet: standard input, line 1: ")


@pytest.mark.parametrize("option", ["--checkpoint", "--resume"])
def test_a_checkpoint_is_a_file(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "up-and-up", "n=2", option, "-"]) == 2
    assert "must be a file, not -." in capsys.readouterr().err


def test_games_of_a_tournament_go_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "palindromes", "m=3", "--players", "random,level:1", "--games", "4", "--results", "-"]
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert [json.loads(line)["game"] for line in out.splitlines()] == ["palindromes"] * len(out.splitlines())
    assert "4 games" in err
    assert main([*words, "--json"]) == 2


def test_a_game_in_play_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", Bytes(b"1=0\nsave -\nload -\n"))
    assert main(["play", "palindromes", "m=3", "--plain"]) == 0
    out = capsys.readouterr().out
    assert '[Game "palindromes"]' in out
    assert "Standard input is where the commands come from" in out


def test_no_file_is_written_twice_or_where_it_is_read(
    record: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in (("r.svg", record), ("b.svg", b"1 1\n2 2\n3 2\n4 3\n"), ("b.npz.md", b"1 1\n2 2\n3 2\n4 3\n")):
        Path(name).write_bytes(content)
    assert main(["solve", "up-and-up", "n=2", "--certificate", "c.json"]) == 0
    Path("table").mkdir()
    assert main(["results", "submit", "c.json", "--folder", "table"]) == 0
    Path("link.json").symlink_to("c.json")
    Path("agents").mkdir()
    Path("agents/tasks.json").write_text("{}")
    ascension = ["sequence-ascension", "n=2"]
    before = {path: path.read_bytes() for path in tmp_path.glob("**/*") if path.is_file()}
    capsys.readouterr()
    for words, told in (
        (["solve", "blob", "n=2", "--checkpoint", "k", "--certificate", "./k"], "--certificate and the checkpoint"),
        (["solve", "blob", "n=2", "--checkpoint", "k", "--certificate", "k.blocks"], "its FILE.blocks"),
        (["solve", *ascension, "sequence=file:b.svg", "--certificate", "b.svg"], "sequence and --certificate"),
        (["verify", "c.json", "--cnf", "link.json"], "FILE and --cnf"),
        (["verify", "c.json", "--cnf", "z", "--lrat", f"{tmp_path}/z"], "--cnf and --lrat"),
        (["results", "palindromes", "--b-file", "o.txt", "--oeis", "./o.txt"], "--b-file and --oeis"),
        (["results", "up-and-up", "--folder", "table", "--b-file", "table/up-and-up.jsonl"], "the table and --b-file"),
        (["show", "r.svg", "-o", "./r.svg"], "FILE and --output"),
        (["analyse", "r.svg", "--sims", "5", "-o", "r.svg"], "FILE and --output"),
        (["sheet", *ascension, "sequence=file:b.svg", "-o", "b.svg"], "sequence and --output"),
        (
            ["dataset", *ascension, "sequence=file:b.npz.md", "--positions", "1", "--out", "b.npz"],
            "sequence and the card",
        ),
        (["rl", "measure", "c.json", "blob", "n=2", "--out", "c.json"], "AGENT and --out"),
        (["rl", "measure", "random", "blob", "n=2", "--out", "agents/tasks.json"], "the list of tasks and --out"),
        (["rl", "leaderboard", "--out", "agents/tasks.json"], "tasks.json of --folder and --out"),
    ):
        assert main(words) == 2, words
        out, err = capsys.readouterr()
        assert out == "" and told in err and "name the same file" in err and err.count("\n") == 1, err
    for words in (
        ["results", "palindromes", "--b-file", "-", "--oeis", "-"],
        ["verify", "c.json", "--cnf", "-", "--drat", "-"],
        ["verify", "c.json", "--cnf", "-", "--json"],
    ):
        assert main(words) == 2
        assert "not both: each writes to standard output." in capsys.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.glob("**/*") if path.is_file()} == before


def test_where_nothing_can_be_written_no_long_work_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for begun in ("quet.rl.leaderboard.measured", "quet.puzzles.make.make", "quet.cli.solve.answer"):
        monkeypatch.setattr(begun, None)
    monkeypatch.setattr("quet.cli.dataset.new", None)
    monkeypatch.setattr(os, "access", lambda folder, mode: Path(folder).name != "shut")
    (tmp_path / "shut").mkdir()
    os.mkfifo(tmp_path / "pipe.npz")
    (tmp_path / "link.npz").symlink_to("no/where.npz")
    for words in (
        ["rl", "measure", "random", "palindromes", "m=4", "--out"],
        ["puzzles", "make", "palindromes", "--out"],
        ["solve", "palindromes", "m=4", "--certificate"],
        ["dataset", "palindromes", "m=4", "--positions", "5", "--out"],
    ):
        for name, told in (
            ("no/file.npz", "'no/file.npz': Its folder doesn't exist."),
            ("shut/file.npz", "'shut/file.npz': Its folder can't be written."),
            ("pipe.npz", "'pipe.npz': It is not a regular file."),
            ("link.npz", "'link.npz': Its folder doesn't exist."),
        ):
            assert main([*words, name]) == 2
            assert capsys.readouterr().err == f"quet: {told}\n"


def test_the_puzzles_that_came_with_quet_stay_as_they_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("quet.puzzles.make.make", None)
    monkeypatch.setattr("quet.results.folder._INSTALLED", Path(__file__).parent)  # as in a wheel
    assert main(["puzzles", "make", "palindromes", "--count", "1"]) == 2
    assert (
        capsys.readouterr().err == "quet: The puzzles that came with Quet stay as they are; name a file with --out.\n"
    )


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["puzzles", "make", "blob"], "the puzzles"),
        (["rl", "leaderboard"], "the table"),
        (["rl", "measure", "random"], "the entry"),
    ],
)
def test_standard_output_takes_one_thing(words: list[str], what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--json", "--out", "-"]) == 2
    assert capsys.readouterr() == ("", f"quet: Standard output takes {what} or JSON, not both.\n")
