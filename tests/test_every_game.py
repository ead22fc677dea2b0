"""The contract, over every game."""

import subprocess
import sys

import pytest

import quet
from conftest import SMALL
from quet import catalog
from quet.contract import checks as contract


@pytest.mark.parametrize("check", contract.CHECKS.values(), ids=list(contract.CHECKS))
def test_every_game_keeps_the_contract(game_id: str, check: contract.Check) -> None:
    check(catalog.get(game_id))


def test_there_are_the_eight_games() -> None:
    assert sorted(SMALL) == [id for id in quet.game_ids() if catalog.get(id).package.startswith("quet.")]
    assert sorted(SMALL) == [
        "blob",
        "convoluted-coprimality",
        "divisors-multiples",
        "palindromes",
        "plusses-minuses",
        "sequence-ascension",
        "sums-grid",
        "up-and-up",
    ]


def test_every_game_has_a_sample_of_the_author_where_he_gave_one() -> None:
    without = {id for id in SMALL if not catalog.get(id).facts.get("samples")}
    assert without == {"convoluted-coprimality", "divisors-multiples"}


def test_every_game_has_move_counts_from_the_second_referee(our_game_id: str) -> None:
    import independent

    rows = catalog.get(our_game_id).facts["move_counts"]
    assert rows
    for row in rows:
        counts = row["counts"]
        while sum(counts) > 1500:  # the second referee is slow; make_counts below recounts everything
            counts = counts[:-1]
        given = {k: [int(t) for t in v.split(",")] if "," in str(v) else v for k, v in row["parameters"].items()}
        assert independent.count_sequences(independent.new(our_game_id, **given), len(counts) - 1) == counts


def test_rules_import_neither_numpy_nor_numba_nor_a_face() -> None:
    program = (
        "import sys, quet; from quet import catalog; [catalog.get(id).rules for id in quet.game_ids()];"
        "bad = {'numpy', 'numba', 'PIL', 'textual'} & set(sys.modules); sys.exit(f'imported {bad}' if bad else 0)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
