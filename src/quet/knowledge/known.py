"""What is known of a position: its value or bounds of it, the moves that reach them, and how it is known.

These are the words in which `ask.py` is asked and answers.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from ..core.messages import Message, say
from ..game import Game

if TYPE_CHECKING:
    from ..distribution.task import Task
    from ..engine.findings import Findings

WON = 0.9  # the reward of a search from which on the game is won (`engine/mcts.py`)
MEMORY = 100 * 2**20  # bytes of a table, unless another limit is given
LOOK_UP = 0.0  # as `Source.seconds`: milliseconds, but the first time, when code and files are read, some tenths


class How(Enum):
    """How something is known."""

    TABLE = "table"
    STRATEGY = "strategy"
    RESULT = "result"
    ROW = "row"
    SOLVED = "solved"
    PLAN = "plan"
    BOUND = "bound"
    END = "end"

    @property
    def text(self) -> Message:
        """In words, as people are told."""
        return _TEXTS[self]


_TEXTS = {
    How.TABLE: say("proven: table"),
    How.STRATEGY: say("proven: strategy"),
    How.RESULT: say("the best result known"),
    How.ROW: say("proven: table of results"),
    How.SOLVED: say("proven: solved"),
    How.PLAN: say("a game found by the solver"),
    How.BOUND: say("proven: no score is better"),
    How.END: say("the game is over"),
}


@dataclass(frozen=True)
class Budget:
    """What an answer may cost."""

    seconds: float = 1.0  # in all; what compiling takes isn't counted
    memory: int = MEMORY  # bytes
    stop: threading.Event | None = None  # when it is set, what is known so far is the answer
    is_plain: bool = False  # nothing compiled can be used
    patience: float = 0.0  # further seconds for a table that will be full by then, as far as can be told

    def task(self) -> "Task":
        """The task of a solver that has this budget, beginning now; this process does it."""
        from ..distribution.task import Task
        from ..distribution.workers import here

        return Task(self.seconds, self.memory, stop=self.stop, patience=self.patience, workers=here())


@dataclass(frozen=True)
class Known:
    """What is known of a position that isn't over, to its mover.

    All numbers are advantages: the mover's final score minus the opponent's if both play to make their own advantage
    large, or the opponent's minus the mover's where the lower score wins. In a solitaire they are final scores, times
    -1 where the lower score is better.
    """

    how: How  # the source of `moves`
    moves: Sequence[str] = ()  # the best moves known: after each of them the mover can still reach `low`
    low: int | None = None  # the value is not below
    high: int | None = None  # and not above; None where nothing is known
    advantages: Mapping[str, int] = field(default_factory=dict)  # of all legal moves, exact; else of none
    shares: Mapping[str, float] = field(default_factory=dict)  # of the win, for three and more players: all exact
    scores: Sequence[int] = ()  # in the end, of three or more players: see `sources.PerfectOfMany`
    wins_alone: bool = False  # one of three or more players: with the moves, whatever all others do
    line: Sequence[str] = ()  # a game that goes on from here and reaches `low`, as far as it was found
    is_of_one: bool = False  # the game is a solitaire
    how_high: How | None = None  # the source of `high`, where it isn't that of `moves`
    why: str = ""  # what the first of the moves does, as a sentence; empty where the source doesn't say

    @property
    def is_exact(self) -> bool:
        """Whether the value is known."""
        return self.low is not None and self.low == self.high

    @property
    def grounds(self) -> How:
        """How `low` is known: a best result is proven where no score is better, and else it is the best one known."""
        return How.BOUND if self.how is How.RESULT and self.is_exact else self.how

    @property
    def has_all(self) -> bool:
        """Whether every legal move's worth is known."""
        return bool(self.advantages or self.shares)

    @property
    def is_settled(self) -> bool:
        """Whether a best move is known for certain, and nothing more need be asked."""
        return self.has_all or bool(self.moves and (self.is_exact or self.scores or self.wins_alone))

    @property
    def is_held(self) -> bool:
        """Whether the moves are proven to hold a win or a draw of two players, however much more there may be."""
        return bool(self.moves) and not self.is_of_one and self.low is not None and self.low >= 0

    def outweighs(self, findings: "Findings") -> bool:
        """Whether the known moves are to be played, and not the one that a search has found."""
        if self.has_all or not self.moves:
            return bool(self.moves)
        best, low = findings.candidates[0], self.low
        if self.is_of_one:
            return low is not None and best.best <= low
        # A strategy that may lose is no floor. One that holds a win or a draw gives way to a proven win only.
        return self.is_held and not (low == 0 and best.is_solved and best.value >= WON)

    def joined(self, other: "Known") -> "Known":
        """What both say together.

        The moves are those with the higher `low`. If both are equal, they are these, unless only the other knows all.
        """
        is_higher = other.low is not None and (self.low is None or other.low > self.low)
        is_fuller = other.low == self.low and other.has_all and not self.has_all
        better = other if other.moves and (is_higher or is_fuller or not self.moves) else self
        high, how = self.high, self.how_high or self.how
        if other.high is not None and (high is None or other.high < high):
            high, how = other.high, other.how_high or other.how
        how_high = None if high is None or how is better.how else how
        return replace(better, high=high, how_high=how_high, is_of_one=self.is_of_one or other.is_of_one)


class Source(Protocol):
    """Something that may know a position."""

    seconds: float
    """The seconds that a look takes at least. A question with less time gets no answer from here.

    A source that only looks something up has LOOK_UP. It is always asked, and its time isn't counted.
    """

    def look(self, game: Game, budget: Budget) -> Known | None:
        """What it knows of a position that isn't over, within the budget; None for nothing.

        Raises TooLarge, and NotCompiled where compiling is left to another process that hasn't ended.
        """
