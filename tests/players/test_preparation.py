"""What players need is compiled by a process beside them, a function at a time."""

import functools
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import quet
from quet.core.errors import NotCompiled
from quet.engine import cache, compiled
from quet.engine.horizon_search import HorizonSearch
from quet.knowledge.known import How
from quet.knowledge.search import search_for
from quet.players import preparation
from quet.players.levels import LEVELS, PLAIN, LevelPlayer
from quet.players.player import player

GAME = "palindromes"


def test_after_all_steps_no_player_of_the_game_needs_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    for step in preparation.steps([GAME]):
        step()
    monkeypatch.setattr(compiled, "_made", functools.cache(compiled._made.__wrapped__))  # as in a new process
    compiled.leave_compiling()
    try:
        game = quet.new(GAME)
        for name in ("level:1", "level:6", "level:perfect"):
            mover = player(name, 1)
            twin = game.copy()
            for _ in range(2):
                twin.play(mover.choose(twin))
                assert mover.stand_in == ""
    finally:
        compiled.leave_compiling(leave=False)


def test_perfect_play_of_three_needs_no_compiler_after_all_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    for step in preparation.steps(["divisors-multiples"]):
        if step.func.__name__ == "ask":  # type: ignore[attr-defined]
            step()
    monkeypatch.setattr(compiled, "_made", functools.cache(compiled._made.__wrapped__))  # as in a new process
    compiled.leave_compiling()
    try:
        mover = player("level:perfect", 1)
        mover.choose(quet.new("divisors-multiples", r=10, players=3).after("5"))
        assert mover.stand_in == "" and mover.how == How.SOLVED.text
    finally:
        compiled.leave_compiling(leave=False)


def test_the_end_of_a_game_that_is_too_large_for_a_table_needs_no_compiler_after_all_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for step in preparation.steps([GAME]):
        step()
    monkeypatch.setattr(compiled, "_made", functools.cache(compiled._made.__wrapped__))  # as in a new process
    compiled.leave_compiling()
    try:
        game = quet.new(GAME, m=50)
        for square in range(1, 46):
            game.play(f"{square}={square // 3 % 2}")
        mover = player("level:6", 1)
        mover.choose(game)
        assert mover.stand_in == "" and mover.how == How.SOLVED.text
    finally:
        compiled.leave_compiling(leave=False)


def test_a_size_with_learned_weights_needs_no_compiler_after_all_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    for step in preparation.steps(["divisors-multiples"]):
        if step.func.__name__ == "_search":  # type: ignore[attr-defined]
            step()
    monkeypatch.setattr(compiled, "_made", functools.cache(compiled._made.__wrapped__))  # as in a new process
    compiled.leave_compiling()
    try:
        game = quet.new("divisors-multiples", r=25)
        assert isinstance(search_for(game, is_strongest=True), HorizonSearch)
        strongest = LevelPlayer(LEVELS["level:6"], 1)
        strongest.think(game, simulations=1000)  # raises NotCompiled where something is missing
    finally:
        compiled.leave_compiling(leave=False)


def test_every_game_has_steps_and_searches_come_first(game_id: str) -> None:
    names = [step.func.__name__ for step in preparation.steps([game_id])]  # type: ignore[attr-defined]
    kinds = list(dict.fromkeys(names))
    assert names == sorted(names, key=kinds.index) and kinds[0] == "_search"


def test_the_process_says_how_far_it_is_and_goes_on_after_a_step_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QUET_CACHE", str(tmp_path))
    done = []

    def fail() -> None:
        raise NotCompiled

    monkeypatch.setattr(preparation, "NICENESS", 0)
    monkeypatch.setattr(preparation, "steps", lambda game_ids: [fail, lambda: done.append(game_ids)])
    preparation.main(["blob"])
    assert capsys.readouterr().out == "0 2\n1 2\n2 2\n" and done == [["blob"]]
    preparation.main(["blob"])  # a stamp says that nothing is left to be done
    assert done == [["blob"]]
    preparation.main(["blob", "palindromes"])
    assert len(done) == 2


