"""Matches between computer players: seats, openings, determinism, and a file of results that survives a stop."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import quet
from quet import catalog
from quet.core.errors import BadParameter, BadRecord, QuetError
from quet.players import arena, meeting, playing
from quet.players.agents import BadAgent
from quet.players.arena import Results, tables, tournament
from quet.players.player import RandomPlayer
from quet.players.playing import play, play_all


def small(**options: object) -> arena.Tournament:
    """A tournament of a few tiny games."""
    return tournament("palindromes", {"m": 4}, ["random", "level:1"], **({"num_games": 6} | options))  # type: ignore[arg-type]


@pytest.mark.parametrize("num_players", range(2, 9))
def test_two_players_sit_in_every_seat_equally_often(num_players: int) -> None:
    seatings = tables("a", "b", num_players)
    assert len(set(seatings)) == len(seatings)
    for seat in range(num_players):
        counts = Counter(seats[seat] for seats in seatings)
        assert counts["a"] == counts["b"]


def test_in_a_solitaire_each_plays_alone() -> None:
    assert sorted(tables("a", "b", 1)) == [("a",), ("b",)]
    three = tournament("up-and-up", {"n": 3}, ["random", "level:1", "level:2"], num_games=4)
    counts = Counter(fixture.seats for fixture in three.fixtures())
    assert counts == {("random",): 4, ("level:1",): 4, ("level:2",): 4}


def test_all_tables_of_an_opening_begin_alike_and_openings_differ() -> None:
    games = [arena.after_opening(fixture) for fixture in small(num_games=40, opening_plies=3).fixtures()]
    assert [game.ply for game in games] == [3] * 40
    assert all(one.moves == other.moves for one, other in zip(games[::2], games[1::2], strict=True))
    assert len({tuple(game.moves) for game in games}) > 10


def test_neighbours_meet_or_everybody() -> None:
    players = ["random", "level:1", "level:2"]
    assert tournament("blob", {"n": 3}, players).pairs == [("random", "level:1"), ("level:1", "level:2")]
    assert len(tournament("blob", {"n": 3}, players, is_round_robin=True).pairs) == 3


def test_games_are_rounded_up_to_whole_openings() -> None:
    assert len(small(num_games=5).fixtures()) == 6
    three = tournament("divisors-multiples", {"r": 4, "players": 3}, ["random", "level:1"], num_games=7)
    assert len(three.fixtures()) == 12


def test_the_same_seed_plays_the_same_games() -> None:
    first = [play(fixture) for fixture in small().fixtures()]
    again = [play(fixture) for fixture in small().fixtures()]
    assert first == again
    assert first != [play(fixture) for fixture in small(seed=1).fixtures()]


def test_a_result_is_a_game_that_the_rules_allow() -> None:
    for fixture in small().fixtures():
        result = play(fixture)
        game = quet.new("palindromes", m=4)
        for move in result.moves:
            game.play(move)
        assert (game.scores, game.winners) == (list(result.scores), list(result.winners))
        assert result.moves[:2] == tuple(arena.after_opening(fixture).moves)


def test_workers_play_the_same_games() -> None:
    fixtures = tournament("palindromes", {"m": 3}, ["random", "level:1"], num_games=4).fixtures()
    assert set(play_all(fixtures, 2)) == set(play_all(fixtures, 1))


def test_workers_end_with_a_main_process_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "endless.py"
    script.write_text(
        "import os, time\n"
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from multiprocessing import get_context\n"
        "from quet.players.playing import _obey_parent\n"
        "if __name__ == '__main__':\n"
        "    with ProcessPoolExecutor(1, get_context('spawn'), _obey_parent) as pool:\n"
        "        pool.submit(os.getpid).result()\n"
        "        print('ready', flush=True)\n"
        "        pool.submit(time.sleep, 60).result()\n"
    )
    main = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        assert main.stdout is not None
        assert main.stdout.readline() == "ready\n"
        main.kill()
        main.communicate(timeout=120)  # ends when the worker, who shares the output, has ended
    finally:
        with contextlib.suppress(ProcessLookupError):  # nobody is left of its session
            os.killpg(main.pid, signal.SIGKILL)


def test_a_player_in_two_seats_has_other_random_numbers_in_each() -> None:
    three = tournament("divisors-multiples", {"r": 12, "players": 3}, ["level:1", "random"])
    fixture = next(one for one in three.fixtures() if one.seats.count("random") == 2)
    game = arena.after_opening(fixture)
    chosen = []
    for seat, name in enumerate(fixture.seats):
        if name == "random":
            one = playing._seated(fixture, seat)
            chosen.append([one.choose(game) for _ in range(20)])
    assert len(chosen) == 2 and chosen[0] != chosen[1]


def test_a_level_thinks_as_long_as_its_simulations_take() -> None:
    fixture = small().fixtures()[0]
    players = {name: playing._seated(fixture, seat) for seat, name in enumerate(fixture.seats)}
    assert isinstance(players["random"], RandomPlayer)
    assert players["level:1"].level.seconds == float("inf")  # type: ignore[attr-defined]


def test_only_a_player_who_thinks_for_a_time_makes_a_tournament_timed() -> None:
    assert not small().is_timed
    assert tournament("blob", {}, ["level:5", "level:6"]).is_timed
    assert tournament("palindromes", {"m": 20}, ["level:perfect", "level:1"]).is_timed


def test_results_are_read_back(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    kept = Results(file)
    for fixture in small().fixtures():
        kept.add(play(fixture))
    assert Results(file).of(small()) == kept.of(small())
    assert Results(file).missing(small()) == []
    assert len(Results(file).missing(small(num_games=8))) == 2
    assert len(Results(file).missing(small(seed=1))) == 6
    line = json.loads(file.read_text().splitlines()[0])
    assert line["seats"] == ["random", "level:1"]
    assert line["parameters"] == {"m": 4}


@pytest.mark.parametrize("kept_bytes", [1, 8, 40, -1])
def test_a_last_line_cut_short_is_dropped_and_played_again(kept_bytes: int, tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    kept = Results(file)
    for fixture in small().fixtures():
        kept.add(play(fixture))
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]) + lines[-1][:kept_bytes])
    mended = Results(file)
    assert mended.is_mended
    assert mended.missing(small()) == small().fixtures()[-1:]
    for fixture in mended.missing(small()):
        mended.add(play(fixture))
    assert file.read_bytes() == whole
    assert not Results(file).is_mended


def test_results_of_other_strengths_are_not_mixed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "results.jsonl"
    for fixture in small().fixtures():
        Results(file).add(play(fixture))
    monkeypatch.setattr(arena, "strength", lambda entry, name: f"another {name}")
    assert len(Results(file).missing(small())) == 6


@pytest.mark.parametrize("id", catalog.ids())
def test_the_games_of_another_version_of_the_search_do_not_count(id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = tournament(id, {}, ["level:1", "level:2"], num_games=1)
    kept = Results()
    for fixture in one.fixtures():
        kept.add(arena.Result(fixture, (), (), ()))
    assert (kept.missing(one), kept.num_of_others(one)) == ([], 0)
    facts = catalog.get(id).facts
    monkeypatch.setitem(facts, "search", {**facts.get("search", {}), "version": 9})
    assert kept.of(one) == [] and kept.num_of_others(one) == len(one.fixtures())
    assert kept.num_of_others(replace(one, seed=1)) == 0


def test_the_games_by_another_version_of_the_rules_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    one = small()
    kept = Results()
    for fixture in one.fixtures():
        kept.add(arena.Result(fixture, (), (), ()))
    monkeypatch.setattr(one.game.rules, "VERSION", 9)
    assert kept.of(one) == [] and kept.num_of_others(one) == len(one.fixtures())


@pytest.mark.parametrize(
    "content",
    [
        "a shopping list",
        "[]\n",
        "{}\n{}\n",
        '{"game":"blob"}\n{"game":"blob"}\n',
        '{"game":' + "[" * 100_000 + "\n\n",
    ],
)
def test_a_file_of_another_kind_is_refused_and_left_alone(content: str, tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text(content)
    with pytest.raises(BadRecord, match="line 1: "):
        Results(file)
    assert file.read_text() == content


@pytest.mark.parametrize(
    "change",
    [
        {"winners": []},
        {"winners": [3]},
        {"winners": [True]},
        {"scores": [1]},
        {"seats": "ab"},
        {"moves": None},
        {"parameters": {"m": []}},
        {"seed": "0"},
        {"game": ["palindromes"]},
    ],
)
def test_a_line_with_wrong_values_is_refused(change: dict[str, object], tmp_path: Path) -> None:
    line = play(small().fixtures()[0]).line()
    file = tmp_path / "results.jsonl"
    file.write_bytes(json.dumps(json.loads(line) | change).encode() + b"\n" + line)
    with pytest.raises(BadRecord, match=r"results.jsonl, line 1: It"):
        Results(file)


@pytest.mark.parametrize("id", catalog.ids())
def test_a_line_whose_moves_do_not_come_to_its_winners_or_scores_is_refused(id: str, tmp_path: Path) -> None:
    one = tournament(id, {}, ["random"] if quet.new(id).num_players == 1 else ["random", "level:1"], opening_plies=1)
    names = ("random",) * one.game.num_players
    result = play(replace(one.fixtures()[0], seats=names, strengths=names))
    file = tmp_path / "results.jsonl"
    file.write_bytes(result.line())
    assert Results(file).is_mended is False
    others = tuple(seat for seat in one.game.players if seat not in result.winners) or result.winners[:1]
    changes: list[dict[str, Any]] = [
        {"scores": tuple(score + 1 for score in result.scores)},
        {"moves": result.moves[:-1]},
        {"moves": ("?", *result.moves)},
    ]
    for change in changes + ([{"winners": others}] if others != result.winners else []):
        file.write_bytes(result.line() + replace(result, **change).line())
        with pytest.raises(
            BadRecord, match=r"results.jsonl, line 2: (Its moves don't end with its|A move of it can't)"
        ):
            Results(file)


def test_a_file_that_can_not_be_written_is_refused_before_a_game(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "results.jsonl"):
        with pytest.raises(QuetError, match=str(path)):
            Results(path)


@pytest.mark.parametrize(
    ("players", "options", "reason"),
    [
        (["random", "nobody"], {}, "no computer player 'nobody'"),
        (["random"], {}, "at least two"),
        ([], {}, "at least two"),
        (["random", "random"], {}, "named twice"),
        (["random", "level:1"], {"num_games": 0}, "number of games"),
        (["random", "level:1"], {"opening_plies": -1}, "plies of an opening"),
        (["random", "level:1"], {"opening_plies": 4}, "4 random plies end the game"),
    ],
)
def test_a_tournament_that_can_not_be_played_is_refused(
    players: list[str], options: dict[str, int], reason: str
) -> None:
    with pytest.raises(BadParameter, match=reason):
        tournament("palindromes", {"m": 4}, players, **options)  # type: ignore[arg-type]


ENGINE = """
import os, sys
print(os.getpid(), file=open({pids!r}, "a"))
for line in sys.stdin:
    words = line.split()
    if words[0] == "position":
        taken = [move[0] for move in words[3:]]
    if words[0] == "go":
        print("bestmove", {choose}, flush=True)
    else:
        print("ugiok" if words[0] == "ugi" else "ok", flush=True)
