"""Computer players, by name."""

import random
import threading
from typing import Protocol

from ..core.errors import BadParameter, NotCompiled
from ..core.grid import shorten
from ..core.messages import say
from ..game import Game
from ..knowledge.values import MEMORY, exact_values
from .levels import LEVELS, PLAIN, LevelPlayer


class Player(Protocol):
    """A computer player."""

    stand_in: str
    """Who chose the last move in its place: PLAIN for plain Python while code is compiled; empty for itself."""

    def choose(self, game: Game) -> str:
        """A legal move for the mover of a game that isn't over; the game is left as it is."""


class RandomPlayer:
    """Plays legal moves at random, all equally likely. The same seed plays the same moves."""

    stand_in = ""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, game: Game) -> str:
        """A legal move of this game, which isn't over."""
        return game.rules.move_text(game.state, self._random.choice(game.legal_numbers()))


class PerfectPlayer:
    """Plays a best move if a tablebase has the position or a few seconds solve it; else refuses.

    Where compiling is left to another process that hasn't ended, level:6 plays in its place, in plain Python.
    """

    stand_in = ""

    def __init__(self, seed: int | None = None, memory: int | None = None) -> None:
        """`memory` is the bytes of its tables of values, if it isn't the usual number."""
        self._random = random.Random(seed)
        self._seed = seed
        self._memory = memory

    def choose(self, game: Game, *, stop: threading.Event | None = None) -> str:
        """One of the best moves. Raises BadParameter where it isn't solved before `stop` is set."""
        self.stand_in = ""
        try:
            values = exact_values(game, memory=self._memory or MEMORY, stop=stop)
        except NotCompiled:
            self.stand_in = PLAIN
            return LevelPlayer(LEVELS["level:6"], self._seed, memory=self._memory).choose(game, stop=stop)
        if values is None:
            raise BadParameter(
                say(
                    "{title} can't be solved from here in a few seconds, so there is no level:perfect for it.",
                    title=game.entry.title,
                )
            )
        best = max(values.values())
        return self._random.choice([move for move, value in values.items() if value == best])


PLAYERS = ("random", *LEVELS, "level:perfect")


def player(
    name: str, seed: int | None = None, num_threads: int | None = None, memory: int | None = None
) -> "RandomPlayer | LevelPlayer | PerfectPlayer":
    """The computer player of this name; raises BadParameter. `memory` is the bytes of its search, if limited."""
    if name in LEVELS:
        return LevelPlayer(LEVELS[name], seed, num_threads, memory)
    if name == "random":
        return RandomPlayer(seed)
    if name == "level:perfect":
        return PerfectPlayer(seed, memory)
    raise BadParameter(
        say("There is no computer player {name}; there is {players}.", name=shorten(name), players=", ".join(PLAYERS))
    )
