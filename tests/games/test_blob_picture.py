import pytest

import quet
from conftest import play_at_random
from quet import catalog
from quet.core.position import Position
from quet.draw.scene import Circle, Line, Polygon, Rectangle, Scene, Text
from quet.games.blob import rules
from quet.games.blob.picture import scene

SAMPLE = catalog.get("blob").facts["samples"][0]["paper"]


def on_paper(rows: str) -> Scene:
    """The picture of a position whose order of moves is not known."""
    lines = [row.split() for row in rows.strip().splitlines()]
    s = rules.State()
    rules.start(s, n=len(lines))
    for k, line in enumerate(reversed(lines)):
        for column, mark in enumerate(line):
            if mark == "*":
                rules.play(s, k * s.n + column)
    return scene(Position(s, {"n": s.n}))


def words(picture: Scene) -> list[str]:
    return [shape.text for shape in picture.shapes if isinstance(shape, Text)]


def test_the_authors_sample_has_the_run_lengths_and_scores_of_his_post() -> None:
    picture = on_paper(SAMPLE)
    assert picture.row_notes[0] == "2 1 9"
    assert picture.row_notes[11] == "5 2 1 3 1"
    assert {row for row, note in picture.row_notes.items() if note.endswith(" good")} == {1, 7, 8}
    assert sum(note.endswith(" good") for note in picture.notes) == 5
    assert picture.notes[-3:] == ("Player 1: 3 good rows", "Player 2: 5 good columns", "Squares filled: 72 of 72")
    assert "Player 1: 3 good rows" in words(picture)


def test_columns_are_read_from_the_top() -> None:
    picture = on_paper("o *\no o")
    assert picture.notes[:2] == ("a: 2 good", "b: 1 1 good")
    picture = on_paper("* o o\n* o o\no o o")
    assert picture.notes[0] == "a: 2 1 good"


def test_a_position_from_paper_shows_no_last_move_and_nothing_to_touch() -> None:
    picture = on_paper(SAMPLE)
    assert not any(square.is_last or square.moves for square in picture.squares)
    assert not any(shape.role in ("last", "legal") for shape in picture.shapes)
    assert picture.squares[2].glyph == "*" and picture.squares[2].name == "c12"


@pytest.mark.parametrize("n", [2, 3, 6])
def test_exactly_the_legal_squares_can_be_touched_and_have_a_dot(n: int) -> None:
    for game in play_at_random(quet.new("blob", n=n), n):
        picture = game.scene()
        assert {move for square in picture.squares for move in square.moves} == set(game.legal_moves)
        dots = [shape for shape in picture.shapes if isinstance(shape, Circle) and shape.role == "legal"]
        assert len(dots) == len(game.legal_moves)
        assert [square.name for square in picture.squares if square.is_last] == game.moves[-1:]


def blob(rows: str) -> tuple[int, int]:
    """How many rectangles and inner corners make the blob."""
    shapes = [shape for shape in on_paper(rows).shapes if shape.role == "filled"]
    return sum(isinstance(s, Rectangle) for s in shapes), sum(isinstance(s, Polygon) for s in shapes)


def test_neighbours_are_joined_and_inner_corners_are_round() -> None:
    assert blob("o o\n* o") == (1, 0)
    assert blob("o o\n* *") == (3, 0)
    assert blob("* o\n* *") == (5, 1)
    assert blob("* *\n* *") == (4 + 2 + 2 + 1, 0)
    assert blob("o *\n* o") == (2, 0)


def test_a_game_on_the_largest_grid_fits_its_picture() -> None:
    *_, game = play_at_random(quet.new("blob", n=20), 1)
    picture = game.scene()
    for shape in picture.shapes:
        if isinstance(shape, Text):
            assert 0 < shape.x < picture.width and 0 < shape.y < picture.height
        elif isinstance(shape, Line):
            assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in shape.points)


def test_many_runs_in_a_line_make_the_picture_larger() -> None:
    comb = on_paper("\n".join(["* o * o * o * o * o * o"] * 11 + ["* * * * * * * * * * * *"]))
    texts = [shape for shape in comb.shapes if isinstance(shape, Text)]
    assert max(shape.x for shape in texts) < comb.width - 0.3
    assert comb.row_notes[0].split() == ["1"] * 12 + ["good"]
