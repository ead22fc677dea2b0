"""Tests of `generalise.py`, which needs PyTorch: `make examples` installs it and runs them."""

import json
from pathlib import Path

import alphazero
import generalise
import pytest
import torch

import quet


def test_one_network_plays_rows_of_any_length_and_tells_squares_apart() -> None:
    network = generalise.Convolution(0, 0, 8, 1.0)
    for m in (3, 7):
        seen = torch.zeros(2, 4, m)
        seen[1, 1, 2] = 1
        logits, values = network(seen)
        assert logits.shape == (2, 2 * m) and values.shape == (2,)
        assert not torch.allclose(logits[0], logits[1])
        flipped, _ = network(seen.flip(2))
        assert flipped.shape == logits.shape
    assert network(torch.zeros(0, 4, 5))[0].shape == (0, 10)


def test_the_search_with_it_finds_best_moves_at_sizes_where_nothing_was_learned() -> None:
    agent = generalise.AnySize("any", generalise.Convolution(0, 0, 8, 1.0), 600)
    for m in (2, 3):
        game = quet.new("palindromes", m=m)
        assert quet.rl.measure.accuracy(agent, game, num=50, seed=1).keeps_margin.value == 1


@pytest.mark.parametrize(("size", "sentence"), [("26", "was not found in 5 s"), ("6", "a size is named twice")])
def test_sizes_that_cannot_be_measured_are_refused_before_the_training(
    size: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(alphazero, "train", None)
    with pytest.raises(SystemExit):
        generalise.main(["6", size])
    assert sentence in capsys.readouterr().err


def test_what_came_out_is_written(tmp_path: Path) -> None:
    words = ["3", "4", "--minutes", "0.01", "--simulations", "8", "--positions", "20", "--out", str(tmp_path / "out")]
    assert generalise.main(words) == 0
    found = json.loads((tmp_path / "out").read_text())
    assert "generalise.py 3 4" in found["about"]
    assert [row["agent"] for row in found["rows"]][2:] == ["level:3", "random"]
    for row in found["rows"]:
        value = {m: three[0] for m, three in row["keeps_margin"].items()}
        assert row["drop"][0] == round(value["3"] - value["4"], 4)


def test_the_network_learns() -> None:
    torch.set_num_threads(1)
    game = quet.new("palindromes", m=4)
    trained = alphazero.train(game, minutes=1, simulations=8, width=16, make=generalise.Convolution)
    fresh = generalise.AnySize("fresh", generalise.Convolution(0, 0, 16, 1.0), 2)
    learned = generalise.AnySize("learned", trained.network, 2)  # hardly a search: the network decides
    shares = [quet.rl.measure.accuracy(who, game, num=100, seed=1).keeps_margin.value for who in (fresh, learned)]
    assert shares[1] > max(0.9, shares[0])
