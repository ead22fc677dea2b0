"""Tests of `ppo.py`, which needs PyTorch and sb3-contrib: `make examples` installs them and runs these."""

import json
from pathlib import Path

import ppo
import pytest
import torch

import quet
import quet.rl
from quet.rl import measure


def test_an_entry_and_a_log_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["n=3", "--steps", "1000", "--log", str(tmp_path / "log"), "--out", str(tmp_path / "entry.json")]
    assert ppo.main(words) == 0
    assert "The best that there is: 9." in capsys.readouterr().out
    steps, seconds, score = (tmp_path / "log").read_text().strip().split("\t")
    assert steps == "1000" and float(seconds) > 0 and score.endswith(" of 9")
    entry = json.loads((tmp_path / "entry.json").read_text())
    assert entry["agent"] == "PPO" and entry["tasks"][0]["parameters"] == {"n": 3}


def test_a_model_plays_legal_moves_before_it_has_learned() -> None:
    torch.set_num_threads(1)
    game = quet.new("up-and-up", n=3)
    agent = ppo.agent_of(ppo.train(game, steps=1))
    assert 0 <= measure.accuracy(agent, game, num=50, seed=1).keeps_margin.value <= 1


def test_up_and_up_is_learned_to_the_best_score() -> None:
    torch.set_num_threads(1)
    game = quet.new("up-and-up", n=4)
    assert ppo.score(ppo.train(game, steps=60_000), game) == quet.rl.oracle(game).value(game) == 16
