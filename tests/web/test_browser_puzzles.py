"""A puzzle of each kind and the game of the day in a real browser, on two sizes of screen, with and without scripts."""

import random
import re
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from quet import catalog
from quet.puzzles import Kind, Puzzle, of
from quet.puzzles import judge as judging
from quet.puzzles.daily import puzzle_of
from quet.study import daily

from .browsing import Person
from .serving import Server
from .test_browser_learn import OUTSIDE, SMALLEST, press, somebody

OTHERS = [pytest.param(name, marks=pytest.mark.long) for name in ("wide", "phone", "wide without scripts")]


@pytest.fixture(scope="module", params=["phone without scripts", *OTHERS])
def visitor(request: pytest.FixtureRequest, browser: Browser, shared_server: Server) -> Iterator[Person]:
    person = somebody(browser, shared_server.url, request.param)
    yield person
    person.leave()


def puzzle_with(kind: Kind) -> Puzzle:
    """A puzzle of a kind that is soon done: of those with the first one's parameters, the one nearest to its end."""
    puzzles = [one for entry in catalog.playable() for one in of(entry.id) if one.kind is kind]
    first = puzzles[0]
    alike = [one for one in puzzles if (one.game_id, one.parameters) == (first.game_id, first.parameters)]
    return max(alike, key=lambda one: len(one.moves))


def solve(person: Person, puzzle: Puzzle) -> None:
    """Press the right moves until the puzzle is solved."""
    page, game = person.page, puzzle.position()
    while True:
        told = judging.answer(puzzle, game, judging.solution(puzzle, game))
        press(person, told.move)
        expect(page.locator("#told.is-right")).to_contain_text(str(told.words))
        assert page.evaluate(OUTSIDE) <= 0
        if told.is_solved:
            return
        game = told.game


@pytest.mark.parametrize("kind", Kind)
def test_a_puzzle_is_tried_refuted_and_solved(kind: Kind, visitor: Person) -> None:
    puzzle, page = puzzle_with(kind), visitor.page
    page.goto(f"/puzzles/{puzzle.game_id}/{puzzle.id}")
    expect(page.locator(".task")).to_have_text(str(kind.task))
    assert page.evaluate(OUTSIDE) <= 0 and page.evaluate(SMALLEST) >= 37
    wrong = next(move for move in puzzle.values if move not in puzzle.right)
    press(visitor, wrong)
    expect(page.locator("#told.is-wrong")).to_contain_text(str(judging.answer(puzzle, puzzle.position(), wrong).words))
    expect(page.locator("#told")).to_contain_text("Your rating is")
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("#told")).to_have_count(0)
    solve(visitor, puzzle)
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.locator("#told")).to_have_count(0)
    assert puzzle.id not in page.url


def test_the_game_and_the_puzzle_of_the_day_are_played(visitor: Person) -> None:
    page, chance = visitor.page, random.Random(1)
    page.goto("/daily")
    day = daily.today(time.time()) if daily.today(time.time()) >= daily.FIRST else daily.FIRST
    found, puzzle, game = daily.daily(day), puzzle_of(day), daily.daily(day).game()
    page.get_by_role("button", name="Play the game of the day").dblclick()  # twice, as the impatient do
    expect(page).to_have_url(re.compile("/play/"))  # the second of two navigations aborts the first
    address = urlsplit(page.url).path
    while not game.is_over:
        game.push(chance.choice(game.legal_numbers()) if game.ply < 100 else game.legal_numbers()[-1])
    visitor.play(address, *game.moves[:-2])
    page.reload()
    visitor.press(game.at(game.ply - 2), game.moves[-2])
    visitor.sees(game.ply)
    visitor.press(game.at(game.ply - 1), game.moves[-1])
    visitor.sees(game.ply + 1)
    page.goto("/daily")
    shared = page.locator("#shared").input_value().splitlines()
    assert shared[:3] == str(found.result(game.scores[0], 1)).splitlines() and shared[3].endswith(f"/daily/{day}")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_role("link", name="Solve the puzzle").click()
    solve(visitor, puzzle)
    page.goto("/daily")
    expect(page.locator("#puzzle ~ p .tag")).to_have_text("solved")
    expect(page.get_by_text("1 day in a row")).to_be_visible()


def test_a_finger_enlarges_the_board_of_a_puzzle_and_chooses_the_value_after_the_square(
    browser: Browser, shared_server: Server
) -> None:
    finger = Person(
        browser, shared_server.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="en"
    )
    puzzle = next(one for one in of("palindromes") if one.game_id == "palindromes" and one.replies)
    page, move = finger.page, next(iter(puzzle.replies))
    page.goto(f"/puzzles/palindromes/{puzzle.id}")
    mark = page.locator(f".cell[data-square='{move.partition('=')[0]}'] .mark")
    small = mark.bounding_box()
    assert small and small["width"] < 40
    page.touchscreen.tap(small["x"] + small["width"] / 2, small["y"] + small["height"] / 4)
    expect(page.locator(".board-frame.is-zoomed")).to_have_count(1)
    large = mark.bounding_box()
    assert large and large["width"] >= 40 and page.locator("#told, #ask").count() == 0
    page.touchscreen.tap(large["x"] + large["width"] / 2, large["y"] + large["height"] / 4)
    page.locator(f"#ask button[value='{move}']").tap()
    expect(page.locator("#told.is-wrong")).to_be_visible()
    expect(page.locator(".board-frame.is-zoomed")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    finger.leave()
