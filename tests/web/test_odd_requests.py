"""Requests that no page of the site sends, and the pages that come in answer to forms."""

import re
import time
from collections.abc import AsyncIterator

import pytest

from quet.web.match import SiteMatch
from quet.web.storage.schema import MoveRow
from quet.web.views.words import row_words

from .in_process import PLAYER, Pages, pages

JSON = {"Accept": "application/json"}


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as made:
        yield made


async def token(site: Pages) -> str:
    """The token of the visitor's forms."""
    found = re.search(r'name="csrf" value="([^"]+)"', (await site.client.get("/lobby")).text)
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("referer", "back"),
    [
        ("http://site/play/x?square=b2", "/play/x?square=b2"),
        ("http://[/x", ""),
        ("http://site/\\evil.example", ""),
        ("http://site//evil.example", ""),
        ("http://site.evil.example/x", ""),
        ("https://elsewhere/x", ""),
        ("x" * 9_000, ""),
    ],
)
async def test_an_error_page_leads_back_to_a_page_of_this_site_or_nowhere(site: Pages, referer: str, back: str) -> None:
    answer = await site.get("/nothing", Referer=referer)
    assert answer.status_code == 404
    assert re.findall(r'class="button primary" href="([^"]*)"', answer.text) == ([back] if back else [])


@pytest.mark.parametrize("ply", ["abc", "", "1.0", "1e0", "01"])
async def test_a_number_of_rows_that_cannot_be_read_is_refused(site: Pages, ply: str) -> None:
    path = (await site.post("/new/blob", quick="1")).headers["location"]
    for headers in (JSON, {"Accept": "text/html"}):
        form = {"csrf": await token(site), "ply": ply, "move": "b2"}
        assert (await site.client.post(f"{path}/move", data=form, headers=headers)).status_code == 400
    assert site.store.load(path.removeprefix("/play/")).num_rows == 1


async def test_a_page_in_answer_to_a_form_can_be_asked_for_again(site: Pages) -> None:
    path = (await site.post("/new/blob", **{"seat-2": "open"})).headers["location"]
    for do, fields in (("move", {"move": "zz"}), ("resign", {}), ("hand-over", {"player": "1"})):
        form = {"csrf": await token(site), **fields}
        page = await site.client.post(f"{path}/{do}", data=form, headers={"Referer": f"http://site{path}"})
        back = re.findall(r'name="next" value="([^"]*)"', page.text)
        again = re.findall(r'http-equiv="refresh" content="\d+;url=([^"]*)"', page.text)
        assert back == [path] and again in ([path], [])
        assert again or do == "hand-over"


async def test_who_asks_for_json_gets_json_from_every_form(site: Pages) -> None:
    path = (await site.post("/new/blob", **{"seat-2": "open"})).headers["location"]
    csrf = await token(site)
    for place, fields in {
        f"{path}/hand-over": {"player": "1"},
        f"{path}/move": {"move": "zz"},
        f"{path}/rematch": {},
        "/paper/blob": {"paper": "zz"},
        "/new/blob": {"parameter-n": "99"},
        "/language": {"language": "xx"},
        "/race/x": {},
    }.items():
        answer = await site.client.post(place, data={"csrf": csrf, **fields}, headers=JSON)
        assert answer.headers["content-type"] == "application/json", place
        assert ("url" in answer.json()) if answer.status_code == 200 else answer.json()["error"].endswith(".")


@pytest.mark.parametrize("path", ["/", "/health", "/lobby", "/static/quet.js", "/rules/blob", "/nothing"])
async def test_the_head_of_an_answer_can_be_asked_for_alone(site: Pages, path: str) -> None:
    head, whole = await site.client.head(path), await site.client.get(path)
    assert head.status_code == whole.status_code
    assert head.headers["content-type"] == whole.headers["content-type"]


async def test_a_stream_without_end_has_no_head(site: Pages) -> None:
    assert (await site.client.head(f"/play/{site.create('blob').id}/events")).status_code == 405


async def test_a_rival_in_a_public_race_is_not_shown_in_the_lobby(site: Pages) -> None:
    race = (await site.post("/new/up-and-up", race="1", public="1")).headers["location"]
    (listing,) = site.store.racers(race.removeprefix("/race/"))
    site.client.cookies.clear()
    page = (await site.get("/lobby")).text
    assert f'href="{race}"' in page and listing.id not in page


async def test_only_the_last_row_tells_how_the_game_ended(site: Pages) -> None:
    match = site.play(site.create("blob", n=3), "b2")
    over: SiteMatch = site.store.act(match.id, PLAYER, "resign", "", None, time.time())

    def told(row: MoveRow) -> str:
        return row_words(over, row)

    assert [told(row) for row in over.rows[:2]] == ["The game begins.", "Ann played b2."]
    assert "resigned" in told(over.rows[-1])
