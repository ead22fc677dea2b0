"""The game of a day follows from the date alone, for ten years and more, and stays what it was."""

import hashlib
import itertools
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

import quet
from quet import catalog
from quet.cli.main import main
from quet.core.facts import DailyFacts, daily_facts
from quet.draw.chart import TOP
from quet.draw.scene import Rectangle, Text
from quet.results.folder import find
from quet.study import daily
from quet.study.daily import DAY, FIRST, REST, NoDay
from quet.study.daily_plot import spread

KNOWN = {
    "2026-11-23": "sequence-ascension {'n': 4, 'sequence': '1,1,2,1,2,3,1,2,3,4,1,2,3,4,5,1'} 15",
    "2026-11-24": "up-and-up {'n': 6} 36",
    "2026-11-25": "sequence-ascension {'n': 4, 'sequence': '2,7,1,8,2,8,1,8,2,8,4,5,9,0,4,5'} 13",
    "2027-12-28": "sums-grid {'n': 3} 26",
    "2036-11-22": "up-and-up {'n': 6} 36",
}
TEN_YEARS = [FIRST + k * DAY for k in range(3653)]


def line(day: date) -> str:
    found = daily.daily(day)
    return f"{day} {found.game_id} {dict(found.parameters)} {found.best}"


@pytest.fixture
def _always(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of a day are those that were there from the first day on."""
    always = [one for one in daily._candidates() if one.facts.since is None]
    monkeypatch.setattr(daily, "_candidates", lambda: always)
    monkeypatch.setattr(daily, "_chosen", [])


@pytest.mark.usefixtures("_always")
@pytest.mark.parametrize("day", KNOWN)
def test_the_game_of_a_day_stays(day: str) -> None:
    assert line(date.fromisoformat(day)) == f"{day} {KNOWN[day]}"


@pytest.mark.usefixtures("_always")
def test_the_games_of_ten_years_stay() -> None:
    digest = hashlib.sha256("\n".join(map(line, TEN_YEARS)).encode()).hexdigest()
    assert digest.startswith("e1a62e45c83494ca"), "A new [[daily]] of the facts needs a `since`."


def test_no_game_comes_twice_in_a_row_and_no_size_again_for_days() -> None:
    games = [daily.daily(day) for day in TEN_YEARS]
    assert all(one.game_id != after.game_id for one, after in itertools.pairwise(games))
    shown = [str(one.title) for one in games]
    assert all(shown[k] not in shown[max(0, k - REST) : k] for k in range(len(shown)))
    assert len(set(shown)) == len(daily._candidates())


def test_what_is_added_later_changes_no_earlier_day(monkeypatch: pytest.MonkeyPatch) -> None:
    since = FIRST + 20 * DAY
    before = [line(FIRST + k * DAY) for k in range(40)]
    more = [daily._Candidate("up-and-up", DailyFacts({"n": n}, n * n, since)) for n in range(9, 15)]
    offered = [*daily._candidates(), *more]
    monkeypatch.setattr(daily, "_candidates", lambda: offered)
    monkeypatch.setattr(daily, "_chosen", [])
    after = [line(FIRST + k * DAY) for k in range(40)]
    assert after[:20] == before[:20]
    assert after[20:] != before[20:]


@pytest.mark.parametrize("id", catalog.ids())
def test_the_best_scores_are_those_of_the_table(id: str) -> None:
    rows = {str(row.parameters): row for row in find(None).rows(id) if row.score == "highest"}
    for part in daily_facts(catalog.get(id).facts):
        row = rows.get(str(dict(part.parameters)))
        if row is not None:
            assert (row.number, row.is_proven) == (part.best, True), part


@pytest.mark.long
@pytest.mark.parametrize("id", catalog.ids())
def test_the_best_scores_that_the_table_lacks_are_proven_anew(id: str) -> None:
    rows = [str(row.parameters) for row in find(None).rows(id)]
    for part in daily_facts(catalog.get(id).facts):
        if str(dict(part.parameters)) not in rows:
            found = quet.solve(quet.new(id, **part.parameters))
            assert (found.value, found.is_proven) == (part.best, True), part


def test_a_day_changes_at_midnight_in_utc() -> None:
    midnight = 1_798_761_600.0  # 2027-01-01 00:00 UTC
    assert [str(daily.today(midnight + seconds)) for seconds in (-0.001, 0.0)] == ["2026-12-31", "2027-01-01"]


@pytest.mark.parametrize(
    "text",
    ["", "today", "2026-11-22", "2026-13-01", "2026-02-30", "2027-01-02", "2026-1-1", "2026-12-٣٠", "-026-12-01"],
)
def test_a_day_without_a_game_is_refused(text: str) -> None:
    with pytest.raises(NoDay) as caught:
        daily.read_day(text, date(2027, 1, 1))
    assert str(caught.value).endswith(".")
    assert daily.read_day("2026-12-04", date(2027, 1, 1)) == date(2026, 12, 4)


def test_only_the_best_score_has_100_percent() -> None:
    found = daily.Daily(FIRST, "up-and-up", {"n": 20}, 400)
    assert [found.percent(score) for score in (0, 1, 200, 399, 400)] == [0, 0, 50, 99, 100]
    assert str(found.result(399, 4)).splitlines()[1:] == ["399 of 400 · 99 % · streak 4", "●●●●●●●○"]
    assert str(found.result(400, 0)).splitlines()[1:] == ["400 of 400 · 100 %", "●●●●●●●●"]


@pytest.mark.parametrize("most", [1, 3, 7, 10, 1000])
def test_whose_score_is_among_the_most_frequent_is_marked_above_its_bar(most: int) -> None:
    day = daily.daily(FIRST)
    picture = spread(day, {day.best: most, day.best - 1: 1}, day.best)
    (word,) = (shape for shape in picture.shapes if isinstance(shape, Text) and shape.text == "you")
    (bar,) = (shape for shape in picture.shapes if isinstance(shape, Rectangle) and shape.role == "good")
    assert word.y - word.size / 2 > TOP and word.y + word.size / 2 < bar.y


def test_a_streak_goes_on_until_a_day_is_missed() -> None:
    now = FIRST + 10 * DAY
    days = [FIRST + k * DAY for k in (10, 9, 8, 6, 5)]
    assert daily.streak(days, now) == 3
    assert daily.streak(days[1:], now) == 2  # today's can still be played
    assert daily.streak(days[2:], now) == daily.streak([], now) == 0


def test_quet_daily_plays_through_a_pipe_and_prints_a_result(tmp_path: Path) -> None:
    row = next(row for row in find(None).rows("up-and-up") if row.size == 6 and row.score == "highest")
    code = "import sys; from quet.study import daily; daily.today = lambda now: daily.FIRST + daily.DAY\n"
    code += "from quet.cli.main import main; sys.exit(main(['daily']))"
    done = subprocess.run(
        [sys.executable, "-c", code], input="\n".join(row.witness.split()), capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "The game of 2026-11-24: Up And Up, Grid Solitaire, n = 6. The best score possible is 36."
    assert lines[-3:] == ["Quet daily 2026-11-24 · Up And Up, Grid Solitaire, 6 by 6", "36 of 36 · 100 %", "●●●●●●●●"]


def test_quet_daily_says_what_is_wrong_with_a_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["daily", "--date", "2999-01-01"]) == main(["daily", "--date", "x" * 99]) == 2
    assert main(["daily", "--json", "--date", "2026-11-23"]) == 0
    out, err = capsys.readouterr()
    assert "isn't there yet" in err and "as in 20" in err and '"best": 15' in out
