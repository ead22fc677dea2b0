"""Perfect play for the checker of certificates, in plain Python, by all sets of taken numbers.

A set comes after all sets that contain it and more.

What all have yet to pay depends only on the set and on the current number. A player's *wish* is that the others pay
much and the player little (`claims.wish`). A player's *liking* is one integer that joins all wishes: its digits, to the
base BASE and with signs, are the wish of the player, the wish of the next one, and so on, and at last the total of what
all have yet to pay, below zero. The wishes add up to 0, so the last player's is left out. With two players the total is
left out as well. So likings are compared as wishes are, one after the other, and a payment of 1 changes a liking by a
fixed number.

A turn is the cheapest walk to a number that isn't taken. As in the Floyd-Warshall algorithm, each number in turn is
allowed on walks. What it costs to step on it depends on whether it is taken, so both cases are tried there, and that
goes through all sets. A prime number above r / 2 has no neighbour but 1. So no cheapest walk goes through it, and from
it they go on as from 1.
"""

from array import array
from collections.abc import Iterator, Sequence
from operator import add

BASE = 1 << 14
MOST_PLAYERS = 4  # whose liking takes 8 bytes
MOST_BYTES = 4 << 30
_HALF = BASE >> 1
_NO_WALK = -(1 << 62)  # its liking
_Rows = dict[int, list[int]]


def is_small(r: int, players: int) -> bool:
    """Whether the likings fit into the memory, and every wish and every total is a digit.

    A cheapest turn costs less than 3 r, as it can go by 1.
    """
    if players > MOST_PLAYERS or 3 * r * r * players >= _HALF:
        return False
    return len(_others(r)) * (1 << r >> 2) * (2 if players == 2 else 8) <= MOST_BYTES


