"""The table in the repository: it is complete, it holds, and it comes with an installed Quet."""

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, cast

import pytest

from quet import catalog
from quet.certificates import certificate_file, verify
from quet.certificates.certificate_file import Certificate
from quet.core.facts import theorem_facts
from quet.results import theorems
from quet.results.check import check_agreement, check_row
from quet.results.claim import Claim
from quet.results.folder import CERTIFICATES, Folder
from quet.results.larger import LARGEST_CLONED
from quet.results.row import NOBODY, Row

ROOT = Path(__file__).parents[2]
TABLE = Folder(ROOT / "results")
LARGEST = 10_000_000  # bytes of the whole table in a clone; SAT proofs and strategies are most of it
Tried = dict[tuple[str, str], int]  # sizes whose positions are all tried here, by the game and the kind of grounds
LARGEST_TRIED: Tried = {
    ("convoluted-coprimality", "minimax"): 5,
    ("divisors-multiples", "minimax"): 15,
    ("palindromes", "minimax"): 19,
    ("plusses-minuses", "minimax"): 8,
    ("sums-grid", "tried"): 2,
    ("up-and-up", "tried"): 14,
}
FEWER_TRIED: Tried = {
    ("convoluted-coprimality", "minimax"): 4,
    ("convoluted-coprimality", "table"): 40,
    ("divisors-multiples", "minimax"): 10,
    ("divisors-multiples", "weak"): 11,
    ("palindromes", "minimax"): 14,
    ("plusses-minuses", "minimax"): 5,
    ("plusses-minuses", "mirror"): 7,
    ("plusses-minuses", "weak"): 5,
    ("sums-grid", "tried"): 2,
    ("up-and-up", "tried"): 10,
}
LARGEST_WHEEL = 3_400_000  # bytes; half are certificates and replies, a third is code


def proven(game: str, score: str, **others: object) -> dict[int, Any]:
    """The proven values of one sequence by their sizes."""
    rows = [row for row in TABLE.rows(game) if row.score == score and row.is_proven]
    return {row.size: row.value for row in rows if all(row.parameters[name] == others[name] for name in others)}


@pytest.mark.parametrize("tried", [FEWER_TRIED, pytest.param(LARGEST_TRIED, marks=pytest.mark.long)])
def test_every_row_holds(tried: Tried) -> None:
    """All but large ones, which are packed or take seconds each: `quet results verify` checks them as well."""
    for row in TABLE.rows():
        if TABLE.missing(row):
            continue
        largest = tried.get((row.game, row.proof), row.size)
        if row.certificate.endswith(".gz") or row.size > largest:
            certificate = certificate_file.read(TABLE.certificate(row))
            assert isinstance(certificate, dict)
            assert verify.digest(certificate) == certificate["digest"]
            check_agreement(row, Claim(cast(Certificate, certificate)))
        else:
            check_row(TABLE, row)


def test_every_certificate_belongs_to_a_row_and_the_table_is_small() -> None:
    files = sorted((TABLE.path / CERTIFICATES).iterdir())
    larger = {name for name, about in TABLE.larger().items() if about.bytes > LARGEST_CLONED}
    assert {file.name for file in files} == {row.certificate for row in TABLE.rows()} - larger
    in_a_clone = [*TABLE.path.glob("*.*"), *files]
    assert sum(file.stat().st_size for file in in_a_clone) < LARGEST


@pytest.mark.parametrize(
    ("game", "score", "others", "sizes"),
    [
        ("up-and-up", "highest", {}, range(1, 21)),
        ("up-and-up", "lowest", {}, range(1, 36)),
        ("sums-grid", "highest", {}, range(1, 4)),
        ("sequence-ascension", "highest", {"sequence": "divisors"}, range(2, 5)),
        ("sequence-ascension", "highest", {"sequence": "mod3"}, range(2, 6)),
        ("sequence-ascension", "highest", {"sequence": "pi"}, range(2, 5)),
        ("sequence-ascension", "highest", {"sequence": "totient"}, range(2, 6)),
        ("palindromes", "value", {}, range(1, 26)),
        ("plusses-minuses", "value", {"second_part_first": 1}, range(2, 10)),
        ("plusses-minuses", "value", {"second_part_first": 2}, range(2, 12)),
        ("blob", "value", {}, range(2, 8)),
        ("divisors-multiples", "value", {"players": 2}, range(2, 31)),
        ("divisors-multiples", "scores", {"players": 3}, range(2, 27)),
        ("divisors-multiples", "scores", {"players": 4}, range(2, 25)),
        ("convoluted-coprimality", "value", {"players": 2, "grids": 10}, range(2, 61)),
        ("convoluted-coprimality", "scores", {"players": 3, "grids": 10}, range(2, 61)),
        ("convoluted-coprimality", "scores", {"players": 4, "grids": 10}, range(2, 61)),
    ],
    ids=str,
)
def test_every_size_that_is_solved_is_in_the_table(
    game: str, score: str, others: dict[str, object], sizes: Collection[int]
) -> None:
    assert set(sizes) <= set(proven(game, score, **others))


