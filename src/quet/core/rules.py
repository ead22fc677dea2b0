"""What a rules module must have: the contract between a game and everything that plays it.

A game is a module of plain functions over one mutable State; `Rules` is that module's type. Players are 1, 2, ..., N.
A move is an integer that means the same text throughout a game, whatever the position.
"""

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, cast, runtime_checkable

from .parameters import AnyParameter, AnyValue, Parameter
from .state import copy

S = TypeVar("S")  # the State of a game
S_contra = TypeVar("S_contra", contravariant=True)  # the same
S_co = TypeVar("S_co", covariant=True)  # the same
AnyState = Any
"""A state of any game. Only the game's own rules know what is in it, so it has no closer type here."""


class SearchRules(Protocol[S]):
    """What a search asks of rules. Functions trust their callers."""

    LOWER_IS_BETTER: bool

    # Optional: ALLOCATES = False says that no function which a search calls makes a list; it then runs faster.

    @property
    def State(self) -> Callable[[], S]:  # noqa: N802 - a class of the module
        """A blank state; see `quet.core.state`."""

    def num_players(self, s: S) -> int:
        """How many players, 1..8."""

    def most_moves(self, s: S) -> int:
        """A bound on how many moves are legal at once in a game with these parameters."""

    def legal_moves(self, s: S, out: list[int]) -> int:
        """Write the legal moves to the front of `out` (at least `most_moves` long), each once; return how many.

        None once the game is over. The order is the state's own; those who show moves sort them.
        """

    def play(self, s: S, move: int) -> None:
        """Change s by a legal move."""

    def mover(self, s: S) -> int:
        """The player to move, 1..N; meaningless once the game is over."""

    def is_over(self, s: S) -> bool:
        """Whether the game has ended."""

    def score(self, s: S, player: int) -> int:
        """The player's score as it stands in this position; final when the game is over."""


@runtime_checkable
class Canonical(Protocol[S_contra]):
    """What rules also have if two states can stand for one position, as where a list may be in any order."""

    def canonical(self, s: S_contra) -> None:
        """Change s into the one state that stands for its position; play goes on alike."""


@runtime_checkable
class Larger(Protocol[S_co]):
    """What rules also have if a State has too little room for the sizes that are only solved."""

    @property
    def LargeState(self) -> Callable[[], S_co]:  # noqa: N802 - a class of the module
        """A blank state with the fields of State, and longer lists."""


class Rules(SearchRules[S], Protocol[S]):
    """A rules module. Functions trust their callers: only `read_move` and `broken_rule` check anything.

    It may have `canonical` and `LargeState` besides; see above.
    """

    VERSION: int
    """Raised when a game played before would now be refereed differently; records hold it."""

    @property
    def PARAMETERS(self) -> Sequence[AnyParameter]:  # noqa: N802 - a constant of the module
        """What a game begins with; the size comes first."""

    @property
    def start(self) -> Callable[..., None]:
        """What makes a blank state the first position of a game; it takes the state, and the parameters by name."""

    def move_text(self, s: S, move: int) -> str:
        """The move as people write it."""

    def read_move(self, s: S, text: str) -> int:
        """The move written; raises UnreadableMove. Not yet known to be legal."""

    def broken_rule(self, s: S, move: int) -> str:
        """The rule that this readable move breaks here, as a sentence; empty when it is legal. The game isn't over."""


AnyRules = Rules[AnyState]
"""The rules of any game, as the catalog gives them."""
AnySearchRules = SearchRules[AnyState]
"""The same where a search alone asks: also a game in bits, or with its sensible moves only."""


def started(rules: AnyRules, values: Mapping[str, AnyValue]) -> AnyState:
    """The position that a game with these parameters begins with, also of a size that is only solved."""
    is_played = all(values[p.name] <= p.high for p in rules.PARAMETERS if isinstance(p, Parameter))
    s = rules.LargeState() if isinstance(rules, Larger) and not is_played else rules.State()
    rules.start(s, **values)
    return s


def legal_moves(rules: AnySearchRules, s: AnyState) -> list[int]:
    """The legal moves, ascending; none once the game is over."""
    out = [0] * rules.most_moves(s)
    return sorted(out[: rules.legal_moves(s, out)])


def played(rules: AnySearchRules, s: AnyState, move: int) -> AnyState:
    """The position that a legal move leads to; s stays as it is."""
    after = copy(s)
    rules.play(after, move)
    return after


def difference(rules: AnySearchRules, s: AnyState) -> int:
    """Player 1's score minus player 2's as it stands; the score of a solitaire."""
    value = int(rules.score(s, 1))
    return value - int(rules.score(s, 2)) if rules.num_players(s) > 1 else value


def advantage(rules: AnySearchRules, s: AnyState) -> int:
    """The difference, times -1 where the lower score is better: player 1 wants it to be large."""
    value = difference(rules, s)
    return -value if rules.LOWER_IS_BETTER else value


def wants_high(rules: AnySearchRules, player: int) -> bool:
    """Whether the player wants the difference to be high; of a solitaire, the score."""
    return (player == 1) != rules.LOWER_IS_BETTER


def module_name(module: object) -> str:
    """The name of the module that rules or a capability are, by which another process finds it."""
    return str(vars(module)["__name__"])


def rules_named(module: str) -> AnySearchRules:
    """The rules that are the module of this name."""
    return cast(AnySearchRules, importlib.import_module(module))
