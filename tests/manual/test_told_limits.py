"""Limits and settings that a page tells of are those of the code."""

import importlib
import math
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_figures import DOCS, page

from quet import catalog
from quet.certificates import check_minimax
from quet.cli import checkpoint, ugi
from quet.core import arguments, json_text, lesson_file, paper, sequences
from quet.distribution import parts, task, workers
from quet.engine import tree
from quet.knowledge import known, search, walks
from quet.players import agents, levels, matching
from quet.puzzles import check as puzzle_check
from quet.puzzles import puzzle, scores
from quet.records import record, record_text, variations
from quet.results import confirm, larger
from quet.rl import batches, dataset, leaderboard, measure
from quet.solving import ask, certify, many, questions
from quet.study import look
from quet.tablebases import files as tablebases
from quet.web import forms, hub, match, new_games, preferences, puzzle_scores, serve, settings, visitors
from quet.web.connections import Bounds
from quet.web.settings import Settings
from quet.web.storage import database, entries, listings
from quet.web.views import events, home, results, sharing, study_acts, study_position
from quet.web.views import words as at_table

BOUNDS = Bounds()
WORDS = {
    1: "one",
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    10: "ten",
    20: "twenty",
}


def number(value: float) -> str:
    """A number as pages write it."""
    return f"{value:,.0f}" if value == int(value) else f"{value:g}"


def word(value: float) -> str:
    return WORDS[int(value)]


