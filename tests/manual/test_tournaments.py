"""The tables of matches on the pages follow from the files of games in bench/tournaments."""

import argparse
import gzip
import importlib
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from test_figures import DOCS, page, rows

from quet import new
from quet.core.parameters import split_parameters
from quet.players import standings as module
from quet.players.arena import Result, Results, Tournament, strength, tournament
from quet.players.playing import play
from quet.players.standings import Estimate, Standings, mean_score, share_interval, standings

BENCH = DOCS.parent / "bench"
GAMES = BENCH / "tournaments"
LEVELS = [f"level:{number}" for number in range(1, 6)]
_GAME = re.compile(r"`([a-z-]+)` ([^,]*?)(?:, seed (\d+))?")


def told(estimate: Estimate, form: str = ".0f", of: float = 100.0) -> str:
    """An estimate as pages have it: in percent, unless it is of something else."""
    numbers = (estimate.value, estimate.low, estimate.high)
    value, low, high = (format(of * number, form) for number in numbers)
    return value if value == low == high else f"{value} [{low}, {high}]"


def kept(name: str, folder: Path) -> Results:
    """The games of a file, which may be packed."""
    file = GAMES / name.removesuffix(".gz")
    if not file.exists():
        packed = file.with_name(f"{file.name}.gz").read_bytes()
        file = folder / file.name
        file.write_bytes(gzip.decompress(packed))
    return Results(file)


def planned(cells: list[str], games: int, players: list[str]) -> Tournament:
    """The tournament of a row: its first cell names game, parameters and seed, its third one the plies of openings."""
    found = _GAME.fullmatch(cells[0])
    assert found, cells[0]
    parameters = split_parameters(found[2].split())
    plies = int(cells[2].split()[0])
    return tournament(found[1], parameters, players, num_games=games, seed=int(found[3] or 0), opening_plies=plies)


def file_of(cells: list[str]) -> str:
    """The file of a row, named after game, size, players and seed."""
    found = _GAME.fullmatch(cells[0])
    assert found, cells[0]
    size, *players = re.findall(r"\w+=(\d+)", found[2])
    of = f"-of-{players[0]}" if players else ""
    return f"{found[1]}-{size}{of}{f'-seed-{found[3]}' if found[3] else ''}.jsonl"


def outcome(one: Tournament, results: Results) -> Standings:
    """The outcome of all games of a tournament; none may be missing."""
    assert results.missing(one) == []
    return standings(one, results.of(one))


MATCHES = [
    *rows(page("levels.md"), "## Level against level"),
    *rows(page("notes/levels.md"), "## More sizes and seeds"),
]


