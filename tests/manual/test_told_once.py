"""A figure that was measured stands in one place. Elsewhere there is a link to it, or words without the figure.

Looked through are seconds, shares, bytes and large counts on the pages that people wrote, in docstrings and in the
Makefile. Two places tell the same if they have the same figure, and the more digits it has, the fewer games, sizes
(`n = 7`) and pieces of code (`make check`) both have to name. What follows from the code or from a file may stand in
several places, where test_figures.py, test_sizes.py or test_told_limits.py compares it.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from quet import catalog

ROOT = Path(__file__).parents[2]
# Translations repeat, and a test compares them. Decisions tell what was so when they were made.
LEFT_OUT = {"docs/answers.de.md", *(f"docs/decisions/{file.name}" for file in (ROOT / "docs" / "decisions").iterdir())}
WRITTEN = "<!-- All below is written by quet rl leaderboard. -->"  # test_figures.py compares what is told of it

SECONDS = {
    **dict.fromkeys(["s", "second", "seconds"], 1.0),
    **dict.fromkeys(["minute", "minutes"], 60.0),
    **dict.fromkeys(["hour", "hours"], 3600.0),
    **dict.fromkeys(["ms", "millisecond", "milliseconds"], 1e-3),
    **dict.fromkeys(["µs", "microsecond", "microseconds"], 1e-6),
}
UNITS = [*SECONDS, "%", "bytes", "kB", "MB", "GB", "million", "thousand million", "times"]
ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEENS = ["ten", "eleven", "twelve", *(f"{word}teen" for word in "thir four fif six seven eigh nine".split())]
TENS = [f"{word}ty" for word in "twen thir for fif six seven eigh nine".split()]
WORDS = {word: number for number, word in enumerate(ONES + TEENS, 1)}
for number, word in enumerate(TENS, 2):
    WORDS |= {word: 10 * number} | {f"{word}-{one}": 10 * number + k for k, one in enumerate(ONES, 1)}
PARTS = {"half a": 0.5, "half an": 0.5, "a third of a": 0.33, "a quarter of a": 0.25, "a tenth of a": 0.1}


def _any(words: list[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_FIGURE = re.compile(rf"(?<![\w.,/=-])(\d[\d,]*(?:\.\d+)?|{_any([*WORDS, *PARTS])})[ -]({_any(UNITS)})(?![\w-])")
_COUNT = re.compile(r"(?<![\w.,/=-])(\d{1,3}(?:,\d{3})+|\d{5,})()(?![\w,.])")
_SIZE = re.compile(r"\b([nmr]) ?= ?(\d+)")
_GRID = re.compile(r"\b(\d+) by \1\b")
GAMES = {id: re.escape(id).replace("\\-", "[- /]") for id in catalog.ids()} | {
    "plusses-minuses": "plusses",
    "divisors-multiples": "divisors[-/]multiples",
}
_CODE = re.compile(r"`[^`]+`")
_PART = re.compile(r"(?<=[.?!:]) (?=[A-Z`*(\[])|;")
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\||\s*[-*] |\d+\. )")


class Told(NamedTuple):
    """A figure in a sentence."""

    figure: tuple[float, str]  # the number and its unit, times in seconds
    place: str
    named: frozenset[str]  # games, sizes and code that the sentence names, games in its paragraph or row of a table
    sentence: str

    def repeats(self, other: "Told") -> bool:
        """Whether both hardly have the same figure by chance: it has many digits, or they name the same things."""
        value, unit = self.figure
        digits = len(f"{value:.12g}".replace(".", "").strip("0"))
        return digits + len(self.named & other.named) >= (4 if unit in ("", "%") else 3)


def told(place: str, text: str) -> Iterator[Told]:
    for paragraph in _PARAGRAPH.split(text):
        games = {game for game, words in GAMES.items() if re.search(words, paragraph, re.IGNORECASE)}
        for sentence in _PART.split(" ".join(paragraph.split())):
            sizes = {f"{letter}={size}" for letter, size in _SIZE.findall(sentence)}
            sizes |= {f"n={size}" for size in _GRID.findall(sentence)}
            named = frozenset(games | sizes | set(_CODE.findall(sentence)))
            words = _CODE.sub("", sentence)
            for number, unit in _FIGURE.findall(words) + _COUNT.findall(words):
                value = PARTS.get(number) or WORDS.get(number) or float(number.replace(",", ""))
                figure = (value * SECONDS[unit], "s") if unit in SECONDS else (value, unit)
                yield Told(figure, place, named, sentence)


def places() -> Iterator[tuple[str, str]]:
    """All that people read, without blocks of code, by its place."""
    for file in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        place = file.relative_to(ROOT).as_posix()
        if place not in LEFT_OUT and place != "docs/notes/changes.md":
            text = file.read_text(encoding="utf-8").partition(WRITTEN)[0]
            yield place, re.sub(r"^ {4}.*$|^```[\s\S]*?^```$", "", text, flags=re.MULTILINE)
    for file in [*(ROOT / "src").rglob("*.py"), *(ROOT / "bench").rglob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield file.relative_to(ROOT).as_posix(), ast.get_docstring(node) or ""
    yield "Makefile", re.sub(r"^(?!.*##).*$", "", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)


def repeated(found: list[Told]) -> Iterator[tuple[Told, Told]]:
    """Each two of them that tell the same in two places."""
    by_figure: defaultdict[tuple[float, str], list[Told]] = defaultdict(list)
    for one in found:
        by_figure[one.figure].append(one)
    for alike in by_figure.values():
        for k, one in enumerate(alike):
            for other in alike[k + 1 :]:
                if one.place != other.place and one.repeats(other):
                    yield one, other


EARLIER = {"docs/bench.md", "docs/notes/speed.md"}  # the last tables of the bench, and those of an earlier run
EXCEPTIONS: list[tuple[tuple[float, str], set[str], str]] = [  # a figure, the two places, and why it may be in both
    ((1.0, "s"), EARLIER, "the bar of a row"),
    ((50.0, "MB"), EARLIER, "the bar of a row"),
    ((11.3, "MB"), EARLIER, "two runs, which came to the same"),
    ((100.0, "MB"), {"docs/tablebases.md", "docs/environments.md"}, "by chance: the size of a file, and a limit"),
    ((27.0, "%"), {"docs/learned-agents.md", "docs/notes/levels.md"}, "by chance"),
]


def test_a_measured_figure_is_told_once() -> None:
    found = [each for place, text in places() for each in told(place, text)]
    assert len(found) > 500
    allowed = [(figure, both) for figure, both, _ in EXCEPTIONS]
    twice = [(one, other) for one, other in repeated(found) if (one.figure, {one.place, other.place}) not in allowed]
    assert not twice, "\n\n".join(
        f"{one.place}: {one.sentence}\n{other.place}: {other.sentence}" for one, other in twice
    )


def test_no_exception_is_left_over() -> None:
    twice = repeated([each for place, text in places() for each in told(place, text)])
    found = [(one.figure, {one.place, other.place}) for one, other in twice]
    assert [each for each in EXCEPTIONS if each[:2] not in found] == []


def test_a_copy_is_found_in_other_words() -> None:
    one = "The checker goes back from the end. That takes 85 s of CPU for n = 19, on busy cores."
    for copy, is_found in [
        ("Checking n=19 took 85 seconds.", True),
        ("On 19 by 19 squares the checker is done after 85 s.", True),
        ("Checking n=20 took 85 seconds.", False),
        ("Checking n=19 took 84 seconds.", False),
    ]:
        found = [*told("one.md", one), *told("other.md", copy)]
        assert bool(list(repeated(found))) is is_found, copy
    minutes = [
        *told("one.md", "`make check` takes three minutes in blob n=5."),
        *told("b.md", "Blob: `make check` n=5, 180 s"),
    ]
    assert len(list(repeated(minutes))) == 1
    large = [
        *told("one.md", "It tries 249,499,461 positions."),
        *told("other.md", "After 249499461 positions it ends."),
    ]
    assert len(list(repeated(large))) == 1
