"""What a rules module must have: the contract between a game and everything that plays it.

A game is a module of plain functions over one mutable State; `Rules` is that module's type. Players are 1, 2, ..., N.
A move is an integer that means the same text throughout a game, whatever the position.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from .parameters import AnyParameter


class Rules(Protocol):
    """A rules module. Functions trust their callers: only `read_move` and `broken_rule` check anything."""

    VERSION: int
    """Raised when a game played before would now be refereed differently; records hold it."""

    PARAMETERS: Sequence[AnyParameter]
    LOWER_IS_BETTER: bool

    # Optional: ALLOCATES = False says that no function which a search calls makes a list; it then runs faster.
    State: Callable[[], Any]

    start: Callable[..., None]
    """start(s, **parameters): make the blank state s the first position of a game."""

    def num_players(self, s: Any) -> int:
        """How many players, 1..8."""

    def most_moves(self, s: Any) -> int:
        """A bound on how many moves are legal at once in a game with these parameters."""

    def legal_moves(self, s: Any, out: list[int]) -> int:
        """Write the legal moves to the front of `out` (at least `most_moves` long), each once; return how many.

        None once the game is over. The order is the state's own; those who show moves sort them.
        """

    def play(self, s: Any, move: int) -> None:
        """Change s by a legal move."""

    def mover(self, s: Any) -> int:
        """The player to move, 1..N; meaningless once the game is over."""

    def is_over(self, s: Any) -> bool:
        """Whether the game has ended."""

    def score(self, s: Any, player: int) -> int:
        """The player's score as it stands in this position; final when the game is over."""

    def move_text(self, s: Any, move: int) -> str:
        """The move as people write it."""

    def read_move(self, s: Any, text: str) -> int:
        """The move written; raises UnreadableMove. Not yet known to be legal."""

    def broken_rule(self, s: Any, move: int) -> str:
        """The rule that this readable move breaks here, as a sentence; empty when it is legal. The game isn't over."""
