"""A position is set up by hand in a real browser, on a wide screen and on a small phone, with and without scripts."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from .browsing import Person
from .serving import Server

WAYS = [
    pytest.param((1280, 800, True), id="wide"),
    pytest.param((360, 740, False), id="phone without scripts"),
    pytest.param((360, 740, True), id="phone", marks=pytest.mark.long),
    pytest.param((1280, 800, False), id="wide without scripts", marks=pytest.mark.long),
]


@pytest.fixture(scope="module", params=WAYS)
def builder(request: pytest.FixtureRequest, browser: Browser, shared_server: Server) -> Iterator[Person]:
    width, height, has_script = request.param
    person = Person(
        browser,
        shared_server.url,
        viewport={"width": width, "height": height},
        java_script_enabled=has_script,
        locale="en",
    )
    yield person
    person.leave()


def click(page: Page, *squares: str) -> None:
    for square in squares:
        page.locator(f".cell[data-square='{square}'] button.touch").click()
        expect(page.locator(f".cell[data-square='{square}'] button.touch")).to_be_visible()


def test_a_blob_is_clicked_together_refused_mended_and_studied(builder: Person) -> None:
    page = builder.page
    page.goto("/study/position?game=blob&parameters=n=5")
    has_script = page.locator(".has-script").count() > 0
    if has_script:
        page.evaluate("globalThis.stays = true")
    verdict = page.locator("#verdict")
    click(page, "b2")
    expect(page.locator(".cell[data-square='b2'] button")).to_have_attribute("aria-label", "b2, filled")
    click(page, "d4")
    expect(verdict).to_contain_text("don't hang together")
    if has_script:
        assert page.evaluate("globalThis.stays"), "no page was loaded"
        assert "position=" in page.url, "the address is that of the position"
    page.get_by_role("button", name="Study this position").click()
    expect(page.get_by_role("alert")).to_contain_text("don't hang together")
    builder.forgive("422")
    click(page, "d4", "c2", "c3")
    expect(verdict).to_contain_text("Player 2")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_role("button", name="Study this position").click()
    expect(page.get_by_text("Play on from here").first).to_be_visible()
    assert "/study?" in page.url
    page.get_by_role("link", name="Change this position by hand").click()
    expect(page.locator(".cell[data-square='c3'] button")).to_have_attribute("aria-label", "c3, filled")
    expect(verdict).to_contain_text("Player 2")


def test_predictions_and_squares_are_set_up(builder: Person) -> None:
    page = builder.page
    page.goto("/study/position?game=plusses-minuses&parameters=n=3")
    for player, signs in (("1", "+−"), ("2", "−−")):
        for sign in signs:
            page.get_by_role("button", name=f"What player {player} predicted: {'-' if sign == '−' else sign}").click()
            expect(page.locator("#board")).to_be_visible()
    expect(page.locator("#field-first")).to_have_value("+-")
    expect(page.locator("#field-second")).to_have_value("--")
    click(page, "a1", "b3", "b2")  # b3 gives way
    expect(page.locator(".cell[data-square='b3'] button")).not_to_have_attribute("aria-label", "b3, filled")
    expect(page.locator("#verdict")).to_contain_text("Player 1")


def test_numbers_are_written_by_click_and_by_key(builder: Person) -> None:
    page = builder.page
    page.goto("/study/position?game=up-and-up&parameters=n=3")
    click(page, "a1", "a2", "c2")
    expect(page.locator("#write")).to_have_attribute("placeholder", "4")
    expect(page.locator(".cell[data-square='c2'] button")).to_have_attribute("aria-label", re.compile("^c2, holds 3"))
    if page.locator(".has-script").count():
        page.goto("/study/position?game=sums-grid&parameters=n=2")
        page.locator(".cell[data-square='a2'] button").focus()
        page.keyboard.type("12")
        page.keyboard.press("Enter")
        expect(page.locator(".cell[data-square='a2'] button")).to_have_attribute("aria-label", "a2, holds 12")
        expect(page.locator(".cell[data-square='a2'] button")).to_be_focused()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator(".cell[data-square='b2'] button")).to_have_attribute("aria-label", "b2, holds 1")
        page.keyboard.press("Delete")
        expect(page.locator(".cell[data-square='b2'] button")).to_have_attribute("aria-label", "b2, empty")
        page.goto("/study/position?game=palindromes&parameters=m=4")
        page.locator(".cell[data-square='2'] button").focus()
        page.keyboard.press("1")
        expect(page.locator(".cell[data-square='2'] button")).to_have_attribute("aria-label", "2, 1")
    else:
        page.fill("#typed", "c3=7")
        page.get_by_role("button", name="Set it").click()
        expect(page.locator(".cell[data-square='c3'] button")).to_have_attribute(
            "aria-label", re.compile("^c3, holds 7")
        )
        expect(page.locator("#verdict")).to_contain_text("4 is missing, but 7 is written.")


def test_a_large_board_begins_at_the_left_edge_of_a_phone(browser: Browser, shared_server: Server) -> None:
    person = Person(
        browser, shared_server.url, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, locale="en"
    )
    for path in ("/study/position?game=blob&parameters=n=20", "/study?game=blob&parameters=n=20"):
        person.page.goto(path)
        corner = person.page.locator(".cell[data-square='a20'] .mark").bounding_box()
        assert corner and 0 <= corner["x"] < 60 and corner["width"] > 12
        last = person.page.locator(".cell[data-square='t20'] .mark").bounding_box()
        assert last and last["x"] + last["width"] <= 360
    person.page.goto("/study?game=divisors-multiples&parameters=r=1000")  # too wide for a phone: it scrolls
    frame = person.page.locator(".board-frame").first
    assert frame.evaluate("it => [it.scrollLeft, it.scrollWidth > it.clientWidth]") == [0, True]
    person.page.goto("/study/position?game=palindromes")
    last = person.page.locator(".cell[data-square='16'] .mark").bounding_box()
    assert last and last["x"] + last["width"] <= 360
    person.leave()


def test_whoever_clicks_fast_and_leaves_at_once_loses_no_click(browser: Browser, shared_server: Server) -> None:
    person = Person(browser, shared_server.url, locale="en")
    page = person.page
    page.goto("/study/position?game=blob&parameters=n=5")
    page.evaluate("""() => {
        for (const square of ["b2", "c2", "c3"]) document.querySelector(`[data-square=${square}] button.touch`).click();
        document.querySelector("[data-leaves]").click();
    }""")
    expect(page.get_by_text("Play on from here").first).to_be_visible()
    page.get_by_role("link", name="Change this position by hand").click()
    for square in ("b2", "c2", "c3"):
        expect(page.locator(f".cell[data-square='{square}'] button")).to_have_attribute(
            "aria-label", f"{square}, filled"
        )
    person.leave()
