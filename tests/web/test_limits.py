"""What is drawn for a visitor is limited, each page of it; and nobody who plays comes near the limit."""

import asyncio
import time
from dataclasses import replace
from importlib import import_module
from pkgutil import iter_modules
from types import SimpleNamespace

import httpx
import pytest
from starlette.types import Message

from quet import catalog
from quet.web import little_boards as living
from quet.web import views
from quet.web.app import create_app
from quet.web.errors import TooMany
from quet.web.limits import Limiter
from quet.web.settings import Limits, Settings
from quet.web.shares import Shares, Waiting
from quet.web.site import FREE, PAGE_BYTES, PROBED
from quet.web.visitors import COOKIE, Visitor

from .in_process import UNLIMITED, Pages, pages
from .serving import PATIENCE

SENTENCE = "That is too much in so short a time; wait a minute and try again."


pytestmark = pytest.mark.usefixtures("clock")


def paths() -> set[str]:
    """Every page that can be asked for."""
    found = set()
    for module in iter_modules(views.__path__):
        router = getattr(import_module(f"{views.__name__}.{module.name}"), "router", None)
        found |= {route.path_format for route in router.routes if "GET" in route.methods} if router else set()
    return found


async def test_every_page_is_counted_and_refused_beyond_the_limit(sqlite_url: str) -> None:
    assert len(paths()) > 20 and set(FREE) < paths()
    async with pages(sqlite_url, replace(UNLIMITED, pages=1)) as site:
        match = site.finished("blob", n=3)
        await site.get("/lobby")  # counted without a cookie
        assert (await site.get("/lobby")).status_code == 200
        names = {"id": match.id, "game": "blob", "token": "x" * 22, "name": "2", "file": "x", "path": ""}
        for path in PROBED:
            assert (await site.get(path)).status_code == 200  # the first in this second
        for path in sorted(paths() - set(FREE)):
            answer = await site.get(path.format(**names), accept="text/html")
            assert answer.status_code == 429, path
            assert SENTENCE in answer.text and answer.headers["retry-after"] == "45"
            head = await site.client.head(path.format(**names))
            assert head.status_code == (405 if path.endswith("/events") else 429)
        for path in ("/static/board.css", "/static/quet.css"):
            assert (await site.get(path)).status_code == 200


@pytest.mark.parametrize("path", PROBED)
async def test_who_looks_after_the_site_may_ask_each_second_whatever_else_the_address_does(
    sqlite_url: str, clock: SimpleNamespace, path: str
) -> None:
    async with pages(sqlite_url, replace(UNLIMITED, address_pages=2)) as site:
        for _ in range(5):
            assert (await site.get(path)).status_code == 200
            clock.now += 1
        statuses = [(await site.get(path)).status_code for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]  # one is free, and two pages in a minute
        clock.now += 1
        assert (await site.get(path)).status_code == 200
        assert (await site.get("/lobby")).status_code == 429


async def test_a_minute_later_pages_are_given_again(sqlite_url: str, clock: SimpleNamespace) -> None:
    async with pages(sqlite_url, replace(UNLIMITED, address_pages=2)) as site:
        assert [(await site.get("/mine")).status_code for _ in range(3)] == [200, 200, 429]
        clock.now += 45
        assert (await site.get("/mine")).status_code == 200


async def test_an_address_sends_so_many_moves_a_day(sqlite_url: str, clock: SimpleNamespace) -> None:
    async with pages(sqlite_url, replace(UNLIMITED, address_moves_per_day=3)) as site:
        path = f"/play/{site.create('up-and-up', n=2).id}"
        statuses = []
        for _ in range(5):
            clock.now += 60
            site.client.cookies.clear()
            statuses.append((await site.post(path, "/undo")).status_code)
        assert statuses == [403, 403, 403, 429, 429]  # nobody of them has the seat
        clock.now += 86_400
        assert (await site.post(path, "/undo")).status_code == 403


