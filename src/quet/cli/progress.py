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
STOPPED = 130  # the exit status after Ctrl-C

Report = Callable[[int, int, str], None]  # parts done, parts in all (0 where nobody knows), and what is done


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
def at_interrupt(act: Callable[[], object]) -> Iterator[None]:
    """Meanwhile `act` is called at Ctrl-C, before it interrupts as always."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        act()
        raise KeyboardInterrupt

    with _handling(interrupt):
        yield


@contextlib.contextmanager
def stopping() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C sets. The next one interrupts, as always."""
    stop = threading.Event()

    def note(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    with _handling(note):
        yield stop


@contextlib.contextmanager
def _handling(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is not signal.default_int_handler:
        yield  # who has another handler, or ignores Ctrl-C, goes on doing so
        return
    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
