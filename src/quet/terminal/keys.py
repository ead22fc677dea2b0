"""Keys act in the order in which they came, however fast.

Textual gives the keys that wait to the widget that has the focus just then, before any of them has acted. Of `ma1` and
Enter that came at once, Enter would play the square under the cursor before `m` had opened the line.
"""

from collections import deque
from collections.abc import Awaitable, Callable

from textual.app import App
from textual.dom import DOMNode
from textual.events import Key
from textual.timer import Timer

LONGEST = 0.5  # seconds for a key; a widget that closes meanwhile doesn't answer
MOST = 10_000  # keys that wait


class KeysInOrder:
    """Hands each key on when the one before has been handled, with all that was sent because of it."""

    def __init__(self, app: App[None], hand_on: Callable[[Key], Awaitable[None]]) -> None:
        self._app, self._hand_on = app, hand_on
        self._waiting: deque[Key] = deque(maxlen=MOST)
        self._timer: Timer | None = None  # runs while a key is being handled

    async def came(self, key: Key) -> None:
        """Take a key that has just come."""
        self._waiting.append(key)
        if self._timer is None:
            await self._next()

    async def _next(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self._waiting:
            self._timer = self._app.set_timer(LONGEST, self._next)
            way = self._way()
            await self._hand_on(self._waiting.popleft())
            await self._follow(self._timer, way, is_last=False)

    def _way(self) -> deque[DOMNode]:
        """From the widget that a key is given to up to the application, as the key goes and what is sent for it."""
        return deque((self._app.focused or self._app.screen).ancestors_with_self)

    async def _follow(self, timer: Timer | None, way: deque[DOMNode], *, is_last: bool) -> None:
        """Go behind all that waits for each on the way, and again from where the focus is then, for what was sent."""
        if timer is not self._timer:
            return  # it took too long
        while way:
            if way.popleft().call_later(self._follow, timer, way, is_last=is_last):
                return
        if is_last:
            await self._next()
        else:
            await self._follow(timer, self._way(), is_last=True)