def _ends(r: int) -> list[int]:
    """The prime numbers above r / 2."""
    return [q for q in range(r // 2 + 1, r + 1) if all(q % k for k in range(2, q))]


def _others(r: int) -> list[int]:
    """The other numbers from 2 to r."""
    ends = _ends(r)
    return [y for y in range(2, r + 1) if y not in ends]


class AllSets:
    """The likings of player 1, who moves first, when nothing is paid yet.

    A set is a number: its lower bits are the prime numbers above r / 2 that are taken, in ascending order, and its
    higher bits are the other numbers from 2 on. Sets that differ only in the lower bits are a *block*.
    """

    def __init__(self, r: int, players: int) -> None:
        self._players = players
        self.pays, self._paid_next = _unit(players, 0), _unit(players, 1)
        """What it adds to a liking if the player pays 1, and if the next player does."""
        self._ends, self._others = _ends(r), _others(r)
        self._width = 1 << len(self._ends)
        empty = array("h" if players == 2 else "q", [0])
        # For each number y, by the sets with y but without their bit of y: how the player who took y likes it.
        self._taken_last = {y: empty * (self._width << len(self._others) - 1) for y in self._others}
        self._from_1 = empty * self._width  # the same where 1 is the current number, in the block that was tried last
        self.liking = 0
        """How player 1 likes perfect play."""
        self._decide(len(self._others), self._walks_by_1(), [], [], 0)

    def result(self) -> tuple[int, ...]:
        """What two players pay, as a difference, or what each of more players pays, by perfect play."""
        if self._players == 2:
            return (-self.liking,)
        *wishes, minus_total = _digits(self.liking, self._players)
        wishes.append(-sum(wishes))
        return tuple((-minus_total - wish) // self._players for wish in wishes)

    def liking_of_stop(self, y: int) -> int:
        """How player 1 likes it to have stopped on y first, without what this turn costs."""
        if y in self._taken_last:
            return self._taken_last[y][0]
        return self._liking_of_end(1 << self._ends.index(y), y, is_over=not self._others and len(self._ends) == 1)

    def _walks_by_1(self) -> _Rows:
        """What a walk is to the player's liking, through no number but 1: a list for each number that it starts at.

        In each list 1 comes first as the end of the walk, then for each other number two places: where the number isn't
        taken, and where it is.
        """
        rows: _Rows = {}
        for x in (1, *self._others):
            rows[x] = [0 if x == 1 else 2 * x * self.pays]
            for y in self._others:
                ratio = max(x, y) // min(x, y) if x != y and max(x, y) % min(x, y) == 0 else 0
                rows[x] += [price * ratio * self.pays if ratio else _NO_WALK for price in (1, 2)]
        return {x: row if x == 1 else _through(row, row[0], rows[1]) for x, row in rows.items()}

    def _decide(self, left: int, rows: _Rows, free: list[int], taken: list[int], block: int) -> None:
        """Try all sets of the block, in which the first so many of the other numbers may still be taken or not.

        In each list of `rows`, 1 comes first as the end of the walk, then the `free` numbers, which aren't taken, and
        then two places for each number that may still be taken. Lists begin at numbers that are or may be taken.
        """
        if left == 0:
            self._try_block(rows, free, taken, block)
            return
        y, bit = self._others[left - 1], 1 << left - 1
        *onwards, _, _ = rows[y]
        after = {x: onwards if x == y else _through(row[:-2], row[-1], onwards) for x, row in rows.items()}
        self._decide(left - 1, after, free, [*taken, y], block | bit)
        after = {x: _through(row[:-2], row[-2], onwards) for x, row in rows.items() if x != y}
        for x, row in after.items():
            row.insert(1 + len(free), rows[x][-2])
        self._decide(left - 1, after, [*free, y], taken, block)

    def _try_block(self, rows: _Rows, free: list[int], taken: list[int], block: int) -> None:
        """Find the likings in all sets of a block. All sets that contain one of them and more were tried before."""
        stops = [self._taken_last[y][slice(*self._places(y, block))] for y in free]
        likings_of_stops = list(zip(*stops, strict=True)) if free else [()] * self._width
        starts = [rows[x] for x in (1, *taken)]
        found = [[0] * len(starts)] * self._width  # 0 for the full set, where the game is over
        for set_ in range(self._width - 1 if free else self._width - 2, -1, -1):
            end = max(self._by_1_to_end(set_, not free), default=_NO_WALK)
            likings = [max(map(add, row, (end, *likings_of_stops[set_]))) for row in starts]
            found[set_] = _as_before(likings, self._players)
            self._from_1[set_] = found[set_][0]
            self.liking = likings[0]
        for y, column in zip(taken, list(zip(*found, strict=True))[1:], strict=True):
            self._taken_last[y][slice(*self._places(y, block))] = array(self._from_1.typecode, column)

    def _by_1_to_end(self, set_: int, are_others_taken: bool) -> Iterator[int]:
        """How the player in 1 likes a stop on each prime number above r / 2 that isn't taken."""
        for bit, q in enumerate(self._ends):
            if not set_ >> bit & 1:
                after = set_ | 1 << bit
                is_over = are_others_taken and after == self._width - 1
                yield q * self.pays + self._liking_of_end(after, q, is_over=is_over)

    def _liking_of_end(self, after: int, q: int, *, is_over: bool) -> int:
        """How the player who has taken q likes the set `after` of this block: the next player goes back to 1 first."""
        return 0 if is_over else self._from_1[after] + 2 * q * self._paid_next

    def _places(self, y: int, block: int) -> tuple[int, int]:
        """Where the block stands among the sets with y, from the first place to the one after the last."""
        bit = self._others.index(y)
        place = (block >> bit + 1 << bit | block & (1 << bit) - 1) * self._width
        return place, place + self._width


def _through(row: Sequence[int], way: int, onwards: Sequence[int]) -> list[int]:
    """The better of the walks in `row` and those that take the `way` to a number and go `onwards` from there."""
    return [here if here > way + there else way + there for here, there in zip(row, onwards, strict=True)]


def _unit(players: int, who: int) -> int:
    """What it adds to a player's liking if that player pays 1 (0), or the next one (1), ..."""
    wishes = [1 - players * (player == who) for player in range(players - 1)]
    liking = 0
    for digit in wishes if players == 2 else [*wishes, -1]:
        liking = liking * BASE + digit
    return liking


def _digits(liking: int, count: int) -> list[int]:
    digits: list[int] = []
    for _ in range(count):
        digits.insert(0, (liking + _HALF) % BASE - _HALF)
        liking = (liking - digits[0]) // BASE
    return digits


def _as_before(likings: Sequence[int], players: int) -> list[int]:
    """The mover's likings as those of the player before: the last player's wish comes first, the last wish goes."""
    if players == 2:
        return [-liking for liking in likings]
    found = []
    for liking in likings:
        minus_total = (liking + _HALF) % BASE - _HALF
        wishes = (liking - minus_total) // BASE
        last = (wishes + _HALF) % BASE - _HALF
        total = (wishes + _HALF) % (BASE - 1) - _HALF  # the sum of these digits, since BASE is 1 more
        found.append(wishes - last + minus_total - total * BASE ** (players - 1))
    return found
