"""Turns: so many requests go on at once, the others wait in a bounded queue, and the queue is fair.

Addresses take turns, and so do the visitors of an address; each visitor's requests keep their order. Where the queue is
full, the newest request of whoever has the most in it gives way to one who has fewer. So nobody can fill it for others.
"""

import asyncio
from collections import deque
from typing import Generic, NamedTuple, TypeVar

from ..core.messages import say
from .errors import Busy

T = TypeVar("T")


class Asker(NamedTuple):
    """Who asks: a network address, and a visitor there."""

    address: str
    visitor: str


class FairQueue(Generic[T]):
    """A queue of at most so many, in which addresses take turns, and the visitors of each address."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lines: dict[str, dict[str, deque[T]]] = {}  # by address and visitor; those whose turn is next come first
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def add(self, asker: Asker, item: T) -> T | None:
        """Add an item at the end of its asker's line. Return the item that is left out for it; None if there is room.

        That is the item itself where nobody else has more than its asker.
        """
        left_out = None
        if self._length >= self._most:
            longest = self._to_leave_out(asker)
            if longest is None:
                return item
            left_out = self._lines[longest.address][longest.visitor][-1]
            self.remove(longest, left_out)
        self._lines.setdefault(asker.address, {}).setdefault(asker.visitor, deque()).append(item)
        self._length += 1
        return left_out

    def pop(self) -> T | None:
        """Take out the item whose turn it is; None if there is none."""
        if not self._lines:
            return None
        address, lines = next(iter(self._lines.items()))
        visitor, line = next(iter(lines.items()))
        item = line[0]
        self.remove(Asker(address, visitor), item)
        if visitor in lines:
            lines[visitor] = lines.pop(visitor)  # to the end
        if address in self._lines:
            self._lines[address] = self._lines.pop(address)
        return item

    def remove(self, asker: Asker, item: T) -> None:
        """Take out an item of this asker. Raises ValueError, or KeyError, if it isn't there."""
        lines = self._lines[asker.address]
        lines[asker.visitor].remove(item)
        self._length -= 1
        if not lines[asker.visitor]:
            del lines[asker.visitor]
        if not lines:
            del self._lines[asker.address]

    def discard(self, item: T) -> None:
        """Take out an item, whosever it is; nothing happens if it isn't there."""
        for address, lines in self._lines.items():
            for visitor, line in lines.items():
                if item in line:
                    self.remove(Asker(address, visitor), item)
                    return

    def _to_leave_out(self, asker: Asker) -> Asker | None:
        """Who has to give way to this asker: the longest line of the address with the most, if it has clearly more."""
        sizes = {address: sum(map(len, lines.values())) for address, lines in self._lines.items()}
        address = max(sizes, key=sizes.__getitem__, default=asker.address)
        if sizes.get(address, 0) <= sizes.get(asker.address, 0) + 1:
            address = asker.address
        lines = self._lines.get(address, {})
        if not lines:
            return None
        visitor = max(lines, key=lambda one: len(lines[one]))
        if address == asker.address and len(lines[visitor]) <= len(lines.get(asker.visitor, ())) + 1:
            return None
        return Asker(address, visitor)


class Turns:
    """Who may go on, and who waits. Used in one event loop."""

    def __init__(self, at_once: int, most_waiting: int) -> None:
        """At most `at_once` go on at the same time, and `most_waiting` wait."""
        self._num_free = at_once
        self._waiting: FairQueue[asyncio.Future[None]] = FairQueue(most_waiting)

    def ask(self, asker: Asker) -> "asyncio.Future[None]":
        """A future that is done when the asker's turn comes, perhaps now. Raises Busy; later the future may raise it.

        Whoever has had the turn calls `give_back`, and who doesn't want it any more `give_up`.
        """
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._num_free:
            self._num_free -= 1
            turn.set_result(None)
            return turn
        left_out = self._waiting.add(asker, turn)
        if left_out is turn:
            raise busy()
        if left_out is not None and not left_out.done():
            left_out.set_exception(busy())
        return turn

    def give_back(self) -> None:
        """Let the next one go on."""
        while (turn := self._waiting.pop()) is not None:
            if not turn.done():  # else whoever waited was cancelled in this moment
                turn.set_result(None)
                return
        self._num_free += 1

    def give_up(self, turn: "asyncio.Future[None]") -> None:
        """Cancel a turn that was asked for: it leaves the queue, or the next one goes on if it has come already."""
        if turn.cancel() or turn.cancelled():
            self._waiting.discard(turn)
        elif turn.exception() is None:
            self.give_back()

    async def wait(self, turn: "asyncio.Future[None]") -> None:
        """Wait for a turn that was asked for. Raises Busy."""
        try:
            await turn
        except asyncio.CancelledError:
            self.give_up(turn)
            raise


class Pass:
    """The turn of one request. It is taken once, and given back once."""

    def __init__(self, turns: Turns, *, at_least: float = 0.0, rest: float = 0.0) -> None:
        """A turn lasts at least so many seconds. Others then wait as long as it took, but at most `rest` seconds."""
        self._turns = turns
        self._at_least = at_least
        self._rest = rest
        self._is_taken = False
        self._since = 0.0

    async def take(self, asker: Asker) -> None:
        """Wait for the turn, unless the request has it. Raises Busy."""
        if not self._is_taken:
            await self._turns.wait(self._turns.ask(asker))
            self._is_taken = True
            self._since = asyncio.get_running_loop().time()

    def give_back(self) -> None:
        """Let others go on, at once or soon, if the request has its turn."""
        if self._is_taken:
            self._is_taken = False
            loop = asyncio.get_running_loop()
            now = loop.time()
            when = max(self._since + self._at_least, now + min(self._rest, now - self._since))
            if when > now:
                loop.call_at(when, self._turns.give_back)
            else:
                self._turns.give_back()


def busy() -> Busy:
    """The error for an asker who can't wait here."""
    return Busy(say("The site has very much to do just now; try again in a moment."))
