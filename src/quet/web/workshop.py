"""Work that costs processor time leaves the process that serves moves: other processes do it, in a fair order.

`Workshop.do` is the one way to have such work done for a visitor: pictures, papers, sheets, analyses. Its processes are
kept, and have a lower priority than the server. Work that takes too long is given up, and its process is ended;
imports and compiling aren't counted.
"""

import asyncio
import logging
import os
import pickle
import signal
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import TypeVar, TypeVarTuple

from ..core.clock import hold, release
from ..core.errors import QuetError
from ..core.messages import say
from . import i18n
from .children import Child
from .compiling import answers
from .errors import TooLong
from .turns import Asker, Turns, busy

log = logging.getLogger(__name__)

SECONDS = 20.0  # for one piece of work
MOST_WAITING = 100
TRIES = 2  # of work whose process ends without an answer
NICENESS = 10  # moves come first

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Broken(Exception):
    """Work failed through no fault of the visitor."""

    def __init__(self, function: Callable[..., object], traceback: str) -> None:
        """`traceback` is that of the other process; empty if the process ended by itself."""
        how = f"has failed:\n{traceback}" if traceback else "has ended its process."
        super().__init__(f"{_name(function)} {how}")


@dataclass(frozen=True)
class _Job:
    """What a process is to do: call a function of a module."""

    function: Callable[..., object]
    arguments: tuple[object, ...]
    language: str


@dataclass(frozen=True)
class Progress:
    """How far a piece of work is."""

    done: int
    total: int


@dataclass(frozen=True)
class _Done:
    """What came of it."""

    result: object = None
    error: QuetError | None = None
    traceback: str = ""


class Workshop:
    """Processes that work for visitors. Used in one event loop."""

    def __init__(self, number: int, *, seconds: float = SECONDS, most_waiting: int | None = None) -> None:
        """So many processes, which start when they are needed. Each piece of work may take so many seconds."""
        self._turns = Turns(number, MOST_WAITING if most_waiting is None else most_waiting)
        self._seconds = seconds
        self._idle = [_Process() for _ in range(number)]
        self._processes = tuple(self._idle)
        self._threads = ThreadPoolExecutor(number, thread_name_prefix="workshop")

    def ask(self, asker: Asker) -> "asyncio.Future[None]":
        """A turn for `do`. Raises Busy."""
        return self._turns.ask(asker)

    def give_up(self, turn: "asyncio.Future[None]") -> None:
        """Cancel a turn that was asked for and isn't used."""
        self._turns.give_up(turn)

    async def do(
        self,
        asker: Asker,
        function: Callable[[*Ts], T],
        *arguments: *Ts,
        is_gone: Callable[[], Awaitable[bool]] | None = None,
    ) -> T:
        """What a function of a module returns for these arguments, in the language of the request.

        Raises Busy, TooLong, the QuetError that the function raises, and Broken if it fails otherwise. Nothing is done
        if the visitor `is_gone` when the turn comes.
        """
        return await self.do_in_turn(self.ask(asker), function, *arguments, is_gone=is_gone)

    async def do_in_turn(
        self,
        turn: "asyncio.Future[None]",
        function: Callable[[*Ts], T],
        *arguments: *Ts,
        is_gone: Callable[[], Awaitable[bool]] | None = None,
        hear: Callable[[Progress], None] | None = None,
    ) -> T:
        """The same, with a turn that was asked for. `hear` is told what the function reports, in a thread.

        Whoever is cancelled meanwhile keeps the process and the turn until the work is done: nothing else may use it.
        """
        job = _Job(function, arguments, i18n.language())
        await self._turns.wait(turn)
        try:
            if is_gone is not None and await is_gone():
                raise busy()
            process = self._idle.pop()
            # If the server ends meanwhile, `close` ends the process, and so the thread.
            work = asyncio.get_running_loop().run_in_executor(
                self._threads, process.carry_out, job, self._seconds, hear
            )
        except BaseException:
            self._turns.give_back()
            raise

        def free(done: "asyncio.Future[object]") -> None:
            if not done.cancelled():
                done.exception()  # asked for, so that no traceback is logged where the one who waited was cancelled
            self._idle.append(process)
            self._turns.give_back()

        work.add_done_callback(free)
        result = await asyncio.shield(work)
        return result  # type: ignore[return-value]  # what the function returns

    def close(self) -> None:
        """End all processes, whatever they do."""
        for process in self._processes:
            process.close()
        self._threads.shutdown()


class _Process:
    """A process that starts when there is work, and again when it was ended. One thread at a time uses it."""

    def __init__(self) -> None:
        self._child = Child(_serve, "quet-workshop")
        self._is_closed = False

    def carry_out(self, job: _Job, seconds: float, hear: Callable[[Progress], None] | None = None) -> object:
        """What the job's function returns; raises as `Workshop.do`. Its reports are heard on the way."""
        for _ in range(TRIES):
            if self._is_closed:
                break
            try:
                connection = self._child.running()
                if self._is_closed:  # while it began
                    self._child.end()
                    break
                limit = self._child.compiling.limit(seconds)
                connection.send(job)
                done: object = None
                while not isinstance(done, _Done):
                    if not answers(connection, limit):
                        self._child.end()
                        log.warning("%s took longer than %g s and was given up.", _name(job.function), seconds)
                        raise TooLong(
                            say("This took longer than {seconds:g} seconds and was given up.", seconds=seconds)
                        )
                    done = connection.recv()
                    if hear is not None and isinstance(done, Progress):
                        hear(done)
            except (EOFError, OSError):
                self._child.end()
                continue
            if done.error is not None:
                raise done.error
            if done.traceback:
                raise Broken(job.function, done.traceback)
            return done.result
        raise Broken(job.function, "")

    def close(self) -> None:
        """End the process for good, also from another thread."""
        self._is_closed = True
        self._child.kill()


def _name(function: Callable[..., object]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


_to_server: list[Connection] = []  # in a process that works: where its reports go


def report(done: int, total: int) -> None:
    """Tell the server how far this piece of work is; nothing outside a process of the workshop."""
    for connection in _to_server:
        connection.send(Progress(done, total))


def _serve(connection: Connection) -> None:
    """Do what comes until the server closes the connection; this is the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    _to_server[:] = [connection]
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICENESS)
    try:
        while True:
            connection.send(_done(_read(connection.recv_bytes())))
    except (EOFError, OSError):
        return


def _read(job: bytes) -> _Job:
    """The job as it was sent. The first of a kind imports its code: with this priority that can take longer on a busy
    machine than the work itself may, and it counts as little as compiling.
    """
    hold()
    try:
        read: _Job = pickle.loads(job)
    finally:
        release()
    return read


def _done(job: _Job) -> _Done:
    try:
        with i18n.speaking(job.language):
            return _Done(job.function(*job.arguments))
    except QuetError as error:
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # an error with a constructor of its own; its sentence is what counts
            return _Done(error=QuetError(error.message))
        return _Done(error=error)
    except Exception:  # the server writes it to its log and answers; this process goes on with the next job
        import traceback

        return _Done(traceback=traceback.format_exc(limit=-10))
