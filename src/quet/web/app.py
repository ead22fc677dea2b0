"""The application: it puts the parts of the site and the views together."""

import asyncio
import gc
import importlib
import logging
import multiprocessing
import os
import pkgutil
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext, suppress
from math import ceil
from multiprocessing.connection import wait
from types import FrameType

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from .. import __version__
from ..core.errors import BadParameter, QuetError, one_line
from ..core.messages import say
from . import views
from .acts import Acts
from .analyst import Analyst
from .computers import Computers
from .errors import Away, Later, SiteError, status_of
from .gate import Gate, before_refusal
from .hub import Hub
from .i18n import LanguageMiddleware, gettext, said
from .limits import Limiter
from .little_boards import draw_all
from .metrics import Metrics
from .middleware import Envelope, Zip
from .pages import compile_all, refused
from .pictures import Pictures
from .preferences import PreferencesCookie
from .puzzle_scores import ScoresCookie
from .settings import Settings
from .site import Site, count_page
from .storage.database import Database
from .storage.outage import LOG_SECONDS
from .storage.serving import with_others
from .storage.store import Store
from .storage.studies import Studies
from .timeouts import keep_time, let_time_fall
from .views import play
from .visitors import Visitors
from .workshop import Workshop

log = logging.getLogger(__name__)

SWITCH_SECONDS = 0.0005  # how long a thread that makes a page may keep the loop, which serves moves, waiting
GC_THRESHOLDS = (20_000, 20, 50)
AGAIN_SECONDS = 1.0  # between tries to open the database
QUIET_SECONDS = 2.0  # in which a server that begins answers those who wait for it already
SMALLEST_ZIPPED = 1_000  # bytes
ZIP_LEVEL = 5
# The router tries these first: each address that doesn't match costs time, and `/study/{id}` would match
# `/study/position`, too.
FIRST = ("play", "events", "study_position")


def from_environment() -> FastAPI:
    """The application with the settings of the environment, for servers that import it."""
    app = create_app(Settings.from_environment())
    # The garbage collector skips the modules from here on, and looks through the matches less often.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_SECONDS)
    return app


def create_app(settings: Settings) -> FastAPI:
    """The application. The database is opened, and brought up to date, when the server starts."""
    database = Database(settings.database_url)
    limits = settings.limits
    store = Store(
        database,
        games_per_day=limits.games_per_day,
        address_games_per_day=limits.address_games_per_day,
        address_waiting=limits.address_waiting,
        key=settings.secret_key,
    )
    site = Site(
        store=store,
        acts=Acts(store),
        hub=Hub(store, is_alone=settings.workers == 1),
        computers=Computers(
            store, number=settings.computers, seconds=settings.computer_seconds, prepares=settings.prepares
        ),
        visitors=Visitors(settings.secret_key),
        limiter=Limiter(limits),
        workshop=Workshop(settings.workshop),
        slow_workshop=Workshop(1),
        pictures=Pictures(),
        metrics=Metrics(),
    )
    database.outage.on_change = site.metrics.outage
    app = FastAPI(title="Quet", version=__version__, lifespan=_live, openapi_url=None)
    app.state.site, app.state.analyst = site, Analyst(Studies(database, store.clock.now))
    app.state.fingerprint = settings.fingerprint
    app.state.metrics_token, app.state.archive_days = settings.metrics_token, settings.archive_days
    app.state.preferences = PreferencesCookie(settings.secret_key)
    app.state.puzzle_scores = ScoresCookie(settings.secret_key)
    app.state.hosts = settings.hosts
    app.state.workers, app.state.docs = settings.workers, settings.docs
    app.add_middleware(Gate)
    app.add_middleware(Envelope, hosts=settings.hosts)
    app.add_middleware(LanguageMiddleware)
    app.add_middleware(Zip, minimum_size=SMALLEST_ZIPPED, compresslevel=ZIP_LEVEL)  # event streams never
    app.add_exception_handler(QuetError, _refuse)
    app.add_exception_handler(HTTPException, _refuse)
    app.add_exception_handler(RequestValidationError, _refuse)
    app.router.routes.append(play.busy)
    for module in sorted(pkgutil.iter_modules(views.__path__), key=lambda module: module.name not in FIRST):
        router = getattr(importlib.import_module(f"{views.__name__}.{module.name}"), "router", None)
        if router is not None:
            app.include_router(router, dependencies=[Depends(count_page)])
    return app


