"""Servers that start at once: a process that has loaded all they need, and forks.

    start WORDS    becomes `quet serve WORDS` in a child, of which nothing is ready yet; says its process id
    kill           kills the child with SIGKILL, and says its status when it is gone

One command a line on standard input, one answer a line on standard output; the child's output goes to standard error.
"""

import importlib
import os
import signal
import sys

from quet.cli.main import main
from quet.web.app import from_environment
from quet.web.settings import Settings
from quet.web.storage.database import Database

LATE = ("quet.web.serve", "uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.protocols.http.auto")


def run() -> None:
    """Obey until the input ends."""
    load()
    child = 0
    for line in sys.stdin:
        command, *words = line.split()
        if command == "start":
            child = os.fork()
            if child == 0:
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.dup2(2, 1)
                sys.exit(main(["serve", *words]))
            print(child, flush=True)
        else:
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            print(os.waitstatus_to_exitcode(status), flush=True)


def load() -> None:
    """Import what a server does, also what it imports late; leave nothing open that a child would share."""
    for name in LATE:
        importlib.import_module(name)
    from_environment()
    database = Database(Settings.from_environment().database_url)
    database.upgrade()
    database.close()


if __name__ == "__main__":
    run()
