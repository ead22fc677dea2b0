"""`quet solve` and `quet verify`, as people and programs run them."""

import hashlib
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from dratify import check_proof, parse_dimacs

import quet
from quet.certificates import certificate_file, verify
from quet.certificates.check_unsat import Refutation
from quet.cli import verify as cli_verify
from quet.cli.checkpoint import digest
from quet.cli.main import main
from quet.core import files as core_files
from quet.core.files import UnwritableFile
from quet.distribution.task import Task
from quet.games.divisors_multiples import by_layers
from quet.solving import certify
from quet.solving.ask import answer
from quet.solving.valuers import TABLE

KEYS = "game parameters value low high status witness best_moves nodes seconds certificate memory".split()


def solved(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["solve", *words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_json_has_the_value_and_how_it_is_known(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "blob.json"
    found = solved(capsys, "blob", "n=3", "--certificate", str(file))
    assert set(KEYS) <= set(found)
    assert (found["game"], found["parameters"], found["status"]) == ("blob", {"n": 3}, "proven")
    assert found["value"] == found["low"] == found["high"] == 0
    assert len(found["best_moves"]) == 9
    assert len(found["witness"]) == 4
    assert found["nodes"] > 0
    assert found["certificate"] == str(file)
    assert main(["verify", str(file)]) == 0
    assert "blob n=3: the value is 0." in capsys.readouterr().out


def test_costs_are_told_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert solved(capsys, "divisors-multiples", "r=6")["value"] == -7  # player 1 pays 7 less


def test_text_says_what_is_proven_and_what_is_open(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "up-and-up", "n=3", "--lowest"]) == 0
    out = capsys.readouterr().out
    assert "The lowest score is 6, proven" in out
    assert "all games: 232" in out
    assert main(["solve", "sums-grid", "n=4", "--time", "0.5"]) == 0
    assert "The highest score is open: " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("palindromes", "m=22"), "The table of results has it: -8, proven (quet results palindromes m=22)."),
        (("sums-grid", "n=4"), ""),  # the table has no proven answer
    ],
)
def test_an_open_answer_says_what_the_table_of_results_has_proven(
    words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", *words, "--time", "0.1"]) == 0
    out = capsys.readouterr().out
    assert " is open: " in out and ("The table of results has it" in out) == bool(sentence) and sentence in out


def test_the_better_score_of_a_solitaire_is_looked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = quet.new("up-and-up", n=3)
    assert quet.solve(game).value == 9
    monkeypatch.setattr(game.rules, "LOWER_IS_BETTER", True)
    assert [quet.solve(game, lowest=lowest).value for lowest in (None, True, False)] == [6, 6, 9]
    assert solved(capsys, "up-and-up", "n=3")["score"] == "lowest"
    assert solved(capsys, "up-and-up", "n=3", "--no-lowest")["score"] == "highest"


@pytest.mark.parametrize(
    "words",
    [("divisors-multiples", "r=24"), ("palindromes", "m=19"), ("plusses-minuses", "n=10", "second_part_first=2")],
)
def test_an_open_answer_says_how_much_memory_would_help(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    needed = solved(capsys, *words, "--time", "0.1", "--memory", "16")["memory"]
    assert needed > 16
    assert main(["solve", *words, "--time", "0.1", "--memory", str(needed - 1)]) == 0
    assert f"--memory {needed} is enough" in capsys.readouterr().out
    assert solved(capsys, *words, "--time", "0.1", "--memory", str(needed))["memory"] is None


def test_memory_is_not_told_where_it_would_not_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert solved(capsys, "divisors-multiples", "r=40", "--time", "0.1")["memory"] is None  # two layers take 5 TB
    assert solved(capsys, "blob", "n=2", "--memory", "16")["memory"] is None
    assert main(["solve", "palindromes", "m=40", "--time", "0.1"]) == 0
    assert "--memory" not in capsys.readouterr().out


def test_a_certificate_is_written_only_of_what_is_known(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "open.json"
    assert main(["solve", "blob", "n=8", "--time", "0.3", "--certificate", str(file), "--json"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert (found["status"], found["value"], found["certificate"]) == ("open", None, None)
    assert not file.exists()
    found = solved(capsys, "sums-grid", "n=5", "--time", "0.3", "--certificate", str(file))
    assert (found["status"], found["certificate"]) == ("open", str(file))
    assert main(["verify", str(file)]) == 0
    assert f"the highest score is from {found['low']} to 124" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["up-and-up", "n=12", "--time", "0.01"], ["sums-grid", "n=1"], ["sums-grid", "n=2"]])
def test_the_bound_of_the_rules_is_no_search(
    words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = str(tmp_path / "score.json")
    solved(capsys, *words, "--certificate", file)
    assert main(["verify", file]) == 0
    assert "checked: By the rules alone no score exceeds" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["divisors-multiples", "r=2"], ["palindromes", "m=1"]])
def test_the_strategy_of_who_never_moves_has_no_replies(
    words: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = str(tmp_path / "value.json")
    solved(capsys, *words, "--strategies", "--certificate", file)
    assert main(["verify", file]) == 0
    assert "A strategy of player 2 with 0 replies" in capsys.readouterr().out


def test_who_stops_a_solve_does_not_wait_for_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    game, stop = quet.new("blob", n=3), threading.Event()
    found = answer(game.entry, game.state, Task())
    monkeypatch.setattr(certify, "table", None)
    stop.set()
    task = Task(seconds=0.0, stop=stop)
    made = certify.make(game.id, game.rules, game.state, game.parameters, found, task)
    assert made is not None and [ground["kind"] for ground in made["grounds"]] == ["exhaustive"]


def test_a_game_that_was_met_is_no_note_of_the_solver() -> None:
    game, task = quet.new("convoluted-coprimality", n=6), Task(seconds=0.0)
    assert not answer(game.entry, game.state, task).is_proven
    assert task.notes
    assert answer(game.entry, game.state, Task(notes=task.notes)).value == answer(game.entry, game.state, Task()).value


def test_verify_tells_which_file_fails_and_at_which_step(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    solved(capsys, "palindromes", "m=3", "--certificate", str(good))
    bad.write_text(good.read_text().replace('"m": 3', '"m": 4'))
    assert main(["verify", str(bad), str(good)]) == 1
    out = capsys.readouterr().out
    assert f"refuted    {bad}: digest: Something has changed since it was written." in out
    assert f"verified   {good}: palindromes m=3" in out
    assert main(["verify", str(bad), str(good), "--json"]) == 1
    results = json.loads(capsys.readouterr().out)
    assert [(one["verdict"], one.get("step")) for one in results] == [("refuted", "digest"), ("verified", None)]


def test_what_is_no_certificate_is_refuted_and_what_can_not_be_read_is_an_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, other, none = tmp_path / "good.json", tmp_path / "other.txt", tmp_path / "none.json"
    solved(capsys, "palindromes", "m=3", "--certificate", str(good))
    for content in (b"no JSON", good.read_bytes()[:-9], b"{}"):
        other.write_bytes(content)
        assert main(["verify", str(other)]) == 1
        assert capsys.readouterr().out.startswith(f"refuted    {other}: file: It ")
    for file, why in ((none, "No such file or directory"), (tmp_path, "Is a directory")):
        for words in ([], ["--json"]):
            assert main(["verify", str(good), str(file), *words]) == 2
            assert capsys.readouterr() == ("", f"quet: {file}: It can't be read: {why}.\n")
    monkeypatch.setattr(certificate_file, "LARGEST_FILE", 5)
    assert main(["verify", str(good)]) == 2
    assert capsys.readouterr() == ("", f"quet: {good}: It is larger than 5e-06 MB.\n")


def test_each_file_is_read_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, read = [str(tmp_path / f"{m}.json") for m in (2, 3)], []
    for m, file in enumerate(files, 2):
        solved(capsys, "palindromes", f"m={m}", "--certificate", file)

    def read_file(path: str, largest: int) -> bytes:
        read.append(path)
        return core_files.read_file(path, largest)

    for module in (cli_verify, certificate_file):
        monkeypatch.setattr(module, "read_file", read_file)
    assert main(["verify", *files]) == 0
    assert read == files


def test_what_rests_on_a_search_is_unchecked(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    whole, bad, searched = (str(tmp_path / f"{name}.json") for name in ("whole", "bad", "searched"))
    solved(capsys, "blob", "n=3", "--certificate", whole)
    made = json.loads(Path(whole).read_text())
    search = {"for": ["low", "high"], "kind": "exhaustive", "method": "a search", "positions": 9, "confirmed_by": None}
    certificate_file.write(invented := made | {"grounds": [search]}, bad)
    certificate_file.write(invented | {"digest": verify.digest(invented)}, searched)
    for files, status, verdicts in (
        ((searched,), 3, ["unchecked"]),
        ((searched, whole), 3, ["unchecked", "verified"]),
        ((searched, bad, whole), 1, ["unchecked", "refuted", "verified"]),
    ):
        assert main(["verify", *files]) == status
        lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
        assert [line.split()[0] for line in lines] == verdicts
        assert main(["verify", *files, "--json"]) == status
        assert [one["verdict"] for one in json.loads(capsys.readouterr().out)] == verdicts


def test_a_check_that_takes_long_says_so_on_standard_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, check = tmp_path / "a.json", verify.check
    assert main(["solve", "blob", "n=2", "--certificate", str(file)]) == 0

    def slow(*words: Any, **others: Any) -> verify.Verified:
        time.sleep(0.3)
        return check(*words, **others)

    monkeypatch.setattr(verify, "check", slow)
    for patience, words in ((0.05, f"{file}: still checking. The largest certificates take half an hour"), (60.0, "")):
        monkeypatch.setattr("quet.cli.progress.PATIENCE", patience)
        capsys.readouterr()
        assert main(["verify", str(file)]) == 0
        assert capsys.readouterr().err[: len(words) or 1] == words


def test_a_certificate_that_takes_long_says_so_on_standard_error_and_its_time_is_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words, make = ["blob", "n=2", "--certificate", str(tmp_path / "a.json")], certify.make

    def slow(*words: Any, **others: Any) -> Any:
        time.sleep(0.3)
        return make(*words, **others)

    monkeypatch.setattr(certify, "make", slow)
    found = solved(capsys, *words)
    assert found["certificate_seconds"] >= 0.3
    assert solved(capsys, "blob", "n=2")["certificate_seconds"] is None
    for patience, said in ((0.05, "quet: Still making the certificate, and checking it. Ctrl-C ends that"), (60.0, "")):
        monkeypatch.setattr("quet.cli.progress.PATIENCE", patience)
        assert main(["solve", *words]) == 0
        told = capsys.readouterr()
        assert told.err[: len(said) or 1] == said
        assert re.search(r"^\d+ positions, \d+\.\d\d s, and \d+\.\d\d s for the certificate$", told.out, re.MULTILINE)


@pytest.mark.parametrize("name", ["3-sequence-pi", "3-sequence-mod3", "4"])
def test_a_proof_is_written_for_other_checkers(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = Path(__file__).parents[2] / "results" / "certificates"
    cnf, drat, lrat = tmp_path / "a.cnf", tmp_path / "a.drat", tmp_path / "a.lrat"
    file = str(folder / f"sequence-ascension-{name}.json.gz")
    assert main(["verify", file, "--cnf", str(cnf), "--drat", str(drat), "--lrat", str(lrat)]) == 0
    kind, form, most, count = (lines := cnf.read_text().splitlines())[0].split()
    clauses = [list(map(int, line.split()[:-1])) for line in lines[1:]]
    assert (kind, form, int(count)) == ("p", "cnf", len(clauses))
    assert int(most) == max(abs(literal) for clause in clauses for literal in clause)
    assert all(line.endswith(" 0") for line in lines[1:])
    Refutation(clauses).check(drat.read_text().splitlines())
    formula, steps = parse_dimacs(cnf.read_text()), drat.read_text().splitlines(keepends=True)
    assert check_proof(formula, "".join(steps)).ok, "another's checker confirms it"
    assert not check_proof(formula, "".join(steps[len(steps) * 9 // 10 :])).ok, "and not without its first steps"
    if trim := shutil.which("drat-trim"):  # no package of Debian or PyPI has it
        assert "s VERIFIED" in subprocess.run([trim, cnf, drat], capture_output=True, text=True, check=False).stdout
    if check := shutil.which("lrat-check"):
        assert "VERIFIED" in subprocess.run([check, cnf, lrat], capture_output=True, text=True, check=False).stdout
    capsys.readouterr()
    assert main(["verify", file, "--cnf", "-"]) == 0
    told = capsys.readouterr()
    assert told.out == cnf.read_text() and told.err.startswith("verified ")
    assert main(["verify", file, file, "--cnf", str(cnf)]) == 2
    assert "one certificate at a time" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--cnf", "--drat", "--lrat"])
def test_what_cannot_be_written_for_other_checkers_is_told_before_the_check(
    option: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begun(*_: object, **__: object) -> None:
        raise AssertionError("the check has begun")

    monkeypatch.setattr("quet.certificates.verify.check", begun)
    folder = Path(__file__).parents[2] / "results" / "certificates"
    proof, other = (str(folder / name) for name in ("sequence-ascension-3-sequence-pi.json.gz", "blob-3.json"))
    for file, output, said in (
        (proof, tmp_path, f"'{tmp_path}': It is a folder."),
        (proof, tmp_path / "no" / "a", f"'{tmp_path / 'no' / 'a'}': Its folder doesn't exist."),
        (other, tmp_path / "a", f"{other} rests on no proof of a SAT solver, so nothing was written."),
    ):
        assert main(["verify", file, option, str(output)]) == 2
        assert capsys.readouterr() == ("", f"quet: {said}\n")
    with pytest.raises(AssertionError, match="has begun"):
        main(["verify", proof, option, str(tmp_path / "a")])


def test_more_than_two_players_have_scores(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    found = solved(capsys, "divisors-multiples", "r=7", "players=3")
    assert (found["score"], found["status"], found["value"]) == ("scores", "proven", None)
    game = quet.new("divisors-multiples", r=7, players=3)
    for move in found["witness"]:
        game.play(move)
    assert list(game.scores) == found["scores"]
    for words, scores in (
        (["convoluted-coprimality", "n=8", "players=3"], "0, 1, 0"),
        (["divisors-multiples", "r=5", "players=3"], "13, 2, 11"),
    ):
        file = str(tmp_path / "scores.json")
        assert main(["solve", *words, "--certificate", file]) == 0
        out = capsys.readouterr().out
        assert f"The scores of players 1 to 3 are {scores}, proven" in out
        assert f"Certificate: {file}" in out
        assert main(["verify", file]) == 0
        assert f": the scores are {scores}." in capsys.readouterr().out


def test_without_time_three_players_get_no_certificate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "none.json"
    words = ["divisors-multiples", "r=20", "players=3", "--time", "0.01"]
    assert main(["solve", *words, "--certificate", str(file)]) == 3
    assert "Nothing is proven, so no certificate is written." in capsys.readouterr().out
    assert not file.exists()


def test_a_value_without_a_game_gets_no_certificate(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_layers, "_line", lambda *_: [])  # as when the time is over by then
    file = tmp_path / "none.json"
    assert main(["solve", "divisors-multiples", "r=20", "--memory", "16", "--certificate", str(file)]) == 3
    out = capsys.readouterr().out
    assert "The value is -29, proven: all sets of taken numbers, layer by layer." in out
    assert "There was no time for a game with this value, so no certificate is written." in out
    assert not file.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["chess"], "There is no game 'chess'"),
        (["blob", "n=1"], "n must be from 2 to 20, not '1'."),
        (["up-and-up", "n=36", "--lowest"], "not '36'. A theorem says: a(n) = 19 for all n >= 36.\n"),
        (["plusses-minuses", "n=99"], "not '99'. A theorem says: a(n) = 0 for all n >= 2.\n"),
        (
            ["plusses-minuses", "n=99", "second_part_first=2"],
            "not '99'. A theorem says: -3 <= a(n) <= 0 for all n >= 2.\n",
        ),
        (["blob", "n=99"], "not '99'.\n"),
        (["blob", "--lowest"], "Only solitaires have a lowest score."),
        (["blob", "--no-lowest"], "Only solitaires have a highest score."),
        (["divisors-multiples", "r=40", "players=3"], "The search needs 122683392 MB of memory and may use 1536 MB."),
        (["blob", "n=3", "--time", "0"], "The time must be a number of seconds"),
        (["blob", "n=3", "--time", "nan"], "The time must be a number of seconds"),
        (["blob", "n=3", "--memory", "1"], "The memory must be from 16"),
        (["blob", "n=3", "--seed", "-1"], "The seed must be from 0"),
        (["blob", "n=3", "--resume", "nothing.json"], "It can't be read"),
        (["blob", "n=3", "--resume", "a", "--checkpoint", "b"], "not both"),
        (["blob", "n=3", "--certificate", "no/where.json"], "Its folder doesn't exist."),
        (["blob", "n=3", "--workers", "0"], "The workers must be from 1 to 61."),
        (["blob", "n=3", "--workers", "2", "--cluster", "tcp://127.0.0.1:1"], "Give --workers or --cluster, not both"),
        (
            ["divisors-multiples", "r=20", "players=3", "--memory", "16"],
            "The search needs 57 MB of memory and may use 16 MB.",
        ),
    ],
    ids=str,
)
def test_bad_input_is_one_sentence(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", *words]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def with_digest(checkpoint: dict[str, Any]) -> dict[str, Any]:
    return checkpoint | {"digest": digest(checkpoint)}


def test_a_checkpoint_is_gone_on_with_and_that_of_another_question_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = str(tmp_path / "kept.json")
    first = solved(capsys, "up-and-up", "n=7", "--lowest", "--checkpoint", file)
    again = solved(capsys, "up-and-up", "n=7", "--lowest", "--resume", file)
    for key in ("value", "witness", "nodes", "status"):
        assert again[key] == first[key]
    for words, its, wanted in (
        (["up-and-up", "n=7"], "the lowest score", "the highest score"),
        (["up-and-up", "n=6", "--lowest"], "up-and-up n=7", "up-and-up n=6"),
        (["palindromes", "m=4"], "up-and-up n=7", "palindromes m=4"),
        (["up-and-up", "n=7", "--lowest", "--seed", "5"], "--seed 0", "--seed 5"),
    ):
        assert main(["solve", *words, "--resume", file]) == 2
        sentence = f"quet: '{file}': It is the checkpoint of {its}, and this solve is of {wanted}.\n"
        assert capsys.readouterr() == ("", sentence)
    kept = json.loads(Path(file).read_bytes())
    name = next(iter(kept["notes"]))
    for changed, message in (
        (kept | {"notes": kept["notes"] | {name: [99, 5]}}, "It is damaged"),
        (kept | {"notes": []}, "It is no checkpoint."),
        (kept | {"notes version": 0}, "It is damaged"),
        ({}, "It is no checkpoint."),
        (with_digest(kept | {"parameters": ["n=7"]}), "It is no checkpoint."),
        (with_digest(kept | {"format": "another"}), "It is no checkpoint."),
    ):
        Path(file).write_text(json.dumps(changed))
        assert main(["solve", "up-and-up", "n=7", "--lowest", "--resume", file]) == 2
        assert message in capsys.readouterr().err


def test_a_checkpoint_of_other_solvers_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "kept.json")
    monkeypatch.setattr("quet.cli.checkpoint.NOTES", 0)
    solved(capsys, "palindromes", "m=4", "--checkpoint", file)
    monkeypatch.undo()
    assert main(["solve", "palindromes", "m=4", "--resume", file]) == 2
    assert "It is of solvers of another version" in capsys.readouterr().err
    known = json.loads(Path(file).read_bytes())
    del known["notes version"], known["digest"]
    known["code"] = "0.1.0 (deadbeef)"  # as before there was a version
    Path(file).write_text(json.dumps(known | {"digest": hashlib.sha256(json.dumps(known).encode()).hexdigest()}))
    assert main(["solve", "palindromes", "m=4", "--resume", file]) == 2
    assert "It is of solvers of another version" in capsys.readouterr().err


def test_positions_of_a_table_that_is_made_again_are_counted_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "kept.json"
    first = solved(capsys, "palindromes", "m=8", "--checkpoint", str(file))
    kept = json.loads(file.read_bytes())
    kept["notes"] = {name: note for name, note in kept["notes"].items() if name in (TABLE, "move 0")}
    assert len(kept["notes"]) == 2
    file.write_text(json.dumps(with_digest(kept)))
    assert solved(capsys, "palindromes", "m=8", "--resume", str(file))["nodes"] == first["nodes"] > 0


@pytest.mark.parametrize(
    ("notes", "sentence"),
    [
        ([], "It is no checkpoint."),
        (None, "It is no checkpoint."),
        ({"move 0": [12, 0]}, "The search says 12, but its game ends with -4."),
        ({"move 0": [10**30, 0]}, f"The search says {10**30}, but its game ends with -4."),
        ({"line": [0, 0, 2]}, "The search has a game with a move that isn't legal."),
        ({"line": ["a", 99]}, "The search has a game with a move that isn't legal."),
        ({"line": 5}, "begin anew."),
        ({"move 0": "x"}, "begin anew."),
        ({"move 0": [-4]}, "begin anew."),
        ({"move 0": None}, "begin anew."),
        ({TABLE: "many"}, "begin anew."),
    ],
)
@pytest.mark.parametrize("options", [[], ["--json"]], ids=str)
def test_a_checkpoint_with_false_notes_is_one_sentence(
    notes: Any, sentence: str, options: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "kept.json"
    solved(capsys, "palindromes", "m=8", "--checkpoint", str(file))
    kept = json.loads(file.read_bytes())
    kept["notes"] = kept["notes"] | notes if notes else notes
    file.write_text(json.dumps(with_digest(kept)))
    assert main(["solve", "palindromes", "m=8", "--resume", str(file), *options]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert sentence in printed.err and printed.err.count("\n") == 1


def test_an_answer_is_told_though_its_certificate_cannot_be_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["solve", "palindromes", "m=4", "--certificate", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert "It is a folder." in printed.err
    assert printed.out == ""

    def fail(certificate: object, path: str) -> None:
        raise UnwritableFile("It can't be written: the disk is full.")

    monkeypatch.setattr("quet.solving.certify.write", fail)
    for options in ([], ["--json"]):
        assert main(["solve", "palindromes", "m=4", "--certificate", str(tmp_path / "c.json"), *options]) == 2
        printed = capsys.readouterr()
        assert "-2" in printed.out
        assert "the disk is full" in printed.err
        assert printed.err.count("\n") == 1


@pytest.mark.parametrize(("last", "status"), [(4, 0), (9999, 2)])
def test_a_disk_that_is_full_for_a_while_loses_neither_the_search_nor_the_answer(
    last: int, status: int, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saves: list[str] = []

    def write(path: str, content: bytes) -> None:
        saves.append(path)
        if 1 < len(saves) <= last:
            raise UnwritableFile("It can't be written: No space left on device.")
        core_files.write_file(path, content)

    monkeypatch.setattr("quet.cli.checkpoint.write_file", write)
    monkeypatch.setattr("quet.cli.checkpoint.BETWEEN_SAVES", 0.0)
    file, certificate = tmp_path / "kept.json", tmp_path / "c.json"
    words = ["solve", "palindromes", "m=8", "--checkpoint", str(file), "--certificate", str(certificate)]
    assert main(words) == status
    printed = capsys.readouterr()
    assert len(saves) > 4
    assert "The value is -4, proven" in printed.out and f"Certificate: {certificate}\n" in printed.out
    assert main(["verify", str(certificate)]) == 0
    full = f"quet: '{file}': It can't be written: No space left on device."
    assert printed.err.splitlines() == [f"{full} It is tried again.", full][: 1 + bool(status)]
    assert bool(json.loads(file.read_bytes())["notes"]) is not bool(status)


def test_a_checkpoint_that_cannot_be_written_in_the_beginning_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: str, content: bytes) -> None:
        raise UnwritableFile("It can't be written: No space left on device.")

    monkeypatch.setattr("quet.cli.checkpoint.write_file", fail)
    file = tmp_path / "kept.json"
    assert main(["solve", "palindromes", "m=8", "--checkpoint", str(file)]) == 2
    assert capsys.readouterr() == ("", f"quet: '{file}': It can't be written: No space left on device.\n")


def test_a_checkpoint_that_could_not_be_read_again_is_not_written(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "kept.json"
    monkeypatch.setattr("quet.cli.checkpoint.LARGEST", 100)
    assert main(["solve", "palindromes", "m=8", "--checkpoint", str(file)]) == 2
    assert "It would be larger than 0 MB." in capsys.readouterr().err


def test_an_empty_file_becomes_a_checkpoint(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "made.by.mktemp"
    file.touch()
    assert main(["solve", "palindromes", "m=4", "--resume", str(file)]) == 2
    assert capsys.readouterr() == ("", f"quet: '{file}': It is no checkpoint.\n")
    solved(capsys, "palindromes", "m=4", "--checkpoint", str(file))
    assert solved(capsys, "palindromes", "m=4", "--resume", str(file))["value"] == -2


def test_what_a_solve_left_that_was_killed_while_it_wrote_its_checkpoint_is_removed(tmp_path: Path) -> None:
    file, other = tmp_path / "kept.json", tmp_path / ".kept.json.mine"
    for left in (tmp_path / ".kept.json.0a1b2c3d", other):
        left.touch()
    assert main(["solve", "sums-grid", "n=2", "--checkpoint", str(file)]) == 0
    assert set(tmp_path.iterdir()) == {file, other}


@pytest.mark.parametrize("option", ["--checkpoint", "--resume"])
def test_a_checkpoint_is_of_one_solve_at_a_time(
    option: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, linked = tmp_path / "kept.json", tmp_path / "linked.json"
    solved(capsys, "palindromes", "m=8", "--checkpoint", str(file))
    linked.symlink_to(file)
    before = file.read_bytes()
    holding = f"from quet.core import files; held = files.locked({str(file)!r}); held.__enter__(); print(1, flush=True)"
    other = subprocess.Popen(
        [sys.executable, "-c", f"{holding}; input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert other.stdout is not None and other.stdout.read(1) == b"1"
        assert main(["solve", "palindromes", "m=8", option, str(linked)]) == 2
    finally:
        other.kill()
        other.communicate()
    sentence = f"quet: '{linked}': Another quet solve is writing this checkpoint.\n"
    assert capsys.readouterr() == ("", sentence)
    assert file.read_bytes() == before
    assert Path(f"{file}.lock").exists()  # as after any SIGKILL
    assert solved(capsys, "palindromes", "m=8", option, str(linked))["value"] == -4
    assert not Path(f"{file}.lock").exists()


def test_a_file_with_the_name_of_the_lock_stays(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lock = tmp_path / "poetry.lock"
    lock.write_text("somebody's")
    solved(capsys, "palindromes", "m=4", "--checkpoint", str(tmp_path / "poetry"))
    assert lock.read_text() == "somebody's"


@pytest.mark.long
def test_a_solve_that_is_killed_goes_on_and_counts_nothing_twice(tmp_path: Path) -> None:
    """It is killed as soon as it has saved some games of one length from one square."""
    file = tmp_path / "kept.json"
    command = [sys.executable, "-m", "quet", "solve", "up-and-up", "n=15", "--lowest", "--json"]
    whole = json.loads(subprocess.run(command, check=True, capture_output=True, timeout=300).stdout)
    killed = subprocess.Popen([*command, "--checkpoint", str(file)], stdout=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while time.monotonic() < until and killed.poll() is None:
        if file.exists() and len(json.loads(file.read_bytes())["notes"]) > 20:
            break
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    kept = json.loads(file.read_bytes())["notes"]
    assert kept
    resumed = json.loads(
        subprocess.run([*command, "--resume", str(file)], check=True, capture_output=True, timeout=300).stdout
    )
    for key in ("value", "witness", "nodes", "status"):
        assert resumed[key] == whole[key]


def test_a_terminal_sees_how_far_the_work_has_come() -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "quet", "solve", "sums-grid", "n=5", "--time", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=slave, env=os.environ | {"TERM": "xterm"})
    os.close(slave)
    seen = b""
    until = time.monotonic() + 120
    while time.monotonic() < until and b"round" not in seen:
        if select.select([master], [], [], 0.2)[0]:
            try:
                seen += os.read(master, 4096)
            except OSError:
                break
    process.kill()
    process.wait()
    os.close(master)
    assert b"round" in seen


def test_a_cluster_that_is_not_asked_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "sums-grid", "n=2", "--cluster", "tcp://127.0.0.1:1"]) == 0
    assert capsys.readouterr().err == "quet: No part of this solve was left for the cluster, so it wasn't asked.\n"


def test_what_was_counted_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    for words, said in (
        (("sequence-ascension", "n=2"), r"^\d+ steps, \d"),
        (("palindromes", "m=2"), r"^\d+ positions, \d"),
    ):
        assert main(["solve", *words]) == 0
        told = capsys.readouterr().out
        assert re.search(said, told, re.MULTILINE) and not re.search(r"\b1 positions", told), told
