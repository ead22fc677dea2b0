"""What is entered into the table of results, and what is refused."""

import concurrent.futures
import datetime
import json
import multiprocessing
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import quet
from certified import (
    GAMES,
    all_tried,
    between,
    empty_table,
    entered,
    filed,
    only_row,
    played,
    reached,
    resealed,
    sealed,
    searched,
    value_of,
)
from quet.certificates import certificate_file, check_weak
from quet.certificates.limits import Limits
from quet.cli.main import main
from quet.core.errors import BadCertificate, BadParameter, BadRecord, BadResult
from quet.core.files import UnwritableFile
from quet.records import record
from quet.results import claim, folder
from quet.results.check import check
from quet.results.claim import Refused
from quet.results.folder import Folder
from quet.results.row import QUET
from quet.results.submit import submit
from quet.results.words import grounds


def holds(table: Folder) -> bool:
    return not any(one.error for one in check(table))


def test_a_new_score_is_entered_with_its_bound_witness_finder_date_and_certificate(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    found = entered(table, reached(7), tmp_path)
    row = only_row(table)
    assert found.sentence == "up-and-up n=3, highest: 7, and at most 9, which is new."
    assert (row.game, row.parameters, row.score) == ("up-and-up", {"n": 3}, "highest")
    assert (row.value, row.bound, row.status, row.proof) == (7, 9, "open", "bound")
    assert (row.finder, row.date) == ("Ann", datetime.date.today().isoformat())
    assert row.witness == GAMES[7]
    assert row.certificate == "up-and-up-3.json"
    assert holds(table)


def test_a_higher_score_takes_the_place_of_a_lower_one_and_its_finder_too(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    entered(table, reached(7), tmp_path)
    found = entered(table, reached(9), tmp_path, "Bob")
    assert found.sentence == "up-and-up n=3, highest: 9, proven, where it was 7, and at most 9."
    assert (only_row(table).value, only_row(table).finder, only_row(table).prover) == (9, "Bob", "Ann")
    assert holds(table)


def test_strategies_take_the_place_of_positions_that_the_checker_has_to_try(tmp_path: Path) -> None:
    tried, strategies, table = tmp_path / "tried.json", tmp_path / "strategies.json", empty_table(tmp_path)
    for file, words in ((tried, []), (strategies, ["--strategies"])):
        assert main(["solve", "palindromes", "m=10", *words, "--certificate", str(file)]) == 0
    submit(table, str(tried), finder="Ann")
    assert (only_row(table).proof, only_row(table).prover) == ("minimax", "Ann")
    (found,) = submit(table, str(strategies), finder="Bob")
    assert found.sentence == "palindromes m=10, value: -4, proven, as before, with better grounds."
    assert (only_row(table).proof, only_row(table).prover) == ("weak", "Bob")
    with pytest.raises(Refused, match="which is no better"):
        submit(table, str(tried), finder="Ann")
    assert holds(table)


def test_what_is_too_large_to_check_is_entered_as_a_search_and_only_by_who_trusts_it(tmp_path: Path) -> None:
    table, tried = empty_table(tmp_path), all_tried("palindromes", m=24)
    with pytest.raises(
        Refused, match="rests on what can't be checked here, low and high by minimax: To try all positions would take"
    ):
        entered(table, tried, tmp_path)
    entered(table, tried, tmp_path, is_trusted=True)
    assert (only_row(table).proof, only_row(table).status) == ("exhaustive", "proven")
    assert holds(table) and [one.verdict for one in check(table)] == ["unchecked"]


def test_a_game_that_reaches_more_needs_no_trust_beside_a_bound_that_is_too_large_to_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = empty_table(tmp_path)
    tried = reached(6, is_lowest=True)
    tried["claim"]["low"], tried["grounds"] = (
        6,
        [{"for": ["high"], "kind": "witness"}, {"for": ["low"], "kind": "tried"}],
    )
    monkeypatch.setattr("quet.games.up_and_up.claims.tried", lambda *_: False)
    found = entered(table, resealed(tried), tmp_path)
    assert (only_row(table).value, only_row(table).bound, only_row(table).proof) == (6, 1, "bound")
    assert found.left_out == ("low by tried: Not all games that would be better are tried here.",)


def test_a_bound_that_is_too_large_to_check_is_still_trusted_beside_a_better_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, tried = empty_table(tmp_path), reached(8, is_lowest=True)
    tried["claim"]["low"], tried["grounds"] = (
        6,
        [{"for": ["high"], "kind": "witness"}, {"for": ["low"], "kind": "tried"}],
    )
    monkeypatch.setattr("quet.games.up_and_up.claims.tried", lambda *_: False)
    entered(table, resealed(tried), tmp_path, is_trusted=True)
    found = entered(table, reached(7, is_lowest=True), tmp_path, "Bob")
    assert (only_row(table).value, only_row(table).bound, only_row(table).proof) == (7, 6, "exhaustive")
    assert found.unchecked and holds(table)


def test_a_row_that_was_checked_when_it_was_entered_is_unchecked_where_less_is_allowed(tmp_path: Path) -> None:
    table, made = empty_table(tmp_path), value_of("palindromes", "1=0 2=1", m=2)
    entered(table, resealed(made | {"grounds": [{"for": ["low", "high"], "kind": "minimax"}]}), tmp_path)
    assert only_row(table).proof == "minimax"
    assert [one.verdict for one in check(table)] == ["verified"]
    assert [(one.error, one.verdict) for one in check(table, limits=Limits(memory=1))] == [("", "unchecked")]


@pytest.mark.long
def test_what_the_table_has_is_not_checked_again_unless_the_row_says_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried, strategies, table = tmp_path / "tried.json", tmp_path / "strategies.json", empty_table(tmp_path)
    for file, words in ((tried, []), (strategies, ["--strategies"])):
        assert main(["solve", "palindromes", "m=10", *words, "--certificate", str(file)]) == 0
    submit(table, str(strategies), finder="Ann")
    checked, check_strategy = [], check_weak.check

    def seen(*words: Any, **others: Any) -> str:
        checked.append(words)
        return check_strategy(*words, **others)

    monkeypatch.setattr(check_weak, "check", seen)
    with pytest.raises(Refused, match="which is no better"):
        submit(table, str(tried), finder="Bob")
    assert not checked
    rows = table.file("palindromes")
    rows.write_text(rows.read_text().replace('"proof": "weak"', '"proof": "exhaustive"'))
    with pytest.raises(Refused, match="which is no better"):
        submit(table, str(tried), finder="Bob")
    assert len(checked) == 2  # a strategy of each player


def test_a_lower_score_is_better_where_the_lowest_is_asked_for(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    entered(table, reached(8, is_lowest=True), tmp_path)
    entered(table, reached(6, is_lowest=True), tmp_path)
    assert (only_row(table).value, only_row(table).bound, only_row(table).score) == (6, 1, "lowest")
    with pytest.raises(Refused, match=r"6, and at least 1, and this is 7, and at least 1, which is no better\."):
        entered(table, reached(7, is_lowest=True), tmp_path)


@pytest.mark.parametrize("score", [7, 8])
def test_a_score_that_is_no_better_changes_nothing(score: int, tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    entered(table, reached(8), tmp_path)
    before = {file: file.read_bytes() for file in table.path.rglob("*.json*")}
    with pytest.raises(Refused, match="which is no better"):
        entered(table, reached(score), tmp_path, "Bob")
    assert {file: file.read_bytes() for file in table.path.rglob("*.json*")} == before


def test_a_bound_that_rests_on_a_search_is_entered_only_by_who_trusts_it(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    found = entered(table, searched(reached(6, is_lowest=True), 6), tmp_path)
    assert (only_row(table).bound, only_row(table).proof, only_row(table).status) == (1, "bound", "open")
    assert found.left_out == ("low by exhaustive search: a search, 10 positions; not confirmed otherwise.",)
    assert holds(table)
    with pytest.raises(
        Refused, match=r"this is 6, and at least 1 \(only --trust makes it 6, proven\), which is no better"
    ):
        entered(table, searched(reached(6, is_lowest=True), 6), tmp_path)
    found = entered(table, searched(reached(6, is_lowest=True), 6), tmp_path, is_trusted=True)
    assert (only_row(table).bound, only_row(table).proof, only_row(table).status) == (6, "exhaustive", "proven")
    assert found.unchecked == ("low by exhaustive search: a search, 10 positions; not confirmed otherwise.",)
    assert found.left_out == ()
    assert holds(table)


def test_the_better_value_and_the_better_bound_are_joined_and_each_keeps_its_finder(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    entered(table, searched(reached(8, is_lowest=True), 4), tmp_path, "Ann", is_trusted=True)
    entered(table, reached(7, is_lowest=True), tmp_path, "Bob")
    row = only_row(table)
    assert (row.value, row.bound, row.finder, row.prover) == (7, 4, "Bob", "Ann")
    assert holds(table)
    entered(table, searched(reached(8, is_lowest=True), 5), tmp_path, "Cleo", is_trusted=True)
    row = only_row(table)
    assert (row.value, row.bound, row.finder, row.prover) == (7, 5, "Bob", "Cleo")
    assert row.witness == GAMES[7]
    assert holds(table)


def test_the_same_bound_with_better_grounds_is_entered_and_not_the_other_way_round(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    once, twice = (searched(reached(6, is_lowest=True), 6, way) for way in (None, "another search"))
    entered(table, once, tmp_path, is_trusted=True)
    found = entered(table, twice, tmp_path, "Bob", is_trusted=True)
    assert found.sentence == "up-and-up n=3, lowest: 6, proven, as before, with better grounds."
    assert (only_row(table).proof, only_row(table).finder, only_row(table).prover) == (
        "exhaustive confirmed",
        "Ann",
        "Bob",
    )
    with pytest.raises(Refused, match="no better"):
        entered(table, once, tmp_path, is_trusted=True)


def test_claims_that_contradict_each_other_are_refused_whichever_comes_first(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    entered(table, searched(reached(7), 8), tmp_path, is_trusted=True)
    with pytest.raises(Refused, match=r"one of them is wrong; look at up-and-up-3\.json"):
        entered(table, reached(9), tmp_path)
    (tmp_path / "other").mkdir()
    other = empty_table(tmp_path / "other")
    entered(other, reached(9), tmp_path)
    with pytest.raises(Refused, match="one of them is wrong"):
        entered(other, searched(reached(7), 8), tmp_path, is_trusted=True)


def test_the_value_of_a_game_for_two_needs_a_table_or_trust(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    with pytest.raises(Refused, match="--trust enters it all the same"):
        entered(table, value_of("palindromes", "1=0 2=1", m=2, has_table=False), tmp_path)
    assert table.rows() == []
    entered(table, value_of("palindromes", "1=0 2=1", m=2, has_table=False), tmp_path, is_trusted=True)
    found = entered(table, value_of("palindromes", "1=0 2=1", m=2), tmp_path, "Bob")
    assert found.sentence == "palindromes m=2, value: -2, proven, as before, with better grounds."
    assert (only_row(table).value, only_row(table).bound, only_row(table).proof) == (-2, -2, "table")
    assert (only_row(table).finder, only_row(table).prover) == ("Ann", "Bob")
    assert holds(table)


def test_an_open_value_of_a_game_for_two_is_closed_in_from_both_sides(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    entered(table, between(-4, 2), tmp_path, "Ann", is_trusted=True)
    row = only_row(table)
    assert (row.value, row.bound, row.status, row.proof, row.witness) == (-4, 2, "open", "bound and exhaustive", "")
    found = entered(table, between(-1, 4), tmp_path, "Bob", is_trusted=True)
    assert found.sentence == "palindromes m=3, value: from -1 to 2, where it was from -4 to 2."
    row = only_row(table)
    assert (row.value, row.bound, row.proof, row.finder, row.prover) == (-1, 2, "exhaustive", "Bob", "Ann")
    assert holds(table)
    with pytest.raises(Refused, match="one of them is wrong"):
        entered(table, between(3, 4), tmp_path, is_trusted=True)
    with pytest.raises(Refused, match="submit a certificate of both, with a game"):
        entered(table, between(2, 4), tmp_path, is_trusted=True)
    solved = certificate_file.read(Path(__file__).parents[2] / "results" / "certificates" / "palindromes-3.json")
    assert isinstance(solved, dict)
    entered(table, solved, tmp_path, "Cleo")
    row = only_row(table)
    assert (row.value, row.bound, row.status, row.proof, row.finder) == (0, 0, "proven", "table", "Cleo")
    assert holds(table)


def test_of_a_value_between_two_ends_only_the_trusted_end_falls_back_on_the_rules(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    with pytest.raises(Refused, match="--trust enters it all the same"):
        entered(table, between(-1, 2), tmp_path)
    entered(table, between(-4, 2), tmp_path)
    assert (only_row(table).value, only_row(table).bound, only_row(table).proof) == (-4, 4, "bound")
    assert [str(how) for how in grounds(only_row(table))] == ["by the rules alone"]  # there is no game
    assert holds(table)


def test_a_proven_value_whose_search_is_not_trusted_is_open_and_has_no_game(tmp_path: Path) -> None:
    table, made = empty_table(tmp_path), value_of("palindromes", "1=0 2=1", m=2, has_table=False)
    search = made["grounds"][0]
    made["grounds"] = [{"for": ["low"], "kind": "bound"}, search | {"for": ["high"]}]
    entered(table, resealed(made), tmp_path)
    assert (only_row(table).value, only_row(table).bound, only_row(table).witness) == (-2, 2, "")
    assert holds(table)


def test_a_false_claim_is_refused_with_the_step_that_fails(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    made = reached(7)
    with pytest.raises(BadCertificate, match=r"submitted\.json: witness: The witness reaches 7, not 8\."):
        entered(table, resealed(made | {"claim": made["claim"] | {"low": 8}}), tmp_path)
    with pytest.raises(BadCertificate, match=r"submitted\.json: digest: "):
        entered(table, made | {"witness": []}, tmp_path)
    assert list(table.path.iterdir()) == []


def test_a_certificate_writes_nothing_but_text_to_a_terminal(tmp_path: Path) -> None:
    with pytest.raises(BadCertificate, match=r"grounds: confirmed_by must be a text of printable ASCII characters\."):
        entered(empty_table(tmp_path), searched(reached(7), 8, "\x1b[2J"), tmp_path, is_trusted=True)


def test_the_record_of_a_finished_solitaire_is_as_good_as_a_certificate(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    file = tmp_path / "games.quet"
    games = [played("up-and-up", GAMES[score], n=3) for score in (7, 9, 8)]
    record.save(file, [quet.Record.of(game) for game in games])
    found = submit(table, str(file), finder="Ann")
    assert [one.row.value for one in found] == [7, 9]
    (lowest,) = submit(table, str(file), finder="Ann", is_lowest=True)
    assert (lowest.row.value, lowest.row.score) == (7, "lowest")
    assert holds(table)


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (played("palindromes", "1=0 2=1", m=2), "doesn't show what it is worth under perfect play"),
        (played("up-and-up", "a1 a2", n=3), "isn't over"),
    ],
    ids=["of two", "unfinished"],
)
def test_a_game_that_shows_no_score_is_refused(game: quet.Game, message: str, tmp_path: Path) -> None:
    file = tmp_path / "game.quet"
    record.save(file, [quet.Record.of(game)])
    with pytest.raises(Refused, match=message):
        submit(empty_table(tmp_path), str(file))


def test_a_game_that_shows_no_score_keeps_no_other_game_of_its_file_out(tmp_path: Path) -> None:
    table, file = empty_table(tmp_path), tmp_path / "games.quet"
    games = [played("palindromes", "1=0 2=1", m=2), played("up-and-up", GAMES[7], n=3)]
    record.save(file, [quet.Record.of(game) for game in games])
    (found,) = submit(table, str(file), finder="Ann")
    assert found.row.name() == "up-and-up n=3, highest"


@pytest.mark.parametrize("finder", ["", " Ann", "A\nB", "\x1b[2J", "n" * 101])
def test_a_finder_has_a_name(finder: str, tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="A finder has a name of 1 to 100 printable characters"):
        submit(empty_table(tmp_path), filed(reached(7), tmp_path), finder=finder)


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", b"\xff", b"{}", b"[]", b"\x1f\x8b", b'{"format": "quet-certificate"}']
)
def test_a_file_of_something_else_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises((BadParameter, BadRecord, BadResult, BadCertificate), match=str(file)):
        submit(empty_table(tmp_path), str(file))
    with pytest.raises(BadParameter, match="It can't be read"):
        submit(Folder(tmp_path / "results"), str(tmp_path / "nothing"))


def test_a_large_certificate_is_kept_packed_and_one_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = empty_table(tmp_path)
    monkeypatch.setattr(claim, "LARGEST_PLAIN", 100)
    entered(table, reached(7), tmp_path)
    assert only_row(table).certificate == "up-and-up-3.json.gz"
    assert holds(table)
    monkeypatch.setattr(claim, "LARGEST_KEPT", 100)
    with pytest.raises(Refused, match="The certificate has"):
        entered(table, reached(8), tmp_path)
    monkeypatch.undo()
    entered(table, reached(8), tmp_path)
    assert [file.name for file in (table.path / "certificates").iterdir()] == ["up-and-up-3.json"]


def test_a_puzzle_that_was_rewritten_over_and_over_is_refused(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    file = tmp_path / "game.quet"
    for more, is_entered in ((10, True), (4000, False)):
        game = played("sums-grid", f"{'a1=8 a1=7 ' * more}b1=1 a2=2 b2=3 done", n=2)
        record.save(file, [quet.Record.of(game)])
        if is_entered:
            submit(table, str(file))
        else:
            with pytest.raises(Refused, match="The moves of the game have 40019 characters"):
                submit(table, str(file), is_lowest=True)
    assert [row.score for row in table.rows()] == ["highest"]


def test_the_table_of_an_installed_quet_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = empty_table(tmp_path)
    monkeypatch.setattr(folder, "_INSTALLED", table.path)
    with pytest.raises(BadParameter, match="name a folder of your own with --folder"):
        submit(table, filed(reached(7), tmp_path))


def test_a_certificate_of_the_table_that_is_damaged_is_named_and_stays(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    entered(table, reached(7), tmp_path)
    kept = table.certificate(only_row(table))
    kept.write_text("{}")
    with pytest.raises(BadCertificate, match=r"certificates/up-and-up-3\.json: file: It has no format\."):
        entered(table, reached(8), tmp_path)
    assert kept.read_text() == "{}"


def test_a_certificate_says_itself_which_score_it_is_about(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match="--lowest is for records of games"):
        submit(empty_table(tmp_path), filed(reached(7), tmp_path), is_lowest=True)


@pytest.mark.parametrize("is_better_by", ["its value", "its grounds"])
def test_what_was_interrupted_between_certificate_and_row_can_be_submitted_again(
    is_better_by: str, tmp_path: Path
) -> None:
    table = empty_table(tmp_path)
    once, twice = (searched(reached(8, is_lowest=True), 5, way) for way in (None, "another search"))
    entered(table, once, tmp_path, is_trusted=True)
    newer = twice if is_better_by == "its grounds" else searched(reached(7, is_lowest=True), 5)
    certificate_file.write(newer, table.certificate(only_row(table)))
    assert not holds(table)
    entered(table, newer, tmp_path, "Bob", is_trusted=True)
    assert holds(table)


def test_what_an_interrupted_entry_leaves_is_told_with_what_to_do_and_is_no_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = empty_table(tmp_path)
    entered(table, reached(6, is_lowest=True), tmp_path)
    file = table.path / "certificates" / "up-and-up-3.json"
    certificate_file.write(reached(7), file)
    assert main(["results", "verify", "--folder", str(table.path)]) == 3
    assert capsys.readouterr().out == (
        "verified   up-and-up n=3, lowest\n"
        "unchecked  up-and-up-3.json: No row names this certificate. Its entry may have been interrupted: "
        f"quet results submit {file} enters it. Or delete it.\n"
        "1 row: 1 verified, 0 unchecked, 0 refuted, 0 missing. Certificates that no row names: 1.\n"
    )
    assert main(["results", "verify", "--folder", str(table.path), "--json"]) == 3
    assert [sorted(one)[0] for one in json.loads(capsys.readouterr().out)] == ["row", "certificate"]
    assert main(["results", "submit", str(file), "--folder", str(table.path)]) == 0
    assert main(["results", "verify", "--folder", str(table.path)]) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit for the size of a file")
def test_a_row_that_cannot_be_written_changes_no_certificate(tmp_path: Path) -> None:
    import resource

    table = empty_table(tmp_path)
    entered(table, reached(7), tmp_path)
    entered(table, reached(6, is_lowest=True), tmp_path)
    before = {file: file.read_bytes() for file in table.path.rglob("*") if file.is_file()}
    newer = filed(reached(8), tmp_path)
    size = len(table.file("up-and-up").read_bytes())
    assert len(table.certificate(table.rows()[0]).read_bytes()) < size - 50  # so that the certificate fits
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size - 20, limit[1]))
    try:
        with pytest.raises(UnwritableFile, match="File too large"):
            submit(table, newer)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert {file: file.read_bytes() for file in table.path.rglob("*") if file.is_file()} == before


def test_what_a_killed_program_wrote_beside_the_files_is_removed_by_the_next_entry(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    (table.path / "certificates").mkdir()
    left = [table.path / "certificates" / ".up-and-up-3.json.07e7e5c6", table.path / ".up-and-up.jsonl.0123abcd"]
    others = [left[0].with_name(name) for name in (".up-and-up-2.json.07e7e5c6", ".up-and-up-3.json.keep")]
    for file in (*left, *others):
        file.write_text("{")
    entered(table, reached(7), tmp_path)
    assert not any(file.exists() for file in left) and all(file.exists() for file in others)


def test_a_table_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    (table.path / "certificates").write_text("a file in the way")
    with pytest.raises(UnwritableFile, match=r"results': It can't be written: File exists\."):
        entered(table, reached(7), tmp_path)
    assert table.rows() == []


def test_whoever_submits_at_the_same_moment_all_get_in(tmp_path: Path) -> None:
    table = empty_table(tmp_path)
    files = []
    for n in range(1, 9):
        game = quet.new("up-and-up", n=n)
        while not game.is_over:
            game.play(next(iter(game.legal_moves)))
        files.append(tmp_path / f"{n}.json")
        certificate_file.write(claim.of_game(game, is_lowest=False), files[-1])
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(4, mp_context=context) as pool:
        list(pool.map(submit, [table] * 8, map(str, files), timeout=120))
    assert [row.size for row in table.rows()] == list(range(1, 9))
    assert holds(table)


def test_only_who_trusts_a_game_enters_it_as_one_of_quets_own_searches(tmp_path: Path) -> None:
    table, made = empty_table(tmp_path), value_of("palindromes", "1=0 2=1", m=2)
    with pytest.raises(BadParameter, match="as found by quet solve is trusted: its moves too"):
        entered(table, made, tmp_path, QUET)
    assert table.rows() == []
    entered(table, made, tmp_path, QUET, is_trusted=True)
    row = only_row(table)
    assert row.keeps_value
    assert replace(row, proof="weak").keeps_value
    # A game of others only ends rightly, as far as is known.
    assert not replace(row, proof="weak", prover="Ann").keeps_value
    assert not replace(row, proof="weak", finder="Ann").keeps_value


def test_what_the_checker_tried_takes_the_place_of_a_strategy_of_one_player(tmp_path: Path) -> None:
    table, tried = empty_table(tmp_path), tmp_path / "tried.json"
    assert main(["solve", "palindromes", "m=4", "--certificate", str(tried)]) == 0
    game = quet.new("palindromes", m=4)
    (value, ground), *_ = game.entry.strategy.find(game.state)  # type: ignore[union-attr]
    low = {"for": ["low"], "kind": "bound"}
    bounds = {"score": "value", "low": -10, "high": value, "best_moves": None}
    entered(table, sealed(game, bounds, [], [low, ground]), tmp_path)
    tried_all = sealed(
        game,
        {"score": "value", "low": -2, "high": -2, "best_moves": None},
        certificate_file.read(tried)["witness"],  # type: ignore[arg-type, call-overload, index]
        [{"for": ["low", "high"], "kind": "minimax"}],
    )
    entered(table, tried_all, tmp_path)
    assert (only_row(table).value, only_row(table).bound, only_row(table).proof) == (-2, -2, "minimax")


def test_the_game_of_a_solitaire_shows_its_score_whatever_its_grounds_are_called(tmp_path: Path) -> None:
    table, made = empty_table(tmp_path), reached(6)
    searched_for = {"for": ["low"], "kind": "exhaustive", "method": "x", "positions": 1, "confirmed_by": None}
    made["grounds"] = [searched_for, {"for": ["high"], "kind": "bound"}]
    entered(table, resealed(made), tmp_path)
    assert (only_row(table).value, only_row(table).bound) == (6, 9)
    assert [one.verdict for one in check(table)] == ["verified"]


def test_two_questions_never_share_a_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = empty_table(tmp_path)
    entered(table, reached(9), tmp_path)
    monkeypatch.setattr(claim.Claim, "name", lambda self: "up-and-up-3.json")
    with pytest.raises(Refused, match=r"of another row has the name up-and-up-3\.json already"):
        entered(table, reached(6, is_lowest=True), tmp_path)
    assert only_row(table).value == 9
