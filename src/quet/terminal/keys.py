"""Keys act in the order in which they came, however fast.

Textual gives the keys that wait to the widget that has the focus just then, before any of them has acted. Of `ma1` and
Enter that came at once, Enter would play the square under the cursor before `m` had opened the line.
"""

import time
from collections import deque
from collections.abc import Awaitable, Callable

from textual.app import App
from textual.dom import DOMNode
from textual.events import Key
from textual.timer import Timer

LOOK = 0.1  # seconds between looks whether the widget that is waited for has closed: it doesn't answer then
LONGEST = 10.0  # seconds for a key; on a busy machine it takes long to draw the board
MOST = 300  # keys that wait, more than a line has; what comes then, as from a key that is held down, is dropped
QUIT = "ctrl+q"  # overtakes all others, which are dropped


class KeysInOrder:
    """Hands each key on when the one before has been handled, with all that was sent because of it."""

    def __init__(self, app: App[None], hand_on: Callable[[Key], Awaitable[None]]) -> None:
        self._app, self._hand_on = app, hand_on
        self._waiting: deque[Key] = deque()
        self._looks: Timer | None = None  # runs while a key is being handled
        self._since = 0.0  # when that began
        self._at: DOMNode = app  # what is waited for

    async def came(self, key: Key) -> None:
        """Take a key that has just come."""
        if key.key == QUIT:
            self._waiting.clear()
            await self._hand_on(key)
            return
        if len(self._waiting) < MOST:
            self._waiting.append(key)
        if self._looks is None:
            await self._next()

    async def _next(self) -> None:
        if self._looks is not None:
            self._looks.stop()
            self._looks = None
        if self._waiting:
            self._since, self._at = time.monotonic(), self._app  # not a widget that the key before has closed
            self._looks = self._app.set_interval(LOOK, self._look)
            way = self._way()
            await self._hand_on(self._waiting.popleft())
            await self._follow(self._looks, way, is_last=False)

    async def _look(self) -> None:
        if not self._at.is_running or time.monotonic() - self._since > LONGEST:
            await self._next()

    def _way(self) -> deque[DOMNode]:
        """From the widget that a key is given to up to the application, as the key goes and what is sent for it."""
        return deque((self._app.focused or self._app.screen).ancestors_with_self)

    async def _follow(self, looks: Timer | None, way: deque[DOMNode], *, is_last: bool) -> None:
        """Go behind all that waits for each on the way, and again from where the focus is then, for what was sent."""
        if looks is not self._looks:
            return  # it took too long
        while way:
            self._at = way.popleft()
            if self._at.call_later(self._follow, looks, way, is_last=is_last):
                return
        if is_last:
            await self._next()
        else:
            await self._follow(looks, self._way(), is_last=True)
