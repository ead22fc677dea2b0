"""Nobody moves for another, takes a taken seat or sees what isn't theirs: each endpoint, asked by right and wrong."""

import json
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import SimpleNamespace

import httpx
import pytest
from fastapi import FastAPI

from quet import new
from quet.web import views
from quet.web.addresses import read_hosts
from quet.web.app import create_app
from quet.web.errors import BadForm
from quet.web.match import SiteMatch
from quet.web.middleware import HEADERS, HSTS
from quet.web.new_games import SeatPlan, SetUp
from quet.web.settings import Limits, Settings
from quet.web.storage.store import Store
from quet.web.views import play
from quet.web.visitors import COOKIE, Visitor, Visitors, clean_name

from .in_process import UNLIMITED, kept_worker

KEY = "a key of the tests, as good as any"


class Browser:
    """Somebody with a cookie of their own, who asks for JSON."""

    def __init__(self, app: FastAPI) -> None:
        transport = httpx.ASGITransport(app)
        self.client = httpx.AsyncClient(
            transport=transport, base_url="http://site", headers={"Accept": "application/json"}, timeout=60
        )
        self.id = self.csrf = ""

    async def arrive(self) -> "Browser":
        """Get a cookie from the first page."""
        page = await self.client.get("/lobby", headers={"Accept": "text/html"})
        found = re.search(r'name="csrf" value="([^"]+)"', page.text)
        assert found
        self.csrf = found[1]
        read = Visitors(KEY)._reading(self.client.cookies[COOKIE])
        assert read is not None
        self.id = read.id
        return self

    async def post(self, path: str, **fields: object) -> httpx.Response:
        """The answer to a form of this browser's pages."""
        return await self.client.post(path, data={"csrf": self.csrf, **fields})


