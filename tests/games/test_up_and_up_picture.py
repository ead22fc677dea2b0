from itertools import islice

import pytest

import quet
from conftest import play_at_random
from counting import num_calls
from quet.core.position import Position
from quet.draw.scene import Circle, Line, Scene, Square, Text
from quet.games.up_and_up.picture import scene


def square(picture: Scene, name: str) -> Square:
    return next(square for square in picture.squares if square.name == name)


def lines(picture: Scene, role: str) -> list[Line]:
    return [shape for shape in picture.shapes if isinstance(shape, Line) and shape.role == role]


def played(moves: str, n: int = 6) -> quet.Game:
    game = quet.new("up-and-up", n=n)
    for move in moves.split():
        game.play(move)
    return game


@pytest.mark.parametrize("n", [1, 2, 3, 8, 20])
def test_every_picture_offers_exactly_the_legal_moves(n: int) -> None:
    game = quet.new("up-and-up", n=n)
    assert {move for s in game.scene().squares for move in s.moves} == set(game.legal_moves)
    for now in islice(play_at_random(game, n), 40):
        picture = now.scene()
        assert [move for s in picture.squares for move in s.moves] == sorted(
            now.legal_moves, key=lambda text: (-int(text[1:]), text[0])
        )
        dots = [shape for shape in picture.shapes if isinstance(shape, Circle) and shape.role == "legal"]
        assert len(dots) == len(now.legal_moves)
        assert not any(s.moves for s in now.scene(legal=False).squares)
        assert [s.name for s in picture.squares if s.is_last] == now.moves[-1:]


def test_numbers_stand_where_they_were_written() -> None:
    picture = played("d3 d4 b4").scene()
    assert [(s.name, s.glyph, s.words) for s in picture.squares if s.glyph != "."] == [
        ("b4", "3", "holds 3"),
        ("d4", "2", "holds 2"),
        ("d3", "1", "holds 1"),
    ]
    assert square(picture, "a1").words == "empty"


def test_a_return_of_the_step_to_1_is_marked_and_explained() -> None:
    game = played("b2 b1", n=2)
    assert "step is back to 1, as no empty square lies 2 away" in game.scene().notes[1]
    game.play("a1")
    picture = game.scene()
    assert square(picture, "a1").words == "holds 3; here the step went back to 1"
    assert [shape.role for shape in picture.shapes].count("tint_two") == 1
    assert square(picture, "b1").words == "holds 2"


def test_the_latest_run_stands_out_from_older_ones() -> None:
    first = played("d3 d4 b4").scene()
    assert (len(lines(first, "path")), len(lines(first, "edge_strong"))) == (2, 0)
    later = played("b2 b1 a1", n=2).scene()
    assert (len(lines(later, "path")), len(lines(later, "edge_strong"))) == (1, 1)
    oldest, before = lines(played("b2 b1 a1 a2", n=2).scene(), "edge_strong")
    assert oldest.width < before.width < lines(later, "path")[0].width


@pytest.mark.parametrize("n", [8, 20])
def test_only_the_last_jumps_are_drawn_and_no_number_is_under_them(n: int) -> None:
    game = quet.new("up-and-up", n=n)
    for _ in play_at_random(game, 3):
        pass
    picture = game.scene()
    assert len(lines(picture, "path") + lines(picture, "edge_strong")) == 8 < game.ply - 1
    last_line = max(i for i, shape in enumerate(picture.shapes) if isinstance(shape, Line) and shape.role == "path")
    numbers = [i for i, shape in enumerate(picture.shapes) if isinstance(shape, Text) and shape.size >= 0.34]
    assert min(numbers) > last_line
    inked = {shape.text for shape in picture.shapes if isinstance(shape, Text) and shape.role == "ink"}
    assert str(game.ply) in inked and "1" not in inked


def test_jumps_are_arcs_and_single_steps_are_straight() -> None:
    step, jump = lines(played("d3 d4 b4").scene(), "path")
    assert {x for x, _ in step.points} == {step.points[0][0]}
    assert len({y for _, y in jump.points}) > 1


def test_a_position_read_from_paper_has_the_same_picture() -> None:
    game = played("d3 d4 b4 e4")
    position = game.position()
    assert scene(Position(position.state, position.parameters, (), position.legal)) == game.scene()


def test_the_notes_tell_the_step_the_count_and_the_end() -> None:
    assert played("").scene().notes == ("1 goes in any square.",)
    assert played("d3 d4").scene().notes == ("Squares filled: 2 of 36.", "3 goes 2 squares from 2.")
    assert played("a1", n=1).scene().notes[1] == "The game is over: no empty square lies beside 1."


def test_a_full_game_on_the_largest_grid_is_drawn_with_few_calls() -> None:
    game = quet.new("up-and-up", n=20)
    for _ in play_at_random(game, 1):
        pass
    assert num_calls(game.scene) < 20_000
