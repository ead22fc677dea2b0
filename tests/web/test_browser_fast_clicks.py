"""Whoever clicks or types fast in a real browser loses nothing, however late the server answers."""

import re
import time

import pytest
from playwright.sync_api import Page, Route, expect

from quet.puzzles import Kind, Puzzle, of
from quet.puzzles import judge as judging

from .browsing import PATIENCE, Person


@pytest.fixture
def page(person: Person) -> Page:
    return person.page


class Late:
    """A server that answers some requests when a test says so."""

    def __init__(self, page: Page, address: str, method: str = "GET") -> None:
        self._page = page
        self._held: list[Route] = []
        self._method = method
        page.route(re.compile(address), self._come)

    def _come(self, route: Route) -> None:
        if route.request.method == self._method:
            self._held.append(route)
        else:
            route.continue_()

    @property
    def is_asked(self) -> bool:
        """Whether a request waits for its answer."""
        return bool(self._held)

    def answer(self) -> None:
        """Answer the first request, once it has come, and return when the page has had time to show the answer."""
        end = time.monotonic() + PATIENCE / 1_000
        while not self._held:
            assert time.monotonic() < end, "The page asked for nothing."
            self._page.wait_for_timeout(10)
        route = self._held.pop(0)
        with self._page.expect_response(route.request.url) as answer:
            route.continue_()
        answer.value.finished()
        self._page.wait_for_timeout(200)


def press(page: Page, selector: str) -> None:
    """Press a button, and don't let it go."""
    page.locator(selector).hover()
    page.mouse.down()


def square(name: str) -> str:
    return f".cell[data-square='{name}'] button.touch"


def test_a_button_counts_that_is_down_when_the_answer_to_the_one_before_comes(page: Page) -> None:
    page.goto("/study/position?game=plusses-minuses&parameters=n=3")
    late = Late(page, "/study/position.*act=")
    page.click("button[value='add first +']")
    press(page, "button[value='add first -']")
    late.answer()
    page.mouse.up()
    late.answer()
    page.locator("button[value='add first +']").focus()
    page.keyboard.press("Enter")
    page.keyboard.down(" ")
    late.answer()
    page.keyboard.up(" ")
    late.answer()
    expect(page.locator("#field-first")).to_have_value("+-++")


def test_what_is_written_and_chosen_before_an_answer_comes_stays(page: Page) -> None:
    page.goto("/study/position?game=plusses-minuses&parameters=n=3")
    late = Late(page, "/study/position.*act=")
    page.click("button[value='add first +']")
    page.fill("#field-second", "--")
    late.answer()
    expect(page.locator("#field-first")).to_have_value("+")
    expect(page.locator("#field-second")).to_have_value("--")
    page.goto("/study/position?game=sums-grid&parameters=n=2")
    late = Late(page, "/study/position.*square=")
    page.locator(square("a2")).focus()
    for key in ("1", "2", "Enter", "ArrowRight", "3", "Enter", "ArrowDown", "4"):
        page.keyboard.press(key)
    late.answer()
    late.answer()
    expect(page.locator("#write")).to_have_value("4")
    for name, number in (("a2", "12"), ("b2", "3")):
        expect(page.locator(square(name))).to_have_attribute("aria-label", f"{name}, holds {number}")


def test_the_study_board_takes_as_many_steps_as_are_pressed(page: Page) -> None:
    page.goto("/study?game=palindromes&parameters=m=4&moves=1.+1=0+2.+4=1+3.+2=0+4.+3=1&at=0")
    late = Late(page, "/study[?](?!.*again)")
    page.keyboard.press("n")
    page.keyboard.press("n")
    late.answer()
    late.answer()
    expect(page.locator("#study")).to_have_attribute("data-link", re.compile("at=2"))


def test_moves_made_faster_than_the_server_answers_are_played_one_after_another(person: Person, page: Page) -> None:
    page.goto(person.create("blob", parameter_n=4))
    late = Late(page, "/play/.*/move", "POST")
    page.dblclick(square("b2"))  # one move
    page.click(square("c2"))
    late.answer()
    late.answer()
    expect(page.locator(".moves li")).to_have_count(2)
    expect(page.locator("#message")).to_be_empty()
    fragments = Late(page, "/play/.*/table")
    page.click(square("c3"))
    late.answer()
    press(page, square("b3"))
    fragments.answer()
    page.mouse.up()
    late.answer()
    fragments.answer()
    expect(page.locator(".moves li")).to_have_count(4)


