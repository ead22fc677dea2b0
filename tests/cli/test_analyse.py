"""`quet analyse`: a record of each game, the plot, JSON, and one sentence for what can't be read."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import quet
from conftest import play_at_random, small
from quet.cli import main as cli
from quet.study.analysis import MOST_MOVES

SMALL: dict[str, dict[str, Any]] = {
    "blob": {"n": 4},
    "convoluted-coprimality": {"n": 4, "players": 3, "grids": 1},
    "divisors-multiples": {"r": 5},
    "palindromes": {"m": 6},
    "plusses-minuses": {"n": 4},
    "sequence-ascension": {"n": 3},
    "sums-grid": {"n": 2},
    "up-and-up": {"n": 4},
}


def written(folder: Path, *games: quet.Game) -> str:
    """A file with the records of these games."""
    file = folder / "games.quet"
    file.write_text("\n".join(quet.Record.of(game).text() for game in games))
    return str(file)


def blunder() -> quet.Game:
    game = quet.new("palindromes", m=6)
    for move in "4=0 5=0 1=0 3=0 6=1 2=1".split():
        game.play(move)
    return game


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What `quet analyse` prints when it ends well."""
    assert cli.main(["analyse", *words]) == 0
    out, err = capsys.readouterr()
    assert not [line for line in err.splitlines() if not re.fullmatch(r"quet: .*, [0-9]+ s", line)]  # of progress
    return out


def test_a_record_of_each_game_is_analysed_in_text_json_and_pictures(
    our_game_id: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = quet.new(our_game_id, **small(our_game_id, SMALL))
    for _ in play_at_random(game, 2, 12):
        pass
    file = written(tmp_path, game)
    text = said(capsys, file, "--sims", "50", "-o", str(tmp_path / "plot.svg"))
    assert (tmp_path / "plot.svg").read_text().startswith("<svg ")
    assert f"\n   1. {game.moves[0]} " in text
    assert "urning points" in text
    found = json.loads(said(capsys, file, "--sims", "50", "--json", "-o", str(tmp_path / "plot.png")))
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert [one["move"] for one in found["moves"]] == game.moves
    assert found["moves"][0]["mover"] == 1
    assert found["game"] == our_game_id
    assert all(one["line"][0] == one["best_move"] for one in found["moves"])


def test_exact_values_and_the_turning_points_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, written(tmp_path, blunder()), "--seconds", "1").splitlines()
    assert lines[lines.index("Turning points:") + 1 :] == [
        "    Move 2, 5=0, was a mistake: a win by 4 became a loss by 6; 3=1 kept it.",
        "    Move 5, 6=1, was a mistake: a win by 14 became a loss by 2; 2=0 kept it.",
        "Points given away:",
        "    Move 3, 1=0, gave away 4 points: a win by 6 became a win by 2; 3=0 kept it at 6.",
        "    Move 4, 3=0, gave away 12 points: a loss by 2 became a loss by 14; 2=1 kept it at 2.",
    ]
    assert "   5. 6=1  player 1  a loss by 2 (proven: solved); best 2=0 6=1: a win by 14 (proven: solved)" in lines


def test_the_same_seed_finds_the_same_and_estimates_have_their_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = quet.new("blob", n=8)
    game.play("d4")
    file = written(tmp_path, game)
    first = said(capsys, file, "--sims", "100", "--seed", "5")
    assert first == said(capsys, file, "--sims", "100", "--seed", "5")
    assert first != said(capsys, file, "--sims", "100", "--seed", "6")
    assert " % ± " in first


def test_another_record_of_the_file_is_chosen_by_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = quet.new("up-and-up", n=2)
    other.play("a1")
    file = written(tmp_path, blunder(), other)
    assert said(capsys, file, "--game", "2", "--sims", "10").splitlines()[1:] == [
        "The best score still reachable:",
        "   1. a1  4 (proven: no score is better)",
        "No turning points were found.",
    ]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--game", "2"], "The file has 1 record; there is no record 2."),
        (["--game", "0"], "there is no record 0."),
        (["--seconds", "0"], "The time for a move must be a number of seconds from 0.01 to 3600, not '0'."),
        (["--seconds", "3600.1"], "to 3600, not '3600.1'."),
        (["--seconds", ""], "not ''."),
        (["--seconds", "1e1"], "not '1e1'."),
        (["--seconds", "nan"], "not 'nan'."),
        (["--seconds", "-1"], "-1"),
        (["--sims", "0"], "from 1 to 1000000000."),
        (["--sims", "x"], "not an integer"),
        (["--sims", "9", "--seconds", "1"], "not both"),
        (["--seed", "-1"], "The seed must be from 0"),
        (["-o", "plot.gif"], "The output must end with .svg or .png."),
        (["-o", "no-such-folder/plot.svg"], "Its folder doesn't exist."),
    ],
)
def test_bad_options_get_one_sentence_and_status_2(
    words: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["analyse", written(tmp_path, blunder()), *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert reason in err and err.count("\n") == 1


def test_the_help_tells_how_long_a_game_may_be(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["analyse", "--help"])
    assert f"at most {MOST_MOVES:,} moves" in " ".join(capsys.readouterr().out.split())


def test_bad_files_get_one_sentence_and_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = tmp_path / "damaged.quet"
    damaged.write_text('[Game "blob"]\nnonsense\n')
    unplayed = written(tmp_path, quet.new("blob"))
    for words in ([str(tmp_path / "none.quet")], [str(tmp_path)], [str(damaged)], [unplayed], []):
        assert cli.main(["analyse", *words]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_picture_that_can_not_be_written_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plot.svg").mkdir()
    assert cli.main(["analyse", written(tmp_path, blunder()), "--sims", "5", "-o", str(tmp_path / "plot.svg")]) == 2
    assert capsys.readouterr().err.endswith("plot.svg': It is a folder.\n")


def test_progress_is_shown_on_a_terminal_and_not_among_the_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert cli.main(["analyse", written(tmp_path, blunder()), "--sims", "5", "--json"]) == 0
    out, err = capsys.readouterr()
    assert len(json.loads(out)["moves"]) == 6
    assert "moves, from the last one" in err and "6 of 6" in err
