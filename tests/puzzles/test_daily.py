"""The puzzle of a day follows from the date alone, for ten years and more, and stays what it was."""

import hashlib
import itertools
from datetime import date

import pytest

from quet import catalog
from quet.puzzles import of
from quet.puzzles.daily import puzzle_of
from quet.study.daily import DAY, FIRST, NoDay

TEN_YEARS = [FIRST + k * DAY for k in range(3653)]


def test_the_puzzles_of_ten_years_stay() -> None:
    ids = [f"{day} {puzzle_of(day).game_id} {puzzle_of(day).id}" for day in TEN_YEARS]
    digest = hashlib.sha256("\n".join(ids).encode()).hexdigest()
    assert digest.startswith("381c6d87cb100807")  # if this has changed, puzzles of days that are over may have, too


def test_no_puzzle_comes_again_for_years_and_no_game_on_two_days_in_a_row() -> None:
    puzzles = [puzzle_of(day) for day in TEN_YEARS]
    games = [entry.id for entry in catalog.playable() if of(entry.id)]
    assert all(one.game_id != after.game_id for one, after in itertools.pairwise(puzzles))
    last: dict[str, int] = {}
    for number, puzzle in enumerate(puzzles):
        assert number - last.get(puzzle.id, -10_000) > 2_000
        last[puzzle.id] = number
    for first in range(0, len(puzzles) - len(games), len(games)):
        assert sorted(one.game_id for one in puzzles[first : first + len(games)]) == sorted(games)


def test_there_is_no_puzzle_before_the_first_day() -> None:
    with pytest.raises(NoDay, match="first game of a day"):
        puzzle_of(FIRST - DAY)
    assert puzzle_of(date(2100, 1, 1)) is puzzle_of(date(2100, 1, 1))
