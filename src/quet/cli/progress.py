"""How far a long command has come, on standard error; and what Ctrl-C does to it."""

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType

PATIENCE = 20.0  # seconds, before it is said that a check goes on
EVERY = 10.0  # seconds between two lines where standard error is no terminal
STOPPED, UNREAD = 130, 141  # the exit statuses after Ctrl-C and SIGPIPE
ENDING = [signal.SIGTERM, *([signal.SIGHUP] if sys.platform != "win32" else [])]  # the latter as the terminal closes

Report = Callable[[int, int, str], None]  # parts done, parts in all (0 where nobody knows), and what is done
Handler = Callable[[int, FrameType | None], object]


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP, where they interrupt as Ctrl-C does."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.status = 128 + number


def status_after(interrupt: KeyboardInterrupt) -> int:
    """The exit status of a command that this has ended."""
    return interrupt.status if isinstance(interrupt, Terminated) else STOPPED


@contextlib.contextmanager
def progress() -> Iterator[Report]:
    """A function that shows how far the work has come: on a terminal as a bar, elsewhere as lines."""
    with _bar() if sys.stderr.isatty() else _lines() as report:
        yield report


@contextlib.contextmanager
def patience(sentence: str) -> Iterator[None]:
    """Say this on standard error if the block takes long."""
    timer = threading.Timer(PATIENCE, print, [sentence], {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextlib.contextmanager
def _bar() -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.fields[words]}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        bar = shown.add_task("", total=None, words="")

        def report(done: int, total: int, words: str) -> None:
            shown.update(bar, completed=done, total=total or None, words=_words(done, total, words))

        yield report


@contextlib.contextmanager
def _lines() -> Iterator[Report]:
    begun = time.monotonic()
    is_done = threading.Event()
    said = "begun"

    def report(done: int, total: int, words: str) -> None:
        nonlocal said
        said = _words(done, total, words)

    def tell() -> None:
        while not is_done.wait(EVERY):
            with contextlib.suppress(OSError, ValueError):  # nobody reads it
                print(f"quet: {said}, {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield report
    finally:
        is_done.set()
        teller.join()


def _words(done: int, total: int, words: str) -> str:
    return f"{done} of {total} {words}" if total else words


@contextlib.contextmanager
def terminating() -> Iterator[None]:
    """Meanwhile SIGTERM and SIGHUP interrupt as Ctrl-C does: what is known is told, and engines are ended.

    Those who run programs for others send SIGTERM before they kill; SIGHUP comes where the terminal closes.
    One that is ignored, as SIGHUP is under nohup, stays so.
    """
    with contextlib.ExitStack() as handled:
        for number in ENDING:
            handled.enter_context(_handling(number, signal.SIG_DFL, _terminate))
        yield


def _terminate(number: int, frame: FrameType | None) -> None:
    raise Terminated(number)


@contextlib.contextmanager
def at_interrupt(act: Callable[[], object]) -> Iterator[None]:
    """Meanwhile `act` is called at Ctrl-C, before it interrupts as always, and at other signals that interrupt."""
    with _interrupting(lambda interrupt: lambda number, frame: (act(), interrupt(number, frame))):
        yield


class Stop(threading.Event):
    """An event that is set where somebody interrupts."""

    interrupt: KeyboardInterrupt | None = None  # what would have been raised


@contextlib.contextmanager
def stopping() -> Iterator[Stop]:
    """An event that the first Ctrl-C sets, or another signal that interrupts. The next one interrupts, as always."""
    stop = Stop()

    def once(interrupt: Handler) -> Handler:
        def note(number: int, frame: FrameType | None) -> None:
            try:
                interrupt(number, frame)
            except KeyboardInterrupt as error:
                if stop.interrupt is not None:
                    raise
                stop.interrupt = error
                stop.set()

        return note

    with _interrupting(once):
        yield stop


@contextlib.contextmanager
def _interrupting(changed: Callable[[Handler], Handler]) -> Iterator[None]:
    """Meanwhile Ctrl-C, and other signals that interrupt, do what is made of how they interrupt."""
    with contextlib.ExitStack() as handled:
        interrupt = signal.default_int_handler
        handled.enter_context(_handling(signal.SIGINT, interrupt, changed(interrupt)))
        for number in ENDING:
            handled.enter_context(_handling(number, _terminate, changed(_terminate)))
        yield


@contextlib.contextmanager
def _handling(number: int, expected: object, handler: Handler) -> Iterator[None]:
    before = signal.getsignal(number)
    if threading.current_thread() is not threading.main_thread() or before is not expected:
        yield  # who has another handler, or ignores the signal, goes on doing so
        return
    signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)
