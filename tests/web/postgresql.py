"""A PostgreSQL of the tests' own: a new cluster in a temporary folder, reached through a socket there."""

import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

NAMES = itertools.count(1)


def programs() -> Path | None:
    """The folder with initdb and pg_ctl, the newest there is; None where PostgreSQL is not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    on_path = shutil.which("initdb")
    return Path(on_path).resolve().parent if on_path else None


@contextmanager
def cluster() -> Iterator[Path]:
    """A running cluster: the folder of its socket. Nothing of it is left afterwards."""
    bin = programs()
    assert bin is not None
    folder = Path(tempfile.mkdtemp(prefix="quet-"))
    try:
        if os.geteuid() == 0:  # PostgreSQL refuses to be run by root
            shutil.chown(folder, "postgres")
        data = folder / "data"
        _run(bin / "initdb", "-D", data, "-A", "trust", "-U", "quet", "-E", "UTF8", "--no-locale", "--no-sync")
        start(folder)
        try:
            yield folder
        finally:
            stop(folder)
    finally:
        shutil.rmtree(folder)


def start(cluster: Path) -> None:
    """Start the server of a cluster, and return when it answers."""
    options = f"-k {cluster} -c listen_addresses= -c fsync=off"  # tests kill processes, not the machine
    _run(_pg_ctl(), "-D", cluster / "data", "-l", cluster / "log", "-o", options, "-w", "start")


def stop(cluster: Path) -> None:
    """Have the server of a cluster end without tidying up, as if it had been killed."""
    _run(_pg_ctl(), "-D", cluster / "data", "-m", "immediate", "-w", "stop")


def processes(cluster: Path) -> list[int]:
    """The processes of the server of a cluster, the first one first."""
    parent = int((cluster / "data" / "postmaster.pid").read_text().split()[0])
    return [parent, *children(parent)]


def children(process: int) -> list[int]:
    """The processes that a process has started, and those that its threads have."""
    files = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for file in files for child in file.read_text().split()]


def _pg_ctl() -> Path:
    bin = programs()
    assert bin is not None
    return bin / "pg_ctl"


@contextmanager
def database(socket: Path, like: str = "template1") -> Iterator[str]:
    """The address of a new database in a cluster, empty, or a copy of the one with the name `like`.

    It is dropped afterwards, whoever is still connected.
    """
    name = f"quet_{next(NAMES)}"
    _command(socket, f"CREATE DATABASE {name} TEMPLATE {like}")
    try:
        yield f"postgresql+psycopg://quet@/{name}?host={socket}"
    finally:
        _command(socket, f"DROP DATABASE {name} WITH (FORCE)")


def name_of(url: str) -> str:
    """The name of the database at an address."""
    return url.partition("@/")[2].partition("?")[0]


def _command(socket: Path, command: str) -> None:
    with psycopg.connect(f"host={socket} user=quet dbname=postgres", autocommit=True) as connection:
        connection.execute(command.encode())


@contextmanager
def away(url: str) -> Iterator[None]:
    """Have the database refuse all connections, those that are open too."""
    name, socket = url.partition("@/")[2].split("?host=")
    with psycopg.connect(f"host={socket} user=quet dbname=postgres", autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        try:
            yield
        finally:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


def _run(*command: str | Path) -> None:
    """Carry a command out as somebody other than root; its output is shown only if it fails."""
    words = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    with tempfile.TemporaryFile() as output:  # not a pipe: the server that pg_ctl leaves behind would hold it open
        done = subprocess.run([*words, *command], stdout=output, stderr=output, cwd="/")
        output.seek(0)
        assert done.returncode == 0, output.read().decode()
