"""Perfect play for the checker of certificates, in plain Python, by all sets of taken numbers.

A set comes after all sets that contain it and more. What a stop leads to is kept until the sets that lead there are
tried.

What all have yet to pay depends only on the set and on the current number. A player's *wish* is that the others pay
much and the player little (`claims.wish`). A player's *liking* is one integer that joins all wishes: its digits, to the
base BASE and with signs, are the wish of the player, the wish of the next one, and so on, and at last the total of what
all have yet to pay, below zero. The wishes add up to 0, so the last player's is left out. So likings are
compared as wishes are, one after the other, and a payment of 1 changes a liking by a fixed number. For two players
`perfect_of_two.py` does the same with simpler numbers, and faster.

A turn is the cheapest walk to a number that isn't taken. As in the Floyd-Warshall algorithm, each number in turn is
allowed on walks. What it costs to step on it depends on whether it is taken, so both cases are tried there, and that
goes through all sets. The *outer* numbers are the prime numbers above r / 2. They have no neighbour but 1. So no
cheapest walk goes through them, and from them they go on as from 1. The *inner* numbers are all others from 2 on.
"""

from array import array
from collections.abc import Iterator, Sequence
from operator import add

BASE = 1 << 14
MOST_PLAYERS = 4  # whose liking takes 8 bytes
_HALF = BASE >> 1
_NO_WALK = -(1 << 62)  # its liking
_Walks = dict[int, list[int]]  # by the number at which it starts: for several ends, how the player likes the walk there


def has_digits(r: int, players: int) -> bool:
    """Whether every wish and every total is a digit, and a liking takes 8 bytes at most.

    A cheapest turn costs less than 3 r, as it can go by 1.
    """
    return players <= MOST_PLAYERS and 3 * r * r * players < _HALF


def num_bytes(r: int) -> int:
    """How many bytes `AllSets` takes, or some more."""
    likings = (1 << r >> 1) * 8
    return likings + likings // 16 + (1 << 24)  # walks, and what Python has besides


