"""The oracle against plain minimax over all positions of small sizes."""

from typing import Any

import numpy as np
import pytest

import quet
import quet.rl
from minimax import minimax
from quet.capabilities import NO_VALUE
from quet.core.errors import NotSolved
from quet.core.state import key
from quet.knowledge.values import TablebaseWarning
from quet.rl.forms import Form
from quet.tablebases import files

SIZES: list[tuple[str, dict[str, Any]]] = [
    ("blob", {"n": 3}),
    ("convoluted-coprimality", {"n": 2, "grids": 2}),
    ("divisors-multiples", {"r": 3}),
    ("palindromes", {"m": 6}),
    ("plusses-minuses", {"n": 3}),
    ("plusses-minuses", {"n": 3, "second_part_first": 2}),
    ("sequence-ascension", {"n": 2, "sequence": "1,1,2,3"}),
    ("sums-grid", {"n": 1}),
    ("up-and-up", {"n": 3}),
]

STRANGE: Any = np.zeros(3)


@pytest.mark.parametrize(("id", "parameters"), SIZES, ids=str)
def test_values_are_those_of_trying_everything(id: str, parameters: dict[str, Any]) -> None:
    game = quet.new(id, **parameters)
    oracle, form, true = quet.rl.oracle(game), Form(id, parameters), minimax(game)
    positions = list(quet.positions(game))
    for position in positions:
        worth = {move: true[key(position.after(move).state)] for move in position.legal_moves}
        assert oracle.value(position) == true[key(position.state)]
        assert oracle.moves(position) == worth
        best = [move for move, value in worth.items() if value == oracle.value(position)]
        assert oracle.best(position) == best and bool(best) is not position.is_over
    if not oracle.has_table:
        with pytest.raises(NotSolved, match=r"^There is no table of .* at this size; ask for positions one by one\.$"):
            oracle.look_up(positions)
        return
    found = oracle.look_up(positions)
    for i, position in enumerate(positions):
        assert found.positions[i] == true[key(position.state)]
        legal = form.legal_actions(position.state)
        assert np.flatnonzero(found.legal[i]).tolist() == legal and not found.actions[i][~found.legal[i]].any()
        moves = oracle.moves(position)
        assert {form.text(position.state, action): found.actions[i, action] for action in legal} == moves


