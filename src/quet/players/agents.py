"""Whoever chooses moves: functions, objects, computer players by name, and programs that speak the engine protocol.

Each is made an agent, which is asked for moves in many positions at once. `quet.match`, the arena and the measures of
`quet.rl` take the same; networks and bots of OpenSpiel are agents too, and `quet.rl.agents` has them.
"""

import contextlib
import math
import os
import selectors
import shlex
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol, cast, runtime_checkable

from ..core.arguments import seconds as check_seconds
from ..core.arguments import shown
from ..core.errors import BadParameter, MoveError, QuetError
from ..core.messages import Message, joined, say
from ..core.parameters import written
from ..core.quoting import shorten
from ..game import Game
from .levels import LevelPlayer
from .player import Player, player

Function = Callable[[Game], str]  # from a position, which it may play on, to a move
LONGEST_ANSWER = 600.0  # seconds until an engine must have answered, whatever it says before
LONGEST_LINE = 2**24  # bytes, as the protocol has it
LONGEST_ERRORS = 1000  # bytes that are kept of what an engine writes on standard error
LONGEST_WORDS = 200  # characters of them in a sentence
MOST_PARTS = 20  # of standard error that are read at the end, as a process that the engine started may write for ever
ENDING = 1.0  # seconds in which an engine ends that has closed its output
UGI = "ugi:"  # begins the name of an engine; its command follows
ONNX = ".onnx"  # ends the name of a file with a network
LONGEST_MOVES = 1000  # characters of the moves before an illegal one, in a sentence
GO = "go level"  # makes an engine choose a move, with the settings that it has
_starting = threading.Lock()  # held while an engine is started, until its process is known
_running = set[subprocess.Popen[bytes]]()  # the engines of this process


class Chooser(Protocol):
    """Whoever chooses moves: a computer player, or an object of yours."""

    def choose(self, game: Game) -> str:
        """A legal move for the mover of a game that isn't over. It is a copy, which may be played on."""


@runtime_checkable
class Agent(Protocol):
    """Whoever plays or is measured."""

    name: str

    def moves(self, games: Sequence[Game]) -> list[str]:
        """A legal move in each position; they are of one game and size, and none is over."""


Anyone = str | Function | Chooser | Agent


class BadAgent(QuetError):
    """An agent that can't be asked, or whose answer is no move."""


def agent(what: Anyone, *, seed: int | None = None, go: str = GO) -> Agent:
    """An agent of anything that chooses moves, but of networks; `quet.rl.agents.agent` takes those too.

    A function of a position; an object with a method `choose`, as `quet.player` makes them, or with `moves`; the name
    of a computer player, with the seed; `ugi:COMMAND`, an engine that speaks the protocol, which `go` makes choose.
    Raises BadParameter, and BadAgent for an engine that doesn't answer.
    """
    if isinstance(what, str):
        if what.startswith(UGI):
            return UgiAgent(what.removeprefix(UGI), go)
        if what.endswith(ONNX):
            raise BadParameter(
                say("A network plays as the agent that quet.rl.agents.onnx({file}) makes.", file=shown(what))
            )
        return Each(what, seated(what, seed).choose)
    if isinstance(what, Agent):
        return what
    if chooses(what):
        return Each(type(what).__name__, cast(Chooser, what).choose)
    if callable(what):
        return Each(str(getattr(what, "__name__", type(what).__name__)), what)
    raise BadParameter(say("An agent must be a name or choose moves, not {value}.", value=shown(what)))


def chooses(one: object) -> bool:
    """Whether an object has a method `choose`. That of NumPy's numbers and arrays doesn't choose moves."""
    return callable(getattr(one, "choose", None)) and not hasattr(one, "__array__")


def seated(name: str, seed: int | None, memory: int | None = None) -> Player:
    """The computer player of this name, for a game that nobody waits for.

    A level that counts its simulations has no limit of time, so that its moves don't depend on the machine. `memory` is
    the bytes of its search, if limited.
    """
    made = player(name, seed, memory=memory)
    if isinstance(made, LevelPlayer) and made.level.simulations:
        made.level = replace(made.level, seconds=math.inf)
    return made


@contextlib.contextmanager
def asking(made: Agent, *, is_ours: bool) -> Iterator[Agent]:
    """The agent for a while, and its moves are checked: it raises BadAgent for one that isn't legal.

    An engine that is ours, since it was started for its name, is ended then; an agent that was given isn't.
    """
    try:
        yield Checked(made)
    finally:
        if is_ours:
            close(made)


def close(made: Agent) -> None:
    """End the engine that an agent is, if it is one."""
    if isinstance(made, UgiAgent):
        made.close()


def end_engines() -> None:
    """End all engines of this process at once, from any thread, also those that haven't answered yet. The process can
    start no more, and is to end.
    """
    _starting.acquire()
    found = list(_running)
    for process in found:
        if process.returncode is None:
            _kill(process)
    for process in found:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(ENDING)


