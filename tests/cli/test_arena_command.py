"""`quet arena`: what it prints, how it goes on after a stop, and what it refuses."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from quet import catalog
from quet.cli import main as cli
from quet.core.files import locked
from waiting import LONG, wait_until

TINY = ["arena", "palindromes", "m=4", "--players", "random,level:1", "--games", "4"]


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the command prints, which ends well."""
    assert cli.main(list(words)) == 0
    return capsys.readouterr().out


def test_the_standings_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, *TINY).splitlines()
    assert lines[0] == "palindromes m=4: 4 games, openings of 2 random plies, seed 0"
    assert lines[1].startswith("The seats' shares of the wins: ")
    assert lines[2].strip() == "random   Elo 0 [0, 0]"
    assert "level:1 against random" in lines[4]
    assert "above" in lines[4]


def test_json_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    (outcome,) = json.loads(said(capsys, *TINY, "--json"))
    assert outcome["parameters"] == {"m": 4}
    assert outcome["games"] == 4
    (meeting,) = outcome["meetings"]
    assert meeting["won"] + meeting["drawn"] + meeting["lost"] == 4
    assert meeting["score"]["low"] <= meeting["score"]["value"] <= meeting["score"]["high"]
    assert meeting["is_above"] is (meeting["score"]["low"] > 0.5)
    assert set(outcome["ratings"]) == {"random", "level:1"}


def test_a_solitaire_has_mean_scores(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "arena", "up-and-up", "n=3", "--players", "random,level:1", "--games", "3")
    assert "random   mean score " in text
    assert "Elo" not in text


def test_a_single_game_has_no_interval(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "up-and-up", "n=3", "--players", "level:1", "--games", "1"]
    (outcome,) = json.loads(said(capsys, *words, "--json"), parse_constant=pytest.fail)
    mean = outcome["means"]["level:1"]
    assert (mean["low"], mean["high"]) == (None, None)
    assert f"level:1  mean score {mean['value']:.2f} [?, ?]" in said(capsys, *words)


def test_a_run_that_was_killed_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.jsonl"
    whole = said(capsys, *TINY, "--results", str(file))
    content = file.read_bytes()
    lines = content.splitlines(keepends=True)
    file.write_bytes(lines[0] + lines[1][:50])
    assert cli.main([*TINY, "--results", str(file)]) == 0
    out, err = capsys.readouterr()
    assert out == whole
    assert err == f"quet: {file}: the last line was cut short and is dropped.\n"
    assert file.read_bytes() == content


def test_more_games_add_to_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.jsonl"
    said(capsys, *TINY, "--results", str(file))
    before = file.read_bytes()
    said(capsys, *TINY[:-1], "6", "--results", str(file))
    assert file.read_bytes().startswith(before)
    assert len(file.read_bytes().splitlines()) == 6


def test_a_file_of_results_is_for_one_tournament_at_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.jsonl"
    with locked(file):
        assert cli.main([*TINY, "--results", str(file)]) == 2
    sentence = f"quet: '{file}': Another quet arena is writing these results.\n"
    assert (capsys.readouterr().err, file.exists()) == (sentence, False)
    said(capsys, *TINY, "--results", str(file))
    assert [*tmp_path.iterdir()] == [file]


