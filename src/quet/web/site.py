"""What a running site is made of, and how a view reaches it."""

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from .acts import Acts
from .computers import Computers
from .hub import Hub
from .limits import Limiter
from .store import Store
from .visitors import Visitor, Visitors


@dataclass(frozen=True)
class Site:
    """The parts of a running site."""

    store: Store
    acts: Acts
    hub: Hub
    computers: Computers
    visitors: Visitors
    limiter: Limiter


def site_of(request: HTTPConnection) -> Site:
    """The site that answers a request."""
    site = request.app.state.site
    assert isinstance(site, Site)
    return site


def visitor_of(request: HTTPConnection) -> Visitor:
    """The visitor who asks; a new one has an id from now on."""
    return site_of(request).visitors.of(request)
