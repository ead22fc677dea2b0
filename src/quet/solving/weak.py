"""Makes weak solutions: for each side a strategy that holds the value, with few replies, for `check_weak.py` to check.

A strategy is small if its replies lead to the same positions again and again. Stage by stage, all positions that need a
reply are known, and the moves that keep the value. Which of them to take is a weighted set cover: a position after a
move covers all positions from which it can be reached, and costs the new positions that can come up after it and need
replies too. It is chosen greedily (Chvatal, A greedy heuristic for the set-covering problem, 1979): again and again the
one that covers the most for what it costs.
"""

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Protocol

from ..capabilities import Capabilities, Solved, SolvedWithReplies
from ..certificates.check_weak import Positions, Walk, packed
from ..certificates.claims import Subject, hashed, of
from ..certificates.ways import Ways, after, ways
from ..core.errors import NotSolved
from ..core.messages import say
from ..core.rules import AnySearchRules, AnyState, difference, wants_high
from ..distribution.task import Task, no_strategy

if TYPE_CHECKING:
    from ..engine.arrays import Ints, Words

TOUCH = (
    0.01  # what a position costs that needs no reply itself; so of equal moves the one with fewer positions is taken
)


class Values(Protocol):
    """What is known of a game for two."""

    def is_at_least(self, s: AnyState, v: int) -> bool:
        """Whether the value of a position that isn't over is v or more. Raises NotSolved.

        Values are signed so that player 1 wants them large.
        """


class FromSearch:
    """Values from alpha-beta, with one transposition table for all questions."""

    def __init__(self, rules: AnySearchRules, capabilities: Capabilities, state: AnyState, task: Task) -> None:
        """The game must have bounds and keys. Raises TooLarge where the memory of the task doesn't suffice."""
        from ..engine.deepening import Deepening

        rules, in_bits, start = capabilities.for_search(rules, state)
        self._capabilities, self._task = capabilities, task
        self.own = capabilities.replies  # the game's own way to strategies
        self._search = Deepening(rules, in_bits, start, memory=task.memory)

    def is_at_least(self, s: AnyState, v: int) -> bool:
        """As for all `Values`."""
        from .questions import answer

        found = answer(self._search, self._capabilities.twin(s)[1], v, self._task.left)
        if found is None:
            raise no_strategy()
        return found[0] >= v


class FromTable:
    """Values from a table of all positions; those that its entries are too small for, by a search."""

    def __init__(self, solved: Solved[AnyState], search: Callable[[], FromSearch] | None) -> None:
        """`search` is called when it is needed first; None where the game has none."""
        self.solved, self._begin = solved, search
        self._search: FromSearch | None = None

    def is_at_least(self, s: AnyState, v: int) -> bool:
        """As for all `Values`."""
        value = self.solved.value(s)
        if value is not None:
            return value >= v
        if self._begin is None:
            raise NotSolved(say("The table doesn't have the value of a position."))
        if self._search is None:
            self._search = self._begin()
        return self._search.is_at_least(s, v)


def values(
    rules: AnySearchRules, capabilities: Capabilities, state: AnyState, task: Task, solved: Solved[AnyState] | None
) -> Values | None:
    """What strategies are made from: the table `solved` or, without one, what suits the game and its size.

    None where nothing does. Raises TooLarge where memory doesn't suffice.
    """
    from .choose import Way, way

    found = way(rules, capabilities, state, memory=task.memory)
    if solved is None and found is Way.TABLE and capabilities.table is not None:
        solved = capabilities.table.solve(state, task)
    has_keys = capabilities.keys is not None and capabilities.bounds is not None and capabilities.keys.fits(state)
    search = partial(FromSearch, rules, capabilities, state, task) if has_keys else None
    if solved is not None:
        return FromTable(solved, search)
    return search() if search is not None and found is Way.KEYS else None


def grounds(game: str, start: AnyState, value: int, known: Values, task: Task) -> list[dict[str, object]]:
    """The grounds of a proven value of a game for two: a strategy of each side. Raises NotSolved."""
    subject = of(game)
    return [
        {"for": [side], "kind": "weak", "replies": packed(replies(subject, start, value, side, known, task))}
        for side in ("low", "high")
    ]


def replies(subject: Subject, start: AnyState, value: int, side: str, known: Values, task: Task) -> list[int]:
    """The replies of a strategy that holds `value` for `side`, as a certificate has them.

    Raises NotSolved where a value isn't known, or where the time of the task is over.
    """
    is_lower = subject.rules.LOWER_IS_BETTER
    player = 1 if wants_high(subject.rules, 1) == (side == "low") else 2
    signed = -value if is_lower else value
    if isinstance(known, FromTable) and isinstance(known.solved, SolvedWithReplies):
        found: list[int] = known.solved.replies(start, signed, player, _hashed, task).tolist()
        return found
    if isinstance(known, FromSearch) and known.own is not None and known.own.has_replies(start):
        from . import questions

        questions.forget()  # its table takes as much memory as the game may take now
        found = known.own.replies(start, signed, player, task).tolist()
        return found
    return _Strategy(subject, start, value, side, known, task).find()


