"""News of a game reach whoever watches it: at once, each once, in order, and not before they are committed."""

import asyncio
import gc
import json
import os
import re
import signal
import threading
import time
import weakref
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from fastapi import FastAPI
from sqlalchemy import delete, insert, update

from quet.play.events import Moved, TookBack
from quet.web.app import create_app
from quet.web.hub import Hub
from quet.web.match import SiteMatch, row_of
from quet.web.new_games import SeatPlan, SetUp
from quet.web.settings import Limits, Settings
from quet.web.storage.database import Database
from quet.web.storage.outage import away
from quet.web.storage.schema import games, moves
from quet.web.storage.store import Store
from quet.web.views import events
from quet.web.visitors import Visitor

from .in_process import UNLIMITED

PATIENCE = 30.0  # seconds; what is waited for takes far less


@asynccontextmanager
async def running(url: str, workers: int = 1, limits: Limits = UNLIMITED) -> AsyncIterator[FastAPI]:
    """A site whose server has started."""
    app = create_app(Settings(url, "a key of the tests", limits=limits, workers=workers))
    async with app.router.lifespan_context(app):
        yield app


class Listener:
    """Listens to the events of a game as a browser does, without a network in between."""

    def __init__(self, app: Callable[..., Coroutine[Any, Any, None]], id: str, query: str = "", **headers: str) -> None:
        self.events: list[dict[str, Any]] = []
        self.ids: list[str] = []
        self.status = 0
        self.is_ended = False
        self._text = b""
        self._news = asyncio.Condition()
        self._leaving = asyncio.Event()
        self._asked = False
        scope = {
            "type": "http",
            "method": "GET",
            "path": f"/play/{id}/events",
            "raw_path": f"/play/{id}/events".encode(),
            "query_string": query.encode(),
            "root_path": "",
            "scheme": "http",
            "http_version": "1.1",
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 1),
            "server": ("site", 80),
        }
        self.task = asyncio.create_task(app(scope, self._receive, self._send))

    async def has(self, count: int) -> list[dict[str, Any]]:
        """The first so many events, when they are there."""
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: len(self.events) >= count)
        return self.events[:count]

    async def has_begun(self) -> "Listener":
        async with asyncio.timeout(PATIENCE), self._news:
            await self._news.wait_for(lambda: bool(self._text) or self.is_ended)
        return self

    async def leave(self) -> None:
        """Close the page."""
        self._leaving.set()
        async with asyncio.timeout(PATIENCE):
            await self.task

    async def _receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._leaving.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        async with self._news:
            if message["type"] == "http.response.start":
                self.status = message["status"]
            else:
                self._text += message["body"]
                self.is_ended = not message.get("more_body")
                self._read()
            self._news.notify_all()

    def _read(self) -> None:
        blocks = self._text.split(b"\n\n")[:-1]
        fields = [dict(line.split(": ", 1) for line in block.decode().splitlines() if ": " in line) for block in blocks]
        self.events = [json.loads(each["data"]) for each in fields if "data" in each]
        self.ids = [each["id"] for each in fields if "data" in each]


def table(store: Store, *who: str) -> SiteMatch:
    """A game of palindromes; ann holds the seats that are `me`."""
    plans = tuple(SeatPlan(each) for each in who or ("me", "me"))
    return store.create(SetUp("palindromes", {"m": "12"}, plans), "ann", time.time())


async def play(store: Store, match: SiteMatch, *moves: str) -> SiteMatch:
    for move in moves:
        match = await asyncio.to_thread(store.act, match.id, "ann", "move", move, match.num_rows, time.time())
    return match


