"""The sizes that have tables of all positions, and how large these are, are on the pages as the code has them."""

import re
from pathlib import Path

import pytest
from test_figures import page, rows

import quet
import quet.rl
from quet import catalog
from quet.cli.main import main
from quet.games.divisors_multiples.exact import MOST_LEFT
from quet.games.palindromes import retrograde

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
    perfect = {cells[0].split(",")[0]: cells[1] for cells in rows(page("levels.md"), "## Where level:perfect plays")}
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
    bytes_of = {m: retrograde.num_entries(m) for m in (20, 22)}
    thousands = f"{bytes_of[22] / 1e9:.1f}"
    assert f"m = 22: {thousands} GB" in TABLE["palindromes"][3]
    assert f"m = 22 has {thousands} thousand million positions, a byte each" in " ".join(page("cluster.md").split())
    assert f"a table of {bytes_of[20] / 1e6:.0f} million positions" in " ".join(page("levels.md").split())


def megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size < 1e6 else f"{size / 1e6:.0f} MB"
