"""The matches of level:6 with other programs: played from balanced openings, taken up again, told in a table."""

import importlib
import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import quet

pytestmark = pytest.mark.long

BENCH = Path(__file__).parents[1] / "bench"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Imports a module of the bench."""
    monkeypatch.syspath_prepend(str(BENCH))
    return importlib.import_module


def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
    """`python bench/opponents.py` with these arguments, ended."""
    command = [sys.executable, str(BENCH / "opponents.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_match_is_played_and_taken_up_again_and_its_table_printed(tmp_path: Path) -> None:
    file = tmp_path / "uct.jsonl"
    command = ("uct", "blob-8", "--simulations", 20, "--results", file)
    first = run(*command, "--games", 2)
    assert first.returncode == 0, first.stderr
    kept = file.read_bytes().splitlines()
    played = [json.loads(line) for line in kept]
    assert [game["seats"] for game in played] == [["uct", "level:6"], ["level:6", "uct"]]
    assert played[0]["moves"][:4] == played[1]["moves"][:4]
    assert played[0]["strengths"][0] == "20 simulations"
    assert played[0]["strengths"][1].startswith("20 simulations, ")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in first.stdout.splitlines() if line[:1] == "|"]
    assert [row[:2] for row in rows[2:]] == [["blob-8", "2"], ["all", ""]]
    assert sum(map(int, rows[2][3:6])) == 2
    assert rows[2][2] == rows[3][2]

    file.write_bytes(kept[0] + b"\n")
    assert run(*command, "--games", 4).returncode == 0
    again = file.read_bytes().splitlines()
    assert again[0] == kept[0]
    assert len(again) == 4
    assert [json.loads(line)["opening"] for line in again[2:]] == [2, 2]
    assert "thought" not in run(*command, "--games", 4).stdout  # nothing was left to play


def test_the_bot_of_openspiel_plays_at_equal_simulations_and_at_equal_time(module: Any) -> None:
    pytest.importorskip("pyspiel")
    opponents = module("opponents")
    game = quet.new("divisors-multiples", r=6)
    for limit in (opponents.Limit(3), opponents.Limit(None, 0.02)):
        bot = opponents.MctsBot(game, limit, 1)
        other = game.copy()
        while not other.is_over:
            other.play(bot.choose(other))
        assert other.winners


def test_plain_uct_takes_a_win_that_it_sees_and_plays_the_same_for_the_same_seed(module: Any) -> None:
    opponents = module("opponents")
    ending = quet.new("palindromes", m=6)
    for move in ("6=1", "3=0", "4=0", "5=0", "1=1"):
        ending.play(move)
    assert opponents.PlainUct(ending, opponents.Limit(200), 1).choose(ending) == "2=1"
    game = quet.new("blob", n=5)
    assert len({opponents.PlainUct(game, opponents.Limit(50), 7).choose(game) for _ in range(3)}) == 1


def test_plain_uct_makes_as_many_simulations_as_it_is_told_and_no_visit_is_lost(module: Any) -> None:
    opponents = module("opponents")
    game = quet.new("blob", n=4)
    uct = opponents.PlainUct(game, opponents.Limit(500), 1)
    uct.choose(game)
    nodes = uct._nodes
    assert nodes[0]["visits"] == 500
    first, count = int(nodes[0]["first"]), int(nodes[0]["count"])
    children = nodes[first : first + count]
    assert children["visits"].sum() == 500
    assert count == len(game.legal_moves)
    assert all(0 <= child["value"] <= child["visits"] for child in children)


def test_an_opening_is_balanced_when_neither_side_always_wins_and_comes_once(
    module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    openings = module("openings")
    game = quet.new("palindromes", m=4)
    won_by_first: dict[tuple[str, ...], bool] = {}

    def first_share(after: quet.Game, seed: int) -> float:
        won = won_by_first.setdefault(tuple(after.moves), len(won_by_first) % 2 == 0)
        return 1.0 if won else seed % 2

    monkeypatch.setattr(openings, "first_share", first_share)
    found = list(itertools.islice(openings.balanced(game, 1, 0), 3))
    moves = [tuple(openings.after(game, number, 1, 0).moves) for number in found]
    assert len(set(moves)) == 3
    assert not any(won_by_first[opening] for opening in moves)
    assert len(won_by_first) > 3


def test_the_openings_of_the_bench_are_there_for_every_match_and_differ(module: Any) -> None:
    openings = module("openings")
    book = openings.book()
    assert list(book) == list(openings.MATCHES)
    for label, (game_id, parameters, plies) in openings.MATCHES.items():
        game = quet.new(game_id, **parameters)
        moves = {tuple(openings.after(game, number, plies).moves) for number in book[label]}
        assert len(moves) == openings.NUM_OPENINGS


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("uct", "chess"), "There is no match chess; there is palindromes-16"),
        (("uct", "blob-8", "--games", "0"), "The number of games must be from 1 to 100."),
        (("uct", "blob-8", "--simulations", "0"), "The number of simulations must be from 1 to 1000000."),
    ],
)
def test_bad_arguments_are_refused_in_a_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    done = run(*arguments)
    assert done.returncode != 0
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
