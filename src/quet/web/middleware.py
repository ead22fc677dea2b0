"""Wraps every answer: adds security headers and the visitor's cookie, and writes a line to the log."""

import logging
import re
import time
from collections.abc import Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .addresses import host_of
from .i18n import gettext
from .log import requests
from .pages import refused
from .site import count_bytes, site_of

log = logging.getLogger(__name__)

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(
        f"{feature}=()"
        for feature in (
            *("accelerometer", "autoplay", "camera", "display-capture", "encrypted-media", "fullscreen", "geolocation"),
            *("gyroscope", "hid", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi", "payment"),
            *("picture-in-picture", "publickey-credentials-get", "screen-wake-lock", "serial", "usb"),
            "xr-spatial-tracking",
        )
    ),
}
_REFUSED_GZIP = re.compile(r"(?:^|,)\s*gzip\s*;\s*q=0(\.0*)?\s*(,|$)", re.IGNORECASE)
HSTS = "max-age=31536000"  # seconds: for a year browsers ask for the site by https only


class Zip(GZipMiddleware):
    """Sends answers as gzip to those who take it. Starlette's looks for the word only, also where it is refused."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and _REFUSED_GZIP.search(Headers(scope=scope).get("accept-encoding", "")):
            scope = {**scope, "headers": [each for each in scope["headers"] if each[0] != b"accept-encoding"]}
        await super().__call__(scope, receive, send)


class Envelope:
    """Wraps the application. An unexpected error becomes a page too."""

    def __init__(self, app: ASGIApp, *, hosts: Sequence[str] = ()) -> None:
        """`hosts` are the names of the site; none where any will do."""
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status, size, method = time.perf_counter(), 0, 0, scope["method"]
        # HEAD is answered like GET, and the server sends only the headers; but an event stream would never end.
        if method == "HEAD" and not scope["path"].endswith("/events"):
            scope = {**scope, "method": "GET"}

        async def send_wrapped(message: Message) -> None:
            nonlocal status, size
            size += len(message.get("body", b""))
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_headers(scope, MutableHeaders(scope=message))
            await send(message)

        try:
            if self._hosts and not self._is_here(scope):
                # No page: nobody has counted the request, and a page's style sheet has this address too.
                answer: Response = PlainTextResponse(gettext("This site has another address."), 421)
                await answer(scope, receive, send_wrapped)
            else:
                await self._app(scope, receive, send_wrapped)
        except ClientDisconnect:  # in the middle of a form: there is nobody to answer
            pass
        except Exception:  # whatever it is, the visitor gets a page, and the log has the traceback
            log.exception("A request has failed.")
            if status:
                raise  # the answer has begun, so it can only be broken off
            answer = refused(Request(scope, receive), 500, gettext("Something went wrong here; it is not your fault."))
            await answer(scope, receive, send_wrapped)
        finally:
            count_bytes(HTTPConnection(scope), size)
            route = scope.get("route")
            path = getattr(route, "path", "") or "-"
            elapsed = time.perf_counter() - began
            site_of(HTTPConnection(scope)).metrics.count(method, path, status, elapsed)
            requests.info({"method": method, "path": path, "status": status, "ms": round(1000 * elapsed, 1)})

    def _is_here(self, scope: Scope) -> bool:
        """Whether the request names this site as its host, once."""
        given = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        return len(given) == 1 and host_of(given[0]) in self._hosts


def _add_headers(scope: Scope, headers: MutableHeaders) -> None:
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    if scope["scheme"] == "https":
        headers.setdefault("Strict-Transport-Security", HSTS)
    if headers.get("content-type", "").startswith("text/html"):
        headers.setdefault("Cache-Control", "private, no-cache")
    visitor = scope.get("state", {}).get("visitor")
    is_for_all = headers.get("cache-control", "").startswith("public")  # a cookie is for one
    if visitor is not None and visitor.needs_cookie and not is_for_all:
        connection = HTTPConnection(scope)
        is_secure = connection.url.scheme == "https"
        headers.append("Set-Cookie", site_of(connection).visitors.cookie(visitor, is_secure=is_secure))
