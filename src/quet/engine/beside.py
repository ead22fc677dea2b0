"""Compiles in another process, so that who waits for a function can stop waiting.

Run as a module, this is that process. It reads which functions are wanted and compiles one after another, each into the
folder where compiled code is kept. It ends when nothing more can be wanted.
"""

import contextlib
import copyreg
import importlib
import io
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from types import ModuleType
from typing import TextIO

from ..core.clock import clock
from ..core.errors import NotCompiled
from . import cache, compiled

LOOK = 0.05  # seconds between two looks at the clock
KEPT, NOT_KEPT = REPLIES = b"kept\n", b"not kept\n"

_left: list[subprocess.Popen[bytes]] = []  # that end by themselves, when they have compiled what they are at


class Beside:
    """Another process that compiles for this one, until a moment of `core.clock`. It starts when it is first asked."""

    def __init__(self, until: float, begun: Callable[[], object] = lambda: None) -> None:
        """`begun` is called when there is something to compile."""
        self._until = until
        self._begun = begun
        self.has_begun = False
        self._process: subprocess.Popen[bytes] | None = None
        self._replies: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def compile(self, wanted: compiled.Wanted) -> bool:
        """Have a function compiled, and return whether it is kept.

        Raises NotCompiled when the time is over first; what was begun is then compiled for the next time.
        """
        self.check()
        try:
            asked = _pickled(list(sys.path)) + _pickled(wanted)
        except Exception:  # something that is bound to it can't be told to another process
            return False
        if self._process is None:
            self.has_begun = True
            self._begun()
            self._start()
        assert self._process is not None and self._process.stdin is not None
        try:
            self._process.stdin.write(asked)
            self._process.stdin.flush()
        except OSError:
            return False
        while clock() < self._until:
            try:
                return self._replies.get(timeout=LOOK) == KEPT
            except queue.Empty:
                continue
        raise NotCompiled

    def check(self) -> None:
        """Raises NotCompiled when the time is over."""
        if clock() >= self._until:
            raise NotCompiled

    def give_up(self) -> None:
        """Wait for nothing any more."""
        self._until = float("-inf")

    def close(self) -> None:
        """Let the process end when it has kept the function that it is at, or now if that wouldn't be kept."""
        self.give_up()
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            if cache.is_kept_for_long():
                _left.append(self._process)
            else:
                self._process.kill()
                self._process.wait()
            self._process = None

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the process that asks
        )
        threading.Thread(target=self._listen, args=(self._process,), name="beside", daemon=True).start()

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            if line in REPLIES:  # others are somebody else's
                self._replies.put(line)
        self._replies.put(b"")  # it has ended; whoever still waits compiles


def _pickled(value: object) -> bytes:
    into = io.BytesIO()
    pickler = pickle.Pickler(into)
    pickler.dispatch_table = copyreg.dispatch_table | {ModuleType: _by_name}
    pickler.dump(value)
    return into.getvalue()


def _by_name(module: ModuleType) -> tuple[Callable[[str], ModuleType], tuple[str]]:
    """How a module is sent."""
    if sys.modules.get(module.__name__) is not module:
        raise pickle.PicklingError(module.__name__)
    return importlib.import_module, (module.__name__,)


def own_output() -> TextIO:
    """What was standard output, for the lines of this process alone.

    From now on standard output is standard error: the module of a game may print there when it is imported.
    """
    ours = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return ours


def main(out: TextIO) -> None:
    """Compile what is wanted, until nothing more can be, and reply to `out`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            sys.path[:] = pickle.load(sys.stdin.buffer)
            compiled.compile_now(pickle.load(sys.stdin.buffer))
            reply = KEPT
        except EOFError:
            return
        except Exception:  # whoever asked compiles the function then, and is told the error there
            reply = NOT_KEPT
        out.write(reply.decode())
        out.flush()


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # nobody waits for it any more
        main(own_output())
