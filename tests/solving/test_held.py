"""What strategies of theorems add to an answer: the value or bounds at any size and in any position."""

import random
from pathlib import Path
from types import SimpleNamespace

import pytest

import quet
from quet.cli.main import main
from quet.distribution.task import Answer, Task
from quet.solving import ask, strategies


@pytest.mark.parametrize("n", [11, 20])
def test_a_value_that_strategies_hold_needs_no_certificate(n: int) -> None:
    found = quet.solve(quet.new("plusses-minuses", n=n), seconds=1.0)
    assert (found.value, found.is_proven, found.method.endswith("mirror strategies")) == (0, True, True)
    assert found.final.is_over and found.final.scores[0] == found.final.scores[1]


def test_a_search_for_more_best_moves_than_the_strategies_is_short_unless_a_time_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ask, "HELD_SECONDS", 0.25)
    game, seen = quet.new("plusses-minuses", n=10), list[float | None]()

    def solve(state: object, task: Task) -> None:
        seen.append(task.seconds)

    monkeypatch.setitem(vars(game.entry), "solve", SimpleNamespace(solve=solve))
    for seconds in (None, 0.5):
        found = ask.answer(game.entry, game.state, Task(seconds=seconds))
        assert (found.value, found.is_proven) == (0, True)
    assert seen[0] is not None and 0.25 <= seen[0] < 10.0 and seen[1] == 0.5


def test_the_bounds_are_those_of_the_theorem_for_each_order() -> None:
    found = quet.solve(quet.new("plusses-minuses", n=20, second_part_first=2), seconds=0.2)
    assert (found.low, found.high, found.value, found.is_proven) == (-3, 0, None, False)


def test_strategies_hold_in_the_middle_of_a_game_too() -> None:
    found = quet.solve(quet.new("palindromes", m=40).after("1=0"), seconds=0.2)
    assert (found.high, found.best_moves, found.line[0]) == (-2, ["40=0"], "40=0")
    assert found.final.is_over and found.final.scores[0] - found.final.scores[1] <= -2  # a whole game, by the strategy
    twenty = quet.new("plusses-minuses", n=20).after("-").after("-")
    found = quet.solve(twenty, seconds=0.2)
    assert (found.value, found.is_proven, found.final.is_over) == (0, True, True)


@pytest.mark.parametrize(
    "text", ["plusses-minuses n=3", "plusses-minuses n=3 second_part_first=2", "palindromes m=6", "palindromes m=7"]
)
def test_in_random_positions_they_agree_with_a_solve(text: str) -> None:
    id, *words = text.split()
    rng, held = random.Random(1), 0
    for _ in range(15):
        game = quet.new(id, **dict(word.split("=") for word in words))
        for _ in range(rng.randrange(len(game.legal_moves))):
            if not game.is_over:
                game.play(rng.choice(game.legal_moves))
        if game.is_over:
            continue
        value, nothing = quet.solve(game).value, Answer(None, None, [], [], 0, "")
        assert value is not None
        found = strategies.improved(nothing, game.rules, game.state, game.entry.strategy, is_start=game.ply == 0)
        held += (found.low, found.high) != (None, None)
        assert found.low is None or found.low <= value
        assert found.high is None or found.high >= value
        assert found.value == (value if found.is_proven else None)
        if found.is_proven:
            for move in found.witness:
                game.play(game.rules.move_text(game.state, move))
            assert game.is_over and game.scores[0] - game.scores[1] == value
    assert held


def test_quet_solve_says_why_there_is_no_certificate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = f"{tmp_path}/certificate.json"
    assert main(["solve", "plusses-minuses", "n=12", "--time", "1", "--certificate", file]) == 3
    said = capsys.readouterr().out
    assert "The value is 0, proven: mirror strategies." in said
    assert "A certificate of these strategies would be too large, so no certificate is written." in said
    assert "--memory" not in said
