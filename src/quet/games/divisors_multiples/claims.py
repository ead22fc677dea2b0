"""What a checker of certificates has to know of Divisors/Multiples."""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import overload

from .rules import State


def wish(scores: Sequence[int], player: int) -> int:
    """The sum over all other players of what they have paid less what this player has paid."""
    return sum(scores) - len(scores) * scores[player - 1]


def position(s: State) -> Sequence[int | Sequence[int]]:
    """Everything but what was paid: everyone wants a difference of payments, and earlier ones don't change it."""
    return [s.is_taken[: s.r + 1], s.current, s.mover, s.num_steps]


def stage(s: State) -> int:
    """How far the game is: numbers taken, and steps of the turn, of which there are at most 2 r."""
    return s.num_taken * (2 * s.r + 1) + s.num_steps


def turns(s: State) -> Sequence[Sequence[int]]:
    """The cheapest turn to each number that isn't taken, in the order of the numbers.

    What a step costs changes only when a turn stops. So a turn that comes to a number again can be made cheaper, and
    the cheapest have fewer than r steps: the limit of 2 r stops none of them (Dijkstra, 1959).
    """
    return _Turns(s)


class _Turns(Sequence[Sequence[int]]):
    """The turns from a position, each found when it is asked for: of a strategy only one is played."""

    def __init__(self, s: State) -> None:
        self._s = s
        # Every number can be reached, by 1. So these are all.
        self._numbers = [number for number in range(1, s.r + 1) if not s.is_taken[number]]

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, i: int) -> Sequence[int]: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[Sequence[int]]: ...
    def __getitem__(self, i: int | slice) -> Sequence[int] | Sequence[Sequence[int]]:
        if isinstance(i, slice):
            return list(self)[i]
        number = self._numbers[i]
        before, stopped = _cheapest(self._s, number)
        return _moves(self._s.current, before, stopped[number][1], number)

    def __iter__(self) -> Iterator[Sequence[int]]:
        before, stopped = _cheapest(self._s, 0)
        return (_moves(self._s.current, before, stopped[number][1], number) for number in self._numbers)


def _cheapest(s: State, wanted: int) -> tuple[Sequence[int], Mapping[int, tuple[int, int]]]:
    """For each number the one before it on the cheapest walk; for one to stop on, the price and the one before too.

    If a number is wanted, only its own walk is right.
    """
    is_taken = s.is_taken
    cost = [_FAR] * (s.r + 1)
    before = [0] * (s.r + 1)
    stopped: dict[int, tuple[int, int]] = {}
    cost[s.current] = 0
    queue = [(0, s.current)]
    beside = _beside(s.r)
    enough = _FAR  # no walk that costs more can be a part of the one that is wanted
    while queue:
        paid, x = heapq.heappop(queue)
        if paid >= enough:
            break
        if paid > cost[x]:
            continue
        for y, ratio in beside[x]:
            if not is_taken[y]:
                if y not in stopped or paid + ratio < stopped[y][0]:
                    stopped[y] = (paid + ratio, x)
                    if y == wanted:
                        enough = paid + ratio
            else:
                ratio *= 2
            if paid + ratio < cost[y]:
                cost[y], before[y] = paid + ratio, x
                if paid + ratio < enough:
                    heapq.heappush(queue, (paid + ratio, y))
    return before, stopped


def _moves(first: int, before: Sequence[int], x: int, y: int) -> list[int]:
    """The moves from the first number by x to y, where the turn stops."""
    moves = [2 * y + 1]
    while x != first:
        moves.append(2 * x)
        x = before[x]
    return moves[::-1]


@lru_cache(maxsize=4)
def _beside(r: int) -> Sequence[Sequence[tuple[int, int]]]:
    """For each number its divisors and multiples, and the larger over the smaller."""
    return [
        [(y, max(x // y, y // x)) for y in range(1, r + 1) if x % y == 0 or y % x == 0] if x else []
        for x in range(r + 1)
    ]


_FAR = 1 << 60
