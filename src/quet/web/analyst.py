"""Analyses of games that are over. A process of their own makes them, one after another, and the latest are kept."""

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from ..core.clock import clock
from ..knowledge.worth import Value, solved
from ..records import record as records
from ..study.analysis import Analysis, Assessment, analyse, exactly
from .errors import Busy, TooLong
from .turns import Asker
from .workshop import Workshop

LONGEST = 400  # moves of a game that is analysed
SECONDS = 20.0  # for the searches of a game, shared by its moves
LEAST, MOST = 0.02, 0.5  # seconds for a move
LIMIT = 90.0  # seconds without compiling, after which an analysis that still runs is given up
MOST_WAITING = 20  # analyses in the queue
MOST_KEPT = 200

log = logging.getLogger(__name__)
Key = tuple[str, int]  # a game on the site and its number of rows


@dataclass(frozen=True)
class Study:
    """The analysis of a game, with exact values where there are some."""

    analysis: Analysis
    exact: dict[int, dict[str, Value]]  # by the ply of each solved position: the value of each move there


@dataclass(frozen=True)
class Found:
    """What the process found: a study without its game."""

    settings: dict[str, float]
    assessments: list[Assessment]
    exact: dict[int, dict[str, Value]]


class Analyst:
    """Makes studies in the background, and keeps the latest ones."""

    def __init__(self) -> None:
        self.workshop = Workshop(1, seconds=LIMIT, most_waiting=MOST_WAITING)
        self._found: OrderedDict[Key, Study | None] = OrderedDict()  # None: given up
        self._tasks: dict[Key, asyncio.Task[None]] = {}

    def has(self, key: Key) -> bool:
        """Whether the analysis has ended, with a study or without."""
        return key in self._found

    def is_asked(self, key: Key) -> bool:
        """Whether the analysis runs or waits."""
        return key in self._tasks

    def study(self, key: Key) -> Study | None:
        """The study, if it is ready; else None."""
        return self._found.get(key)

    def ask(self, asker: Asker, key: Key, record: records.Record) -> bool:
        """Queue the game for analysis, unless it is queued or done. Return False if the queue is full."""
        if key in self._found or key in self._tasks:
            return True
        try:
            turn = self.workshop.ask(asker)
        except Busy:
            return False
        self._tasks[key] = asyncio.create_task(self._work(turn, key, record))
        return True

    async def close(self) -> None:
        """Cancel all analyses."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        self.workshop.close()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self, turn: "asyncio.Future[None]", key: Key, record: records.Record) -> None:
        study = None
        try:
            found = await self.workshop.do_in_turn(turn, find, record.text())
            study = Study(Analysis(record.game, found.settings, found.assessments), found.exact)
        except Busy:  # it gave way to a visitor with fewer in the queue; whoever looks at the page asks again
            return
        except TooLong:  # the workshop has written it to the log
            pass
        except Exception:
            log.exception("An analysis of %s has failed.", record.game.id)
        finally:
            del self._tasks[key]
        self._found[key] = study
        while len(self._found) > MOST_KEPT:
            self._found.popitem(last=False)


def analyst_of(request: HTTPConnection) -> Analyst:
    """The analyst of the site that answers a request."""
    analyst = request.app.state.analyst
    assert isinstance(analyst, Analyst)
    return analyst


def find(text: str) -> Found:
    """The analysis of a record, with the exact values of all moves from its first solved position on."""
    game = records.read(text).game
    start = clock()
    seconds = min(MOST, max(LEAST, SECONDS / game.ply))
    analysis = analyse(game, seconds=seconds)
    exact: dict[int, dict[str, Value]] = {}
    for one in reversed(analysis.assessments):
        if not one.best.is_exact or clock() - start > 2 * SECONDS:
            break
        before = game.at(one.ply - 1)
        known = exactly(before, seconds)
        if known is None:
            break
        exact[one.ply - 1] = {move: solved(before, each, known.how) for move, each in known.advantages.items()}
    return Found(dict(analysis.settings), list(analysis.assessments), exact)
