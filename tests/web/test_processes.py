"""Several server processes on one database: each shows at once what the others did, and of two moves one wins."""

import json
import statistics
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

import quet

from .serving import PATIENCE, UNLIMITED, Server, Visitor, wait_for

MOVES = [f"{square}={square % 2}" for square in range(1, 21)]  # of palindromes
AT_ONCE = 1.0  # seconds, as the median


@contextmanager
def two_servers(folder: Path, url: str) -> Iterator[tuple[Server, Server]]:
    """Two processes with one database and one key."""
    with ExitStack() as stack:
        servers = []
        for _ in range(2):
            servers.append(Server(folder, url, **UNLIMITED))
            stack.callback(servers[-1].stop)
        yield servers[0], servers[1]


class Listener(threading.Thread):
    """Listens to a game's events; `heard` has the rows of each, and when it came."""

    def __init__(self, url: str, id: str) -> None:
        super().__init__(daemon=True)
        self.heard: list[tuple[int, float]] = []
        self.is_listening = threading.Event()
        self._address = f"{url}/play/{id}/events"
        self.start()
        assert self.is_listening.wait(PATIENCE)

    def run(self) -> None:
        """Listen until the server ends."""
        with httpx.stream("GET", self._address, timeout=PATIENCE) as answer:
            for line in answer.iter_lines():
                self.is_listening.set()
                if line.startswith("data:"):
                    self.heard.append((json.loads(line[5:])["ply"], time.monotonic()))


def delays(visitor: Visitor, id: str, urls: list[str], listeners: list[Listener]) -> list[float]:
    """Play a game of palindromes through these servers in turn; the seconds from each move to each listener's event.

    Fails unless each listener hears of every move, once and in order.
    """
    posted = []
    for ply, move in enumerate(MOVES, 1):
        posted.append(time.monotonic())
        answer = visitor.post(f"{urls[ply % len(urls)]}/play/{id}/move", ply=ply, move=move)
        assert answer.status_code == 200, answer.text
        wait_for(lambda ply=ply: all(len(one.heard) >= ply for one in listeners), "an event")  # type: ignore[misc]
    for one in listeners:
        assert [rows for rows, _ in one.heard] == list(range(2, len(MOVES) + 2))  # the first row is the start
    return [came - went for one in listeners for went, (_, came) in zip(posted, one.heard, strict=True)]


@pytest.mark.long
def test_two_processes_on_one_postgresql_show_each_others_moves_at_once(tmp_path: Path, postgresql_url: str) -> None:
    with two_servers(tmp_path, postgresql_url) as (first, second):
        visitor = Visitor(first.url)
        id = visitor.create("palindromes", m=len(MOVES))
        listeners = [Listener(first.url, id), Listener(second.url, id)]
        assert statistics.median(delays(visitor, id, [first.url, second.url], listeners)) < AT_ONCE
        visitor.close()


def test_two_workers_on_one_sqlite_file_show_each_others_moves(tmp_path: Path, sqlite_url: str) -> None:
    server = Server(tmp_path, sqlite_url, "--workers", "2", **UNLIMITED)
    try:
        visitors = [Visitor(server.url) for _ in range(4)]  # each with a connection to one of the workers
        id = visitors[0].create("palindromes", m=len(MOVES))
        listeners = [Listener(server.url, id) for _ in range(4)]
        assert statistics.median(delays(visitors[0], id, [server.url], listeners)) < AT_ONCE
        for visitor in visitors:
            visitor.close()
    finally:
        server.stop()


@pytest.mark.long
def test_of_two_moves_at_once_through_two_processes_one_wins(tmp_path: Path, postgresql_url: str) -> None:
    with two_servers(tmp_path, postgresql_url) as (first, second), ThreadPoolExecutor(2) as pool:
        visitor = Visitor(first.url)
        id = visitor.create("palindromes", m=64)
        game = quet.new("palindromes", m=64)
        for ply in range(1, 31):
            moves = game.legal_moves[0], game.legal_moves[-1]
            posts = [
                pool.submit(visitor.post, f"{server.url}/play/{id}/move", ply=ply, move=move)
                for server, move in zip((first, second), moves, strict=True)
            ]
            statuses = [post.result().status_code for post in posts]
            assert sorted(statuses) == [200, 409]
            game.play(moves[statuses.index(200)])
        record = quet.read(visitor.client.get(f"/play/{id}/record.quet").text)
        assert record.game.moves == game.moves
        visitor.close()
