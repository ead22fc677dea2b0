"""The longest path over squares of one number, proven square by square.

For one square after another it is decided whether the path visits it, and by which steps it is joined to squares
decided before. The frontier is the decided squares that touch undecided ones. For the rest it only matters which of its
squares wait for more steps, and which of them are connected (Knuth's Simpath: "The Art of Computer Programming", 7.1.4,
exercise 225). If several ways to decide agree in this, the search keeps the one that has lost least.

A way loses 1 for each square left out, and the difference between the best end and its own. Ways that can't beat a path
known already are dropped; where that path leaves out few squares, few ways remain.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

WIDEST = 9  # squares of a frontier; over a wider one there may be too many ways
DONE, BEGUN, ENDED = -1, -2, -3

# What a way says of each square of the frontier: DONE where it waits for no step; the square itself where it waits for
# two; where it waits for one, the other end of its piece of the path, or BEGUN or ENDED if that is an end of the path.
Way = Sequence[int]
Steps = tuple[tuple[int, int], "Steps"] | None  # those made, as a chain: two squares and the steps before, or None


class TooMuchWork(Exception):
    """There are more ways than may be looked at."""


def order(
    touching: Mapping[int, Collection[int]], keys: Sequence[Callable[[int], int | tuple[int, ...]]]
) -> list[int] | None:
    """The squares sorted by the key, up or down, that keeps the frontier narrowest; None where it is still too wide."""
    orders = [sorted(touching, key=key, reverse=is_down) for key in keys for is_down in (False, True)]
    _, best = min((sum(3**size for size in _sizes(touching, squares)), squares) for squares in orders)
    return best if max(_sizes(touching, best)) <= WIDEST else None


class Frontier:
    """Looks for a path from one of `starts` that is worth more than `least`.

    A path is worth the number of its squares, and what `ends` says of its end. `touching` says which squares each
    square touches. Squares are decided in the order given.
    """

    def __init__(
        self,
        touching: Mapping[int, Collection[int]],
        order: Sequence[int],
        starts: Collection[int],
        ends: Mapping[int, int],
        least: int,
    ) -> None:
        self._touching, self._order, self._starts = touching, order, starts
        most = max(ends.values())
        self._end_loss = {square: most - worth for square, worth in ends.items()}
        self._most_loss = len(touching) + most - least - 1
        self._found: Steps = None
        self._squares: list[int] = []  # of the frontier; the last one is being decided
        self._stay: list[int] = []  # the places of those that stay in it
        self._leave: list[int] = []  # and of those that don't
        self._undecided = len(touching)
        self._ways: dict[tuple[int, ...], tuple[int, Steps]] = {}  # what each has lost, and its steps
        self.used = 0  # ways looked at

    def path(self, work: int) -> list[int]:
        """The best such path of two squares or more, from its start; empty where there is none.

        Raises TooMuchWork when more than `work` ways would be looked at.
        """
        last = _last(self._touching, self._order)
        self._ways = {(): (0, None)}
        for i, square in enumerate(self._order):
            ways, self._ways = self._ways, {}
            self.used += len(ways)
            if self.used > work:
                raise TooMuchWork
            self._squares.append(square)
            self._undecided -= 1
            self._stay = [k for k, other in enumerate(self._squares) if last[other] > i]
            self._leave = [k for k, other in enumerate(self._squares) if last[other] <= i]
            beside = [k for k, other in enumerate(self._squares) if other in self._touching[square]]
            for way, (loss, steps) in ways.items():
                self._decide(way, beside, loss, steps)
            self._squares = [self._squares[k] for k in self._stay]
        return _walk(self._found)

    def _decide(self, way: Way, beside: Sequence[int], loss: int, steps: Steps) -> None:
        """Extend this way by every decision on the last square, which touches the squares at the places `beside`."""
        square = self._squares[-1]
        last_call = [k for k in self._leave if k < len(way) and way[k] != DONE]  # they must be joined with it
        beside = last_call + [k for k in beside if way[k] != DONE and k not in last_call]
        is_start = square in self._starts
        if not is_start or len(self._starts) > 1:
            if not last_call:
                self._keep([*way, DONE], loss + 1, steps)
                self._keep([*way, square], loss, steps)
            for number, k in enumerate(last_call[:1] or beside):
                once = self._join([*way, square], k, loss, steps)
                for other in (last_call[1:] or beside[number + 1 :]) if once else ():
                    self._join(once, other, loss, ((self._squares[k], square), steps))
        for end, more in ((BEGUN, 0), (ENDED, self._end_loss[square])):
            if (end == ENDED or is_start) and loss + more <= self._most_loss and end not in way:
                made = (end, square), steps
                if not last_call:
                    self._keep([*way, end], loss + more, made)
                for k in last_call[:1] or beside:
                    self._join([*way, end], k, loss + more, made)

    def _join(self, way: Way, k: int, loss: int, steps: Steps) -> Way:
        """Join the square at place k with the last one, and keep the way; empty where that makes no path."""
        squares, other_end, own_end = self._squares, way[k], way[-1]
        if other_end == DONE or own_end in (other_end, squares[k]):
            return ()  # it waits for no step, or the two are joined already
        after = list(way)
        after[k] = after[-1] = DONE
        for end, far in ((other_end, own_end), (own_end, other_end)):
            if end >= 0:
                after[squares.index(end)] = far
        made = (squares[k], squares[-1]), steps
        if other_end >= 0 or own_end >= 0:
            self._keep(after, loss, made)
            return after
        loss += self._undecided
        if loss <= self._most_loss and set(after) == {DONE}:
            self._most_loss = loss - 1
            self._found = made
        return ()

    def _keep(self, way: Way, loss: int, steps: Steps) -> None:
        """Keep the way, unless it has lost too much or a square that leaves the frontier waits for a step."""
        if loss > self._most_loss:
            return
        for k in self._leave:
            if way[k] != DONE:
                return
        rest = tuple([way[k] for k in self._stay])
        known = self._ways.get(rest)
        if known is None or loss < known[0]:
            self._ways[rest] = loss, steps


def _last(touching: Mapping[int, Collection[int]], order: Sequence[int]) -> dict[int, int]:
    """For each square, the latest place in the order of the square itself and those that touch it."""
    number = {square: i for i, square in enumerate(order)}
    return {square: max([number[square], *(number[other] for other in touching[square])]) for square in order}


def _sizes(touching: Mapping[int, Collection[int]], order: Sequence[int]) -> list[int]:
    """How many squares the frontier has after each of these."""
    last = list(_last(touching, order).values())
    return [sum(until > i for until in last[: i + 1]) for i in range(len(order))]


def _walk(steps: Steps) -> list[int]:
    """The path that these steps make."""
    beside: dict[int, list[int]] = {}
    while steps is not None:
        (a, b), steps = steps
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)
    path = beside[BEGUN] if beside else []
    before = BEGUN
    while path and path[-1] != ENDED:
        before, after = path[-1], [other for other in beside[path[-1]] if other != before]
        path.append(after[0])
    return path[:-1]
