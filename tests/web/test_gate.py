"""Few pages are made at the same time; moves, event streams and looks at the site's health don't wait for them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest
from starlette.responses import Response
from starlette.types import Message

from quet.web import gate
from quet.web.gate import AT_ONCE

from .in_process import UNLIMITED, Pages, pages


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        yield found


class Slow:
    """Lists of one's own games that take until somebody `opens` them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.num_going = 0
        self.opens = asyncio.Event()
        monkeypatch.setattr("quet.web.views.home.run_in_threadpool", self._look)

    async def _look(self, function: Callable[..., Response], *arguments: object) -> Response:
        self.num_going += 1
        await self.opens.wait()
        self.num_going -= 1
        return function(*arguments)

    async def begins(self) -> None:
        """Wait for the first to be asked, since the gate may rest, and then for others that might be."""
        async with asyncio.timeout(30):
            while not self.num_going:
                await asyncio.sleep(0.001)
        await self.others_come()

    async def others_come(self) -> None:
        """Let others who don't wait come to their end."""
        for _ in range(200):
            await asyncio.sleep(0)


async def test_few_pages_are_made_at_once_and_a_move_waits_for_none(
    site: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await site.post("/new/blob", **{"parameter-n": "4", "seat-1": "me", "seat-2": "me"})
    page = await site.get(made.headers["location"])
    csrf = page.text.partition('name="csrf" value="')[2].partition('"')[0]
    slow = Slow(monkeypatch)
    asked = [asyncio.create_task(site.get("/mine")) for _ in range(3 * AT_ONCE)]
    await slow.begins()
    assert slow.num_going == AT_ONCE
    answer = await site.client.post(
        made.headers["location"] + "/move",
        data={"csrf": csrf, "ply": "1", "move": "a1"},
        headers={"accept": "application/json"},
    )
    assert answer.json() == {"ply": 2}
    for path in ("/health", "/metrics"):
        async with asyncio.timeout(30):
            assert (await site.get(path, Host="localhost")).status_code == 200
    assert not any(task.done() for task in asked) and slow.num_going == AT_ONCE
    slow.opens.set()
    assert {(await task).status_code for task in asked} == {200}


async def test_who_asks_again_and_again_for_what_is_kept_leaves_time_for_moves(
    site: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await site.post("/new/blob", **{"parameter-n": "4", "seat-1": "me", "seat-2": "me"})
    csrf = (await site.get(made.headers["location"])).text.partition('name="csrf" value="')[2].partition('"')[0]
    monkeypatch.setattr(gate, "AT_LEAST", 60.0)
    asked = [asyncio.create_task(site.get("/card/blob.png")) for _ in range(3 * AT_ONCE)]
    await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
    move = {"csrf": csrf, "ply": "1", "move": "a1"}
    headers = {"accept": "application/json"}
    answer = await site.client.post(made.headers["location"] + "/move", data=move, headers=headers)
    assert answer.json() == {"ply": 2}
    assert sum(task.done() for task in asked) == AT_ONCE  # the others wait, though the picture costs nothing any more
    for task in asked:
        task.cancel()
    await asyncio.gather(*asked, return_exceptions=True)


@pytest.mark.parametrize("path", ["/health", "/ready"])
async def test_who_asks_without_end_whether_the_site_is_well_waits(
    site: Pages, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr("quet.web.site.time", SimpleNamespace(time=lambda: 1000.0))  # a second that doesn't end
    slow = Slow(monkeypatch)
    page = asyncio.create_task(site.get("/mine"))
    await slow.begins()
    assert (await site.get(path)).status_code == 200
    again = asyncio.create_task(site.get(path))
    await slow.others_come()
    assert not again.done()
    slow.opens.set()
    assert (await page).status_code == 200 and (await again).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/play/{id}/undo", 403),
        ("POST", "/new/blob", 403),
        ("POST", "/nothing", 404),
        ("PUT", "/", 405),
        ("GET", "/nothing/events", 404),
        ("GET", "/metrics", 404),
    ],
)
async def test_a_refusal_waits_as_a_page_does(
    site: Pages, monkeypatch: pytest.MonkeyPatch, method: str, path: str, status: int
) -> None:
    path = path.format(id=site.create("blob").id)
    slow = Slow(monkeypatch)
    page = asyncio.create_task(site.get("/mine"))
    await slow.begins()
    form = {"csrf": "not its token"} if method == "POST" else None
    refused = asyncio.create_task(site.client.request(method, path, data=form, headers={"X-Forwarded-For": "1.1.1.1"}))
    await slow.others_come()
    assert (await site.get("/health")).status_code == 200 and not refused.done()
    slow.opens.set()
    assert (await page).status_code == 200 and (await refused).status_code == status


async def test_who_may_not_ask_again_waits_for_the_sentence(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with pages(sqlite_url, replace(UNLIMITED, address_pages=1)) as site:
        await site.client.put("/nothing")
        slow = Slow(monkeypatch)
        page = asyncio.create_task(site.get("/mine"))
        await slow.begins()
        refused = asyncio.create_task(site.client.put("/nothing"))
        await slow.others_come()
        assert (await site.get("/health")).status_code == 200 and not refused.done()
        slow.opens.set()
        assert (await page).status_code == 200 and (await refused).status_code == 429


async def test_beyond_the_queue_a_page_is_refused_at_once(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "MOST_WAITING", 0)
    async with pages(sqlite_url) as site:
        slow = Slow(monkeypatch)
        asked = [asyncio.create_task(site.get("/mine")) for _ in range(AT_ONCE)]
        await slow.begins()
        assert slow.num_going == AT_ONCE
        answer = await site.client.get("/mine")
        assert answer.status_code == 503 and int(answer.headers["retry-after"]) > 0
        slow.opens.set()
        await asyncio.gather(*asked)


async def test_a_slow_reader_holds_up_nobody(site: Pages) -> None:
    app = site.client._transport.app  # type: ignore[attr-defined]
    reads, sends = asyncio.Event(), asyncio.Event()

    async def send(message: Message) -> None:
        sends.set()
        await reads.wait()

    async def receive() -> Message:
        await reads.wait()
        return {"type": "http.disconnect"}

    scope = {"type": "http", "method": "GET", "path": "/rules/blob", "raw_path": b"/rules/blob", "query_string": b""}
    scope |= {"headers": [], "scheme": "http", "server": ("site", 80), "client": ("1.1.1.1", 1), "root_path": ""}
    readers = [asyncio.create_task(app({**scope}, receive, send)) for _ in range(3 * AT_ONCE)]
    async with asyncio.timeout(30):
        await sends.wait()  # else the reader might come after who doesn't wait for it
        assert (await site.get("/rules/blob")).status_code == 200
    assert not any(task.done() for task in readers)
    reads.set()
    await asyncio.gather(*readers)
