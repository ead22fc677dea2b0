"""The parts of a running site, and how a view reaches them."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import TypeVar, TypeVarTuple

from starlette.requests import HTTPConnection, Request

from .acts import Acts
from .computers import Computers
from .hub import Hub
from .limits import Limiter, address_of
from .metrics import Metrics
from .pictures import Pictures
from .storage.store import Store
from .turns import Asker, Pass
from .visitors import Visitor, Visitors
from .workshop import Workshop

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@dataclass(frozen=True)
class Site:
    """The parts of a running site."""

    store: Store
    acts: Acts
    hub: Hub
    computers: Computers
    visitors: Visitors
    limiter: Limiter
    workshop: Workshop
    slow_workshop: Workshop  # for what takes some seconds, so that what takes less doesn't wait for it
    pictures: Pictures
    metrics: Metrics


def site_of(request: HTTPConnection) -> Site:
    """The site that answers a request."""
    site = request.app.state.site
    assert isinstance(site, Site)
    return site


def now_of(request: HTTPConnection) -> float:
    """The time by the site's clock, in seconds since 1970."""
    return site_of(request).store.clock.now()


def today_of(request: HTTPConnection) -> date:
    """The day in UTC by the site's clock."""
    return date.fromisoformat(site_of(request).store.clock.date(now_of(request)))


def visitor_of(request: HTTPConnection) -> Visitor:
    """The visitor who sent the request. A new visitor gets an id here."""
    return site_of(request).visitors.of(request)


def asker_of(request: HTTPConnection) -> Asker:
    """Who sent the request. Those of an address who keep no cookie are one visitor."""
    visitor, address = visitor_of(request), address_of(request)
    return Asker(address, "" if visitor.is_new else visitor.id)


def turn_of(request: HTTPConnection) -> Pass:
    """The turn of the request at the gate."""
    turn = request.state.turn
    assert isinstance(turn, Pass)
    return turn


async def have_done(request: Request, function: Callable[[*Ts], T], *arguments: *Ts, is_slow: bool = False) -> T:
    """Have the workshop do work for the visitor, or the slow workshop what usually takes seconds.

    Returns and raises as `Workshop.do`. Others have the turn meanwhile.
    """
    turn_of(request).give_back()
    workshop = site_of(request).slow_workshop if is_slow else site_of(request).workshop
    return await workshop.do(asker_of(request), function, *arguments, is_gone=request.is_disconnected)


FREE = ("/metrics", "/static/{name}")  # not counted: cheap or cached
PROBED = ("/health", "/ready")  # not counted once a second: who looks after the site asks for them now and then
PAGE_BYTES = 50_000  # a larger answer counts as several pages, as it took longer to make


def count(request: HTTPConnection, kind: str) -> None:
    """Count one more of a kind, as `Limiter.check`; raises TooMany."""
    site_of(request).limiter.check(kind, visitor_of(request), address_of(request), time.time())


def count_more(request: HTTPConnection, pages: int) -> None:
    """Count an answer as so many further pages; it is made already."""
    site_of(request).limiter.charge(visitor_of(request), address_of(request), time.time(), pages)


async def count_page(request: Request) -> None:
    """Count a request for a page; raises TooMany."""
    if _is_counted(request):
        count(request, "pages")


def count_refused(request: Request) -> None:
    """Count a request for a page that is refused as one, unless `count_page` did; raises TooMany."""
    if request.method == "GET" and not _is_counted(request):
        count(request, "pages")


def count_form(request: Request) -> None:
    """Count a request that isn't for a page as refused, until its form is taken; raises TooMany."""
    count(request, "refused")


def take_form(request: Request, costs: str) -> None:
    """Count a form that can be read as what it `costs`, and no longer as refused; raises TooMany."""
    limiter, visitor, address, now = site_of(request).limiter, visitor_of(request), address_of(request), time.time()
    limiter.check(costs, visitor, address, now)
    limiter.give_back("refused", visitor, address, now)
    if costs == "games":
        site_of(request).store.shares.come(visitor.id, address)
    request.state.has_form = True


def has_form(request: Request) -> bool:
    """Whether `take_form` has counted the form of the request."""
    return getattr(request.state, "has_form", False)


def count_bytes(request: HTTPConnection, num_bytes: int) -> None:
    """Count a large answer as further pages."""
    if num_bytes >= PAGE_BYTES and _is_counted(request):
        count_more(request, num_bytes // PAGE_BYTES)


def is_probe(request: HTTPConnection) -> bool:
    """Whether the request looks at the site's health, for the first time in this second by its address.

    More of them would fill the process as any page does, so they wait and are counted like one.
    """
    path, state = request.scope["path"], request.state
    if path not in PROBED:
        return False
    if not hasattr(state, "is_probe"):
        state.is_probe = site_of(request).limiter.is_probe(path, address_of(request), time.time())
    return bool(state.is_probe)


def _is_counted(request: HTTPConnection) -> bool:
    path = getattr(request.scope.get("route"), "path", "")
    return request.scope["method"] == "GET" and path not in ("", *FREE) and not is_probe(request)
