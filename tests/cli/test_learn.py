"""Lessons line by line."""

import io
import sys

import pytest

from quet import catalog
from quet.cli import learn
from quet.cli.main import main
from quet.study import lesson as lessons


def taught(id: str, *lines: str | bytes, first: int = 1) -> str:
    """What is said to these lines, on one line."""
    entry, out = catalog.get(id), io.StringIO()
    content = b"".join(line if isinstance(line, bytes) else f"{line}\n".encode() for line in lines)
    assert learn.run(entry, learn.lesson_of(entry), first, io.BytesIO(content), out) == 0
    return " ".join(out.getvalue().split())


@pytest.mark.parametrize("id", [entry.id for entry in catalog.playable() if entry.lesson])
def test_each_lesson_is_played_to_its_end(id: str) -> None:
    entry = catalog.get(id)
    steps = learn.lesson_of(entry).steps
    text = taught(id, *(lessons.solution(step, lessons.position(entry, step)) for step in steps))
    assert text.count("Right.") == len(steps)
    assert f"Now you can play: quet play {id} " in text
    assert taught(id, *["show"] * len(steps)).count("Like this: ") == len(steps)


def test_the_command_at_the_end_makes_a_game(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = taught("blob", "skip", first=6).rpartition("quet ")[2]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"quit\n")))
    assert main([*command.split(), "--plain"]) == 0
    assert "6 by 6" in capsys.readouterr().out


def test_a_wrong_move_is_told_why_and_one_tries_again() -> None:
    text = taught("blob", "a3", "D3", first=3)
    assert "2 doesn't divide 3, so the row is lost. Try again. You are player 1, and rows are yours." in text
    assert "Right. Row 3 now reads 1 3 1." in text and "Step 4 of 6." in text


def test_what_is_forbidden_or_no_move_is_told_and_nothing_changes() -> None:
    text = taught("blob", "b4", "a1", "zz", b"\xff\n", "x" * 20_000, "c4", first=2)
    for words in (
        "b4 touches c3 at a corner only.",
        "a1 is not beside a filled square.",
        "zz",
        "The line is not text in UTF-8.",
        "The line is too long; 10000 bytes are read at most.",
        "Right. c4 lies beside c3",
    ):
        assert words in text


def test_one_goes_back_and_on_and_asks_for_help_and_the_board() -> None:
    text = taught("blob", "help", "words", "board", "skip", "back", "back", "quit", first=2)
    assert text.count("Step 2 of 6.") == 2
    assert "Step 1 of 6." in text and "Step 3 of 6." in text
    assert "show makes a right move for you" in text and "c3: filled." in text
    assert text.endswith("The lesson stopped at step 1 of 6; quet learn blob --step 1 goes on.")


def test_the_end_of_the_input_says_where_the_lesson_stopped() -> None:
    assert taught("up-and-up", "a1").endswith(
        "The lesson stopped at step 2 of 7; quet learn up-and-up --step 2 goes on."
    )


def test_the_command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn"]) == 0
    listed = capsys.readouterr().out
    assert [line.split()[2].rstrip(":") for line in listed.splitlines()] == [
        entry.id for entry in catalog.playable() if entry.lesson
    ]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"d2\n")))
    assert main(["learn", "blob", "--step", "6"]) == 0
    assert "You have won." in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nope"], "There is no game 'nope'"),
        (["blob", "--step", "9"], "The lesson has 6 steps; there is none with the number 9."),
        (["blob", "--step", "0"], "there is none with the number 0."),
        (["blob", "--step", "x"], "'x' is not an integer"),
        (["blob", "n=4"], "Unrecognized arguments: n=4"),
    ],
)
def test_bad_words_are_refused_in_a_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and sentence in err and err.count("\n") == 1


def test_a_game_without_a_lesson_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(catalog.get("blob").__dict__, "lesson", None)
    assert main(["learn", "blob"]) == 2
    assert "blob has no lesson." in capsys.readouterr().err
