"""A game's legal moves, which are listed only for who reads them."""

import pytest

import quet
from quet.core.grid import square_text
from quet.play.session import Session, seat


def test_asking_whether_a_move_is_legal_lists_nothing() -> None:
    moves = quet.new("sums-grid", n=8).legal_moves
    assert "b2=15" in moves
    assert "b2=" not in moves
    assert "nonsense" not in moves
    assert "_texts" not in vars(moves)
    assert len(moves) == 8**5


def test_drawing_and_playing_the_sums_grid_list_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(quet.new("sums-grid", n=8), [seat("person")])
    monkeypatch.setattr(session.game.rules, "legal_moves", _fail)
    for number, square in enumerate([square_text(i, 8) for i in range(64)], 1):
        assert not session.game.scene(legal=True).choices
        session.play(f"{square}={number}")
    assert [choice.move for choice in session.game.scene(legal=True).choices] == ["done"]
    session.play("done")
    assert not session.game.scene(legal=True).choices


def _fail(*_: object) -> int:
    raise AssertionError("legal moves were listed")


@pytest.mark.parametrize("after", [["2=0"], []])
def test_legal_moves_stay_those_of_their_position(after: list[str]) -> None:
    game = quet.new("palindromes", m=3)
    game.play("1=0")
    moves = game.legal_moves
    game.undo()
    for move in after:
        game.play(move)
    assert moves == ["2=0", "2=1", "3=0", "3=1"]
    assert moves[-1] == "3=1"
    assert moves[1:3] == ["2=1", "3=0"]
    assert repr(moves) == "['2=0', '2=1', '3=0', '3=1']"


def test_legal_moves_compare_as_lists_do() -> None:
    moves = quet.new("palindromes", m=1).legal_moves
    assert moves == quet.new("palindromes", m=1).legal_moves
    assert moves != ["1=0"]
    assert moves != "1=01=1"
    assert hash(moves) == hash(quet.new("palindromes", m=1).legal_moves)


def test_a_finished_game_has_no_legal_moves() -> None:
    game = quet.new("palindromes", m=1)
    game.play("1=0")
    assert not game.legal_moves
    assert "1=1" not in game.legal_moves
