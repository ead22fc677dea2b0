"""The command line: what each command prints, and one sentence with status 2 for bad input."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import quet
from quet.cli import commands, show
from quet.cli import main as cli
from quet.cli.arguments import parser
from quet.core.sequences import NAMED
from quet.draw.scene import Scene
from quet.terminal.app import QuetApp

SAMPLE = """\
o o * o o o o o o o o o/o o * * o o * * o o o o/o o o * * o * * o * * */o o o o * * * * * * o */
o o o * * * * o o * * */o o o * o o * o * * * o/o * * * * * * * o o * o/o * o o * * o * * o * */
* * o o * * * * o o * */* o o o * o o * * o * o/* * o * * * o o o * * */o o o o o * * o * * * o"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A file with two records."""
    file = tmp_path / "games.quet"
    first = quet.new("palindromes", m=4)
    for move in ("1=0", "2=0", "3=1", "4=1"):
        first.play(move)
    second = quet.new("blob", n=3)
    second.play("b2")
    file.write_text(quet.Record.of(first).text() + "\n" + quet.Record.of(second).text())
    return file


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command prints that ends well."""
    assert cli.main(list(words)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    for command in "games rules play score replay show analyse arena check new-game ugi".split():
        assert f"\n    {command} " in shown


@pytest.mark.parametrize("command", "games rules play replay show analyse arena check new-game ugi score".split())
def test_every_command_has_help(command: str) -> None:
    done = subprocess.run([sys.executable, "-m", "quet", command, "--help"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("usage: quet")
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("play blob --plain n=3 --seed 4", {"game": "blob", "parameters": ["n=3"], "seed": 4}),
        ("play --plain blob n=3", {"game": "blob", "parameters": ["n=3"]}),
        ("dataset blob n=3 --positions 3 --out x.npz k=4", {"game": "blob", "parameters": ["n=3", "k=4"]}),
        ("arena blob --players random,level:1 n=3", {"game": "blob", "parameters": ["n=3"]}),
        ("results blob --lowest n=3", {"what": "blob", "words": ["n=3"]}),
        ("rl measure level:1 --games 3 blob n=3", {"what": "measure", "words": ["level:1", "blob", "n=3"]}),
        ("puzzles make --count 3 blob", {"what": "make", "game": "blob"}),
        ("verify a --json -", {"files": ["a", "-"], "json": True}),
        ("verify -- --json", {"files": ["--json"], "json": False}),
    ],
)
def test_options_may_stand_before_between_and_behind_other_words(line: str, expected: dict[str, object]) -> None:
    found = vars(parser().parse_args(line.split()))
    assert {name: found[name] for name in expected} == expected


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys; from quet.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'textual', 'PIL', 'numpy', 'numba', 'importlib.metadata', 'tomllib'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)


def test_games_lists_all_with_their_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(said(capsys, "games", "--json"))
    assert [game["game"] for game in listed] == quet.game_ids()
    blob = listed[0]
    assert blob["parameters"] == [
        {"name": "n", "meaning": "side of the grid", "default": 8, "usual": "8 or more", "low": 2, "high": 20}
    ]
    text = said(capsys, "games")
    assert all(f"{id}: " in text for id in quet.game_ids())


def test_rules_show_the_rulings_and_the_source(our_game_id: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "rules", our_game_id)
    assert "Source: " in text
    assert quet.new(our_game_id).entry.author in text
    data = json.loads(said(capsys, "rules", our_game_id, "--json"))
    assert data["rules"]
    for name in data["rulings"]:
        assert f"{name}: " in text


def test_rules_say_what_each_name_of_a_sequence_means(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(said(capsys, "rules", "sequence-ascension").split())
    assert "- divisors: how many divisors 1, 2, 3, ... have: 1, 2, 2, 3, 2, 4, 2, 4, ..." in text
    assert all(f"- {name}: {one.about}: " in text for name, one in NAMED.items())
    assert "- random:SEED:LOW:HIGH: random integers from LOW to HIGH" in text
    assert "How a sequence is written" not in said(capsys, "rules", "blob")


def test_score_gives_what_scripts_rely_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(said(capsys, "score", "palindromes", "1001001101000100", "--json"))["scores"] == [24, 46]
    assert json.loads(said(capsys, "score", "sums-grid", "2 9 8/3 1 10/7 6 15", "--json"))["scores"] == [19]
    assert json.loads(said(capsys, "score", "blob", SAMPLE, "--json"))["scores"] == [3, 5]


def test_score_reads_standard_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "quet", "score", "blob", "--json"],
        input=SAMPLE,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["scores"] == [3, 5]


def test_replay_prints_how_each_record_ends(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "replay", str(record))
    assert "Record 1 of 2" in text
    assert "Unfinished after 1 move." in text
    data = json.loads(said(capsys, "replay", str(record), "--json"))
    assert [game["scores"] for game in data] == [[4, 6], [3, 3]]
    assert [game["is_over"] for game in data] == [True, False]
    assert [game["winners"] for game in data] == [[2], []]
    steps = said(capsys, "replay", str(record), "--steps")
    assert "3. 3=1 (player 1)" in steps and steps.startswith("Record 1 of 2\n")
    assert f"\n\nRecord 2 of 2\n{quet.new('blob', n=3)}\n\n1. b2 (player 1)\n" in steps
    last = str(quet.load(record)[1].game)
    assert steps.count(last) == 1 and steps.endswith(f"{last}\nUnfinished after 1 move.\n")


def test_replay_lists_the_variations_of_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tree.quet"
    head = '[Game "palindromes"]\n[Rules "1"]\n[m "4"]\n[Result "*"]\n\n'
    file.write_text(head + "1. 1=0 2. 2=0 (2. 4=0 {better} 3. 2=0 (3. 3=1)) (2. 4=1)\n*")
    listed = said(capsys, "replay", str(file), "--variations").partition("Variations:\n")[2]
    assert listed.splitlines() == ["  2. 4=0 {better} 3. 2=0", "    3. 3=1", "  2. 4=1"]


def test_show_draws_every_kind_of_picture(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    beginnings = {"x.svg": b"<svg", "x.png": b"\x89PNG", "x.gif": b"GIF8"}
    for name, beginning in beginnings.items():
        assert said(capsys, "show", str(record), "--ply", "2", "-o", str(tmp_path / name)) == ""
        assert (tmp_path / name).read_bytes().startswith(beginning)
    still = (tmp_path / "x.svg").read_text()
    said(capsys, "show", str(record), "--animate", "-o", str(tmp_path / "x.svg"))
    assert (tmp_path / "x.svg").read_text() != still
    assert said(capsys, "show", str(record), "--game", "2").strip()


def test_of_a_long_record_some_positions_are_drawn_and_no_others(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn: list[int] = []
    scene = quet.Game.scene

    def noted(game: quet.Game, *, legal: bool) -> Scene:
        drawn.append(game.ply)
        return scene(game, legal=legal)

    monkeypatch.setattr(quet.Game, "scene", noted)
    monkeypatch.setattr(show, "MOST_FRAMES", 3)
    for output, plies in (("x.gif", [0, 2, 4]), ("x.svg", [4])):
        said(capsys, "show", str(record), "-o", str(tmp_path / output))
        assert drawn == plies
        drawn.clear()


def test_check_says_what_it_checked(capsys: pytest.CaptureFixture[str]) -> None:
    checked, _, about = said(capsys, "check", "palindromes").partition("\n\n")
    lines = checked.splitlines()
    assert len(lines) >= 12
    assert {line[:6] for line in lines} == {"ok    ", "-     "}
    assert "-     plans lead to the end: nothing to try" in lines  # Palindromes has no plan.py
    assert "ok    own solvers are right" in lines
    assert about.startswith("Roles of its pictures: ")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["rules"], "the following arguments are required: GAME"),
        (["solve"], "the following arguments are required: GAME; "),
        (["rl"], "the following arguments are required: measure|leaderboard; "),
        (["rules", "nim"], "There is no game 'nim'"),
        (["rules", "../blob"], "There is no game"),
        (["play", "--plain"], "Name a game"),
        (["play", "blob", "n=99", "--plain"], "n must be from 2 to 20, not '99'."),
        (["play", "blob", "n", "--plain"], "'n' is not a parameter"),
        (["play", "blob", "--plain", "--seat", "nobody"], "There is no player 'nobody'; there is person, random,"),
        (["play", "blob", "--plain", "--clock", "ten"], "The clock is MINUTES"),
        (["play", "blob", "--plain", "--clock", "0"], "The clock is MINUTES"),
        (["play", "blob", "--plain", "--clock", "0.5"], "whole numbers, from 1 to 10000 minutes"),
        (["play", "up-and-up", "--plain", *["--seat", "person"] * 2], "has 1 player here, not 2."),
        (["play", "blob"], "needs a terminal"),
        (["score"], ""),
        (["score", "nim", "1"], "There is no game 'nim'"),
        (["score", "palindromes", "10x1"], ""),
        (["score", "blob", "o o/o"], ""),
        (["score", "plusses-minuses", "--"], ""),
        (["score", "blob", "--jsn", "o o/o o"], "There is no option '--jsn'"),
        (["score", "divisors-multiples", "R=3"], "There is no parameter 'R'"),
        (["new-game", "blob"], "There is a game blob already."),
        (["games", "a\nb"], "a\\nb"),
        (["play", "blob", "--plain", "--seed", "1_0"], "'1_0' is not an integer"),
        (["replay", "no-such-file"], "no-such-file"),
        (["replay", "."], ""),
        (["show", "no-such-file", "-o", "x.svg"], "no-such-file"),
        (["puzzles", "blob", "--out", "x"], "--out has no meaning with quet puzzles GAME; quet puzzles --help tells"),
        (["puzzles", "check", "blob", "--count", "0"], "--count has no meaning with quet puzzles check;"),
        (["puzzle", "blob", "--number", "3", "--seed", "4"], "--seed has no meaning with quet puzzle --number;"),
        (["learn", "--step", "3"], "--step has no meaning with quet learn without a game;"),
        (["play", "blob", "--plain", "--theme", "light"], "--theme has no meaning with quet play --plain;"),
        (["play", "blob", "--load", "x"], "The game is the one that --load names; leave GAME out."),
        (["play", "--load", "x", "--seat", "random"], "--seat has no meaning with quet play --load;"),
        (["play", "--load", "x", "--plain"], "x: It can't be read: no such file"),
        (["play", "--load", "-"], "Standard input is where the commands come from; name a file."),
        (["daily", "--puzzle", "--theme", "light"], "--theme has no meaning with quet daily --puzzle;"),
        (["daily", "--json", "--theme", "light"], "--theme has no meaning with quet daily --json;"),
        (["replay", "x", "--steps", "--json"], "--steps has no meaning with quet replay --json;"),
        (["check", "nim"], "There is no game 'nim'"),
        (["new-game", "Not A Name"], "can't name a game"),
        (["new-game", "class"], "'class' can't name a game: it is a word of Python."),
        (["play", "blob", "--plain", "--seed", "9" * 26], "is too large"),
        (["games", "--yaml"], "unrecognized arguments: --yaml"),
        (["ugi", "now"], "unrecognized arguments: now"),
    ],
)
def test_bad_input_gets_one_sentence_and_status_2(words: list[str], reason: str) -> None:
    done = subprocess.run([sys.executable, "-m", "quet", *words], input="", capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("quet: ")
    assert reason.lower() in done.stderr.lower()


@pytest.mark.parametrize(
    "words",
    [
        ["--ply", "9"],
        ["--ply", "-1"],
        ["--ply", "x"],
        ["--game", "3"],
        ["-o", "x.bmp"],
        ["-o", "x"],
        ["-o", "no/x.svg"],
    ],
)
def test_show_refuses_what_is_not_there(words: list[str], record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["show", str(record), *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1


def test_one_record_and_one_move_are_not_told_in_the_plural(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record.write_text(quet.Record.of(quet.new("blob", n=3).after("b2")).text())
    assert cli.main(["show", str(record), "--theme", "dark"]) == 2
    assert capsys.readouterr().err.startswith("quet: --theme has no meaning with quet show without --output;")
    assert cli.main(["show", str(record), "--game", "5"]) == 2
    assert capsys.readouterr().err == "quet: The file has 1 record; there is no record 5.\n"
    assert cli.main(["show", str(record), "--ply", "2"]) == 2
    assert capsys.readouterr().err == "quet: The record has 1 move; there is no ply 2.\n"


def test_a_damaged_record_says_file_line_and_move(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record.write_text(record.read_text().replace("3. 3=1", "3. 2=1"))
    assert cli.main(["replay", str(record)]) == 2
    assert f"quet: {record}, line 6, move 3: Square 2 holds a 0 already." in capsys.readouterr().err


def test_a_reader_that_goes_away_is_no_error() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "quet", "rules", "blob"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as program:
        assert program.stdout and program.stderr
        program.stdout.close()
        assert program.stderr.read() == b""
    assert program.returncode == 141, "as by SIGPIPE: 1 would say that a certificate is refuted"


def test_a_picture_is_not_written_into_a_pipe(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "x.svg")
    assert cli.main(["show", str(record), "-o", str(tmp_path / "x.svg")]) == 2
    assert "it is not a regular file" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["games"], ["score", "palindromes", "1001"], ["ugi"]])
def test_a_full_disk_is_one_sentence(words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "quet", *words], input=b"isready\n", stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (2, b"quet: Input or output failed: No space left on device.\n")


def test_a_machine_without_the_memory_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def too_large(options: object) -> int:
        raise MemoryError("Unable to allocate 197. GiB for an array")

    monkeypatch.setattr(commands, "games", too_large)
    assert cli.main(["games"]) == 2
    assert capsys.readouterr().err == (
        "quet: This machine hasn't the memory for it. Unable to allocate 197. GiB for an array\n"
    )


@pytest.mark.parametrize(
    "command", ["ugi <&-", "play blob --plain <&-", "games >&-", "play blob --plain </dev/null >&-"]
)
def test_closed_input_and_output_are_empty(command: str) -> None:
    done = subprocess.run(f"{sys.executable} -m quet {command}", shell=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_saved_game_is_gone_on_with(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-m", "quet", "play", "--plain", "--load", f"{record} 2"]
    done = subprocess.run(command, input="moves\n", capture_output=True, text=True, check=True)
    assert "Blob Game, 3 by 3, after 1 move. Type" in done.stdout and done.stdout.endswith("\n1. b2.\n")

    def run(app: QuetApp) -> None:
        assert app._session is not None
        ran.append((app._session.game.moves, app._session.file))
        app.exit()

    ran: list[tuple[list[str], str]] = []
    alone = record.with_name("alone.quet")
    quet.save(alone, quet.new("up-and-up", n=3).after("b2"))
    monkeypatch.setattr("quet.terminal.app.QuetApp.run", run)
    monkeypatch.setattr("quet.cli.play.can_draw", lambda: True)
    assert cli.main(["play", "--load", str(alone)]) == cli.main(["play", "--load", f"{record} 2"]) == 0
    assert ran == [(["b2"], str(alone)), (["b2"], "")]


def test_on_a_terminal_that_draws_nothing_play_is_refused_and_the_game_of_the_day_is_line_by_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run: list[str] = []

    def ran(how: str) -> int:
        run.append(how)
        return 0

    def drawn(app: QuetApp) -> None:
        ran("drawn")
        app.exit()

    monkeypatch.setattr("quet.terminal.app.run", lambda *words, **options: ran("drawn"))
    monkeypatch.setattr("quet.terminal.app.QuetApp.run", drawn)
    monkeypatch.setattr("quet.cli.plain.run", lambda session, **options: ran("lines"))
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    assert cli.main(["play", "blob"]) == 2
    assert "a terminal on which it can draw; with --plain it plays line by line" in capsys.readouterr().err
    assert cli.main(["play", "blob", "--plain"]) == cli.main(["daily"]) == 0
    assert run == ["lines", "lines"]
    monkeypatch.setenv("TERM", "xterm")
    assert cli.main(["play", "blob"]) == cli.main(["daily"]) == 0
    assert run == ["lines", "lines", "drawn", "drawn"]


def test_what_the_terminal_can_not_show_is_escaped(tmp_path: Path) -> None:
    file = tmp_path / "g.quet"
    file.write_text(quet.Record.of(quet.new("blob"), tags={"Player1": "Änn"}).text(), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "quet", "replay", str(file), "--json"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout)[0]["tags"]["Player1"] == "Änn"


def test_a_warning_of_ours_is_a_sentence_and_that_of_a_library_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    program = """
import sys, warnings
sys.argv = ["quet", "games"]
from quet.cli.main import main
from quet.knowledge.sources import ResultsWarning
main()
warnings.warn("The table is damaged.", ResultsWarning)
warnings.warn("of a library")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    ours, theirs, *_ = done.stderr.splitlines()
    assert ours == "quet: The table is damaged." and theirs == "<string>:8: UserWarning: of a library"
