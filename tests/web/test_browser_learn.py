"""Every lesson in a real browser, on two sizes of screen, with and without scripts, and one by keyboard alone."""

import re
from collections.abc import Iterator
from typing import cast

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from quet import catalog
from quet.study import lesson as lessons

from .browsing import Person
from .serving import Server

SIZES = {"wide": (1280, 800), "phone": (390, 844)}
# How far what a step needs goes below the edge of the window, or the page to its right.
OUTSIDE = """
    () => Math.max(
      document.documentElement.scrollWidth - window.innerWidth,
      ...[...document.querySelectorAll("#task, #lesson .board, .choices button, #told, #lesson [data-go], #ask button")]
        .map((element) => element.getBoundingClientRect().bottom - window.innerHeight))
"""
SMALLEST = """
    () => Math.min(...[...document.querySelectorAll("#lesson .touch, #lesson button:not([hidden]), #lesson a.button")]
      .map((element) => element.getBoundingClientRect())
      .map((box) => Math.min(box.width, box.height)))
"""  # pixels, of what is pressed


def somebody(browser: Browser, url: str, wish: str) -> Person:
    """Somebody with a window of a size, as in "phone"; "phone without scripts" is one whose browser runs none."""
    size, *without = wish.split(maxsplit=1)
    width, height = SIZES[size]
    return Person(
        browser,
        url,
        viewport=cast(ViewportSize, {"width": width, "height": height}),
        java_script_enabled=not without,
        reduced_motion="reduce",
    )


@pytest.fixture(scope="module", params=["wide", "phone", "wide without scripts", "phone without scripts"])
def learner(request: pytest.FixtureRequest, browser: Browser, shared_server: Server) -> Iterator[Person]:
    person = somebody(browser, shared_server.url, request.param)
    yield person
    person.leave()


def press(person: Person, move: str) -> None:
    """Make a move as people do: by a press on the board or beside it, and with one more where that is asked for."""
    page = person.page
    page.wait_for_load_state()  # without scripts each answer is a new page, whose board may still be on its way
    square, _, number = move.partition("=")
    button = page.locator(f'#lesson form.lesson-board button[name=move][value="{move}"]')
    if button.count():
        button.click()
        return
    cell = page.locator(f'#lesson .cell[data-square="{square.removesuffix("!")}"]')
    if cell.locator("a.touch").count() == 0:
        cell.locator("a.why").click()
        return
    cell.locator("a.touch").click()
    expect(page.locator("#ask")).to_be_visible()
    assert page.evaluate(OUTSIDE) <= 0, move
    choice = page.locator(f'#ask button[name=move][value="{move}"]')
    if choice.count():
        choice.click()
    else:
        page.fill("#ask-number", number)
        page.click("#ask button.primary")


@pytest.mark.long
def test_every_lesson_is_played(our_game_id: str, learner: Person) -> None:
    entry, page = catalog.get(our_game_id), learner.page
    assert entry.lesson is not None
    page.goto(f"/learn/{our_game_id}")
    for number, step in enumerate(entry.lesson.steps, 1):
        game = lessons.position(entry, step)
        expect(page.locator("#task")).to_have_text(lessons.task(step, game))
        assert page.evaluate(OUTSIDE) <= 0
        assert page.evaluate(SMALLEST) >= 38, number
        # What can be pressed: a stop on a number that is taken can only be typed.
        wrong = next((r.moves[0] for r in step.replies if not r.is_right and "!" not in r.moves[0]), "")
        if wrong:
            told = lessons.answer(step, game, wrong)
            press(learner, wrong)
            expect(page.locator("#told.is-wrong")).to_contain_text(told.words)
            assert page.evaluate(OUTSIDE) <= 0, (number, wrong)
            if told.game is not None:
                page.get_by_role("link", name="Try again").click()
                expect(page.locator("#told")).to_have_count(0)
        right = lessons.solution(step, game)
        press(learner, right)
        expect(page.locator("#told.is-right")).to_contain_text(lessons.answer(step, game, right).words)
        assert page.evaluate(OUTSIDE) <= 0, (number, right)
        if number < len(entry.lesson.steps):
            page.locator("#lesson a[data-go]").click()
    page.get_by_role("button", name="Play a first game").click()
    page.wait_for_url(re.compile("/play/"))
    assert page.locator("#table").count() == 1


def test_a_lesson_is_learnt_by_keyboard_alone_and_without_loading_pages(person: Person) -> None:
    page = person.page
    page.goto("/learn/palindromes?step=2")
    page.evaluate("window.isSame = true")
    page.locator("#lesson .touch").first.focus()
    page.keyboard.press("ArrowLeft")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.closest('.cell').dataset.square") == "5"
    page.keyboard.press("1")
    expect(page.locator("#told.is-right")).to_be_visible()
    page.keyboard.press("Enter")  # the way on has the focus
    expect(page.locator("[aria-current=step]")).to_have_text("3")
    page.goto("/learn/blob?step=2")
    page.evaluate("window.isSame = true")
    page.locator('[data-square="c4"] .touch').focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")  # b4 is forbidden, and says why
    expect(page.locator("#told.is-wrong")).to_contain_text("b4 touches c3 at a corner only.")
    assert page.evaluate("document.activeElement.closest('.cell').dataset.square") == "b4"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#told.is-right")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("[aria-current=step]")).to_have_text("3")
    page.go_back()
    expect(page.locator("[aria-current=step]")).to_have_text("2")
    assert page.evaluate("window.isSame"), "The page was loaded anew."


def test_who_skips_to_the_content_of_a_lesson_is_there_and_sees_what_was_told(person: Person) -> None:
    page = person.page
    page.goto("/learn/blob?step=2")
    page.locator("[data-square='b4']").press("Enter")
    expect(page.locator("#told.is-wrong")).to_be_visible()
    page.evaluate("""() => {
        window.fetch = () => { window.hasAsked = true; };
        addEventListener("hashchange", () => { window.hasSkipped = true; });
    }""")
    page.locator("a.skip").press("Enter")
    page.wait_for_function("() => window.hasSkipped")
    expect(page.locator("#main")).to_be_focused()
    assert not page.evaluate("window.hasAsked")


def test_escape_takes_the_question_of_a_lesson_back(person: Person) -> None:
    page = person.page
    page.goto("/learn/palindromes?step=2&square=5")
    expect(page.locator("#ask")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#ask")).to_have_count(0)
