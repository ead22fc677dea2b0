"""What the terminal keeps of somebody's puzzles: a rating, a row of days, in a file of the user's own."""

import io
import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from quet import catalog
from quet.cli.puzzles import Kept, Series
from quet.core.extras import needs
from quet.puzzles import Kind, Puzzle, of
from quet.puzzles import scores as scores_of
from quet.puzzles.daily import puzzle_of
from quet.puzzles.scores import BEGIN, MOST_DAYS, BadScores, Score, Scores, ScoresFile, from_data, parse
from quet.study.daily import DAY, FIRST


def _puzzle() -> Puzzle:
    return next(one for entry in catalog.playable() for one in of(entry.id) if one.kind is Kind.WIN)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QUET_DATA", str(tmp_path / "new"))
    return tmp_path / "new"


def solved(lines: str, puzzles: list[Puzzle], *, is_today: bool = False) -> str:
    """What a series of puzzles answers to these lines."""
    out = io.StringIO()
    Series(puzzles, 0, out, Kept(ScoresFile()), FIRST if is_today else None).hold(io.BytesIO(lines.encode()))
    return out.getvalue()


def test_the_terminal_keeps_a_rating_from_one_run_to_the_next(folder: Path) -> None:
    puzzle = _puzzle()
    other = next(one for one in of(puzzle.game_id) if one.kind is Kind.WIN and one != puzzle)
    wrong = next(move for move in other.values if move not in other.right)
    first = solved(f"{puzzle.right[0]}\n", [puzzle])
    kept = ScoresFile().read().of(puzzle.game_id)
    assert kept.rating > BEGIN and (kept.solved, kept.tried) == (1, 1)
    assert f"Your rating in this game is {kept.shown} now (+{kept.shown - 1000})." in first
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    second = solved(f"{wrong}\n{other.right[0]}\n", [other])
    after = ScoresFile().read().of(puzzle.game_id)
    assert (after.solved, after.tried, after.streak, after.longest) == (1, 2, 0, 1) and after.rating < kept.rating
    assert second.count("Your rating") == 1


def test_a_days_puzzle_that_is_solved_on_its_day_makes_a_row(folder: Path) -> None:
    puzzle = _puzzle()
    assert "in a row: 1." in solved(f"{puzzle.right[0]}\n", [puzzle], is_today=True)
    assert ScoresFile().read().solved_days == [FIRST]
    shown = Scores({}).solved_on(FIRST + 3 * DAY).solved_on(FIRST + 5 * DAY).solved_on(FIRST + 4 * DAY)
    assert shown.solved_days == [FIRST + 5 * DAY, FIRST + 3 * DAY]  # who goes back in time gains nothing
    many = Scores({})
    for k in range(MOST_DAYS + 10):
        many = many.solved_on(FIRST + k * DAY)
    assert len(many.solved_days) == MOST_DAYS and from_data(many.as_data()) == many
    assert many.solved_on(FIRST + 10_000 * DAY).solved_days == [FIRST + 10_000 * DAY]


def test_an_untouched_puzzle_that_is_passed_over_costs_nothing(folder: Path) -> None:
    puzzle = _puzzle()
    told = solved(f"next\nHELP\nNext\n{puzzle.right[0]}\nQUIT\n", [puzzle] * 2)
    assert told.endswith("Solved at the first try: 1 of 1; 1 of them in a row.\n") and told.count("Your rating") == 1


def test_a_puzzle_that_was_begun_and_left_counts_as_failed(folder: Path) -> None:
    begun = next(one for one in of("up-and-up") if "No puzzle was" in solved(f"{one.right[0]}\n", [one]))
    told = solved(f"{begun.right[0]}\nnext\n", [begun, _puzzle()])
    assert told.endswith("Solved at the first try: 0 of 1; 0 of them in a row.\n")


def test_a_single_puzzle_has_no_next(folder: Path) -> None:
    puzzle = _puzzle()
    told = solved(f"next\nshow\nnext\n{puzzle.right[0]}\nnext\nlegal\nshow\n", [puzzle], is_today=True)
    assert told.count("There is no other puzzle; quit ends.") == 3
    assert "This puzzle is solved; quit ends." in told and told.count("Type help for help, quit to end.") == 1
    assert told.endswith("Solved at the first try: 0 of 1; 0 of them in a row.\n")


def test_a_terminal_has_a_prompt_and_ctrl_c_tells_the_tally(folder: Path) -> None:
    class Typed(io.BytesIO):
        def isatty(self) -> bool:
            return True

        def readline(self, limit: int | None = -1, /) -> bytes:
            if line := super().readline(limit):
                return line
            raise KeyboardInterrupt

    out = io.StringIO()
    with pytest.raises(KeyboardInterrupt):
        Series([_puzzle()], 0, out).hold(Typed(b"show\n"))
    assert "\n> A right move: " in out.getvalue()
    assert out.getvalue().endswith("\n> \nSolved at the first try: 0 of 1; 0 of them in a row.\n")


def test_what_was_shown_makes_no_row(folder: Path) -> None:
    puzzle = _puzzle()
    assert "in a row" not in solved(f"show\n{puzzle.right[0]}\n", [puzzle], is_today=True).partition("Solved at")[0]
    assert ScoresFile().read().solved_days == []


