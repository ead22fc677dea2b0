"""The home page in a real browser, on small phones and in each language, and its list of one's own games."""

import pytest
from playwright.sync_api import Browser, expect

from quet.web.catalogs import LANGUAGES

from .browsing import Person
from .serving import Server

OUTSIDE = """() => [...document.querySelectorAll(".games .about :is(a, button, h2, p)")].filter((part) => {
    const card = part.closest(".about");
    const end = card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight);
    return part.getBoundingClientRect().right > end + 0.5;
}).map((part) => part.textContent.trim())"""

# The looks wait until a test has them come, and say how long each would have waited.
HOLD = """
    window.looks = [];
    const wait = window.setTimeout;
    window.setTimeout = (look, after, ...more) =>
        after < 20_000 ? wait(look, after, ...more) : looks.push({ look, after });
"""
LOOK = "() => { const { look, after } = looks.shift(); look(); return after; }"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [320, 360, 390])
def test_what_stands_on_a_card_stays_within_its_padding(
    browser: Browser, shared_server: Server, width: int, language: str
) -> None:
    person = Person(browser, shared_server.url, viewport={"width": width, "height": 740}, locale=language)
    person.page.goto("/")
    assert person.page.locator(".games .about a.button").count() > 8
    assert person.page.evaluate(OUTSIDE) == []
    person.leave()


def test_a_list_loses_the_last_game_gets_the_next_and_is_fast_again_after_an_outage(
    browser: Browser, shared_server: Server
) -> None:
    person = Person(browser, shared_server.url)
    page = person.page
    page.add_init_script(HOLD)

    def look() -> int:
        page.wait_for_function("() => looks.length === 1")  # nobody has an open seat here, so there is one list
        after: int = page.evaluate(LOOK)
        return after

    address = person.create("blob")
    page.goto("/")
    games = page.locator("#my-games li")
    expect(games).to_have_count(1)
    person.post(f"{address}/resign")
    assert look() == 20_000
    expect(games).to_have_count(0)
    expect(page.locator("#my-games")).to_be_empty()
    page.route("**/*", lambda route: route.abort())
    assert look() == 20_000
    page.wait_for_function("() => looks.length === 1")
    page.unroute_all()
    person.create("blob")
    assert look() == 40_000
    expect(games).to_have_count(1)
    assert look() == 20_000
    person.forgive("ERR_FAILED")
    person.leave()
