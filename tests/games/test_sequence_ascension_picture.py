from itertools import islice

import pytest

import quet
from conftest import play_at_random
from counting import num_calls
from quet.core.position import Position
from quet.draw.scene import Circle, Line, Scene, Square, Text
from quet.games.sequence_ascension.picture import scene

LOOP = "a1 a2 b2 b1"  # fills a 2x2 grid


def square(picture: Scene, name: str) -> Square:
    return next(square for square in picture.squares if square.name == name)


def played(moves: str, n: int = 2, sequence: object = "naturals") -> quet.Game:
    game = quet.new("sequence-ascension", n=n, sequence=sequence)
    for move in moves.split():
        game.play(move)
    return game


def texts(picture: Scene) -> list[str]:
    return [shape.text for shape in picture.shapes if isinstance(shape, Text)]


@pytest.mark.parametrize("n", [2, 3, 5, 20])
@pytest.mark.parametrize("sequence", ["divisors", "random:1:-9:9", "random:1:0:1" + 50 * "0"])
def test_every_picture_offers_exactly_the_legal_moves(n: int, sequence: str) -> None:
    game = quet.new("sequence-ascension", n=n, sequence=sequence)
    assert {move for s in game.scene().squares for move in s.moves} == set(game.legal_moves)
    for now in islice(play_at_random(game, n), 0, None, 9):
        picture = now.scene()
        assert {move for s in picture.squares for move in s.moves} == set(now.legal_moves)
        assert sum(len(s.moves) for s in picture.squares) == len(now.legal_moves)
        dots = [shape for shape in picture.shapes if isinstance(shape, Circle) and shape.role == "legal"]
        assert len(dots) == len(now.legal_moves)
        assert all(len(s.glyph) <= 4 for s in picture.squares)
        assert "\n".join([picture.title, *picture.notes, *texts(picture)]).isascii()
        assert [s.name for s in picture.squares if s.is_last] == now.moves[-1:]
        assert not any(s.moves for s in now.scene(legal=False).squares)


def test_terms_stand_where_they_were_placed_and_the_strip_shows_the_next() -> None:
    picture = played("a1 b2", sequence="5,6,7,8").scene()
    assert [s.glyph for s in picture.squares] == [".", "6", "5", "."]
    assert square(picture, "b2").words == "holds 6, term 2"
    assert texts(picture)[-3:] == ["next", "7", "8"]
    assert picture.notes == ("Next is term 3 of 4: 7, then 8.",)


def test_the_climb_is_bold_over_the_thin_line_of_the_placing() -> None:
    def widths(picture: Scene, role: str) -> set[float]:
        return {shape.width for shape in picture.shapes if isinstance(shape, Line) and shape.role == role}

    placing, climbing = played("a1 a2").scene(), played(f"{LOOP} a1 b2").scene()
    assert widths(placing, "edge_strong") and not widths(placing, "path")
    assert min(widths(climbing, "path")) > max(widths(climbing, "edge"))
    assert square(climbing, "b2").words == "holds 3, term 3, step 2 of the path"
    assert square(climbing, "b1").words == "holds 4, term 4"
    assert texts(climbing)[-3:] == ["path", "1", "3"]


def test_the_later_of_two_crossing_lines_passes_over_with_a_gap() -> None:
    picture = played("a1 b2 a2 b1").scene()
    diagonals = [
        (k, shape)
        for k, shape in enumerate(picture.shapes)
        if isinstance(shape, Line)
        and shape.role == "edge_strong"
        and len({y for _, y in shape.points}) > 1
        and len({x for x, _ in shape.points}) > 1
    ]
    (_, first), (over, second) = diagonals
    gap = picture.shapes[over - 1]
    assert isinstance(gap, Line) and gap.role == "square" and gap.width > second.width
    assert first.points[0][1] > first.points[1][1] and second.points[0][1] < second.points[1][1]


def test_terms_too_long_for_a_square_are_shown_as_ranks() -> None:
    huge = 10**5000
    game = played(LOOP + " a2", sequence=[huge, 7, huge, -huge])
    picture = game.scene()
    assert [s.glyph for s in picture.squares] == ["#2", "#3", "#3", "#1"]
    assert square(picture, "a1").words == "holds 100000000000... (5001 digits), term 1"
    assert square(picture, "b1").words == "holds -10000000000... (5001 digits), term 4"
    assert "equal terms have equal ranks" in picture.notes[-1]
    assert all(len(note) < 200 for note in picture.notes)


def test_terms_of_five_characters_are_numbers_in_the_picture_and_ranks_in_text() -> None:
    picture = played(LOOP, sequence="12345,1,2,-1234").scene()
    assert "12345" in texts(picture) and "-1234" in texts(picture)
    assert [s.glyph for s in picture.squares] == ["#2", "#3", "#4", "#1"]
    assert not any("ranks" in note for note in picture.notes)  # which stand below the picture, too
    assert picture.signs == ("#3 is the third smallest value; equal terms have equal ranks.",)
    assert not played(LOOP).scene().signs


def test_a_grid_from_paper_whose_order_is_unknown_has_no_line_of_placing_and_no_numbers_of_terms() -> None:
    paper = "1 5 2 / 6 7 8 / 3 9 4"

    def widths(picture: Scene) -> set[float]:
        return {shape.width for shape in picture.shapes if isinstance(shape, Line) and shape.role == "edge"}

    unknown = quet.position("sequence-ascension", paper).scene()
    known = quet.position("sequence-ascension", paper, sequence="1,5,2,8,7,6,3,9,4").scene()
    assert square(unknown, "c3").words.startswith("holds 2") and "term" not in square(unknown, "c3").words
    assert square(known, "c3").words.startswith("holds 2, term 3")
    assert len(known.shapes) > len(unknown.shapes) and widths(unknown) < widths(known)


def test_all_pictures_of_a_game_are_of_one_size() -> None:
    game = played("", n=4)
    sizes = {(now.scene().width, now.scene().height) for now in play_at_random(game, 2)}
    assert sizes == {(game.scene().width, game.scene().height)}


def test_a_position_read_from_paper_has_the_same_picture() -> None:
    for moves in ("a1 b2", LOOP, f"{LOOP} a1 a2"):
        game = played(moves)
        position = game.position()
        assert scene(Position(position.state, position.parameters, (), position.legal)) == game.scene()


def test_the_notes_tell_the_end() -> None:
    assert played(LOOP).scene().notes == ("Squares filled: 4 of 4. The path starts at any filled square.",)
    ends = [played(f"{LOOP} {path}").scene().notes for path in ("b2", "b2 b1")]
    assert ends == [
        ("The path goes on. Filled squares on the path: 1 of 4, 3 at b2.",),
        ("The game is over. Filled squares on the path: 2 of 4, 3 at b2, 4 at b1.",),
    ]


def test_the_largest_grid_is_drawn_with_few_calls() -> None:
    game = quet.new("sequence-ascension", n=20, sequence=f"random:1:0:{10**300}")
    for _ in play_at_random(game, 1):
        pass
    assert num_calls(game.scene) < 20_000
