"""Nothing acknowledged is ever lost, and the site comes back by itself, whatever happens to it while people play.

In `make long` each trouble comes a few times; `make chaos` has it come often, and docs/reliability.md has the figures.
"""

import contextlib
import os
import random
import resource
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from .. import postgresql
from ..serving import PATIENCE, UNLIMITED, Visitor, WarmServer, set_up, wait_for
from .crowd import Crowd, amount, crowd, stored

pytestmark = pytest.mark.long

SLOW = 40  # clients at once that send half a request, or nothing


@contextlib.contextmanager
def site(folder: Path, database_url: str, **settings: str) -> Iterator[tuple[WarmServer, Crowd]]:
    """A site and a crowd that plays there; what was acknowledged is checked at the end."""
    server = WarmServer(folder, database_url, **UNLIMITED | settings)
    try:
        with crowd(server.url, database_url) as people:
            yield server, people
    finally:
        server.stop()


def tell(trouble: str, count: int, people: Crowd) -> None:
    """Print the figures that docs/reliability.md has."""
    moves, unanswered = people.num_moves, people.num_unanswered
    print(f"{trouble}: {count} times, {moves} moves acknowledged, {unanswered} requests cut off or refused")


@pytest.fixture
def fake_time() -> Path:
    """The library that gives a process another time than the machine's."""
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not found:
        pytest.skip("libfaketime is not installed")
    return found[0]


def test_the_clock_jumps(tmp_path: Path, sqlite_url: str, fake_time: Path) -> None:
    """No jump of the machine's clock, by hours or by days, takes time from a player's clock."""
    count = amount(2, 40)
    jump = tmp_path / "jump"
    jump.write_text("+0")
    faked = {"LD_PRELOAD": str(fake_time), "FAKETIME_TIMESTAMP_FILE": str(jump), "FAKETIME_NO_CACHE": "1"}
    with site(tmp_path, sqlite_url, **faked, DONT_FAKE_MONOTONIC="1") as (server, people):
        visitor = Visitor(server.url)
        live = visitor.post("/new/palindromes", **set_up("me", "me", m=64), clock="live").json()["id"]
        for number in range(count):
            people.wait_for_a_move()
            jump.write_text(f"{'-' if number % 3 == 2 else '+'}{7200 * (number + 1)}")
            people.wait_for_a_move()
            answer = visitor.post(f"/play/{live}/move", ply=number + 1, move=f"{number + 1}=0")
            assert answer.status_code == 200, answer.text
        visitor.close()
        tell("clock jumped", count, people)


@pytest.fixture
def cluster_of_its_own() -> Iterator[Path]:
    """A PostgreSQL that is stopped, killed and frozen."""
    if postgresql.programs() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgresql.cluster() as folder:
        yield folder


@pytest.mark.parametrize(("kind", "kills"), [("sqlite", amount(15, 700)), ("postgresql", amount(5, 300))])
def test_the_server_is_killed(request: pytest.FixtureRequest, tmp_path: Path, kind: str, kills: int) -> None:
    url: str = request.getfixturevalue(f"{kind}_url")
    generator = random.Random(kills)
    with site(tmp_path, url) as (server, people):
        for _ in range(kills):
            people.wait_for_a_move()
            time.sleep(generator.uniform(0, 0.03))
            server.kill()
            acknowledged = people.acknowledged()
            server.start_again()
            people.check(acknowledged)
        tell(f"server killed, {kind}", kills, people)
    assert people.num_moves > kills
    assert people.num_unanswered > 0


def test_the_server_is_frozen(tmp_path: Path, sqlite_url: str) -> None:
    count = amount(1, 50)
    with site(tmp_path, sqlite_url) as (server, people):
        for _ in range(count):
            people.wait_for_a_move()
            server.signal(signal.SIGSTOP)
            time.sleep(0.2)
            server.signal(signal.SIGCONT)
        people.wait_for_a_move()
        tell("server frozen", count, people)


def test_the_database_is_killed(tmp_path: Path, cluster_of_its_own: Path) -> None:
    count = amount(1, 30)
    with postgresql.database(cluster_of_its_own) as url, site(tmp_path, url) as (_, people):
        for _ in range(count):
            people.wait_for_a_move()
            postgresql.stop(cluster_of_its_own)
            acknowledged = people.acknowledged()
            time.sleep(0.1)
            postgresql.start(cluster_of_its_own)
            people.check(acknowledged)
        people.wait_for_a_move()
        tell("database killed", count, people)
        assert people.num_unanswered > 0


