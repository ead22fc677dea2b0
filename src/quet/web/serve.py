"""`quet serve`: the site on this machine, by uvicorn."""

import asyncio
import contextlib
import os
import secrets
import shutil
import socket
import stat
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

import uvicorn
from uvicorn.supervisors import Multiprocess

from ..core.errors import BadParameter, why
from ..core.files import LockedFile, locked
from ..core.quoting import shorten
from .connections import Connection, Door
from .log import CONFIG
from .metrics import FOLDER
from .settings import Settings
from .storage.database import Database
from .storage.serving import FILE, alone

KEEP_SECONDS = 75  # for an idle connection: longer than most moves take
GRACE_SECONDS = 10  # for unfinished answers when the server is told to end
_MEASURING = "quet-metrics-"  # how the names of folders begin in which processes write what they measure
CANT_START = 3  # the status of a server process of uvicorn that can't start


class Server(uvicorn.Server):
    """A server that says where it is when it listens."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        _greet(self.config)


class Supervisor(Multiprocess):
    """Looks after server processes, and says where they are when the first one listens."""

    _has_greeted = False

    def keep_subprocess_alive(self) -> None:
        """Look after them: it's called twice a second."""
        super().keep_subprocess_alive()
        if not self._has_greeted and any(process.is_ready() for process in self.processes):
            self._has_greeted = True
            _greet(self.config)


def _greet(config: uvicorn.Config) -> None:
    """Say where the site is. If that can't be written, as on a full disk, it is served all the same."""
    host = f"[{config.host}]" if ":" in config.host else config.host
    with contextlib.suppress(OSError):  # not by `print`, after which Python would try again at the end
        os.write(sys.stdout.fileno(), f"Quet is at http://{host}:{config.port}/ (Ctrl-C ends it)\n".encode())


def run(host: str, port: int, workers: int) -> int:
    """Serve until told to end, and return the exit status. Raises BadParameter for invalid settings."""
    os.environ["QUET_WORKERS"] = str(workers)  # the server processes read it
    # NumPy's library would start a thread for each processor in every process, of which a service may have so many
    # only. Nothing here multiplies matrices that are large enough for them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    settings = Settings.from_environment()
    database = Database(settings.database_url)
    with alone(database):
        _check_address(host, port)  # first: the database keeps no key of a server that can't start
        database.upgrade(settings.fingerprint)  # opened here too, so that an error is reported in a sentence
        database.close()
        os.environ[FILE] = database.file
        files = _allow_many_files()
        limits = settings.limits
        if files:  # a connection is one, and the database and the computer players need some too
            limits = replace(limits, connections=min(limits.connections or files, files // 2))
        door = Door(limits.connections, limits.address_connections, settings.proxies)
        with _measuring_folder(workers):
            return _serve(host, port, workers, door, settings)


def _serve(host: str, port: int, workers: int, door: Door, settings: Settings) -> int:
    config = uvicorn.Config(
        "quet.web.app:from_environment",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        http=cast("type[asyncio.Protocol]", partial(Connection, door=door)),  # uvicorn only calls it
        ws="none",
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=[str(network) for network in settings.proxies],
        log_config=CONFIG,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    with contextlib.suppress(KeyboardInterrupt):
        if workers == 1:
            server = Server(config)
            server.run()
            return 0 if server.started else CANT_START
        else:
            supervisor = Supervisor(config, [config.bind_socket()])
            supervisor.run()  # also returns when it gives up, since a server process can't start
            return int(any(each.process.exitcode == CANT_START for each in supervisor.processes))
    return 0


@contextlib.contextmanager
def _measuring_folder(workers: int) -> Iterator[None]:
    """A folder in which several server processes add up what they measure, named in the environment.

    Raises BadParameter if it can't be made.
    """
    os.environ.pop(FOLDER, None)
    if workers == 1:
        yield
        return
    with contextlib.ExitStack() as stack:
        try:
            folder = Path(tempfile.gettempdir()).resolve() / f"{_MEASURING}{secrets.token_hex(8)}"
            stack.callback(_remove, folder)
            stack.enter_context(locked(folder))  # first, since others remove what nobody has locked
            folder.mkdir(0o700)
        except OSError as error:
            raise BadParameter(f"No folder can be made for what is measured: {error.strerror}.") from None
        for left in folder.parent.glob(f"{_MEASURING}*"):
            with contextlib.suppress(LockedFile, OSError):
                about = left.lstat()  # others may put there what they like
                is_ours = stat.S_ISDIR(about.st_mode) and about.st_uid == folder.stat().st_uid
                if left != folder and is_ours and _lock_of(left).exists():  # without one it may be in use
                    with locked(left):  # its program was killed
                        _remove(left)
        os.environ[FOLDER] = str(folder)
        yield


def _remove(folder: Path) -> None:
    """Remove a folder and its lock, as far as they can be."""
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        _lock_of(folder).unlink()


def _lock_of(folder: Path) -> Path:
    """The file by which `locked` has a folder."""
    return folder.with_name(f"{folder.name}.lock")


def _allow_many_files() -> int:
    """Raise the limit of open files as far as allowed, since each open page holds a connection.

    Returns the limit, or 0 if there is none.
    """
    try:
        import resource
    except ImportError:  # not on Windows, which has no such limit
        return 0
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return 0 if most == resource.RLIM_INFINITY else most


def _check_address(host: str, port: int) -> None:
    """Raise BadParameter unless the address is free here."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, UnicodeError) as error:
        raise BadParameter(f"{shorten(host)}, port {port}, can't be served: {why(error)}.") from None
