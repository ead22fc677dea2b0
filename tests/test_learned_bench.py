"""The bench of learned weights: a match of two searches, which goes on where it was stopped."""

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quet
from quet.engine.horizon_search import Weights
from quet.games.blob import patterns
from quet.learning.weights import packed

BENCH = Path(__file__).parents[1] / "bench"


@pytest.mark.long
def test_a_match_goes_on_where_it_was_stopped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    module: Any = importlib.import_module("learned")
    for name in ("deepening", "horizon_search", "tree"):
        monkeypatch.setattr(getattr(module, name), "clock", getattr(module, name).clock)  # put back afterwards
    file = tmp_path / "games.jsonl"
    start = patterns.of(quet.new("blob", n=6).state)
    shape = patterns.plies_left(start) + 1, patterns.num_patterns(start) + 1
    nothing = Weights(np.zeros(shape, np.int32), np.ones(shape[0]))
    weights = tmp_path / "weights.npz"
    weights.write_bytes(packed(nothing, patterns, start, {}))
    words = ["blob", "n=6", "--weights", str(weights), "--seconds", "0.001", "--opening", "12", "--results", str(file)]
    module.main([*words, "--games", "2"])
    module.main([*words, "--games", "4"])
    games = [json.loads(line) for line in file.read_text().splitlines()]
    assert [game["seat"] for game in games] == [1, 2, 1, 2]
    assert all(12 < len(game["moves"]) <= 18 for game in games)
    assert all(game["score"] == 1.0 for game in games if len(game["moves"]) < 18)  # proven
    assert games[0]["moves"][:12] == games[1]["moves"][:12] != games[2]["moves"][:12]
    assert "4 games: " in capsys.readouterr().out
    with pytest.raises(SystemExit, match="No weights are shipped"):
        module.main(["blob", "n=5", "--games", "1"])