def test_the_database_is_frozen(tmp_path: Path, cluster_of_its_own: Path) -> None:
    count = amount(1, 20)
    with postgresql.database(cluster_of_its_own) as url, site(tmp_path, url) as (_, people):
        for _ in range(count):
            people.wait_for_a_move()
            frozen = postgresql.processes(cluster_of_its_own)
            for process in frozen:
                os.kill(process, signal.SIGSTOP)
            time.sleep(0.3)
            for process in frozen:
                os.kill(process, signal.SIGCONT)
        people.wait_for_a_move()
        people.check(people.acknowledged())
        tell("database frozen", count, people)


def test_the_disk_is_full(tmp_path: Path, sqlite_url: str) -> None:
    """No file of the server may grow any more, as on a full disk, until there is room again."""
    count = amount(1, 30)
    with site(tmp_path, sqlite_url) as (server, people):
        hard = resource.prlimit(server.child, resource.RLIMIT_FSIZE)[1]
        for _ in range(count):
            people.wait_for_a_move()
            refused = people.num_unanswered
            resource.prlimit(server.child, resource.RLIMIT_FSIZE, (1, hard))
            wait_for(lambda refused=refused: people.num_unanswered > refused + 2, "a refusal")  # type: ignore[misc]
            resource.prlimit(server.child, resource.RLIMIT_FSIZE, (hard, hard))
            people.wait_for_a_move()
            people.check(people.acknowledged())
        tell("disk full", count, people)


@pytest.mark.parametrize(
    "sent", (b"", b"GET / HT", b"POST /new/blob HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhal")
)
def test_clients_are_silent_or_slow(sent: bytes, tmp_path: Path, sqlite_url: str) -> None:
    with site(tmp_path, sqlite_url) as (server, people), contextlib.ExitStack() as stack:
        for _ in range(amount(SLOW, 10 * SLOW)):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            slow.sendall(sent)
        for _ in range(10):
            people.wait_for_a_move()
        tell(f"clients that send {sent[:8]!r}", amount(SLOW, 10 * SLOW), people)


def test_clients_leave_in_the_middle(tmp_path: Path, sqlite_url: str) -> None:
    count = amount(100, 5_000)
    with site(tmp_path, sqlite_url) as (server, people):
        for number in range(count):
            with socket.create_connection(("127.0.0.1", server.port)) as rude:
                rude.sendall(b"GET /rules/blob HTTP/1.1\r\nHost: a\r\n\r\n"[: 10 + number % 40])
                rude.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # reset
        people.wait_for_a_move()
        tell("clients gone", count, people)


def test_the_processes_of_the_server_are_killed(tmp_path: Path, sqlite_url: str) -> None:
    """The computer's process and those that draw die; people's moves go on, and the computer moves all the same."""
    count = amount(1, 40)
    with site(tmp_path, sqlite_url) as (server, people):
        visitor = Visitor(server.url)
        for _ in range(count):
            game = visitor.create("palindromes", "level:1", "me", m=6)
            visitor.client.get("/sheets/blob.svg")
            wait_for(lambda: bool(postgresql.children(server.child)), "a process of the server")
            for child in postgresql.children(server.child):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            people.wait_for_a_move()
            wait_for(lambda game=game: len(stored(people.engine)[game]) == 1, "the computer's move")  # type: ignore[misc]
        visitor.close()
        tell("processes of the server killed", count, people)


def test_costly_pages_are_asked_for_by_many(tmp_path: Path, sqlite_url: str) -> None:
    """Many ask for pictures at once; each is answered, or refused with 503, and people play on."""
    count = amount(40, 2_000)
    with site(tmp_path, sqlite_url) as (server, people), ThreadPoolExecutor(20) as many:

        def ask(number: int) -> int:
            return httpx.get(f"{server.url}/sheets/up-and-up.svg?n={number % 20 + 1}", timeout=PATIENCE).status_code

        answers = [many.submit(ask, number) for number in range(count)]
        people.wait_for_a_move()
        found = {answer.result() for answer in answers}
        assert found <= {200, 503}
        people.wait_for_a_move()
        tell("costly pages", count, people)
