import random
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import quet
from quet import catalog
from quet.core.errors import BrokenRules
from quet.draw.legend import without_legend
from quet.draw.palette import ROLES
from quet.draw.scene import Circle, Scene, Square, Text
from quet.game import Game
from quet.web import little_boards
from quet.web.board import Worth, board_css, board_html
from quet.web.i18n import speaking

NAMESPACE = "{http://www.w3.org/2000/svg}"


def cells(html: str) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(html)
    return {cell.attrib["data-square"]: cell for cell in root.iter() if cell.get("role") == "gridcell"}


def touch(cell: ElementTree.Element) -> ElementTree.Element | None:
    return next((element for element in cell.iter() if element.get("class") == "touch"), None)


def board(game: Game, **wishes: object) -> str:
    return board_html(game.scene(), is_playable=True, ask="/play/x?square=", **wishes)  # type: ignore[arg-type]


@pytest.mark.parametrize("id", catalog.ids())
def test_every_move_of_a_game_can_be_made_by_pressing_something(id: str) -> None:
    game, chance = quet.new(id), random.Random(1)
    while not game.is_over and game.ply < 40:
        pressed = {choice.move for choice in game.scene().choices}
        for cell in cells(board(game)).values():
            element = touch(cell)
            if element is None:
                continue
            if element.tag.endswith("button"):
                pressed |= {button.attrib["value"] for button in cell.iter(element.tag)}
                continue
            prompt = element.attrib["data-prompt"]
            pressed |= set(element.attrib["data-moves"].split())
            pressed |= {move for move in game.legal_moves if prompt and move.startswith(prompt)}
        assert pressed == set(game.legal_moves)
        game.play(chance.choice(game.legal_moves))


def test_a_square_with_one_move_is_a_button_that_plays_it() -> None:
    found = touch(cells(board(quet.new("blob", n=3)))["b2"])
    assert found is not None
    assert (found.tag, found.get("name"), found.get("value")) == (f"{NAMESPACE}button", "move", "b2")
    assert found.get("aria-label") == "b2, empty, legal"


def test_a_square_with_several_moves_or_a_number_to_write_is_a_link_to_the_question() -> None:
    several = touch(cells(board(quet.new("divisors-multiples", r=4)))["2"])
    number = touch(cells(board(quet.new("sums-grid")))["b2"])
    assert several is not None and number is not None
    assert (several.get("href"), several.get("data-moves")) == ("/play/x?square=2#ask", "2! 2")
    assert (number.get("href"), number.get("data-prompt")) == ("/play/x?square=b2#ask", "b2=")


@pytest.mark.parametrize("m", (1, 16, 64))
def test_a_square_for_one_of_two_digits_has_a_button_for_each_as_large_as_a_square(m: int) -> None:
    html = board(quet.new("palindromes", m=m))
    high = float(ElementTree.fromstring(html).attrib["viewBox"].split()[3])
    places = set()
    for name, cell in cells(html).items():
        mark = next(cell.iter(f"{NAMESPACE}rect"))
        above, below = cell.iter(f"{NAMESPACE}foreignObject")
        for region, digit, sign in ((above, 0, -1), (below, 1, 1)):
            assert region[0].get("value") == f"{name}={digit}"
            assert region[0].get("aria-label") == f"{name}, empty, legal: {digit}"
            x, y, wide, tall = (float(region.attrib[key]) for key in ("x", "y", "width", "height"))
            assert (wide, tall) == (float(mark.attrib["width"]), float(mark.attrib["height"]))
            assert y - float(mark.attrib["y"]) == pytest.approx(sign * tall / 2)
            assert 0 <= y <= high - tall
            places.add((round(x / wide, 2), round(y / tall, 2)))
    assert len(places) == 2 * m


def test_nothing_can_be_pressed_on_a_board_that_is_not_to_be_played_on() -> None:
    game = quet.new("blob", n=3)
    game.play("b2")
    found = cells(board_html(game.scene(legal=False)))
    assert [touch(cell) for cell in found.values()] == [None] * 9
    assert found["b2"].get("aria-label") == "b2, filled, the last move"
    assert found["b2"].get("tabindex") == "-1"


def test_the_squares_are_rows_of_a_grid_in_reading_order() -> None:
    root = ElementTree.fromstring(board(quet.new("blob", n=3)))
    rows = [[cell.get("data-square") for cell in row] for row in root if row.get("role") == "row"]
    assert root.get("role") == "grid" and root.get("aria-label") == "Multiples/Divisors Blob Game, 3 by 3"
    assert rows == [["a3", "b3", "c3"], ["a2", "b2", "c2"], ["a1", "b1", "c1"]]


def test_squares_can_be_marked_and_one_asked_about() -> None:
    found = cells(board(quet.new("palindromes", m=4), marked=("1", "2"), asked="2"))
    assert found["1"].get("class") == "cell is-marked is-legal is-split"
    assert found["2"].get("class") == "cell is-asked is-marked is-legal is-split"


