"""docs/answers.md and its translation say what the table of results says."""

import importlib
import os
import re
from pathlib import Path
from typing import Any

import pytest

from quet.games.up_and_up.solve import num_games
from quet.results.folder import find

DOCS = Path(__file__).parents[1] / "docs"
TEXT = (DOCS / "answers.md").read_text()
GERMAN = (DOCS / "answers.de.md").read_text()
WORDS = " ".join(TEXT.split())


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(os.fspath(DOCS / "pictures"))
    return importlib.import_module("answers")


def test_the_pictures_are_those_of_the_table(answers: Any) -> None:
    for name, picture in answers.pictures().items():
        assert (DOCS / "pictures" / name).read_text() == picture, "python docs/pictures/answers.py draws them anew"
        assert f"](pictures/{name})" in TEXT


@pytest.mark.parametrize(
    ("game", "score"),
    [
        ("up-and-up", "lowest"),
        ("palindromes", "value"),
        ("divisors-multiples", "value"),
        ("convoluted-coprimality", "value"),
    ],
)
def test_the_values_are_those_of_the_table(answers: Any, game: str, score: str) -> None:
    rows = answers.rows(game, score)
    values = [row.value for row in rows if row.is_proven]
    assert ", ".join(map(str, values)) in WORDS


def test_the_numbers_of_games_are_those_that_the_solver_counts() -> None:
    counts = [num_games(n) for n in range(1, 6)]
    assert f"{', '.join(str(sum(one.values())) for one in counts)}, 41436864 games in all" in WORDS
    assert f"{', '.join(str(one[n * n]) for n, one in enumerate(counts, 1))}, 155848 games that fill" in WORDS
    page = " ".join((DOCS / "results.md").read_text().split())
    assert "how many games Up And Up has, and how many of them fill the grid" in page


@pytest.mark.parametrize(
    ("game", "size", "words"),
    [
        ("sums-grid", 4, "On 4 by 4 a grid with {value} is known"),
        ("sums-grid", 5, "on 5 by 5 one with {value}."),
        ("sequence-ascension", 5, "On 5 by 5 the best is {value} of 25 squares"),
        ("sequence-ascension", 6, "On 6 by 6 the best is {value} of 36"),
        ("sums-grid", 6, "found scores of {value}, "),
        ("sums-grid", 10, "and {value} in seven minutes each"),
        ("sequence-ascension", 7, "annealing found games with {value} of 49"),
        ("sequence-ascension", 8, "{value} of 64"),
        ("sequence-ascension", 9, "{value} of 81"),
        ("sequence-ascension", 10, "and {value} of 100"),
    ],
)
def test_the_best_scores_are_those_of_the_table(answers: Any, game: str, size: int, words: str) -> None:
    (row,) = [
        row
        for row in answers.rows(game, "highest")
        if row.size == size and row.others in ({}, {"sequence": "divisors"})
    ]
    assert words.format(value=row.value) in WORDS


@pytest.mark.parametrize(
    ("line", "game", "score", "others"),
    [
        ("Up And Up: the highest", "up-and-up", "highest", {}),
        ("Up And Up: the lowest", "up-and-up", "lowest", {}),
        ("Sequence Ascension", "sequence-ascension", "highest", {"sequence": "divisors"}),
        ("Sums Equal 1..m", "sums-grid", "highest", {}),
        ("Plusses And Minuses", "plusses-minuses", "value", {"second_part_first": 1}),
        ("the same, if player 2", "plusses-minuses", "value", {"second_part_first": 2}),
        ("Palindromes", "palindromes", "value", {}),
        ("Multiples/Divisors Blob", "blob", "value", {}),
        ("Divisors/Multiples, two", "divisors-multiples", "value", {"players": 2}),
        ("Divisors/Multiples, three", "divisors-multiples", "scores", {"players": 3}),
        ("Divisors/Multiples, four", "divisors-multiples", "scores", {"players": 4}),
        *(
            ("Convoluted Coprimality", "convoluted-coprimality", "value" if n == 2 else "scores", {"players": n})
            for n in (2, 3, 4)
        ),
    ],
)
def test_the_ways_to_know_are_those_of_the_table(line: str, game: str, score: str, others: dict[str, Any]) -> None:
    """The sizes that have a certificate, and those that rest on a search."""
    found = re.search(rf"(?m)^\| {re.escape(line)}.*\|(.*)\|(.*)\|$", TEXT)
    assert found is not None
    rows = [row for row in find(None).rows(game) if row.score == score and row.is_proven]
    rows = [row for row in rows if all(row.parameters[name] == value for name, value in others.items())]
    by_search = {row.size for row in rows if "exhaustive" in row.proof}
    assert sizes(found[1]) == {row.size for row in rows} - by_search
    assert sizes(found[2]) == by_search


def sizes(words: str) -> set[int]:
    """The sizes of `n = 1 to 20, 22 to 31` or `n = 9`."""
    found: set[int] = set()
    for part in words.split(","):
        numbers = [int(number) for number in re.findall(r"\d+", part)]
        found |= set(range(numbers[0], numbers[-1] + 1)) if numbers else set()
    return found


def test_the_german_answers_have_the_same_commands_pictures_places_and_numbers() -> None:
    for pattern in (r"^    .*$", r"\]\(([^)]*)\)", r"^#+ ", r"`[^`]*`"):
        found = [[" ".join(one.split()) for one in re.findall(pattern, text, re.M)] for text in (TEXT, GERMAN)]
        assert found[0] == found[1]
    numbers = [sorted(re.findall(r"-?\d+", text)) for text in (TEXT, GERMAN)]
    assert numbers[0] == numbers[1]
    assert not re.findall(r"\d,\d{3}|\d\.\d+ [kM]B", GERMAN), "an English number"
    english = "two three four five six seven eight nine ten eleven twelve minute minutes seconds".split()
    german = "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf Minute Minuten Sekunden".split()
    for one, other in zip(english, german, strict=True):
        counts = [len(re.findall(rf"(?i)\b{word}\b", text)) for word, text in ((one, TEXT), (other, GERMAN))]
        assert counts[0] == counts[1], one
