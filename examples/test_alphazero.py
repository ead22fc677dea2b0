"""Tests of `alphazero.py`, which needs PyTorch: `make examples` installs it and runs them."""

import json
from pathlib import Path

import alphazero
import numpy as np
import pytest
import torch

import quet


def test_a_search_finds_the_best_moves_without_a_trained_network() -> None:
    game = quet.new("palindromes", m=3)
    network = alphazero.Network(12, 6, 8, alphazero.spread(game))
    assert alphazero.worst(alphazero.AlphaZero(game, network, 600), game) == ["0 of 0", "0 of 0"]


def test_nothing_is_said_of_the_worst_where_positions_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    game = quet.new("palindromes", m=3)
    agent = alphazero.AlphaZero(game, alphazero.Network(12, 6, 8, 1.0), 1)
    monkeypatch.setattr("quet.rl.leaderboard.MOST_LEFT", 2)
    assert alphazero.worst(agent, game) == []


def test_visits_are_of_legal_actions_and_add_up() -> None:
    game = quet.new("palindromes", m=4)
    game.play("2=1")
    search = alphazero.Search(game, alphazero.Network(16, 8, 8, 1.0), 3, 20)
    visits = search.run(search.steps.states.copy(), np.random.default_rng(1))
    assert visits.sum(axis=1).tolist() == [20] * 3
    assert not visits[:, [2, 3]].any()


def test_trees_that_would_fill_the_memory_are_refused() -> None:
    with pytest.raises(quet.BadParameter, match=r"^The trees of 10000000 simulations take \d+ GB, and at most 4 GB "):
        alphazero.Search(quet.new("palindromes", m=3), alphazero.Network(12, 6, 8, 1.0), 256, 10**7)


def test_an_entry_is_written(tmp_path: Path) -> None:
    words = ["palindromes", "m=4", "--minutes", "0.01", "--simulations", "8", "--out", str(tmp_path / "entry.json")]
    assert alphazero.main(words) == 0
    entry = json.loads((tmp_path / "entry.json").read_text())
    assert entry["agent"].startswith("alphazero")
    assert entry["tasks"][0]["parameters"] == {"m": 4}


def test_training_ends_when_nothing_beats_it_unless_it_is_to_go_on() -> None:
    torch.set_num_threads(1)
    game = quet.new("palindromes", m=2)
    seconds = []
    for is_whole in (False, True):
        agent = alphazero.train(game, minutes=0.05, simulations=8, num=16, is_whole=is_whole)
        assert ("no reply beats it" in agent.learned) is not is_whole
        lines = [line.split("\t") for line in agent.curve.splitlines()]
        assert lines[0][:2] == ["0", "0.0"] and lines[-1][4] == ("" if is_whole else "-2 of -2, -2 of -2")
        seconds.append(float(lines[-1][1]))
    assert seconds[0] < 3 <= seconds[1]


def test_what_precedes_a_random_move_learns_what_the_search_said_and_not_the_end() -> None:
    game = quet.new("palindromes", m=4)
    search = alphazero.Search(game, alphazero.Network(16, 8, 8, alphazero.spread(game)), 64, 20)
    seen, legal, policy, values = alphazero.self_play(game, search, np.random.default_rng(1))
    assert len(seen) == len(legal) == len(policy) == len(values) == 64 * 4
    ends = np.round(values * search.network.scale, 3) % 1 == 0  # margins are integers, what a search says hardly ever
    assert 0.6 < ends.mean() < 0.95
    assert ends[-64:].mean() > ends[:64].mean()  # less can follow the last move than the first


@pytest.mark.long
def test_palindromes_of_eight_are_learned_to_perfection() -> None:
    torch.set_num_threads(1)  # as the command has it; more threads are slower here
    game = quet.new("palindromes", m=8)
    agent = alphazero.train(game, minutes=5)
    assert alphazero.worst(agent, game) == ["-4 of -4", "-4 of -4"]
