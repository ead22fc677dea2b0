"""Ends that are drawn are those of random games: equal scores on average, and each move as often each player's."""

from typing import Any

import numpy as np
import pytest

import counted_ends
import quet
from quet.catalog import ids
from quet.engine import arrays
from quet.engine.compiled import compiled
from quet.engine.playouts import num_bits, random_bits, random_part
from quet.engine.tree import TreeSearch, mixed
from quet.knowledge.search import search_for

GAMES = [id for id in ids() if quet.new(id).entry.random_end is not None]
SIZES: dict[str, list[int]] = {"blob": [8, 12], "palindromes": [16, 33, 62], "plusses-minuses": [9, 20]}
ENDS = 20_000  # drawn, and as many played
SPREADS = 5.0  # standard deviations by which means may differ


def begun(id: str, size: int, plies: int) -> quet.Game:
    """A game of this size after so many moves, always the same."""
    game = quet.new(id, **{quet.new(id).rules.PARAMETERS[0].name: size})
    for i in range(plies):
        moves = game.legal_numbers()
        game.push(moves[7 * i % len(moves)])
    return game


@pytest.mark.parametrize(("id", "size"), [(id, size) for id in GAMES for size in SIZES[id]])
@pytest.mark.parametrize("plies", [0, 5])
def test_means_are_equal(id: str, size: int, plies: int) -> None:
    game = begun(id, size, plies)
    assert game.entry.random_end is not None
    module: Any = compiled(counted_ends, rules=game.rules, ends=game.entry.random_end)
    root = arrays.pack([game.state])
    width = -(-game.entry.random_end.num_moves(game.state) // 32)
    found, often = np.zeros((2 * ENDS, 3)), np.zeros((6, 32 * width), np.int64)
    room = np.zeros(game.rules.most_moves(game.state), np.int64), np.array([mixed(size + plies)], np.uint64)
    module.count(root, root.copy(), *room, np.zeros((3, width), np.int64), np.zeros(3), found, often)
    products = found[:, 1:2] * found[:, 2:]
    for each in (found, found**2, products):
        one, other = each[:ENDS], each[ENDS:]
        spread = np.sqrt((one.var(axis=0) + other.var(axis=0)) / ENDS)
        assert (np.abs(one.mean(axis=0) - other.mean(axis=0)) <= SPREADS * spread).all()
    by_drawing, by_playing = often[:3], often[3:]
    assert (np.abs(by_drawing - by_playing) <= SPREADS * np.sqrt(by_drawing + by_playing + 1)).all()
    # A prediction can be made more than once.
    assert by_drawing.sum() == by_playing.sum() or id == "plusses-minuses"


def test_sizes_without_drawn_ends_are_searched_move_by_move() -> None:
    for id, size in (("palindromes", 64), ("blob", 20)):
        game = begun(id, size, 0)
        assert game.entry.random_end is not None and game.entry.random_end.num_moves(game.state) == 0
        assert search_for(game, seed=1).run(simulations=20).num_simulations == 20


@pytest.mark.long
@pytest.mark.parametrize("id", GAMES)
def test_a_search_with_drawn_ends_finds_about_the_same(id: str) -> None:
    game = begun(id, 8, 0)
    one, other = (
        TreeSearch(game.rules, game.state, seed=1, rave=300.0, ends=ends).run(simulations=5_000)
        for ends in (None, game.entry.random_end)
    )
    assert one.value == pytest.approx(other.value, abs=0.1)
    assert one.candidates != other.candidates


def test_a_random_part_has_its_size_and_every_part_comes_as_often() -> None:
    rng = np.array([mixed(1)], np.uint64)
    whole = 0b1011010000001
    counts: dict[int, int] = {}
    with np.errstate(over="ignore"):
        for _ in range(2_000):
            part = random_part(rng, whole, 2)
            counts[part] = counts.get(part, 0) + 1
        words = [random_bits(rng) for _ in range(200)]
    assert len(counts) == 10 and all(150 < count < 250 for count in counts.values())
    assert all(part & ~whole == 0 and part.bit_count() == 2 for part in counts)
    assert all(num_bits(word) == word.bit_count() for word in words)
    assert max(words).bit_length() == 62 and len(set(words)) == 200
