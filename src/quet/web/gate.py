"""The gate: one page after another is made in the process that serves moves, and visitors take turns.

A page takes milliseconds, and many of them at once would make moves wait. So a request for a page waits here, until its
answer can be made; it gives its turn back before the answer is sent, since a slow reader must not hold up others. Moves
and whatever else is done at a table don't wait, nor do event streams and the first check of the site's health that an
address makes in a second. What is refused waits: a refusal is a page too, and whoever asks for nothing else must not
fill the process with them.
"""

from math import ceil

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .errors import Later, TooMany
from .i18n import said
from .pages import refused
from .site import asker_of, count_form, count_refused, has_form, is_probe, turn_of
from .turns import Pass, Turns

AT_ONCE = 1  # with two, moves took more than twice as long under attack: bench/attack.py
REST = 0.005  # seconds at most between two turns, in which moves find the process free
AT_LEAST = 0.002  # seconds of a turn; else who asks without end for what is kept fills the process with answers
MOST_WAITING = 2_000
OPEN = "/metrics"


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
            try:
                await _let_in(request)
            except Later as error:
                await refused(request, error.status, said(error), ceil(error.wait))(scope, receive, send_wrapped)
                return
            await self._app(scope, receive, send_wrapped)
        finally:
            ours.give_back()


async def _let_in(request: Request) -> None:
    """Wait for the turn of a page; count a form before it is read. Raises Busy, and TooMany in its turn."""
    path = request.scope["path"]
    if request.method != "GET":
        try:
            count_form(request)
        except TooMany:
            await turn_of(request).take(asker_of(request))
            raise
    # No page asks in other ways than these two, so what does waits before its address is looked up.
    if request.method != "POST" and path != OPEN and not path.endswith("/events") and not is_probe(request):
        await turn_of(request).take(asker_of(request))


async def before_refusal(request: Request) -> None:
    """Wait for the turn to refuse a request, and count it. Raises Busy and TooMany, which refuse it as well.

    A form that was taken is counted as what it costs, and its refusal doesn't wait: nor did the move.
    """
    if not has_form(request):
        await turn_of(request).take(asker_of(request))
        count_refused(request)
