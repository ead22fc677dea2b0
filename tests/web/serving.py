"""A site that runs: `quet serve` as a process of its own, on a port and with a data folder of its own."""

import atexit
import http.client
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx

PATIENCE = 60.0  # seconds until a wait has failed: far more than it takes, for a busy machine
UNLIMITED = {
    f"QUET_LIMIT_{name}": "0"
    for name in (
        *("MOVES", "GAMES", "GAMES_PER_DAY", "COSTLY", "PAGES", "STREAMS"),
        *("ADDRESS_MOVES", "ADDRESS_GAMES", "ADDRESS_WAITING", "ADDRESS_COSTLY", "ADDRESS_PAGES", "ADDRESS_STREAMS"),
        *("CONNECTIONS", "ADDRESS_CONNECTIONS"),
    )
}  # for tests that ask for more than a visitor would


def wait_for(condition: Callable[[], bool], what: str) -> None:
    """Return when the condition holds; fail after a long time."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"Waited in vain for {what}."
        time.sleep(0.005)


def free_port() -> int:
    """A port that nobody listens on, outside the range from which connections take theirs."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port


class Server:
    """A process of `quet serve`, started at once; `url` is where it answers."""

    def __init__(self, folder: Path, database_url: str, *words: str, **settings: str) -> None:
        """`words` are further words of the command line, `settings` further environment variables."""
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"{self.port}.log"
        self.words = [*words, "--host", "127.0.0.1", "--port", str(self.port)]
        self.environment = (
            os.environ | {"QUET_DATA": str(folder), "QUET_DATABASE_URL": database_url, "QUET_PREPARE": "0"} | settings
        )
        self.start()

    def start(self) -> None:
        """Start the process, anew if there was one, and return when it answers."""
        self.process = self.run("-m", "quet", "serve", *self.words)
        self.wait_until_ready()

    def stop(self) -> None:
        """Ask the process to end, as a service manager does, and wait until it has."""
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        finally:
            self.process.kill()

    def run(self, *words: str, talks: bool = False) -> "subprocess.Popen[str]":
        """A Python process with the server's settings; its output goes to the log, unless it talks with us."""
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *words],
                env=self.environment,
                stdin=subprocess.PIPE if talks else subprocess.DEVNULL,
                stdout=subprocess.PIPE if talks else log,
                stderr=log,
                text=True,
            )

    def wait_until_ready(self) -> None:
        """Return when it answers; fail when it has ended instead."""

        def is_ready() -> bool:
            assert self.process.poll() is None, f"The server ended:\n{self.log.read_text()}"
            return answers(self.port)

        wait_for(is_ready, "the server")


class WarmServer(Server):
    """The same, but a child of a process that has imported everything: it starts at once, many times.

    All such servers of these tests have one parent. Only what the linker reads (LD_PRELOAD) needs a parent of its own.
    """

    _parent: "subprocess.Popen[str] | None" = None

    def start(self) -> None:
        """Start it."""
        if "LD_PRELOAD" in self.environment:
            self.process = self._warm()
        else:
            WarmServer._parent = self.process = WarmServer._parent or self._warm()
        self.start_again()

    def start_again(self) -> None:
        """Start it, perhaps after a kill, and return when it answers."""
        self.child = int(self._tell("start", self.words, self.environment, str(self.log)))
        self.wait_until_ready()

    def signal(self, number: int) -> None:
        """Send a signal to the server."""
        os.kill(self.child, number)

    def kill(self) -> None:
        """Kill it with SIGKILL: when this returns, it is no more."""
        assert self._tell("kill", self.child) == "-9"

    def stop(self) -> None:
        """Kill it for good."""
        self.kill()
        if self.process is not WarmServer._parent:
            self.process.communicate()

    def _warm(self) -> "subprocess.Popen[str]":
        """A parent of servers. It ends with its input, at the latest when this process does."""
        process = self.run(str(Path(__file__).with_name("warm.py")), talks=True)
        atexit.register(process.communicate)
        return process

    def _tell(self, *words: object) -> str:
        assert self.process.stdin and self.process.stdout
        print(json.dumps(words), file=self.process.stdin, flush=True)
        return self.process.stdout.readline().strip()


def answers(port: int) -> bool:
    """Whether a server is ready there."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class Visitor:
    """A browser without a screen: it keeps its cookie, and sends the token of its forms along."""

    def __init__(self, url: str) -> None:
        """Arrives at the site that answers there."""
        self.client = httpx.Client(base_url=url, headers={"Accept": "application/json"}, timeout=PATIENCE)
        found = re.search(r'name="csrf" value="([^"]+)"', self.client.get("/new/blob").text)
        assert found, "The page has no form with a token."
        self._token = found[1]

    def post(self, path: str, **fields: str | int) -> httpx.Response:
        """The answer to a form."""
        return self.client.post(path, data={"csrf": self._token, **fields})

    def create(self, game: str, *seats: str, **parameters: int) -> str:
        """The id of a new game; seats as the form has them, all one's own by default."""
        answer = self.post(f"/new/{game}", **set_up(*seats, **parameters))
        assert answer.status_code == 200, answer.text
        id: str = answer.json()["id"]
        return id

    def close(self) -> None:
        """Leave."""
        self.client.close()


def set_up(*seats: str, **parameters: int) -> dict[str, str | int]:
    """The fields of the form for a new game; all seats are one's own where nothing else is said."""
    fields: dict[str, str | int] = {f"parameter-{name}": value for name, value in parameters.items()}
    return fields | {f"seat-{player}": who for player, who in enumerate(seats or ["me"] * 8, 1)}
