"""The first part as a tree whose leaves are pairs of lists: what is known of each, and which are to be asked next.

As in proof-number search (Allis et al., "Proof-number search", 1994), these are the ones that the cheapest proof still
needs.
"""

from collections.abc import Iterable

import numpy as np

from quet.engine.arrays import Floats, Ints

MUCH = 4.0  # what is likely is tried, unless that needs so many times more pairs than the contrary
UNLIKELY = 4.0  # how many pairs a pair of equal lists counts as, since it seldom decides anything but a draw


def lists(pair: int, n: int) -> tuple[int, int]:
    """Where each player predicted +, as bits, with this pair of lists."""
    return pair >> n - 1, pair & (1 << n - 1) - 1


class FirstPart:
    """The tree of an n by n grid.

    Below a node are two, by the next symbol, + behind -. So the number of a node in its ply has the symbols as bits, in
    the order of play. A pair of lists is a number too: a bit for each place where a player predicted +, those of player
    1 above those of player 2. Images of a grid join up to four pairs, of which one stands for all.
    """

    def __init__(self, n: int) -> None:
        self.num_places = n - 1
        self.num_plies = 2 * self.num_places
        self._pair = _pairs(self.num_places)
        self._low = np.full(1 << self.num_plies, 1 - n, np.int8)  # what the second part is worth at least, by pair
        self._high = np.full(1 << self.num_plies, n - 1, np.int8)

    def lists_of(self, leaf: int) -> tuple[int, int]:
        """Where each player predicted + at this leaf, as bits."""
        plus1 = sum((leaf >> 2 * (self.num_places - k) - 1 & 1) << k for k in range(self.num_places))
        return plus1, sum((leaf >> 2 * (self.num_places - k) - 2 & 1) << k for k in range(self.num_places))

    def learn(self, v: int, reached: Iterable[int], missed: Iterable[int]) -> None:
        """Note with which pairs player 1 reaches v, and with which not."""
        for pair in reached:
            self._low[pair] = max(self._low[pair], v)
        for pair in missed:
            self._high[pair] = min(self._high[pair], v - 1)

    def is_reached(self, v: int, ply: int = 0, node: int = 0) -> bool | None:
        """Whether player 1 reaches v from a node on; None where that isn't known yet."""
        for wanted in (True, False):
            if self._costs(self._open(v), wanted)[ply][node] == 0:
                return wanted
        return None

    def wanted(self, v: int, count: int, *, is_likely: bool, ply: int = 0, node: int = 0) -> list[int]:
        """Up to `count` pairs to be asked whether player 1 reaches v with them, so that it is known of a node.

        First come the pairs of the cheapest proof of what is likely or, if that is much cheaper, of the contrary. Then
        come those that would be needed next if these were of no use.
        """
        status = self._open(v)
        costs = {proof: self._costs(status, proof)[ply][node] for proof in (True, False)}
        proof = is_likely if costs[is_likely] <= MUCH * costs[not is_likely] else not is_likely
        chosen: dict[int, None] = {}
        while len(chosen) < count:
            levels = self._costs(status, proof)
            if not 0 < levels[ply][node] < np.inf:
                break
            needed = self._pair[self._needed(levels, proof, ply, node)].tolist()
            chosen |= dict.fromkeys(needed)
            status[needed] = not proof
        return list(chosen)[:count]

    def _open(self, v: int) -> Ints:
        """For each pair 1 where player 1 reaches v, 0 where not, and -1 where it isn't known."""
        return np.where(self._low >= v, 1, np.where(self._high < v, 0, -1)).astype(np.int8)

    def _costs(self, status: Ints, proof: bool) -> list[Floats]:
        """How many pairs a proof needs that player 1 reaches the number, or doesn't, for the nodes of each ply."""
        pairs = np.arange(len(status))
        are_equal = pairs >> self.num_places == pairs & (1 << self.num_places) - 1
        cost = np.where(status == proof, 0.0, np.where(status < 0, np.where(are_equal, UNLIKELY, 1.0), np.inf))
        levels = [cost[self._pair]]
        for ply in range(self.num_plies - 1, -1, -1):
            both = levels[-1].reshape(-1, 2)
            levels.append(both.min(axis=1) if _chooses(ply, proof) else both.sum(axis=1))
        return levels[::-1]

    def _needed(self, levels: list[Floats], proof: bool, ply: int, node: int) -> Ints:
        """The leaves of the cheapest proof. Of two that are as cheap, the one that repeats the other's symbol."""
        nodes = np.array([node])
        for at in range(ply, self.num_plies):
            costs = levels[at + 1]
            if _chooses(at, proof):
                likely = 2 * nodes + (nodes & 1)
                nodes = np.where(costs[likely] <= costs[likely ^ 1], likely, likely ^ 1)
            else:
                nodes = np.stack([2 * nodes, 2 * nodes + 1], axis=1).ravel()
            nodes = nodes[costs[nodes] > 0]
        return nodes


def _chooses(ply: int, proof: bool) -> bool:
    """Whether the mover is the one for whom it is proven, and so needs one move only."""
    return (ply % 2 == 0) == proof


def _pairs(num_places: int) -> Ints:
    """For each leaf the pair that stands for it."""
    leaves = np.arange(1 << 2 * num_places)
    plus1, plus2 = (
        sum(((leaves >> 2 * (num_places - k) - player & 1) << k for k in range(num_places)), np.zeros_like(leaves))
        for player in (1, 2)
    )
    full = (1 << num_places) - 1
    turned = sum(
        ((np.arange(full + 1) >> k & 1) << num_places - 1 - k for k in range(num_places)), np.zeros(full + 1, np.int64)
    )
    images = [  # the grid itself, with the columns in the opposite order, with the rows so, and with both so
        (plus1, plus2),
        (turned[full ^ plus1], full ^ plus2),
        (full ^ plus1, turned[full ^ plus2]),
        (turned[plus1], turned[plus2]),
    ]
    pairs: Ints = np.min([one << num_places | other for one, other in images], axis=0)
    return pairs
