"""Agents, whatever they are: functions, computer players, engines, bots of OpenSpiel, networks in ONNX files.

An agent is asked for moves in many positions at once. `agent` makes one of anything that can choose a move.
"""

import contextlib
import os
import select
import shlex
import subprocess
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import shown
from ..core.errors import BadParameter, MoveError, QuetError
from ..core.extras import needs
from ..core.messages import say
from ..core.parameters import written
from ..core.quoting import shorten
from ..game import Game
from ..players.meeting import Chooser, chooses, seated
from .forms import Form

if TYPE_CHECKING:
    from .openspiel import Bot, QuetGame

Function = Callable[[Game], str]  # from a position, which it may play on, to a move
Arrays = Callable[
    [NDArray[np.float32], NDArray[np.bool_]], NDArray[np.integer]
]  # from observations and masks to actions
LONGEST_ANSWER = 600.0  # seconds until an engine must have answered, whatever it says before
LONGEST_LINE = 2**24  # bytes, as the protocol has it
UGI = "ugi:"  # begins the name of an engine; its command follows
LONGEST_MOVES = 1000  # characters of the moves before an illegal one, in a sentence
GO = "go level"  # makes an engine choose a move, with the settings that it has


@runtime_checkable
class Agent(Protocol):
    """Whoever is measured."""

    name: str

    def moves(self, games: Sequence[Game]) -> list[str]:
        """A legal move in each position; they are of one game and size, and none is over."""


class BadAgent(QuetError):
    """An agent that can't be asked, or whose answer is no move."""


def agent(what: "str | Function | Chooser | Agent", *, seed: int | None = None, go: str = GO) -> Agent:
    """An agent of anything that chooses moves.

    A function of a position; an object with a method `choose`, as `quet.player` makes them; the name of a computer
    player, with the seed; `ugi:COMMAND`, an engine that speaks the protocol, which `go` makes choose; the
    name of a file that ends with .onnx.
    Bots of OpenSpiel are made agents by `OpenSpielAgent`, functions of arrays by `ArrayAgent`. Raises BadParameter.
    """
    if isinstance(what, str):
        if what.startswith(UGI):
            return UgiAgent(what.removeprefix(UGI), go)
        if what.endswith(".onnx"):
            return onnx(what)
        player = seated(what, seed)
        return _Each(what, player.choose)
    if isinstance(what, Agent):
        return what
    if chooses(what):
        return _Each(type(what).__name__, cast(Chooser, what).choose)
    if callable(what):
        return _Each(str(getattr(what, "__name__", type(what).__name__)), what)
    raise BadParameter(say("An agent must be a name or choose moves, not {value}.", value=shown(what)))


@contextlib.contextmanager
def asking(what: "str | Function | Chooser | Agent", *, seed: int | None = None) -> Iterator[Agent]:
    """As `agent`, for a while, and its moves are checked: it raises BadAgent for one that isn't legal.

    An engine that was started for its name is ended then; an agent that was given isn't.
    """
    made = agent(what, seed=seed)
    try:
        yield _Checked(made)
    finally:
        if isinstance(what, str) and isinstance(made, UgiAgent):
            made.close()


class _Checked:
    """Asks an agent, and says who chose what and where, if that is no legal move."""

    def __init__(self, agent: Agent) -> None:
        self.name, self._agent = agent.name, agent

    def moves(self, games: Sequence[Game]) -> list[str]:
        chosen = self._agent.moves(games)
        for game, move in zip(games, chosen, strict=True):
            try:
                game.read(move)
            except MoveError as error:
                size = " ".join(f"{name}={value}" for name, value in written(game.parameters).items())
                where = f"{game.id} {size}"
                if game.start:
                    where += f" from {shorten(game.start)}"
                raise BadAgent(
                    say(
                        "{name} chose {move} in {game} after the moves {moves}, and that isn't legal: {why}",
                        name=self.name,
                        move=shown(move),
                        game=where,
                        moves=shorten(" ".join(game.moves), LONGEST_MOVES),
                        why=error.message,
                    )
                    if game.moves
                    else say(
                        "{name} chose {move} at the start of {game}, and that isn't legal: {why}",
                        name=self.name,
                        move=shown(move),
                        game=where,
                        why=error.message,
                    )
                ) from error
        return chosen


class _Each:
    """Asks a function about one position after the other."""

    def __init__(self, name: str, choose: Function) -> None:
        self.name, self._choose = name, choose

    def moves(self, games: Sequence[Game]) -> list[str]:
        return [self._choose(game.copy()) for game in games]