def test_signs_are_predicted_by_fast_keys(person: Person, page: Page) -> None:
    page.goto(person.create("plusses-minuses", parameter_n=3))
    late = Late(page, "/play/.*/move", "POST")
    page.keyboard.press("+")
    page.keyboard.press("+")
    late.answer()
    late.answer()
    expect(page.locator(".moves li")).to_have_count(2)


def test_a_number_begun_before_the_one_before_is_answered_stays(person: Person, page: Page) -> None:
    page.goto(person.create("sums-grid", parameter_n=2))
    late = Late(page, "/play/.*/move", "POST")
    page.locator(".cell[data-square='a2'] .touch").focus()
    for key in ("2", "Enter", "ArrowRight", "1", "0"):
        page.keyboard.press(key)
    late.answer()
    page.keyboard.press("Enter")
    late.answer()
    expect(page.locator(".moves li")).to_have_count(2)
    expect(page.locator(".moves")).to_contain_text("b2=10")


def test_a_second_move_is_dropped_if_another_move_came_before_it(person: Person, page: Page) -> None:
    address = person.create("blob", parameter_n=4)
    page.goto(address)
    fragments = Late(page, "/play/.*/table")
    page.click(square("b2"))
    page.click(square("c2"))
    expect(page.locator(".cell.is-pending")).to_have_count(2)
    person.post(f"{address}/move", ply=2, move="b3")
    fragments.answer()
    person.sees(3)
    expect(page.locator(".cell.is-pending")).to_have_count(0)
    assert person.moves() == ["b2", "b3"]


def puzzle_in_turn(game: str, *, is_legal: bool = True) -> tuple[Puzzle, list[str]]:
    """A puzzle of several moves that stand for their squares, and a way to solve it.

    Its later moves are legal at once, or none of them is.
    """
    for puzzle in of(game):
        path, position = [], puzzle.position()
        while not position.is_over:
            path.append(judging.solution(puzzle, position))
            position.play(path[-1])
        if (
            len(path) >= 3
            and len(set(path)) == len(path)
            and all((move in puzzle.values) == is_legal for move in path[1:])
        ):
            return puzzle, path
    raise AssertionError("No puzzle has so many moves.")


def test_moves_of_a_puzzle_made_before_the_answers_come_are_judged_one_after_another(page: Page) -> None:
    puzzle, path = puzzle_in_turn("sequence-ascension")
    page.goto(f"/puzzles/{puzzle.game_id}/{puzzle.id}")
    late = Late(page, r"/puzzles/.*move=")
    for move in path:
        page.locator(square(move)).evaluate(
            "button => { button.click(); button.click(); }"
        )  # a double click is one move
    for _ in path:
        late.answer()
    expect(page.locator("#told.is-right")).to_contain_text("Solved")
    expect(page.get_by_role("link", name="Next puzzle")).to_be_focused()


@pytest.mark.parametrize("with_keys", [False, True])
def test_squares_of_a_puzzle_that_take_no_move_yet_are_moves_when_their_turn_comes(page: Page, with_keys: bool) -> None:
    puzzle, path = puzzle_in_turn("sequence-ascension", is_legal=False)
    page.goto(f"/puzzles/{puzzle.game_id}/{puzzle.id}")
    late = Late(page, r"/puzzles/.*(move|square)=")
    cell = page.locator(f"#lesson .cell[data-square='{path[0]}']")
    cell.locator(".touch").focus()
    for before, move in zip([path[0], *path], path, strict=False):
        if with_keys:  # the next square touches the one before
            across, up = ord(move[0]) - ord(before[0]), int(move[1:]) - int(before[1:])
            for key, number in (("ArrowRight", across), ("ArrowLeft", -across), ("ArrowUp", up), ("ArrowDown", -up)):
                for _ in range(number):
                    page.keyboard.press(key)
            page.keyboard.press("Enter")
        else:
            box = page.locator(f"#lesson .cell[data-square='{move}'] .mark").bounding_box()
            assert box is not None
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for move in path:
        if with_keys and move == path[1]:
            at = page.evaluate("document.activeElement.closest('.cell').dataset.square")
            assert at == path[-1]  # the focus stays where it went
        late.answer()
    expect(page.locator("#told.is-right")).to_contain_text("Solved")


