"""The home page in a real browser, on small phones and in each language."""

import pytest
from playwright.sync_api import Browser

from quet.web.catalogs import LANGUAGES

from .browsing import Person
from .serving import Server

OUTSIDE = """() => [...document.querySelectorAll(".games .about :is(a, button, h2, p)")].filter((part) => {
    const card = part.closest(".about");
    const end = card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight);
    return part.getBoundingClientRect().right > end + 0.5;
}).map((part) => part.textContent.trim())"""


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
