"""Tests of `ppo.py`, which needs PyTorch and sb3-contrib: `make examples` installs them and runs these."""

import json
from pathlib import Path

import numpy as np
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
    lines = [line.split("\t") for line in (tmp_path / "log").read_text().splitlines()]
    assert [line[0] for line in lines] == ["0", "1000"]
    assert float(lines[0][1]) < 0.5 < float(lines[1][1]) and all(line[3].endswith(" of 9") for line in lines)
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


def test_games_for_two_wait_for_the_learner_and_tell_it_the_margin_of_whole_games() -> None:
    game = quet.new("palindromes", m=5)
    env = ppo.SelfPlay(game, 6)
    env.reset()
    chance, ends = np.random.default_rng(1), []
    for _ in range(40):
        assert env.games.movers.tolist() == [0, 1] * 3
        masks = env.action_masks()
        env.step_async(np.array([chance.choice(np.flatnonzero(mask)) for mask in masks]))
        _, rewards, ended, _ = env.step_wait()
        assert not rewards[~ended].any()
        ends += (rewards[ended] * env.scale).round(3).tolist()
    possible = {int(one) for one in np.diff(quet.playouts(game, 2000, seed=2), axis=1)[:, 0]}
    assert len(ends) > 20 and len(set(ends)) > 2
    assert {int(end) for end in ends} <= possible | {-one for one in possible}


def test_a_step_of_self_play_leaves_the_games_where_another_moves() -> None:
    env = ppo.SelfPlay(quet.new("palindromes", m=6), 4)
    env.reset()
    before = env.games.states.copy()
    env._play(np.zeros(4, np.int64) + env.games.masks.argmax(1), np.array([True, False, True, False]))
    assert (env.games.states == before).tolist() == [False, True, False, True]


def test_it_learns_for_so_many_minutes() -> None:
    model = ppo.train(quet.new("palindromes", m=3), minutes=0.03)
    lines = [line.split("\t") for line in model.curve.splitlines()]
    assert lines[-1][0] == str(model.num_timesteps) and len(lines[-1]) == 3
    assert 1.8 <= float(lines[-1][1]) < 5


def test_a_game_for_two_is_learned_by_self_play(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    game = quet.new("palindromes", m=4)
    before, after = (ppo.kept(ppo.train(game, steps=steps), game) for steps in (1, 40_000))
    assert after > max(75.0, before + 10)
    words = ["palindromes", "m=3", "--steps", "2000", "--out", str(tmp_path / "entry.json")]
    assert ppo.main(words) == 0
    assert json.loads((tmp_path / "entry.json").read_text())["tasks"][0]["game"] == "palindromes"