def test_a_board_has_no_style_of_its_own_and_no_script() -> None:
    for id in catalog.ids():
        html = board(quet.new(id))
        assert not re.search(r"<style|<script| style=| on[a-z]+=", html)


def test_hostile_words_stay_words() -> None:
    name = '"><script>'
    scene = Scene(name, 1, 1, (), (Square(name, 0, 0, 0, 0, 1, 1, ".", name, (name, name), prompt=name),))
    for html in (board_html(scene, is_playable=True), board_html(scene)):
        assert "<script" not in html
        ElementTree.fromstring(html)


def test_a_role_that_the_palette_lacks_is_refused() -> None:
    with pytest.raises(BrokenRules):
        board_html(Scene("A title", 1, 1, (Circle(0, 0, 1, "gold"),), ()))


def test_the_board_speaks_the_language_of_its_reader() -> None:
    game = quet.new("blob", n=3)
    with speaking("de"):
        assert "b2, leer" in board(game)


def test_the_style_sheet_has_every_role_by_day_and_by_night() -> None:
    css = board_css()
    for role, colours in ROLES.items():
        for colour in colours:
            assert f"--{role.replace('_', '-')}:{colour};" in css
        assert f".quet-auto-{role}{{" in css and f".quet-auto-{role}-line{{" in css


def test_each_picture_has_a_size_in_the_style_sheet() -> None:
    css = board_css()
    for id in catalog.ids():
        units = re.search(r"units-[0-9]+", board_html(quet.new(id).scene()))
        assert units is not None and f".{units[0]}{{" in css


def test_a_wide_board_is_large_enough_to_read_and_scrolls() -> None:
    wide, usual = (board_html(quet.new("divisors-multiples", r=r).scene()) for r in (1000, 30))
    assert 'class="board quet-auto units-40 is-wide"' in wide and "is-wide" not in usual
    assert f".units-40{{min-width:{2.2 * 40:g}rem;" in board_css()  # 12 pixels for a number of three digits
    assert (
        ".board-place .board:not(.is-wide) { max-height"
        in (Path(quet.__file__).parent / "web/static/quet.css").read_text()
    )


@pytest.mark.parametrize(("id", "sizes"), [("blob", {"n": 20}), ("palindromes", {"m": 26}), ("up-and-up", {"n": 20})])
def test_the_largest_boards_with_one_letter_in_a_square_fit_into_the_window(id: str, sizes: dict[str, int]) -> None:
    assert "is-wide" not in board_html(quet.new(id, **sizes).scene())


@pytest.mark.parametrize("id", catalog.ids())
def test_without_its_legend_a_board_jumps_no_more_than_with_it_and_loses_no_square(id: str) -> None:
    game, chance, cut = quet.new(id), random.Random(2), set()
    while not game.is_over and game.ply < 30:
        scene = without_legend(game.scene())
        cut.add(round(game.scene().height - scene.height, 6))
        assert all(square.y + square.height <= scene.height for square in scene.squares)
        game.play(chance.choice(game.legal_moves))
    assert len(cut) == 1


def test_a_board_has_no_legend_and_keeps_what_stands_beside_it() -> None:
    scene = quet.new("plusses-minuses").scene()
    texts = [shape.text for shape in without_legend(scene).shapes if isinstance(shape, Text)]
    assert {"predicted", "truth", "a", "8"} <= set(texts)
    assert without_legend(scene).height < scene.height - 0.8
    assert without_legend(without_legend(scene)) == without_legend(scene)


def test_most_of_a_little_board_are_its_squares(game_id: str) -> None:
    shown = little_boards._little(quet.new(game_id).scene())
    right = max(square.x + square.width for square in shown.squares)
    assert right > shown.width / 2
    assert all(little_boards._left(shape) < shown.width for shape in shown.shapes)


def test_the_worth_of_a_move_leaves_what_stands_in_the_square_to_be_read() -> None:
    worth = Worth("+4", "a win by 4", "win", True, 1.0)
    written = board_html(
        quet.new("divisors-multiples", r=4).scene(), is_playable=True, is_form=True, worths={"2!": worth}
    )
    assert len(re.findall(r'<rect class="worth is-win is-best is-over( is-tag)?"', written)) == 2
    empty = board_html(quet.new("blob", n=3).scene(), is_playable=True, is_form=True, worths={"a1": worth})
    assert len(re.findall(r'<rect class="worth is-win is-best"', empty)) == 1


def test_a_square_that_takes_any_number_shows_the_best_of_them() -> None:
    worths = {f"a1={number}": Worth(str(number), f"{number}!", "win", number == 7, number) for number in (3, 7, 5)}
    written = board_html(quet.new("sums-grid", n=2).scene(), is_playable=True, is_form=True, worths=worths)
    assert re.findall(r'<text class="worth[^>]*>([^<]*)<', written) == ["7"]
    assert 'aria-label="a1, empty, can be written in, 7!"' in written
