"""All positions of small games, and how many sequences of moves there are: compiled, and by the plain rules."""

from typing import Any

import numpy as np
import pytest

import quet
from quet.contract.checks import count_sequences
from quet.engine.arrays import pack, unpack

FEW: dict[str, dict[str, Any]] = {  # sizes with some hundred positions, and the odd things of each game
    "blob": {"n": 3},
    "convoluted-coprimality": {"n": 2, "players": 3, "grids": 2},
    "divisors-multiples": {"r": 3, "players": 3},
    "palindromes": {"m": 5},
    "plusses-minuses": {"n": 3, "second_part_first": 2},
    "sequence-ascension": {"n": 2, "sequence": "1,1,2,3"},
    "sums-grid": {"n": 1},
    "up-and-up": {"n": 3},
}


@pytest.mark.parametrize(
    "id", [pytest.param(id, marks=pytest.mark.long if number % 2 else []) for number, id in enumerate(FEW)]
)
def test_all_positions_are_those_of_the_plain_rules(id: str) -> None:
    game = quet.new(id, **FEW[id])
    found = quet.positions(game)
    number = {game: 0}
    waiting = [game]
    while waiting:
        one = waiting.pop()
        for after in map(one.after, one.legal_moves):
            if after not in number:
                number[after] = len(number)
                waiting.append(after)
    games = list(found)
    assert len(games) == len(set(games)) == len(number) and set(games) == set(number)
    assert [each.ply for each in games] == sorted(each.ply for each in games)
    for i, each in enumerate(games):
        edges = slice(found.begins[i], found.begins[i + 1])
        assert found.moves[edges].tolist() == each.legal_numbers()
        assert found.movers[i] == (each.mover or 0) and found.scores[i].tolist() == each.scores
        again = each.copy()
        again.state = unpack(found.states[i], type(each.state))
        assert again == each
        for move, j in zip(each.legal_moves, found.after[edges], strict=True):
            assert each.after(move) == games[j]


@pytest.mark.parametrize("id", FEW)
def test_sequences_are_counted_as_by_the_plain_rules(id: str) -> None:
    game = quet.new(id, **FEW[id])
    assert [quet.perft(game, depth) for depth in range(5)] == [1, *count_sequences(game, 4)]
    assert quet.perft(game, np.int8(1)) == len(game.legal_moves)


def test_positions_begin_anywhere_and_are_bounded() -> None:
    game = quet.new("palindromes", m=4).after("2=1")
    found = quet.positions(game)
    assert len(found) == 27 and found[0] == game and found[-1].is_over and found[-1].moves[0] == "2=1"
    assert found[1:3] == [found[1], found[2]] and repr(found).startswith("<27 positions after <Game palindromes")
    assert found.states[0] == pack([game.state])[0]
    assert len(quet.positions(game, most=27)) == 27
    with pytest.raises(quet.BadParameter, match=r"^There are more than 26 positions\.$"):
        quet.positions(game, most=26)
    over = quet.position("palindromes", "10")
    assert len(quet.positions(over)) == 1 and quet.perft(over, 0) == 1 and quet.perft(over, 3) == 0
