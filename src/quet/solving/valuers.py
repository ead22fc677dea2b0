"""Valuers find values of positions of one game: by a table, by alpha-beta, by a tree search, or by the rules alone.

`choose.py` says which of them suits a game and its size.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ..capabilities import Capabilities, Solved
from ..core.rules import AnySearchRules, AnyState
from ..distribution.task import Task
from ..distribution.workers import here
from .by_rules import FAR, Memo

if TYPE_CHECKING:
    from ..engine.deepening import Iteration
    from ..engine.tree import TreeSearch

TABLE = "positions of the table"  # the name of the note that counts them
LONG = 1e9  # seconds; only a search with a limit of time looks at the clock, so that Ctrl-C can stop it

# Alpha-beta first looks 1, 2, ... up to so many plies ahead, to order the first moves, and then to the end at once.
# That halves the positions of one game of the eight (9 against 17 million) and costs nothing in others, where deepening
# all the way visits up to twice as many. In a solitaire a short look can't see the highest score.
LEAP = 4


class Valuer(Protocol):
    """Finds the values of positions of one game: the difference of the scores, signed so that player 1 wants it large.

    In a solitaire that is the best score that can still be reached. Not for two threads at once.
    """

    method: str
    """How it finds values, as a part of a sentence."""

    @property
    def nodes(self) -> int:
        """How many positions it has looked at, not counting those of a table."""

    def prepare(self) -> None:
        """Compile what it needs, so that no time is lost to it later. Raises TooLarge where memory doesn't suffice."""

    def value(self, s: AnyState, task: Task) -> int | None:
        """The value of a position that isn't over; None when the time is over."""


def side(rules: AnySearchRules, s: AnyState, *, is_lowest: bool) -> int:
    """What scores are multiplied by, so that player 1 wants them large: -1 where low ones are wanted, else 1."""
    wants_low = is_lowest if rules.num_players(s) == 1 else rules.LOWER_IS_BETTER
    return -1 if wants_low else 1


def bounds(
    rules: AnySearchRules, capabilities: Capabilities, s: AnyState, *, is_lowest: bool
) -> tuple[int, int] | None:
    """The bounds of values that the game declares, as `side` has values; None where it declares none."""
    if capabilities.bounds is None:
        return None
    low, high = capabilities.bounds.bounds(s)
    is_declared_so = side(rules, s, is_lowest=is_lowest) == (-1 if rules.LOWER_IS_BETTER else 1)
    return (low, high) if is_declared_so else (-high, -low)


class ByTable:
    """Looks positions up in the game's own table, or in a saved one; it searches for values that a table can't hold."""

    def __init__(
        self,
        rules: AnySearchRules,
        capabilities: Capabilities,
        state: AnyState,
        *,
        memory: int,
        solved: Solved[AnyState] | None = None,
    ) -> None:
        """A table that is given must be one of this game and of its parameters."""
        self._rules, self._capabilities, self._state, self._memory = rules, capabilities, state, memory
        self.method = "" if capabilities.table is None else capabilities.table.METHOD
        self.solved = solved
        self._beyond: ByAlphaBeta | ByRules | None = None

    @property
    def nodes(self) -> int:
        """The positions of the search that helps the table out."""
        return 0 if self._beyond is None else self._beyond.nodes

    def prepare(self) -> None:
        """Begin the table, where there is none."""
        if self.solved is None:
            self._solve(Task(seconds=0.0, memory=self._memory, workers=here()))

    def value(self, s: AnyState, task: Task) -> int | None:
        """The value, as for every Valuer. Raises BadTablebase where a tablebase is damaged."""
        if self.solved is None:
            self._solve(task)
        if self.solved is None:
            return None
        found = self.solved.value(s)
        if found is not None:
            return int(found)
        if self._beyond is None:
            question = self._rules, self._capabilities, self._state
            if self._capabilities.keys is not None and self._capabilities.keys.fits(s):
                self._beyond = ByAlphaBeta(*question, memory=self._memory)
            else:
                self._beyond = ByRules(*question, memory=self._memory, is_lowest=False)
        return self._beyond.value(s, task)

    def _solve(self, task: Task) -> None:
        assert self._capabilities.table is not None
        self.solved = self._capabilities.table.solve(self._state, task)
        if self.solved is not None:
            task.keep(self.solved)
            task.note(TABLE, self.solved.num_positions)


class Best(NamedTuple):
    """What is known of a position's value, as for every Valuer."""

    low: int  # the value is not below
    high: int  # and not above
    move: int  # with which the mover gets the bound that is the worse one for them; -1 where none is known

    @property
    def is_exact(self) -> bool:
        """Whether the value is known."""
        return self.low == self.high


