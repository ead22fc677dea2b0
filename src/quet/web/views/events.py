"""Server-sent events of a game: what has happened since the page was made, and then what happens."""

import asyncio
import json
from contextlib import ExitStack, suppress

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ..errors import Away, NoSuchGame
from ..hub import Watcher
from ..limits import address_of
from ..match import BY, SiteMatch
from ..site import Site, count_more, site_of, visitor_of
from ..storage.schema import MoveRow
from .words import row_words

router = APIRouter()

AT_ONCE = 100  # rows told in one piece; between two of them others have their turn
SILENCE_SECONDS = 20.0  # after which a beat is sent: the page knows by it that the stream lives, and so does a proxy


@router.get("/play/{id}/events")
async def events(request: Request, id: str) -> Response:
    """A stream of `change` events, each with a row: {"ply": rows so far, "kind", "player", "text", "words"}.

    In a silence there is an empty `beat` now and then.

    `Last-Event-ID`, or `?ply=`, is how many rows the page has seen. A change of the seats only is of the kind `seats`;
    one since the page was made is told by its `?version=`.
    """
    site, visitor, address = site_of(request), visitor_of(request), address_of(request)
    match = await run_in_threadpool(site.store.load, id)
    last = request.headers.get("last-event-id")
    seen = min(_number(last or request.query_params.get("ply", ""), match.num_rows), match.num_rows)
    version = _number("" if last else request.query_params.get("version", ""), match.row.version)
    count_more(request, (match.num_rows - seen) // AT_ONCE)
    held = ExitStack()
    stream = EventStream(site, match.id, seen, version, held)
    held.enter_context(site.limiter.stream(visitor, address, stream.end))
    held.enter_context(site.metrics.stream())
    return stream


class EventStream(Response):
    """An answer that ends when the reader leaves or the server ends."""

    media_type = "text/event-stream"

    def __init__(self, site: Site, id: str, seen: int, version: int, held: ExitStack) -> None:
        """The reader has seen so many rows, of the game in this version. The stream closes `held` when it ends."""
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._site, self._id, self._held = site, id, held
        self._seen, self._version = seen, version
        self._watcher: Watcher | None = None
        self._is_ended = False

    def end(self) -> None:
        """End the stream for others of its address; its page asks again, or looks."""
        self._is_ended = True
        if self._watcher is not None:
            self._watcher.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        with self._held, self._site.hub.watch(self._id) as watcher:
            self._watcher = watcher
            if self._is_ended:
                watcher.close()
            leaving = asyncio.create_task(_wait_for_leaving(receive, watcher))
            try:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                await self._send_news(watcher, send)
            finally:
                leaving.cancel()

    async def _send_news(self, watcher: Watcher, send: Send) -> None:
        await _send(send, b"retry: 1000\n\n")
        # It is loaded first: what another process did before the watch began, nobody may have heard of here.
        match: SiteMatch | None = None
        while True:
            if match is None:  # that, or the cache has dropped it meanwhile
                try:
                    match = await run_in_threadpool(self._site.store.load, self._id)
                except Away:  # the page asks for the stream again, until the database is back
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
                    return
                except NoSuchGame:  # an operator took it away; the page looks, and finds that it is gone
                    last = _told(self._seen, "seats", 0, "", "")
                    await send({"type": "http.response.body", "body": last, "more_body": False})
                    return
            if match.num_rows > self._seen or match.row.version != self._version:
                self._version = match.row.version
                while match.num_rows - self._seen > 1:
                    rows = match.rows[self._seen : min(self._seen + AT_ONCE, match.num_rows - 1)]
                    await _send(send, b"".join(_event(match, row) for row in rows))
                    await asyncio.sleep(0)
                    self._seen += len(rows)
                await _send(send, _last(match, self._seen))
                self._seen = match.num_rows
            match = None  # else it would be kept while nothing happens
            if not await watcher.wait(SILENCE_SECONDS):
                await _send(send, b"event: beat\ndata:\n\n")
                # News of other processes may get lost. While the database is away the stream stays, and asks later.
                with suppress(Away, NoSuchGame):
                    await run_in_threadpool(self._site.store.load, self._id)
            if watcher.is_closed:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                return
            match = self._site.store.peek(self._id)


def _number(text: str, otherwise: int) -> int:
    """The number in a request; `otherwise` where there is none, or one too long for a version."""
    return int(text) if text.isdecimal() and len(text) < 20 else otherwise


def _last(match: SiteMatch, seen: int) -> bytes:
    """The last row as an event; `seats` for a reader who has seen that row.

    A reader may have seen more, if the database has gone back.
    """
    if seen >= match.num_rows:
        return _told(match.num_rows, "seats", 0, "", "")
    return _event(match, match.rows[-1])


def _event(match: SiteMatch, row: MoveRow) -> bytes:
    return _told(row.ply + 1, row.kind.partition(BY)[0], row.player, row.text, row_words(match, row))


def _told(ply: int, kind: str, player: int, text: str, words: str) -> bytes:
    data = json.dumps({"ply": ply, "kind": kind, "player": player, "text": text, "words": words})
    return f"id: {ply}\nevent: change\ndata: {data}\n\n".encode()


async def _send(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _wait_for_leaving(receive: Receive, watcher: Watcher) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    watcher.close()