def test_after_a_change_of_any_source_all_is_compiled_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = preparation._stamp([GAME])
    assert preparation._stamp([GAME]) == before
    rules, other = (tmp_path / name / "rules.py" for name in ("game", "other"))
    for file in (rules, other):
        file.parent.mkdir()
        file.write_text("")
    names = {f"{preparation.__package__}.preparation": other, f"quet.games.{GAME}.rules": rules}
    monkeypatch.setattr(cache, "sources", lambda name: {name: names[name]})
    stamps = {before, preparation._stamp([GAME])}
    for file in (rules, other, rules.with_name("exact.py")):  # the last is imported by name, and no import tells it
        file.write_text("changed = True")
        stamps.add(preparation._stamp([GAME]))
    assert len(stamps) == 5


def test_a_preparation_is_ended_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUET_CACHE", str(tmp_path))
    begun = preparation.Preparation([GAME])
    assert not begun.is_over
    begun.end()
    assert begun.is_over


@pytest.mark.parametrize(
    "line", ["debug: rules loaded", "3", "1 2 3", "\\xff", pytest.param("7" * 5000 + " 9", id="digits"), ""]
)
def test_a_line_that_somebody_else_prints_is_passed_over(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = f"import sys; sys.stdout.buffer.write(b'{line}\\n1 4\\n')"
    start = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda _, **options: start([sys.executable, "-c", program], **options))
    begun = preparation.Preparation([GAME])
    assert begun._is_over.wait(60)
    assert (begun._step, begun._total) == (1, 4)
    begun.end()
    assert begun.is_over


def test_only_the_process_itself_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUET_CACHE", str(tmp_path))
    program = """
import quet.players.preparation as preparation
from quet.engine.beside import own_output
out = own_output()
preparation.steps = lambda game_ids: [lambda: print("debug: rules loaded", flush=True)]
preparation.main(["blob"], out)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("0 1\n1 1\n", "debug: rules loaded\n")


class Begun:
    """A preparation that a test ends."""

    all: list["Begun"] = []  # noqa: RUF012 - shared

    def __init__(self, game_ids: list[str]) -> None:
        self.game_ids, self.is_over, self.progress = game_ids, False, 0.5
        self.all.append(self)

    def end(self) -> None:
        """It is over."""
        self.is_over = True


def test_compiling_begins_beside_a_game_when_plain_python_has_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparation, "Preparation", Begun)
    Begun.all.clear()
    beside = preparation.Beside()
    try:
        beside.moved(GAME, "")
        assert beside.under_way(GAME) is None and not Begun.all
        beside.moved(GAME, PLAIN)
        beside.moved(GAME, PLAIN)
        assert beside.under_way(GAME) is not None and beside.under_way("blob") is None
        assert [one.game_ids for one in Begun.all] == [[GAME]]
        Begun.all[0].end()
        assert beside.under_way(GAME) is None and not compiled._Policy.compiles
        beside.moved(GAME, PLAIN)  # what the other process has compiled could not be kept
        assert compiled._Policy.compiles and len(Begun.all) == 1
    finally:
        beside.end()


def test_the_bar_grows_within_a_step_but_not_beyond_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUET_CACHE", str(tmp_path))
    begun = preparation.Preparation([GAME])
    begun.end()
    now = [100.0]
    monkeypatch.setattr("quet.players.preparation.time", SimpleNamespace(monotonic=lambda: now[0]))
    begun._is_over.clear()
    begun._step, begun._total, begun._step_begun = 1, 4, 100.0
    seen = []
    for _ in range(4):
        seen.append(begun.progress)
        now[0] += 5.0
    assert seen[0] == 0.25 and seen == sorted(set(seen)) and seen[-1] < 0.5
