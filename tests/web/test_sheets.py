"""The printable sheets: as a page and as a picture, in any size."""

import html
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import AsyncIterator

import pytest

from quet import catalog

from .in_process import Pages, pages


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        yield found


def words(svg: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")]


async def test_every_game_has_a_page_with_a_picture_that_prints(site: Pages, game_id: str) -> None:
    page = await site.get(f"/sheets/{game_id}")
    found = re.search(r'<img class="sheet" src="([^"]*)"', page.text)
    assert page.status_code == 200 and found
    picture = await site.get(html.unescape(found[1]))
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "Score" in words(picture.text)
    assert catalog.get(game_id).title in words(picture.text)
    size = ElementTree.fromstring(picture.text).attrib
    # 96 pixels an inch: within A4 (8.27 by 11.69) and US letter (8.5 by 11)
    assert float(size["width"]) <= 8.27 * 96 and float(size["height"]) <= 11 * 96


async def test_the_picture_on_the_page_has_the_size_that_was_asked_for(site: Pages) -> None:
    page = await site.get("/sheets/convoluted-coprimality?n=4&players=5&grids=")
    found = re.search(r'<img class="sheet" src="([^"]*)"', page.text)
    assert found
    shown = words((await site.get(html.unescape(found[1]))).text)
    assert "Player 5" in shown and "Player 6" not in shown
    assert "d" in shown and "e" not in shown


async def test_a_sheet_is_in_the_readers_language(site: Pages) -> None:
    shown = words((await site.get("/sheets/blob.svg", **{"accept-language": "de"})).text)
    assert "Score" not in shown and "Player 1" not in shown


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("n=21", "n must be from 2 to 20, not '21'."),
        ("n=x", "n must be an integer, not 'x'."),
        ("m=3", "There is no parameter 'm'; this game has n."),
        ("n=" + "9" * 5000, "The parameters have at most 4000 characters here."),
        ("n=%3Cb%3E", "n must be an integer, not '<b>'."),
    ],
)
async def test_a_size_that_cant_be_is_refused_in_a_sentence(site: Pages, query: str, sentence: str) -> None:
    for path in ("/sheets/blob", "/sheets/blob.svg"):
        answer = await site.get(f"{path}?{query}")
        assert answer.status_code == 422
        assert sentence in html.unescape(answer.text)


async def test_no_file_is_read(site: Pages) -> None:
    for path in ("/sheets/sequence-ascension", "/sheets/sequence-ascension.svg"):
        answer = await site.get(f"{path}?sequence=file:/dev/null")
        assert answer.status_code == 422
        assert "may not name a file here" in answer.text


async def test_a_game_that_is_not_there_is_not_found(site: Pages) -> None:
    for path in ("/sheets/nope", "/sheets/nope.svg", "/sheets/blob.pdf"):
        assert (await site.get(path)).status_code == 404
