"""The bench of accuracy: positions with the exact values of their moves, and how a player does in them."""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

import quet
from quet.knowledge.values import exact_values

BENCH = Path(__file__).parents[1] / "bench"


@pytest.fixture
def accuracy(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The bench's module of that name, with games played at random."""
    monkeypatch.syspath_prepend(str(BENCH))
    module: Any = importlib.import_module("accuracy")
    monkeypatch.setattr(module, "LEVELS", ("random",))
    return module


def test_positions_are_drawn_once_with_the_value_of_every_move(accuracy: Any) -> None:
    game = quet.new("palindromes", m=6)
    lines, num_left_out = accuracy.sample(game, 20, 1, 10.0, 2**24)
    assert (len(lines), len(set(lines)), num_left_out) == (20, 20, 0)
    for line in lines:
        about = json.loads(line)
        position = quet.new(about["game"], **about["parameters"])
        for move in about["moves"]:
            position.play(move)
        assert about["values"] == exact_values(position)
        assert len(set(about["values"].values())) > 1
    assert accuracy.sample(game, 20, 1, 10.0, 2**24) == (lines, 0)


def test_only_positions_after_so_many_plies_are_drawn_where_that_is_wanted(accuracy: Any) -> None:
    lines, _ = accuracy.sample(quet.new("palindromes", m=6), 10, 1, 10.0, 2**24, after=3)
    assert {len(json.loads(line)["moves"]) for line in lines} <= {3, 4, 5}
    assert len(lines) == 10


def test_a_perfect_player_keeps_everything_and_a_random_one_does_not(accuracy: Any) -> None:
    lines, _ = accuracy.sample(quet.new("palindromes", m=6), 20, 2, 10.0, 2**24)
    best, other = (accuracy.play(lines, name, 1) for name in ("level:perfect", "random"))
    assert (best["result kept"][0], best["margin kept"][0], best["points lost"]) == (1.0, 1.0, 0.0)
    assert other["margin kept"][0] < 1.0 and other["points lost"] > 0.0
    assert best["result kept"][1] < 0.9 and best["result kept"][2] == pytest.approx(1.0)
