"""Agents, whatever they are: functions, computer players, engines, bots of OpenSpiel, networks in ONNX files.

An agent is asked for moves in many positions at once. `agent` makes one of anything that can choose a move.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import shown
from ..core.errors import BadParameter
from ..core.extras import needs
from ..core.messages import say
from ..core.parameters import written
from ..core.quoting import shorten
from ..game import Game
from ..players import agents as players
from ..players.agents import GO, ONNX, UGI, Agent, Anyone, BadAgent, Function, UgiAgent
from .forms import Form

if TYPE_CHECKING:
    from .openspiel import Bot, QuetGame

__all__ = [
    "GO",
    "ONNX",
    "UGI",
    "Agent",
    "Anyone",
    "ArrayAgent",
    "BadAgent",
    "Function",
    "OpenSpielAgent",
    "UgiAgent",
    "agent",
    "asking",
    "onnx",
]

Arrays = Callable[
    [NDArray[np.float32], NDArray[np.bool_]], NDArray[np.integer]
]  # from observations and masks to actions


def agent(what: Anyone, *, seed: int | None = None, go: str = GO) -> Agent:
    """An agent of anything that chooses moves.

    A function of a position; an object with a method `choose`, as `quet.player` makes them, or with `moves`; the name
    of a computer player, with the seed; `ugi:COMMAND`, an engine that speaks the protocol, which `go` makes choose; the
    name of a file that ends with .onnx.
    Bots of OpenSpiel are made agents by `OpenSpielAgent`, functions of arrays by `ArrayAgent`. Raises BadParameter.
    """
    if isinstance(what, str) and what.endswith(ONNX) and not what.startswith(UGI):
        return onnx(what)
    return players.agent(what, seed=seed, go=go)


def asking(what: Anyone, *, seed: int | None = None) -> AbstractContextManager[Agent]:
    """As `agent`, for a while, and its moves are checked: it raises BadAgent for one that isn't legal.

    An engine that was started for its name is ended then; an agent that was given isn't.
    """
    return players.asking(agent(what, seed=seed), is_ours=isinstance(what, str))


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
    if not os.path.exists(file):  # noqa: PTH110 - a Path raises OSError for a name that is too long
        raise BadAgent(say("There is no file {file}.", file=shown(os.fspath(file))))
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