def test_a_later_run_neither_rates_a_puzzle_again_nor_counts_the_day_of_one_that_was_shown(folder: Path) -> None:
    puzzle = _puzzle()
    assert "Your rating" in solved("show\n", [puzzle], is_today=True)
    told = solved(f"{puzzle.right[0]}\n", [puzzle], is_today=True)
    assert "is right" in told and "Your rating" not in told and "Puzzles of the day" not in told
    kept = ScoresFile().read()
    assert kept.solved_days == [] and len(kept.of(puzzle.game_id).seen) == 1


@pytest.mark.parametrize("content", [b"nonsense", b"\xff", b"[]", b'["", {"blob": [1]}, 0, "0"]', b"[" * 5000])
def test_a_broken_file_is_told_and_left_alone(folder: Path, content: bytes) -> None:
    folder.mkdir()
    (folder / "puzzles.json").write_bytes(content)
    puzzle = _puzzle()
    told = solved(f"{puzzle.right[0]}\n", [puzzle])
    assert told.startswith("No rating is kept: The file") and told.count("No rating") == 1 and "is right" in told
    assert (folder / "puzzles.json").read_bytes() == content


def test_a_folder_that_cannot_be_made_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUET_DATA", "/dev/null/quet")
    puzzle = _puzzle()
    told = solved(f"{puzzle.right[0]}\nnext\n{puzzle.right[0]}\n", [puzzle] * 2, is_today=True)
    assert told.count("puzzles.json: It can't be written: Not a directory.\n") == 1


def test_without_openskill_puzzles_are_solved_without_a_rating(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    scores_of._model.cache_clear()
    puzzle = _puzzle()
    told = solved(f"{puzzle.right[0]}\nnext\n{puzzle.right[0]}\n", [puzzle] * 2, is_today=True)
    assert told.count("No rating is kept: OpenSkill is not installed") == 1 and "is right" in told
    assert "Puzzles of the day that you solved in a row: 1." in told
    assert len(ScoresFile().read().solved_days) == 1
    monkeypatch.undo()
    with needs("site", "OpenSkill"):
        assert scores_of._model()


def test_scores_of_a_version_without_days_are_read() -> None:
    old = ["", {"any": [1010.5, 200.0, 1, 2, 3, 4, "abcd1234"]}]
    found = from_data(old)
    assert found.of("any") == Score(1010.5, 200.0, 1, 2, 3, 4, ("abcd", "1234")) and found.solved_days == []
    assert parse(json.dumps(found.as_data()).encode()) == found


def test_scores_of_a_version_with_one_open_puzzle_are_read() -> None:
    puzzle = _puzzle()
    old = [f"{puzzle.game_id}/{puzzle.id}", {}, 2, "5"]
    found = from_data(old)
    assert found.is_open(puzzle) and found.solved_days == [FIRST + 2 * DAY, FIRST]
    shown = found.shown_on(FIRST + 3 * DAY)
    assert parse(json.dumps(shown.as_data()).encode()) == shown
    assert shown.solved_on(FIRST + 3 * DAY) == shown and shown.solved_on(FIRST + 4 * DAY) != shown


def test_a_changed_file_names_no_day_before_the_first() -> None:
    assert from_data(["", {}, 2, "f" * 20]).solved_days == [FIRST + 2 * DAY, FIRST + DAY, FIRST]


@pytest.mark.parametrize(
    "bad", [[], [1, {}], ["", [], 0, "0"], ["", {}, -1, "0"], ["", {}, 0, "x"], [[1], {}, 0, "0", 0], {}, None]
)
def test_bad_scores_are_refused(bad: object) -> None:
    with pytest.raises(ValueError):
        from_data(bad)


def test_quet_daily_asks_the_puzzle_of_a_day(folder: Path) -> None:
    puzzle = puzzle_of(FIRST)
    code = "import sys; from quet.study import daily; daily.today = lambda now: daily.FIRST\n"
    code += "from quet.cli.main import main; sys.exit(main(['daily', '--puzzle']))"
    done = subprocess.run([sys.executable, "-c", code], input="show\n", capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    greeting = f"The puzzle of {FIRST}.\nType help for help, quit to end."
    assert done.stdout.startswith(f"{greeting}\nPuzzle 1 of 1: {catalog.get(puzzle.game_id).title}")
    assert "A right move: " in done.stdout
    with pytest.raises(BadScores):
        (folder / "puzzles.json").write_text("x")
        ScoresFile().read()


def test_what_hinders_the_scores_is_said_once(folder: Path) -> None:
    (folder / "puzzles.json").mkdir(parents=True)
    with pytest.raises(BadScores, match=r"puzzles\.json: It can't be read: Is a directory\.$"):
        ScoresFile().read()
    with pytest.raises(BadScores, match=r"puzzles\.json: It can't be written: it is not a regular file\.$"):
        ScoresFile().write(Scores({}))


def test_who_answers_none_is_told_so() -> None:
    out = io.StringIO()
    Series([_puzzle()], 0, out).hold(io.BytesIO(b""))
    assert out.getvalue().endswith("No puzzle was answered.\n")
