"""Analyses of games, and looks at positions. Each kind has a process of its own, and the latest are kept.

Analyses are kept in the database, too: what several server processes say of a game would differ else, as the searches
of an analysis do. The first one that is finished counts.

An analysis takes up to a minute and a half, a look some seconds, so no look waits for an analysis.

Both are kept by what was played, so that one game is analysed once, whoever asks on whichever page. Whoever waits has a
turn as in every workshop: addresses take turns, and visitors of an address. A look at a position that a visitor has
left gives way to the look at the next one.
"""

import asyncio
import hashlib
import logging
from collections import OrderedDict
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from .. import __version__
from ..core.clock import clock
from ..game import Game
from ..knowledge.worth import Value, solved
from ..records import record as records
from ..study import look
from ..study.analysis import analyse
from ..study.outlook import exactly
from .errors import Away, Busy, TooLong
from .storage.studies import Studies
from .study_text import Study, read, written
from .turns import Asker
from .workshop import Progress, Workshop, report

LONGEST = 400  # moves of a game that is analysed
SECONDS = 20.0  # for the searches of a game, shared by its moves
LEAST, MOST = 0.02, 0.5  # seconds for a move
LIMIT = 90.0  # seconds without compiling, after which an analysis that still runs is given up
MOST_WAITING = 20  # analyses in their queue, and looks in theirs
MOST_KEPT = 200
MOST_LOOKS = 1_000

MADE_BY = f"1 {__version__}"  # of analyses: raise the first number where they, or what is written of them, change

log = logging.getLogger(__name__)
Key = str  # a digest of a game: its parameters, where it begins, and its moves


def key_of(game: Game) -> Key:
    """What tells games apart that are analysed."""
    parameters = [f"{name}={value}" for name, value in game.parameters.items()]
    rules = f"{game.id} {game.rules.VERSION}"
    return hashlib.sha256("\0".join([rules, *parameters, game.start, *game.moves]).encode()).hexdigest()


@dataclass(frozen=True)
class _Looking:
    """A look that runs or waits."""

    asker: Asker
    turn: "asyncio.Future[None]"
    task: "asyncio.Task[None]"