async def test_who_watches_hears_of_every_row_once_and_in_order(sqlite_url: str) -> None:
    async with running(sqlite_url) as app:
        store = app.state.site.store
        match = table(store)
        first, second = [await Listener(app, match.id).has_begun() for _ in range(2)]
        await play(store, match, *(f"{k}=0" for k in range(1, 11)))
        for listener in (first, second):
            assert [event["ply"] for event in await listener.has(10)] == list(range(2, 12))
            assert [event["text"] for event in listener.events] == [f"{k}=0" for k in range(1, 11)]
            assert listener.events[0]["words"] and listener.ids == [str(k) for k in range(2, 12)]
        assert len(app.state.site.hub._watchers[match.id]) == 2
        await first.leave()
        await second.leave()
        assert match.id not in app.state.site.hub._watchers


async def test_who_comes_back_hears_what_they_missed(sqlite_url: str) -> None:
    async with running(sqlite_url) as app:
        store = app.state.site.store
        match = await play(store, table(store), "1=0", "2=0", "3=0")
        back = Listener(app, match.id, last_event_id="2")
        assert [event["ply"] for event in await back.has(2)] == [3, 4]
        for odd in ("-1", "x", "999999", "9" * 500, ""):
            stranger = await Listener(app, match.id, last_event_id=odd).has_begun()
            assert stranger.status == 200 and stranger.events == []
            await stranger.leave()
        await back.leave()


def of_three(store: Store) -> SiteMatch:
    """A new game of Ann with two open seats."""
    seats = (SeatPlan(), SeatPlan("open"), SeatPlan("open"))
    return store.create(SetUp("divisors-multiples", {"players": "3"}, seats), "ann", time.time())


async def test_a_watcher_hears_that_somebody_sat_down(sqlite_url: str) -> None:
    async with running(sqlite_url) as app:
        store = app.state.site.store
        match = of_three(store)
        listener = await Listener(app, match.id).has_begun()
        await asyncio.to_thread(store.take_seat, match.id, "bob", "Bob", time.time())
        assert (await listener.has(1))[0]["kind"] == "seats"
        await asyncio.to_thread(store.take_seat, match.id, "cleo", "Cleo", time.time())
        assert (await listener.has(2))[1]["kind"] == "start"
        await listener.leave()


async def test_a_stream_tells_at_once_that_somebody_sat_down_since_its_page(sqlite_url: str) -> None:
    async with running(sqlite_url) as app:
        store = app.state.site.store
        before = of_three(store)
        store.take_seat(before.id, "bob", "Bob", time.time())
        now = store.load(before.id)
        late = Listener(app, before.id, f"ply=0&version={before.row.version}")
        assert [event["kind"] for event in await late.has(1)] == ["seats"]
        await late.leave()
        for odd in (str(now.row.version), "", "-1", "x", "9" * 20, "9" * 500):
            listener = await Listener(app, before.id, f"ply=0&version={odd}").has_begun()
            await listener.leave()
            assert listener.status == 200 and listener.events == []
        again = Listener(app, before.id, f"ply=0&version={before.row.version}", last_event_id="0")
        await (await again.has_begun()).leave()
        assert again.events == []  # the page has heard of it


async def test_nobody_watches_a_game_that_is_not_there(sqlite_url: str) -> None:
    async with running(sqlite_url) as app:
        listener = await Listener(app, "x" * 22).has_begun()
        assert listener.status == 404


@pytest.mark.parametrize("limits", [replace(UNLIMITED, streams=2), replace(UNLIMITED, address_streams=2)])
async def test_a_visitor_or_an_address_listens_to_so_many_games_and_no_more(sqlite_url: str, limits: Limits) -> None:
    async with running(sqlite_url, limits=limits) as app:
        match, visitors = table(app.state.site.store), app.state.site.visitors
        cookie = visitors.cookie(Visitor("ann", ""), is_secure=False)
        listeners = [await Listener(app, match.id, cookie=cookie).has_begun() for _ in range(3)]
        assert [listener.status for listener in listeners] == [200, 200, 429]
        for listener in listeners:
            await listener.leave()
        again = await Listener(app, match.id, cookie=cookie).has_begun()
        assert again.status == 200
        await again.leave()


