"""`quet serve`: the site on this machine, by uvicorn."""

import os
import socket

import uvicorn

from ..core.errors import BadParameter
from .log import CONFIG
from .settings import Settings
from .storage.database import Database

KEEP_SECONDS = 75  # for an idle connection: longer than most moves take
GRACE_SECONDS = 10  # for unfinished answers when the server is told to end


def run(host: str, port: int, workers: int) -> int:
    """Serve until told to end, and return the exit status. Raises BadParameter for invalid settings."""
    os.environ["QUET_WORKERS"] = str(workers)  # the server processes read it
    settings = Settings.from_environment()
    database = Database(settings.database_url)
    database.upgrade()  # opened here too, so that an error is reported in a sentence
    database.close()
    _check_address(host, port)
    _allow_many_files()
    print(f"Quet is at http://{f'[{host}]' if ':' in host else host}:{port}/ (Ctrl-C ends it)", flush=True)
    uvicorn.run(
        "quet.web.app:from_environment",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        log_config=CONFIG,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    return 0


def _allow_many_files() -> None:
    """Raise the limit of open files as far as allowed, since each open page holds a connection."""
    try:
        import resource
    except ImportError:  # not on Windows, which has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _check_address(host: str, port: int) -> None:
    """Raise BadParameter unless the address is free here."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, UnicodeError) as error:
        raise BadParameter(
            f"{host}, port {port}, can't be served: {getattr(error, 'strerror', None) or error}."
        ) from None
