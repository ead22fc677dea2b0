"""Rows of three and more players, whose value is a list: all scores."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from certified import empty_table, entered, only_row, scores_of, value_of
from quet.cli.main import main
from quet.core.errors import BadCertificate, BadParameter, BadResult, BrokenRules
from quet.results import confirm, oeis
from quet.results.check import check
from quet.results.claim import Refused
from quet.results.growth import growth
from quet.results.series import only, series

BEST = "2! 4! 1 3!"  # 2, 2, 11
OTHER = "2! 1 3! 1 4!"  # no game of perfect play


def test_a_row_has_all_scores_and_reads_back_as_it_was(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    found = entered(table, scores_of(BEST, has_table=True), tmp_path)
    assert found.sentence == "divisors-multiples r=4 players=3, scores: 2, 2, 11, proven, which is new."
    row = only_row(table)
    assert row == found.row
    assert (row.score, row.value, row.bound, row.status, row.proof) == (
        "scores",
        [2, 2, 11],
        [2, 2, 11],
        "proven",
        "table",
    )
    assert (row.certificate, row.witness) == ("divisors-multiples-4-players-3.json", BEST)
    assert [one.error for one in check(table)] == [""]


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("value", 2, "value must be a list."),
        ("value", [2, 2], "value must be integers, one for each player."),
        ("value", [2, 2, "11"], "value must be integers, one for each player."),
        ("value", [2, True, 11], "value must be integers, one for each player."),
        ("value", [2, 2, 11.0], "It is not a row in JSON: 11.0 is not an integer."),
        ("bound", None, "bound must be a list."),
        ("bound", [2, 2, 12], "bound must be the same as value."),
        ("status", "open", "status must be proven."),
        ("score", "value", "value must be an integer."),
        ("score", ["scores"], "score must be a text."),
        ("parameters", {"r": 4, "players": 2}, "score must be value."),
        ("parameters", {"r": 4, "players": 4}, "value must be integers, one for each player."),
    ],
)
def test_what_no_such_row_can_say_is_told(name: str, value: Any, sentence: str, tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    entered(table, scores_of(BEST, has_table=True), tmp_path)
    file = table.path / "divisors-multiples.jsonl"
    file.write_text(json.dumps(json.loads(file.read_text()) | {name: value}) + "\n")
    with pytest.raises(BadResult) as caught:
        table.rows()
    assert str(caught.value) == f"{file}, line 1: {sentence}"


def test_a_row_with_other_scores_than_its_certificate_is_found(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    entered(table, scores_of(BEST, has_table=True), tmp_path)
    file = table.path / "divisors-multiples.jsonl"
    file.write_text(file.read_text().replace("[2, 2, 11]", "[2, 2, 12]"))
    (one,) = check(table)
    assert "row: The row says value [2, 2, 12], the certificate [2, 2, 11]. Its entry may" in one.error


def test_scores_that_rest_on_a_search_are_entered_only_by_who_trusts_it(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    with pytest.raises(Refused, match="--trust enters it all the same"):
        entered(table, scores_of(BEST), tmp_path)
    assert table.rows() == []
    found = entered(table, scores_of(BEST), tmp_path, is_trusted=True)
    assert found.unchecked == ("scores by exhaustive search: a search, 10 positions; not confirmed otherwise.",)
    assert (only_row(table).proof, only_row(table).status) == ("exhaustive", "proven")


def test_the_same_scores_are_entered_only_with_better_grounds(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    once, twice = scores_of(BEST), scores_of(BEST, confirmed_by="another search")
    checked = scores_of(BEST, has_table=True)
    entered(table, once, tmp_path, is_trusted=True)
    found = entered(table, twice, tmp_path, "Bob", is_trusted=True)
    assert found.sentence.endswith("scores: 2, 2, 11, proven, as before, with better grounds.")
    assert only_row(table).proof == "exhaustive confirmed"
    entered(table, checked, tmp_path, "Cleo")
    row = only_row(table)
    assert (row.proof, row.finder, row.prover) == ("table", "Ann", "Cleo")
    assert [one.error for one in check(table)] == [""]
    for made in (once, twice, checked):
        with pytest.raises(Refused, match=r"has 2, 2, 11, proven, and this is 2, 2, 11, proven, which is no better\."):
            entered(table, made, tmp_path, is_trusted=True)


@pytest.mark.parametrize("is_table_first", [False, True])
def test_other_scores_contradict_the_table_whatever_they_are(is_table_first: bool, tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    made = [scores_of(OTHER), scores_of(BEST, has_table=True)]
    first, second = reversed(made) if is_table_first else made
    entered(table, first, tmp_path, is_trusted=True)
    before = {file: file.read_bytes() for file in table.path.rglob("*.json*")}
    with pytest.raises(Refused, match=r"one of them is wrong; look at divisors-multiples-4-players-3\.json"):
        entered(table, second, tmp_path, is_trusted=True)
    assert {file: file.read_bytes() for file in table.path.rglob("*.json*")} == before


def test_a_false_table_of_scores_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadCertificate, match="grounds: "):
        entered(empty_table(tmp_path), scores_of(OTHER, has_table=True), tmp_path)


def test_the_scores_are_printed_with_a_comma_between_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = empty_table(tmp_path)
    entered(table, scores_of(BEST, has_table=True), tmp_path)
    assert main(["results", "--folder", str(table.path)]) == 0
    _, names, line = capsys.readouterr().out.splitlines()[:3]
    assert names.split()[:4] == ["size", "score", "best", "bound"]
    assert line.split("  ")[2:7] == ["r=4 players=3", "scores", "2, 2, 11", "2, 2, 11", "proven"]
    assert main(["results", "divisors-multiples", "--json", "--folder", str(table.path)]) == 0
    assert json.loads(capsys.readouterr().out) == [only_row(table).json()]


def test_plots_and_drafts_leave_them_out(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    entered(table, value_of("divisors-multiples", "2!", r=2), tmp_path)
    for_two = table.rows()
    entered(table, scores_of(BEST, has_table=True), tmp_path)
    rows = table.rows()
    assert len(rows) == 2
    assert [one.rows for one in series(rows)] == [for_two]
    assert growth(rows) == growth(for_two)
    assert oeis.b_file(only(rows)) == oeis.b_file(only(for_two))


@pytest.mark.parametrize("option", ["--plot", "--b-file", "--oeis"])
def test_where_nothing_else_is_asked_for_that_is_told(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = empty_table(tmp_path)
    entered(table, scores_of(BEST, has_table=True), tmp_path)
    with pytest.raises(BadParameter):
        series(table.rows())
    file = tmp_path / "written.svg"
    assert main(["results", "divisors-multiples", "players=3", option, str(file), "--folder", str(table.path)]) == 2
    assert capsys.readouterr().err == (
        "quet: Scores of three and more players are no sequence of numbers; name a game of fewer.\n"
    )
    assert not file.exists()


def test_scores_are_confirmed_by_a_second_way(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    row = entered(table, scores_of(BEST), tmp_path, is_trusted=True).row
    assert confirm.rests_on_one(row)
    assert confirm.confirm(table, row, 0) == "The second way takes more than 0 seconds."
    many = replace(row, value=[0] * 5)
    assert confirm.confirm(table, many, 100) == "The second way is for 4 players at most."
    assert confirm.confirm(table, row, 100).startswith("2, 2, 11, confirmed by all sets of taken numbers")
    assert (only_row(table).proof, only_row(table).value) == ("exhaustive confirmed", [2, 2, 11])


def test_scores_that_a_second_way_does_not_find_are_told(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    row = entered(table, scores_of(OTHER), tmp_path, is_trusted=True).row
    with pytest.raises(BrokenRules, match=r"^Two ways disagree: .+ by .+-players-3\.json, 2, 2, 11 by all sets"):
        confirm.confirm(table, row, 100)
    assert only_row(table) == row
