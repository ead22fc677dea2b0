"""Nobody waits for a compiler: while code isn't ready, every level answers in plain Python, with little work."""

import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

import quet
from conftest import SMALL
from quet.core.errors import BadParameter
from quet.engine import annealing, compiled, findings, planning, tree
from quet.knowledge.ask import ask
from quet.knowledge.known import Budget, Source
from quet.knowledge.sources import Results, ResultsOfTwo, SolvingForMany, Strategies
from quet.knowledge.values import plain_values
from quet.players.levels import LEVELS, PLAIN, LevelPlayer
from quet.players.player import PLAYERS, player

MOST_MOVES = 55_000  # played in States for one answer: less than a second on any machine


@pytest.fixture
def _nothing_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As in a process that has just started on a new machine, where another process compiles."""
    monkeypatch.setenv("QUET_CACHE", str(tmp_path))
    monkeypatch.setattr(compiled, "_made", functools.cache(compiled._made.__wrapped__))
    compiled.leave_compiling()
    yield
    compiled.leave_compiling(leave=False)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many moves any rules play; the clock of searches stands still, so that work alone can end them."""
    for module in (tree, annealing, planning):
        monkeypatch.setattr(module, "clock", lambda: 0.0)
    count = [0]
    for game_id in quet.game_ids():
        entry = quet.new(game_id).entry
        for rules in {entry.rules, entry.sensible or entry.rules}:
            monkeypatch.setattr(rules, "play", functools.partial(_counted, rules.play, count))
    return count


def _counted(play, count, s, move):  # type: ignore[no-untyped-def]  # of any rules
    count[0] += 1
    play(s, move)


@pytest.mark.usefixtures("_nothing_is_compiled")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long if name in {"level:2", "level:4", "level:5"} else [])
        for name in PLAYERS
        if name != "random"
    ],
)
def test_each_level_answers_with_little_work_before_its_code_is_ready(
    our_game_id: str, name: str, played: list[int]
) -> None:
    game = quet.new(our_game_id, **SMALL[our_game_id][-1])
    mover = player(name, 1)
    try:
        move = mover.choose(game)
    except BadParameter:
        assert name == "level:perfect"  # refuses where nothing can be solved, as ever
        return
    assert move in game.legal_moves
    uncompiled: list[Source] = [Strategies(), Results(), ResultsOfTwo(), SolvingForMany()]
    known = ask(game, Budget(1.0), uncompiled)
    is_known = known is not None and (known.is_exact or known.has_all)
    assert mover.stand_in == ("" if is_known and name in ("level:6", "level:7", "level:perfect") else PLAIN) or (
        known is not None and known.shares
    )
    assert played[0] <= MOST_MOVES


@pytest.mark.usefixtures("_nothing_is_compiled")
def test_a_small_game_is_played_perfectly_before_anything_is_compiled() -> None:
    game = quet.new("palindromes", m=5).after("2=0")  # which the table of results doesn't have
    best = {"level:6", "level:perfect"}
    values = plain_values(game, Budget(10.0))
    assert values is not None
    for name in best:
        mover = player(name, 1)
        assert values[mover.choose(game)] == max(values.values()) and mover.stand_in == PLAIN


@pytest.mark.usefixtures("_nothing_is_compiled")
def test_limits_of_the_caller_hold_in_plain_python_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "REPORTING", -1.0)
    mover, game = LevelPlayer(LEVELS["level:6"], 1), quet.new("palindromes", m=5)
    monkeypatch.setattr(mover, "known", None)  # which nobody asks where there is a limit
    found: list[findings.Findings] = []
    reports: list[findings.Findings] = []
    mover.choose(game, simulations=9, report=reports.append, final=found.append)
    mover.choose(game, simulations=10**9, seconds=0.0, final=found.append)
    assert mover.stand_in == PLAIN and reports
    assert [one.num_simulations for one in found] == [9, 1]


def test_a_player_says_so_only_of_the_move_that_plain_python_chose(monkeypatch: pytest.MonkeyPatch) -> None:
    from quet.core.errors import NotCompiled

    mover, game = LevelPlayer(LEVELS["level:1"], 1), quet.new("palindromes", m=5)

    def not_ready(*arguments: object, **named: object) -> None:
        raise NotCompiled

    with monkeypatch.context() as patched:
        patched.setattr(mover, "think", not_ready)
        game.play(mover.choose(game))
        assert mover.stand_in == PLAIN
    game.play(mover.choose(game))
    assert mover.stand_in == ""
