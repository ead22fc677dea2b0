"""Tests of `openspiel_learners.py`. DQN needs PyTorch: `make examples` installs it and runs these."""

import json
from pathlib import Path

import openspiel_learners
import pytest

import quet
from quet.rl import measure


@pytest.mark.parametrize("kind", ["qlearner", "dqn"])
def test_an_entry_and_a_log_are_written(kind: str, tmp_path: Path) -> None:
    words = [kind, "palindromes", "m=3", "--minutes", "0.02", "--log", str(tmp_path / "log")]
    assert openspiel_learners.main([*words, "--out", str(tmp_path / "entry.json")]) == 0
    entry = json.loads((tmp_path / "entry.json").read_text())
    assert entry["agent"] == openspiel_learners.NAMES[kind] and entry["tasks"][0]["parameters"] == {"m": 3}
    lines = [line.split("\t") for line in (tmp_path / "log").read_text().splitlines()]
    assert lines[0][:2] == ["0", "0.0"] and len(lines) > 5
    games, seconds, kept = lines[-1]
    assert int(games) > 0 and float(seconds) >= 1.2 and 0 <= float(kept) <= 100


@pytest.mark.parametrize("kind", ["qlearner", "dqn"])
def test_more_than_two_players_are_refused(kind: str) -> None:
    with pytest.raises(SystemExit):
        openspiel_learners.main([kind, "divisors-multiples", "r=4", "players=3"])


def test_the_table_of_a_small_game_is_learned() -> None:
    game = quet.new("palindromes", m=3)
    agents = [openspiel_learners.train("qlearner", game, minutes=minutes) for minutes in (0.0001, 0.1)]
    shares = [measure.accuracy(agent, game, num=100, seed=1).keeps_result.value for agent in agents]
    assert shares[1] > max(0.95, shares[0])


def test_a_solitaire_is_learned_too() -> None:
    game = quet.new("up-and-up", n=2)
    agent = openspiel_learners.train("qlearner", game, minutes=0.05)
    assert measure.against_perfect(agent, game, num=1).loss.value == 0