class ByAlphaBeta:
    """Searches by alpha-beta, with one transposition table for all positions of a game."""

    method = "alpha-beta with a transposition table"

    def __init__(self, rules: AnySearchRules, capabilities: Capabilities, state: AnyState, *, memory: int) -> None:
        """Raises TooLarge."""
        from ..engine.deepening import Deepening

        assert capabilities.keys is not None
        if not capabilities.keys.fits(state):
            capabilities = replace(capabilities, compact="")  # made for boards whose keys fit
        self._capabilities, self._rules = capabilities, rules
        rules, in_bits, self._state = capabilities.for_search(rules, state)
        self.search = Deepening(rules, in_bits, self._state, memory=memory)
        self.nodes = 0

    def prepare(self) -> None:
        """Search one position."""
        self.search.run(self._state, nodes=1)

    def begin_from(self, s: AnyState) -> None:
        """Say that this position and those after each move from it are asked about next, as for `Deepening`."""
        self.search.begin_from(self._in_bits(s))

    def value(self, s: AnyState, task: Task) -> int | None:
        """The value, as for every Valuer; what was found on the way is kept in the table."""
        found = self.search.run(
            self._in_bits(s),
            leap=LEAP,
            seconds=LONG if task.left is None else task.left,
            stop=task.stop,
            has_line=False,
        )
        self.nodes += found.num_nodes
        return found.value if found.is_exact else None

    def best(self, s: AnyState, task: Task) -> Best:
        """Bounds of the value of a position that isn't over, equal unless the time is over, and the best move known.

        Narrow windows around the value of a short look find both, in much less time than the values of all moves take.
        """
        is_first = self._rules.mover(s) == 1
        s = self._in_bits(s)
        least, most = self.search.bounds
        found = self._within(s, task, LEAP, (least, most))
        low, high, step = least, most, 1  # what is known of the value, and how far a window reaches beyond it
        window = found.value - 1, found.value + 1
        is_inside = found.is_exact
        move = -1
        while not is_inside:
            found = self._within(s, task, None, window)
            if not found.is_exact:
                return Best(low, high, move)
            if found.value >= window[1] if is_first else found.value <= window[0]:
                move = self.search.best_move
            if found.value <= window[0]:
                high = min(high, found.value)
                window = max(high - step, low - 1), high + 1
            elif found.value >= window[1]:
                low = max(low, found.value)
                window = low - 1, min(low + step, high + 1)
            else:
                is_inside = True
            step *= 2
        return Best(found.value, found.value, self.search.best_move)

    def _in_bits(self, s: AnyState) -> AnyState:
        """The position as the search has it: many games are searched in bits (`compact.py`)."""
        return self._capabilities.twin(s)[1]

    def _within(self, s: AnyState, task: Task, depth: int | None, window: tuple[int, int]) -> "Iteration":
        """The search of a position in a window, so many plies ahead or to the end."""
        leap = None if depth is not None else 0
        found = self.search.run(
            s, depth=depth, leap=leap, seconds=task.left, stop=task.stop, has_line=False, window=window
        )
        self.nodes += found.num_nodes
        return found


class ByTree:
    """Searches a tree that keeps what it has proved; for games whose value is known as soon as the winner is.

    In a solitaire the value is also known when its upper bound has been reached.
    """

    method = "tree search that keeps what it proves"

    def __init__(
        self,
        rules: AnySearchRules,
        capabilities: Capabilities,
        state: AnyState,
        begun: "Callable[[AnyState], TreeSearch]",
    ) -> None:
        """`begun` is a new search from a position."""
        self._rules, self._bounds, self._state, self._begun = rules, capabilities.bounds, state, begun
        self.nodes = 0

    def prepare(self) -> None:
        """Search one position."""
        self.value(self._state, Task(seconds=0.0))

    def value(self, s: AnyState, task: Task) -> int | None:
        """The value, as for every Valuer."""
        findings = self._begun(s).run(seconds=task.improving().left, stop=task.stop)
        self.nodes += findings.num_simulations
        best = findings.candidates[0]
        if self._rules.num_players(s) == 1:
            is_best = self._bounds is not None and best.best >= self._bounds.bounds(s)[1]
            return int(best.best) if findings.is_solved or is_best else None
        if not findings.is_solved:
            return None
        sign = 1 if best.value >= 0.9 else 0 if best.value >= 0.4 else -1
        return sign if self._rules.mover(s) == 1 else -sign


class ByRules:
    """Tries every move of every position once, and keeps each value: for small games that offer nothing else.

    Two positions are the same only when all fields of their States are equal, so this is right for any rules.
    """

    method = "trying every move of every position"

    def __init__(
        self, rules: AnySearchRules, capabilities: Capabilities, state: AnyState, *, memory: int, is_lowest: bool
    ) -> None:
        """`is_lowest`: a solitaire's lowest score is wanted; values are then the scores times -1."""
        low, high = bounds(rules, capabilities, state, is_lowest=is_lowest) or (-FAR, FAR)
        self._memo = Memo(rules, sign=side(rules, state, is_lowest=is_lowest), memory=memory, bounds=(low, high))

    @property
    def nodes(self) -> int:
        """The positions in the memo."""
        return self._memo.num_positions

    def prepare(self) -> None:
        """Nothing is compiled."""

    def value(self, s: AnyState, task: Task) -> int | None:
        """The value, as for every Valuer; None too where memory doesn't suffice, or a position can occur again."""
        return self._memo.value(s, until=task.until, stop=task.stop, report=task.report)
