"""Shares: what network addresses have had, of the computer players' time and of a day, and so whose game comes next.

Addresses take turns, and so do the visitors of an address who made games. Turns of addresses are counted in seconds of
thinking: a move of a level that thinks long costs its address more than a quick one, so that quick ones of others come
sooner. An address that comes anew begins where those who wait stand, with nothing saved up and nothing owed. Of the
visitors of one address, the one comes first whose last turn, or whose oldest game since then, is longest ago: so nobody
waits behind visitors who came later, however many come.

Which visitor has which address is kept in memory alone, as limits are. Those whose address isn't known, as after a
restart until they move, share one turn. All threads may call.

Lists that all see are shared out among addresses too (storage/listings.py), and by all servers alike. So such a game
has a tag of its address in the database. It is too short to tell an address: each tag is that of 65,536 of IPv4.
"""

import hashlib
import hmac
import math
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

MOST_REMEMBERED = 10_000  # visitors' addresses, and as many shares and counts of a day
DAY = 86_400.0  # seconds
AT_LEAST = 0.05  # seconds that a move costs; charged when it begins, so that a second process chooses somebody else


class Waiting(NamedTuple):
    """A visitor who made games that wait for a computer player."""

    creator: str
    since: float  # when the first of them began to wait
    number: int  # of them


class OfDay:
    """Counts something by address, each day in UTC anew."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._day = 0
        self._counts: OrderedDict[str, int] = OrderedDict()  # who came last is last

    def add(self, address: str, most: int, now: float, number: int = 1) -> bool:
        """Count so many more, unless the address has `most` already, or more; return whether they were counted."""
        with self._lock:
            if int(now // DAY) != self._day:
                self._day = int(now // DAY)
                self._counts.clear()
            known = self._counts.get(address, 0)
            if known < most:
                _put(self._counts, address, known + number)
            return known < most

    def give_back(self, address: str, now: float, number: int = 1) -> None:
        """Count so many less, after `add` at this time. Nothing is left to give back of a day that is over."""
        with self._lock:
            if int(now // DAY) == self._day and address in self._counts:
                self._counts[address] = max(0, self._counts[address] - number)  # it may have been forgotten meanwhile


class Shares:
    """Who has had how much of the time of the computer players of this process."""

    def __init__(self, key: str = "") -> None:
        """By `key` addresses have their tags: nobody without it finds another address with the same tag."""
        self._key = hashlib.sha256(b"network:" + key.encode()).digest()
        self.begun = OfDay()  # games, counted by their size
        self._lock = threading.Lock()
        self._addresses: OrderedDict[str, str] = OrderedDict()  # by visitor; who came last, or waits, is last
        self._had: OrderedDict[str, float] = OrderedDict()  # seconds, by address
        self._being_made: Counter[str] = Counter()  # games with computer players, by address
        self._now = 0.0  # where the address stood that had the last turn
        self._turns: OrderedDict[str, tuple[float, int]] = (
            OrderedDict()
        )  # by visitor: when the last was, and its number
        self._num_turns = 0

    def come(self, visitor: str, address: str) -> None:
        """Note from which address a visitor makes games, or moves."""
        with self._lock:
            _put(self._addresses, visitor, address)

    def address(self, visitor: str) -> str:
        """The visitor's address; empty where it isn't known."""
        with self._lock:
            return self._addresses.get(visitor, "")

    def tag(self, visitor: str) -> str | None:
        """The tag of the visitor's address; None where it isn't known."""
        address = self.address(visitor)
        return hmac.new(self._key, address.encode(), hashlib.sha256).hexdigest()[:4] if address else None

    def next(self, waiting: Iterable[Waiting]) -> str | None:
        """Whose turn it is of those who wait; None if nobody does."""
        waiting = list(waiting)
        with self._lock:
            for one in waiting:  # so that nobody is forgotten who waits, however many come
                if one.creator in self._addresses:
                    self._addresses.move_to_end(one.creator)
            return min(waiting, key=self._order, default=Waiting("", 0, 0)).creator or None

    def begin(self, creator: str, now: float) -> None:
        """Note that a move in a game of this visitor begins."""
        with self._lock:
            address = self._addresses.get(creator, "")
            self._now = self._stands(address)
            self._charge(address, AT_LEAST)
            self._num_turns += 1
            _put(self._turns, creator, (now, self._num_turns))

    def end(self, creator: str, seconds: float) -> None:
        """Note how long the move took that has begun."""
        with self._lock:
            self._charge(self._addresses.get(creator, ""), max(0.0, seconds - AT_LEAST))

    def num_waiting(self, visitor: str, waiting: Iterable[Waiting]) -> int:
        """How many of the games that wait were made from the address of this visitor; 0 where it isn't known."""
        with self._lock:
            address = self._addresses.get(visitor)
            return sum(one.number for one in waiting if address and self._addresses.get(one.creator) == address)

    @contextmanager
    def making(self, visitor: str) -> Iterator[int]:
        """How many games are being made from the address of this visitor; while the block runs it is one more.

        0 where the address isn't known.
        """
        address = self.address(visitor)
        with self._lock:
            others = self._being_made[address] if address else 0
            self._being_made[address] += 1
        try:
            yield others
        finally:
            with self._lock:
                self._being_made[address] -= 1
                if not self._being_made[address]:
                    del self._being_made[address]

    def _order(self, one: Waiting) -> tuple[float, float, int]:
        last, number = self._turns.get(one.creator, (-math.inf, 0))
        return self._stands(self._addresses.get(one.creator, "")), max(last, one.since), number

    def _stands(self, address: str) -> float:
        return max(self._had.get(address, 0.0), self._now)

    def _charge(self, address: str, seconds: float) -> None:
        _put(self._had, address, self._stands(address) + seconds)


def _put(kept: OrderedDict, key: object, value: object) -> None:  # type: ignore[type-arg]
    """Put a value at the end, and drop the first where there are very many."""
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > MOST_REMEMBERED:
        kept.popitem(last=False)
