"""Plans of Sequence Ascension: placings that don't lock themselves in."""

import itertools
import random

import pytest

import quet
from quet.core.grid import is_touching
from quet.game import Game
from quet.games.sequence_ascension import plan
from quet.games.sequence_ascension.walk import longest_walk
from quet.knowledge.hints import hint
from quet.players.player import player

# Positions where the square with the fewest ways on is in a dead end or in a pocket, and what is reached elsewhere.
POCKETS = [
    (5, "e4 d4 d5", 15),
    (7, "d6 d7 e7 f7 f6 g6", 20),
    (6, "a1 b1 c1 d2 e1 f2 e3 e4", 15),
    (6, "c2 c1 b2 c3 d2 d1 e2 d3 c4 d5", 16),
]


def never() -> bool:
    return False


def after(n: int, moves: str) -> Game:
    game = quet.new("sequence-ascension", n=n)
    for move in moves.split():
        game.play(move)
    return game


def score(game: Game, moves: list[int]) -> int:
    end = game.copy()
    for move in moves:
        end.push(move)
    assert end.is_over
    return int(end.scores[0])


def walked(game: Game) -> list[int]:
    """The placing so far and the walk on from it."""
    s = game.state
    begun = sorted((square for square in range(s.n**2) if s.index[square]), key=lambda square: s.index[square])
    return longest_walk(s.n, begun, random.Random(1), never)


def fewest_ways_on(game: Game, move: int) -> int:
    """The terms that are placed if this one goes there, and each later one where the fewest ways lead on."""
    later = game.copy()
    later.push(move)
    s = later.state
    while s.is_placing:
        ways = {
            square: sum(is_touching(square, other, s.n) and not s.index[other] for other in range(s.n**2))
            for square in later.legal_numbers()
        }
        later.push(min(ways, key=lambda square: ways[square]))
        s = later.state
    return int(s.count)


@pytest.mark.parametrize(("n", "moves", "least"), POCKETS)
def test_the_first_plan_does_not_lock_itself_in(n: int, moves: str, least: int) -> None:
    game = after(n, moves)
    assert score(game, list(plan.plan(game.state, [], 0, 1, never, is_plain=True).moves)) >= least


@pytest.mark.parametrize(("n", "moves", "least"), POCKETS)
def test_a_later_plan_leaves_a_line_that_has_locked_itself_in(n: int, moves: str, least: int) -> None:
    game = after(n, moves)
    trapped = min(game.legal_numbers(), key=lambda move: fewest_ways_on(game, move))
    line, later = [trapped], game.copy()
    later.push(trapped)
    while not later.is_over:
        line.append(later.legal_numbers()[0])
        later.push(line[-1])
    assert score(game, list(plan.plan(game.state, line, 1, 1, never, is_plain=True).moves)) >= least


@pytest.mark.parametrize("n", [5, 6, 7, 8])
def test_a_walk_is_as_long_as_one_that_begins_with_any_move_and_has_the_fewest_ways_on(n: int) -> None:
    chance, shorter = random.Random(n), 0
    for _ in range(25):
        game = quet.new("sequence-ascension", n=n)
        for _ in range(chance.randint(2, 20)):
            if game.state.is_placing:
                game.push(chance.choice(game.legal_numbers()))
        if game.state.is_placing:
            walk = walked(game)
            lengths = [fewest_ways_on(game, move) for move in game.legal_numbers()]
            assert len(walk) >= max(lengths), game.moves
            shorter += min(lengths) < len(walk)
            assert len(set(walk)) == len(walk)
            assert all(is_touching(one, other, n) for one, other in itertools.pairwise(walk))
            assert not any(is_touching(walk[-1], other, n) for other in set(range(n * n)) - set(walk))
    assert shorter > 5


def test_a_walk_over_an_empty_grid_fills_it_and_ends_soon_without_time() -> None:
    assert sorted(walked(after(6, ""))) == list(range(36))
    assert len(longest_walk(8, [9], random.Random(1), lambda: True)) > 1


@pytest.mark.parametrize(("moves", "corner"), [("e4 d4 d5", "e5")])
def test_a_hint_and_level_6_do_not_lock_themselves_in(moves: str, corner: str) -> None:
    game = after(5, moves)
    for seconds in (0.5, 5.0, 50.0):  # the first is enough unless the machine is busy
        told = hint(game, seconds=seconds)
        assert told.value is not None
        if told.value.amount >= 15:
            break
    assert told.move != corner and told.value is not None and told.value.amount >= 15
    assert player("level:6", seed=1).choose(game) != corner