# What each theorem says of the value for n, which is from low to high.
SAID: dict[str, Callable[[int, int, int], bool]] = {
    "a({n}) = 0 for all {n} >= 2.": lambda n, low, high: low == high == 0,
    "-3 <= a({n}) <= 0 for all {n} >= 2.": lambda n, low, high: -3 <= low <= high <= 0,
    "a({n}) = 19 for all {n} >= 36.": lambda n, low, high: low == high == 19,
    "For all even {n} from 2 to 64 a({n}) <= -2, and a({n}) <= -4 if 6 divides {n}. "
    "For all odd {n} from 1 to 63 a({n}) >= 0.": lambda n, low, high: (
        low >= 0 if n % 2 else high <= (-2 if n % 6 else -4)
    ),
    "a(3) < 27, a({n}) < {n}^3 for all {n} >= 5, and a({n}) < 0.8216*{n}*({n}+1)^2 for all {n}.": lambda n, low, _: (
        (low < n**3 or n in (1, 2, 4)) and low < 0.8216 * n * (n + 1) ** 2
    ),
}


def test_no_row_contradicts_a_theorem() -> None:
    told = set()
    for row in TABLE.rows():
        for theorem in theorems.of(row):
            told.add(theorem.text)
            low, high = sorted((row.number, row.limit))
            assert not theorem.covers(row.size) or SAID[theorem.text](row.size, low, high), row.name()
            assert not theorem.covers(row.size) or theorem.value in (None, row.value)
    assert told == SAID.keys() == {one.text for game in catalog.ids() for one in theorem_facts(catalog.get(game).facts)}


def test_every_row_names_who_found_it() -> None:
    """A row that was submitted without a name says `anonymous`, which is no credit."""
    nameless = [row.name() for row in TABLE.rows() if NOBODY in (row.finder, row.prover)]
    assert nameless == []


def test_what_everybody_can_count_is_in_the_table_as_it_is() -> None:
    assert all(value == n * n for n, value in proven("up-and-up", "highest").items())
    assert proven("sums-grid", "highest")[3] == 26
    assert proven("sequence-ascension", "highest", sequence="naturals") == {2: 4, 3: 9, 4: 16, 5: 25}


def test_open_questions_have_the_best_game_and_a_bound() -> None:
    def row(game: str, n: int) -> Row:
        (found,) = [
            row
            for row in TABLE.rows(game)
            if row.size == n and row.parameters.get("sequence", "divisors") == "divisors" and not row.is_lowest
        ]
        return found

    assert row("sums-grid", 4).number >= 51
    assert row("sums-grid", 4).limit <= 64
    assert row("sequence-ascension", 5).number >= 18


@pytest.mark.long
def test_an_installed_quet_has_the_table_and_leaves_it_as_it_is(tmp_path: Path) -> None:
    """The wheel is unpacked, as an installer would do, and run from elsewhere."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.stat().st_size < LARGEST_WHEEL
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    carried = {file.name for file in (site / "quet/results/data/certificates").iterdir()}
    assert carried == {row.certificate for row in TABLE.rows()} - set(TABLE.larger())

    def quet(*words: str) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"PYTHONPATH": str(site)}
        command = [sys.executable, "-m", "quet", "results", *words]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)

    assert json.loads(quet("--json").stdout) == [row.json() for row in TABLE.rows()]
    told = quet("verify", "sums-grid")
    assert (told.returncode, "1 unchecked, 0 refuted, 0 missing." in told.stdout) == (3, True)
    told = quet("verify", "sequence-ascension", "--json")
    assert told.returncode == 3  # the digits of pi on 5 by 5 rest on two searches
    missing = {one["row"]: one["error"] for one in json.loads(told.stdout) if one["verdict"] == "missing"}
    assert len(missing) == sum(name.startswith("sequence-ascension") for name in TABLE.larger())
    assert "a clone of the repository has it" in missing["sequence-ascension n=4 sequence=pi, highest"]
    file = str(site / "quet/results/data/certificates/sequence-ascension-5.json.gz")
    verified = subprocess.run(
        [sys.executable, "-m", "quet", "verify", file],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "quet results remake sequence-ascension-5.json.gz makes it again." in verified.stderr
    refused = quet("submit", str(TABLE.path / CERTIFICATES / "sums-grid-3.json"))
    assert refused.returncode == 2
    assert "The table that came with Quet stays as it is" in refused.stderr