async def test_the_visitors_of_an_address_share_its_streams(sqlite_url: str) -> None:
    async with running(sqlite_url, limits=replace(UNLIMITED, address_streams=4)) as app:
        match, visitors = table(app.state.site.store), app.state.site.visitors

        async def comes(name: str) -> Listener:
            cookie = visitors.cookie(Visitor(name, ""), is_secure=False)
            return await Listener(app, match.id, cookie=cookie).has_begun()

        many = [await comes("ann") for _ in range(5)]
        assert [listener.status for listener in many] == [200, 200, 200, 200, 429]
        assert [(await comes("bob")).status for _ in range(3)] == [200, 200, 429]
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(many[2].task, many[3].task)  # those that came last
        assert not many[0].is_ended and not many[1].is_ended
        assert [(await comes(name)).status for name in ("cleo", "dora", "ann", "ed")] == [200, 200, 429, 429]


async def test_a_stream_beats_where_nothing_happens(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waits = re.search(
        r"const SILENCE = ([\d_]+);",
        (Path(events.__file__).parents[1] / "static" / "news.js").read_text(encoding="utf-8"),
    )
    assert waits and int(waits[1]) > 2_000 * events.SILENCE_SECONDS
    monkeypatch.setattr(events, "SILENCE_SECONDS", 0.01)
    async with running(sqlite_url) as app:
        listener = await Listener(app, table(app.state.site.store).id).has_begun()
        async with asyncio.timeout(PATIENCE):
            while listener._text.count(b"\n\nevent: beat\ndata:\n\n") < 3:  # without `data` a browser drops it
                await asyncio.sleep(0.01)
        assert listener.events == []
        await listener.leave()


async def test_opening_streams_counts_and_so_does_what_they_have_to_tell(sqlite_url: str) -> None:
    async with running(sqlite_url, limits=replace(UNLIMITED, address_pages=5)) as app:
        match = table(app.state.site.store)
        for number in range(7):
            listener = await Listener(app, match.id).has_begun()
            assert listener.status == (200 if number < 5 else 429)
            await listener.leave()
    async with running(sqlite_url, limits=replace(UNLIMITED, address_pages=5)) as app:
        match = await long_game(app.state.site.store, 1_001)
        for status in (200, 429):
            listener = await Listener(app, match.id, last_event_id="1").has_begun()
            assert listener.status == status
            await listener.leave()


async def long_game(store: Store, num_rows: int) -> SiteMatch:
    """A game in which ann plays and takes back, again and again, written at once."""
    match = table(store)
    happened = [Moved(2.0, 1, "1=0"), TookBack(2.0, 1, 1)] * (num_rows // 2)
    rows = [row_of(number, event).values(match.id) for number, event in enumerate(happened, 1)]
    with store.database.write() as connection:
        connection.execute(insert(moves), rows)
        connection.execute(update(games).where(games.c.id == match.id).values(version=2, num_rows=num_rows))
    return store.load(match.id)


async def test_a_game_takes_little_memory_from_whatever_row_it_is_watched(sqlite_url: str) -> None:
    async with running(sqlite_url) as app:
        match = await long_game(app.state.site.store, 201)
        for seen in range(1, 201, 20):
            listener = Listener(app, match.id, last_event_id=str(seen))
            assert [event["ply"] for event in await listener.has(201 - seen)] == list(range(seen + 1, 202))
            await listener.leave()
        assert app.state.site.store.peek(match.id) is match
        assert len(match.news) == 1 and sum(map(len, match.news.values())) < 200


async def test_a_stream_keeps_no_match_that_the_cache_has_dropped(sqlite_url: str) -> None:
    async with running(sqlite_url) as app:
        store = app.state.site.store
        match = table(store)
        known, id = weakref.ref(match), match.id
        listener = await Listener(app, id).has_begun()
        await play(store, match, "1=0")
        await listener.has(1)
        del match
        gc.collect()
        assert known() is None
        await listener.leave()


async def test_all_streams_end_when_the_server_does(sqlite_url: str) -> None:
    async with running(sqlite_url) as app:
        match = table(app.state.site.store)
        listeners = [await Listener(app, match.id).has_begun() for _ in range(3)]
        app.state.site.hub.close()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*(listener.task for listener in listeners))
        late = Listener(app, match.id)
        async with asyncio.timeout(PATIENCE):
            await late.task
        assert all(listener.is_ended for listener in [*listeners, late])


async def test_a_watcher_hears_what_another_process_did(database_url: str) -> None:
    async with running(database_url, workers=2) as app:
        match = table(app.state.site.store)
        listener = await Listener(app, match.id).has_begun()
        other = Database(database_url)
        await play(Store(other), match, "1=0", "2=0", "3=0")
        assert [event["ply"] for event in await listener.has(3)] == [2, 3, 4]
        await play(app.state.site.store, app.state.site.store.load(match.id), "4=0")
        await play(Store(other), Store(other).load(match.id), "5=0")
        assert [event["ply"] for event in await listener.has(5)] == [2, 3, 4, 5, 6]
        await listener.leave()
        other.close()


async def test_a_watcher_hears_also_of_what_a_page_here_has_loaded_before(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is faster than the announcement, or than the look at the file."""
    monkeypatch.setattr(events, "SILENCE_SECONDS", 10 * PATIENCE)
    is_loaded, id = threading.Event(), ""

    def late(self: Database, is_wanted: Callable[[], bool], *seconds: float) -> Iterator[str | None]:
        yield None
        is_loaded.wait(PATIENCE)
        yield None if self.is_sqlite else id
        while is_wanted():
            time.sleep(0.01)

    monkeypatch.setattr(Database, "changes" if database_url.startswith("sqlite") else "announcements", late)
    async with running(database_url, workers=2) as app:
        match = table(app.state.site.store)
        id = match.id
        listener = await Listener(app, id).has_begun()
        other = Database(database_url)
        await play(Store(other), match, "1=0")
        app.state.site.store.load(id)
        is_loaded.set()
        assert [event["ply"] for event in await listener.has(1)] == [2]
        await listener.leave()
        other.close()


async def test_a_beat_asks_for_news_that_nobody_has_announced(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "SILENCE_SECONDS", 0.01)
    async with running(sqlite_url) as app:  # alone, so that nobody looks
        match, other = table(app.state.site.store), Database(sqlite_url)
        listener = await Listener(app, match.id).has_begun()
        with monkeypatch.context() as outage:
            outage.setattr(app.state.site.store, "load", Mock(side_effect=away()))
            await asyncio.sleep(0.1)
        assert not listener.is_ended
        await play(Store(other), match, "1=0")
        assert [event["ply"] for event in await listener.has(1)] == [2]
        await listener.leave()
        other.close()


async def test_a_stream_tells_what_another_process_did_before_it_watched(sqlite_url: str) -> None:
    async with running(sqlite_url) as app:  # alone, so that nobody looks later
        site, other = app.state.site, Database(sqlite_url)
        match = table(site.store)
        stream = events.EventStream(site, match.id, match.num_rows, match.row.version, ExitStack())
        await play(Store(other), match, "1=0")
        site.hub._look()  # nobody watches yet
        listener = Listener(stream, match.id)
        assert [event["ply"] for event in await listener.has(1)] == [2]
        await listener.leave()
        other.close()


async def test_a_watcher_hears_of_a_game_that_goes_on_from_earlier(database_url: str) -> None:
    """A backup was restored under two servers."""
    async with running(database_url, workers=2) as app:
        store = app.state.site.store
        match = table(store)
        after = await play(store, match, "1=0", "2=0")
        listener = await Listener(app, match.id).has_begun()
        other = Database(database_url)
        with other.write() as connection:
            connection.execute(delete(moves).where(moves.c.ply >= match.num_rows))
            values = {"version": match.row.version, "num_rows": match.num_rows, "mover": match.row.mover}
            connection.execute(update(games).values(**values))
        again = Store(other).act(match.id, "ann", "move", "3=0", None, 2.0)
        assert again.row.version != after.row.version
        event = (await listener.has(1))[0]
        assert event["ply"] <= 2 and event["kind"] == "seats"  # so that the page loads itself again
        await listener.leave()
        other.close()


async def test_news_are_heard_again_after_postgresql_was_away(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sqlalchemy import text

    monkeypatch.setattr("quet.web.hub.RETRY_SECONDS", 0.01)
    monkeypatch.setattr("quet.web.storage.database.LISTENING_SECONDS", 10 * PATIENCE)  # it is known by its query
    async with running(postgresql_url) as app:
        match = table(app.state.site.store)
        listener = await Listener(app, match.id).has_begun()
        other = Database(postgresql_url)
        match = await play(Store(other), match, "1=0")
        await listener.has(1)
        with other.write() as connection:
            lost = connection.scalar(
                text(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                    "WHERE query LIKE 'LISTEN%' AND datname = current_database()"
                )
            )
        assert lost == 1
        await play(Store(other), match, "2=0", "3=0")
        assert [event["ply"] for event in await listener.has(3)] == [2, 3, 4]
        await listener.leave()
        other.close()


async def test_news_are_heard_again_after_a_connection_has_died_in_silence(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sqlalchemy import text

    monkeypatch.setattr(events, "SILENCE_SECONDS", 10 * PATIENCE)
    monkeypatch.setattr("quet.web.storage.database.LISTENING_SECONDS", 0.1)
    monkeypatch.setattr("quet.web.storage.database.STATEMENT_SECONDS", 0.5)
    async with running(postgresql_url) as app:
        match = table(app.state.site.store)
        listener = await Listener(app, match.id).has_begun()
        other = Database(postgresql_url)
        await play(Store(other), match, "1=0")
        await listener.has(1)
        with other.read() as connection:
            listening = text(
                "SELECT pid FROM pg_stat_activity "
                "WHERE query IN ('LISTEN quet', 'SELECT 1') AND datname = current_database()"
            )
            processes = list(connection.scalars(listening))
        for process in processes:  # a frozen one doesn't hang up either
            os.kill(process, signal.SIGSTOP)
        try:
            await play(Store(other), Store(other).load(match.id), "2=0")
            assert [event["ply"] for event in await listener.has(2)] == [2, 3]
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)
        await listener.leave()
        other.close()


async def test_time_that_has_run_out_falls_when_a_server_starts(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    database.upgrade()
    store = Store(database)
    set_up = SetUp("palindromes", {}, (SeatPlan(), SeatPlan()), clock="days", clock_seconds=60.0)
    match = store.create(set_up, "ann", time.time() - 100)
    running_on = store.create(set_up, "ann", time.time())
    async with running(sqlite_url), asyncio.timeout(PATIENCE):
        while not store.load(match.id).is_over:
            await asyncio.sleep(0.02)
    over = store.load(match.id)
    assert over.winners == [2] and over.rows[-1].at == match.deadline
    assert not store.load(running_on.id).is_over
    database.close()


def test_of_many_watched_games_those_are_brought_that_have_changed_or_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quet.web.hub.AT_ONCE", 2)
    versions, brought = {"a": 1, "b": 1, "c": 1}, list[str]()
    store = Mock(versions=lambda ids: {id: versions[id] for id in ids if id in versions})
    hub = Hub(store, is_alone=False)
    monkeypatch.setattr(hub, "_load", brought.append)
    with hub.watch("a"), hub.watch("b"), hub.watch("c"), hub.watch("gone"):
        for changed in ([*"abc", "gone"], ["gone"], ["c", "gone"], ["a", "gone"]):
            versions |= {id: versions[id] + 1 for id in changed if id in versions}
            brought.clear()
            hub._look()
            assert brought == changed
