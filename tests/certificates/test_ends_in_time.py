"""What a check may take: whoever writes a certificate decides how long it is, so that each kind has an end."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

import quet
from certified import all_tried, resealed
from quet.certificates import certificate_file, check_weak, verify
from quet.certificates.limits import Limits
from quet.cli.main import main
from quet.core.errors import BadCertificate
from quet.engine.reasons import with_reasons

CERTIFICATES = Path(__file__).parents[2] / "results" / "certificates"


def published(name: str) -> Any:
    return certificate_file.read(CERTIFICATES / name)


def over(id: str, **parameters: int) -> quet.Game:
    game = quet.new(id, **parameters)
    while not game.is_over:
        game.play(game.legal_moves[0])
    return game


# A game of Up And Up on 35 by 35 squares with 18 numbers; to see that none has 17 takes an hour.
SHORT = "r21 q21 q23 q20 q24 q19 k19 r19 r11 r2 r12 r23 r35 e35 s35 s20 ai20 r20"


def endless(kind: str) -> Any:
    """A certificate that is small to write and endless to check: of the largest blob, or of a long way back."""
    if kind == "tried":
        whole = all_tried("up-and-up", n=3) | {"parameters": {"n": 35}, "witness": SHORT.split()}
        whole["claim"] = {"score": "lowest", "low": 18, "high": 18, "best_moves": None}
        whole["grounds"] = [{"for": ["high"], "kind": "witness"}, {"for": ["low"], "kind": "tried"}]
        return resealed(whole)
    game = over("blob", n=20)
    value = game.scores[0] - game.scores[1]
    whole = all_tried("blob", n=3) | {"parameters": game.parameters, "witness": game.moves}
    whole["claim"] = {"score": "value", "low": value, "high": value, "best_moves": None}
    if kind == "weak":
        replies = check_weak.packed([0] * 1_000_000)
        whole["witness"] = []
        whole["claim"] |= {"low": -20, "high": 20}
        whole["grounds"] = [{"for": ["low"], "kind": "weak", "replies": replies}, {"for": ["high"], "kind": "bound"}]
    return resealed(whole)


@pytest.mark.parametrize("kind", ["minimax", "weak", "tried"])
def test_a_check_without_end_ends_with_its_time(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "endless.json"
    file.write_text(json.dumps(endless(kind)))
    assert main(["verify", str(file), "--time", "0.5"]) == 3
    assert f"by {kind}: Checking takes more than 0.5 s of CPU (--time)." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("minimax", "low and high by minimax: The game has more than 20 positions."),
        ("weak", "low by weak: Positions that can come up take more than 0 GB on disk."),
    ],
)
def test_a_check_without_end_ends_with_its_memory(kind: str, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.certificates.frontier.MOST_ON_DISK", 1_000_000)
    found = verify.check(endless(kind), limits=Limits(memory=7_000))
    assert (found.verdict, found.trusted) == ("unchecked", [sentence])


@pytest.mark.parametrize(
    "name", ["blob-5.json", "divisors-multiples-6-players-4.json.gz", "sequence-ascension-3-sequence-pi.json.gz"]
)
def test_no_time_at_all_leaves_a_certificate_unchecked(name: str) -> None:
    assert verify.check(published(name)).verdict == "verified"
    found = verify.check(published(name), limits=Limits(seconds=-1.0))
    assert found.verdict == "unchecked" and "Checking takes more than" in found.trusted[0]


def test_a_proof_that_takes_more_memory_than_allowed_is_not_begun(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """128 kB packed: a clause that is there already, a million times."""
    whole = published("sequence-ascension-3-sequence-pi.json.gz")
    (proof,) = (ground for ground in whole["grounds"] if ground["kind"] == "unsat")
    proof["proof"] = "-388 9 0\n" * 1_000_000 + proof["proof"]
    file = tmp_path / "long.json.gz"
    file.write_bytes(certificate_file.pack(certificate_file.to_bytes(resealed(whole))))
    begun = time.process_time()
    assert main(["verify", str(file), "--memory", "64", "--drat", str(tmp_path / "a.drat")]) == 2
    said = capsys.readouterr()
    told = r"high by unsat: Checking takes up to [67][0-9]{2} MB; allowed are 64 MB \(--memory\)\."
    assert (
        re.search(told, said.out)
        and said.err == f"quet: {file}: The proof takes more memory than allowed, so nothing was written.\n"
    )
    assert main(["verify", str(file), "--memory", "64"]) == 3
    assert time.process_time() - begun < 8


def test_a_proof_whose_reasons_take_too_long_is_not_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def begun(*_: object) -> int:
        raise AssertionError("the proof is checked once more, without its reasons")

    monkeypatch.setattr("quet.certificates.check_unsat.Refutation.check", begun)
    file = published("sequence-ascension-3-sequence-pi.json.gz")
    found = verify.check(file, reasons=with_reasons, limits=Limits(seconds=-1.0))
    assert found.verdict == "unchecked" and "Checking takes more than" in found.trusted[0]
    with pytest.raises(BadCertificate, match="once more"):
        verify.check(file)  # without reasons it is what checks


def test_a_witness_and_best_moves_without_end_are_refused_before_they_are_played() -> None:
    whole = published("blob-3.json")
    for changed, sentence in (
        ({"witness": ["a1"] * 10_001}, "witness: The witness has more than 10000 moves."),
        (
            {"claim": whole["claim"] | {"best_moves": ["a1"] * 1_000_000}},
            "claim: best_moves must be in order, each once.",
        ),
    ):
        with pytest.raises(BadCertificate, match=re.escape(sentence)):
            verify.check(resealed(whole | changed))


def test_a_table_takes_no_more_memory_than_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.certificates.check_table._OFTEN", 1)
    name = "palindromes-5.json"
    assert verify.check(published(name), limits=Limits(memory=1 << 20)).verdict == "verified"
    found = verify.check(published(name), limits=Limits(memory=1 << 10))
    assert found.trusted[:1] == ["low and high by table: Checking takes up to 1 MB; allowed are 1 MB (--memory)."]
