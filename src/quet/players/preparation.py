"""Compiles what computer players need, in a process of its own, so that nobody waits for it.

Run as a module with the names of games, this is that process. It has each game's searches compiled by using them, and
each function is kept as soon as it is ready. After each step it prints how many it has done, and of how many.
"""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from .. import catalog
from ..core.errors import QuetError
from ..core.parameters import Parameter
from ..game import Game, new
from ..knowledge.values import exact_values
from .levels import LEVELS, LevelPlayer

NICENESS = 10  # games in play come first
SOLVING_SECONDS = 1.0  # for a small game, whose whole solver is compiled


class Preparation:
    """Compiling that is under way in another process."""

    def __init__(self, game_ids: Sequence[str] = ()) -> None:
        """Begin to compile for these games, in this order, or for all games."""
        self._is_over = threading.Event()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, *game_ids],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        threading.Thread(target=self._listen, name="preparation", daemon=True).start()

    @property
    def is_over(self) -> bool:
        """Whether the process has ended: all is compiled, or what is not won't be."""
        return self._is_over.is_set()

    def end(self) -> None:
        """End the process at once; the functions that it has compiled are kept."""
        self._process.kill()
        self._is_over.wait()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for _ in self._process.stdout:
            pass
        self._process.stdout.close()
        self._process.wait()
        self._is_over.set()


def steps(game_ids: Sequence[str]) -> list[Callable[[], object]]:
    """What compiles all that the computer players of these games use: their searches first, and then the solvers."""
    games = [new(game_id) for game_id in game_ids]
    searches = [partial(_search, game, "level:1") for game in games]
    sensible = [partial(_search, game, "level:6") for game in games if game.entry.sensible is not None]
    solvers = [partial(exact_values, size, seconds=SOLVING_SECONDS) for game in games for size in _sizes(game)]
    return [*searches, *sensible, *solvers]


def _search(game: Game, level: str) -> None:
    """Search for two moves of a game; the second search keeps what the first has found."""
    player = LevelPlayer(LEVELS[level], 1, num_threads=1)
    game = game.copy()
    for _ in range(2):
        if not game.is_over:
            player.think(game, simulations=1)
            game.push(game.legal_numbers()[0])


def _sizes(game: Game) -> Iterator[Game]:
    """The game, and a smaller one; they may have solvers of different kinds."""
    if game.num_players <= 2:
        yield game
        smaller = {
            parameter.name: max(parameter.low, parameter.default // 2)
            for parameter in game.rules.PARAMETERS
            if isinstance(parameter, Parameter)
        }
        with contextlib.suppress(QuetError):
            small = new(game.id, **smaller)
            if small.num_players == game.num_players and not small.is_over:
                yield small


def main(words: Sequence[str]) -> None:
    """Compile for the games named, or for all of them."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    wanted = steps(words or catalog.ids())
    for number, step in enumerate(wanted):
        print(number, len(wanted), flush=True)
        with contextlib.suppress(QuetError):  # what can't be compiled here fails where it is used, and says so there
            step()
    print(len(wanted), len(wanted), flush=True)


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):  # nobody waits for it any more
        main(sys.argv[1:])