def _hashed(numbers: "Ints") -> "Words":
    """The hashes of rows of numbers, as `Subject.key` has them, as two words each."""
    import numpy as np

    found = [hashed(row.tobytes()) for row in np.ascontiguousarray(numbers, np.int64)]
    return np.frombuffer(b"".join(found), ">u8").astype(np.uint64).reshape(-1, 2)


@dataclass(eq=False, slots=True)
class _After:
    """A position after a reply that keeps the value, and which positions can lead to it."""

    cost: float
    needs: list[bytes]  # keys of new positions that can come up after it and need a reply
    covers: list[int] = field(default_factory=list)


class _Strategy:
    """A strategy in the making."""

    def __init__(self, subject: Subject, start: AnyState, value: int, side: str, known: Values, task: Task) -> None:
        self._subject, self._rules = subject, subject.rules
        self._value, self._is_low = value, side == "low"
        self._known, self._task = known, task
        self._walk = Walk(subject, start, side, value)
        self._replies: list[int] = []

    def find(self) -> list[int]:
        self._walk.run(self._chosen)
        return self._replies

    def _chosen(self, positions: Positions) -> Iterator[tuple[AnyState, Sequence[int]]]:
        """Each position of a stage with the way on."""
        here = list(positions)
        for (s, going), number in zip(here, self._numbers(here), strict=True):
            yield s, going[number]

    def _numbers(self, positions: Sequence[tuple[AnyState, Ways]]) -> list[int]:
        """For each position of a stage the number of the way on."""
        if self._task.is_over:
            raise no_strategy()
        self._task.report(0, 0, f"stage {self._walk.current} of a strategy, {self._walk.num_own} replies")
        keeping: list[dict[bytes, int]] = []  # of each position, the ways that keep the value by the key after them
        found: dict[bytes, _After | None] = {}  # None where the value isn't kept
        for number, (s, going) in enumerate(positions):
            kept: dict[bytes, int] = {}
            for index, way in enumerate(going):
                twin = after(self._subject, s, way)
                key = self._walk.key(twin)
                known = found.get(key)
                if key not in found or not self._walk.is_score_in_key:
                    keeps = self._keeps(twin)
                    if keeps and known is None:
                        known = self._after(twin, key)
                    elif not keeps:
                        if key not in found:
                            found[key] = None
                        continue
                    found[key] = known
                if known is not None and key not in kept:
                    kept[key] = index
                    known.covers.append(number)
            keeping.append(kept)
        taken = _covered(keeping, {key: one for key, one in found.items() if one is not None})
        self._replies += taken
        return taken

    def _keeps(self, s: AnyState) -> bool:
        """Whether the value of a position is as good as that of the start for the player, or better."""
        is_lower, v = self._rules.LOWER_IS_BETTER, self._value
        if self._rules.is_over(s):
            value = difference(self._rules, s)
            return value >= v if self._is_low else value <= v
        if self._is_low != is_lower:
            return self._known.is_at_least(s, -v if is_lower else v)
        return not self._known.is_at_least(s, (-v if is_lower else v) + 1)

    def _after(self, s: AnyState, key: bytes) -> _After:
        walk, needs = self._walk, []
        cost, stage = TOUCH, walk.stage(s, walk.current)
        if not self._rules.is_over(s):
            if self._rules.mover(s) == walk.player:
                if walk.is_new(key, stage):
                    needs.append(key)
            else:
                for way in ways(self._subject, s):
                    twin = after(self._subject, s, way)
                    cost += TOUCH
                    if not self._rules.is_over(twin) and self._rules.mover(twin) == walk.player:
                        later = walk.key(twin)
                        if walk.is_new(later, walk.stage(twin, stage)):
                            needs.append(later)
        return _After(cost, needs)


def _covered(keeping: Sequence[dict[bytes, int]], found: dict[bytes, _After]) -> list[int]:
    """For each position one of its ways, so that few new positions are needed; chosen greedily."""
    chosen: list[int | None] = [None] * len(keeping)
    needed: set[bytes] = set()

    def price(after: _After) -> float:
        """The cost for each position that is covered."""
        covered = sum(chosen[number] is None for number in after.covers)
        return (after.cost + sum(need not in needed for need in after.needs)) / covered if covered else _NOTHING

    queue = [(price(after), key) for key, after in found.items()]
    heapq.heapify(queue)
    while queue:
        _, key = heapq.heappop(queue)
        after = found[key]
        now = price(after)
        if now == _NOTHING:
            continue
        if queue and now > queue[0][0]:
            heapq.heappush(queue, (now, key))
            continue
        for number in after.covers:
            if chosen[number] is None:
                chosen[number] = keeping[number][key]
        needed.update(after.needs)
    taken = [number for number in chosen if number is not None]
    assert len(taken) == len(keeping)  # or a value is wrong: each position has a way that keeps it
    return taken


_NOTHING = float("inf")  # the price of what covers nothing
