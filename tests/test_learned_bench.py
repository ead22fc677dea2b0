"""The bench of learned weights: a match of two searches, which goes on where it was stopped."""

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).parents[1] / "bench"


def test_a_match_goes_on_where_it_was_stopped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    module: Any = importlib.import_module("learned")
    for name in ("deepening", "horizon_search", "tree"):
        monkeypatch.setattr(getattr(module, name), "clock", getattr(module, name).clock)  # put back afterwards
    file = tmp_path / "games.jsonl"
    words = ["blob", "n=8", "--seconds", "0.001", "--opening", "26", "--results", str(file)]
    module.main([*words, "--games", "2"])
    module.main([*words, "--games", "4"])
    games = [json.loads(line) for line in file.read_text().splitlines()]
    assert [game["seat"] for game in games] == [1, 2, 1, 2]
    assert [len(game["moves"]) for game in games] == [32] * 4
    assert games[0]["moves"][:26] == games[1]["moves"][:26] != games[2]["moves"][:26]
    assert "4 games: " in capsys.readouterr().out
    with pytest.raises(SystemExit, match="No weights are shipped"):
        module.main(["blob", "n=5", "--games", "1"])
