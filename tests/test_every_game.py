"""The contract, over every game."""

import subprocess
import sys
from collections.abc import Callable

import pytest

import quet
from conftest import SMALL, check_games
from quet import catalog
from quet.capabilities import Hold
from quet.catalog import Entry
from quet.contract import checks as contract
from quet.contract.trials import asked
from quet.core.rules import Canonical
from quet.starts import on_paper

OPTIONAL: dict[str, Callable[[Entry], object]] = {  # checks of what a game needn't have, and whether it has it
    "canonical states stand for their position": lambda entry: isinstance(entry.rules, Canonical),
    "order of moves does not matter": lambda entry: entry.capabilities.any_order,
    "keys tell positions apart": lambda entry: entry.capabilities.keys,
    "order keeps the moves": lambda entry: entry.capabilities.order or entry.capabilities.in_bits.order,
    "endings are values": lambda entry: entry.capabilities.endgame or entry.capabilities.in_bits.endgame,
    "the game in bits is the same": lambda entry: entry.capabilities.compact,
    "the sign is the value": lambda entry: entry.capabilities.is_sign_value,
    "own tables have the values": lambda entry: entry.capabilities.table,
    "own replies hold the value": lambda entry: entry.capabilities.replies,
    "own solvers are right": lambda entry: entry.solve or entry.strategy,
    "strategies hold what they say": lambda entry: isinstance(entry.strategy, Hold),
    "sensible moves lose nothing": lambda entry: entry.sensible,
    "patterns follow the game": lambda entry: entry.patterns,
    "annealed boards can be written": lambda entry: entry.local_search,
    "images are games": lambda entry: entry.images,
    "plans lead to the end": lambda entry: entry.planner,
    "random ends are those of random games": lambda entry: entry.random_end,
    "sheets are boards": lambda entry: entry.sheet,
    "learners see what matters": lambda entry: entry.observe,
    "terms are those of the game": lambda entry: entry.terms,
    "second ways agree": lambda entry: entry.second,
    "kept values can be reached": lambda entry: entry.kept,
}


@pytest.mark.parametrize("check", contract.CHECKS)
def test_every_game_keeps_the_contract(game_id: str, check: str) -> None:
    entry = catalog.get(game_id)
    times = asked(contract.CHECKS[check], entry)
    if game_id in SMALL and check in OPTIONAL:  # what it offers is tried, and in small games of it
        assert bool(times) == bool(OPTIONAL[check](entry))


def test_every_game_of_the_folder_has_small_sizes_for_the_tests() -> None:
    ours = {id for id in quet.game_ids() if catalog.get(id).package.startswith("quet.")}
    assert ours == SMALL.keys(), "SMALL in tests/conftest.py must have the games of src/quet/games, and no others."


def test_a_list_that_lacks_a_game_is_told_with_its_file() -> None:
    first, *others = SMALL
    with pytest.raises(AssertionError, match=f"Add {first} to LIST in a file."):
        check_games(others, "LIST in a file")
    with pytest.raises(AssertionError, match="Remove go from LIST in a file, or"):
        check_games([*SMALL, "go"], "LIST in a file")


def test_every_game_has_a_sample_of_the_author_where_he_gave_one() -> None:
    without = {id for id in SMALL if not catalog.get(id).facts.get("samples")}
    assert without == {"convoluted-coprimality", "divisors-multiples"}, "facts.toml has samples, or name the game here."


def test_every_sample_that_is_over_names_its_winners(our_game_id: str) -> None:
    entry = catalog.get(our_game_id)
    for sample in entry.facts.get("samples", []):
        assert "winners" in sample or not on_paper(entry, sample["paper"], sample["parameters"]).is_over


def test_every_game_has_move_counts_from_the_second_referee(our_game_id: str) -> None:
    import independent

    rows = catalog.get(our_game_id).facts["move_counts"]
    assert rows, f"facts.toml of {our_game_id} has no move_counts."
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
