"""Servers that start at once: a process that has loaded all they need, and forks.

    ["start", WORDS, ENVIRONMENT, LOG]    becomes `quet serve WORDS` in a child with this environment; says its number
    ["kill", NUMBER]                      kills that child with SIGKILL, and says its status when it is gone

One command a line on standard input, as JSON, one answer a line on standard output. A child's output goes to its log.
"""

import importlib
import json
import os
import signal
import sys
import tempfile

from quet.cli.main import main
from quet.web.app import from_environment
from quet.web.settings import Settings
from quet.web.storage.database import Database

LATE = ("psycopg", "quet.web.serve", "uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.protocols.http.auto")


def run() -> None:
    """Obey until the input ends."""
    load()
    for line in sys.stdin:
        command, *about = json.loads(line)
        if command == "start":
            words, environment, log = about
            child = os.fork()
            if child == 0:
                os.environ.clear()
                os.environ.update(environment)
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT), 2)
                os.dup2(2, 1)
                sys.exit(main(["serve", *words]))
            print(child, flush=True)
        else:
            os.kill(about[0], signal.SIGKILL)
            _, status = os.waitpid(about[0], 0)
            print(os.waitstatus_to_exitcode(status), flush=True)


def load() -> None:
    """Import what a server does, also what it imports late; leave nothing open that a child would share."""
    for name in LATE:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"QUET_DATA": folder, "QUET_DATABASE_URL": f"sqlite:///{folder}/quet.db"}
        from_environment()
        database = Database(Settings.from_environment().database_url)
        database.upgrade()
        database.close()


if __name__ == "__main__":
    run()