class World:
    """A site with four visitors: ann and bob play, cleo watches, and nobody has no cookie."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self.store: Store = app.state.site.store

    async def fill(self) -> "World":
        """Let them arrive."""
        self.ann, self.bob, self.cleo = [await Browser(self.app).arrive() for _ in range(3)]
        self.nobody = Browser(self.app)
        return self

    def table(self, *who: str, **values: object) -> SiteMatch:
        """A game of palindromes that ann created; `who` as in a SeatPlan, or `bob`, who sits down."""
        plans = tuple(SeatPlan("link" if each == "bob" else each) for each in who or ("me", "bob"))
        set_up = SetUp("palindromes", {"m": "8"}, plans, **values)  # type: ignore[arg-type]
        match = self.store.create(set_up, self.ann.id, time.time())
        for player, each in enumerate(who or ("me", "bob"), 1):
            if each == "bob":
                token = match.seat(player).invitation
                match = self.store.take_seat(match.id, self.bob.id, "Bob", time.time(), invitation=token)
        return match

    def act(self, match: SiteMatch, who: Browser, kind: str, text: str = "") -> SiteMatch:
        return self.store.act(match.id, who.id, kind, text, None, time.time())


@asynccontextmanager
async def a_world(url: str, limits: Limits = UNLIMITED) -> AsyncIterator[World]:
    """A world on an empty database."""
    app = create_app(Settings(url, KEY, limits=limits))
    store: Store = app.state.site.store
    store.database.upgrade()
    try:
        with kept_worker(app.state.site.workshop):
            yield await World(app).fill()
    finally:
        await app.state.analyst.close()
        store.database.close()


@pytest.fixture
async def world(database_url: str) -> AsyncIterator[World]:
    """A world on either database."""
    async with a_world(database_url) as made:
        yield made


@pytest.fixture
async def small_world(sqlite_url: str) -> AsyncIterator[World]:
    """A world on SQLite, for what has nothing to do with the database."""
    async with a_world(sqlite_url) as made:
        yield made


# What each endpoint that changes a game answers to the right visitor, the wrong one and a stranger.


def _playing(world: World) -> SiteMatch:
    return world.act(world.act(world.table(), world.ann, "move", "1=0"), world.bob, "move", "2=0")


def _offered(world: World) -> SiteMatch:
    return world.act(_playing(world), world.bob, "draw")


def _over(world: World) -> SiteMatch:
    return world.act(_playing(world), world.bob, "resign")


# path below /play/{id} -> how the game stands, the fields, and the statuses for ann, bob and cleo (who only watches)
ENDPOINTS = {
    "move": (_playing, {"move": "3=0"}, (200, 409, 403)),
    "undo": (_playing, {}, (200, 200, 403)),
    "resign": (_playing, {}, (200, 200, 403)),
    "draw": (_playing, {}, (200, 200, 403)),
    "answer": (_offered, {"answer": "accept"}, (200, 422, 403)),
    "enter": (_over, {"name": "Ann"}, (409, 409, 403)),  # a game for two shows no best result
    "rematch": (_over, {}, (200, 200, 403)),
    "release": (lambda world: world.table("me", "open"), {}, (200, 403, 403)),
    "hand-over": (_playing, {"player": "1"}, (200, 403, 403)),
    "seat": (lambda world: world.table("me", "open"), {}, (409, 200, 200)),
    "seat/{token}": (lambda world: world.table("me", "link"), {}, (409, 200, 200)),
}
OTHERS = {"/new/{game}", "/race/{id}", "/paper/{game}", "/language"}  # which change no game that is there
OTHERS |= {"/daily/{day}", "/mine/put-away", "/study", "/study/record.quet", "/study/record.json", "/study/play"}


def test_no_endpoint_is_forgotten_here() -> None:
    posts = {play.busy.path}
    for module in iter_modules(views.__path__):
        router = getattr(import_module(f"{views.__name__}.{module.name}"), "router", None)
        for route in router.routes if router else ():
            if route.methods - {"GET", "HEAD"}:
                posts.add(route.path)
    assert posts == {f"/play/{{id}}/{end}" for end in ENDPOINTS} | OTHERS


@pytest.mark.parametrize("end", ENDPOINTS)
async def test_each_endpoint_serves_who_may_and_nobody_else(world: World, end: str) -> None:
    stands, fields, statuses = ENDPOINTS[end]
    for name, expected in zip(("ann", "bob", "cleo"), statuses, strict=True):
        match = stands(world)
        browser: Browser = getattr(world, name)
        path = f"/play/{match.id}/{end}".replace("{token}", match.seat(2).invitation or "")
        answer = await browser.post(path, ply=match.num_rows, **fields)
        assert answer.status_code == expected, (name, answer.text)
        now = world.store.load(match.id)
        if expected != 200:
            assert answer.json()["error"].endswith(".")
            assert now.row == match.row and now.rows == match.rows and now.seats == match.seats
        elif end != "rematch":
            assert now.row.version > match.row.version


@pytest.mark.parametrize("end", ENDPOINTS)
async def test_each_endpoint_refuses_forged_forms(small_world: World, end: str) -> None:
    world = small_world
    stands, fields, _ = ENDPOINTS[end]
    match = stands(world)
    path = f"/play/{match.id}/{end}".replace("{token}", match.seat(2).invitation or "")
    form = {"ply": str(match.num_rows), **fields}
    for answer in [
        await world.nobody.client.post(path, data=form),  # no cookie
        await world.nobody.client.post(path, data={"csrf": world.ann.csrf, **form}),  # another's token
        await world.ann.client.post(path, data=form),  # no token
        await world.ann.client.post(path, data={"csrf": world.bob.csrf, **form}),
        await world.ann.client.post(path, data={"csrf": "\udcff".encode("utf-8", "surrogateescape"), **form}),
    ]:
        assert answer.status_code in (400, 403), answer.text
    now = world.store.load(match.id)
    assert now.row == match.row and now.rows == match.rows and now.seats == match.seats


@pytest.mark.parametrize("path", ["/new/blob", "/race/" + "x" * 22, "/daily/2026-11-23", "/paper/blob", "/language"])
async def test_the_other_forms_need_their_token_too(small_world: World, path: str) -> None:
    assert (await small_world.ann.client.post(path, data={"language": "de"})).status_code == 403


async def test_a_cookie_cannot_be_made_or_changed(small_world: World) -> None:
    match = small_world.table()
    good = small_world.ann.client.cookies[COOKIE]
    other = Visitors("the key of another site").cookie(Visitor(small_world.ann.id, ""), is_secure=False)
    changed = good[:-2] + ("A" if good[-2] != "A" else "B") + good[-1]
    bad = [changed, good[1:], "x", "", "x" * 2_000, other.partition(";")[0].partition("=")[2]]
    for cookie in bad:
        answer = await small_world.nobody.client.post(
            f"/play/{match.id}/move",
            data={"csrf": small_world.ann.csrf, "move": "1=0", "ply": 1},
            headers={"Cookie": f"{COOKIE}={cookie}"},
        )
        assert answer.status_code == 403, cookie
    assert small_world.store.load(match.id).num_rows == 1


async def test_the_cookie_of_who_comes_again_is_set_again_now_and_then(
    small_world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, match = small_world.ann, small_world.table("me", "me")
    assert "set-cookie" not in (await ann.client.get("/lobby")).headers
    real = time.time
    monkeypatch.setattr("quet.web.visitors.time", SimpleNamespace(time=lambda: real() + 31 * 86400))
    answer = await ann.post(f"/play/{match.id}/move", move="1=0", ply=1)
    assert answer.status_code == 200 and answer.headers["set-cookie"].startswith(COOKIE)  # its form is taken
    assert "set-cookie" not in (await ann.client.get("/lobby")).headers
    before = Visitors(KEY)._serializer.dumps([ann.id, "Ann"])  # as cookies were, without their time
    ann.client.cookies.clear()
    ann.client.cookies.set(COOKIE, str(before))
    answer = await ann.post(f"/play/{match.id}/move", move="2=0", ply=2)
    assert answer.status_code == 200
    renewed = Visitors(KEY)._reading(answer.cookies[COOKIE])
    assert renewed is not None and (renewed.id, renewed.name) == (ann.id, "Ann")


async def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(small_world: World) -> None:
    page = await small_world.nobody.client.get("/lobby")
    cookie = page.headers["set-cookie"]
    assert "; HttpOnly" in cookie and "; SameSite=Lax" in cookie and "; Path=/" in cookie and "Secure" not in cookie
    transport = httpx.ASGITransport(small_world.app)
    async with httpx.AsyncClient(transport=transport, base_url="https://site") as client:
        assert "; Secure" in (await client.get("/lobby")).headers["set-cookie"]


async def test_every_answer_carries_the_headers_that_keep_it_safe(small_world: World) -> None:
    match = small_world.table()
    for path in ("/", "/nothing", f"/play/{match.id}", "/static/favicon.svg", "/health", "/new/blob", "/play/x"):
        answer = await small_world.ann.client.get(path, headers={"Accept": "text/html"})
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, (path, name)
    assert "unsafe" not in HEADERS["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://site", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "https://site"}, 200),  # a proxy hasn't told that it speaks https
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Origin": "http://site.evil.example"}, 403),
        ({"Origin": "http://site:8000"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "http://site", "Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
async def test_a_form_of_another_site_is_refused_though_its_token_is_right(
    small_world: World, headers: dict[str, str], status: int
) -> None:
    match = small_world.table()
    form = {"csrf": small_world.ann.csrf, "move": "1=0", "ply": "1"}
    answer = await small_world.ann.client.post(f"/play/{match.id}/move", data=form, headers=headers)
    assert answer.status_code == status, answer.text
    assert small_world.store.load(match.id).num_rows == (2 if status == 200 else 1)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("quet.example", 200),
        ("QUET.example.:8000", 200),
        ("[::1]:8000", 200),
        ("evil.example", 421),
        ("quet.example.evil.example", 421),
        ("quet.example:port", 421),
        ("quet.example, evil.example", 421),
        ("evil.example@quet.example", 421),
        ("", 421),
    ],
)
async def test_a_host_that_the_operator_does_not_name_is_refused(sqlite_url: str, host: str, status: int) -> None:
    settings = Settings(sqlite_url, KEY, hosts=read_hosts("Quet.example, [::1]"))
    app = create_app(settings)
    app.state.site.store.database.upgrade()
    try:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://site") as client:
            for path in ("/lobby", "/static/favicon.svg", "/health", "/nothing"):
                answer = await client.get(path, headers={"Host": host})
                assert answer.status_code == (404 if (path, status) == ("/nothing", 200) else status)
                assert "evil" not in answer.text and answer.headers["x-content-type-options"] == "nosniff"
            twice = await client.get("/lobby", headers=[("Host", "quet.example"), ("Host", host)])
            assert twice.status_code == 421
    finally:
        await app.state.analyst.close()
        app.state.site.store.database.close()


async def test_https_is_asked_for_only_where_it_is_spoken(small_world: World) -> None:
    for scheme, told in (("http", None), ("https", HSTS)):
        transport = httpx.ASGITransport(small_world.app)
        async with httpx.AsyncClient(transport=transport, base_url=f"{scheme}://site") as client:
            for path in ("/lobby", "/static/favicon.svg", "/nothing"):
                assert (await client.get(path)).headers.get("strict-transport-security") == told
    for feature in ("camera", "geolocation", "microphone", "payment", "usb"):
        assert f"{feature}=()" in HEADERS["Permissions-Policy"]


async def test_a_private_game_is_in_no_list_and_its_invitation_on_no_strangers_page(world: World) -> None:
    waiting, private = world.table("me", "link"), world.table()
    token = waiting.seat(2).invitation or ""
    for browser in (world.cleo, world.nobody, world.bob):
        for path in ("/", "/lobby"):
            page = (await browser.client.get(path)).text
            assert waiting.id not in page and (browser is world.bob or private.id not in page)
        for path in (f"/play/{waiting.id}", f"/play/{waiting.id}/table"):
            answer = await browser.client.get(path)
            assert answer.status_code == 200 and token not in answer.text
    assert token in (await world.ann.client.get(f"/play/{waiting.id}")).text


async def test_a_hand_over_link_is_told_to_its_holder_only(world: World) -> None:
    match = _playing(world)
    told = await world.ann.post(f"/play/{match.id}/hand-over", player=1)
    token = world.store.load(match.id).seat(1).invitation or ""
    assert token in told.text
    for browser in (world.bob, world.cleo, world.nobody):
        for path in (f"/play/{match.id}", f"/play/{match.id}/table"):
            assert token not in (await browser.client.get(path)).text
    taken = await world.cleo.post(f"/play/{match.id}/seat/{token}", name="Ann, on her phone")
    assert taken.status_code == 200
    assert (await world.ann.post(f"/play/{match.id}/move", move="3=0", ply=3)).status_code == 403
    assert (await world.nobody.client.get(f"/play/{match.id}/seat/{token}")).status_code == 404


async def test_a_hand_over_link_leads_to_the_table_once_the_game_is_over(world: World) -> None:
    match = _playing(world)
    token = world.store.hand_over(match.id, 1, world.ann.id, time.time())
    path = f"/play/{match.id}/seat/{token}"
    assert "Take the seat" in (await world.cleo.client.get(path)).text
    world.act(match, world.bob, "resign")
    text = (await world.cleo.client.get(path)).text
    assert "The game is over." in text and "Take the seat" not in text and f'href="/play/{match.id}"' in text


async def test_names_are_escaped_and_short(world: World) -> None:
    name = "<script>alert(1)</script>\"'&"
    match = world.table("me", "open")
    await world.bob.post(f"/play/{match.id}/seat", name=name)
    assert world.store.load(match.id).seat(2).name == name
    for path in (f"/play/{match.id}", f"/study/{match.id}", "/"):
        page = (await world.bob.client.get(path, headers={"Accept": "text/html"})).text
        assert "<script>alert" not in page and '"\'&"' not in page
    for bad in ("x" * 41, "a\0b", "a\u202eb", "level:6"):
        table = world.table("me", "open")
        assert (await world.cleo.post(f"/play/{table.id}/seat", name=bad)).status_code == 400
        assert world.store.load(table.id) == table


def test_a_name_is_trimmed() -> None:
    assert clean_name("  Ann \t of\nAran ") == "Ann of Aran"


def test_a_name_has_no_joiners() -> None:
    assert clean_name("\U0001f469\u200d\U0001f3eb Eva") == "\U0001f469\U0001f3eb Eva"
    assert (
        clean_name("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645") == "\u0645\u06cc\u062e\u0648\u0627\u0647\u0645"
    )
    with pytest.raises(BadForm):
        clean_name("y\u200dou")


@pytest.mark.parametrize("name", ["\u00b5Torrent", "5\u00b5m", "日本Fan", "Анна", "Ann 101"])
def test_a_name_may_have_letters_of_any_script(name: str) -> None:
    assert clean_name(name) == name.strip()


@pytest.mark.parametrize(
    "name",
    [
        *("\u3164", "\u115f\u1160", "\u2800", "Ann\uffa0", "\u034f", "\ufe0f", "Ann \u0301", "a" + 5 * "\u0323"),
        *("Computer", "computer (level 7)", "The Computer", "DER COMPUTER (Stufe 3)", "\uff23omputer", "Computer!"),
        *("Computer 7", "Computer, level seven", "computer_7", "Computer Stufe 7 perfekt", "Level 7", "Stufe 7"),
        *("Computer3", "C0mputer", "Y0u", "Leve1 3", "P1ayer 1", "c\u0585mputer", "\u13dfomputer"),
        *("\u0421omputer (level 3)", "Y\u043eu", "Ann P\u03bfe"),
        "Computer Scientist",  # nobody can tell by its end
        *("Computer (at random)", "LEVEL:6", "Random"),
        *(
            "player 2",
            "Player2",
            "SPIELER 12",
            "Player \uff12",
            "Player #2",
            "you",
            "(You)",
            "Du",
            "A free seat",
            "free seat",
        ),
        *("freier Platz", "Ein freier Platz"),
    ],
)
def test_a_name_that_cannot_be_seen_or_is_a_computers_or_a_seats_is_refused(name: str) -> None:
    with pytest.raises(BadForm):
        clean_name(name)


@pytest.mark.parametrize(
    "name",
    ["", "Zoe\u0308", "\u2764\ufe0f", "\u05e9\u05c1\u05bc\u05b8", "Nguye\u0302\u0303n", "\u0f62\u0f92\u0fb1\u0f74"]
    + ["My computer", "Computers", "Level", "Level best", "7", "\U0001f469\U0001f3fd"]
    + ["\u0421\u043e\u043d\u044f", "Anna \u0421\u043e\u043d\u044f", "\u039d\u03af\u03ba\u03bf\u03c2 2", "R2-D2", "007"]
    + ["Player", "Player One", "Youssef", "Dua", "Du Fu", "Spieler 2 aus Ulm"],
)
def test_a_name_in_any_script_is_taken(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize(
    "fields",
    [
        {"parameter-sequence": "file:/etc/passwd"},
        {"parameter-sequence": "1,2"},
        {"parameter-sequence": "x" * 70_000},
        {"parameter-n": "21"},
        {"parameter-n": "-1"},
        {"parameter-n": "9" * 5_000},
        {"seat-1": "level:8"},
        {"seat-1": "level:1"},
        {"clock": "live", "minutes": "0"},
        {"clock": "live", "minutes": "x"},
        {"clock": "days", "days": "1e9"},
        {"clock": "sundial"},
        {"name": "x" * 41},
    ],
)
async def test_what_cannot_be_set_up_is_refused_and_nothing_is_made(small_world: World, fields: dict[str, str]) -> None:
    for accept in ("application/json", "text/html"):
        form = {"csrf": small_world.ann.csrf, **fields}
        answer = await small_world.ann.client.post("/new/sequence-ascension", data=form, headers={"Accept": accept})
        assert 400 <= answer.status_code < 500, answer.text
    assert "root:" not in answer.text
    assert small_world.store.games_of(small_world.ann.id) == []


async def test_no_sequence_is_read_from_a_file(small_world: World, tmp_path: Path) -> None:
    file = tmp_path / "b-file.txt"
    file.write_text("".join(f"{k} {k}\n" for k in range(1, 26)))
    assert new("sequence-ascension", sequence=f"file:{file}").parameters["sequence"].values  # elsewhere it can be
    fields = {"parameter-sequence": f"file:{file}"}
    answer = await small_world.ann.post("/new/sequence-ascension", **fields)
    assert answer.status_code == 422 and answer.json()["error"] == "sequence may not name a file here."
    assert small_world.store.games_of(small_world.ann.id) == []


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"csrf=x&" + b"a" * 70_000, "application/x-www-form-urlencoded", 413),
        (b"&".join(b"a%d=1" % k for k in range(200)), "application/x-www-form-urlencoded", 400),
        (b"csrf=%ff%fe", "application/x-www-form-urlencoded", 400),
        (b"csrf=\xff", "application/x-www-form-urlencoded", 400),
        (b"csrf=a%00b", "application/x-www-form-urlencoded", 400),
        (b'{"csrf": 1}', "application/json", 400),
        (b"--x\r\n\r\n--x--", "multipart/form-data; boundary=x", 400),
        (b"", "", 400),
    ],
)
async def test_a_form_that_cannot_be_read_is_refused(small_world: World, body: bytes, kind: str, status: int) -> None:
    match = small_world.table()
    answer = await small_world.ann.client.post(
        f"/play/{match.id}/move", content=body, headers={"Content-Type": kind} if kind else {}
    )
    assert answer.status_code == status, answer.text
    assert small_world.store.load(match.id).num_rows == 1


async def test_a_body_without_a_length_is_limited_too(small_world: World) -> None:
    async def parts() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"a" * 1_000

    answer = await small_world.ann.client.post(
        "/new/blob", content=parts(), headers={"Content-Type": "application/x-www-form-urlencoded"}
    )
    assert answer.status_code == 413


async def test_odd_addresses_are_answered_with_a_page_and_never_a_fault(world: World) -> None:
    match = world.table()
    odd = ["x", "%00" * 22, "%ff%fe", "..%2f..%2fetc", "a" * 5_000, "'--", "%F0%9F%8D%89"]
    paths = [f"/play/{each}" for each in odd] + [f"/play/{each}/events" for each in odd]
    paths += [f"/{room}/{each}" for room in ("new", "rules", "study", "sheets", "paper", "race") for each in odd]
    paths += [f"/play/{match.id}{end}" for end in ("?square=%00", "?item=-1", "?item=9" + "9" * 40, "/seat/%00", "/x")]
    paths += [f"/study/{match.id}?ply={each}" for each in ("-1", "x", "9" * 400, "%00")]
    for path in paths:
        for accept in ("text/html", "application/json"):
            answer = await world.ann.client.get(path, headers={"Accept": accept})
            assert answer.status_code < 500, (path, answer.text)
            if answer.status_code >= 400 and accept == "application/json":
                assert answer.json()["error"].endswith(".")


@pytest.mark.usefixtures("clock")
async def test_what_is_too_much_is_refused_for_a_while(sqlite_url: str) -> None:
    limits = replace(UNLIMITED, moves=3, games=2, games_per_day=0, address_moves=5)
    async with a_world(sqlite_url, limits) as world:
        match = world.table("me", "me")
        statuses = [(await world.ann.post(f"/play/{match.id}/move", move=f"{k}=0")).status_code for k in range(1, 6)]
        assert statuses == [200, 200, 200, 429, 429]
        games = [(await world.bob.post("/new/blob")).status_code for _ in range(4)]
        assert games.count(429) >= 1 and games.count(200) >= 2
        others = [(await world.cleo.post(f"/play/{match.id}/move", move="1=0")).status_code for _ in range(4)]
        assert 429 in others  # by the address, which all of them share


async def test_no_secret_is_in_the_log(world: World, caplog: pytest.LogCaptureFixture) -> None:
    import logging

    logger = logging.getLogger("quet.web.requests")
    caplog.set_level(logging.INFO, logger="quet")
    assert logger.isEnabledFor(logging.INFO)
    match = world.table("me", "link")
    token = match.seat(2).invitation or ""
    await world.bob.client.get(f"/play/{match.id}/seat/{token}")
    await world.bob.post(f"/play/{match.id}/seat/{token}", name="Bobby Tables")
    await world.bob.client.get(f"/nothing/{token}")
    told = [record.msg for record in caplog.records if isinstance(record.msg, dict)]
    assert [each["path"] for each in told[-3:]] == ["/play/{id}/seat/{token}", "/play/{id}/seat/{token}", "-"]
    assert told[-3].keys() == {"method", "path", "status", "ms"}
    text = json.dumps([str(record.msg) for record in caplog.records])
    for secret in (token, match.id, "Bobby", world.bob.id, world.bob.csrf, world.bob.client.cookies[COOKIE]):
        assert secret not in text


async def test_an_unforeseen_error_is_a_page_and_is_logged_without_what_was_written(
    small_world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("Nobody foresaw this.")

    monkeypatch.setattr(small_world.store, "load", fail)
    answer = await small_world.ann.client.get(f"/play/{'x' * 22}", headers={"Accept": "text/html"})
    assert answer.status_code == 500 and "Nobody foresaw" not in answer.text
    assert answer.headers["Content-Security-Policy"] == HEADERS["Content-Security-Policy"]
    assert "Nobody foresaw" in caplog.text
