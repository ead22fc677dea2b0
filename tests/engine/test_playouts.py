"""Playouts, batches and records: the compiled loops do what the plain ones do."""

from typing import Any

import numpy as np
import pytest

import quet
from conftest import small
from quet.engine import playouts
from quet.engine.arrays import dtype, pack, unpack
from quet.engine.compiled import compiled

SMALL: dict[str, dict[str, int]] = {
    "blob": {"n": 5},
    "convoluted-coprimality": {"n": 5, "players": 3, "grids": 2},
    "divisors-multiples": {"r": 9, "players": 3},
    "palindromes": {"m": 9},
    "plusses-minuses": {"n": 5},
    "sequence-ascension": {"n": 4},
    "sums-grid": {"n": 2},
    "up-and-up": {"n": 5},
}


def plain(rules: Any) -> Any:
    """The playouts as ordinary Python, bound to these rules."""

    class Bound:
        pass

    def bound(name: str) -> Any:
        function = getattr(playouts, name)
        return type(function)(function.__code__, {**vars(playouts), "rules": rules, "playout": None}, name)

    made: Any = Bound()
    made.playout = bound("playout")
    return made


def test_a_state_survives_being_packed(our_game_id: str) -> None:
    game = quet.new(our_game_id, **small(our_game_id, SMALL))
    for _ in range(6):
        if game.is_over:
            break
        game.play(game.legal_moves[len(game.legal_moves) // 2])
        (record,) = pack([game.state])
        assert unpack(record, type(game.state)) == game.state
    assert dtype(type(game.state)).names == tuple(type(game.state).__slots__)


def test_a_compiled_playout_is_the_plain_one(our_game_id: str) -> None:
    game = quet.new(our_game_id, **small(our_game_id, SMALL))
    fast: Any = compiled(playouts, rules=game.rules)
    for seed in range(1, 6):
        record, moves = pack([game.state]), np.zeros(game.rules.most_moves(game.state), np.int64)
        plies = fast.playout(record[0], moves, np.array([seed * 977], np.uint64), 200)
        s, listed = game.copy().state, [0] * len(moves)
        with np.errstate(over="ignore"):
            assert plain(game.rules).playout(s, listed, np.array([seed * 977], np.uint64), 200) == plies
        assert unpack(record[0], type(s)) == s


def test_playouts_add_up_the_scores_and_leave_the_root_alone() -> None:
    game = quet.new("palindromes", m=8)
    fast: Any = compiled(playouts, rules=game.rules)
    root = pack([game.state])
    work, totals = root.copy(), np.zeros(3, np.int64)
    played = fast.playouts(root, work, np.zeros(16, np.int64), np.array([5], np.uint64), 1000, 100, totals)
    assert played == 8 * 1000
    assert unpack(root[0], type(game.state)) == game.state
    expected = 1000 * sum(2 * k * (9 - 2 * k) / 2**k for k in range(1, 5))  # 9 - 2k places, each with chance 2^-k
    assert totals[1] == pytest.approx(expected, rel=0.1)
    assert totals[2] == pytest.approx(expected, rel=0.1)


def test_random_numbers_are_even_and_below_their_bound() -> None:
    fast: Any = compiled(playouts, rules=quet.new("blob").rules)
    rng = np.array([1], np.uint64)
    counts = np.bincount([fast.below(rng, 7) for _ in range(7000)], minlength=7)
    assert len(counts) == 7
    assert counts.min() > 800
