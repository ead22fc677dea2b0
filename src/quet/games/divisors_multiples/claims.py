"""What a checker of certificates has to know of Divisors/Multiples."""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import overload

from quet.core.errors import BadCertificate
from quet.core.state import copy

from . import rules
from .perfect import AllSets, has_digits, num_bytes
from .perfect_of_two import AllSetsOfTwo, num_bytes_of_two
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


def room(s: State) -> Mapping[str, int]:
    """A number for each of 0 to r, and one for each player and for 0."""
    return {"is_taken": s.r + 1, "cost": s.players + 1}


def turns(s: State) -> Sequence[Sequence[int]]:
    """The cheapest turn to each number that isn't taken, in the order of the numbers.

    What a step costs changes only when a turn stops. So a turn that comes to a number again can be made cheaper, and
    the cheapest have fewer than r steps: the limit of 2 r stops none of them (Dijkstra, 1959).
    """
    return _Turns(s)


def num_positions(start: State) -> int:
    """How many pairs there are of a set of taken numbers, which has 1, and one of them."""
    return (start.r + 1) << start.r >> 2


def cost(start: State) -> tuple[float, int] | None:
    """Every pair of a set and a number of it is tried."""
    is_start = start.num_taken == 1 and start.num_steps == 0
    if not is_start or not has_digits(start.r, start.players):
        return None
    of_two = start.players == 2
    speed = _POSITIONS_IN_A_SECOND_OF_TWO if of_two else _POSITIONS_IN_A_SECOND
    return num_positions(start) / speed, num_bytes_of_two(start.r) if of_two else num_bytes(start.r)


def perfect(start: State, claimed: Sequence[int]) -> list[int]:
    """By all sets of taken numbers: what two players pay, as a difference, or what each of more players pays."""
    players = start.players
    sets = AllSetsOfTwo(start.r) if players == 2 else AllSets(start.r, players)
    if sets.result() != tuple(claimed):
        what = "value is" if players == 2 else "scores are"
        found, wanted = (", ".join(map(str, numbers)) for numbers in (sets.result(), claimed))
        raise BadCertificate(f"By trying all positions the {what} {found}, not {wanted}.", step="grounds")
    return [move for move in _moves(start) if _liking(start, move, sets) == sets.liking]


def _moves(s: State) -> list[int]:
    out = [0] * rules.most_moves(s)
    return sorted(out[: rules.legal_moves(s, out)])


def _liking(start: State, move: int, sets: AllSets | AllSetsOfTwo) -> int:
    """How player 1 likes a first move."""
    s = copy(start)
    rules.play(s, move)
    paid = s.cost[start.mover]
    if move % 2:
        return sets.liking_of_stop(s.current) + paid * sets.pays
    cost, _ = _cheapest(s, 0)
    cost = [*cost[: s.current], 1, *cost[s.current + 1 :]]  # a stop where the walk begins is a step of 1
    return max(sets.liking_of_stop(y) + (paid + cost[y]) * sets.pays for y in range(1, s.r + 1) if not s.is_taken[y])


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
        return _turn(self._s, _cheapest(self._s, self._numbers[i])[1], self._numbers[i])

    def __iter__(self) -> Iterator[Sequence[int]]:
        _, before = _cheapest(self._s, 0)
        return (_turn(self._s, before, number) for number in self._numbers)


def _cheapest(s: State, wanted: int) -> tuple[Sequence[int], Sequence[int]]:
    """For each number what the cheapest walk there costs, and the number before it on the walk.

    If a number is wanted, only its own walk is right.

    A step to a number costs the same whether the turn stops there or goes on.
    """
    price = [1 + taken for taken in s.is_taken]
    cost, before = [_FAR] * (s.r + 1), [0] * (s.r + 1)
    beside = _beside(s.r)
    cost[s.current] = 0
    queue = [s.current]  # what was paid, in the higher bits, and a number
    while queue:
        paid, x = divmod(heapq.heappop(queue), _ROOM)
        if x == wanted:
            break
        if paid > cost[x]:
            continue
        for y, ratio in beside[x]:
            after = paid + ratio * price[y]
            if after < cost[y] and after < cost[wanted]:
                cost[y], before[y] = after, x
                heapq.heappush(queue, after * _ROOM + y)
    return cost, before


def _turn(s: State, before: Sequence[int], number: int) -> list[int]:
    """The moves of the cheapest walk to a number, where the turn stops."""
    moves, x = [2 * number + 1], before[number]
    while x and x != s.current:
        moves.append(2 * x)
        x = before[x]
    return moves[::-1]


@lru_cache(maxsize=4)
def _beside(r: int) -> Sequence[Sequence[tuple[int, int]]]:
    """For each number the divisors and multiples that a cheapest walk steps to, and the larger over the smaller.

    In place of a step by a * b, with a and b at least 2, there can be one by a and one by b, in either order. Where the
    number stepped to is taken, they cost at most 2 a + 2 b, and that is at most 2 a b. Where it isn't, the two cost at
    most 2 a + b: more than a b only for 4 and 6. So these and prime numbers will do.
    """
    steps = [k for k in range(2, r + 1) if k in (4, 6) or all(k % p for p in range(2, k))]
    return [
        [(x * k, k) for k in steps if x * k <= r] + [(x // k, k) for k in steps if x % k == 0] for x in range(r + 1)
    ]


_ROOM = 1024  # more than any number
_FAR = 1 << 60
_POSITIONS_IN_A_SECOND = 600_000  # that are tried, on a slow machine
_POSITIONS_IN_A_SECOND_OF_TWO = 1_200_000
