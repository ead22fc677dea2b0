"""Compiles what computer players need, in a process of its own, so that nobody waits for it.

Run as a module with the names of games, this is that process. It has each game's searches compiled by using them, and
each function is kept as soon as it is ready. After each step it prints how many it has done, and of how many.
"""

import contextlib
import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

from .. import catalog
from ..core.errors import QuetError
from ..core.parameters import Parameter
from ..core.rules import module_name
from ..engine import cache
from ..engine.beside import own_output
from ..engine.compiled import leave_compiling
from ..game import Game, new
from ..knowledge.ask import ask
from ..knowledge.known import Budget
from ..knowledge.values import exact_values
from ..learning.weights import sizes
from .levels import LEVELS, PLAIN, LevelPlayer

NICENESS = 10  # of compiling for all games: those in play come first
STEP_SECONDS = 4.0  # that a step takes, as a guess
LOOKS = 1_000  # positions that a search with learned weights looks at, so that it looks further than a ply ahead
ENDGAME = 3  # plies
MANY = 3  # players, for whom there are solvers of their own
SOLVING_SECONDS = 0.2  # for a small game, whose whole solver is compiled


class Preparation:
    """Compiling that is under way in another process."""

    def __init__(self, game_ids: Sequence[str] = ()) -> None:
        """Begin to compile for these games, in this order, or for all games."""
        self._step, self._total = 0, 1
        self._step_begun = time.monotonic()
        cache.settle_folder()  # the process and the caller share one folder
        self._is_over = threading.Event()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, *game_ids],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            errors="replace",
        )
        threading.Thread(target=self._listen, name="preparation", daemon=True).start()

    @property
    def is_over(self) -> bool:
        """Whether the process has ended. It compiles nothing more, even if something is missing."""
        return self._is_over.is_set()

    @property
    def progress(self) -> float:
        """How much is done, from 0 to 1. Within a step it is a guess by its time."""
        if self.is_over:
            return 1.0
        within = 1.0 - math.exp((self._step_begun - time.monotonic()) / STEP_SECONDS)
        return (self._step + within) / self._total

    def end(self) -> None:
        """End the process at once; the functions that it has compiled are kept."""
        self._process.kill()
        self._is_over.wait()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                with contextlib.suppress(ValueError):  # of a line that somebody else has printed there
                    step, total = map(int, line.split())
                    self._step, self._total, self._step_begun = step, max(total, 1), time.monotonic()
            self._process.stdout.close()
            self._process.wait()
        finally:  # whoever ends this waits for it
            self._is_over.set()


class Beside:
    """Compiles beside a person who plays: for each game, from the first move on that was found in plain Python.

    Nothing is compiled in this process, so that nobody waits for it, unless the other process couldn't keep its code.
    """

    def __init__(self) -> None:
        self._preparations: dict[str, Preparation] = {}
        leave_compiling()

    def moved(self, game_id: str, stand_in: str) -> None:
        """Note that a computer player, or `stand_in` in its place, has chosen a move of this game, or given a hint."""
        if stand_in == PLAIN:
            begun = self._preparations.get(game_id)
            if begun is None:
                self._preparations[game_id] = Preparation([game_id])
            elif begun.is_over:
                leave_compiling(leave=False)

    def under_way(self, game_id: str) -> Preparation | None:
        """The preparation of this game, unless it is over or was never begun."""
        found = self._preparations.get(game_id)
        return None if found is None or found.is_over else found

    def end(self) -> None:
        """End what is under way; from now on this process compiles again."""
        for preparation in self._preparations.values():
            preparation.end()
        leave_compiling(leave=False)


def steps(game_ids: Sequence[str]) -> list[Callable[[], object]]:
    """What compiles all that the computer players of these games use: their searches first, and then the solvers."""
    games = [new(game_id) for game_id in game_ids]
    searches = [partial(_search, game, "level:1") for game in games]
    strongest = [
        partial(_search, game, "level:6") for game in games if game.entry.sensible or game.entry.planner is not None
    ]
    learned = [  # one size is enough: code is the same for all sizes of a game
        partial(_search, new(game.id, **parameters), "level:6", LOOKS)
        for game in games
        for parameters in sizes(game.entry)[:1]
    ]
    solvers = [
        partial(exact_values, size, seconds=SOLVING_SECONDS) for game in games for size in [*_sizes(game), *_late(game)]
    ]
    many = [partial(ask, small, Budget(SOLVING_SECONDS)) for game in games for small in _of_many(game)]
    return [*searches, *strongest, *learned, *many, *solvers]


def _stamp(game_ids: Sequence[str]) -> Path:
    """A file that says that all is compiled for these games by the code and the compilers of today."""
    files = cache.sources(f"{__package__}.preparation")
    for game_id in game_ids:
        rules = module_name(catalog.get(game_id).rules)
        files |= {f"{game_id} {file.name}": file for file in cache.sources(rules)[rules].parent.glob("*.py")}
    return cache.cache_folder() / "prepared" / cache.digest(files)


def _search(game: Game, level: str, simulations: int = 1) -> None:
    """Search for two moves of a game; the second search keeps what the first has found."""
    player = LevelPlayer(LEVELS[level], 1, num_threads=1)
    game = game.copy()
    for _ in range(2):
        if not game.is_over:
            player.think(game, simulations=simulations)
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


def _of_many(game: Game) -> Iterator[Game]:
    """A small game for three, after a move, as the table of results may know its start; none without a solver."""
    size, *others = (one for one in game.rules.PARAMETERS if isinstance(one, Parameter))
    for parameter in others if game.entry.solve is not None else []:
        with contextlib.suppress(QuetError):
            small = new(game.id, **{size.name: max(size.low, size.default // 2), parameter.name: MANY})
            if small.num_players == MANY:
                yield small.after(small.legal_moves[-1])
                return


def _late(game: Game) -> Iterator[Game]:
    """Positions near the end of sizes that are too large to be solved from the start: other code may solve them.

    The smallest whose table of all positions isn't quick, and the smallest and the largest whose keys don't fit, as the
    moves that are keys then need more or fewer bits.
    """
    has, size = game.entry.capabilities, game.rules.PARAMETERS[0]
    if game.num_players > 2 or not isinstance(size, Parameter):
        return
    table, keys = has.table, has.keys
    starts = [new(game.id, **{size.name: number}) for number in range(size.default, size.high + 1)]
    late = [] if table is None else [start for start in starts if not table.is_quick(start.state)][:1]
    if keys is not None and has.any_order is not None:
        beyond = [start for start in starts if not keys.fits(start.state)]
        late += [*beyond[:1], *beyond[1:][-1:]]
    for start in late:
        while not start.is_over:
            start.push(start.legal_numbers()[0])
        yield start.at(start.ply - ENDGAME)


def main(words: Sequence[str], out: TextIO | None = None) -> None:
    """Compile for the games named, or for all of them; `out` is told how far it is, by default standard output."""
    if not words and hasattr(os, "nice"):
        os.nice(NICENESS)
    wanted = steps(words or catalog.ids())
    stamp = _stamp(words or catalog.ids())
    if stamp.exists():
        return
    for number, step in enumerate(wanted):
        print(number, len(wanted), file=out, flush=True)
        with contextlib.suppress(QuetError):  # what can't be compiled here fails where it is used, and says so there
            step()
    print(len(wanted), len(wanted), file=out, flush=True)
    with contextlib.suppress(OSError):
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):  # nobody waits for it any more
        main(sys.argv[1:], own_output())