def test_a_second_enter_is_no_second_move_of_a_puzzle(page: Page) -> None:
    puzzle, path = puzzle_in_turn("sequence-ascension")
    page.goto(f"/puzzles/{puzzle.game_id}/{puzzle.id}")
    late = Late(page, r"/puzzles/.*move=")
    page.locator("#typed").focus()
    page.keyboard.type(path[0])
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    late.answer()
    expect(page.locator("#told.is-right")).to_contain_text(path[0])
    page.keyboard.type(path[1])
    page.keyboard.press("Enter")
    late.answer()
    expect(page.locator("#told.is-right")).to_contain_text(path[1])


def test_moves_after_a_wrong_one_of_a_puzzle_are_not_made(page: Page) -> None:
    puzzle, path = puzzle_in_turn("sequence-ascension")
    wrong = next(move for move in puzzle.values if move not in puzzle.right and move not in path)
    page.goto(f"/puzzles/{puzzle.game_id}/{puzzle.id}")
    late = Late(page, r"/puzzles/.*move=")
    page.locator(square(wrong)).click()
    page.locator(square(path[0])).click()
    late.answer()
    expect(page.locator("#told.is-wrong")).to_contain_text(wrong)
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("#told")).to_have_count(0)
    assert not late.is_asked


def test_moves_of_a_puzzle_are_typed_one_after_another_and_a_refused_one_is_mended(person: Person) -> None:
    page = person.page
    puzzle, path = puzzle_in_turn("sequence-ascension")
    page.goto(f"/puzzles/{puzzle.game_id}/{puzzle.id}")
    late = Late(page, r"/puzzles/.*move=")
    typed = page.locator("#typed")
    typed.focus()
    page.keyboard.type("z")
    page.keyboard.press("Enter")
    late.answer()
    expect(page.locator("#told.is-wrong")).to_be_visible()
    expect(typed).to_be_focused()
    expect(typed).to_have_value("z")
    person.forgive("422")
    page.keyboard.press("Backspace")
    page.keyboard.type(path[0])
    page.keyboard.press("Enter")
    page.keyboard.type(path[1])  # before the answer to the first
    late.answer()
    expect(page.locator("#told.is-right")).to_contain_text(path[0])
    expect(typed).to_have_value(path[1])
    page.keyboard.press("Enter")
    late.answer()
    expect(page.locator("#told.is-right")).to_contain_text(path[1])
    expect(typed).to_be_focused()
    expect(typed).to_have_value("")


def test_who_types_moves_in_a_lesson_goes_on_typing(person: Person) -> None:
    page = person.page
    page.goto("/learn/palindromes?step=2")
    typed = page.locator("#typed")
    typed.focus()
    page.keyboard.type("5=x")
    page.keyboard.press("Enter")
    expect(page.locator("#told.is-wrong")).to_be_visible()
    expect(typed).to_be_focused()
    expect(typed).to_have_value("5=x")
    person.forgive("422")
    page.keyboard.press("Backspace")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(page.locator("#told.is-right")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("[aria-current=step]")).to_have_text("3")
    expect(typed).to_be_focused()


def test_a_number_of_a_puzzle_typed_before_its_field_comes_is_written_whole(person: Person) -> None:
    page = person.page
    puzzle = next(one for one in of("sums-grid") if one.kind is Kind.BEST)
    page.goto(f"/puzzles/{puzzle.game_id}/{puzzle.id}")
    late = Late(page, r"/puzzles/.*(square|number)=")
    page.locator(".cell.is-legal .touch").first.focus()
    page.keyboard.type("12")
    late.answer()
    field = page.locator("#ask-number")
    expect(field).to_have_value("12")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#ask")).to_have_count(0)
    page.locator(".cell.is-legal .touch").first.focus()
    page.keyboard.type("999")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")  # before the field comes, too
    late.answer()
    late.answer()
    expect(page.locator("#told.is-wrong")).to_contain_text("In this puzzle numbers go up to")
    person.forgive("422")
