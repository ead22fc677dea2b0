"""Processes of the server that do one thing after another, and are told what through a pipe."""

import contextlib
import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection

from .compiling import Compiling


class Child:
    """A process that may be started again and again. One thread at a time uses it; another may `kill` it."""

    def __init__(self, serve: Callable[[Connection], None], name: str) -> None:
        """The process calls `serve`, a function of a module, with its end of the pipe. It isn't started yet."""
        self._serve = serve
        self._name = name
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None
        self.compiling = Compiling()  # that of the process which runs

    @property
    def pipe(self) -> Connection:
        """Our end of the pipe to the process, which has been started."""
        assert self._connection is not None
        return self._connection

    def running(self) -> Connection:
        """The same; the process is started first if it doesn't run."""
        if self._process is None or not self._process.is_alive():
            return self.start()
        return self.pipe

    def start(self) -> Connection:
        """Start the process, anew if there was one, and return our end of the pipe."""
        self.end()
        context = multiprocessing.get_context("spawn")  # a fork of a process with threads may hang
        self._connection, theirs = context.Pipe()
        self.compiling = Compiling()
        arguments = (self._serve, theirs, self.compiling)
        process = context.Process(target=_main, args=arguments, name=self._name, daemon=True)
        process.start()
        self._process = process  # not before it can be killed, as another thread may do
        theirs.close()
        return self._connection

    def kill(self) -> None:
        """Make the process end at once."""
        if self._process is not None:
            with contextlib.suppress(ValueError):  # another thread has just closed it
                self._process.kill()

    def end(self) -> None:
        """End the process at once, and wait until it has ended."""
        self.kill()
        if self._process is not None:
            self._process.join()
            self._process.close()
        if self._connection is not None:
            self._connection.close()
        self._process = self._connection = None


def _main(serve: Callable[[Connection], None], pipe: Connection, compiling: Compiling) -> None:
    """This is the process."""
    compiling.tell()
    serve(pipe)
