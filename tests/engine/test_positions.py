"""Tables of all positions: each has the value of the best of its moves, and none is left out."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

import quet
from quet.core.clock import clock
from quet.core.rules import AnyState
from quet.core.state import copy
from quet.engine import positions
from quet.games.blob.rules import FULL

SIZES: list[tuple[str, dict[str, int]]] = [
    ("blob", {"n": 2}),
    ("blob", {"n": 4}),
    ("convoluted-coprimality", {"n": 3, "grids": 2}),
    ("palindromes", {"m": 5}),
    ("plusses-minuses", {"n": 3}),
    ("plusses-minuses", {"n": 3, "second_part_first": 2}),
    ("up-and-up", {"n": 3}),
]


def solved(game: quet.Game, **limits: Any) -> positions.Positions | None:
    return positions.solve(game.rules, game.entry.capabilities, game.state, **{"memory": 2**27, **limits})


@pytest.mark.parametrize(("id", "parameters"), SIZES, ids=str)
def test_every_position_is_worth_the_best_of_its_moves(id: str, parameters: dict[str, int]) -> None:
    game = quet.new(id, **parameters)
    table, rules = solved(game), game.rules
    assert table is not None
    keys: set[int] = set()
    waiting = [game.state]
    while waiting:
        s = waiting.pop()
        capabilities, same = game.entry.capabilities.twin(s)
        assert capabilities.keys is not None
        key = capabilities.keys.key(same)
        if key in keys:
            continue
        keys.add(key)
        out = [0] * rules.most_moves(s)
        found = []
        for move in out[: rules.legal_moves(s, out)]:
            after = copy(s)
            rules.play(after, move)
            if rules.is_over(after):
                value = rules.score(after, 1) - (rules.score(after, 2) if game.num_players > 1 else 0)
            else:
                waiting.append(after)
                value = table.value(after)  # type: ignore[assignment]
            found.append(value)
        assert table.value(s) == (max if rules.mover(s) == 1 else min)(found)
    assert int((table.values != positions.NONE).sum()) == len(keys)


def test_a_table_grows_and_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    game = quet.new("blob", n=4)
    whole = solved(game)
    monkeypatch.setattr(positions, "SMALLEST", 8)
    monkeypatch.setattr(positions, "PORTION", 7)
    reports: list[str] = []
    grown = solved(game, report=lambda done, total, words: reports.append(words))
    assert whole is not None and grown is not None
    assert {(k, v) for k, v in zip(grown.keys, grown.values, strict=True) if v != positions.NONE} == {
        (k, v) for k, v in zip(whole.keys, whole.values, strict=True) if v != positions.NONE
    }
    assert len(reports) > 100
    assert reports[-1].endswith(" positions met")


def test_what_takes_too_long_or_too_much_has_no_table() -> None:
    assert solved(quet.new("blob", n=5), until=clock()) is None
    assert solved(quet.new("blob", n=5), memory=2**16) is None


@dataclass
class Within:
    """Bounds of a game with scores up to this one."""

    most: int

    def bounds(self, s: AnyState) -> tuple[int, int]:
        return -self.most, self.most


@pytest.mark.parametrize(("most", "fits"), [(2**14 - 1, True), (2**14, False), (40_000, False)])
def test_values_that_do_not_fit_into_a_table_have_none(most: int, fits: bool) -> None:
    """Its values have 16 bits; and less what is settled, a value may be twice as large."""
    game = quet.new("palindromes", m=3)
    capabilities = replace(game.entry.capabilities, bounds=Within(most))
    assert not capabilities.compact
    table = positions.solve(game.rules, capabilities, game.state, memory=2**27)
    assert (table is not None) == fits


def test_a_position_that_is_not_there_has_no_value() -> None:
    table = solved(quet.new("blob", n=3))
    other = quet.new("blob", n=3)
    for square in (0, 8):  # two squares that don't touch
        other.state.cells[square] = FULL
    assert table is not None
    assert table.value(other.state) is None