"""
LOWEST = 'min(set("1234") - set(taken)) + "=0"'


def guest(folder: Path, choose: str = LOWEST) -> str:
    """The name of an engine that plays in a row of four, and notes its process in `pids`."""
    (folder / "engine.py").write_text(ENGINE.format(pids=str(folder / "pids"), choose=choose))
    return f"ugi:{sys.executable} {folder / 'engine.py'}"


def is_running(pid: str) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    return True


def test_an_engine_plays_under_its_name_and_leaves_with_the_tournament(tmp_path: Path) -> None:
    name = guest(tmp_path)
    one = tournament("palindromes", {"m": 4}, ["random", name, "level:1"], num_games=4, go="go sims 5")
    kept = Results(tmp_path / "results.jsonl")
    for result in play_all(one.fixtures()):
        kept.add(result)
        seat = result.fixture.seats.index(name)
        for ply in range(2 + seat, 4, 2):
            assert result.moves[ply] == min(set("1234") - {move[0] for move in result.moves[:ply]}) + "=0"
    pids = (tmp_path / "pids").read_text().split()
    assert len(pids) == 1 and not is_running(pids[0])
    again = Results(tmp_path / "results.jsonl")
    assert again.of(one) == kept.of(one) and len(again.of(one)) == 8
    others = replace(one, go="go sims 6")
    assert len(again.missing(others)) == 8 == again.num_of_others(others)
    assert set(play_all(one.fixtures(), 2)) == set(kept.of(one))
    pids = (tmp_path / "pids").read_text().split()[1:]
    assert len(pids) in (2, 3) and not any(map(is_running, pids))  # one before the first game, and one in each worker


@pytest.mark.parametrize("num_workers", [1, 2])
@pytest.mark.parametrize(
    ("choose", "sentence"),
    [
        ('"5=0"', r"engine\.py chose '5=0' in palindromes m=4 after the moves '.* .*', and that isn't legal: "),
        ("1 / 0", r"status 1\. .*'ZeroDivisionError: division by zero' That was in palindromes m=4 after the moves '"),
    ],
)
def test_an_engine_that_fails_is_told_who_and_where(
    choose: str, sentence: str, num_workers: int, tmp_path: Path
) -> None:
    one = tournament("palindromes", {"m": 4}, ["random", guest(tmp_path, choose)], num_games=2)
    with pytest.raises(BadAgent, match=sentence):
        list(play_all(one.fixtures(), num_workers))
    assert not any(map(is_running, (tmp_path / "pids").read_text().split()))


LOADING = "import time\nif len(open({pids!r}).readlines()) > 1: time.sleep(300)\nfor line in"  # but the first time


def slow_guest(folder: Path) -> str:
    """The name of an engine that is quick when it is tried, and loads for long afterwards, deaf to all else."""
    name = guest(folder)
    engine = folder / "engine.py"
    engine.write_text(engine.read_text().replace("for line in", LOADING.format(pids=str(folder / "pids"))))
    return name


def ended(pids: Path, number: int) -> bool:
    """Whether so many engines have been started, and none of them runs or comes to its end within some seconds."""
    found = pids.read_text().split()
    deadline = time.monotonic() + 30
    while any(map(is_running, found)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return len(found) == number and not any(map(is_running, found))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals.")
@pytest.mark.parametrize(
    "when",
    [
        "",  # while the second one is being started
        "kill = agents._kill; agents._kill = lambda one: [end(), time.sleep(0.1), kill(one)]",  # and again after that
    ],
)
def test_a_worker_that_is_to_end_ends_its_engines_whenever_the_signals_come(when: str, tmp_path: Path) -> None:
    name = slow_guest(tmp_path)
    script = f"""
