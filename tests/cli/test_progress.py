"""Lines of progress, and Ctrl-C in commands that take long: what is known is printed, and the status is 130."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import quet
from conftest import without_progress
from quet.cli import arena, progress, solve
from quet.cli.main import main
from quet.distribution.task import Answer, Task
from quet.players.arena import Fixture, Result
from quet.players.playing import play
from quet.solving import ask
from quet.solving.ask import answer
from quet.study import analysis
from waiting import LONG, wait_until


def test_where_no_terminal_is_a_line_tells_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.001)
    said = ""
    with progress.progress() as report:
        report(3, 8, "first moves solved")
        while "3 of 8" not in said:
            said += capsys.readouterr().err
    assert "quet: 3 of 8 first moves solved, 0 s\n" in said


def test_the_first_ctrl_c_sets_the_event_and_the_second_interrupts() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with progress.stopping() as stop:
            signal.raise_signal(signal.SIGINT)
            assert stop.is_set()
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_what_waits_is_told_before_ctrl_c_interrupts() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    told: list[str] = []
    try:
        with pytest.raises(KeyboardInterrupt), progress.at_interrupt(lambda: told.append("stop")):
            signal.raise_signal(signal.SIGINT)
        assert told == ["stop"] and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_in_a_terminal")
@pytest.mark.parametrize("number", progress.ENDING)
def test_other_signals_interrupt_where_it_is_wanted_after_what_waits_is_told(number: signal.Signals) -> None:
    told: list[str] = []
    with progress.terminating():
        with pytest.raises(progress.Terminated), progress.at_interrupt(lambda: told.append("stop")):
            signal.raise_signal(number)
        with pytest.raises(KeyboardInterrupt) as interrupt:
            signal.raise_signal(number)
    assert told == ["stop"] and signal.getsignal(number) is signal.SIG_DFL
    assert progress.status_after(interrupt.value) == 128 + number


@pytest.mark.usefixtures("_in_a_terminal")
@pytest.mark.skipif(sys.platform == "win32", reason="signals as on Unix")
def test_under_nohup_a_command_goes_on_where_the_terminal_closes() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with progress.terminating():
        signal.raise_signal(signal.SIGHUP)
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


def test_sigterm_ends_a_solve_as_ctrl_c_does(tmp_path: Path) -> None:
    kept, file = tmp_path / "kept.json", tmp_path / "c.json"
    words = ["sums-grid", "n=5", "--time", "600", "--checkpoint", str(kept), "--certificate", str(file), "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "quet", "solve", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    wait_until(lambda: process.poll() is not None or (kept.exists() and json.loads(kept.read_bytes())["notes"] != {}))
    process.terminate()
    out, error = process.communicate(timeout=LONG)
    told = without_progress(error).splitlines()[-1]
    assert (process.returncode, told) == (143, "quet: Stopping; Ctrl-C once more ends at once.")
    found = json.loads(out)
    assert found["status"] == "stopped" and found["value"] > 0 and found["certificate"] == str(file)
    assert main(["verify", str(file)]) == 0


def test_a_solve_that_is_stopped_tells_what_is_known(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float | None] = []

    def interrupted(entry: quet.catalog.Entry, state: quet.core.rules.AnyState, task: Task) -> Answer:
        asked.append(task.seconds)
        if len(asked) % 2:
            task.notes["sample"] = 1
            raise KeyboardInterrupt
        assert task.notes == {"sample": 1}
        task.notes.clear()
        return answer(entry, state, task)

    for module in (solve, ask):
        monkeypatch.setattr(module, "answer", interrupted)
    assert main(["solve", "divisors-multiples", "r=30", "--json"]) == 130
    assert json.loads(capsys.readouterr().out)["status"] == "stopped"
    assert main(["solve", "divisors-multiples", "r=30"]) == 130
    assert "Stopped: this is what was known by then." in capsys.readouterr().out
    assert asked == [None, 0.0, None, 0.0]


def test_a_solve_that_is_stopped_writes_the_certificate_that_takes_no_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> Answer:
        raise KeyboardInterrupt

    monkeypatch.setattr(solve, "answer", interrupted)
    file = tmp_path / "c.json"
    assert main(["solve", "sums-grid", "n=5", "--certificate", str(file), "--save-tablebase"]) == 130
    out = capsys.readouterr().out
    assert "Stopped: this is what was known by then." in out and f"Certificate: {file}" in out
    assert "No tablebase is saved: the search was stopped." in out
    assert main(["verify", str(file)]) == 0
    capsys.readouterr()
    words = ["plusses-minuses", "n=4", "--strategies", "--certificate", str(file)]  # a theorem has its value and both
    assert main(["solve", *words]) == 130
    assert "no strategies" not in capsys.readouterr().out
    none = tmp_path / "none.json"
    assert main(["solve", "blob", "n=8", "--certificate", str(none)]) == 130
    assert "Nothing is proven, so no certificate is written." in capsys.readouterr().out
    assert not none.exists()


def test_an_arena_that_is_stopped_tells_of_the_games_played(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def played(fixtures: Sequence[Fixture], num_workers: int, memory: int | None, **_: object) -> Iterator[Result]:
        yield from map(play, fixtures[:4])
        raise KeyboardInterrupt

    monkeypatch.setattr(arena, "play_all", played)
    words = ["arena", "up-and-up", "n=2", "--players", "random,level:1", "--games", "8"]
    assert main(words) == 130
    out = capsys.readouterr().out
    assert "up-and-up n=2: 4 games" in out
    assert "Stopped: 4 of " in out
    assert main([*words, "--json"]) == 130
    assert [outcome["status"] for outcome in json.loads(capsys.readouterr().out)] == ["stopped"]


def test_an_analysis_that_is_stopped_tells_of_the_last_moves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = quet.new("palindromes", m=4)
    for move in ("1=0", "2=0", "3=0", "4=0"):
        game.play(move)
    looked: list[int] = []
    outlook = analysis._Analyst.outlook

    def stopped(self: analysis._Analyst, position: quet.Game, last_mover: int, *, has_line: bool = False) -> object:
        looked.append(position.ply)
        if len(looked) % 3 == 0:
            signal.raise_signal(signal.SIGINT)
        return outlook(self, position, last_mover, has_line=has_line)

    monkeypatch.setattr(analysis._Analyst, "outlook", stopped)
    file = tmp_path / "game.quet"
    file.write_text(quet.Record.of(game).text())
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert main(["analyse", str(file), "--json"]) == 130
        found = json.loads(capsys.readouterr().out)
        assert found["status"] == "stopped"
        assert [move["ply"] for move in found["moves"]] == [3, 4]
        assert main(["analyse", str(file)]) == 130
        assert "Stopped: the last 2 of 4 moves were judged by then." in capsys.readouterr().out
    finally:
        signal.signal(signal.SIGINT, before)
