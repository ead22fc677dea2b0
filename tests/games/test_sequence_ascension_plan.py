"""The plan of Sequence Ascension doesn't lock itself in."""

import random

import pytest

import quet
from quet.games.sequence_ascension import plan
from quet.games.sequence_ascension.rules import EMPTY
from quet.knowledge.hints import hint
from quet.players.player import player

TRAPS = [  # the moves so far, and a corner with no other way out
    (5, "e4 d4 d5", "e5"),
    (7, "d6 d7 e7 f7 f6 g6", "g7"),
]


def placed(n: int, moves: list[str]) -> quet.Game:
    game = quet.new("sequence-ascension", n=n)
    for move in moves:
        game.play(move)
    return game


def walked(game: quet.Game, seed: int) -> list[int]:
    s = game.state
    begun = sorted((square for square in range(s.n**2) if s.index[square] != EMPTY), key=lambda k: s.index[k])
    return plan._walk(s, begun, random.Random(seed))


@pytest.mark.parametrize(("n", "moves", "corner"), TRAPS, ids=["5", "7"])
def test_a_hint_and_level_6_do_not_lock_themselves_in(n: int, moves: str, corner: str) -> None:
    game = placed(n, moves.split())
    told = hint(game, seconds=0.5)
    assert told.move != corner and told.value is not None and told.value.amount >= 15
    assert player("level:6", seed=1).choose(game) != corner


@pytest.mark.parametrize("n", [5, 6, 8])
def test_the_first_walk_is_as_long_as_one_in_each_direction(n: int) -> None:
    rng = random.Random(n)
    for seed in range(60):
        game = placed(n, [])
        for _ in range(rng.randrange(1, n * n // 2)):
            if len(game.legal_moves) > 1 or not game.ply:
                game.play(rng.choice(game.legal_moves))
        if not game.state.is_placing:
            continue
        walk = walked(game, seed)
        assert len(walk) >= max(greedy(game, first) for first in game.legal_numbers())
        again = game.copy()
        for square in walk[game.ply :]:
            again.push(square)
        assert again.state.count == len(walk)


def greedy(game: quet.Game, first: int) -> int:
    """How many terms are laid if this is next, and then each square is the one with the fewest empty squares around."""
    game = game.copy()
    game.push(first)
    while game.state.is_placing:
        game.push(min(game.legal_numbers(), key=lambda square: ways_after(game, square)))
    return int(game.state.count)


def ways_after(game: quet.Game, square: int) -> int:
    after = game.copy()
    after.push(square)
    return len(after.legal_numbers()) if after.state.is_placing else 0
