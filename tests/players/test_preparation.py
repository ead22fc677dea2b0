"""What players need is compiled by a process beside them, a function at a time."""

import functools
from pathlib import Path

import pytest

import quet
from quet.core.errors import NotCompiled
from quet.engine import compiled
from quet.players import preparation
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


def test_every_game_has_steps_and_searches_come_first(game_id: str) -> None:
    names = [step.func.__name__ for step in preparation.steps([game_id])]  # type: ignore[attr-defined]
    assert names[0] == "_search" and sorted(names) == names


def test_the_process_says_how_far_it_is_and_goes_on_after_a_step_that_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = []

    def fail() -> None:
        raise NotCompiled

    monkeypatch.setattr(preparation, "NICENESS", 0)
    monkeypatch.setattr(preparation, "steps", lambda game_ids: [fail, lambda: done.append(game_ids)])
    preparation.main(["blob"])
    assert capsys.readouterr().out == "0 2\n1 2\n2 2\n" and done == [["blob"]]


def test_a_preparation_is_ended_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUET_CACHE", str(tmp_path))
    begun = preparation.Preparation([GAME])
    assert not begun.is_over
    begun.end()
    assert begun.is_over
