"""The value of a position and one best move, found in narrow windows: the same as by the values of all moves."""

import random

import pytest

import quet
from quet.distribution.task import Task
from quet.knowledge.values import exact_values, solved_best
from quet.solving.valuers import ByAlphaBeta

GAMES = ["blob n=4", "blob n=5", "plusses-minuses n=4", "plusses-minuses n=5 second_part_first=2", "up-and-up n=3"]
MEMORY = 16 * 2**20


def _positions(text: str, number: int) -> list[quet.Game]:
    """Positions near the ends of random games."""
    id, *parameters = text.split()
    found: list[quet.Game] = []
    chance = random.Random(text)
    while len(found) < number:
        game, passed = quet.new(id, **dict(word.split("=") for word in parameters)), []
        while not game.is_over:
            passed.append(game.copy())
            game.play(chance.choice(game.legal_moves))
        found += chance.sample(passed[-9:], 2)
    return found


@pytest.mark.parametrize("text", GAMES)
def test_the_value_and_the_move_are_right_in_random_positions(text: str) -> None:
    for game in _positions(text, 24):
        values = exact_values(game, seconds=60.0)
        found = solved_best(game, seconds=60.0)
        assert values is not None and found is not None
        best, move = found
        assert best == values[move] == max(values.values())


def test_large_values_far_from_a_short_look_are_found() -> None:
    """In Palindromes by alpha-beta, where values lie up to 40 points from those of a short look."""
    for game in _positions("palindromes m=10", 12):
        values = exact_values(game, seconds=60.0)
        valuer = ByAlphaBeta(game.rules, game.entry.capabilities, game.state, memory=MEMORY)
        found = valuer.best(game.state, Task(seconds=60.0))
        assert values is not None and found is not None
        value, move = found
        sign = 1 if game.mover == 1 else -1
        assert sign * value == values[game.rules.move_text(game.state, move)] == max(values.values())
        assert valuer.nodes > 0


def test_without_time_nothing_is_found() -> None:
    game = quet.new("blob", n=5)
    valuer = ByAlphaBeta(game.rules, game.entry.capabilities, game.state, memory=MEMORY)
    valuer.prepare()
    assert valuer.best(game.state, Task(seconds=0.0)) is None
    assert solved_best(game, seconds=0.0) is None