async def test_a_large_board_counts_as_several_pages(sqlite_url: str) -> None:
    async with pages(sqlite_url, replace(UNLIMITED, pages=8)) as site:
        await site.get("/lobby")
        match = site.create("divisors-multiples", r=300)
        first = await site.get(f"/play/{match.id}/table")
        worth = 1 + len(first.content) // PAGE_BYTES
        assert first.status_code == 200 and 2 <= worth < 8
        statuses = [(await site.get(f"/play/{match.id}/table")).status_code for _ in range(9)]
        assert statuses.index(429) == -(-8 // worth) - 1


async def test_who_keeps_no_cookie_is_counted_by_the_address(sqlite_url: str) -> None:
    async with pages(sqlite_url, replace(UNLIMITED, pages=3)) as site:
        await site.get("/")
        cookie = site.client.cookies[COOKIE]
        statuses = []
        for _ in range(4):
            site.client.cookies.clear()
            statuses.append((await site.get("/living/blob.svg?kind=still")).status_code)
        assert statuses == [200, 200, 429, 429]
        site.client.cookies.set(COOKIE, cookie)
        assert (await site.get("/mine")).status_code == 200  # who was here before is counted alone


@pytest.mark.parametrize(
    ("method", "path", "form", "status"),
    [
        ("POST", "/play/x/undo", {"csrf": "not its token"}, 403),
        ("POST", "/new/blob", {"csrf": "not its token"}, 403),
        ("POST", "/language", {f"field-{number}": "" for number in range(200)}, 400),
        ("POST", "/language", {"csrf": "x" * 64_000}, 413),
        ("POST", "/nothing", {}, 404),
        ("POST", "/", {}, 405),
        ("PUT", "/", {}, 405),
        ("GET", "/nothing", {}, 404),
        ("GET", "/nothing/events", {}, 404),
        ("GET", "/static/nothing", {}, 404),
    ],
)
async def test_a_refusal_counts_as_a_page(
    sqlite_url: str, method: str, path: str, form: dict[str, str], status: int
) -> None:
    async with pages(sqlite_url, replace(UNLIMITED, pages=3)) as site:
        await site.get("/lobby")  # the cookie
        statuses = [
            (await site.client.request(method, path, data=form or None, headers={"Accept": "text/html"})).status_code
            for _ in range(5)
        ]
        assert statuses == [status] * 3 + [429] * 2


def test_what_is_given_back_after_its_minute_allows_no_more_in_the_next() -> None:
    limiter, ann = Limiter(replace(UNLIMITED, pages=2, address_pages=2)), Visitor("ann", "")
    limiter.check("refused", ann, "192.0.2.1", 59.0)
    limiter.give_back("refused", ann, "192.0.2.1", 60.0)
    for _ in range(2):
        limiter.check("refused", ann, "192.0.2.1", 61.0)
    with pytest.raises(TooMany):
        limiter.check("refused", ann, "192.0.2.1", 61.0)
    limiter.give_back("refused", ann, "192.0.2.1", 61.0)
    limiter.check("refused", ann, "192.0.2.1", 61.0)


def test_a_stream_that_ends_makes_room_for_another_of_the_visitor() -> None:
    limiter, ann = Limiter(replace(UNLIMITED, streams=2)), Visitor("ann", "")
    for _ in range(5):
        with limiter.stream(ann, "192.0.2.1", lambda: None):
            pass
    with limiter.stream(ann, "192.0.2.1", lambda: None), limiter.stream(ann, "192.0.2.2", lambda: None):
        with pytest.raises(TooMany), limiter.stream(ann, "192.0.2.3", lambda: None):
            pass
        with limiter.stream(Visitor("bob", ""), "192.0.2.1", lambda: None):
            pass


async def test_beyond_the_limit_no_form_is_read(sqlite_url: str) -> None:
    async def receive() -> Message:
        raise AssertionError("The form is read.")

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    statuses: list[int] = []
    scope = {"type": "http", "method": "POST", "path": "/language", "raw_path": b"/language", "query_string": b""}
    scope |= {"headers": [(b"content-type", b"application/x-www-form-urlencoded")], "scheme": "http", "root_path": ""}
    scope |= {"server": ("site", 80), "client": ("1.1.1.1", 1)}
    async with pages(sqlite_url, replace(UNLIMITED, address_pages=1)) as site:
        app = site.client._transport.app  # type: ignore[attr-defined]
        await app({**scope, "method": "PUT"}, receive, send)
        await app({**scope}, receive, send)
    assert statuses == [405, 429]


async def test_forms_that_are_taken_count_as_what_they_are_alone(sqlite_url: str) -> None:
    async with pages(sqlite_url, replace(UNLIMITED, pages=1, address_pages=1, moves=9)) as site:
        made = await site.post("/new/blob", **{"parameter-n": "4", "seat-1": "me", "seat-2": "me"})  # the only page
        csrf = site.client._transport.app.state.site.visitors._token(  # type: ignore[attr-defined]
            site.store.load(made.headers["location"].removeprefix("/play/")).row.creator
        )
        assert (await site.get("/lobby")).status_code == 429
        undo = {"csrf": csrf, "ply": "9"}  # the game isn't there yet
        headers = {"Accept": "application/json"}
        statuses = [
            (await site.client.post(f"{made.headers['location']}/undo", data=undo, headers=headers)).status_code
            for _ in range(12)
        ]
        assert statuses == [409] * 9 + [429] * 3


async def test_two_who_play_a_move_each_second_are_never_refused(sqlite_url: str) -> None:
    async with pages(sqlite_url, Limits()) as ann:
        other = Pages(httpx.AsyncClient(transport=ann.client._transport, base_url="http://site"), ann.store)
        match = ann.create("blob", n=12)
        for person in (ann, other):
            await person.get("/")
        for _ in range(120):  # both look at each move of both
            for person in (ann, other):
                assert (await person.get(f"/play/{match.id}/table")).status_code == 200


async def test_what_anybody_may_keep_carries_no_cookie(sqlite_url: str) -> None:
    async with pages(sqlite_url) as site:
        for path in ("/living/blob.svg?kind=still", "/static/board.css"):
            answer = await site.get(path)
            assert answer.headers["cache-control"].startswith("public") and "set-cookie" not in answer.headers
        assert "set-cookie" in (await site.get("/")).headers


async def test_a_server_draws_its_little_boards_before_anybody_asks(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(living, "living_board", lambda id, language: drawn.append(id))
    app = create_app(Settings(sqlite_url, "a key of the tests", limits=UNLIMITED))
    end = time.monotonic() + PATIENCE
    async with app.router.lifespan_context(app):
        while len(drawn) < len(catalog.ids()) and time.monotonic() < end:
            await asyncio.sleep(0.01)
    assert drawn == list(catalog.ids())


async def test_computers_know_the_address_of_those_who_begin_games_and_move(sqlite_url: str) -> None:
    async with pages(sqlite_url) as site:
        made = await site.post("/new/palindromes", **{"parameter-m": "6", "seat-1": "me", "seat-2": "level:1"})
        match = site.store.load(made.headers["location"].rpartition("/")[2])
        waiting = [Waiting(match.row.creator, 0.0, 7)]
        assert site.store.shares.num_waiting(match.row.creator, waiting) == 7
        site.store.shares = Shares()  # as after a restart
        assert (await site.post(f"/play/{match.id}", "/move", move="1=0", ply="1")).status_code == 303
        assert site.store.shares.num_waiting(match.row.creator, waiting) == 7
