"""The independent parts of a long solve. Any worker may do any part, and each part is noted when it is finished.

This process does the parts of the first seconds, so that a small solve starts no other process. The task's workers do
the rest. A part that is noted is never done again, even if a process dies.
"""

import contextlib
import functools
import itertools
import json
import math
import queue
import time
from collections.abc import Callable, Container, Generator, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Future
from typing import TypeVar

from ..core.clock import clock
from ..core.errors import QuetError
from .task import Task
from .workers import code

LOOK = 0.2  # seconds between two looks at the clock, and between chances to save the notes
SILENCE = 10.0  # seconds without a part, before a look whether there are workers
GRACE = 1.0  # seconds for parts to end by themselves when the time is over
EARLY = 1.0  # seconds left, with which no worker may say that the time is over
MOST_EARLY = 100  # times that workers may say so one after the other
MOST_LOSSES = 5  # times that workers may end one after the other without one part finished

R = TypeVar("R")  # the result of a part, as JSON holds it
Parts = dict[str, tuple[object, ...]]
Outcome = tuple[R | None, str]  # the result of a part that was sent, and what was wrong
Sent = tuple[str, Future[Outcome[R]]]
Results = Generator[tuple[str, R], None, None]


def done(
    task: Task,
    function: Callable[..., R | None],
    parts: Mapping[str, tuple[object, ...]],
    words: str,
    wanted: Container[str] | None = None,
) -> Iterator[tuple[str, R]]:
    """Yield (name, result) of every part: those that the task's notes have already, then each as it is finished.

    `function(*arguments, seconds)` is a top-level function of an importable module, and its arguments can be pickled.
    `seconds` is the time left, or None. The result is what JSON can hold, or None if the time was over; then nothing is
    noted or yielded. Parts are begun in order and finished in any order, so nothing may depend on the order. Each
    finished part is noted at once. The parts of a lost worker are done again. The caller may stop iterating; then the
    remaining parts aren't begun. It may also take names out of `wanted`: those parts aren't begun, and the results of
    those under way aren't used. `words` say in the plural what the parts are.

    Raises QuetError when parts can't be done: a scheduler that is gone, workers that end again and again, or workers
    whose clocks are wrong.
    """
    total = len(parts)
    waiting = {name: arguments for name, arguments in parts.items() if name not in task.notes}
    task.report(total - len(waiting), total, words)
    for name in [name for name in parts if name not in waiting]:
        yield name, task.notes[name]
    _forget(waiting, wanted)
    for do in (_here, _sent):
        with contextlib.closing(do(task, function, waiting, wanted)) as results:
            for name, result in results:
                task.note(name, json.loads(json.dumps(result)))  # as it is read from a checkpoint
                task.report(total - len(waiting), total, words)
                yield name, task.notes[name]


def _here(task: Task, function: Callable[..., R | None], waiting: Parts, wanted: Container[str] | None) -> Results[R]:
    """Do parts in this process as long as the workers allow it. A part that takes longer is left to the workers."""
    workers = task.workers
    names = iter(list(waiting))
    name = next(names, None)
    while name is not None and workers.seconds_here > 0 and not task.is_over:
        limit = min(workers.seconds_here, math.inf if task.left is None else task.left)
        seconds = None if limit == math.inf else limit
        begun = clock()
        result = function(*waiting[name], seconds)
        workers.seconds_here -= clock() - begun
        if result is not None:
            del waiting[name]
            yield name, result
            _forget(waiting, wanted)
            name = next((name for name in names if name in waiting), None)
        else:
            return


def _sent(task: Task, function: Callable[..., R | None], waiting: Parts, wanted: Container[str] | None) -> Results[R]:
    """Send the parts to the workers, and send again what was lost or was given up too early. Raises QuetError."""
    if task.workers.seconds_here == math.inf:
        return
    finished: queue.SimpleQueue[Sent[R]] = queue.SimpleQueue()
    futures: dict[str, Future[Outcome[R]]] = {}
    losses = num_early = 0
    heard = time.monotonic()
    try:
        while waiting:
            if not task.is_over:
                _send(task, function, waiting, futures, finished)
            if not futures:
                return
            try:
                name, future = finished.get(timeout=LOOK)
            except queue.Empty:
                task.save()
                if clock() > task.until + GRACE:
                    return
                if time.monotonic() > heard + SILENCE:
                    task.workers.look()
                    heard = time.monotonic()
                continue
            heard = time.monotonic()
            if futures.get(name) is not future:
                continue  # it was lost with others, and has been sent again
            try:
                result, complaint = future.result()
            except Exception as error:
                if not task.workers.begin_again(error):
                    raise
                losses += 1
                if losses > MOST_LOSSES:
                    raise QuetError(
                        f"Workers have ended {losses} times, one after the other; their memory may be too small."
                    ) from error
                futures.clear()
                continue
            del futures[name]
            if name not in waiting:
                continue  # it is no longer wanted
            if result is None and not complaint and not task.is_over and (task.left is None or task.left > EARLY):
                num_early += 1  # compiling isn't counted here, and may be there; else its clock is wrong
                if num_early > MOST_EARLY:
                    raise QuetError("Workers say that the time is over, and it isn't. Their clocks must be right.")
                continue
            waiting.pop(name, None)
            if complaint:
                raise QuetError(complaint)
            if result is not None:
                losses = num_early = 0
                yield name, result
                _forget(waiting, wanted)
    finally:
        task.workers.drop(futures.values())


def _forget(waiting: Parts, wanted: Container[str] | None) -> None:
    """Remove the parts that are no longer wanted."""
    for name in [] if wanted is None else [name for name in waiting if name not in wanted]:
        del waiting[name]


def _send(
    task: Task,
    function: Callable[..., R | None],
    waiting: Parts,
    futures: dict[str, Future[Outcome[R]]],
    finished: queue.SimpleQueue[Sent[R]],
) -> None:
    """Send so many further parts that no worker has to wait. Each puts itself into the queue when it is done."""
    workers = task.workers
    seconds, until = task.left, None if task.left is None else time.time() + task.left
    unsent = (name for name in waiting if name not in futures)
    for name in list(itertools.islice(unsent, max(0, workers.most_sent - len(futures)))):
        future: Future[Outcome[R]]
        try:
            future = workers.executor.submit(_part, function, waiting[name], seconds, until, workers.code)
        except BrokenExecutor as error:  # all its workers have ended already
            future = Future()
            future.set_exception(error)
        futures[name] = future
        future.add_done_callback(functools.partial(_finish, finished, name))


def _finish(finished: queue.SimpleQueue[Sent[R]], name: str, future: Future[Outcome[R]]) -> None:
    finished.put((name, future))


def _part(
    function: Callable[..., R | None],
    arguments: tuple[object, ...],
    seconds: float | None,
    until: float | None,
    wanted: str,
) -> Outcome[R]:
    """What a worker does: the result of the part, and what is wrong, as a sentence or empty.

    The time ends after `seconds`, or at `until` in wall-clock time if that is earlier, since the part may have waited.
    """
    if wanted and code() != wanted:
        return None, f"A worker has Quet {code()}, but {wanted} is wanted: all must have the same."
    if seconds is not None and until is not None:
        seconds = min(seconds, until - time.time())
        if seconds <= 0:
            return None, ""
    try:
        return function(*arguments, seconds), ""
    except QuetError as error:  # not all of them can be sent as they are
        return None, str(error)
