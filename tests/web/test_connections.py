"""What a client may do with a connection: nothing that it sends, or doesn't send, lasts or grows without end."""

import asyncio
import contextlib
import logging
import re
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

import pytest
import uvicorn
from uvicorn.server import ServerState

from quet.web.addresses import is_in, read_networks
from quet.web.connections import Bounds, Connection, Door

from .serving import PATIENCE, Server

Message = MutableMapping[str, object]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]
App = Callable[[Message, Receive, Send], Awaitable[None]]
WIDE = Bounds(linger_seconds=0.05)
SOON = Bounds(linger_seconds=0.05, head_seconds=0.3, body_seconds=0.3, stuck_seconds=0.3)  # a busy machine sends late
GET = b"GET / HTTP/1.1\r\nHost: x\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


async def app(scope: Message, receive: Receive, send: Send) -> None:
    """Answers with the number of bytes of the body; /early doesn't wait for it, /large answers at length."""
    body = b""
    if scope["path"] == "/":
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += cast(bytes, message["body"])
            if not message["more_body"]:
                break
    text = b"a" * 30_000_000 if scope["path"] == "/large" else b"%d" % len(body)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(text))]})
    await send({"type": "http.response.body", "body": text})


@contextlib.asynccontextmanager
async def serving(bounds: Bounds = WIDE, door: Door | None = None, app: App = app) -> AsyncIterator["Client"]:
    """Clients of a server with these bounds."""
    config = uvicorn.Config(cast("str", app), http="httptools", log_level="critical", lifespan="off")
    config.load()
    state = ServerState()
    made = partial(Connection, config, state, {}, door=door or Door(), bounds=bounds)
    server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
    try:
        yield Client(server.sockets[0].getsockname()[1], state)
    finally:
        server.close()
        for connection in list(state.connections):
            cast(Connection, connection).transport.abort()
        await asyncio.sleep(0)


