"""The gate: one page after another is made in the process that serves moves, and visitors take turns.

A page takes milliseconds, and many of them at once would make moves wait. So a request for a page waits here, until its
answer can be made; it gives its turn back before the answer is sent, since a slow reader must not hold up others. Moves
and whatever else is done at a table don't wait, nor do event streams and checks of the site's health.
"""

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .errors import Busy
from .i18n import said
from .pages import refused
from .site import asker_of
from .turns import Pass, Turns

AT_ONCE = 1  # with two, moves took more than twice as long under attack: bench/attack.py
REST = 0.005  # seconds at most between two turns, in which moves find the process free
AT_LEAST = 0.002  # seconds of a turn; else who asks without end for what is kept fills the process with answers
MOST_WAITING = 2_000
OPEN = ("/health", "/ready", "/metrics")


class Gate:
    """Lets one page after another be made. A form takes its turn when it has been read, in `form_of`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._turns = Turns(AT_ONCE, MOST_WAITING)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request when it is its turn."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        ours = request.state.turn = Pass(self._turns, at_least=AT_LEAST, rest=REST)

        async def send_wrapped(message: Message) -> None:
            if message["type"] == "http.response.start":
                ours.give_back()
            await send(message)

        try:
            if scope["method"] == "GET" and scope["path"] not in OPEN and not scope["path"].endswith("/events"):
                try:
                    await ours.take(asker_of(request))
                except Busy as error:
                    await refused(request, error.status, said(error), round(error.wait))(scope, receive, send)
                    return
            await self._app(scope, receive, send_wrapped)
        finally:
            ours.give_back()
