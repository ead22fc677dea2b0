"""Small games that can be tried whole by the rules alone. What a game declares is compared with them."""

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf

from ..catalog import Entry
from ..core.errors import BadParameter
from ..core.parameters import Parameter, read_parameters, to_solve
from ..core.rules import AnyRules, AnyState, started
from ..core.state import copy, key
from ..distribution.task import difference, legal_moves
from ..solving.by_rules import Memo

MOST_POSITIONS = 1_500  # of a game that is tried
MOST_SIZES = 6  # from the smallest on
MOST_SETTINGS = 3  # values of each other parameter, from the lowest on
MEMORY = 1 << 28


@dataclass(frozen=True)
class Known:
    """A position with its value, as a solver sees it: player 1 wants it large."""

    state: AnyState
    value: int
    most_plies: int  # of the games that go on from here
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
    states: dict[object, AnyState] = {key(start): start}
    waiting = [start]
    while waiting:
        s = waiting.pop()
        for move in [] if rules.is_over(s) else legal_moves(rules, s):
            after = _after(rules, s, move)
            if key(after) not in states:
                states[key(after)] = after
                waiting.append(after)
        if len(states) > MOST_POSITIONS:
            return None
    sign = -1 if rules.LOWER_IS_BETTER else 1
    memo = Memo(rules, sign=sign, memory=MEMORY)
    plies = _plies(rules, states)
    if plies is None:
        return None
    found: dict[object, Known] = {}
    for name, s in states.items():
        is_over = rules.is_over(s)
        value = sign * difference(rules, s) if is_over else memo.value(s, until=inf, report=lambda *_: None)
        assert value is not None  # there are few positions, and none occurs again
        found[name] = Known(s, value, plies[name], is_over)
    return Small(entry, parameters, found)


def _plies(rules: AnyRules, states: Mapping[object, AnyState]) -> dict[object, int] | None:
    """The most moves that can follow each position; None where positions can occur again."""
    found: dict[object, int] = {}
    after = {
        name: set() if rules.is_over(s) else {key(_after(rules, s, move)) for move in legal_moves(rules, s)}
        for name, s in states.items()
    }
    way, on_way = [next(iter(states))], {next(iter(states))}
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
