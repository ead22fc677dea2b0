"""The puzzle of a day follows from the date alone, for ten years and more, and stays what it was."""

import hashlib
import itertools
from datetime import date

import pytest

from quet.puzzles import daily
from quet.puzzles.daily import puzzle_of
from quet.study.daily import DAY, FIRST, NoDay

TEN_YEARS = [FIRST + k * DAY for k in range(3653)]


def line(day: date) -> str:
    found = puzzle_of(day)
    return f"{day} {found.game_id} {found.id}"


def test_the_puzzles_of_ten_years_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    always = {id: since for id, since in daily._games().items() if not since}  # the digest is of these
    monkeypatch.setattr(daily, "_games", lambda: always)
    digest = hashlib.sha256("\n".join(map(line, TEN_YEARS)).encode()).hexdigest()
    assert digest.startswith("381c6d87cb100807"), (
        "Puzzles of days that are over have changed. A new game says with puzzles_since in its facts.toml from which "
        "day on its puzzles can be that of a day, as in puzzles_since = 2027-01-01."
    )


@pytest.mark.parametrize("since", [1, 23, 24, 25])
def test_a_game_that_is_added_later_changes_no_earlier_day(since: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {id: day for id, day in daily._games().items() if not day and id != "blob"}
    monkeypatch.setattr(daily, "_games", lambda: before)
    lines = [line(day) for day in TEN_YEARS[:60]]
    later = {"blob": since, **before}
    monkeypatch.setattr(daily, "_games", lambda: later)
    after = [puzzle_of(day).game_id for day in TEN_YEARS[:60]]
    begins = -(-since // len(before)) * len(before)  # the first round from then on
    assert [line(day) for day in TEN_YEARS[:begins]] == lines[:begins]
    for first in range(begins, 60 - len(later), len(later)):
        assert sorted(after[first : first + len(later)]) == sorted(later)
    assert all(one != other for one, other in itertools.pairwise(after))


def test_no_puzzle_comes_again_for_years_and_no_game_on_two_days_in_a_row() -> None:
    puzzles = [puzzle_of(day) for day in TEN_YEARS]
    assert all(one.game_id != after.game_id for one, after in itertools.pairwise(puzzles))
    last: dict[str, int] = {}
    for number, puzzle in enumerate(puzzles):
        assert number - last.get(puzzle.id, -10_000) > 2_000
        last[puzzle.id] = number
    firsts = sorted({daily._round_of(number)[1] for number in range(len(puzzles))})
    for first, next_first in itertools.pairwise(firsts):
        assert sorted(one.game_id for one in puzzles[first:next_first]) == sorted(daily._there(first))
    assert set(daily._there(firsts[-1])) >= {id for id, since in daily._games().items() if not since}


def test_there_is_no_puzzle_before_the_first_day() -> None:
    with pytest.raises(NoDay, match="first game of a day"):
        puzzle_of(FIRST - DAY)
    assert puzzle_of(date(2100, 1, 1)) is puzzle_of(date(2100, 1, 1))
