"""Server-sent events of a game: what has happened since the page was made, and then what happens."""

import asyncio
import json
from contextlib import ExitStack

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from .. import i18n
from ..errors import Away
from ..hub import Watcher
from ..limits import address_of
from ..match import BY, SiteMatch
from ..site import Site, site_of, visitor_of
from .words import row_words

router = APIRouter()

SILENCE_SECONDS = 20.0  # after which an empty comment is sent, so that no proxy closes the connection


@router.get("/play/{id}/events")
async def events(request: Request, id: str) -> Response:
    """A stream of `change` events, each with a row: {"ply": rows so far, "kind", "player", "text", "words"}.

    `Last-Event-ID`, or `?ply=`, is how many rows the page has seen. A change of the seats only is of the kind `seats`.
    """
    site = site_of(request)
    match = await run_in_threadpool(site.store.load, id)
    text = request.headers.get("last-event-id") or request.query_params.get("ply", "")
    seen = int(text) if text.isdecimal() and len(text) < 9 else match.num_rows
    held = ExitStack()
    held.enter_context(site.limiter.stream(visitor_of(request), address_of(request)))
    held.enter_context(site.metrics.stream())
    return EventStream(site, match, min(seen, match.num_rows), held)


class EventStream(Response):
    """An answer that ends when the reader leaves or the server ends."""

    media_type = "text/event-stream"

    def __init__(self, site: Site, match: SiteMatch, seen: int, held: ExitStack) -> None:
        """The stream closes `held` when it ends."""
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._site, self._match, self._seen, self._held = site, match, seen, held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        with self._held, self._site.hub.watch(self._match.id) as watcher:
            leaving = asyncio.create_task(_wait_for_leaving(receive, watcher))
            try:
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                await self._send_news(watcher, send)
            finally:
                leaving.cancel()

    async def _send_news(self, watcher: Watcher, send: Send) -> None:
        await _send(send, b"retry: 1000\n\n")
        version = self._match.row.version
        while True:
            match = self._site.store.peek(self._match.id)
            if match is None:  # the cache has dropped it meanwhile
                try:
                    match = await run_in_threadpool(self._site.store.load, self._match.id)
                except Away:  # the page asks for the stream again, until the database is back
                    await send({"type": "http.response.body", "body": b"", "more_body": False})
                    return
            if match.num_rows > self._seen or match.row.version > version:
                body = _events(match, self._seen)
                self._seen, version = match.num_rows, match.row.version
                await _send(send, body)
            if not await watcher.wait(SILENCE_SECONDS):
                await _send(send, b":\n\n")
            if watcher.is_closed:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                return


def _events(match: SiteMatch, seen: int) -> bytes:
    """The events after so many rows, made once for all watchers with the same language."""
    key = ("events", seen, i18n.language())
    made = match.kept.get(key)
    if made is None:
        rows = match.rows[seen:]
        made = match.kept[key] = b"".join(
            _event(row.ply + 1, row.kind.partition(BY)[0], row.player, row.text, row_words(match, row)) for row in rows
        ) or _event(seen, "seats", 0, "", "")
    assert isinstance(made, bytes)
    return made


def _event(ply: int, kind: str, player: int, text: str, words: str) -> bytes:
    data = json.dumps({"ply": ply, "kind": kind, "player": player, "text": text, "words": words})
    return f"id: {ply}\nevent: change\ndata: {data}\n\n".encode()


async def _send(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _wait_for_leaving(receive: Receive, watcher: Watcher) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    watcher.close()
