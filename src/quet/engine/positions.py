"""All positions that a small game can come to, with their values: a table by key, found depth first.

Unlike alpha-beta's table it has every position and no bounds, so that no search is needed to read it. `exact` is the
game's own `exact.py` with its keys; what `outlook.py` says of settled scores holds here too. Compiled by `compiled.py`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..capabilities import NO_VALUE, Capabilities, Keys, Reach
from ..core.clock import clock
from ..core.rules import AnySearchRules, AnyState
from . import arrays
from . import outlook as nothing_known
from .alphabeta import UNKNOWN
from .arrays import Ints, Records, unbound

ALLOCATES = False

rules: AnySearchRules = unbound  # bound by compiled()
exact: Keys[AnyState] = unbound
outlook: Reach[AnyState] = unbound

NUMBERING = 1  # the version of `place`, which saved tables name; raise it when keys get other places
NONE = -(1 << 15)  # stands in `values` where there is no position
SMALLEST = 1 << 12  # entries of a table to begin with
GROWTH = 2  # how many times larger the table becomes when it is three quarters full
PORTION = 1 << 16  # moves between two looks at the clock

FRAME = np.dtype(
    [
        ("key", np.int64),
        ("best", np.int64),
        ("settled", np.int64),  # the part of the value that the table leaves out
        ("count", np.int64),  # legal moves
        ("next", np.int64),  # how many of them have been tried
    ]
)


def place(keys: Ints, values: Ints, key: int) -> int:
    """Where this key stands, or would stand: there `values` has NONE."""
    mask = len(keys) - 1
    folded = (key ^ key >> 23 ^ key >> 46) & 0x7FFFFFFF
    i = folded * 0x4F1BBCDD >> 16 & mask
    while values[i] != NONE and keys[i] != key:
        i = i + 1 & mask
    return int(i)


def difference(s: AnyState) -> int:
    """The same as `alphabeta.difference`."""
    value = rules.score(s, 1)
    if rules.num_players(s) > 1:
        value -= rules.score(s, 2)
    return int(-value if rules.LOWER_IS_BETTER else value)


def visit(
    stack: Records, frames: Records, moves: Ints, keys: Ints, values: Ints, counts: Ints, most_entries: int
) -> bool:
    """Go on from ply counts[0] with the positions after stack[0]; return whether all of them are in the table.

    It also stops after counts[2] more moves, and when the table has `most_entries`; counts[1] counts its entries.
    `stack`, `frames` and the rows of `moves` are room for all plies. To begin, counts[0] is -1.
    """
    ply = counts[0]
    is_entering = ply < 0
    ply = max(ply, 0)
    value = 0
    while True:
        f = frames[ply]
        s = stack[ply]
        is_known = False
        if is_entering:
            is_entering = False
            if rules.is_over(s):
                value = difference(s)
                is_known = True
            else:
                f.key = exact.key(s)
                f.settled = outlook.settled(s)
                at = place(keys, values, f.key)
                if values[at] != NONE:
                    value = values[at] + f.settled
                    is_known = True
                else:
                    f.count = rules.legal_moves(s, moves[ply])
                    f.next = 0
                    f.best = -UNKNOWN if rules.mover(s) == 1 else UNKNOWN
        if not is_known and f.next == f.count:
            value = f.best
            at = place(keys, values, f.key)
            keys[at] = f.key
            values[at] = value - f.settled
            counts[1] += 1
            is_known = True
        if is_known:
            if ply == 0:
                return True
            ply -= 1
            f = frames[ply]
            f.best = max(f.best, value) if rules.mover(stack[ply]) == 1 else min(f.best, value)
        if counts[2] == 0 or counts[1] >= most_entries:
            counts[0] = ply
            return False
        f = frames[ply]
        if f.next < f.count:
            counts[2] -= 1
            stack[ply + 1] = stack[ply]
            rules.play(stack[ply + 1], moves[ply, f.next])
            f.next += 1
            ply += 1
            is_entering = True


def move_over(keys: Ints, values: Ints, new_keys: Ints, new_values: Ints) -> None:
    """Put all positions into a larger table."""
    for i in range(len(keys)):
        if values[i] != NONE:
            at = place(new_keys, new_values, keys[i])
            new_keys[at] = keys[i]
            new_values[at] = values[i]


def read(states: Records, keys: Ints, values: Ints, found: Ints) -> None:
    """Write the value of each state, NO_VALUE where the table doesn't have it."""
    for i in range(len(states)):
        s = states[i]
        if rules.is_over(s):
            found[i] = difference(s)
        else:
            value = values[place(keys, values, exact.key(s))]
            found[i] = NO_VALUE if value == NONE else value + outlook.settled(s)