class ArrayAgent:
    """Asks a function of arrays: observations and masks as a batch has them, to an action for each."""

    def __init__(self, name: str, act: Arrays) -> None:
        self.name, self._act = name, act

    def moves(self, games: Sequence[Game]) -> list[str]:
        """As for every Agent. Raises BadAgent for anything but a legal action for each, and as `Form.check_moves`."""
        if not games:
            return []
        form = Form(games[0].id, games[0].parameters)
        form.check_moves()
        seen = np.zeros((len(games), *form.bounds.shape), np.float32)
        legal = np.zeros((len(games), form.bounds.num_actions), np.bool_)
        for i, game in enumerate(games):
            form.observe(game.state, seen[i])
            legal[i] = form.mask(game.state)
        actions = np.asarray(self._act(seen, legal))
        if actions.shape != (len(games),) or actions.dtype.kind not in "iu":
            raise BadAgent(
                say("{name} must give an integer for each of {count} games.", name=self.name, count=len(games))
            )
        for i, action in enumerate(actions.tolist()):
            if not (0 <= action < legal.shape[1] and legal[i, action]):
                raise BadAgent(say("{name} chose the illegal action {action}.", name=self.name, action=action))
        return [form.text(game.state, action) for game, action in zip(games, actions.tolist(), strict=True)]


def onnx(file: str | os.PathLike[str]) -> ArrayAgent:
    """An agent that plays the legal action with the highest output of a network.

    Its first input takes observations (a batch, then their shape; or flat), float32; its first output has a number for
    each action. One that takes a single position, as exporters make them where no batch is asked for, is run for one
    after the other. Raises MissingExtra where onnxruntime isn't installed, BadAgent for a file that is no such
    network, and BadParameter for what names no file.
    """
    if not isinstance(file, str | os.PathLike):
        raise BadParameter(say("The name of a file must be a text, not {value}.", value=shown(file)))
    with needs("rl", "onnxruntime"):
        import onnxruntime

    name = Path(file).stem
    try:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(os.fspath(file), options, providers=["CPUExecutionProvider"])
        given = session.get_inputs()[0]
    except Exception as error:  # whatever the library raises
        raise BadAgent(say("{file} can't be read as a network.", file=shown(os.fspath(file)))) from error

    num_at_once = given.shape[0] if len(given.shape) > 1 and _is_fixed(given.shape[0]) else None
    if num_at_once not in (None, 1):
        raise BadAgent(
            say(
                "{name} takes exactly {count} positions at once; export it for any number of them, or for one.",
                name=name,
                count=num_at_once,
            )
        )

    def act(seen: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.integer]:
        wanted = seen.reshape(len(seen), -1) if len(given.shape) == 2 else seen
        if given.shape and not _fits(given.shape[1:], wanted.shape[1:]):
            raise BadAgent(
                say(
                    "{name} is a network for another game or size: it takes {theirs} numbers, not {ours}.",
                    name=name,
                    theirs=_written(given.shape),
                    ours=_written(["n", *wanted.shape[1:]]),
                )
            )
        parts = [wanted] if num_at_once is None else np.split(wanted, len(wanted))
        try:
            outputs = np.concatenate([np.ravel(session.run(None, {given.name: part})[0]) for part in parts])
        except Exception as error:  # whatever the library raises
            raise BadAgent(
                say("{name} can't be run as a network: {why}", name=name, why=shorten(str(error), 200))
            ) from error
        if outputs.dtype.kind not in "fiub" or outputs.size != legal.size:
            raise BadAgent(
                say(
                    "{name} is a network for another game or size: its first output has {theirs} numbers for {count} "
                    "positions, not one for each of {ours} actions.",
                    name=name,
                    theirs=outputs.size if outputs.dtype.kind in "fiub" else 0,
                    count=len(seen),
                    ours=legal.shape[1],
                )
            )
        of_legal = np.where(legal, outputs.reshape(legal.shape), -np.inf)
        highest = of_legal.max(axis=1)  # NaN where there is one among them
        if not np.isfinite(highest).all():  # or argmax would take the first of them, whatever it is
            raise BadAgent(
                say(
                    "The highest output of {name} for legal actions is {value}, and must be a finite number.",
                    name=name,
                    value=highest[~np.isfinite(highest)][0],
                )
            )
        actions: NDArray[np.integer] = of_legal.argmax(axis=1)
        return actions

    return ArrayAgent(name, act)


