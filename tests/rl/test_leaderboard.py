"""`quet rl measure` and `quet rl leaderboard`: entries of agents, the table, and what is refused."""

import importlib
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import quet
from quet.cli.main import main
from quet.cli.rl import MARK
from quet.core.errors import NotSolved
from quet.rl import entries, leaderboard, measure
from quet.rl.agents import UgiAgent, agent
from quet.rl.oracles import Oracle

ROOT = Path(__file__).parents[2]
TASKS = '[["palindromes", {"m": 4}, "reachable"], ["up-and-up", {"n": 3}, "random"]]'


def first(game: quet.Game) -> str:
    """The first legal move."""
    return game.legal_moves[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of entries with tasks."""
    (tmp_path / "tasks.json").write_text(TASKS)
    return tmp_path


def test_an_entry_has_what_the_measures_say(folder: Path) -> None:
    tasks = leaderboard.tasks(folder)
    entry = leaderboard.measured(agent(first), tasks, about="the first legal move", seed=2, positions=40, num_games=5)
    assert entries.read(leaderboard.text(entry).encode()) == entry
    rows: Any = entry["tasks"]
    for row, (game, positions) in zip(rows, tasks, strict=True):
        found = measure.accuracy(first, game, positions=positions, num=40, seed=2)
        told = [found.keeps_margin.value, found.keeps_margin.low, found.keeps_margin.high]
        assert row["keeps_margin"] == pytest.approx(told, abs=1e-4) and row["num"] == found.num
        for player, seat in zip(game.players, row["seats"], strict=True):
            strength = measure.weak_strength(first, game, player=player)
            is_tried = positions == "reachable"
            assert (seat["worst"], seat["value"]) == (strength.worst if is_tried else None, strength.value)
            assert seat["line"].split() == (strength.line if is_tried else [])
            games = measure.against_perfect(first, game, player=player, num=5, seed=2)
            assert seat["loss"][0] == pytest.approx(games.loss.value, abs=1e-4)


def test_commands_measure_keep_an_entry_and_make_the_table(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    where = ["--folder", str(folder), "--games", "3", "--positions", "20"]
    assert main(["rl", "measure", "random", *where, "--out", str(folder / "random.json")]) == 0
    assert main(["rl", "measure", "level:1", *where, "--name", "one", "--out", str(folder / "one.json")]) == 0
    told = capsys.readouterr().out
    assert told.count("| random |") == told.count("| one |") == 2
    assert main(["rl", "leaderboard", "--folder", str(folder)]) == 0
    table = capsys.readouterr().out
    assert table.count("| random |") == table.count("| one |") == 2 and "### palindromes m=4" in table
    page = folder / "page.md"
    page.write_text(f"# Mine\n\n{MARK}\nold\n")
    assert main(["rl", "leaderboard", "--folder", str(folder), "--out", str(page)]) == 0
    assert page.read_text() == f"# Mine\n\n{MARK}\n\n{table}"
    for _ in range(2):  # a page that it makes, and finds again
        assert main(["rl", "leaderboard", "--folder", str(folder), "--out", str(folder / "new.md")]) == 0
        assert (folder / "new.md").read_text() == f"{MARK}\n\n{table}"
    assert main(["rl", "leaderboard", "--folder", str(folder), "--out", "-"]) == 0
    assert capsys.readouterr().out == table
    assert main(["rl", "leaderboard", "--folder", str(folder), "--json"]) == 0
    assert [one["agent"] for one in json.loads(capsys.readouterr().out)] == ["one", "random"]
    assert main(["rl", "measure", "random", "palindromes", "m=3", *where]) == 0
    assert capsys.readouterr().out.startswith("### palindromes m=3\n\nPositions: reachable.")
    assert main(["rl", "measure", "random", "up-and-up", "n=3", *where]) == 0  # as the table has it
    assert capsys.readouterr().out.startswith("### up-and-up n=3\n\nPositions: random.")

    def interrupted(*given: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("quet.rl.leaderboard.measured", interrupted)
    assert main(["rl", "measure", "random", *where, "--out", str(folder / "other.json"), "--json"]) == 130
    assert json.loads(capsys.readouterr().out) == {"agent": "random", "status": "stopped"}
    assert not (folder / "other.json").exists()


@pytest.mark.parametrize("content", [b"# Mine\n", b"", b"\xff" + MARK.encode(), None])
def test_a_file_that_is_no_page_for_the_table_stays(
    content: bytes | None, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = folder / "page.md"
    page.mkdir() if content is None else page.write_bytes(content)
    assert main(["rl", "leaderboard", "--folder", str(folder), "--out", str(page)]) == 2
    assert capsys.readouterr().err.startswith(f"quet: {page}: It ")
    assert page.is_dir() if content is None else page.read_bytes() == content


def test_a_row_does_not_depend_on_the_sizes_that_were_measured_before(folder: Path) -> None:
    where = ["--folder", str(folder), "--games", "3", "--positions", "20", "--out"]
    for name in ("random", "level:1"):
        assert main(["rl", "measure", name, *where, str(folder / "all.json")]) == 0
        assert main(["rl", "measure", name, "up-and-up", "n=3", *where, str(folder / "one.json")]) == 0
        rows = [json.loads((folder / f"{each}.json").read_text())["tasks"][-1] for each in ("all", "one")]
        assert rows[0] | {"cpu_seconds": 0} == rows[1] | {"cpu_seconds": 0}


def test_what_an_entry_cannot_have_is_refused_before_anything_is_measured(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("quet.rl.leaderboard._row", None)
    where = ["--folder", str(folder), "--out", str(folder / "bad.json")]
    for about in ("a\nb", "a" * 1001, "\udcff"):
        assert main(["rl", "measure", "random", "palindromes", "m=4", *where, "--about", about]) == 2
        assert capsys.readouterr().err.startswith("quet: What an agent is stands in one line of at most 1000 ")
    game = quet.new("sequence-ascension", n=4, sequence=",".join(["123456789"] * 64))
    with pytest.raises(entries.BadEntry, match="Parameters of entries are integers, or sequences"):
        leaderboard.measured(agent(first), [leaderboard.Task(game)], about="", seed=1)
    assert not (folder / "bad.json").exists() and leaderboard.entries(folder) == []


def test_an_entry_may_be_of_a_size_with_a_sequence() -> None:
    task = leaderboard.Task(quet.new("sequence-ascension", n=2, sequence="1,1,2,3"))
    entry = leaderboard.measured(agent(first), [task], about="", seed=1, positions=5, num_games=1)
    assert entries.read(leaderboard.text(entry).encode()) == entry
    assert leaderboard.table([entry], [task]).startswith("### sequence-ascension n=2 sequence=1,1,2,3\n")


def test_own_play_is_judged_in_proportion_to_the_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    num_asked, told = 0, list[str]()
    moves = Oracle.moves

    def counted(known: Oracle, position: quet.Game) -> dict[str, int]:
        nonlocal num_asked
        num_asked += 1
        return moves(known, position)

    monkeypatch.setattr(Oracle, "moves", counted)
    task = leaderboard.Task(quet.new("up-and-up", n=3), "random")
    for positions, own in ((1, 3), (4, 12), (300, 30 * 8)):
        num_asked = 0
        entry = leaderboard.measured(
            agent(first),
            [task],
            about="",
            seed=1,
            positions=positions,
            num_games=1,
            report=lambda done, total, words: told.append(f"{done} of {total} {words}"),
        )
        rows: Any = entry["tasks"]
        assert rows[0]["own_positions"] <= own and num_asked == positions + rows[0]["own_positions"]
    assert told[:2] == ["0 of 1 sizes measured, up-and-up next"] + [
        "0 of 1 sizes measured, up-and-up next: move 1 chosen"
    ]
    assert "0 of 1 sizes measured, up-and-up next: 0 of 1 positions judged" in told
    assert "0 of 1 sizes measured, up-and-up next: 3 of 12 positions judged" in told
    assert "0 of 1 sizes measured, up-and-up next: 0 of 1 games against perfect play over" in told
    assert re.fullmatch("0 of 1 sizes measured, up-and-up next: move [1-9][0-9]* chosen", told[-1])


def test_an_agent_without_a_worst_game_keeps_its_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*given: object, **named: object) -> None:
        raise NotSolved("first lets the game go on for ever.")

    monkeypatch.setattr(leaderboard, "weak_strength", endless)
    task = leaderboard.Task(quet.new("palindromes", m=3))
    entry = leaderboard.measured(agent(first), [task], about="", seed=1, positions=5, num_games=1)
    rows: Any = entry["tasks"]
    assert [(seat["worst"], seat["line"]) for seat in rows[0]["seats"]] == [(None, ""), (None, "")]
    assert entries.read(leaderboard.text(entry).encode()) == entry
    assert "| ?, ? |" in leaderboard.table([entry], [task])


def test_the_best_stand_first_and_a_perfect_one_is_seen() -> None:
    task = leaderboard.Task(quet.new("palindromes", m=4))
    oracle = quet.player("level:perfect", seed=1)
    found = [leaderboard.measured(who, [task], about="", seed=1, num_games=3) for who in (agent(first), agent(oracle))]
    lines = leaderboard.table(found, [task]).splitlines()[6:]
    assert lines[0].startswith("| PerfectPlayer | 100 % | 100 % | 0.00 | 100 % | 0.00 | 0.00 | **-2**, **-2** |")
    assert lines[1].startswith("| first |")


def test_the_table_says_what_each_agent_is_and_where_it_is_in_one_size_only() -> None:
    small, large = (leaderboard.Task(quet.new("palindromes", m=m)) for m in (2, 3))
    one = leaderboard.measured(agent(first), [small], about="trained a second", seed=1, num_games=1)
    both = leaderboard.measured(agent(first), [small, large], about="not trained", seed=1, num_games=1)
    told = leaderboard.table([one, both, one | {"about": ""}], [small, large])
    assert told.endswith("\n### What they are\n\n- first in palindromes m=2: trained a second\n- first: not trained\n")
    assert "What they are" not in leaderboard.table([one | {"about": ""}], [small])


def test_the_task_of_a_size_is_that_of_the_table_or_positions_of_random_games(folder: Path) -> None:
    listed, other = (leaderboard.task(quet.new("palindromes", m=m), folder) for m in (4, 5))
    assert (listed.positions, other.positions, other.game.parameters) == ("reachable", "random", {"m": 5})


def test_other_sizes_are_listed_where_that_takes_some_seconds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert leaderboard.task(quet.new("palindromes", m=5), folder, may_list=True).positions == "reachable"
    monkeypatch.setattr(leaderboard, "MOST_LISTED", 100)  # of the 243 that there are
    assert leaderboard.task(quet.new("palindromes", m=5), folder, may_list=True).positions == "random"


def test_a_size_may_begin_after_some_moves(folder: Path) -> None:
    words = '[["palindromes", {"m": 4}, "reachable", "1=0 4=0"]]'
    (folder / "tasks.json").write_text(words)
    task = leaderboard.task(quet.new("palindromes", m=4), folder)
    assert (task.game.moves, task.positions) == (["1=0", "4=0"], "reachable")
    entry = leaderboard.measured(agent(first), [task], about="", seed=1, positions=100, num_games=2)
    rows: Any = entry["tasks"]
    assert rows[0]["opening"] == "1=0 4=0"
    assert rows[0]["num"] == 5  # as it stands, and each of the two squares left with either digit
    found = measure.weak_strength(first, task.game, player=2)
    assert (rows[0]["seats"][1]["worst"], rows[0]["seats"][1]["value"]) == (found.worst, found.value)
    (folder / "first.json").write_text(leaderboard.text(entry))
    assert leaderboard.entries(folder) == [entry]
    told = leaderboard.table([entry], [task])
    assert told.startswith("### palindromes m=4\n\nPositions: reachable, after 1=0 4=0.\n") and "| first |" in told
    assert "first" not in leaderboard.table([entry], [leaderboard.Task(quet.new("palindromes", m=4))])
    rows[0]["opening"] = "1=0 1=0"
    with pytest.raises(entries.BadEntry):
        entries.read(leaderboard.text(entry).encode())


SEAT_WITHOUT_WORST = {"keeps_result": [1.0, 1.0, 1.0], "loss": [1.0, 1.0, 1.0], "value": 0, "line": ""}
PERFECT = {
    "keeps_result": [1.0, 1.0, 1.0],
    "loss": [0.0, 0.0, 0.0],
    "value": -2,
    "worst": -2,
    "line": "1=0 4=0 2=0 3=1",
}


def entry(**changed: object) -> bytes:
    """A good entry with something changed."""
    three = [1.0, 1.0, 1.0]
    seat = {"keeps_result": three, "loss": three, "value": 0, "worst": None, "line": ""}
    names = ("keeps_result", "keeps_margin", "own_keeps_margin")
    row = {
        "game": "palindromes",
        "parameters": {"m": 4},
        "positions": "reachable",
        "num": 20,
        "regret": [0.0, 0.0, 0.0],
        "own_positions": 9,
        "seats": [seat, seat],
        "cpu_seconds": 1.5,
    }
    made = {
        "format": 1,
        "agent": "x",
        "about": "y",
        "quet": "0.1.0",
        "seed": 1,
        "tasks": [row | dict.fromkeys(names, three)],
    }
    for name, value in changed.items():
        (made if name in made else made["tasks"][0])[name] = value  # type: ignore[index]
    return json.dumps(made).encode()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "line 1: "),
        (b"[]", "It is no entry of an agent."),
        (entry(format=2), "It is no entry of an agent."),
        (entry(format=True), "It is no entry of an agent."),
        (entry(format=1.0), "It is no entry of an agent."),
        (entry(quet=None), "What was measured isn't whole."),
        (entry(quet="0.1\n"), "What was measured isn't whole."),
        (entry(seed=-1), "What was measured isn't whole."),
        (entry(num=0), "What was measured isn't whole."),
        (entry(num=None), "What was measured isn't whole."),
        (entry(num=20.0), "What was measured isn't whole."),
        (entry(num=10**7), "What was measured isn't whole."),
        (entry(own_positions=0), "What was measured isn't whole."),
        (entry(seats=[SEAT_WITHOUT_WORST | {"worst": None, "line": 5}] * 2), "What was measured isn't whole."),
        (entry(agent=""), "An agent's name has from 1 to 60 printable characters."),
        (entry(agent="a|b"), "An agent's name has "),
        (entry(agent=5), "An agent's name has "),
        (entry(about=5), "What an agent is stands in one line of at most 1000 printable characters."),
        (entry(about="two\nlines"), "What an agent is stands in one line "),
        (entry(about="y" * 1001), "What an agent is stands in one line "),
        (entry(tasks=5), "What was measured isn't whole."),
        (entry(tasks=[5]), "What was measured isn't whole."),
        (entry(seats=[]), "What was measured isn't whole."),
        (entry(seats=[5]), "What was measured isn't whole."),
        (entry(seats=[{}]), "What was measured isn't whole."),
        (entry(seats=[SEAT_WITHOUT_WORST]), "What was measured isn't whole."),
        (entry(seats=[SEAT_WITHOUT_WORST | {"worst": 10**3990}]), "What was measured isn't whole."),
        (entry(seats=[SEAT_WITHOUT_WORST | {"worst": None, "value": -(10**3990)}]), "What was measured isn't whole."),
        (entry(seats=[SEAT_WITHOUT_WORST | {"worst": True}]), "What was measured isn't whole."),
        (entry(regret=[1, 2]), "What was measured isn't whole."),
        (entry(regret=["a", 1, 2]), "What was measured isn't whole."),
        (entry(regret=[True, 1, 2]), "What was measured isn't whole."),
        (entry(keeps_result=[1.0, 10**400, 1.0]), "What was measured isn't whole."),
        (entry(seats=[SEAT_WITHOUT_WORST | {"worst": None}]), "What was measured isn't whole."),
        (entry(positions="play"), "What was measured isn't whole."),
        (entry(positions=None), "What was measured isn't whole."),
        (entry(cpu_seconds="a"), "What was measured isn't whole."),
        (entry(cpu_seconds=10**400), "What was measured isn't whole."),
        (entry(cpu_seconds=-(10**400)), "What was measured isn't whole."),
        (entry(cpu_seconds=-0.1), "What was measured can't be true: "),
        (entry(keeps_margin=[7.0, 5, 9]), "What was measured can't be true: "),
        (entry(own_keeps_margin=[-0.5, -1, 0]), "What was measured can't be true: "),
        (entry(keeps_result=[0.5, 0.6, 0.7]), "What was measured can't be true: "),
        (entry(regret=[-1, -1, -1]), "What was measured can't be true: "),
        (
            entry(seats=[SEAT_WITHOUT_WORST | {"worst": None, "loss": [2, 0, 1]}] * 2),
            "What was measured can't be true: ",
        ),
        (
            entry(keeps_result=[0.5] * 3),
            "What was measured can't be true: a move that keeps the margin keeps the result",
        ),
        (
            entry(game="up-and-up", parameters={"n": 3}, keeps_margin=[0.5] * 3, regret=[1] * 3, seats=[PERFECT]),
            "What was measured can't be true: a move that keeps the margin keeps the result, and in a solitaire",
        ),
        (entry(keeps_margin=[0.5] * 3), "What was measured can't be true: who doesn't keep the margin or the result "),
        (entry(keeps_margin=[0.5] * 3, regret=[0.4] * 3), "What was measured can't be true: who doesn't keep "),
        (
            entry(regret=[1, 1, 1]),
            "What was measured can't be true: who doesn't keep the margin or the result gives a ",
        ),
        (
            entry(seats=[PERFECT | {"keeps_result": [0.5] * 3}, PERFECT]),
            "What was measured can't be true: who doesn't keep the margin or the result gives a point away at least, ",
        ),
        (
            entry(seats=[PERFECT | {"worst": 1000}, PERFECT]),
            "What was measured can't be true: as player 1 the worst end is 1000, and the game is worth -2.",
        ),
        (
            entry(seats=[PERFECT, PERFECT | {"worst": -10}]),
            "What was measured can't be true: as player 2 the worst end is -10, and the game is worth -2.",
        ),
        (entry(seats=[PERFECT, PERFECT | {"line": "zzz"}]), "'zzz'"),
        (entry(seats=[PERFECT, PERFECT | {"line": "1=0"}]), "The line of player 2 is no game that ends with -2."),
        (entry(seats=[PERFECT, PERFECT | {"worst": 10}]), "The line of player 2 is no game that ends with 10."),
        (entry(tasks=json.loads(entry())["tasks"] * 2), "palindromes m=4 is in it twice."),
        (entry(positions="random"), "The positions of palindromes m=4 are reachable in the table, not random."),
        (entry(game="chess"), "There is no game 'chess'"),
        (entry(game=5), "It is no list of games"),
        (entry(parameters={"m": "file:/etc/passwd"}), "Parameters of entries are integers, or sequences "),
        (entry(parameters={"m": "4" * 201}), "Parameters of entries are integers, or sequences "),
        (entry(parameters={"m": 99}), "m must be"),
    ],
)
def test_a_bad_entry_is_refused_in_a_sentence(
    content: bytes, sentence: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.json").write_bytes(entry())
    assert len(leaderboard.entries(folder)) == 1
    (folder / "bad.json").write_bytes(content)
    with pytest.raises(entries.BadEntry) as caught:
        leaderboard.entries(folder)
    assert str(caught.value).startswith(f"bad.json: {sentence}")
    assert main(["rl", "leaderboard", "--folder", str(folder)]) == 2
    assert capsys.readouterr().err.startswith(f"quet: bad.json: {sentence}")


def test_what_can_just_be_true_is_read() -> None:
    """Numbers are rounded, and of many positions a share may seem to be all."""
    for changed in (
        {"keeps_margin": [0.3333, 0.1, 0.5], "regret": [0.6667, 0.5, 0.8]},
        {"num": 100_000, "regret": [0.0002, 0.0, 0.0004]},
        {"num": 160, "keeps_margin": [0.9938, 0.9, 1.0], "regret": [0.0063, 0.0, 0.1]},  # one missed, by a point
        {"num": 160, "keeps_margin": [0.9812, 0.9, 1.0], "regret": [0.0187, 0.0, 0.1]},  # three
        {"seats": [PERFECT, PERFECT | {"worst": 10, "line": "1=0 2=0 3=0 4=0"}]},
    ):
        assert entries.read(entry(**changed))


def test_an_agent_is_in_one_file_only_with_a_size(folder: Path) -> None:
    for name in "ab":
        (folder / f"{name}.json").write_bytes(entry())
    with pytest.raises(entries.BadEntry, match=r"^b\.json: x in palindromes m=4 is in a\.json too\.$"):
        leaderboard.entries(folder)


@pytest.mark.parametrize("value", [99, 0])
def test_entries_agree_on_what_a_game_is_worth(folder: Path, value: int) -> None:
    other = entry(seats=[SEAT_WITHOUT_WORST | {"worst": None, "value": 99}] * 2)
    for name, content in zip("ab" if value == 99 else "ba", (entry(), other), strict=True):
        (folder / f"{name}.json").write_bytes(content)
    sentence = rf"b\.json: It says that palindromes m=4 is worth {value}; a\.json says {99 - value}\."
    with pytest.raises(entries.BadEntry, match=sentence):
        leaderboard.entries(folder)


def test_a_size_that_the_table_has_not_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "a.json").write_bytes(entry(agent="other", parameters={"m": 3}))
    (folder / "b.json").write_bytes(entry(opening="1=0"))
    (folder / "c.json").write_bytes(entry())
    (folder / "d.json").write_bytes(entry(agent="same", parameters={"m": "4"}))  # which is the size of the table
    assert main(["rl", "leaderboard", "--folder", str(folder)]) == 0
    out, error = capsys.readouterr()
    left = "other in palindromes m=3, x in palindromes m=4 after 1=0"
    assert error == f"quet: The table leaves out what is of no size in tasks.json: {left}.\n"
    assert out.count("| x |") == 1 and "other" not in out.partition("### What they are")[0]


ENGINE = """
import sys
for line in sys.stdin:
    words = line.split()
    if words[0] == "position":
        taken = {move[0] for move in words[3:]}
    print({"ugi": "ugiok", "go": "bestmove"}.get(words[0], "ok"), end=" " if words[0] == "go" else "\\n", flush=True)
    if words[0] == "go":
        print(min(set("123") - taken) + "=0", flush=True)
"""


def test_it_is_told_how_many_moves_an_engine_chose_and_its_cpu_is_not_known(tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text(ENGINE)
    told: list[str] = []
    task = leaderboard.Task(quet.new("palindromes", m=3))
    with UgiAgent(f"{sys.executable} {tmp_path / 'engine.py'}", name="it") as engine:
        found = leaderboard.measured(
            engine, [task], about="", seed=1, positions=5, num_games=2, report=lambda _, __, words: told.append(words)
        )
    begin = "sizes measured, palindromes next: "
    assert [f"{begin}move {k} chosen" for k in range(1, 6)] == told[1:6]
    rows: Any = found["tasks"]
    assert rows[0]["cpu_seconds"] is None
    assert entries.read(leaderboard.text(found).encode()) == found
    assert leaderboard.table([found], [task]).splitlines()[6].endswith("| ? |")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("train", "quet rl takes measure or leaderboard."),
        ("leaderboard x", "quet rl leaderboard takes no more words"),
        ("leaderboard --games 3", "--games has no meaning with quet rl leaderboard; quet rl --help tells more."),
        ("leaderboard --about x", "--about has no meaning with quet rl leaderboard;"),
        ("measure random palindromes m=4 --folder nowhere", "There is no nowhere/tasks.json, which lists the sizes"),
        ("measure", "Name an agent, as in quet rl measure level:3."),
        ("measure level:9", "There is no computer player 'level:9'"),
        ("measure random --games 0", "The number of games must be from 1 to 100000."),
        ("measure random palindromes m=99", "m must be "),
        ("measure nothing.onnx", "There is no file 'nothing.onnx'."),
        ("measure random --name |", "An agent's name has "),
        ("measure random --go sims", "--go is for engines, ugi:COMMAND."),
        ("measure ugi:x --go sims", "An engine chooses by a command such as go movetime 100, not 'sims'."),
        ("measure ugi:", "Name the command of the engine, as in ugi:quet ugi."),
        ("leaderboard --folder nowhere", "There is no nowhere/tasks.json, which lists the sizes of the table; "),
        ("measure random --folder nowhere", "There is no nowhere/tasks.json, which lists the sizes of the table; "),
    ],
)
def test_bad_words_are_refused_in_a_sentence(
    words: str, sentence: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    given = words.split() if "--folder" in words else [*words.split(), "--folder", str(folder)]
    assert main(["rl", *given]) == 2
    assert capsys.readouterr().err.startswith(f"quet: {sentence}")


@pytest.mark.parametrize(
    "content",
    [
        *(b"5", b"[5]", b"[[1, 2]]", b'[["palindromes", {}, "play"]]', b'[[1, 2, "random"]]'),
        *(b'[["palindromes", {"m": 2}, "random", %s]]' % moves for moves in (b"1", b'"1=0 1=1"', b'"1=0 2=0"', b'"x"')),
    ],
)
def test_bad_tasks_are_refused(content: bytes) -> None:
    assert len(leaderboard.read_tasks(TASKS.encode())) == 2
    with pytest.raises(entries.BadEntry):
        leaderboard.read_tasks(content)


def test_the_pictures_are_those_of_the_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = ROOT / "docs" / "pictures"
    monkeypatch.syspath_prepend(os.fspath(pictures))
    page = (ROOT / "docs" / "learned-agents.md").read_text()
    for name, picture in importlib.import_module("agents").pictures().items():
        assert (pictures / name).read_text() == picture, "python docs/pictures/agents.py draws them anew"
        assert f"](pictures/{name})" in page


LEARNERS = ("alphazero", "dqn", "ppo", "qlearner")
SIZES = [f"{task.game.id}-{next(iter(task.game.parameters.values()))}" for task in leaderboard.tasks(ROOT / "agents")]


def curve(stem: str) -> list[list[str]]:
    """What a learner did, the seconds of CPU, the percent of positions in which it kept the margin, perhaps more."""
    file = ROOT / "agents" / "curves" / f"{stem}.tsv"
    return [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("size", SIZES)
def test_all_learners_have_a_curve_over_the_same_time_of_training(size: str) -> None:
    asked = set()
    for learner in LEARNERS:
        entry = entries.read((ROOT / "agents" / f"{learner}-{size}.json").read_bytes())
        minutes, done, used = re.findall(r"--minutes (\S+) .*: (\d+) \w+, (\d+) s of CPU", entry["about"])[0]
        asked.add(minutes)
        first, *lines = curve(f"{learner}-{size}")
        assert first[:2] == ["0", "0.0"], "before any training"
        seconds, most = [float(line[1]) for line in lines], 60 * float(minutes)
        assert len(lines) >= 5 and seconds == sorted(set(seconds)) and most <= seconds[-1] < most + 8, learner
        assert seconds[1] < most / 2, "the points are spread over the time"
        assert all(0 <= float(line[2]) <= 100 for line in (first, *lines))
        assert done == lines[-1][0] and int(used) == pytest.approx(seconds[-1], abs=0.6)
    assert len(asked) == 1, "the comparison is fair"


def test_there_is_no_curve_without_an_entry() -> None:
    files = {file.stem for file in (ROOT / "agents" / "curves").iterdir()}
    assert files <= {file.stem for file in (ROOT / "agents").glob("*.json")}


@pytest.mark.parametrize("file", sorted((ROOT / "agents").glob("alphazero-longer-*.json")), ids=lambda file: file.stem)
def test_longer_training_ends_when_no_reply_beats_the_agent_or_has_five_points(file: Path) -> None:
    entry = entries.read(file.read_bytes())
    *_, last = lines = curve(file.stem)
    is_perfect = all(one.split(" of ")[0] == one.split(" of ")[1] for one in last[4].split(", "))
    assert is_perfect == ("no reply beats it" in entry["about"])
    assert all(seat["worst"] == seat["value"] for seat in entry["tasks"][0]["seats"]) is is_perfect
    assert is_perfect or len(lines) >= 5


def test_the_page_has_the_table_of_the_entries() -> None:
    folder = ROOT / "agents"
    table = leaderboard.table(leaderboard.entries(folder), leaderboard.tasks(folder))
    page = (ROOT / "docs" / "truth.md").read_text()
    assert page.partition(MARK)[2].strip() == table.strip()
    assert {one["agent"] for one in leaderboard.entries(folder)} >= {"random", *(f"level:{k}" for k in range(1, 8))}


def test_only_whom_nothing_beat_is_bold_and_only_all_is_100_percent() -> None:
    seat = {"worst": 9, "value": 9, "loss": [0.0, 0.0, 0.0]}
    assert leaderboard._worst(seat) == "**9**"
    assert leaderboard._worst(seat | {"loss": [0.5, 0.2, 0.8]}) == "9 of 9"
    assert leaderboard._worst(seat | {"worst": 8}) == "8 of 9"
    shares = [[1.0, 1.0, 1.0], [0.997, 0.98, 1.0], [0.998, 0.9965, 0.9999], [0.0, 0.0, 0.0]]
    assert [*map(leaderboard._percent, shares)] == ["100 %", "99 % [98, 100]", "99 % [99, 100]", "0 %"]