@dataclass(frozen=True)
class Positions:
    """All positions, each at its `place`."""

    capabilities: Capabilities
    keys: Ints  # int64
    values: Ints  # int16, each less what `outlook.settled` says

    @property
    def num_positions(self) -> int:
        """How many positions there are."""
        return int((self.values != NONE).sum())

    def covers(self, s: AnyState) -> bool:
        """Whether the position is there, and so all that can come after it."""
        return self.value(s) is not None

    def value(self, s: AnyState) -> int | None:
        """The value of a position that isn't over; None where the table doesn't have it."""
        capabilities, s = self.capabilities.twin(s)
        assert capabilities.keys is not None
        found = int(self.values[place(self.keys, self.values, int(capabilities.keys.key(s)))])
        return None if found == NONE else found + int((capabilities.reach or nothing_known).settled(s))

    def values_of(self, states: Records, rules: AnySearchRules) -> Ints:
        """The value of each state of these rules, over or not; NO_VALUE where the table doesn't have it.

        A game in bits has its states made one by one, which takes longer than looking them up.
        """
        from . import positions
        from .compiled import compiled

        found = np.zeros(len(states), np.int64)
        if not len(states):
            return found
        has, kind = self.capabilities, type(rules.State())
        if has.compact:
            rules, has, _ = has.for_search(rules, arrays.unpack(states[0], kind))
            states = arrays.pack([self.capabilities.twin(arrays.unpack(record, kind))[1] for record in states])
        module = compiled(positions, rules=rules, exact=has.keys, outlook=has.reach or nothing_known)
        module.read(states, np.asarray(self.keys), np.asarray(self.values), found)
        return found


def solve(
    rules: AnySearchRules,
    capabilities: Capabilities,
    state: AnyState,
    *,
    memory: int,
    until: float = math.inf,
    report: Callable[[int, int, str], None] = lambda done, total, words: None,
) -> Positions | None:
    """All positions from this one on; None when `core.clock` reaches `until`, or they don't fit in `memory`.

    The game must have bounds and keys.
    """
    from . import positions
    from .compiled import compiled

    asked = capabilities
    rules, capabilities, state = capabilities.for_search(rules, state)
    assert capabilities.bounds is not None
    low, high = capabilities.bounds.bounds(state)
    if 2 * max(-low, high) >= -NONE:  # a value less what is settled may not fit
        return None
    bound = {"rules": rules, "exact": capabilities.keys, "outlook": capabilities.reach or nothing_known}
    module = compiled(positions, **bound)
    most_moves = rules.most_moves(state)
    plies = capabilities.most_plies(rules, state) + 1
    stack = np.zeros(plies, arrays.dtype(type(state)))
    stack[0] = arrays.pack([state])[0]
    room = stack, np.zeros(plies, FRAME), np.zeros((plies, most_moves), np.int64)
    keys, values = np.zeros(SMALLEST, np.int64), np.full(SMALLEST, NONE, np.int16)
    counts = np.array([-1, 0, 0])
    while True:
        most_entries = len(keys) * 3 // 4
        counts[2] = PORTION
        if module.visit(*room, keys, values, counts, most_entries):
            return Positions(asked, keys, values)
        report(0, 0, f"{counts[1]} positions met")
        if clock() >= until:
            return None
        if counts[1] >= most_entries:
            if (1 + GROWTH) * len(keys) * 10 > memory:
                return None
            larger = np.zeros(GROWTH * len(keys), np.int64), np.full(GROWTH * len(keys), NONE, np.int16)
            module.move_over(keys, values, *larger)
            keys, values = larger
