"""Costly work is done in other processes, in a fair order, and no move waits for it."""

import asyncio
import gc
import os
import re
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from types import ModuleType
from urllib.parse import urlencode

import httpx
import pytest

from quet import starts
from quet.core.errors import UnknownGame
from quet.game import new
from quet.records import record_text
from quet.web import i18n, workshop
from quet.web.errors import Busy, TooLong
from quet.web.pictures import draw
from quet.web.site import Site
from quet.web.turns import Asker
from quet.web.views.sheets import drawn
from quet.web.views.study_acts import json_of, pictured
from quet.web.workshop import Broken, Workshop

from .in_process import PATIENCE, Pages, pages

EVE = Asker("6.6.6.6", "eve")


@pytest.fixture
async def shop() -> AsyncIterator[Workshop]:
    made = Workshop(1)
    yield made
    made.close()


async def test_the_work_is_done_in_a_kept_process_with_a_lower_priority(shop: Workshop) -> None:
    process = await shop.do(EVE, os.getpid)
    assert process != os.getpid() and await shop.do(EVE, os.getpid) == process
    assert await shop.do(EVE, os.getpriority, os.PRIO_PROCESS, 0) > os.getpriority(os.PRIO_PROCESS, 0)


async def test_errors_languages_and_dead_processes_come_through(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    with i18n.speaking("de"):
        assert await shop.do(EVE, i18n.language) == "de"
    with pytest.raises(UnknownGame, match="chess"):
        await shop.do(EVE, new, "chess")
    with pytest.raises(Broken, match="ValueError"):
        await shop.do(EVE, int, "x")
    before = await shop.do(EVE, os.getpid)
    with pytest.raises(Broken, match="ended its process"):
        await shop.do(EVE, os._exit, 1)
    monkeypatch.setattr(shop, "_seconds", 0.0)
    with pytest.raises(TooLong, match="given up"):
        await shop.do(EVE, time.sleep, 60)
    monkeypatch.setattr(shop, "_seconds", workshop.SECONDS)
    assert await shop.do(EVE, os.getpid) != before


class LongToRead:
    """Takes seconds to read where it arrives, as code does that is imported on a busy machine."""

    def __reduce__(self) -> tuple[Callable[[float], None], tuple[float]]:
        return time.sleep, (5.0,)


async def test_imports_do_not_count_as_work(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    await shop.do(EVE, os.getpid)
    monkeypatch.setattr(shop, "_seconds", 2.5)
    assert await shop.do(EVE, repr, LongToRead()) == "None"


async def test_nothing_is_done_for_who_has_left(shop: Workshop) -> None:
    async def is_gone() -> bool:
        return True

    with pytest.raises(Busy):
        await shop.do(EVE, os._exit, 1, is_gone=is_gone)


async def test_nothing_else_uses_a_process_that_works_for_who_was_cancelled() -> None:
    shop = Workshop(2)
    try:
        used_last = await shop.do(EVE, os.getpid)
        left = asyncio.create_task(shop.do(EVE, subprocess.getoutput, "sleep 1; echo left"))
        await asyncio.sleep(0.3)
        left.cancel()
        with pytest.raises(asyncio.CancelledError):
            await left
        assert await shop.do(EVE, os.getpid) not in (used_last, "left")
    finally:
        shop.close()


async def test_what_fails_after_who_asked_was_cancelled_is_no_error_of_the_loop(shop: Workshop) -> None:
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
    await shop.do(EVE, os.getpid)
    left = asyncio.create_task(shop.do(EVE, int, "x"))
    while not left.done():  # cancelled as soon as it has a process
        await asyncio.sleep(0)
        if not shop._idle:
            left.cancel()
    assert left.cancelled()
    del left  # it has what failed within its traceback
    await shop.do(EVE, os.getpid)
    gc.collect()
    assert told == []


class Closed:
    """A workshop where everything waits until it opens; `asked` is what it was asked to do."""

    def __init__(self) -> None:
        self.asked: list[Callable[..., object]] = []
        self.opens = asyncio.Event()

    async def do(self, asker: Asker, function: Callable[..., object], *arguments: object, **options: object) -> object:
        self.asked.append(function)
        await self.opens.wait()
        return b"" if function is draw else ""

    def close(self) -> None:
        self.opens.set()


@pytest.fixture
async def site(sqlite_url: str) -> AsyncIterator[Pages]:
    async with pages(sqlite_url) as found:
        yield found


async def test_every_costly_page_leaves_the_process_and_no_move_waits_for_it(
    site: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = Closed()
    for shop in (workshop_of(site), slow_workshop_of(site)):
        for name in ("do", "close"):
            monkeypatch.setattr(shop, name, getattr(closed, name))
    over = site.finished("blob", n=2)
    made = await site.post("/new/blob", **{"parameter-n": "4", "seat-1": "me", "seat-2": "me"})
    base = f"/play/{over.id}/picture"
    paper = asyncio.create_task(site.post("/paper/blob", paper="a1", n="4"))
    asked = [asyncio.create_task(site.get(f"{base}.{kind}")) for kind in ("svg", "png", "gif")]
    asked.append(asyncio.create_task(site.get("/sheets/blob.svg")))
    while len(closed.asked) < 5:
        await asyncio.sleep(0)
    assert closed.asked.count(draw) == 3 and drawn in closed.asked
    for ply, move in enumerate(("a1", "a2"), 1):
        assert (await site.get("/rules/blob")).status_code == 200  # what waits for the workshop has left the gate
        answer = await site.post(made.headers["location"], "/move", ply=str(ply), move=move)
        assert answer.status_code == 303
    assert not any(task.done() for task in (paper, *asked))
    closed.close()
    assert {(await task).status_code for task in (paper, *asked)} == {200}


async def test_a_click_waits_for_nobodys_gif(site: Pages) -> None:
    over = site.finished("blob", n=2)
    held = slow_workshop_of(site).ask(EVE)
    gif = asyncio.create_task(site.get(f"/play/{over.id}/picture.gif"))
    async with asyncio.timeout(PATIENCE):
        for path in ("/study/position?game=blob&square=a1", f"/play/{over.id}/picture.png"):
            assert (await site.get(path)).status_code == 200
    assert not gif.done()
    slow_workshop_of(site).give_up(held)
    assert (await gif).status_code == 200


LONG = "1. a1 {" + "long " * 600 + "} 2. b1 (2. a2)"


async def test_long_studies_are_read_by_the_workshop(site: Pages, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = Closed()
    monkeypatch.setattr(workshop_of(site), "do", closed.do)
    closed.close()
    fields = {"game": "blob", "moves": LONG, "hide": "1"}
    assert (await post(site, "/record.json", **fields)).status_code == 200
    assert (await site.get(f"/picture.png?{urlencode(fields)}")).status_code == 200
    assert closed.asked == [json_of, pictured, draw]


async def test_no_record_and_no_paper_of_a_visitor_is_read_on_the_loop(
    site: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed, in_threads = Closed(), set[str]()
    closed.close()

    def watch(module: ModuleType, name: str) -> None:
        function = getattr(module, name)

        def watched(*arguments: object) -> object:
            with pytest.raises(RuntimeError, match="no running event loop"):
                asyncio.get_running_loop()
            in_threads.add(name)
            return function(*arguments)

        monkeypatch.setattr(module, name, watched)

    watch(record_text, "parse")
    watch(starts, "_read_paper")
    for moves in (LONG, "1. a1 2. b1 (2. a2)"):
        fields = {"game": "blob", "moves": moves}
        assert (await post(site, "", judge="1", **fields)).status_code == 200
        assert (await site.get(f"/picture.png?{urlencode(fields)}")).status_code == 200
        for act in ("/record.json", "/record.quet"):
            assert (await post(site, act, **fields)).status_code == 200
    assert in_threads == {"parse"}
    begun = await post(site, "/play", game="blob", position="* * o\no * o\no o o", opponent="me")
    path = begun.headers["location"]
    move = site.store.load(path.removeprefix("/play/")).game.legal_moves[0]
    with monkeypatch.context() as patch:
        patch.setattr(workshop_of(site), "do", closed.do)
        assert (await site.get(f"{path}?hint=1")).status_code == 200
    assert (await site.post(path, "/move", move=move)).status_code == 303  # the last one
    for page in ("/record.quet", "/record.json", "/picture.svg", "/picture.gif"):
        assert (await site.get(path + page)).status_code == 200, page
    assert (await site.get(path.replace("/play/", "/study/"))).status_code == 200
    assert in_threads == {"parse"}  # the workshop has read the paper, once


async def test_beyond_the_queue_it_is_refused_at_once_with_a_time_to_come_back(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workshop, "MOST_WAITING", 0)
    async with pages(sqlite_url) as site:
        held = workshop_of(site).ask(EVE)
        answer = await site.client.get("/sheets/blob.svg")
        assert held.done() and answer.status_code == 503 and int(answer.headers["retry-after"]) > 0
        assert re.search("very much to do just now", answer.text)


async def post(site: Pages, act: str, **fields: str) -> httpx.Response:
    """The answer to a form of the study board."""
    token = re.search(r'name="csrf" value="([^"]+)"', (await site.get("/study")).text)
    assert token
    return await site.client.post(f"/study{act}", data={"csrf": token[1], **fields})


def parts_of(site: Pages) -> Site:
    """The parts of the site under test."""
    assert isinstance(site.client._transport, httpx.ASGITransport)
    found = site.client._transport.app.state.site  # type: ignore[attr-defined]
    assert isinstance(found, Site)
    return found


def workshop_of(site: Pages) -> Workshop:
    """Its workshop."""
    return parts_of(site).workshop


def slow_workshop_of(site: Pages) -> Workshop:
    """Its workshop for what takes some seconds."""
    return parts_of(site).slow_workshop