class Checked:
    """Asks an agent, and says who chose what and where, if that is no legal move; also where it failed, if it was asked
    about one position.
    """

    def __init__(self, agent: Agent) -> None:
        self.name, self._agent = agent.name, agent

    def moves(self, games: Sequence[Game]) -> list[str]:
        try:
            chosen = self._agent.moves(games)
        except BadAgent as error:
            if len(games) != 1:
                raise
            raise BadAgent(joined([error.message, _place(games[0])], " ")) from error
        if not isinstance(chosen, list) or len(chosen) != len(games):
            raise BadAgent(
                say(
                    "{name} must give a list with a move for each of {number} games, not {value}.",
                    name=self.name,
                    number=len(games),
                    value=shown(chosen),
                )
            )
        for game, move in zip(games, chosen, strict=True):
            try:
                game.read(move)
            except MoveError as error:
                raise BadAgent(
                    say(
                        "{name} chose {move} in {game} after the moves {moves}, and that isn't legal: {why}",
                        name=self.name,
                        move=shown(move),
                        game=_size(game),
                        moves=_moves(game),
                        why=error.message,
                    )
                    if game.moves
                    else say(
                        "{name} chose {move} at the start of {game}, and that isn't legal: {why}",
                        name=self.name,
                        move=shown(move),
                        game=_size(game),
                        why=error.message,
                    )
                ) from error
        return chosen


def _place(game: Game) -> Message:
    """Where an agent failed, as a sentence."""
    if game.moves:
        return say("That was in {game} after the moves {moves}.", game=_size(game), moves=_moves(game))
    return say("That was at the start of {game}.", game=_size(game))


def _size(game: Game) -> str:
    """A game with its parameters, and with the paper that it began with."""
    size = " ".join([game.id, *(f"{name}={value}" for name, value in written(game.parameters).items())])
    return f"{size} from {shorten(game.start)}" if game.start else size


def _moves(game: Game) -> str:
    return shorten(" ".join(game.moves), LONGEST_MOVES)


class Each:
    """Asks a function about one position after the other."""

    def __init__(self, name: str, choose: Function) -> None:
        self.name, self._choose = name, choose

    def moves(self, games: Sequence[Game]) -> list[str]:
        return [self._choose(game.copy()) for game in games]


