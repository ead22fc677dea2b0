"""Figures that people wrote into a page follow from where they are kept: code, facts, or another page."""

import re
from pathlib import Path

import pytest

from quet import catalog
from quet.core.facts import level_facts
from quet.games.sums_grid.claims import by_lines, by_waves
from quet.players.levels import LEVELS

DOCS = Path(__file__).parents[2] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def rows(text: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading, without its first two lines."""
    _, _, below = text.partition(f"\n{heading}\n")
    table = re.search(r"(?:^\|.*\n)+", below, re.MULTILINE)
    assert table, f"no table below {heading}"
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[0].splitlines()[2:]]


def test_the_levels_have_the_numbers_of_the_code() -> None:
    told = {cells[0].strip("`"): cells[1:] for cells in rows(page("levels.md"), "## The levels")}
    assert told.keys() == {name for name in LEVELS if name != "level:perfect"}
    for name, (simulations, temperature) in told.items():
        level = LEVELS[name]
        numbers = [float(word) for word in re.findall(r"\d+(?:\.\d+)?", simulations)]
        expected = [level.simulations or level.seconds, *([level.alone] if level.alone else [])]
        assert (numbers[: len(expected)], float(temperature)) == (expected, level.temperature), name


def test_the_scores_of_levels_in_solitaires_are_those_of_the_facts() -> None:
    told = {cells[0]: cells[3:] for cells in rows(page("levels.md"), "### The levels in solitaires")}
    kept = {
        f"`{id}` n={part.parameters['n']}": part.scores
        for id in catalog.ids()
        for part in level_facts(catalog.get(id).facts)
    }
    assert {name: [float(cell.split()[0]) for cell in cells] for name, cells in told.items()} == kept


@pytest.mark.parametrize(
    ("heading", "size", "column"),
    [("## AlphaZero in palindromes", "palindromes m", 4), ("## PPO in Up And Up", "up-and-up n", 5)],
)
def test_what_is_told_of_agents_that_learned_is_in_the_table_of_agents(heading: str, size: str, column: int) -> None:
    whole = page("truth.md")
    name = "alphazero" if "Zero" in heading else "PPO"
    for cells in rows(page("learned-agents.md"), heading):
        section = whole.partition(f"\n### {size}={cells[0]}\n")[2].partition("\n### ")[0]
        (measured,) = [line for line in section.splitlines() if line.startswith(f"| {name} |")]
        assert measured.split("|")[3].strip() == cells[column], cells
        if name == "PPO":
            (chance,) = [line for line in section.splitlines() if line.startswith("| random |")]
            assert chance.split("|")[3].strip() == cells[6], cells
        (about,) = re.findall(rf"^- {name} in {size}={cells[0]}: (.*)$", whole, re.MULTILINE)
        assert about.endswith(f"{cells[2]} of CPU") and cells[1].replace(",", "") in about, cells


@pytest.mark.parametrize("agent", ["level:1", "level:5", "MCTSBot 100"])
def test_what_is_told_of_agents_that_only_search_is_in_the_table_of_agents(agent: str) -> None:
    shares = []
    for size in (6, 8, 10):
        section = page("truth.md").partition(f"\n### palindromes m={size}\n")[2].partition("\n### ")[0]
        (measured,) = [line for line in section.splitlines() if line.startswith(f"| {agent} |")]
        shares.append(measured.split("|")[3].split()[0])
    assert f"{shares[0]}, {shares[1]} and {shares[2]} %" in page("learned-agents.md")


@pytest.mark.parametrize("name", ["answers.md", "answers.de.md"])
def test_the_bounds_of_sums_grids_are_those_of_the_theorems(name: str) -> None:
    bounds = [min(by_lines(n), by_waves(n)) for n in range(5, 11)]
    last = "und" if name.endswith("de.md") else "and"
    assert f"{', '.join(map(str, bounds[:-1]))} {last} {bounds[-1]}" in " ".join(page(name).split())
