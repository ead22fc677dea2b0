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
        data, log = folder / "data", folder / "log"
        _run(bin / "initdb", "-D", data, "-A", "trust", "-U", "quet", "-E", "UTF8", "--no-locale", "--no-sync")
        options = f"-k {folder} -c listen_addresses= -c fsync=off"  # tests kill our processes, not the machine
        _run(bin / "pg_ctl", "-D", data, "-l", log, "-o", options, "-w", "start")
        try:
            yield folder
        finally:
            _run(bin / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)


@contextmanager
def database(socket: Path) -> Iterator[str]:
    """The address of a new empty database in a cluster; dropped afterwards, whoever is still connected."""
    name = f"quet_{next(NAMES)}"
    with psycopg.connect(f"host={socket} user=quet dbname=postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield f"postgresql+psycopg://quet@/{name}?host={socket}"
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


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