def test_results_are_kept_in_a_folder_that_takes_no_lock(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr("quet.core.files.locked", refused)
    file = tmp_path / "results.jsonl"
    assert cli.main([*TINY, "--results", str(file)]) == 2  # as the file isn't there
    assert "It can't be written" in capsys.readouterr().err
    file.touch()
    said(capsys, *TINY, "--results", str(file))
    assert file.read_bytes()


def test_games_of_an_earlier_search_do_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "results.jsonl"
    said(capsys, *TINY, "--results", str(file))
    monkeypatch.setitem(catalog.get("palindromes").facts["search"], "version", 2)
    for games, others in ((6, 4), (2, 2)):
        assert cli.main([*TINY[:-1], str(games), "--results", str(file)]) == 0
        what = f"{others} games of palindromes don't"
        error = capsys.readouterr().err
        assert error == f"quet: {file}: {what} count: the rules, the players' settings or the search were others.\n"
    assert len(file.read_bytes().splitlines()) == 4 + 6


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["blob"], "required: --players"),
        (["nim", "--players", "random,level:1"], "There is no game 'nim'"),
        (["blob", "n=99", "--players", "random,level:1"], "n must be from 2 to 20"),
        (["blob", "--players", "random"], "at least two players"),
        (["blob", "--players", "random,,"], "There is no computer player ''"),
        (["blob", "--players", "random,random"], "named twice"),
        (["blob", "--players", "random,level:1", "--games", "0"], "number of games"),
        (["blob", "--players", "random,level:1", "--games", "many"], "'many' is not an integer"),
        (["blob", "--players", "random,level:1", "--workers", "0"], "number of workers"),
        (["blob", "--players", "level:5,level:6", "--workers", "2"], "needs the machine to itself"),
        (["blob", "n=2", "--players", "random,level:1", "--openings", "2"], "random plies end the game"),
        (["blob", "--players", 'random,"ugi:it'], "a name with a comma stands in double quotes"),
        (["blob", "--players", "random,level:1", "--go", "go sims 9"], "--go is for engines, ugi:COMMAND."),
        (["blob", "--players", "random,ugi:it", "--go", "stop"], "An engine chooses by a command such as go movetime"),
        (["blob", "--players", "random,ugi:it", "--go", "go movetime 9", "--workers", "2"], "needs the machine to"),
        (["blob", "--players", "random,net.onnx"], "net.onnx: It can't be read"),
        (["blob", "--players", "random,ugi:"], "Name the command of the engine, as in ugi:quet ugi."),
        (["blob", "--players", "random,level:1", "--results", "."], "quet: .: It can't be read"),
    ],
)
def test_bad_input_gets_one_sentence_and_status_2(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["arena", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("quet: ")
    assert reason in err


def test_an_engine_plays_whose_command_has_a_comma(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "engine.py"
    file.write_text(
        "import sys\n"
        "answers = {'ugi': 'ugiok', 'go': 'bestmove ' + sys.argv[1].replace(',', '')}\n"
        "for line in sys.stdin:\n"
        "    print(answers.get(line.split()[0], 'ok'), flush=True)\n"
    )
    name = f"ugi:{sys.executable} {file} 1=,0"
    words = ["arena", "palindromes", "m=2", "--openings", "1", "--games", "2", "--players", f'random,"{name}"']
    assert cli.main([*words, "--seed", "1", "--json"]) == 2  # some opening has taken its square
    assert f"{file} 1=,0 chose '1=0' in palindromes m=2 after the moves '1=" in capsys.readouterr().err
    (outcome,) = json.loads(said(capsys, *words, "--seed", "0", "--json"))
    assert outcome["players"] == ["random", name]


def test_a_damaged_file_names_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text("nothing\nof the kind\n")
    assert cli.main([*TINY, "--results", str(file)]) == 2
    assert capsys.readouterr().err == f"quet: {file}, line 1: It is not a result of the arena.\n"


@pytest.mark.usefixtures("_in_a_terminal")
@pytest.mark.skipif(sys.platform == "win32", reason="signals as on Unix")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("words", [["arena", "palindromes", "m=4", "--players"], ["rl", "measure"]], ids=" ".join)
def test_an_engine_ends_with_a_command_that_is_ended(words: list[str], number: signal.Signals, tmp_path: Path) -> None:
    who, pid = sleeper(tmp_path)
    names = [f"random,{who}"] if words[0] == "arena" else [who, "palindromes", "m=4", "--name", "engine"]
    process = subprocess.Popen(
        [sys.executable, "-m", "quet", *words, *names], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_until(lambda: process.poll() is not None or pid.exists())
    process.send_signal(number)
    out, error = process.communicate(timeout=LONG)
    assert (process.returncode, unusual(error)) == (128 + number, "") and "Stopped: " in out
    wait_until(lambda: is_gone(pid))


@pytest.mark.skipif(sys.platform == "win32", reason="signals as on Unix")
def test_the_engines_of_workers_end_where_a_signal_goes_to_all_processes(tmp_path: Path) -> None:
    who, pid = sleeper(tmp_path)
    words = ["arena", "palindromes", "m=4", "--players", f"random,{who}", "--workers", "2"]
    process = subprocess.Popen([sys.executable, "-m", "quet", *words], stdout=subprocess.PIPE, start_new_session=True)
    wait_until(lambda: process.poll() is not None or pid.exists())
    os.killpg(process.pid, signal.SIGTERM)  # as `timeout` and systemd do
    process.communicate(timeout=LONG)
    assert process.returncode
    wait_until(lambda: is_gone(pid))


def sleeper(folder: Path) -> tuple[str, Path]:
    """A player that never moves, and the file that has its process when it is to move."""
    engine, pid = folder / "engine.sh", folder / "pid"
    engine.write_text(
        "while read word rest; do case $word in ugi) echo ugiok;; "
        f"go) echo $$ >{pid}.new; mv {pid}.new {pid}; exec sleep 600;; *) echo ok;; esac; done\n"
    )
    return f"ugi:sh {engine}", pid


def is_gone(pid: Path) -> bool:
    return subprocess.run(["kill", "-0", pid.read_text().strip()], capture_output=True).returncode != 0


SLOW = """
import pathlib, sys, time
for line in sys.stdin:
    words = line.split()
    if words[0] == "position":
        taken = [move[0] for move in words[3:]]
    if words[0] == "go":
        (pathlib.Path(__file__).parent / "asked").touch()
        while not (pathlib.Path(__file__).parent / "go on").exists():
            time.sleep(0.01)
        print("bestmove", min(set("1234") - set(taken)) + "=0", flush=True)
    else:
        print("ugiok" if words[0] == "ugi" else "ok", flush=True)
"""


@pytest.mark.usefixtures("_in_a_terminal")
@pytest.mark.skipif(sys.platform == "win32", reason="signals as on Unix")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_games_that_workers_play_are_kept_where_the_command_is_ended(number: int, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    file = tmp_path / "results.jsonl"
    words = [*TINY[:-3], f"random,ugi:{sys.executable} {tmp_path / 'slow.py'}", "--games", "20", "--workers", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "quet", *words, "--results", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    wait_until(lambda: process.poll() is not None or (tmp_path / "asked").exists())
    process.send_signal(number)
    told = ""
    while not told:
        told = unusual(process.stderr.readline())
        assert told or process.poll() is None
    assert told == "quet: Stopping after the games being played; another Ctrl-C ends them.\n"
    (tmp_path / "go on").touch()
    out, _ = process.communicate(timeout=LONG)
    num_kept = len(file.read_bytes().splitlines())
    assert (process.returncode, num_kept in (1, 2)) == (128 + number, True)
    assert f"Stopped: {num_kept} of 20 games of palindromes have been played." in out


@pytest.mark.usefixtures("_in_a_terminal")
@pytest.mark.skipif(sys.platform == "win32", reason="signals as on Unix")
def test_another_signal_ends_the_workers_and_their_engines_at_once(tmp_path: Path) -> None:
    who, pid = sleeper(tmp_path)
    words = [*TINY[:-3], f"random,{who}", "--workers", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "quet", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    wait_until(lambda: process.poll() is not None or pid.exists())
    process.terminate()
    while not process.stderr.readline().startswith("quet: Stopping after the games"):
        assert process.poll() is None
    process.terminate()
    out, error = process.communicate(timeout=LONG)  # when the workers, who share the output, have ended
    assert (process.returncode, unusual(error)) == (128 + signal.SIGTERM, "")
    assert "shares" not in out and "Stopped: 0 of 100 games of palindromes have been played." in out
    wait_until(lambda: is_gone(pid))


def unusual(error: str) -> str:
    """What stands on standard error beside the progress, which a slow machine tells."""
    return "".join(line for line in error.splitlines(keepends=True) if not line.endswith(" s\n"))
