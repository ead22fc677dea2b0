"""The process in which a computer player thinks. It imports nothing of the site, and may be ended at any moment."""

import queue
import signal
import threading
from dataclasses import dataclass
from multiprocessing.connection import Connection

from ..core.errors import one_line
from ..engine.compiled import leave_compiling
from ..players.player import PerfectPlayer, RandomPlayer, player
from ..starts import after_moves


@dataclass(frozen=True)
class Job:
    """A position in which a computer player is to choose a move."""

    game: str
    parameters: dict[str, str]
    moves: tuple[str, ...]
    computer: str  # a name known to `players.player`
    seed: int
    compiles: bool = True  # False while another process compiles: then nobody waits for it
    start: str = ""  # the position with which the game begins, as one line; empty for that of the rules


@dataclass(frozen=True)
class Answer:
    """The move chosen, or why there is none."""

    move: str = ""
    error: str = ""
    stand_in: str = ""  # as `Player.stand_in`
    expects: str = ""  # as `Player.expects`


class Hurry:
    """Said to a process that thinks: answer now, with the best move so far."""


def answer(job: Job, stop: threading.Event | None = None) -> Answer:
    """The answer to one job, whatever happens; `stop` ends a search early."""
    try:
        game = after_moves(job.game, job.parameters, job.moves, job.start)
        leave_compiling(leave=not job.compiles)
        made = player(job.computer, job.seed, num_threads=1)
        if isinstance(made, PerfectPlayer):
            made.is_replaced = True  # a game with a person goes on, and the page says why
        move = made.choose(game) if isinstance(made, RandomPlayer) else made.choose(game, stop=stop)
        return Answer(move, stand_in=made.stand_in, expects=made.expects)
    except Exception as error:  # a game of another package can raise anything; the process goes on
        return Answer(error=one_line(f"{type(error).__name__}: {error}", 300))


def serve(connection: Connection) -> None:
    """Answer jobs until the server closes the connection. A Hurry that comes late, after the answer, is passed over."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    jobs: queue.SimpleQueue[tuple[Job, threading.Event] | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, jobs), daemon=True).start()
    try:
        while (asked := jobs.get()) is not None:
            connection.send(answer(*asked))
    except (EOFError, OSError):
        return


def _listen(connection: Connection, jobs: "queue.SimpleQueue[tuple[Job, threading.Event] | None]") -> None:
    stop = threading.Event()
    try:
        while True:
            said = connection.recv()
            if isinstance(said, Hurry):
                stop.set()
            else:
                stop = threading.Event()
                jobs.put((said, stop))
    except (EOFError, OSError):
        jobs.put(None)
