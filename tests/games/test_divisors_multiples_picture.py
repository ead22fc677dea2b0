from itertools import chain, islice, pairwise
from typing import Any

import pytest

import quet
from conftest import play_at_random
from counting import num_calls
from quet.core.position import Position
from quet.draw.scene import Circle, Line, Scene, Square, Text
from quet.draw.text import text
from quet.games.divisors_multiples.picture import num_prime_factors, scene


def square(picture: Scene, name: str) -> Square:
    return next(square for square in picture.squares if square.name == name)


def played(moves: str, r: int = 17, **parameters: Any) -> quet.Game:
    game = quet.new("divisors-multiples", r=r, **parameters)
    for move in moves.split():
        game.play(move)
    return game


def circles(picture: Scene, role: str) -> int:
    return sum(isinstance(shape, Circle) and shape.role == role for shape in picture.shapes)


def edges(picture: Scene, role: str) -> int:
    return sum(isinstance(shape, Line) and shape.role == role for shape in picture.shapes)


@pytest.mark.parametrize("r", [2, 3, 17, 30, 60, 61, 100, 1000])
def test_every_picture_offers_exactly_the_legal_moves(r: int) -> None:
    game = quet.new("divisors-multiples", r=r, players=3)
    for now in chain([game], islice(play_at_random(game.copy(), r), 0, 40, 4)):
        picture = now.scene()
        offered = [move for s in picture.squares for move in s.moves]
        assert sorted(offered) == sorted(now.legal_moves)
        for s in picture.squares:
            assert s.moves in {(), (s.name,), (f"{s.name}!",), (f"{s.name}!", s.name)}
            assert len(s.glyph) <= 4
        assert circles(picture, "filled") == now.state.num_taken
        assert [s.name for s in picture.squares if s.is_last] == [str(now.state.current)]
        assert not any(s.moves for s in now.scene(legal=False).squares)
        assert "\n".join([picture.title, *picture.notes]).isascii()


@pytest.mark.parametrize("r", [2, 17, 30, 60, 61, 100, 500, 1000])
def test_numbers_stand_apart_inside_the_picture_in_reading_order(r: int) -> None:
    picture = played("", r=r).scene()
    assert sorted(int(s.name) for s in picture.squares) == list(range(1, r + 1))
    places = [(s.row, s.column) for s in picture.squares]
    assert places == sorted(set(places))
    for before, after in pairwise(picture.squares):
        assert after.x > before.x + 0.99 or after.y > before.y + 0.99
    assert all(0 <= s.x <= picture.width - 1 and 0 <= s.y <= picture.height - 1 for s in picture.squares)


def test_layers_are_numbers_of_prime_factors_with_1_at_the_bottom() -> None:
    assert num_prime_factors(16)[1:] == [0, 1, 1, 2, 1, 2, 1, 3, 2, 2, 1, 3, 1, 2, 2, 4]
    rows: dict[int, list[int]] = {}
    for s in played("").scene().squares:
        rows.setdefault(s.row, []).append(int(s.name))
    assert list(rows.values()) == [[16], [8, 12], [4, 6, 9, 10, 14, 15], [2, 3, 5, 7, 11, 13, 17], [1]]


def test_wide_layers_wrap() -> None:
    assert max(s.column for s in played("", r=1000).scene().squares) < 40


def test_an_edge_joins_numbers_whose_quotient_is_prime() -> None:
    picture = played("", r=6).scene()  # 1-2, 1-3, 1-5 at the current number; 2-4, 2-6, 3-6
    assert (edges(picture, "edge_strong"), edges(picture, "edge")) == (3, 3)


def test_only_the_edges_at_the_current_number_are_drawn_where_r_is_large() -> None:
    picture = played("4!", r=100).scene()  # 4-2, and 4p for the nine primes up to 25
    assert (edges(picture, "edge_strong"), edges(picture, "edge")) == (10, 0)


def test_numbers_that_can_be_stepped_to_show_their_price() -> None:
    picture = played("4!").scene()
    prices = [shape.text for shape in picture.shapes if isinstance(shape, Text) and shape.role == "cost"]
    assert sorted(prices) == ["2", "2", "2", "3", "4", "8"]
    assert square(picture, "1").words == "taken; a step costs 8"
    assert square(picture, "12").words == "not taken; a step costs 3"
    assert square(picture, "4").words == "taken, the current number; a step costs 2"
    assert square(picture, "5").words == "not taken"


def test_taken_numbers_have_a_star() -> None:
    picture = played("1000!", r=1000).scene()
    assert [square(picture, name).glyph for name in ("1", "2", "1000")] == ["1*", "2", "1k*"]
    assert square(played("", r=1000).scene(), "1000").glyph == "1000"


def test_the_notes_tell_the_mover_and_the_costs() -> None:
    assert played("4!").scene().notes[:2] == (
        "Player 2 steps from 4.",
        "Costs: player 1 has paid 4, player 2 has paid 0; the lowest wins.",
    )
    assert played("4! 2").scene().notes[0] == "Player 2 steps from 2 (step 2 of this turn)."
    picture = played("4!").scene()
    assert not any("*" in note for note in picture.notes), "Only the text has a star at a taken number."
    assert text(picture).endswith("\nNumbers with * are taken.")
    assert played("2!", r=2).scene().notes[0] == "The game is over: all numbers are taken."


def test_a_position_read_from_paper_has_the_same_picture() -> None:
    game = played("4! 2")
    position = game.position()
    assert scene(Position(position.state, position.parameters, (), position.legal)) == game.scene()


def test_the_largest_r_is_drawn_with_few_calls() -> None:
    game = played("", r=1000)
    assert num_calls(game.scene) < 100_000
