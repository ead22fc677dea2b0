"""Confirms `quet solve` beyond the table of records: games of three and four, and how many of Up And Up there are.

    python -m quet.records.beyond [GAME ...] [--time S]

For maintainers. Each answer of `quet solve` is found again by a second way, and both are compared; nothing is written.
"""

import argparse
import contextlib
import importlib
import sys
import time
from collections.abc import Iterator
from typing import Any

from .. import catalog
from ..core.errors import BrokenRules, QuetError, one_line
from ..play.game import Game, new
from ..solve.answer import Task
from ..solve.ask import answer

Found = list[int] | dict[int, int]  # the scores of all players, or how many games there are of each score
SECONDS = 600.0
SIZES: dict[str, dict[int, range]] = {  # by the number of players
    "convoluted-coprimality": {3: range(2, 21), 4: range(2, 21)},
    "divisors-multiples": {3: range(2, 23), 4: range(2, 21)},
    "up-and-up": {1: range(1, 7)},
}


def main() -> int:
    """Confirm what can be; 1 where two ways disagree or something else is wrong."""
    parser = argparse.ArgumentParser(description="Find in two ways more than the table of records has.")
    parser.add_argument("games", metavar="GAME", nargs="*", help="only these games")
    parser.add_argument("--time", metavar="S", type=float, default=SECONDS, help="seconds for each way, at most")
    options = parser.parse_args()
    try:
        games = [catalog.get(id).id for id in options.games]
    except QuetError as error:
        parser.error(one_line(error))
    status = 0
    for id, players, size in plan():
        if games and id not in games:
            continue
        game = new(id, **parameters(id, players, size))
        print(f"{id} {' '.join(f'{name}={value}' for name, value in game.parameters.items())}: ", end="", flush=True)
        try:
            print(confirm(game, options.time), flush=True)
        except QuetError as error:
            print(f"FAIL  {one_line(error)}", flush=True)
            status = 1
        except KeyboardInterrupt:
            print("stopped.")
            return 130
    return status


def plan() -> Iterator[tuple[str, int, int]]:
    """Game, number of players and size of each question."""
    for id, by_players in SIZES.items():
        for players, sizes in by_players.items():
            for size in sizes:
                yield id, players, size


def parameters(id: str, players: int, size: int) -> dict[str, int]:
    size_name = catalog.get(id).rules.PARAMETERS[0].name
    return {size_name: size} if players == 1 else {size_name: size, "players": players}


def confirm(game: Game, seconds: float) -> str:
    """Find the answer in two ways; what came of it, as a sentence. Raises BrokenRules where they disagree."""
    found, again = _solved(game, seconds), _second(game, time.monotonic() + seconds)
    if found is None or again is None:
        return f"One of the two ways takes more than {seconds:g} seconds."
    if found != again:
        raise BrokenRules(f"Two ways disagree: {_words(found)} by quet solve, {_words(again)} by the other.")
    return f"{_words(found)}, in two ways."


def _solved(game: Game, seconds: float) -> Found | None:
    """What `quet solve` finds; None when the time is over before."""
    task, entry = Task(seconds=seconds), game.entry
    modules = {"exact": entry.exact, "local_search": entry.local_search, "own": entry.solve, "strategy": entry.strategy}
    with contextlib.closing(task.workers):
        found = answer(game.rules, game.state, task, **modules)
    return found.scores if game.num_players > 1 else found.counts.get("games of each score")


def _second(game: Game, until: float) -> Found | None:
    """What the second way finds."""
    way: Any = importlib.import_module(f"{__package__}.second.{game.id.replace('-', '_')}")
    size, *_ = game.parameters.values()
    found: Found | None = (
        way.scores(size, game.num_players, until) if game.num_players > 1 else way.num_games(size, until)
    )
    return found


def _words(found: Found) -> str:
    if isinstance(found, dict):
        return f"{sum(found.values())} games, {found[max(found)]} of them with {max(found)}"
    return ", ".join(map(str, found))


if __name__ == "__main__":
    sys.exit(main())