import os, signal, threading, time
from quet.players import agents, playing
playing._obey_parent()
playing._guest({name!r}, agents.agent)
end = lambda: os.kill(os.getpid(), signal.SIGTERM)
{when}
threading.Timer(0.5, end).start()
playing._guest({name!r} + " ", agents.agent)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode == 1
    pids = (tmp_path / "pids").read_text().split()
    assert len(pids) == 2 and not any(map(is_running, pids))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals.")
def test_engines_that_are_being_started_end_with_a_tournament_that_is_killed(tmp_path: Path) -> None:
    name = slow_guest(tmp_path)
    words = ["-m", "quet", "arena", "palindromes", "m=4", "--players", f"random,{name}", "--workers", "2"]
    arena = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 120
        while not (tmp_path / "pids").exists() or len((tmp_path / "pids").read_text().split()) < 3:
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        arena.kill()
        arena.wait()
    assert ended(tmp_path / "pids", 3)


def test_an_engine_that_can_not_play_is_refused_before_the_first_game() -> None:
    one = tournament("palindromes", {"m": 4}, ["random", "level:1", "ugi:/nowhere/engine"])
    for num_workers in (1, 2):
        with pytest.raises(BadAgent, match="can't be started"):
            next(play_all(one.fixtures(), num_workers))


def test_an_engine_that_is_told_a_time_makes_a_tournament_timed() -> None:
    players = ["random", "ugi:quet ugi"]
    assert tournament("palindromes", {"m": 4}, players, go="go movetime 100").is_timed
    assert not tournament("palindromes", {"m": 4}, players, go="go sims 100").is_timed
    assert not tournament("palindromes", {"m": 4}, ["random", "level:1"], go="go movetime 100").is_timed


def test_a_game_that_does_not_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meeting, "LONGEST_GAME", 3)
    with pytest.raises(arena.Stopped, match="has not ended after "):
        play(small().fixtures()[0])