@asynccontextmanager
async def _live(app: FastAPI) -> AsyncIterator[None]:
    """Start the background tasks with the server, and end them with it."""
    site: Site = app.state.site
    parent = multiprocessing.parent_process()
    with nullcontext() if parent is None else with_others(site.store.database):
        if parent is not None:
            threading.Thread(target=_end_with, args=(parent.sentinel,), name="parent", daemon=True).start()
        async with _living(app, site):
            yield


def _end_with(parent: int) -> None:
    """End this server process when the one that started it has ended: nobody else could end it, or start another."""
    wait([parent])
    os.kill(os.getpid(), signal.SIGTERM)


@asynccontextmanager
async def _living(app: FastAPI, site: Site) -> AsyncIterator[None]:
    await _open(app, site)
    site.hub.start()
    site.computers.start()
    beside = (let_time_fall(site.store, app.state.archive_days), keep_time(site.store), _prepare())
    tasks = [asyncio.create_task(each) for each in beside]
    try:
        with _closing_on_signals(site.hub):
            yield
    finally:
        site.hub.close()
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                log.error("What ran beside the requests has failed.", exc_info=ended)
        await app.state.analyst.close()
        for workshop in (site.workshop, site.slow_workshop):
            await run_in_threadpool(workshop.close)
        await run_in_threadpool(site.computers.stop)
        await run_in_threadpool(site.hub.join)
        with suppress(Away):
            await run_in_threadpool(site.store.clock.end)
        site.store.database.close()


async def _open(app: FastAPI, site: Site) -> None:
    """Bring the database up to date, and have the site's clock go on.

    One of several server processes waits as long as the database can't be opened: uvicorn ends all of them when one
    doesn't start. Elsewhere this raises BadParameter or Away.
    """
    told_at = float("-inf")
    while True:
        try:
            await run_in_threadpool(site.store.database.upgrade, app.state.fingerprint)
            site.store.clock.is_alone = site.store.database.is_sqlite and app.state.workers == 1
            await run_in_threadpool(site.store.clock.begin)
            return
        except (BadParameter, Away) as error:
            if multiprocessing.parent_process() is None:
                raise
            if time.monotonic() >= told_at + LOG_SECONDS:
                told_at = time.monotonic()
                log.error("A server process can't start yet: %s", one_line(error))
        if _is_told_to_end():
            os._exit(0)  # nothing has begun that would have to be ended
        await asyncio.sleep(AGAIN_SECONDS)


def _is_told_to_end() -> bool:
    """Whether a signal has told the server to end. uvicorn notes it, and looks only when the server has started."""
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)  # its handler is a method
    return bool(getattr(server, "should_exit", False))


async def _prepare() -> None:
    """Do now what would make a first visitor wait, and hold up every move meanwhile."""
    await asyncio.sleep(QUIET_SECONDS)
    await run_in_threadpool(compile_all)
    await draw_all()


@contextmanager
def _closing_on_signals(hub: Hub) -> Iterator[None]:
    """End the event streams when the server is told to end.

    It waits for all answers, and a stream never ends by itself.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def close(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(hub.close)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    mine = [number for number, handler in before.items() if callable(handler)]  # others keep their default effect
    for number in mine:
        signal.signal(number, close)
    try:
        yield
    finally:
        for number in mine:
            signal.signal(number, before[number])


async def _refuse(request: Request, error: Exception) -> Response:
    """Answer an error with a page, or with JSON, that says what is wrong, when it is the turn of the request."""
    try:
        await before_refusal(request)
    except Later as later:
        error = later
    if isinstance(error, QuetError):
        status = status_of(error)
        if status >= 500 and not isinstance(error, Later):
            raise error
        wait = ceil(error.wait) if isinstance(error, Later) else 0
        leads_to = error.leads_to if isinstance(error, SiteError) else ""
        return refused(request, status, one_line(said(error)), wait, leads_to)
    if isinstance(error, HTTPException):
        answer = refused(
            request, error.status_code, said(_SENTENCES.get(error.status_code, say("This can't be done.")))
        )
        for name, value in (error.headers or {}).items():
            answer.headers[name] = value
        return answer
    return refused(request, 400, gettext("A part of the address, or a field, can't be read."))


_SENTENCES = {
    404: say("There is no such page."),
    405: say("This page can't be asked in that way."),
}
