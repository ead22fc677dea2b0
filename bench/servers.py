"""The servers under load, each a process of its own with its own database."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 60.0  # seconds until a server that does not answer has failed
LIMITS = """
    MOVES GAMES GAMES_PER_DAY COSTLY PAGES STREAMS CONNECTIONS
    ADDRESS_MOVES ADDRESS_GAMES ADDRESS_WAITING ADDRESS_COSTLY ADDRESS_PAGES ADDRESS_STREAMS ADDRESS_CONNECTIONS
""".split()


@dataclass(frozen=True)
class Process:
    """A server that runs."""

    pid: int
    port: int

    def memory(self) -> float:
        """Megabytes that it and its children hold; what they share counts once."""
        return sum(_proportional(pid) for pid in _family(self.pid)) / 1024

    def seconds(self) -> float:
        """Processor time that it and its children have taken."""
        ticks = 0
        for pid in _family(self.pid):
            words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(words[11]) + int(words[12])
        return ticks / os.sysconf("SC_CLK_TCK")


def site(folder: Path) -> AbstractContextManager[Process]:
    """`quet serve` on SQLite, without its limits, since all clients have one address here."""
    settings = {"QUET_DATA": str(folder), "QUET_DATABASE_URL": f"sqlite:///{folder / 'quet.db'}"}
    settings["QUET_PREPARE"] = "0"  # what is measured is the server
    settings |= {f"QUET_LIMIT_{name}": "0" for name in LIMITS}
    return _running(["-m", "quet", "serve"], settings, folder / "site.log")


def bare(folder: Path, *, is_batched: bool) -> AbstractContextManager[Process]:
    """The bare endpoint, as safe as a move on the site; batched, it writes rows together as the site does."""
    name = "batched" if is_batched else "bare"
    settings = {"BARE_DATABASE": str(folder / f"{name}.db"), "BARE_SYNCHRONOUS": "FULL"}
    settings["BARE_BATCHED"] = "1" if is_batched else "0"
    words = ["-m", "uvicorn", "bare:app", "--app-dir", str(Path(__file__).parent), "--no-access-log"]
    return _running(words, settings, folder / f"{name}.log")


@contextmanager
def _running(words: list[str], settings: dict[str, str], log: Path) -> Iterator[Process]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with log.open("wb") as output:
        command = [sys.executable, *words, "--host", "127.0.0.1", "--port", str(port)]
        process = subprocess.Popen(command, env=os.environ | settings, stdout=output, stderr=output)
    try:
        _wait(process, port, log)
        yield Process(process.pid, port)
    finally:
        process.terminate()
        process.wait()


def _wait(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    """Return when the server answers."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health"):
                return
        except OSError as error:
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit(f"load: A server does not start: {log.read_text()}") from error
            time.sleep(0.05)


def _family(pid: int) -> list[int]:
    """A process and all its descendants."""
    children = [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]
    return [pid] + [one for child in children for one in _family(child)]


def _proportional(pid: int) -> int:
    """Kilobytes of memory of one process, with its share of what it shares."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
