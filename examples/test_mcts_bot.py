"""Tests of `mcts_bot.py`."""

import json
from pathlib import Path

import mcts_bot


def test_the_bot_is_measured(tmp_path: Path) -> None:
    (tmp_path / "tasks.json").write_text('[["palindromes", {"m": 3}, "reachable"]]')
    words = ["--simulations", "200", "--positions", "20", "--games", "2", "--folder", str(tmp_path)]
    assert mcts_bot.main([*words, "--out", str(tmp_path / "entry.json")]) == 0
    entry = json.loads((tmp_path / "entry.json").read_text())
    assert entry["agent"] == "MCTSBot 200"
    assert entry["tasks"][0]["keeps_margin"][0] > 0.9  # six squares or fewer are searched to their ends