@pytest.mark.parametrize(("id", "parameters"), [SIZES[2], SIZES[3], SIZES[4], SIZES[8]], ids=str)
def test_values_without_a_table_are_the_same(
    id: str, parameters: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quet.rl.oracles.whole_table", lambda *given, **named: None)
    game = quet.new(id, **parameters)
    oracle, true = quet.rl.oracle(game), minimax(game)
    assert not oracle.has_table
    positions = quet.positions(game)
    for position in positions[:: max(1, len(positions) // 12)]:
        assert oracle.value(position) == true[key(position.state)]
        worth = {move: true[key(position.after(move).state)] for move in position.legal_moves}
        assert oracle.moves(position) == worth
    monkeypatch.setattr("quet.rl.oracles.ask", lambda *_: None)  # what a position is worth follows from its moves
    assert all(oracle.value(position) == true[key(position.state)] for position in positions[:40])


def test_games_with_tables_are_looked_up_in_tables() -> None:
    with_table = {id for id, parameters in SIZES if quet.rl.oracle(quet.new(id, **parameters)).has_table}
    assert with_table == set(dict(SIZES)) - {"sequence-ascension", "sums-grid"}


def test_a_batch_is_looked_up_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    game = quet.new("palindromes", m=8)
    oracle, games = quet.rl.oracle(game), quet.rl.batch(game, 50, threads=1)
    for _ in range(3):
        games.step(games.random_actions())
    monkeypatch.setattr("quet.rl.oracles.PORTION", 144 * 16 * 7)
    found = oracle.look_up(games)
    assert (found.legal == games.masks).all() and len(found.positions) == 50
    assert np.array_equal(found.actions, oracle.look_up(games.states).actions)
    worst = np.where(found.legal, found.actions, 10**6).min(axis=1)
    assert (worst == found.positions).all()  # player 2 is to move
    assert all(len(part) == 0 for part in oracle.look_up(games.states[:0]))


def test_a_saved_tablebase_is_looked_up_and_one_that_is_damaged_is_not(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUET_TABLES", str(tmp_path))
    for id, parameters in (("palindromes", {"m": 12}), ("up-and-up", {"n": 4})):
        game = quet.new(id, **parameters)
        made = quet.rl.oracle(game)
        table = made._table
        assert table is not None
        file = files.save(table, id, game.rules, game.entry.capabilities, game.parameters)
        saved = quet.rl.oracle(game)
        games = quet.rl.batch(game, 20, threads=1)
        games.step(games.random_actions())
        assert saved.value(game) == made.value(game)
        assert np.array_equal(saved.look_up(games).actions, made.look_up(games).actions)
        content = bytearray(file.read_bytes())
        content[-files.BLOCK] ^= 1
        file.write_bytes(content)
        with pytest.raises((files.BadTablebase, TablebaseWarning), match="damaged"):
            quet.rl.oracle(game).look_up(games)  # what is met first, the start or the batch, is in the damaged block
        file.write_bytes(b"nothing")
        with pytest.warns(TablebaseWarning, match="is not used"):
            assert quet.rl.oracle(game).value(game) == made.value(game)


def test_values_that_a_table_can_not_hold_are_searched_for() -> None:
    """A table of palindromes has no values from 127 units on; here one player has more than that already."""
    game = quet.new("palindromes", m=16)
    for square in range(1, 15):
        game.play(f"{square}=0")
    oracle = quet.rl.oracle(game)
    worths = oracle.moves(game)
    true = minimax(game)
    assert oracle.has_table and worths == {move: true[key(game.after(move).state)] for move in worths}
    assert max(worths.values()) > 2 * 127
    assert oracle.look_up([game]).positions.tolist() == [max(worths.values())] == [oracle.value(game)]


@pytest.mark.parametrize(("id", "parameters"), [SIZES[2], SIZES[3]], ids=str)
def test_values_that_a_table_does_not_have_have_the_same_sign(
    id: str, parameters: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the first the lower score is better."""
    game = quet.new(id, **parameters)
    positions = list(quet.positions(game))[:4]
    oracle, true = quet.rl.oracle(game), minimax(game)
    monkeypatch.setattr(
        "quet.rl.oracles.values_of", lambda game, table, states: np.full(len(states), NO_VALUE, np.int64)
    )
    assert oracle.look_up(positions).positions.tolist() == [true[key(one.state)] for one in positions]


def test_what_can_still_be_reached_in_a_solitaire_of_whole_boards() -> None:
    game = quet.new("sums-grid", n=2)
    oracle = quet.rl.oracle(game)
    assert oracle.value(game) == 8  # of the table of best results; any number may be changed
    game.play("a1=8")
    assert set(oracle.moves(game).values()) == {8}


def test_games_that_are_equal_have_one_oracle() -> None:
    one, same = (quet.new("sequence-ascension", n=2, sequence=terms) for terms in ([1, 2, 3, 4], [1, 2, 3, 4, 99]))
    oracle = quet.rl.oracle(one)
    assert one == same and oracle.value(same) == oracle.value(one)
    for ask in (oracle.look_up, lambda given: oracle.look_up(quet.rl.batch(given[0], 2, threads=1))):
        with pytest.raises(NotSolved, match="ask for positions one by one"):  # and not of another game
            ask([same])
    with pytest.raises(quet.BadParameter, match="This oracle is for "):
        oracle.value(quet.new("sequence-ascension", n=2, sequence=[1, 2, 3, 5]))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda game: quet.rl.oracle(STRANGE), "'array([0., 0., 0.])' is not a game; begin "),
        (lambda game: quet.rl.oracle(game, seconds=0), "The time must be a number of seconds"),
        (lambda game: quet.rl.oracle(quet.new("divisors-multiples", players=3)), "A game for 3 players has no value."),
        (lambda game: quet.rl.oracle(game).value(quet.new("blob", n=3)), "This oracle is for <Game palindromes m=4"),
        (lambda game: quet.rl.oracle(game).moves(quet.new("palindromes", m=5)), "This oracle is for "),
        (lambda game: quet.rl.oracle(game).look_up([quet.new("palindromes", m=5)]), "This oracle is for "),
        (lambda game: quet.rl.oracle(game).look_up(STRANGE), "This oracle is for "),
        (lambda game: quet.rl.oracle(game).look_up(quet.rl.batch(quet.new("palindromes", m=5), 2)), "This oracle is "),
    ],
)
def test_a_refusal_says_what_is_wrong(call: Any, sentence: str) -> None:
    with pytest.raises(quet.BadParameter) as caught:
        call(quet.new("palindromes", m=4))
    assert str(caught.value).startswith(sentence)


def test_what_is_not_found_in_time_is_said() -> None:
    game = quet.new("blob", n=8)
    with pytest.raises(NotSolved, match=r"isn't known, and was not found in 0\.01 s\. Smaller sizes"):
        quet.rl.oracle(game, seconds=0.01).value(game)
