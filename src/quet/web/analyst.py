"""Analyses of games that are over. They run one at a time, each in its own process with a time limit, and are cached.

Run as a module, this is that process: it reads a record as JSON from standard input, and writes the analysis as JSON to
standard output.
"""

import asyncio
import json
import logging
import os
import sys
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TypedDict

from starlette.requests import HTTPConnection

from ..game import Game
from ..knowledge.values import exact_values
from ..knowledge.worth import Value, solved
from ..records import record as records
from ..study.analysis import Analysis, Assessment, analyse, turning_point

LONGEST = 400  # moves of a game that is analysed
SECONDS = 20.0  # for the searches of a game, shared by its moves
LEAST, MOST = 0.02, 0.5  # seconds for a move
LIMIT = 90.0  # seconds, after which an analysis that still runs is given up
TRIES = 2  # how often an analysis is tried whose process fails
MOST_WAITING = 20  # analyses in the queue
MOST_KEPT = 200

logger = logging.getLogger(__name__)
Key = tuple[str, int]  # a game on the site and its number of rows


@dataclass(frozen=True)
class Study:
    """The analysis of a game, with exact values where there are some."""

    analysis: Analysis
    exact: dict[int, dict[str, Value]]  # by the ply of each solved position: the value of each move there


class ToldValue(TypedDict):
    """A `Value` in JSON."""

    amount: float
    error: float
    is_exact: bool
    margin: int | None


class ToldMove(TypedDict):
    """An `Assessment` in JSON; it has more than is read."""

    ply: int
    mover: int
    move: str
    value: ToldValue
    best_move: str
    best: ToldValue
    line: list[str]


class Told(TypedDict):
    """What the process writes, as far as it is read."""

    settings: dict[str, float]
    moves: list[ToldMove]
    exact: dict[str, dict[str, int]]


@dataclass
class Analyst:
    """Makes studies in the background, and keeps the latest ones."""

    _found: OrderedDict[Key, Study | None] = field(default_factory=OrderedDict)  # None: given up
    _tasks: dict[Key, asyncio.Task[None]] = field(default_factory=dict)
    _turn: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))

    def has(self, key: Key) -> bool:
        """Whether the analysis has ended, with a study or without."""
        return key in self._found

    def is_asked(self, key: Key) -> bool:
        """Whether the analysis runs or waits."""
        return key in self._tasks

    def study(self, key: Key) -> Study | None:
        """The study, if it is ready; else None."""
        return self._found.get(key)

    def ask(self, key: Key, record: records.Record) -> bool:
        """Queue the game for analysis, unless it is queued or done. Return False if the queue is full."""
        if key in self._found or key in self._tasks:
            return True
        if len(self._tasks) >= MOST_WAITING:
            return False
        self._tasks[key] = asyncio.create_task(self._work(key, record))
        return True

    async def close(self) -> None:
        """Cancel all analyses."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, key: Key, record: records.Record) -> None:
        try:
            async with self._turn:
                found = await _analysed(record)
            self._found[key] = found
            while len(self._found) > MOST_KEPT:
                self._found.popitem(last=False)
        finally:
            del self._tasks[key]


def analyst_of(request: HTTPConnection) -> Analyst:
    """The analyst of the site that answers a request."""
    analyst = request.app.state.analyst
    assert isinstance(analyst, Analyst)
    return analyst


async def _analysed(record: records.Record) -> Study | None:
    """The study of a game, made by a process; None if the process was too slow or failed twice, which is logged."""
    text = json.dumps(record.json()).encode()
    for _ in range(TRIES):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __name__),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            output, errors = await asyncio.wait_for(process.communicate(text), LIMIT)
        except TimeoutError:
            logger.warning("An analysis of %s took longer than %g s.", record.game.id, LIMIT)
            return None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode == 0:
            return read(record.game, json.loads(output))
        words = errors.decode(errors="replace")[-2000:]
        logger.error("An analysis of %s ended with status %d: %s", record.game.id, process.returncode, words)
    return None


def read(game: Game, data: Told) -> Study:
    """The study that the process wrote."""
    assessments = [
        Assessment(
            ply=one["ply"],
            mover=one["mover"],
            move=one["move"],
            best_move=one["best_move"],
            value=Value(**one["value"]),
            best=Value(**one["best"]),
            line=tuple(one["line"]),
        )
        for one in data["moves"]
    ]
    exact = {
        int(ply): {move: solved(game.at(int(ply)), advantage) for move, advantage in values.items()}
        for ply, values in data["exact"].items()
    }
    # JSON keeps only the English of a message, so the turning points are worked out again.
    judged = [replace(one, turning_point=turning_point(one, game)) for one in assessments]
    return Study(Analysis(game, data["settings"], judged), exact)


def find(game: Game) -> dict[str, object]:
    """The analysis of a game, with the exact values of all moves from its first solved position on."""
    start = time.monotonic()
    seconds = min(MOST, max(LEAST, SECONDS / game.ply))
    analysis = analyse(game, seconds=seconds)
    exact: dict[int, dict[str, int]] = {}
    for one in reversed(analysis.assessments):
        if not one.best.is_exact or time.monotonic() - start > 2 * SECONDS:
            break
        values = exact_values(game.at(one.ply - 1), seconds=seconds)
        if values is None:
            break
        exact[one.ply - 1] = values
    return analysis.json() | {"exact": exact}


def main() -> None:
    """Analyse the game on standard input."""
    ender = threading.Timer(1.5 * LIMIT, os._exit, [1])  # even if the process that started this one has gone
    ender.daemon = True
    ender.start()
    os.nice(10)  # games in play come first
    record = records.read(sys.stdin.read())
    json.dump(find(record.game), sys.stdout)


if __name__ == "__main__":
    main()
