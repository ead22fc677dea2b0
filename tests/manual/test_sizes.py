"""The sizes that have tables of all positions, and how large these are, are on the pages as the code has them."""

import importlib
import os
import re
from pathlib import Path

import pytest
from test_figures import DOCS, page, rows

import quet
import quet.rl
from quet import catalog
from quet.cli.main import main
from quet.core.parameters import Parameter
from quet.distribution import task
from quet.games.divisors_multiples import by_layers, exact
from quet.games.divisors_multiples.exact import MOST_LEFT
from quet.games.palindromes import retrograde
from quet.games.plusses_minuses import filling
from quet.games.plusses_minuses import solve as plusses_minuses
from quet.games.sequence_ascension import highest
from quet.knowledge.values import exact_values

NAMES = {
    "palindromes": "palindromes up to m = ",
    "divisors-multiples": "Divisors/Multiples for two up to r = ",
    "blob": "Blob up to n = ",
    "plusses-minuses": "Plusses And Minuses up to n = ",
    "convoluted-coprimality": "Convoluted Coprimality for two up to n = ",
    "up-and-up": "Up And Up up to n = ",
}
MADE = {
    "palindromes": "m=18",
    "divisors-multiples": "r=18",
    "blob": "n=5",
    "plusses-minuses": "n=6",
    "up-and-up": "n=5",
}
PERFECT = rows(page("levels.md"), "## Where level:perfect plays")
TABLE = {cells[0].split(",")[0]: cells for cells in rows(page("tablebases.md"), "## Which tablebases there are")}


def started(id: str, size: int) -> quet.Game:
    name = catalog.get(id).rules.PARAMETERS[0].name
    players = {"players": 2} if id in ("divisors-multiples", "convoluted-coprimality") else {}
    return quet.new(id, **{name: size}, **players)


@pytest.mark.long
@pytest.mark.parametrize("id", NAMES)
def test_the_oracle_has_a_table_up_to_the_size_that_the_page_names(id: str) -> None:
    found = re.search(re.escape(NAMES[id]) + r"(\d+)", " ".join(page("environments.md").split()))
    assert found
    largest = int(found[1])
    seconds = 60.0  # a busy machine takes longer than the usual 5
    assert quet.rl.oracle(started(id, largest), seconds=seconds).has_table
    if id == "divisors-multiples":  # the next size takes 5 seconds; all others need more memory, or have no keys
        assert largest == MOST_LEFT
    else:
        assert not quet.rl.oracle(started(id, largest + 1), seconds=seconds).has_table


def test_the_pages_agree_on_which_sizes_are_known_at_once() -> None:
    """Where the oracle has a table, `level:perfect` plays, and a larger tablebase may be made."""
    perfect = {cells[0].split(",")[0]: cells[1] for cells in PERFECT}
    text = " ".join(page("environments.md").split())
    for id, words in NAMES.items():
        largest = int(text.partition(words)[2].split(",")[0].split(".")[0])
        assert largest <= int(perfect[id].split()[-1])
        assert largest <= int(TABLE[id][2].partition("<= ")[2].split(";")[0] or 99)
    assert f"at most {MOST_LEFT} numbers are left" in " ".join(page("levels.md").split())
    assert perfect["divisors-multiples"] == f"r = 2 to {MOST_LEFT}"


@pytest.mark.long
@pytest.mark.parametrize("id", MADE)
def test_a_tablebase_is_as_large_as_the_page_says(id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUET_TABLES", str(tmp_path))
    assert main(["solve", id, MADE[id], "--save-tablebase"]) == 0
    (file,) = tmp_path.iterdir()
    assert f"{MADE[id].replace('=', ' = ')}: {megabytes(file.stat().st_size)}" in TABLE[id][3]


def test_the_tables_of_palindromes_are_as_large_as_the_pages_say() -> None:
    thousands = f"{retrograde.num_entries(22) / 1e9:.1f}"
    assert f"m = 22: {thousands} GB" in TABLE["palindromes"][3]
    assert f"m = 22 has {thousands} thousand million positions, a byte each" in " ".join(page("cluster.md").split())


def test_quet_solve_takes_the_sizes_that_its_page_names() -> None:
    told = {cells[0]: cells[1] for cells in rows(page("solve.md"), "## Methods")}
    (largest,) = [int(name.split()[-1].rstrip(")")) for name in told if name.startswith("blob (n <= ")]
    keys = catalog.get("blob").capabilities.keys
    assert keys is not None
    assert keys.fits(started("blob", largest).state) and not keys.fits(started("blob", largest + 1).state)
    lists = {n: filling.needed(n, n) / 2**20 for n in (10, 11)}
    assert "For n >= 9 all" in told["plusses-minuses (n <= 11)"]
    assert "(n = 11 with `--memory 6000`)" in told["plusses-minuses (n <= 11)"]
    assert plusses_minuses.SMALLEST == 9 and plusses_minuses.LARGEST >= 11
    assert lists[10] <= task.MEMORY / 2**20 < 3000 < lists[11] <= 6000
    for id, usual, more, memory in (("palindromes", 20, 22, 8192), ("divisors-multiples", 25, 26, 1700)):
        table = catalog.get(id).capabilities.table
        assert table is not None
        needed = {size: table.needed(started(id, size).state) / 2**20 for size in (usual, usual + 1, more)}
        name = catalog.get(id).rules.PARAMETERS[0].name
        assert f"({name} <= {usual}; {name} = {more} with `--memory {memory}`)" in told[id]
        assert needed[usual] <= task.MEMORY / 2**20 < needed[usual + 1] and memory / 2 < needed[more] <= memory
    layers = {r: by_layers.needed(started("divisors-multiples", r).state) / 2**20 for r in (28, 29, 30)}
    assert "r = 28 as it is, r = 30 with `--memory 5000`" in told["divisors-multiples"]
    assert layers[28] <= task.MEMORY / 2**20 < layers[29] and 2500 < layers[30] <= 5000
    assert f"sequence-ascension, highest (n <= {highest.LARGEST})" in told
    sides = catalog.get("convoluted-coprimality").rules.PARAMETERS[0]
    assert isinstance(sides, Parameter)
    assert f"n <= {sides.solved_to}, although play ends at {sides.high}." in told["convoluted-coprimality"]


def test_the_table_of_divisors_and_multiples_is_as_large_as_the_page_of_clusters_says() -> None:
    size = exact.needed(started("divisors-multiples", 26).state)
    at_once = [len(layer) for layer in exact.layers(25)]
    blocks = sum(at_once)
    text = " ".join(page("cluster.md").split())
    assert f"2^25 sets of 25 numbers, {size / 1e9:.1f} GB, in {blocks} blocks of {size / blocks / 1e6:.1f} MB." in text
    assert f"At most {', '.join(map(str, at_once))} of them can be filled at once." in text


@pytest.mark.long
@pytest.mark.parametrize("cells", PERFECT, ids=[cells[0] for cells in PERFECT])
def test_level_perfect_plays_at_the_largest_size_that_the_page_names(
    cells: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python bench/solvable.py` finds which sizes these are, on the machine that it runs on."""
    monkeypatch.syspath_prepend(os.fspath(DOCS.parent / "bench"))
    id = cells[0].split(",")[0]
    solvable = [each for each in importlib.import_module("solvable").SIZES if each[0] == id]
    assert solvable
    numbers = re.findall(r"\d+", cells[1])
    for _, name, _, other in solvable if numbers else []:
        assert exact_values(quet.new(id, **{name: int(numbers[-1])}, **other), seconds=60.0) is not None


def megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size < 1e6 else f"{size / 1e6:.0f} MB"