TOLD: list[tuple[str, str, list[object]]] = [  # page, words with gaps, and what stands in the gaps
    ("engine.md", "longer than {} plies", [tree.PLAIN_LINE]),
    ("protocol.md", "`threads` (1 to {})", [levels.MOST_THREADS]),
    ("protocol.md", "a table of values, 16 to {}; 256 and {} unless", [arguments.MOST_MEMORY, known.MEMORY // 2**20]),
    ("protocol.md", "text of at most {} MiB", [ugi.LONGEST_LINE // 2**20]),
    ("protocol.md", "more than {} words other than `position`", [ugi.MOST_WORDS]),
    ("protocol.md", "for {} minutes at most", [word(ugi.PONDER_SECONDS / 60)]),
    ("protocol.md", "file of at most {} MB, whose", [sequences.LARGEST_FILE // 10**6]),
    ("site.md", "| first line and headers | {} kB, {} headers |", [BOUNDS.head // 1000, BOUNDS.headers]),
    (
        "site.md",
        "{} kB for a form, {} kB for one with a record or a study, {} MB with",
        [forms.LARGEST // 1000, forms.LARGEST_STUDY // 1000, BOUNDS.message // 10**6],
    ),
    ("site.md", "| time for the head, from the first byte | {} s |", [number(BOUNDS.head_seconds)]),
    ("site.md", "| time for the body | {} s |", [number(BOUNDS.body_seconds)]),
    ("site.md", "with {} games waiting", [settings.Limits().address_waiting]),
    ("site.md", "begins at most {} in a day", [number(settings.Limits().address_games_per_day)]),
    ("site.md", "sends at most {} moves", [number(settings.Limits().address_moves_per_day)]),
    ("site.md", "up to {} connections to PostgreSQL, and one more", [database.CONNECTIONS]),
    ("site.md", "enough for {} processes, so", [word(100 // (database.CONNECTIONS + 1))]),
    ("site.md", "set it to {} for each", [database.CONNECTIONS + 1]),
    ("site.md", "look for new moves {} times a second", [word(1 / hub.POLL_SECONDS)]),
    ("site.md", "within {} days is called off", [number(listings.FORSAKEN_SECONDS / 86_400)]),
    ("site.md", "nobody has moved for a year is archived", [Settings("", "").archive_days == 365]),
    ("site.md", "| requests that wait behind one another | {} |", [BOUNDS.waiting]),
    ("site.md", "{} s before the first request, {} s after", [number(BOUNDS.head_seconds), serve.KEEP_SECONDS]),
    ("site.md", "takes nothing of its answer | {} s |", [number(BOUNDS.stuck_seconds)]),
    (
        "site.md",
        "{} for a connection to PostgreSQL, {} for statements, and {} for other writers",
        [database.CONNECTING_SECONDS, number(database.STATEMENT_SECONDS), number(database.WAITING_SECONDS)],
    ),
    ("security.md", "at most {} rows of a game", [number(match.MOST_ROWS)]),
    ("security.md", "at most {} printable characters", [visitors.LONGEST_NAME]),
    ("security.md", "at most {} accents on a letter", [word(visitors.MOST_ACCENTS)]),
    ("site-pages.md", "A signed cookie of at most {} characters keeps", [number(preferences.LONGEST)]),
    ("site-pages.md", "A value of more than {} characters isn't kept", [preferences.LONGEST_VALUE]),
    ("site-pages.md", "an open seat for {} days, with", [number(listings.LOBBY_SECONDS["none"] / 86_400)]),
    ("site-pages.md", "with a live clock for an hour", [listings.LOBBY_SECONDS["live"] == 3_600]),
    ("site-pages.md", "It must come within {} minutes", [word(match.FIRST_MOVE_SECONDS / 60)]),
    ("site-pages.md", "lists at most {} of one's own games", [word(home.MOST_SHOWN)]),
    ("site-pages.md", "*My games* has the latest {},", [listings.LISTED]),
    ("site-pages.md", "at most {} open seats and {} games to watch", [listings.LISTED, listings.LISTED]),
    ("site-pages.md", "at most {} come first, and", [word(listings.FEW)]),
    ("site-pages.md", "of at most {} of each visitor", [word(listings.FEW)]),
    ("site-pages.md", "last {} of the visitor's listed games", [matching.MOST]),
    ("site-pages.md", "signed cookie of at most {} characters, and the server", [number(puzzle_scores.LONGEST)]),
    ("site-pages.md", "A board of more than {} squares isn't part", [results.MOST_SQUARES]),
    ("site-pages.md", "as long as it has at most {} characters ([why]", [number(study_acts.LONGEST_LINK)]),
    ("site-pages.md", "as on paper (at most {} characters)", [number(study_position.LONGEST_PAPER)]),
    ("site-pages.md", "as text or JSON (at most {} characters)", [number(study_acts.LONGEST)]),
    ("site-pages.md", "{} seconds of solving, then a search", [word(look.OF_SOLVING)]),
    ("site-pages.md", "A comment has at most {} characters", [number(study_acts.LONGEST_COMMENT)]),
    ("site-pages.md", "(`games.start`, at most {} characters)", [number(study_acts.LONGEST_START)]),
    ("how-to/run-a-tournament.md", "`level:1` to `level:{}`", [len(levels.LEVELS)]),
    ("protocol.md", "`level:1` to `level:{}`", [len(levels.LEVELS)]),
    ("start/first-game.md", "levels from 1 to {}, and", [len(levels.LEVELS)]),
    ("site-pages.md", "of more than {} changes the last {} are told", [word(at_table.TOLD), word(at_table.TOLD)]),
    ("site-pages.md", "The stream of events beats each {} seconds", [number(events.SILENCE_SECONDS)]),
    ("formats.md", "an empty event `beat` each {} seconds", [number(events.SILENCE_SECONDS)]),
    ("site-pages.md", "at most {} days of the archive", [sharing.DAYS_LISTED]),
    ("site-pages.md", "At most {} games with one score are kept", [entries.MOST_ALIKE]),
    ("site-pages.md", "at most {} of them begun by one visitor", [entries.MOST_OF_ONE]),
    ("site-pages.md", "a level wins {} games of {} against", [word(3), round(math.exp(matching.STEP)) == 3 and "four"]),
    ("site-pages.md", "solved on its day, among the last {}.", [scores.MOST_DAYS]),
    (
        "records.md",
        "They have at most {} moves in a record, and stand at most {} deep",
        [
            number(variations.MOST_MOVES),
            variations.DEEPEST,
        ],
    ),
    (
        "records.md",
        "A file has at most {} MB and {} records",
        [record.LARGEST_FILE // 10**6, number(record.MOST_RECORDS)],
    ),
    ("records.md", "The value of a parameter has at most {} characters", [number(sequences.LONGEST_TEXT)]),
    ("records.md", "filled to lines of {} columns", [record_text.WIDTH]),
    (
        "records.md",
        "objects more than {} deep, and numbers of more than {} digits",
        [
            json_text.MOST_DEPTH,
            number(json_text.MOST_DIGITS),
        ],
    ),
    (
        "results.md",
        "every certificate up to {} MB, and an installed Quet those up to {} kB",
        [
            larger.LARGEST_CLONED // 10**6,
            larger.LARGEST_CARRIED // 1000,
        ],
    ),
    ("results.md", "takes longer than the time ({} minutes unless given)", [word(confirm.SECONDS / 60)]),
    ("solve.md", "at most {} positions get such a table", [number(certify.MOST_POSITIONS)]),
    ("solve.md", "the game has at most {} positions and the time suffices", [number(check_minimax.MOST_POSITIONS)]),
    ("solve.md", "all positions are tried, at most {}.", [number(many.MOST_POSITIONS)]),
    ("solve.md", "an exact search has {} minutes", [word(ask.MOST_SECONDS / 60)]),
    ("solve.md", "or {} seconds where strategies hold the value", [word(ask.HELD_SECONDS)]),
    ("solve.md", "can only improve a minute", [task.IMPROVING == 60]),
    ("solve.md", "written at most twice a second", [checkpoint.BETWEEN_SAVES == 0.5]),
    (
        "capabilities.md",
        "| `lesson.toml` | {} to {} steps on small",
        [word(lesson_file.FEWEST), word(lesson_file.MOST)],
    ),
    ("cluster.md", "parts of the first {} seconds", [word(workers.FIRST_SECONDS)]),
    ("cluster.md", "{} deaths without one part finished", [word(parts.MOST_LOSSES + 1).capitalize()]),
    ("cluster.md", "split at the first ply with {} positions", [questions.FEWEST_PARTS]),
    ("tablebases.md", "a CRC-32 of each {} KiB", [tablebases.BLOCK // 1024]),
    ("puzzles.md", "(at most {} of them)", [number(puzzle_check.MOST_POSITIONS)]),
    ("puzzles.md", "in fewer than half of {} tries", [puzzle.TRIES]),
    ("puzzles.md", "The levels count as {}, {}, {} and {}", list(puzzle.RATINGS)),
    ("puzzles.md", "Levels 1 to {} try each puzzle {} times", [len(puzzle.LEVELS), puzzle.TRIES]),
    ("truth.md", "isn't over after {} moves", [number(measure.LONGEST)]),
    ("truth.md", "drawn anew {} times", [number(measure.NUM_DRAWINGS)]),
    ("truth.md", "It has {} seconds for each answer", [number(agents.LONGEST_ANSWER)]),
    ("truth.md", "where more than {} would have to be tried", [number(leaderboard.MOST_LEFT)]),
    ("truth.md", "own play, {} games after", [leaderboard.OWN_GAMES]),
    ("truth.md", "at most {} times as many positions as", [leaderboard.OWN_POSITIONS]),
    ("environments.md", "whose arrays take more than {} GB is refused", [batches.MOST_BYTES // 2**30]),
    ("environments.md", "are listed, a million at most", [walks.MOST_POSITIONS == 10**6]),
    ("environments.md", "within the usual 5 seconds and {} MB", [known.MEMORY // 2**20]),
    (
        "levels.md",
        "{} positions, about a quarter",
        [number(search.most_to_solve(catalog.get("convoluted-coprimality")))],
    ),
]


@pytest.mark.parametrize(("name", "words", "values"), TOLD, ids=[f"{name} {words}" for name, words, _ in TOLD])
def test_a_limit_on_a_page_is_that_of_the_code(name: str, words: str, values: list[object]) -> None:
    """Where the words have no gap, the value says whether the code agrees with them."""
    assert all(values)
    assert words.format(*values) in " ".join(page(name).split())


SAID: list[tuple[str, str, list[object]]] = [  # a module, words of its messages, help texts or docstrings, as above
    ("records/record.py", "The records in a text or JSON, at most {};", [number(record.MOST_RECORDS)]),
    ("records/record.py", "The file would be larger than {} MB.", [record.LARGEST_FILE // 10**6]),
    ("cli/files.py", "It is larger than {} MB.", [record.LARGEST_FILE // 10**6]),
    ("results/submit.py", "It is larger than {} MB.", [record.LARGEST_FILE // 10**6]),
    ("core/paper.py", "The paper is larger than {} MB.", [paper.LARGEST_PAPER // 10**6]),
    ("cli/score.py", "The paper is larger than {} MB.", [paper.LARGEST_PAPER // 10**6]),
    ("rl/dataset.py", "take more than {} GB.", [dataset.MOST_BYTES // 2**30]),
    ("rl/batches.py", "take more than {} GB.", [batches.MOST_BYTES // 2**30]),
    ("knowledge/walks.py", "take more than {} GB.", [walks.MOST_BYTES // 2**30]),
    ("cli/arguments.py", "of a search, at most ({} to {})", [arguments.LEAST_MEMORY, arguments.MOST_MEMORY]),
    ("cli/arguments.py", "in {} to {} steps on small boards", [word(lesson_file.FEWEST), word(lesson_file.MOST)]),
    ("core/lesson_file.py", "{} to {} steps on small boards", [word(lesson_file.FEWEST), word(lesson_file.MOST)]),
    ("results/confirm.py", "the time ({} minutes unless given)", [word(confirm.SECONDS / 60)]),
    (
        "web/new_games.py",
        "from 1 second to {} hours, and a move at most {} days.",
        [round(new_games.LONGEST_CLOCK["live"] / 3600), round(new_games.LONGEST_CLOCK["days"] / 86_400)],
    ),
    ("web/new_games.py", "from 0 to {} seconds, for live", [number(new_games.LONGEST_INCREMENT)]),
    ("web/views/set_up.py", '"Minutes each"), 1, {}', [round(new_games.LONGEST_CLOCK["live"] / 60)]),
    ("web/views/set_up.py", '"Seconds for each move"), 0, {}', [number(new_games.LONGEST_INCREMENT)]),
    ("web/views/set_up.py", '"Days for each move"), 1, {}', [round(new_games.LONGEST_CLOCK["days"] / 86_400)]),
]


@pytest.mark.parametrize(("module", "words", "values"), SAID, ids=[f"{module} {words}" for module, words, _ in SAID])
def test_a_limit_in_a_sentence_of_the_program_is_that_of_the_code(
    module: str, words: str, values: list[object]
) -> None:
    source = (DOCS.parent / "src" / "quet" / module).read_text("utf-8")
    found = re.findall(re.escape(words).replace(r"\{\}", r"([\w,.]+)"), " ".join(source.split()))
    told = [str(value) for value in values]
    assert found and all(each == (told[0] if len(told) == 1 else tuple(told)) for each in found)


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Imports a module of the bench."""
    monkeypatch.syspath_prepend(os.fspath(DOCS.parent / "bench"))
    return importlib.import_module


def test_what_the_benches_do_is_told_as_it_is(bench: Any) -> None:
    load, attack, pace = bench("load"), bench("attack"), bench("measure").Pace()
    size, text = load.Size(), " ".join(page("load.md").split())
    for words in (
        f"plays {size.games} games at once",
        f"there are {word(size.rounds)} rounds. In each of them every game advances by {word(size.moves)} moves",
        "each player thinks for two seconds on average",
        f"The bar is {load.BAR}.",
        f"{attack.CONNECTIONS} connections ask for one costly page",
        f"One player plays a move every {1000 * attack.PAUSE:.0f} ms",
        f"is below {attack.BAR:.0f} times the p99 before it",
        f"Each page is attacked in {word(attack.ROUNDS)} rounds",
    ):
        assert words in text, words
    assert size.thinking == 2.0 and load.WATCHED == 5 and "Every fifth game has a spectator" in text
    speed = " ".join(page("bench.md").split())
    assert f"in {word(pace.rounds)} rounds of at least {pace.turn:g} seconds" in speed
    least, openings = bench("learned").LEAST, bench("openings")
    words = f"gives each side {100 * least:g} to {100 - 100 * least:g} % of the win"
    assert words in " ".join(page("learning.md").split())
    low = round(openings.LEAST * openings.GAMES)
    shares = f"{low}/{openings.GAMES} to {openings.GAMES - low}/{openings.GAMES}"
    words = f"plays {word(openings.GAMES)} games against itself and has {shares} of the wins"
    assert words in " ".join(page("opponents.md").split())


def test_how_often_requests_are_made_and_inputs_tried_is_told_as_it_is() -> None:
    text = " ".join(page("reliability.md").split())
    source = (DOCS.parent / "tests" / "web" / "test_requests.py").read_text("utf-8")
    found = re.search(r"^REQUESTS = amount\((\d+), ([\d_]+)\)", source, re.MULTILINE)
    assert found
    assert f"`make test` sends {found[1]}, `make chaos` up to {int(found[2]):,}" in text
    fuzz = (DOCS.parent / "tests" / "fuzz" / "run.py").read_text("utf-8")
    assert re.search(r"^MOST_MEMORY = 2048\b", fuzz, re.MULTILINE) and "more than thirty seconds or 2 GB" in text
    listed = re.search(r"By reader: ([^.]+)\.", text)
    assert listed
    counts = dict(re.findall(r"([a-z-]+) ([\d,]+)", listed[1]))
    total = sum(int(count.replace(",", "")) for count in counts.values())
    assert f"there were {total:,} inputs" in text
    sys.path.insert(0, os.fspath(DOCS.parent / "tests" / "fuzz"))
    readers = importlib.import_module("readers")
    assert set(counts) <= {reader.name for reader in readers.READERS}


def killed(text: str) -> Iterator[tuple[str, str, str]]:
    for line in text.partition("| area | mutants | killed |")[2].splitlines()[2:7]:
        area, mutants, share = (cell.strip() for cell in line.strip("|").split("|"))
        yield area, mutants, share


def test_each_area_of_mutants_has_its_row() -> None:
    source = (DOCS.parent / "tests" / "mutants" / "run.py").read_text("utf-8")
    areas = re.findall(r'^    "([a-z]+)": Area\(', source, re.MULTILINE)
    assert len(list(killed(page("reliability.md")))) == len(areas) == 5


def test_the_defaults_of_settings_are_told_as_they_are(tmp_path: Path) -> None:
    usual = Settings.from_environment({"QUET_DATA": os.fspath(tmp_path)})
    text = " ".join((settings.__doc__ or "").split())
    for words in (
        f"a game without a clock is archived ({usual.archive_days})",
        f"may think about a move ({usual.computer_seconds:g})",
        f"computer players think (1 to 64, by default {usual.computers})",
        f"judge papers (1 to 64, by default {usual.workshop})",
        f"share an SQLite file ({usual.workers})",
        f"what computer players need ({usual.prepares:d}; 0 for no)",
        f"signs cookies, at least {settings.SHORTEST_KEY} characters",
    ):
        assert words in text, words


def test_a_field_of_the_site_takes_as_much_as_the_code() -> None:
    """The numbers of fields stand in the templates, and the browser keeps to them."""
    folder = DOCS.parent / "src" / "quet" / "web" / "pages"
    lengths = {
        (template.name, name): int(length)
        for template in folder.glob("*.html")
        for name, length in re.findall(
            r'<(?:input|textarea)[^>]* name="(\w+)"[^>]* maxlength="(\d+)"', template.read_text()
        )
    }
    expected = {
        ("study_begin.html", "record"): study_acts.LONGEST,
        ("study_begin.html", "position"): study_position.LONGEST_PAPER,
        ("study_position.html", "position"): study_position.LONGEST_PAPER,
        ("study_board.html", "comment"): study_acts.LONGEST_COMMENT,
        ("table.html", "move"): match.LONGEST_MOVE,
        ("learn.html", "move"): match.LONGEST_MOVE,
        ("puzzle.html", "move"): match.LONGEST_MOVE,
    }
    assert {place: lengths[place] for place in expected} == expected
    assert len({length for (_, name), length in lengths.items() if name == "name"}) == 1