def outer(r: int) -> list[int]:
    """The prime numbers above r / 2."""
    return [q for q in range(r // 2 + 1, r + 1) if all(q % k for k in range(2, q))]


def inner(r: int) -> list[int]:
    """All other numbers from 2 on."""
    return [y for y in range(2, r + 1) if y not in outer(r)]


def walks_by_1(r: int) -> dict[int, list[int]]:
    """What walks cost that step on nothing but 1 between their start, which is 1 or an inner number, and their end.

    The ends are 1, and then for each inner number two: where it isn't taken, and where it is. A step on a taken number
    costs twice as much, and 1 is always taken.
    """
    walks: dict[int, list[int]] = {}
    for x in (1, *inner(r)):
        to_1 = 0 if x == 1 else 2 * x
        walks[x] = [to_1]
        for y in inner(r):
            for price in (1, 2):
                costs = [to_1 + price * y]
                if x != y and max(x, y) % min(x, y) == 0:
                    costs.append(price * max(x, y) // min(x, y))
                walks[x].append(min(costs))
    return walks


class AllSets:
    """The likings of player 1, who moves first, where three or more play and nothing is paid yet.

    A set is a number: its lower bits are the outer numbers that are taken, in ascending order, and its higher bits are
    the inner ones. Sets that differ only in the lower bits are a *block*, whose number are the higher bits.
    """

    def __init__(self, r: int, players: int) -> None:
        self._players = players
        self.pays = _liking_of_paying(players, 0)
        """What it adds to a liking if the player pays 1."""
        self._next_pays = _liking_of_paying(players, 1)
        self._outer, self._inner = outer(r), inner(r)
        self._size_of_block = 1 << len(self._outer)
        # For each inner number y how the player who stopped on it likes the sets with y that were tried last: those
        # that have the same inner numbers above y. The sets without y, which ask for them, are tried next.
        self._after_stop = {y: array("q", [0]) * (self._size_of_block << bit) for bit, y in enumerate(self._inner)}
        # For the block that was tried last, how the player who moved before likes it that 1 is the current number.
        self._after_1 = array("q", [0]) * self._size_of_block
        self.liking = 0
        """How player 1 likes perfect play."""
        walks = {x: [cost * self.pays for cost in costs] for x, costs in walks_by_1(r).items()}
        self._try_sets(len(self._inner), walks, [], [], 0)

    def result(self) -> tuple[int, ...]:
        """What each player pays, by perfect play."""
        *wishes, minus_total = _digits(self.liking, self._players)
        wishes.append(-sum(wishes))
        return tuple((-minus_total - wish) // self._players for wish in wishes)

    def liking_of_stop(self, y: int) -> int:
        """How player 1 likes it to have stopped on y first, without what this turn costs."""
        if y in self._after_stop:
            return self._after_stop[y][0]
        is_over = not self._inner and len(self._outer) == 1
        return self._liking_of_outer(1 << self._outer.index(y), y, is_over=is_over)

    def _try_sets(self, num_open: int, walks: _Walks, free: list[int], taken: list[int], block: int) -> None:
        """Try all sets in which the `free` inner numbers aren't taken, the `taken` ones are, and the rest is open.

        The first `num_open` inner numbers are open; `block` has the bits of those that are taken. A walk may step on
        all that aren't open. It starts at 1 or at an inner number that is taken or open. Its ends are 1, then the free
        numbers, and then two for each open number: where it isn't taken, and where it is.
        """
        if num_open == 0:
            self._try_block(walks, free, taken, block)
            return
        y, bit = self._inner[num_open - 1], 1 << num_open - 1
        *from_y, _, _ = walks[y]
        after = {x: from_y if x == y else _better(here[:-2], here[-1], from_y) for x, here in walks.items()}
        self._try_sets(num_open - 1, after, free, [*taken, y], block | bit)
        after = {x: _better(here[:-2], here[-2], from_y) for x, here in walks.items() if x != y}
        for x, here in after.items():
            here.insert(1 + len(free), walks[x][-2])
        self._try_sets(num_open - 1, after, [*free, y], taken, block)

    def _try_block(self, walks: _Walks, free: list[int], taken: list[int], block: int) -> None:
        """Find the likings in all sets of a block. All sets that contain one of them and more were tried before."""
        stops = [self._after_stop[y][self._block_with(y, block)] for y in free]
        likings_of_stops = list(zip(*stops, strict=True)) if free else [()] * self._size_of_block
        starts = [walks[x] for x in (1, *taken)]
        found = [[0] * len(starts)] * self._size_of_block  # 0 for the full set, where the game is over
        for set_ in range(self._size_of_block - (1 if free else 2), -1, -1):
            outer = max(self._stops_on_outer(set_, not free), default=_NO_WALK)
            ends = (outer, *likings_of_stops[set_])
            likings = [max(map(add, here, ends)) for here in starts]
            found[set_] = _for_player_before(likings, self._players)
            self._after_1[set_] = found[set_][0]
            self.liking = likings[0]
        for y, column in zip(taken, list(zip(*found, strict=True))[1:], strict=True):
            self._after_stop[y][self._block_with(y, block)] = array("q", column)

    def _stops_on_outer(self, set_: int, are_inner_taken: bool) -> Iterator[int]:
        """How the player in 1 likes a stop on each outer number that isn't taken."""
        for bit, q in enumerate(self._outer):
            if not set_ >> bit & 1:
                after = set_ | 1 << bit
                is_over = are_inner_taken and after == self._size_of_block - 1
                yield q * self.pays + self._liking_of_outer(after, q, is_over=is_over)

    def _liking_of_outer(self, after: int, q: int, *, is_over: bool) -> int:
        """How the player who has taken q likes the set `after` of this block: the next player goes back to 1 first."""
        return 0 if is_over else self._after_1[after] + 2 * q * self._next_pays

    def _block_with(self, y: int, block: int) -> slice:
        """Where a block is in what `_after_stop` has of y, whether y is taken in the block or not."""
        first = (block & (1 << self._inner.index(y)) - 1) * self._size_of_block
        return slice(first, first + self._size_of_block)


def _better(here: Sequence[int], to_y: int, from_y: Sequence[int]) -> list[int]:
    """For each end the better of two walks: the one that is known, and the one by way of a number y."""
    return [known if known > to_y + rest else to_y + rest for known, rest in zip(here, from_y, strict=True)]


def _liking_of_paying(players: int, who: int) -> int:
    """What it adds to a player's liking if that player pays 1 (who = 0), or the next one (1), ..."""
    wishes = [1 - players * (player == who) for player in range(players - 1)]
    liking = 0
    for digit in [*wishes, -1]:
        liking = liking * BASE + digit
    return liking


def _digits(liking: int, count: int) -> list[int]:
    """The last so many digits."""
    digits: list[int] = []
    for _ in range(count):
        digits.insert(0, (liking + _HALF) % BASE - _HALF)
        liking = (liking - digits[0]) // BASE
    return digits


def _for_player_before(likings: Sequence[int], players: int) -> list[int]:
    """How the player who moved before likes what the mover likes so: that wish was left out, and now comes first."""
    found = []
    for liking in likings:
        minus_total = (liking + _HALF) % BASE - _HALF
        wishes = (liking - minus_total) // BASE
        last = (wishes + _HALF) % BASE - _HALF
        total = (wishes + _HALF) % (BASE - 1) - _HALF  # the sum of these digits, since BASE is 1 more
        found.append(wishes - last + minus_total - total * BASE ** (players - 1))
    return found
