"""Plays the games of a tournament, one after another or in several processes side by side.

A process makes each guest once, for all its games.
"""

import itertools
import multiprocessing
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection
from multiprocessing.connection import Connection

from .agents import Agent, Checked, Each, agent, close, end_engines, seated
from .arena import Fixture, Result, Stopped, after_opening, is_guest
from .meeting import LONGEST_GAME, finish
from .player import Player

Inviting = Callable[[str], Agent]  # from the name of a guest to the guest

BETWEEN_LOOKS = 0.2  # seconds, at most, until it is seen that workers are to begin no more games
LONGEST_END = 5.0  # seconds in which workers end themselves and their engines
_Play = tuple[Fixture, int | None, Inviting]  # what `play` takes
_guests: dict[str, Agent] = {}  # those of this process, by name


def play(fixture: Fixture, memory: int | None = None, invite: Inviting = agent) -> Result:
    """Play a game to its end, each search in so many bytes if limited; raises Stopped if it has no end, and BadAgent
    where a guest fails. `invite` makes guests; that of `quet.rl.agents` makes networks too.
    """
    game = after_opening(fixture)
    seats: list[Agent] = []
    for seat, name in enumerate(fixture.seats):
        made = _guest(name, invite) if is_guest(name) else Each(name, _seated(fixture, seat, memory).choose)
        seats.append(Checked(made))
    if not finish(game, seats):
        raise Stopped(f"A game between {' and '.join(fixture.seats)} has not ended after {LONGEST_GAME} plies.")
    return Result(fixture, tuple(game.moves), tuple(game.scores), tuple(game.winners))


def play_all(
    fixtures: Sequence[Fixture],
    num_workers: int = 1,
    memory: int | None = None,
    invite: Inviting = agent,
    *,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Generator[Result, None, None]:
    """The results as they come in, in any order with several workers; raises Stopped, and BadAgent before the first
    game for a guest that can't play at all. `memory` and `invite` as for `play`. Guests leave at the end.

    Several workers begin no more games when `is_stopped`, which is asked now and then: those being played are the last
    results. Where the generator is closed or interrupted before its end, these games end too.
    """
    if num_workers == 1:
        return _in_turn(fixtures, memory, invite)
    try:
        _welcome(fixtures, invite)
    finally:
        _dismiss()
    return _side_by_side([(fixture, memory, invite) for fixture in fixtures], num_workers, is_stopped)


def _in_turn(fixtures: Sequence[Fixture], memory: int | None, invite: Inviting) -> Generator[Result, None, None]:
    try:
        _welcome(fixtures, invite)
        yield from (play(fixture, memory, invite) for fixture in fixtures)
    finally:
        _dismiss()


def _side_by_side(
    games: Sequence[_Play], num_workers: int, is_stopped: Callable[[], bool]
) -> Generator[Result, None, None]:
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(num_workers, mp_context=spawning, initializer=_obey_parent) as pool:
        try:
            yield from _played(pool, games, num_workers, is_stopped)
        except BaseException:
            _end_workers(pool)
            raise


def _played(
    pool: ProcessPoolExecutor, games: Sequence[_Play], num_workers: int, is_stopped: Callable[[], bool]
) -> Iterator[Result]:
    """The results of games in a pool. After one that fails, those being played are still told; then it is raised."""
    trouble: BaseException | None = None
    left = iter(games)
    playing: set[Future[Result]] = set()
    while True:
        try:
            if trouble is None and not is_stopped():
                # No more than are played at once, as others couldn't be taken back.
                playing |= {pool.submit(play, *one) for one in itertools.islice(left, num_workers - len(playing))}
        except BrokenProcessPool as error:
            trouble = error
        if not playing:
            break
        done, playing = wait(playing, BETWEEN_LOOKS, FIRST_COMPLETED)
        for one in done:
            failed = one.exception()
            if failed is None:
                yield one.result()
            else:
                trouble = trouble or failed
    if isinstance(trouble, BrokenProcessPool):
        if is_stopped():  # the signal went to the workers too
            return
        raise Stopped("A worker process was ended from outside; the same command takes the games up again.") from None
    if trouble is not None:
        raise trouble


def _end_workers(pool: ProcessPoolExecutor) -> None:
    """End the workers at once, who end their engines first. From Python 3.14 on a pool can do so itself."""
    workers = list((pool._processes or {}).values())
    for worker in workers:
        worker.terminate()
    deadline = time.monotonic() + LONGEST_END
    for worker in workers:
        worker.join(max(0.0, deadline - time.monotonic()))
        worker.kill()  # where it is still in compiled code, which hears no signal


def _seated(fixture: Fixture, seat: int, memory: int | None = None) -> Player:
    """The computer player of a seat."""
    generator = random.Random(f"player {fixture.seed} {fixture.opening} {' '.join(fixture.seats)} {seat}")
    return seated(fixture.seats[seat], generator.getrandbits(32), memory)


def _guest(name: str, invite: Inviting) -> Agent:
    """The guest of this name, in this process."""
    if name not in _guests:
        _guests[name] = invite(name)
    return _guests[name]


def _welcome(fixtures: Sequence[Fixture], invite: Inviting) -> None:
    """Have all guests in this process, which shows whether they can play at all."""
    for name in {name for fixture in fixtures for name in fixture.seats if is_guest(name)}:
        _guest(name, invite)


def _dismiss() -> None:
    """End the guests of this process."""
    while _guests:
        close(_guests.popitem()[1])


def _obey_parent() -> None:
    """Leave Ctrl-C and the end of the terminal to the main process, which lets the games being played end. If that or
    this process is to be ended, end with the engines.
    """
    told, tell = multiprocessing.Pipe(duplex=False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: tell.send_bytes(b"end"))
    if sys.platform != "win32":
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    threading.Thread(target=_end, args=[told], daemon=True).start()


def _end(told: Connection) -> None:
    """End this process with its engines when it is told to, or when its parent has ended.

    A thread does so, as the signal may come while an engine is started or asked. More signals may come meanwhile: a
    pool sends one to all workers as soon as one of them has ended.
    """
    parent = multiprocessing.parent_process()
    connection.wait([told] if parent is None else [told, parent.sentinel])
    end_engines()
    os._exit(1)
