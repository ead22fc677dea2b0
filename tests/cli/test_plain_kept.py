"""Playing line by line at a terminal: the game is kept, and nobody loses it without a word."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

import quet
from quet.cli import plain
from quet.core.files import UnwritableFile
from quet.play.clock import Clock
from quet.play.session import Choice, Session, seat
from quet.records import record as records
from quet.records.record import Record
from quet.terminal.remembered import UNFINISHED, Remembered

ASKED = "Up And Up, 3 by 3 was not finished and not saved. yes goes on with it now, no forgets it."
KEPT = "This game is kept: the next start asks whether to go on with it."
NOT_KEPT = "This game is neither saved nor kept."


class Typed(io.BytesIO):
    """Lines that are typed at a terminal. Ctrl-C comes for ^C."""

    def isatty(self) -> bool:
        return True

    def readline(self, limit: int | None = -1, /) -> bytes:
        line = super().readline(limit)
        if line == b"^C\n":
            raise KeyboardInterrupt
        return line


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUET_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


def typed(*lines: str, clock: Clock | None = None) -> list[str]:
    """What is said at a terminal, without the prompts, in Up And Up on 3 by 3."""
    out = io.StringIO()
    plain.run(
        Session(quet.new("up-and-up", n=3), clock=clock),
        Typed("".join(f"{line}\n" for line in lines).encode()),
        out,
        remembered=Remembered.of_user,
    )
    said = [line.removeprefix("> ") for line in out.getvalue().splitlines()]
    return [line for line in said if line]


def kept() -> list[str] | None:
    found = Remembered.of_user().unfinished()
    return None if found is None else found.game.moves


@pytest.mark.parametrize("end", [[], ["^C"]])
def test_a_game_that_is_cut_off_is_kept(folder: Path, end: list[str]) -> None:
    assert typed("b2", *end)[-1] == KEPT
    assert kept() == ["b2"]
    answers = typed("what", "yes", "moves", "b1", "undo", *end)
    assert answers[0] == ASKED and "1. b2." in answers and answers[-1] == KEPT
    assert kept() == ["b2"]
    assert typed("quit") == [ASKED] and kept() == ["b2"]


def test_a_move_is_kept_while_the_computer_thinks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def think(session: Session) -> Choice:
        raise KeyboardInterrupt

    monkeypatch.setattr(Session, "play_computer", think)
    session, out = Session(quet.new("blob", n=3), [seat("person"), seat("level:7")]), io.StringIO()
    assert plain.run(session, Typed(b"a1\n"), out, remembered=Remembered.of_user) == 130
    assert out.getvalue().endswith(f"{KEPT}\n") and kept() == ["a1"]


def test_a_game_that_is_forgotten_or_left_is_kept_no_longer(folder: Path) -> None:
    typed("b2")
    assert typed("no", "moves")[-1] == "No moves yet."
    assert kept() is None
    answers = typed("b2", "quit", "moves", "quit", "quit")
    assert [line for line in answers if "quit again" in line] == ["This game is not saved; quit again ends it."] * 2
    assert kept() is None


def test_a_game_that_is_saved_is_left_at_once(folder: Path) -> None:
    answers = typed("b2", "save a.quet", "quit")
    assert answers[-1] == "Saved as a.quet." and kept() is None
    assert "not saved" not in " ".join(typed("quit"))


def test_another_game_is_loaded_at_the_second_request(folder: Path, tmp_path: Path) -> None:
    records.save(tmp_path / "a.quet", quet.new("up-and-up", n=2).after("a1"))
    answers = typed("b2", "load a.quet", "moves", "load a.quet", "load a.quet", "moves")
    told = [line for line in answers if "not saved" in line or line.startswith("1. ")]
    assert told == [
        "This game is not saved; load again leaves it.",
        "1. b2.",
        "This game is not saved; load again leaves it.",
        "1. a1.",
    ]
    assert kept() is None  # it is in its file


def test_the_clock_of_a_game_that_was_cut_off_begins_anew(folder: Path) -> None:
    typed("b2", clock=Clock(600.0, 5.0))
    answers = typed("yes")
    assert answers[1] == "The clocks begin anew: a file keeps none." and "600 seconds left" in answers[3]


def test_what_comes_through_a_pipe_is_neither_kept_nor_asked_about(folder: Path) -> None:
    typed("b2")
    out = io.StringIO()
    session = Session(quet.new("up-and-up", n=3))
    plain.run(session, io.BytesIO(b"a1\nquit\n"), out, remembered=Remembered.of_user)
    assert "not" not in out.getvalue().lower().split() and session.game.moves == ["a1"] and kept() == ["b2"]


def test_what_is_wrong_with_the_file_is_told(folder: Path) -> None:
    folder.mkdir()
    (folder / UNFINISHED).write_text("a letter")
    assert typed("quit")[0].endswith("it is kept as unfinished-unreadable.quet.")
    with Remembered.of_user().alone():
        assert "another window" in typed("quit")[0]


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A function that fills the disk."""

    def fill() -> None:
        def write(path: object, content: object) -> None:
            raise UnwritableFile("It can't be written: No space left on device.")

        monkeypatch.setattr(records, "write_file", write)

    return fill


def test_on_a_full_disk_it_is_said_that_the_game_is_not_kept_and_what_is_left_does_not_come_back(
    folder: Path, disk: Callable[[], None]
) -> None:
    typed("b2")
    disk()
    full = f"{folder / UNFINISHED}: It can't be written: No space left on device. This game is kept only where"
    before = "This game is kept as it was before, not as it stands: the next start asks about it."
    answers = typed("yes", "b1", "a1")
    assert sum(line.startswith(full) for line in answers) == 1 and answers[-1] == before
    assert kept() == ["b2"]
    typed("yes", "b1", "quit", "quit")
    assert kept() is None and not (folder / UNFINISHED).exists()
    assert typed("b2")[-1] == NOT_KEPT


def test_a_game_that_cannot_be_removed_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, *, missing_ok: bool = False) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "unlink", refuse)
    answers = typed("b2", "quit", "quit")
    assert answers[-1].endswith("It can't be removed: Operation not permitted. The next start asks about it.")
    assert kept() == ["b2"]


def test_where_the_folder_cannot_be_used_it_is_said_before_the_first_move(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("QUET_DATA", str(tmp_path / "file" / "data"))
    answers = typed("b2")
    assert answers[0].endswith("It can't be written: Not a directory. This game is kept only where you save it.")
    assert answers[-1] == NOT_KEPT
    assert typed("b2", "save a.quet")[-1] == "Saved as a.quet."


def test_a_game_that_is_gone_on_with_is_not_saved_by_a_file_with_the_same_moves(folder: Path, tmp_path: Path) -> None:
    typed("a1")
    out = io.StringIO()
    session = Session.resume(Record.of(quet.new("blob", n=3).after("a1")))
    plain.run(session, Typed(b"yes\n"), out, remembered=Remembered.of_user)
    assert out.getvalue().endswith(f"{KEPT}\n") and kept() == ["a1"]


def test_it_is_said_that_a_game_that_is_over_and_not_saved_is_not_kept(folder: Path) -> None:
    assert typed("b2", "resign")[-1] == NOT_KEPT and kept() is None
    assert typed("b2", "resign", "save a.quet")[-1] == "Saved as a.quet."
    assert NOT_KEPT not in typed("moves")


def test_a_game_that_is_gone_on_with_is_told_with_its_moves(folder: Path) -> None:
    typed("b2")
    assert typed("yes")[1] == "Up And Up, 3 by 3, after 1 move. Type help for help, quit to end."
