"""The process in which a computer player thinks. It imports nothing of the site, and may be ended at any moment."""

import signal
from dataclasses import dataclass
from multiprocessing.connection import Connection

from ..core.errors import one_line
from ..engine.compiled import leave_compiling
from ..game import new
from ..players.player import player


@dataclass(frozen=True)
class Job:
    """A position in which a computer player is to choose a move."""

    game: str
    parameters: dict[str, str]
    moves: tuple[str, ...]
    computer: str  # a name known to `players.player`
    seed: int
    compiles: bool = True  # False while another process compiles: then nobody waits for it


@dataclass(frozen=True)
class Answer:
    """The move chosen, or why there is none."""

    move: str = ""
    error: str = ""
    stand_in: str = ""  # as `Player.stand_in`


def answer(job: Job) -> Answer:
    """The answer to one job, whatever happens."""
    try:
        game = new(job.game, **job.parameters)
        for move in job.moves:
            game.play(move)
        leave_compiling(leave=not job.compiles)
        made = player(job.computer, job.seed, num_threads=1)
        return Answer(made.choose(game), stand_in=made.stand_in)
    except Exception as error:  # a game of another package can raise anything; the process goes on
        return Answer(error=one_line(f"{type(error).__name__}: {error}", 300))


def serve(connection: Connection) -> None:
    """Answer jobs until the server closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    try:
        while True:
            connection.send(answer(connection.recv()))
    except (EOFError, OSError):
        return