class Client:
    """Whoever connects."""

    def __init__(self, port: int, state: ServerState) -> None:
        self.port = port
        self.state = state

    async def send(self, *parts: bytes, endless: bytes = b"") -> bytes:
        """All that the server answers until it closes the connection; `endless` is sent again and again."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)

        async def talk() -> None:
            with contextlib.suppress(OSError):
                for part in parts:
                    writer.write(part)
                    await writer.drain()
                while endless:
                    writer.write(endless)
                    await writer.drain()

        talking = asyncio.create_task(talk())
        answer = b""
        try:
            async with asyncio.timeout(PATIENCE):
                with contextlib.suppress(ConnectionError):
                    while part := await reader.read(100_000):
                        answer += part
        finally:
            talking.cancel()
            writer.close()
        return answer


@pytest.mark.parametrize(
    ("parts", "endless", "status"),
    [
        ([GET], b"".join(b"X-%d: y\r\n" % k for k in range(50)), 431),
        ([GET, b"X: "], b"y" * 5_000, 431),
        ([b"GET /"], b"y" * 5_000, 431),
        ([], b"\r\n" * 1_000, 431),
        ([CHUNKED + b"0\r\n"], b"X: y\r\n" * 50, 431),
        ([CHUNKED + b"0\r\nX: "], b"y" * 5_000, 413),
        ([CHUNKED], b"1\r\na\r\n" * 1_000, 413),
        ([CHUNKED, b"1"], b";x=y" * 1_000, 413),
        ([b"\0\1\2"], b"", 400),
    ],
)
async def test_what_is_sent_without_end_is_refused(parts: list[bytes], endless: bytes, status: int) -> None:
    async with serving() as client:
        answer = await client.send(*parts, endless=endless)
    head, _, sentence = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status) and sentence.endswith(b".\n")


@pytest.mark.parametrize(
    ("head", "rest"),
    [
        (b"Content-Length: 1100000", b"a" * 1_100_000),
        (b"Transfer-Encoding: chunked", b"1\r\na\r\n" * 200_000),
        (b"Transfer-Encoding: chunked", b"no number\r\n"),
        (b"Transfer-Encoding: chunked", b"0\r\n" + b"X: y\r\n" * 101 + b"\r\n"),
    ],
)
async def test_a_request_that_has_its_answer_gets_no_other(head: bytes, rest: bytes) -> None:
    async with serving() as client:
        reader, writer = await asyncio.open_connection("127.0.0.1", client.port)
        writer.write(b"POST /early HTTP/1.1\r\nHost: x\r\n" + head + b"\r\n\r\n")
        async with asyncio.timeout(PATIENCE):
            answer = await reader.readuntil(b"\r\n\r\n0")
            writer.write(rest)
            with contextlib.suppress(ConnectionError):
                answer += await reader.read()
        writer.close()
    assert re.findall(rb"HTTP/1.1 (\d+) ", answer) == [b"200"]


async def test_requests_without_end_are_not_kept_while_one_is_answered() -> None:
    async with serving() as client:
        await client.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n", endless=b"a" + GET + b"\r\n")


@pytest.mark.parametrize(
    ("part", "status"),
    [
        (b"", 0),  # nothing at all
        (b"G", 408),
        (GET, 408),
        (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1234", 408),
        (CHUNKED + b"1\r\na\r\n", 408),
        (b"POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1234", 200),
        (GET + b"\r\n" + GET, 200),  # the second is not whole
        (b"GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 200),  # our client takes it all
    ],
)
async def test_half_a_request_is_closed_after_its_time(part: bytes, status: int) -> None:
    async with serving(SOON) as client:
        answer = await client.send(part)
    assert answer[:13] == (b"HTTP/1.1 %d " % status if status else b"")


async def test_a_client_that_takes_no_answer_is_closed() -> None:
    async with serving(SOON) as client:
        for end in (b"\r\n", b"Connection: close\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", client.port)) as deaf:
                deaf.sendall(b"GET /large HTTP/1.1\r\nHost: x\r\n" + end)
                async with asyncio.timeout(PATIENCE):
                    while not client.state.total_requests:
                        await asyncio.sleep(0.001)
                    while client.state.connections:
                        await asyncio.sleep(0.001)
            client.state.total_requests = 0


async def test_whole_requests_are_answered_one_after_another() -> None:
    head = GET + b"".join(b"X-%d: y\r\n" % k for k in range(90))
    body = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n" + b"a" * 60_000
    async with serving() as client:
        answer = await client.send(head + b"\r\n", body, body, GET + b"Connection: close\r\n\r\n")
    assert re.findall(rb"\r\n\r\n(\d+)", answer) == [b"0", b"60000", b"60000", b"0"]


@pytest.mark.parametrize("number", [4, 5, 200])  # in one piece; in one; in several
async def test_requests_before_too_many_are_answered(number: int) -> None:
    """Their client may have moved, and learns whether the moves stand."""
    async with serving(replace(WIDE, waiting=3)) as client:
        requests = (GET + b"X: %d\r\n\r\n" % k for k in range(number - 1))
        answer = await client.send(b"".join(requests) + GET + b"Connection: close\r\n\r\n")
    statuses = re.findall(rb"HTTP/1.1 (\d+) ", answer)
    assert statuses == [b"200"] * 4 + [b"429"] * (number > 4)
    assert number == 4 or answer.endswith(b"\r\n\r\nToo many requests were sent at once.\n")


async def test_a_slow_client_has_all_answers_before_it_reads_that_it_sent_too_much() -> None:
    bounds = replace(WIDE, waiting=1)
    async with serving(bounds) as client:
        reader, writer = await asyncio.open_connection("127.0.0.1", client.port)
        writer.write(GET + b"\r\n" + GET.replace(b"/", b"/large", 1) + b"\r\n" + GET + b"\r\n")
        await asyncio.sleep(10 * bounds.linger_seconds)
        async with asyncio.timeout(PATIENCE):
            answer = await reader.read()
        writer.close()
    assert len(answer) > 30_000_000 and re.findall(rb"HTTP/1.1 (\d+) ", answer) == [b"200", b"200", b"429"]


async def test_a_refused_client_that_takes_no_answer_is_closed() -> None:
    async with serving(replace(SOON, waiting=1)) as client:
        with socket.create_connection(("127.0.0.1", client.port)) as deaf:
            deaf.sendall(GET + b"\r\n" + GET.replace(b"/", b"/large", 1) + b"\r\n" + GET + b"\r\n")
            async with asyncio.timeout(PATIENCE):
                while client.state.total_requests < 2:
                    await asyncio.sleep(0.001)
                while client.state.connections:
                    await asyncio.sleep(0.001)


@pytest.mark.parametrize("number", [0, 1, 3, 9])  # the last are too many
async def test_a_stream_hears_that_its_client_is_gone_also_with_requests_behind_it(number: int) -> None:
    """Else it would keep its place for good."""
    begun, ended = asyncio.Event(), asyncio.Event()

    async def stream(scope: Message, receive: Receive, send: Send) -> None:
        if scope["path"] != "/stream":
            await app(scope, receive, send)
            return

        async def talk() -> None:
            while True:  # reading is paused, so only writing finds that the client is gone
                await send({"type": "http.response.body", "body": b":\n\n", "more_body": True})
                await asyncio.sleep(0.01)

        await send({"type": "http.response.start", "status": 200, "headers": []})
        talking = asyncio.create_task(talk())
        begun.set()
        while (await receive())["type"] != "http.disconnect":
            pass
        talking.cancel()
        ended.set()

    async with serving(replace(WIDE, waiting=3), app=stream) as client:
        _, writer = await asyncio.open_connection("127.0.0.1", client.port)
        before = GET + b"\r\n"  # the stream isn't the first that is answered
        writer.write(before + before + b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        async with asyncio.timeout(PATIENCE):
            await begun.wait()
            writer.write((GET + b"\r\n") * number)
            await writer.drain()
            await asyncio.sleep(0.05)
            assert not ended.is_set()
            writer.close()
            await ended.wait()


async def test_a_client_that_asks_for_websocket_is_answered_and_fills_no_log(caplog: pytest.LogCaptureFixture) -> None:
    async with serving() as client:
        asked = GET + b"Connection: close, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n"
        log = logging.getLogger("uvicorn.error")
        log.addHandler(caplog.handler)
        with caplog.at_level("WARNING", log.name):
            assert (await client.send(asked)).startswith(b"HTTP/1.1 200 ")
        log.removeHandler(caplog.handler)
    assert not caplog.records


async def test_connections_are_counted_in_all_and_for_each_address() -> None:
    async with serving(door=Door(most=3)) as client:
        open = [await asyncio.open_connection("127.0.0.1", client.port) for _ in range(3)]
        reader, writer = await asyncio.open_connection("127.0.0.1", client.port)
        assert (await reader.read()).startswith(b"HTTP/1.1 503 ")
        writer.close()
        open.pop()[1].close()
        async with asyncio.timeout(PATIENCE):
            while len(client.state.connections) > 2:
                await asyncio.sleep(0.001)
        assert (await client.send(GET + b"Connection: close\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        for _, writer in open:
            writer.close()


def test_a_proxy_may_have_any_number_of_connections() -> None:
    door = Door(most_of_address=2, proxies=read_networks("10.0.0.0/8, ::1"))
    assert [door.enter("192.0.2.1") for _ in range(3)] == [True, True, False]
    door.leave("192.0.2.1")
    assert door.enter("192.0.2.1") and door.enter("192.0.2.2")
    assert all(door.enter("10.1.2.3") and door.enter("::1") for _ in range(9))
    assert [door.enter(f"2001:db8::{k}") for k in range(3)] == [True, True, False]  # one network
    assert not is_in("10.1.2.3.example", read_networks("10.0.0.0/8"))


def test_addresses_of_ipv4_that_are_written_as_ipv6_are_those_of_ipv4() -> None:
    door = Door(most_of_address=1, proxies=read_networks("10.0.0.0/8"))
    assert [door.enter(f"::ffff:192.0.2.{k}") for k in (1, 2)] == [True, True]
    assert not door.enter("192.0.2.1") and not door.enter("::ffff:192.0.2.1")
    assert all(door.enter("::ffff:10.1.2.3") for _ in range(3))


async def test_a_socket_of_ipv6_tells_addresses_of_ipv4_as_they_are() -> None:
    """So uvicorn knows a proxy, whose address the settings have as it is."""
    told = []

    async def tell(scope: Message, receive: Receive, send: Send) -> None:
        told.append(scope["client"])
        await app(scope, receive, send)

    config = uvicorn.Config(cast("str", tell), http="httptools", log_level="critical", lifespan="off")
    config.load()
    with socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True) as listener:
        made = partial(Connection, config, ServerState(), {})
        server = await asyncio.get_running_loop().create_server(made, sock=listener)
        client = Client(listener.getsockname()[1], ServerState())
        assert (await client.send(GET + b"Connection: close\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        server.close()
    assert cast("tuple[str, int]", told[0])[0] == "127.0.0.1"


def test_four_floods_of_headers_take_no_memory(tmp_path: Path, sqlite_url: str) -> None:
    """`quet serve` itself: without bounds it took 2 GB here."""
    server = Server(tmp_path, sqlite_url, QUET_LIMIT_ADDRESS_CONNECTIONS="8")
    headers = b"".join(b"X-%d: y\r\n" % k for k in range(20_000))

    def flood() -> None:
        with socket.create_connection(("127.0.0.1", server.port)) as client, contextlib.suppress(OSError):
            client.settimeout(PATIENCE)
            client.sendall(GET)
            for _ in range(10):
                client.sendall(headers)

    try:
        before = _memory(server.process.pid)
        threads = [threading.Thread(target=flood) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert _memory(server.process.pid) - before < 20_000  # kB
        open = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(9)]
        open[-1].settimeout(PATIENCE)
        assert open[-1].recv(100).startswith(b"HTTP/1.1 503 ")
        for client in open:
            client.close()
    finally:
        server.stop()


def _memory(pid: int) -> int:
    """The kilobytes that a process holds."""
    (line,) = (line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])
