"""Names of people go out of the table of best results, and what they have found stays."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from quet.core.errors import BadParameter
from quet.core.files import UnwritableFile
from quet.results import folder as folders
from quet.results.folder import Folder, find
from quet.results.row import NOBODY, QUET, Row
from quet.results.unnamed import TakenOut, take_out


@pytest.fixture
def table(tmp_path: Path) -> Folder:
    """The table that came with Quet, of which Ann has found the first row of each game and proven the last."""
    for file in find(None).path.glob("*.jsonl"):
        shutil.copy(file, tmp_path)
    table = Folder(tmp_path)
    for game in {row.game for row in table.rows()}:
        first, *others = table.rows(game)
        rows = [replace(first, finder="Ann"), *others]
        table.write(game, [*rows[:-1], replace(rows[-1], prover="Ann")])
    return table


def told(row: Row) -> Row:
    return replace(
        row, finder=NOBODY if row.finder == "Ann" else row.finder, prover=NOBODY if row.prover == "Ann" else row.prover
    )


def test_a_name_goes_out_of_the_rows_of_all_games(table: Folder) -> None:
    before = table.rows()
    num_rows = sum("Ann" in (row.finder, row.prover) for row in before)
    assert num_rows >= 8
    assert take_out(table, lambda row: {"Ann", QUET}) == TakenOut(num_rows)
    assert table.rows() == [told(row) for row in before]  # and searches of Quet keep their credit
    assert take_out(table, lambda row: {"Ann"}) == TakenOut()


def test_it_goes_out_of_the_rows_that_are_meant(table: Folder) -> None:
    before = table.rows()
    meant = next(row for row in before if row.finder == "Ann")
    assert take_out(table, lambda row: {"Ann"} if row == meant else set()) == TakenOut(1)
    assert table.rows() == [told(row) if row == meant else row for row in before]


def test_where_it_has_to_stay_the_row_is_told(table: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    before = table.rows()
    meant = next(row for row in before if row.finder == "Ann")

    def refused(*given: object) -> None:
        raise UnwritableFile("It can't be written: Permission denied.")

    with monkeypatch.context() as patch:
        patch.setattr(folders, "write_file", refused)
        with pytest.raises(BadParameter, match="Permission denied") as unwritable:
            take_out(table, lambda row: {"Ann"})
        assert meant.name() in str(unwritable.value)
    monkeypatch.setattr(folders, "_INSTALLED", table.path)
    kept = take_out(table, lambda row: {"Ann"})
    assert kept.num_rows == 0 and meant.name() in kept.kept
    assert table.rows() == before and take_out(table, lambda row: {"Zoe"}) == TakenOut()
