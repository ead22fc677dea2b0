"""What a search is, and what it finds: of a tree, of a board by annealing, of plans, or some plies ahead."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

REPORTING = 0.5  # seconds between two reports


@dataclass(frozen=True)
class Candidate:
    """A legal move as the search sees it."""

    move: int
    visits: int
    value: float  # mean reward of the mover, 0..1; in a solitaire the mean score
    best: float  # the best score met in a solitaire; else as `value`
    is_solved: bool  # whether it wins, draws or loses is certain, and the score of a solitaire; with three or more
    # players, for one choice among equal moves


@dataclass(frozen=True)
class Findings:
    """What a search has found so far."""

    move: int  # the best
    candidates: Sequence[Candidate]  # every legal move, the best first
    line: Sequence[int]  # the principal variation, `move` first
    num_simulations: int  # of this search, those kept from earlier moves left out
    num_nodes: int  # in the tree
    seconds: float
    is_solved: bool  # as that of a candidate: of two players, who wins the position is certain, but not by how much
    last_move: Candidate | None = None  # the move that led here, for its mover; None where nobody said whose it was
    is_plan: bool = False  # `line` is a whole game, made as a plan
    depth: int = 0  # plies that a search with learned weights has looked ahead; 0 for other searches

    @property
    def value(self) -> float:
        """The mover's expected reward: 0..1, or the score in a solitaire."""
        return self.candidates[0].value


class Search(Protocol):
    """A search of a game in progress, kept from move to move: of a tree, or in another way."""

    def advance(self, move: int) -> None:
        """A move has been played: keep what is known of the game from there on."""

    def run(
        self,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: threading.Event | None = None,
        report: Callable[[Findings], None] | None = None,
    ) -> Findings:
        """Search until a limit is reached, `stop` is set or no better move can be found, and return what was found.

        `simulations` are what the search does most of: games that are tried in a tree, steps of annealing, positions
        that plans look at, nodes of alpha-beta. The first limit to be reached ends the search; without any, it does the
        least by which it finds a move. If only `simulations` is given, the same seed finds the same. `report` is called
        about twice a second.
        """