class UgiAgent:
    """Asks an engine that speaks the protocol (docs/protocol.md), a process of its own; `close` ends it."""

    def __init__(self, command: str, go: str = GO, name: str = "", seconds: float = LONGEST_ANSWER) -> None:
        """`go` is the command that makes it choose; within `seconds` it must have answered. Raises BadAgent, and
        BadParameter for what is no such command, as `go infinite`, after which an engine waits for a `stop`; also for
        what can't be a command line or a time.
        """
        if not isinstance(command, str):  # of None, shlex would read standard input
            raise BadParameter(say("The command of an engine must be a text, not {value}.", value=shown(command)))
        if not (isinstance(go, str) and go.startswith("go ") and go.isprintable()) or "infinite" in go.split():
            raise BadParameter(
                say("An engine chooses by a command such as go movetime 100, not {command}.", command=shown(go))
            )
        self.name, self._go = name or command, go
        self._seconds = check_seconds(say("The time"), seconds)
        self._of: tuple[object, ...] = ()  # the game that the engine has
        self._read = b""
        self._errors = b""  # the last of what it has written on standard error
        self._is_heard = True  # whether standard error is open
        try:
            words = shlex.split(command)
            if not words:
                raise BadAgent(say("Name the command of the engine, as in {example}.", example=f"{UGI}quet ugi"))
            with _starting:
                self._process = subprocess.Popen(
                    words,
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    start_new_session=True,  # so that Ctrl-C at the terminal reaches us alone, and we end it
                )
                _running.add(self._process)
        except (OSError, ValueError) as error:
            raise BadAgent(say("The engine {command} can't be started.", command=shown(command))) from error
        assert self._process.stdin is not None and self._process.stderr is not None
        self._end = weakref.finalize(self, _ended, self._process)  # where nobody closes it
        os.set_blocking(self._process.stdin.fileno(), False)  # an engine that doesn't read mustn't stop us either
        os.set_blocking(self._process.stderr.fileno(), False)
        try:
            self._ask("ugi", "ugiok")
        except BadAgent:
            self.close()
            raise

    def moves(self, games: Sequence[Game]) -> list[str]:
        """As for every Agent. Raises BadAgent where the engine refuses, ends, names no move, or takes too long.

        One that took too long is ended, since its late answer would be taken for that to the next question.
        """
        return [self._move(game) for game in games]

    def close(self) -> None:
        """End the engine."""
        self._end()

    def __enter__(self) -> "UgiAgent":
        return self

    def __exit__(self, *about: object) -> None:
        self.close()

    def _move(self, game: Game) -> str:
        if game.start:
            raise BadAgent(say("The protocol knows no games that begin with a position on paper."))
        parameters = [f"{name}={value}" for name, value in written(game.parameters).items()]
        if self._of != (game.id, *parameters):
            self._ask(" ".join(["newgame", game.id, *parameters]), "ok")
            self._of = (game.id, *parameters)
        self._ask(" ".join(["position startpos", *(["moves", *game.moves] if game.moves else [])]), "ok")
        named = self._ask(self._go, "bestmove").split()[1:]
        if not named:
            raise BadAgent(say("The engine {name} named no move.", name=self.name))
        if len(named) > 1 and named[1] != "ponder":  # the move that it expects may follow, as in UCI
            raise BadAgent(
                say("The engine {name} must name one move, not {moves}.", name=self.name, moves=shown(" ".join(named)))
            )
        return named[0]

    def _ask(self, line: str, wanted: str) -> str:
        """The first answer that begins with the word that is wanted; all other lines together take no longer either."""
        deadline = time.monotonic() + self._seconds
        self._send(line.encode() + b"\n", deadline)
        while True:
            answer = self._line(deadline)
            if answer.split()[:1] == [wanted]:
                return answer
            if answer.startswith("error"):
                raise BadAgent(
                    say("The engine {name} refuses {line}: {why}", name=self.name, line=shown(line), why=shown(answer))
                )

    def _send(self, content: bytes, deadline: float) -> None:
        assert self._process.stdin is not None
        try:
            pipe = self._process.stdin.fileno()
            while content:
                self._wait(deadline, writing=[pipe])
                content = content[os.write(pipe, content) :]
        except (OSError, ValueError) as error:  # the latter where it was closed
            raise self._gone() from error

    def _line(self, deadline: float) -> str:
        assert self._process.stdout is not None
        while b"\n" not in self._read:
            self._wait(deadline, reading=[self._process.stdout.fileno()])
            found = os.read(self._process.stdout.fileno(), 1 << 16)
            if not found:
                raise self._gone()
            self._read += found
            if len(self._read) > LONGEST_LINE:
                raise BadAgent(say("The engine {name} says too much at once.", name=self.name))
        line, _, self._read = self._read.partition(b"\n")
        return line.decode("utf-8", "replace")

    def _wait(self, deadline: float, reading: Sequence[int] = (), writing: Sequence[int] = ()) -> None:
        """Wait for a pipe. An engine that always has something to say is too late after the deadline, too."""
        assert self._process.stderr is not None
        errors = self._process.stderr.fileno()
        while (left := deadline - time.monotonic()) > 0:
            heard = [*reading, errors] if self._is_heard else reading
            with selectors.DefaultSelector() as pipes:  # `select.select` takes no descriptors from 1024 on
                for pipe in heard:
                    pipes.register(pipe, selectors.EVENT_READ)
                for pipe in writing:
                    pipes.register(pipe, selectors.EVENT_WRITE)
                ready = {key.fd for key, _ in pipes.select(left)}
            if errors in ready:  # read at once, or an engine that writes much there would never come to its answer
                self._hear()
            if not ready.isdisjoint([*reading, *writing]):
                return
        late = say("The engine {name} didn't answer within {seconds} s.", name=self.name, seconds=f"{self._seconds:g}")
        told = self._with_errors(late)
        self.close()
        raise BadAgent(told)

    def _hear(self) -> None:
        """Read what the engine has written on standard error, a part of it, and keep the last."""
        assert self._process.stderr is not None
        with contextlib.suppress(BlockingIOError):  # it has written nothing more
            found = os.read(self._process.stderr.fileno(), 1 << 16)
            self._errors = (self._errors + found)[-LONGEST_ERRORS:]
            self._is_heard = bool(found)

    def _with_errors(self, sentence: Message) -> Message:
        """The sentence, and after it the last line that the engine has written on standard error."""
        for _ in range(MOST_PARTS if self._is_heard else 0):
            self._hear()
        lines = self._errors.decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        if not last:
            return sentence
        return joined([sentence, say("It wrote on standard error: {words}", words=shorten(last, LONGEST_WORDS))], " ")

    def _gone(self) -> BadAgent:
        """The error of an engine that has ended: how, and its last words."""
        if not self._end.alive:  # it was closed
            return BadAgent(say("The engine {name} has ended.", name=self.name))
        try:
            status = self._process.wait(ENDING)
        except subprocess.TimeoutExpired:  # it has only closed its output
            return BadAgent(self._with_errors(say("The engine {name} has ended.", name=self.name)))
        _kill(self._process)  # at once, while no other process can have its number
        told = (
            say("The engine {name} has ended with exit status {status}.", name=self.name, status=status)
            if status >= 0
            else say("The engine {name} was ended by signal {number}.", name=self.name, number=-status)
        )
        return BadAgent(self._with_errors(told))


def _ended(process: subprocess.Popen[bytes]) -> None:
    """End an engine, and what it started: it may be a shell that waits for the engine itself."""
    if process.returncode is None:
        _kill(process)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdin.close()
    process.stdout.close()  # unread, since a process that the engine started may go on writing to it
    process.stderr.close()
    with contextlib.suppress(subprocess.TimeoutExpired):  # as of another user, who can't be killed
        process.wait(ENDING)
    _running.discard(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # the latter on macOS, where all have ended
            os.killpg(process.pid, signal.SIGKILL)
