"""`quet ugi`: lines on standard input, each answered by the engine of `ugi`. Every answer is flushed at once.

One thread reads and a second one answers, so a `stop` is read while a question is answered.
"""

import functools
import io
import threading
from collections.abc import Iterator, Sequence
from typing import TextIO

from .ugi import FIRST_WORD, LONGEST_LINE, Engine, refusal

MOST_WAITING = 2**20  # bytes of lines that were read and wait for their answers, unless one line is longer
OF_A_LINE = 100  # bytes that a line takes besides its text
CHUNK = 2**16  # bytes that are read at once


class _Output:
    """Prints answers, which come from several threads, and flushes each at once unless it is told to hold them."""

    def __init__(self, answers: TextIO) -> None:
        self._answers = answers
        self._lock = threading.Lock()
        self._is_holding = False
        self.failure: OSError | None = None

    def hold(self, is_holding: bool) -> None:
        """Hold further answers, or flush those that are held."""
        if self._is_holding and not is_holding:
            self._is_holding = False
            self.say()
        self._is_holding = is_holding

    def say(self, *lines: str) -> None:
        """Print lines. A failure is kept for the thread that reads, which has to end the program."""
        with self._lock:
            try:
                for line in lines:
                    self._answers.write(f"{line}\n")
                if not self._is_holding:
                    self._answers.flush()
            except OSError as error:
                self.failure = self.failure or error


class Waiting:
    """Lines that were read and wait for their answers. A thread that puts more than MOST_WAITING bytes waits too."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._lines: list[tuple[bytes, threading.Event]] = []
        self._size = 0
        self._is_closed = False
        self._stop = threading.Event()  # set by the next `stop`; every line before it has it, back to the last `go`

    def put(self, lines: Sequence[bytes]) -> None:
        with self._condition:
            for line in lines:
                if line.strip() == b"stop":
                    self._stop.set()
                elif self._stop.is_set() or line.split(maxsplit=1)[:1] == [b"go"]:  # whose search the stop is for
                    self._stop = threading.Event()
                self._lines.append((line, self._stop))
            self._size += sum(map(len, lines)) + OF_A_LINE * len(lines)
            self._condition.notify_all()
            self._condition.wait_for(lambda: self._size <= MOST_WAITING or self._is_closed)

    def take(self) -> list[tuple[bytes, threading.Event]]:
        """All that wait, each with the event that the next `stop` sets; empty at the end."""
        with self._condition:
            self._condition.wait_for(lambda: self._lines or self._is_closed)
            lines, self._lines, self._size = self._lines, [], 0
            self._condition.notify_all()
            return lines

    def close(self, *, stop: bool) -> None:
        """Note that no more lines come; on request stop what the last one asked for."""
        with self._condition:
            self._is_closed = True
            if stop:
                self._stop.set()
            self._condition.notify_all()


def serve(lines: io.BufferedIOBase, answers: TextIO) -> int:
    """Answer commands until `quit` or the end of input; return the exit status 0.

    All lines before it are answered. `quit` then ends a search under way, as `stop` does. At the end of input it may
    finish, so that `go` can be the last line of a file.
    """
    output = _Output(answers)
    engine = Engine(output.say)
    waiting = Waiting()
    is_known = functools.lru_cache(1024)(engine.knows)
    short_refusal = functools.lru_cache(1024)(refusal)
    troubles: list[BaseException] = []

    def answer() -> None:
        try:
            while taken := waiting.take():
                for number, (line, stop) in enumerate(taken, 1):
                    if output.failure is not None:  # nobody reads any more, and there may be hours of questions
                        waiting.close(stop=True)
                        return
                    # Garbage may come in floods. Its refusals are flushed together, which halves their cost.
                    is_short = len(line) <= FIRST_WORD
                    if (is_known if is_short else engine.knows)(line):
                        output.hold(False)
                        engine.answer(line, stop)
                    else:
                        output.hold(number < len(taken))
                        output.say((short_refusal if is_short else refusal)(line))
        except BaseException as error:
            troubles.append(error)
            waiting.close(stop=True)

    answering = threading.Thread(target=answer, daemon=True)
    answering.start()
    has_quit = False
    for batch in _batches(lines):
        ends = [number for number, line in enumerate(batch) if line.strip() == b"quit"]
        has_quit = bool(ends)
        waiting.put(batch[: ends[0]] if has_quit else batch)
        if has_quit or troubles or output.failure is not None:
            break
    waiting.close(stop=bool(troubles) or output.failure is not None)
    answering.join()
    engine.finish(stop=has_quit or bool(troubles) or output.failure is not None)
    for error in (*troubles, output.failure):
        if error is not None:
            raise error
    return 0


def _batches(lines: io.BufferedIOBase) -> Iterator[list[bytes]]:
    """The lines that were read at once, without empty ones. A line that is too long is cut, and is still too long."""
    begun = bytearray()
    while chunk := lines.read1(CHUNK):
        *whole, rest = chunk.split(b"\n")
        if whole:
            whole[0] = bytes(begun) + whole[0]
            begun.clear()
            if batch := [line for line in whole if line and not line.isspace()]:
                yield batch
        if len(begun) <= LONGEST_LINE:
            begun += rest
    if begun:
        yield [bytes(begun)]