class Analyst:
    """Makes studies in the background, and keeps the latest ones."""

    def __init__(self, studies: Studies | None = None) -> None:
        """`studies` are those that all processes share, if they do."""
        self._studies = studies
        self.workshop = Workshop(1, seconds=LIMIT, most_waiting=MOST_WAITING)
        self.workshop_of_looks = Workshop(1, seconds=LIMIT, most_waiting=MOST_WAITING)
        self._found: OrderedDict[Key, Study | None] = OrderedDict()  # None: given up
        self._tasks: dict[Key, asyncio.Task[None]] = {}
        self._progress: dict[Key, Progress] = {}
        self._looks: OrderedDict[Key, look.Look | None] = OrderedDict()
        self._looking: dict[Key, _Looking] = {}

    def has(self, key: Key) -> bool:
        """Whether the analysis has ended, with a study or without."""
        return key in self._found

    def is_asked(self, key: Key) -> bool:
        """Whether the analysis runs or waits."""
        return key in self._tasks

    def progress(self, key: Key) -> Progress | None:
        """How many moves of a game that is being analysed are judged; None while it waits."""
        return self._progress.get(key)

    def study(self, key: Key) -> Study | None:
        """The study, if it is ready; else None."""
        return self._found.get(key)

    def recall(self, key: Key, game: Game) -> Study | None:
        """The study of this game, if it is ready: also one that another process has made. Every thread may call it."""
        if self.study(key) is None and (content := self._kept(key)) is not None:
            try:
                self._know(key, read(content, game))
            except Exception:  # the page of the game can do without it
                log.exception("A kept analysis can't be read.")
        return self.study(key)

    def ask(self, asker: Asker, key: Key, record: str) -> bool:
        """Queue the game of a record for analysis, unless it is queued or done. Return False if the queue is full.

        The record is a text, here and in `ask_look`: to read it may take long, so the workshop does it.
        """
        if key in self._found or key in self._tasks:
            return True
        try:
            turn = self.workshop.ask(asker)
        except Busy:
            return False
        self._tasks[key] = asyncio.create_task(self._work(turn, key, record))
        return True

    def knows_look(self, key: Key) -> bool:
        """Whether a look at this position has ended, with something known or without."""
        return key in self._looks

    def look(self, key: Key) -> look.Look | None:
        """What is known of a position that was looked at, if it is ready; else None."""
        if key in self._looks:
            self._looks.move_to_end(key)
        return self._looks.get(key)

    def is_looking(self, key: Key) -> bool:
        """Whether a look at this position runs or waits."""
        return key in self._looking

    def ask_look(self, asker: Asker, key: Key, record: str) -> bool:
        """Queue a look at the position in which a record ends, in the place of the last one that the asker waits for.

        Return False if the queue is full.
        """
        if key in self._looks or self.is_looking(key):
            return True
        for other, looking in list(self._looking.items()):
            if looking.asker == asker and not looking.turn.done():  # one that runs is soon found, and kept
                self._leave(other)
        try:
            turn = self.workshop_of_looks.ask(asker)
        except Busy:
            return False
        self._looking[key] = _Looking(asker, turn, asyncio.create_task(self._look(turn, key, record)))
        return True

    async def close(self) -> None:
        """Cancel all analyses and looks."""
        tasks = [*self._tasks.values(), *(one.task for one in self._looking.values())]
        for task in tasks:
            task.cancel()
        self.workshop.close()
        self.workshop_of_looks.close()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _leave(self, key: Key) -> None:
        """Give up a look whose turn hasn't come."""
        looking = self._looking.pop(key)
        self.workshop_of_looks.give_up(looking.turn)  # a task that is cancelled before its first step never would
        looking.task.cancel()

    async def _look(self, turn: "asyncio.Future[None]", key: Key, record: str) -> None:
        found = None
        try:
            found = await self.workshop_of_looks.do_in_turn(turn, find_look, record)
        except Busy:
            return
        except TooLong:
            pass
        except Exception:
            log.exception("A look at %s has failed.", _first_line(record))
        finally:
            if key in self._looking and self._looking[key].turn is turn:  # else it was left, and is perhaps asked again
                del self._looking[key]
        self._looks[key] = found
        while len(self._looks) > MOST_LOOKS:
            self._looks.popitem(last=False)

    async def _work(self, turn: "asyncio.Future[None]", key: Key, record: str) -> None:
        study = None
        try:
            content = await run_in_threadpool(self._kept, key)
            if content is not None:
                study = await self.workshop.do_in_turn(turn, read_study, record, content)
            else:
                study = await self.workshop.do_in_turn(
                    turn, find, record, hear=lambda progress: self._progress.__setitem__(key, progress)
                )
                study = await run_in_threadpool(self._first, key, study)
        except Busy:  # it gave way to a visitor with fewer in the queue; whoever looks at the page asks again
            return
        except TooLong:  # the workshop has written it to the log
            pass
        except Exception:  # one that fails must be kept as failed, or the page would ask for it again and again
            log.exception("An analysis of %s has failed.", _first_line(record))
        finally:
            del self._tasks[key]
            self._progress.pop(key, None)
        self._know(key, study)

    def _know(self, key: Key, study: Study | None) -> None:
        self._found[key] = study
        while len(self._found) > MOST_KEPT:
            self._found.popitem(last=False)

    def _kept(self, key: Key) -> bytes | None:
        """What the database has of this game. Raises nothing: what can't be read is made again."""
        if self._studies is None:
            return None
        try:
            return self._studies.of(key, MADE_BY)
        except Away:
            return None
        except Exception:  # the table may be gone, where a dump of an older version was restored
            log.exception("Kept analyses can't be read.")
            return None

    def _first(self, key: Key, study: Study) -> Study:
        """The study that counts, of this one and what another process may have made meanwhile."""
        if self._studies is None:
            return study
        try:
            content = self._studies.keep(key, MADE_BY, written(study))
        except Away:
            return study
        return read(content, study.analysis.game)


def analyst_of(request: HTTPConnection) -> Analyst:
    """The analyst of the site that answers a request."""
    analyst = request.app.state.analyst
    assert isinstance(analyst, Analyst)
    return analyst


def _first_line(record: str) -> str:
    """The line that names the game."""
    return record.partition("\n")[0]


def find(text: str) -> Study:
    """The analysis of the game of a record, with the exact values of all moves from its first solved position on."""
    game = records.read(text).game
    start = clock()
    seconds = min(MOST, max(LEAST, SECONDS / game.ply))
    analysis = analyse(game, seconds=seconds, report=lambda done: report(done, game.ply))
    exact: dict[int, dict[str, Value]] = {}
    for one in reversed(analysis.assessments):
        if not one.best.is_exact or clock() - start > 2 * SECONDS:
            break
        before = game.at(one.ply - 1)
        known = exactly(before, seconds)
        if known is None:
            break
        exact[one.ply - 1] = {move: solved(before, each, known.how) for move, each in known.advantages.items()}
    return Study(analysis, exact)


def read_study(text: str, content: bytes) -> Study:
    """The study that was written of the game of a record."""
    return read(content, records.read(text).game)


def find_look(text: str) -> look.Look:
    """What is known of the position in which a record ends."""
    return look.look(records.read(text).game)
