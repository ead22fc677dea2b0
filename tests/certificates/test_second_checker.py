"""The checker whose core is proven in Coq agrees with `quet verify`, on certificates and on changed ones."""

import base64
import json
import random
import subprocess
import zlib
from pathlib import Path
from typing import Any

import pytest

import quet
import second_checker
from certified import reached, resealed, searched
from quet.certificates import certificate_file
from quet.cli.main import main
from quet.core.sequences import NAMED
from quet.results.claim import of_game


@pytest.fixture(autouse=True)
def _program() -> None:
    if not second_checker.PROGRAM.exists():
        pytest.skip("the checker that Coq extracts isn't built; make checker builds it")


def test_two_checkers_agree_on_certificates() -> None:
    counts = second_checker.compare(second_checker.originals(7_000, 16))
    assert counts["verified"] >= 120
    assert not counts["refuted"]


def test_two_checkers_agree_on_changed_certificates() -> None:
    counts = second_checker.compare(second_checker.mutants(400, 3_000, 12))
    assert counts["refuted"] > 200


def test_two_checkers_agree_where_two_things_were_changed() -> None:
    """A witness that loses value and wins it back, and a table whose claim says less without a witness."""
    generator = random.Random(1)
    made = second_checker.originals(2_000, 2)
    by_chance = (
        "blob",
        "convoluted-coprimality",
        "palindromes",
        "plusses-minuses",
    )  # games by chance reach what is claimed
    tables = [one for one in made if one["game"] in by_chance and one["grounds"][0]["kind"] in ("table", "minimax")]
    wide = [second_checker.widened(one) for one in tables if "low" in one["claim"]]
    assert second_checker.compare(wide) == {"refuted": len(wide)}
    counts = second_checker.compare([second_checker.strayed(one, generator) for one in tables for _ in range(6)])
    assert counts["refuted"] >= 10
    assert counts["verified"] >= 100


def test_two_checkers_agree_on_claims_about_solitaires() -> None:
    counts = second_checker.compare(second_checker.claims_of_solitaires(1_000))
    assert counts["refuted"] > 300
    assert counts["verified"] > 30


@pytest.mark.parametrize("sequence", NAMED)
def test_the_second_checker_has_the_sequences_to_the_last_term(sequence: str) -> None:
    """A game on the largest grid is legal, and over at its end, as the path goes by each term's order."""
    game, generator = quet.new("sequence-ascension", n=20, sequence=sequence), random.Random(7)
    while not game.is_over:
        game.play(generator.choice(game.legal_moves))
    assert second_checker.theirs([of_game(game, is_lowest=False)]) == ["verified"]


def test_claims_that_a_game_by_chance_reaches_are_judged_alike() -> None:
    """Of perfect play in Divisors/Multiples: the digest, the witness and the form of such a claim are right."""
    generator = random.Random(0)
    found = [one for one in second_checker.published(7_000) if one["game"] == "divisors-multiples"]
    whole = [one for one in found if one["grounds"][0]["kind"] in ("table", "minimax")]
    made = [second_checker.claimed_by_chance(one, generator) for one in whole for _ in range(5)]
    counts = second_checker.compare(made)
    assert {*counts} == {"refuted", "verified"}
    assert counts["refuted"] > 40


def test_spoiled_replies_are_refuted_by_both() -> None:
    made: Any = certificate_file.read(second_checker.ROOT / "results" / "certificates" / "palindromes-10.json")
    strategy, other = made["grounds"]
    packed = base64.b64decode(strategy["replies"])
    content = zlib.decompress(packed)
    contents = [
        packed[:-1],
        packed[:-4] + bytes([packed[-4] ^ 1]) + packed[-3:],  # another checksum
        packed + b"0",
        b"0" + packed[1:],
        *map(zlib.compress, (content[:-1], content + b"\0", content + b"\xff", b"\xff\0" + content[1:], b"")),
    ]
    replies = [base64.b64encode(content).decode() for content in contents]
    texts = [*replies, strategy["replies"][:-1], strategy["replies"] + "A", "?" + strategy["replies"][1:]]
    spoiled = [resealed(made | {"grounds": [strategy | {"replies": text}, other]}) for text in texts]
    again = made | {"grounds": [strategy | {"replies": base64.b64encode(zlib.compress(content, 1)).decode()}, other]}
    assert second_checker.theirs([resealed(again), *spoiled]) == ["verified", *["refuted"] * len(spoiled)]
    assert [second_checker.ours(one) for one in spoiled] == ["refuted"] * len(spoiled)


def test_the_second_checker_has_the_exit_statuses_of_verify(tmp_path: Path) -> None:
    good = second_checker.paired(4)
    false = resealed(good | {"claim": good["claim"] | {"high": -3}})
    statuses = []
    for number, made in enumerate((good, false, searched(reached(6, is_lowest=True), 5))):
        (tmp_path / f"{number}.json").write_text(json.dumps(made))
        statuses.append(subprocess.run([second_checker.PROGRAM, tmp_path / f"{number}.json"], check=False).returncode)
    for path in (tmp_path / "3.json", tmp_path):  # it isn't there, or is a folder
        done = subprocess.run([second_checker.PROGRAM, path], check=False, capture_output=True, text=True)
        assert (done.stdout, done.stderr.count("\n"), str(path) in done.stderr) == ("", 1, True)
        statuses.append(done.returncode)
    assert statuses == [0, 1, 3, 2, 2]


def judged(cnf: Path, lrat: Path) -> str:
    done = subprocess.run(
        [second_checker.PROGRAM, "--cnf", cnf, "--lrat", lrat], check=False, capture_output=True, text=True
    )
    verdict = done.stdout.partition(":")[0]
    assert done.returncode == ["verified", "refuted"].index(verdict)
    return verdict


def test_proofs_of_a_sat_solver_are_checked_as_lrat(tmp_path: Path) -> None:
    """As published, and without each of some steps, reasons and clauses in turn."""
    file = second_checker.ROOT / "results" / "certificates" / "sequence-ascension-3-sequence-pi.json.gz"
    cnf, lrat, spoiled = tmp_path / "a.cnf", tmp_path / "a.lrat", tmp_path / "spoiled"
    assert main(["verify", str(file), "--cnf", str(cnf), "--lrat", str(lrat)]) == 0
    assert judged(cnf, lrat) == "verified"
    steps = lrat.read_text().splitlines()
    added = [number for number, line in enumerate(steps) if " d " not in line]
    for number in added[:: len(added) // 20]:
        name, *others = steps[number].split(" 0")
        for line in ([], [f"{name} 0 0"], [f"{name} 0{others[0].rpartition(' ')[0]} 0"]):
            spoiled.write_text("\n".join([*steps[:number], *line, *steps[number + 1 :]]))
            assert judged(cnf, spoiled) == "refuted"
    clauses = cnf.read_text().splitlines()
    used = {word for line in steps if " d " not in line for word in line.split(" 0 ")[-1].split()[:-1]}
    for number in sorted(map(int, used))[:5]:
        spoiled.write_text("\n".join([*clauses[:number], "1 -1 0", *clauses[number + 1 :]]))
        assert judged(spoiled, lrat) == "refuted"
    for text in ("x", "1", "1 2 0", "0 1 0 1 0", "-5 1 0 1 0", "9" * 40 + " 0 0", "7 d", ""):
        spoiled.write_text(text)
        assert judged(cnf, spoiled) == "refuted"
