"""Clients that cost little, so that a server can be measured from the same machine: requests and event streams."""

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

HIDDEN = re.compile(rb'name="csrf"[^>]* value="([^"]*)"')


class Failed(Exception):
    """The server did not do what was asked of it."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    head: bytes
    body: bytes

    def header(self, name: str) -> str:
        """A header's value; raises Failed where there is none."""
        found = re.search(rb"\r\n%b: ([^\r]*)" % name.encode(), self.head, re.IGNORECASE)
        if found is None:
            raise Failed(f"The answer, {self.status}, has no {name}.")
        return found[1].decode()


class Connection:
    """A connection for one request at a time. It stays open, and is opened anew if the server has closed it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._line: _Line | None = None

    async def ask(self, request: bytes) -> Answer:
        """The answer to a request; raises Failed when there is none."""
        for _ in range(2):
            if self._line is None or self._line.is_lost:
                loop = asyncio.get_running_loop()
                _, self._line = await loop.create_connection(_Line, "127.0.0.1", self._port)
            answer = await self._line.ask(request)
            if answer is not None:
                return answer
        raise Failed("The server hung up instead of an answer.")

    def close(self) -> None:
        if self._line is not None:
            self._line.transport.close()


class _Line(asyncio.Protocol):
    """One connection. A server closes those over which nothing was said for some seconds."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self.is_lost = False
        self._buffer = b""
        self._waiting: asyncio.Future[Answer | None] | None = None

    def ask(self, request: bytes) -> "asyncio.Future[Answer | None]":
        """The answer to come; None when the server hangs up instead."""
        self._waiting = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return self._waiting

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, end, body = self._buffer.partition(b"\r\n\r\n")
        if not end:
            return
        found = re.search(rb"\r\ncontent-length: (\d+)", head, re.IGNORECASE)
        length = int(found[1]) if found else 0
        if len(body) >= length:
            self._buffer = body[length:]
            self._done(Answer(int(head[9:12]), head, body[:length]))

    def connection_lost(self, error: Exception | None) -> None:
        self.is_lost = True
        self._done(None)

    def _done(self, answer: Answer | None) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(answer)


class Stream(asyncio.Protocol):
    """A stream of server-sent events: `hear` is called with the rows that each event tells of."""

    def __init__(self, request: bytes, hear: Callable[[int], None]) -> None:
        self._request, self._hear = request, hear
        self._buffer = b""
        self.is_open = asyncio.get_running_loop().create_future()
        self.is_lost = False

    @classmethod
    async def open(cls, port: int, path: str, cookie: str, hear: Callable[[int], None]) -> "Stream":
        """A stream that has begun; raises Failed where the server refuses it."""
        request = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\nAccept: text/event-stream\r\n\r\n"
        )
        loop = asyncio.get_running_loop()
        _, stream = await loop.create_connection(lambda: cls(request.encode(), hear), "127.0.0.1", port)
        await stream.is_open
        return stream

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self.is_open.done():
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if head[9:12] != b"200":
                self.is_open.set_exception(Failed(f"No events: {head.decode()}"))
                return
            self._buffer = rest
            self.is_open.set_result(None)
        # An event is sent whole in one chunk, and so it can be read without taking the chunks apart.
        *events, self._buffer = self._buffer.split(b"\n\n")
        for event in events:
            found = re.search(rb"^id: ?(\d+)", event, re.MULTILINE)
            if found and b"event: change" in event:
                self._hear(int(found[1]))

    def connection_lost(self, error: Exception | None) -> None:
        self.is_lost = True
        if not self.is_open.done():
            self.is_open.set_exception(Failed("The server hung up before the first event."))

    def close(self) -> None:
        self._transport.close()


def request(port: int, method: str, path: str, body: bytes, kind: str, cookie: str = "") -> bytes:
    """A request, as it is sent."""
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\nAccept: application/json\r\n"
        f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


@dataclass
class Visitor:
    """A browser: its connection, its cookie, and the token that its forms carry."""

    port: int
    connection: Connection
    cookie: str = ""
    csrf: str = ""

    @classmethod
    async def arrive(cls, port: int) -> "Visitor":
        """A new visitor, who has looked at the home page."""
        visitor = cls(port, Connection(port))
        answer = await visitor.ask("GET", "/lobby")
        visitor.cookie = answer.header("set-cookie").partition(";")[0]
        found = HIDDEN.search(answer.body)
        if found is None:
            raise Failed("The page has no form with a token.")
        visitor.csrf = found[1].decode()
        return visitor

    def request(self, method: str, path: str, form: Mapping[str, object] | None = None) -> bytes:
        """A request of this visitor, as it is sent."""
        body = urlencode({"csrf": self.csrf, **form}).encode() if form is not None else b""
        return request(self.port, method, path, body, "application/x-www-form-urlencoded", self.cookie)

    async def ask(self, method: str, path: str, form: Mapping[str, object] | None = None) -> Answer:
        """The answer; raises Failed where it is an error."""
        answer = await self.connection.ask(self.request(method, path, form))
        if answer.status >= 400:
            raise Failed(f"{method} {path}: {answer.status} {answer.body[:300]!r}")
        return answer
