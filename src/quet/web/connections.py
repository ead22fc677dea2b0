"""A connection of the server, with bounds: how much a request may send, how long it may take, how many there may be.

uvicorn reads requests with httptools, which bounds neither the size of a head nor the time that it takes. With h11 it
bounds the size only, and it is several times slower. So the bounds are added to httptools here.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from .addresses import Network, is_in, network_of, read_address

PIECE = 4_096  # bytes that are read between two looks at the bounds


@dataclass(frozen=True)
class Bounds:
    """What a request may take."""

    head: int = 32_000  # bytes of the first line and the headers
    headers: int = 100
    message: int = 1_000_000  # bytes in all; the site refuses large bodies itself, in a sentence
    waiting: int = 16  # requests that are sent before earlier ones are answered
    head_seconds: float = 20.0  # from the first byte, or the connection, to the end of the head
    body_seconds: float = 30.0  # from there to the end of the body
    linger_seconds: float = (
        1.0  # for which a refused connection stays open when all is sent, so that its client reads why
    )
    stuck_seconds: float = 60.0  # in which a client has to take at least a piece of what is sent to it


class Door:
    """How many connections a server process has, in all and of each address. 0 for no limit."""

    def __init__(self, most: int = 0, most_of_address: int = 0, proxies: Sequence[Network] = ()) -> None:
        self._most = most
        self._most_of_address = most_of_address
        self._proxies = proxies  # many visitors come through one of these, so it may have any number
        self._num_open: Counter[str] = Counter()

    def enter(self, host: str) -> bool:
        """Count one more connection of an address, unless that is too many."""
        address = network_of(host)
        if 0 < self._most <= self._num_open.total():
            return False
        if 0 < self._most_of_address <= self._num_open[address] and not is_in(host, self._proxies):
            return False
        self._num_open[address] += 1
        return True

    def leave(self, host: str) -> None:
        """Count one less."""
        address = network_of(host)
        self._num_open[address] -= 1
        if not self._num_open[address]:
            del self._num_open[address]


class Connection(HttpToolsProtocol):
    """A connection that is refused or closed beyond its bounds."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
        *,
        door: Door | None = None,
        bounds: Bounds = Bounds(),
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._door = door or Door()
        self._bounds = bounds
        self._is_counted = False
        self._is_refused = False
        self._has_too_many = False  # requests: it is refused when those before are answered
        self._status = HTTPStatus.BAD_REQUEST  # of the answer when the parser gives up
        self._is_head = True  # whether the rest of a head is expected, or a new one
        self._num_bytes = 0  # of the request so far
        self._num_headers = 0
        self._answered: RequestResponseCycle | None = None  # the request that is being answered; `cycle` is the newest
        self._deadline: asyncio.TimerHandle | None = None  # for what has been begun
        self._stuck: asyncio.TimerHandle | None = None  # for a client that doesn't take its answer

    # What the transport calls.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, or refuse it where there are too many."""
        super().connection_made(transport)
        if self.client:  # as IPv4 also where a socket of IPv6 took it, so that its address and proxies are known
            self.client = str(read_address(self.client[0]) or self.client[0]), self.client[1]
        self._host = self.client[0] if self.client else ""
        self._is_counted = self._door.enter(self._host)
        if self._is_counted:
            self._set_deadline(self._bounds.head_seconds)
        else:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, and tell whoever answers a request that its client is gone."""
        if self._is_counted:
            self._door.leave(self._host)
        if self._answered is not None:  # uvicorn tells the newest only; those between are not begun any more
            self._answered.disconnected = True
            self._answered.message_event.set()
        self._clear_deadline()
        self._clear_stuck()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, piece by piece, as far as the bounds allow."""
        for start in range(0, len(data), PIECE):
            if self._is_refused or self.transport.is_closing():
                return
            piece = data[start : start + PIECE]
            self._num_bytes += len(piece)
            super().data_received(piece)
            if self._num_bytes > (self._bounds.head if self._is_head else self._bounds.message):
                is_head = self._is_head
                self._refuse(
                    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE if is_head else HTTPStatus.REQUEST_ENTITY_TOO_LARGE
                )
            elif len(self.pipeline) > self._bounds.waiting:
                self._refuse_later()
            elif self._deadline is None and self._num_bytes and not self._is_refused:
                self._set_deadline(self._bounds.head_seconds)

    def pause_writing(self) -> None:
        """Watch whether the client takes what is sent to it."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """The client takes it again."""
        self._clear_stuck()
        super().resume_writing()

    # What the parser calls.

    def on_message_begin(self) -> None:
        """A head begins: count its bytes and headers from here."""
        super().on_message_begin()
        self._is_head, self._num_bytes, self._num_headers = True, 1, 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count headers, also those that come after a body."""
        self._num_headers += 1
        if self._num_headers > self._bounds.headers:
            self._status = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            raise ValueError("There are too many headers.")  # the parser gives up
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Wait for the body."""
        super().on_headers_complete()
        if not self.pipeline:
            self._answered = self.cycle
        self._is_head = False
        self._set_deadline(self._bounds.body_seconds)

    def on_message_complete(self) -> None:
        """The request is whole: wait for no more of it."""
        super().on_message_complete()
        self._is_head, self._num_bytes = True, 0
        self._clear_deadline()

    # What uvicorn calls.

    def send_400_response(self, msg: str) -> None:
        """Refuse what the parser can't read."""
        self._refuse(self._status)

    def on_response_complete(self) -> None:
        """If the connection ends with this answer, watch whether the client takes it."""
        is_last = not self.pipeline
        self._answered = None if is_last else self.pipeline[-1][0]  # the oldest that waits
        super().on_response_complete()
        if self._has_too_many and not self.transport.is_closing():
            self.flow.pause_reading()
            if is_last:
                self._tell(HTTPStatus.TOO_MANY_REQUESTS)
        if self.transport.is_closing() and self.transport.get_write_buffer_size():
            self._watch()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, and drop what its client hasn't taken."""
        self.transport.abort()

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing where a client would rather speak WebSocket: it is answered as if it hadn't asked."""

    # The bounds.

    def _refuse(self, status: HTTPStatus) -> None:
        """Say what is wrong, unless this request has been answered or an answer has begun, and close the connection."""
        if self._is_refused or self.transport.is_closing():
            return
        self._is_refused = True
        self._clear_deadline()
        is_answered = not self._is_head and self.cycle.response_complete  # what is wrong is its body
        is_answering = self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete
        if self.cycle is not None:  # the application hears that the client is gone
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if is_answering or self.pipeline:
            self.transport.abort()
        elif is_answered:
            self._end()
        else:
            self._tell(status)

    def _refuse_later(self) -> None:
        """Answer as many requests as may wait before the rest is refused: their client learns what they did."""
        self._is_refused = self._has_too_many = True
        self._clear_deadline()
        while len(self.pipeline) > self._bounds.waiting:
            self.pipeline.popleft()  # the newest
        self.cycle = self.pipeline[0][0]

    def _tell(self, status: HTTPStatus) -> None:
        """Say what is wrong, and close the connection."""
        sentence = f"{_SENTENCES.get(status, 'The request cannot be read.')}\n".encode("ascii")
        self.transport.write(
            f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: text/plain; charset=utf-8\r\n"
            f"content-length: {len(sentence)}\r\nconnection: close\r\n\r\n".encode("ascii")
            + sentence
        )
        self._end()

    def _end(self) -> None:
        """Close the connection when its client has had time to read what was sent."""
        # What is still to come isn't read. If the connection were closed now, its client might lose the answer.
        self.flow.pause_reading()
        self._linger(self.loop.time() + self._bounds.stuck_seconds)

    def _linger(self, until: float) -> None:
        """Close the connection a while after all is sent to its client, who has until then to take it."""
        is_last = not self.transport.get_write_buffer_size() or self.loop.time() > until
        ending = (self.transport.abort,) if is_last else (self._linger, until)
        self.loop.call_later(self._bounds.linger_seconds, *ending)

    def _set_deadline(self, seconds: float) -> None:
        self._clear_deadline()
        self._deadline = self.loop.call_later(seconds, self._be_late)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _be_late(self) -> None:
        """Close a connection whose request isn't whole in time."""
        if self._num_bytes == 0:
            self.transport.abort()
        else:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)

    def _watch(self) -> None:
        """Abort the connection unless its client takes a piece of the answer in time."""
        self._clear_stuck()
        size = self.transport.get_write_buffer_size()
        self._stuck = self.loop.call_later(self._bounds.stuck_seconds, self._look_again, size)

    def _look_again(self, before: int) -> None:
        if self.transport.get_write_buffer_size() > before - PIECE:
            self.transport.abort()
        else:
            self._watch()

    def _clear_stuck(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None


_SENTENCES = {
    HTTPStatus.BAD_REQUEST: "The request cannot be read.",
    HTTPStatus.REQUEST_TIMEOUT: "The request took too long.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The request is too large.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many requests were sent at once.",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: "The head of the request is too large.",
    HTTPStatus.SERVICE_UNAVAILABLE: "There are too many connections; try again later.",
}