@pytest.mark.parametrize("cells", MATCHES, ids=[cells[0] for cells in MATCHES])
def test_level_against_level(cells: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores of neighbours, bold where the level isn't shown to be above, and ratings."""
    monkeypatch.setattr(module, "NUM_DRAWINGS", 2)  # for the intervals of ratings, which the page leaves out
    file = cells[8].strip("`") if len(cells) > 8 else file_of(cells)
    results = kept(file, tmp_path)
    special = dict(re.findall(r"(\d : \d): (\d+)", cells[1]))
    games = int(re.match(r"\d+", cells[1])[0])  # type: ignore[index]
    for k, cell in enumerate(cells[3:7]):
        if cell:
            number = int(special.get(f"{k + 2} : {k + 1}", games))
            (meeting,) = outcome(planned(cells, number, LEVELS[k : k + 2]), results).meetings
            score = told(meeting.score)
            assert cell == (score if meeting.is_above else f"**{score}**")
    if cells[7] and not special:
        ratings = outcome(planned(cells, games, LEVELS), results).ratings
        assert cells[7] == ", ".join(f"{ratings[name].value:.0f}" for name in LEVELS)


SIXTH = rows(page("levels.md"), "### level:6 against level:5")


@pytest.mark.parametrize("cells", SIXTH, ids=[f"{cells[0]} {cells[2]}" for cells in SIXTH])
def test_level_6_against_level_5(cells: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if cells[2] == "balanced":
        bench = opponents(monkeypatch)
        match = bench.planned(asked("level:5", ["plusses-minuses-8"]))["plusses-minuses-8"]
        found = outcome(match, Results(GAMES / "opponents-level-5.jsonl"))
    else:
        found = outcome(planned(cells, int(cells[1]), ["level:5", "level:6"]), Results(GAMES / "level-6.jsonl"))
    (meeting,) = found.meetings
    score = told(meeting.score)
    even = f"{meeting.level_openings} of {meeting.openings}"
    assert cells[1:] == [str(found.games), cells[2], score if meeting.is_above else f"**{score}**", even]


SOLITAIRES = rows(page("levels.md"), "### The levels in solitaires")


@pytest.mark.parametrize("cells", SOLITAIRES, ids=[cells[0] for cells in SOLITAIRES])
def test_the_levels_in_solitaires(cells: list[str], tmp_path: Path) -> None:
    """Their means; the page rounds to a tenth."""
    results = kept(file_of(cells), tmp_path)
    special = dict(re.findall(r"level (\d): (\d+)", cells[1]))
    for number, cell in enumerate(cells[3:], 1):
        games = int(special.get(str(number), re.match(r"\d+", cells[1])[0]))  # type: ignore[index]
        name = f"level:{number}"
        one = planned(cells, games, [name, "random"])
        scores = [float(each.scores[0]) for each in results.of(one) if each.fixture.seats == (name,)]
        assert len(scores) == games
        assert cell == told(mean_score(scores), ".1f", 1.0)


def opponents(monkeypatch: pytest.MonkeyPatch) -> Any:
    """bench/opponents.py, with the time that level:6 had to solve a position when these games were played."""
    monkeypatch.syspath_prepend(str(BENCH))
    bench = importlib.import_module("opponents")
    monkeypatch.setattr(bench, "KNOWING_SECONDS", 0.1)
    return bench


def asked(
    opponent: str, matches: list[str], simulations: int | None = None, seconds: float = 0.5
) -> argparse.Namespace:
    """What `python bench/opponents.py` was asked."""
    return argparse.Namespace(opponent=opponent, matches=matches, games=100, simulations=simulations, seconds=seconds)


@pytest.mark.long
@pytest.mark.parametrize(
    ("heading", "opponent", "simulations", "column"),
    [
        ("## Plain UCT, equal simulations", "uct", 1_000, 2),
        ("## Plain UCT, equal simulations", "uct", 10_000, 4),
        ("## MCTSBot, equal time", "mctsbot", None, 2),
        ("## MCTSBot, equal simulations", "mctsbot", 200, 2),
    ],
)
def test_level_6_against_other_programs(
    heading: str, opponent: str, simulations: int | None, column: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = opponents(monkeypatch)
    results = Results(GAMES / f"opponents-{opponent}.jsonl")
    scores: list[float] = []
    for cells in rows(page("opponents.md"), heading):
        score, counts = cells[column : column + 2]
        if cells[0] == "all":
            assert score == told(share_interval(scores))
            continue
        label = re.sub(r"`([a-z-]+)` [a-z]=(\d+)", r"\1-\2", cells[0])
        seconds = 0.2 if simulations is None and label.startswith("divisors") else 0.5  # as the page says
        match = bench.planned(asked(opponent, [label], simulations, seconds))[label]
        found = outcome(match, results)
        (meeting,) = found.meetings
        assert cells[1] == str(found.games)
        assert (score, counts) == (told(meeting.score), f"{meeting.won}, {meeting.drawn}, {meeting.lost}")
        scores += module.opening_scores(match, match.pairs[0], results.of(match)).values()


LEARNED = {  # the rows of learning.md that have a file
    ("`divisors-multiples` r=25", "even"): "learned-divisors-multiples-25.jsonl",
    ("`divisors-multiples` r=33", "even"): "learned-divisors-multiples-33.jsonl",
    ("`blob` n=8", "even"): "learned-blob-8.jsonl",
    ("`blob` n=9", "even"): "learned-blob-9.jsonl",
    ("`blob` n=12", "even"): "learned-blob-12.jsonl",
    ("`palindromes` m=24", "even"): "learned-palindromes-24.jsonl",
    ("`plusses-minuses` n=9", "even"): "learned-plusses-minuses-9.jsonl",
    ("`plusses-minuses` n=11", "even"): "learned-plusses-minuses-11.jsonl",
}


@pytest.mark.parametrize("row", LEARNED, ids=" ".join)
def test_learned_weights_against_none(row: tuple[str, str]) -> None:
    (cells,) = [each for each in rows(page("learning.md"), "## Matches") if (each[0], each[2]) == row]
    games = [json.loads(line) for line in (GAMES / LEARNED[row]).read_text().splitlines()]
    shares = [game["score"] for game in games]
    pairs = [(first + second) / 2 for first, second in zip(shares[::2], shares[1::2], strict=False)]
    assert cells[1] == str(len(games)) and cells[4] == told(share_interval(pairs))
    assert {f"{game['seconds']:g} s" for game in games} == {cells[3]}
    depth = sum(game["depth"] for game in games) / len(games)
    assert cells[5] == f"{depth:.1f}"


REPEATED = [
    file.name for file in sorted(GAMES.iterdir()) if not file.name.startswith(("learned-", "level-6", "opponents-"))
]
OUTDATED = """\
The levels play other moves than in {file}, so that its games are not theirs any more. If a search was meant to change,
raise `version` in [search] of the game's facts.toml (to 2 if there is none), so that no old games are counted as
those of the new search. Then delete the game's lines in this folder and play them again: the commands are in
docs/notes/levels.md, "How it is measured". Renew the tables of docs/levels.md and docs/notes/levels.md with the new
numbers, and the scores in facts.toml where the game has them. If the change was not meant to change moves, it has an
error."""


def games_of(name: str) -> list[dict[str, Any]]:
    """The games of a file, which may be packed, as they stand there."""
    content = (GAMES / name).read_bytes()
    return [json.loads(line) for line in (gzip.decompress(content) if name.endswith(".gz") else content).splitlines()]


def check_repeated(games: list[dict[str, Any]], name: str) -> None:
    """Play games again, and compare the moves."""
    for game in games:
        result = Result.read(json.dumps(game).encode())
        assert play(result.fixture) == result, OUTDATED.format(file=name)


@pytest.mark.parametrize("name", REPEATED)
def test_the_levels_still_play_the_games_of_the_files(name: str) -> None:
    """Every game has the strengths of today, and so do the moves of a few, by the levels that are done soonest."""
    games = games_of(name)
    start = new(games[0]["game"], **games[0]["parameters"])
    now = {player: strength(start, player) for player in LEVELS}
    assert all(game["strengths"] == [now[player] for player in game["seats"]] for game in games), OUTDATED.format(
        file=name
    )
    num_openings = 1 + max(game["opening"] for game in games)
    for opening in {0, num_openings // 3, num_openings - 1}:
        seatings = sorted((game for game in games if game["opening"] == opening), key=lambda game: game["seats"])
        check_repeated(seatings[: 3 if start.num_players == 1 else 1], name)


@pytest.mark.long
@pytest.mark.parametrize("name", REPEATED)
def test_the_levels_still_play_more_games_of_the_files(name: str) -> None:
    games = games_of(name)
    check_repeated(random.Random(name).sample(games, 12), name)


def test_every_file_of_games_is_on_a_page() -> None:
    used = {file_of(cells) for cells in SOLITAIRES + MATCHES} | set(LEARNED.values()) | {"level-6.jsonl"}
    used |= {cells[8].strip("`").removesuffix(".gz") for cells in MATCHES if len(cells) > 8}
    used |= {f"opponents-{name}.jsonl" for name in ("uct", "mctsbot", "level-5")}
    assert {file.name.removesuffix(".gz") for file in GAMES.iterdir()} == used


def test_the_openings_of_the_matches_are_those_that_the_page_tells_of(monkeypatch: pytest.MonkeyPatch) -> None:
    opponents(monkeypatch)
    openings = importlib.import_module("openings")
    book = openings.book()
    table = page("opponents.md").partition("| match | random plies | balanced |")[2].splitlines()[2:8]
    for line, (label, (_, _, plies)) in zip(table, openings.MATCHES.items(), strict=True):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        assert re.sub(r"`([a-z-]+)` [a-z]=(\d+)", r"\1-\2", cells[0]) == label
        assert cells[1].split(",")[0] == str(plies)
        assert cells[2].split()[0] == str(len(book[label])) and cells[2].split()[-1] == str(book[label][-1] + 1)