def _is_fixed(length: object) -> bool:
    """Whether a network says how long its input is here; a name or nothing stands for any length."""
    return isinstance(length, int) and length > 0


def _fits(theirs: Sequence[object], ours: Sequence[int]) -> bool:
    """Whether a network takes arrays of our shape."""
    return len(theirs) == len(ours) and all(
        one == length or not _is_fixed(one) for one, length in zip(theirs, ours, strict=True)
    )


def _written(shape: Sequence[object]) -> str:
    """A shape in a sentence, as in `n x 4 x 5`."""
    return " x ".join(str(length) if _is_fixed(length) else "n" for length in shape)


class OpenSpielAgent:
    """Asks a bot of OpenSpiel, which `make` makes for a `pyspiel.Game`."""

    def __init__(self, name: str, make: "Callable[[QuetGame], Bot]") -> None:
        self.name, self._make = name, make
        self._bots: dict[str, tuple[QuetGame, Bot]] = {}  # of a game's text

    def moves(self, games: Sequence[Game]) -> list[str]:
        """As for every Agent. Raises MissingExtra without OpenSpiel, BadAgent, and as `Form.check_moves`."""
        from .openspiel import bot_action, loaded

        if games:
            Form(games[0].id, games[0].parameters).check_moves()
        chosen = []
        for game in games:
            if game.start:
                raise BadAgent(say("OpenSpiel knows no games that begin with a position on paper."))
            text = f"{game.id}({written(game.parameters)})"
            if text not in self._bots:
                made = loaded(game.id, game.parameters)
                self._bots[text] = made, self._make(made)
            theirs, bot = self._bots[text]
            chosen.append(bot_action(theirs, bot, game.moves))
        return chosen


class UgiAgent:
    """Asks an engine that speaks the protocol (docs/protocol.md), a process of its own; `close` ends it."""

    def __init__(self, command: str, go: str = GO, name: str = "", seconds: float = LONGEST_ANSWER) -> None:
        """`go` is the command that makes it choose; within `seconds` it must have answered. Raises BadAgent, and
        BadParameter for what is no such command.
        """
        if not (isinstance(go, str) and go.startswith("go ") and go.isprintable()):
            raise BadParameter(
                say("An engine chooses by a command such as go movetime 100, not {command}.", command=shown(go))
            )
        self.name, self._go, self._seconds = name or command, go, seconds
        self._of: tuple[object, ...] = ()  # the game that the engine has
        self._read = b""
        try:
            words = shlex.split(command)
            if not words:
                raise BadAgent(say("Name the command of the engine, as in {example}.", example=f"{UGI}quet ugi"))
            self._process = subprocess.Popen(
                words, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except (OSError, ValueError) as error:
            raise BadAgent(say("The engine {command} can't be started.", command=shown(command))) from error
        assert self._process.stdin is not None
        self._end = weakref.finalize(self, _ended, self._process)  # where nobody closes it
        os.set_blocking(self._process.stdin.fileno(), False)  # an engine that doesn't read mustn't stop us either
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
            raise BadAgent(say("The engine {name} has ended.", name=self.name)) from error

    def _line(self, deadline: float) -> str:
        assert self._process.stdout is not None
        while b"\n" not in self._read:
            self._wait(deadline, reading=[self._process.stdout.fileno()])
            found = os.read(self._process.stdout.fileno(), 1 << 16)
            if not found:
                raise BadAgent(say("The engine {name} has ended.", name=self.name))
            self._read += found
            if len(self._read) > LONGEST_LINE:
                raise BadAgent(say("The engine {name} says too much at once.", name=self.name))
        line, _, self._read = self._read.partition(b"\n")
        return line.decode("utf-8", "replace")

    def _wait(self, deadline: float, reading: Sequence[int] = (), writing: Sequence[int] = ()) -> None:
        """Wait for a pipe. An engine that always has something to say is too late after the deadline, too."""
        left = deadline - time.monotonic()
        if left <= 0 or not any(select.select(reading, writing, [], left)):
            self.close()
            raise BadAgent(
                say("The engine {name} didn't answer within {seconds} s.", name=self.name, seconds=f"{self._seconds:g}")
            )


def _ended(process: subprocess.Popen[bytes]) -> None:
    """End an engine."""
    process.kill()
    assert process.stdin is not None and process.stdout is not None
    process.stdin.close()
    process.stdout.close()  # unread, since a process that the engine started may go on writing to it
    process.wait()
