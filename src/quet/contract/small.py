"""Small games that can be tried whole by the rules alone. What a game declares is compared with them."""

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf

from ..catalog import Entry
from ..core.errors import BadParameter
from ..core.parameters import Parameter, read_parameters, to_solve
from ..core.rules import AnyRules, AnyState, advantage, legal_moves, started
from ..core.state import copy, key
from ..solving.by_rules import Memo

MOST_POSITIONS = 1_500  # of a game that is tried
MOST_ENDLESS = 6_000  # the same where a move leads back to the start, as in the sums grid
MOST_SIZES = 6  # from the smallest on
MOST_SETTINGS = 3  # values of each other parameter, from the lowest on
MEMORY = 1 << 28


@dataclass(frozen=True)
class Known:
    """A position with its value, as a solver sees it: player 1 wants it large."""

    state: AnyState
    value: int
    most_plies: float  # of the games that go on from here; math.inf where positions can come again
    is_over: bool


@dataclass(frozen=True)
class Small:
    """A game for one or two players, small enough to try every position."""

    entry: Entry
    parameters: Mapping[str, object]
    positions: Mapping[object, Known]  # by `core.state.key`; the first is the start

    @property
    def rules(self) -> AnyRules:
        """Those of the game."""
        return self.entry.rules

    @property
    def start(self) -> Known:
        """The first position."""
        return next(iter(self.positions.values()))

    def after(self, s: AnyState) -> Iterator[tuple[int, Known]]:
        """The legal moves of a position, and what they lead to."""
        for move in legal_moves(self.rules, s):
            yield move, self.positions[key(_after(self.rules, s, move))]

    def __str__(self) -> str:
        inside = " ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.entry.id} {inside}"


@functools.lru_cache(maxsize=16)
def games(entry: Entry) -> list[Small]:
    """The game at its smallest sizes, as far as all positions can be tried; none where even the smallest has too many.

    Each other parameter has its usual value and then the lowest ones.
    """
    return list(_games(entry))


def _games(entry: Entry) -> Iterator[Small]:
    parameters = to_solve(entry.rules.PARAMETERS)
    plain = [each for each in parameters if isinstance(each, Parameter)]
    if not plain:
        return
    size, *others = plain
    settings: list[dict[str, object]] = [{}]
    for other in others:
        lowest = range(other.low, min(other.low + MOST_SETTINGS, other.high + 1))
        settings += [{other.name: value} for value in lowest if value != other.default]
    for setting in settings:
        for value in range(size.low, min(size.low + MOST_SIZES, size.high + 1)):
            try:
                found = _small(entry, read_parameters(parameters, {size.name: value, **setting}))
            except BadParameter:  # these values don't go together
                continue
            if found is None:
                break
            yield found


def _small(entry: Entry, parameters: Mapping[str, object]) -> Small | None:
    """The game with every position tried; None where it has too many, or more than two players."""
    rules = entry.rules
    start = started(rules, parameters)
    if rules.num_players(start) > 2:
        return None
    first = key(start)
    states: dict[object, AnyState] = {first: start}
    after: dict[object, set[object]] = {}
    waiting, most = [start], MOST_POSITIONS
    while waiting:
        s = waiting.pop()
        following = after[key(s)] = set()
        for move in [] if rules.is_over(s) else legal_moves(rules, s):
            then = _after(rules, s, move)
            name: object = key(then)
            following.add(name)
            if name == first:
                most = MOST_ENDLESS
            if name not in states:
                states[name] = then
                waiting.append(then)
        if len(states) > most:
            return None
    plies, best = _plies(after), {}
    if plies is None:
        if rules.num_players(start) > 1:
            return None
        best = _best_ends(rules, states, after)
        if len(best) < len(states):  # some lead to no end at all
            return None
    sign = -1 if rules.LOWER_IS_BETTER else 1
    memo = Memo(rules, sign=sign, memory=MEMORY)
    found: dict[object, Known] = {}
    for name, s in states.items():
        is_over = rules.is_over(s)
        if is_over:
            value: int | None = advantage(rules, s)
        else:
            value = best[name] if plies is None else memo.value(s, until=inf, report=lambda *_: None)
        assert value is not None  # there are few positions
        found[name] = Known(s, value, inf if plies is None else plies[name], is_over)
    return Small(entry, parameters, found)


def _best_ends(
    rules: AnyRules, states: Mapping[object, AnyState], after: Mapping[object, set[object]]
) -> dict[object, int]:
    """The best score that each position of a solitaire can still end with, where positions can come again."""
    before: dict[object, list[object]] = {name: [] for name in states}
    for name, following in after.items():
        for then in following:
            before[then].append(name)
    ends = {name: advantage(rules, s) for name, s in states.items() if rules.is_over(s)}
    found: dict[object, int] = {}
    for end in sorted(ends, key=lambda name: ends[name], reverse=True):
        waiting = [end]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found[name] = ends[end]
                waiting += before[name]
    return found


def _plies(after: Mapping[object, set[object]]) -> dict[object, int] | None:
    """The most moves that can follow each position; None where positions can occur again."""
    found: dict[object, int] = {}
    first = next(iter(after))
    way, on_way = [first], {first}
    while way:
        unknown = [name for name in after[way[-1]] if name not in found]
        if any(name in on_way for name in unknown):
            return None
        if unknown:
            way.append(unknown[0])
            on_way.add(unknown[0])
        else:
            found[way[-1]] = max((1 + found[name] for name in after[way[-1]]), default=0)
            on_way.discard(way.pop())
    return found


def _after(rules: AnyRules, s: AnyState, move: int) -> AnyState:
    twin = copy(s)
    rules.play(twin, move)
    return twin
