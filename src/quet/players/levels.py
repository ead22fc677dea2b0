"""The computer player's strengths: level:1, a beginner's, to level:6 and level:7.

Levels 6 and 7 think for a time. Level 7 is the same player as level 6 with more time and all cores.

A level has a number of simulations for each legal move, and a temperature. A weak player looks less far ahead. It
doesn't always play the move that it thinks best, but seldom plays one that it thinks bad. So its mistakes are like
those of people.
"""

import math
import os
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..core.clock import clock
from ..core.errors import NotCompiled
from ..core.messages import say
from ..game import Game, check_going_on
from ..knowledge.ask import ask
from ..knowledge.known import MEMORY, Budget, Known
from ..knowledge.search import part_of_solving, search_for
from ..knowledge.sources import OF_LEVELS, OF_LOWER_LEVELS
from ..knowledge.worth import found_by, found_words, known_words

if TYPE_CHECKING:
    from ..engine.findings import Findings, Search


@dataclass(frozen=True)
class Level:
    """How strong a computer player is."""

    simulations: int  # for each legal move; 0 for as many as the time allows
    temperature: float  # of the choice among moves, as a part of the range of rewards; 0 chooses the best move
    annealing_steps: int  # for a game that is searched that way
    alone: int = 0  # the simulations of a solitaire, for each legal move, if they are more
    seconds: float = 0.75  # for a move, at most
    is_strongest: bool = False  # searches with all that the game has for it: `plan.py`, learned weights, `sensible.py`
    knowing_seconds: float = 0.15  # that it spends on what is known of a position before it searches, at most
    patience: float = 0.2  # further seconds to know it, where a table of all that can come will be full by then
    thinking_seconds: float = 0.5  # for both; the search has less time where it took long to ask what is known
    is_solving: bool = False  # asks what is known of a position; level:3 to level:5 only where three or more play

    def of(self, num_players: int) -> int:
        """The simulations for each legal move in a game for so many."""
        return max(self.simulations, self.alone) if num_players == 1 else self.simulations


MOST_THREADS = 64
PLAIN = "plain"  # who stands in for a player whose code isn't compiled: the same search in plain Python
PLAIN_SECONDS = 0.4  # for a move of plain Python, and half as much to solve the position first
PLAIN_SIMULATIONS = 500  # of a move in plain Python, at most
PLAIN_PLANNED = 2_000  # the same of a plan: the positions of a game of Up And Up
PLAIN_STEPS = 5_000  # the same for a game that is searched by annealing
PATIENT = 1.0  # seconds; a level that thinks longer uses all cores
DOUBTFUL_SECONDS = 0.1  # that it searches where several moves are proven to be best
LEAST_SECONDS = 0.35  # that a search without a number of simulations has, however long it took to ask what is known

LEVELS = {
    "level:1": Level(2, 0.15, 100),
    "level:2": Level(8, 0.035, 1_000),
    "level:3": Level(20, 0.02, 10_000, is_solving=True),
    "level:4": Level(45, 0.01, 100_000, alone=120, is_solving=True),
    "level:5": Level(400, 0.0, 1_000_000, is_solving=True),
    "level:6": Level(0, 0.0, 0, seconds=0.4, is_strongest=True, is_solving=True),
    "level:7": Level(
        0,
        0.0,
        0,
        seconds=9.0,
        knowing_seconds=3.0,
        patience=4.0,
        thinking_seconds=10.0,
        is_strongest=True,
        is_solving=True,
    ),
}


class LevelPlayer:
    """Plays at a level, and keeps its search from move to move.

    Up to level:5 the same seed plays the same moves, if the time suffices for the simulations. Where compiling is left
    to another process that hasn't ended, the search runs in plain Python, for less than a second.
    """

    stand_in = ""
    how: str = ""
    expects: str = ""

    def __init__(
        self, level: Level, seed: int | None = None, num_threads: int | None = None, memory: int | None = None
    ) -> None:
        """`memory` is the bytes of its search and of its tables of values, if they aren't the usual numbers."""
        self.level = level
        self._memory = memory
        self._seed = int.from_bytes(os.urandom(6)) if seed is None else seed
        self._random = random.Random(self._seed)
        most = 2 if level.seconds < PATIENT else MOST_THREADS
        self._num_threads = num_threads or (1 if level.simulations else min(most, os.cpu_count() or 1))
        self._search: Search | None = None
        self._key: tuple[object, ...] = ()
        self._moves: list[int] = []

    def choose(
        self,
        game: Game,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: threading.Event | None = None,
        report: "Callable[[Findings], None] | None" = None,
        final: "Callable[[Findings], None] | None" = None,
    ) -> str:
        """A legal move for the mover of a game that isn't over. `final` is called with what the search found in the
        end. Raises IllegalMove if the game is over.

        A level plays a best move of a position that it can solve, unless the caller says how much to search.
        """
        check_going_on(game)
        try:
            move = self._choose(game, simulations, seconds, stop, report, final)
            self.stand_in = ""
        except NotCompiled:
            move = self._choose_in_plain_python(game, simulations, seconds, stop, report, final)
            self.stand_in = PLAIN
        return move

    def _choose(
        self,
        game: Game,
        simulations: int | None,
        seconds: float | None,
        stop: threading.Event | None,
        report: "Callable[[Findings], None] | None",
        final: "Callable[[Findings], None] | None",
    ) -> str:
        is_free = simulations is None and seconds is None
        if is_free and final is None and report is None and len(game.legal_numbers()) == 1:
            self.how, self.expects = say("the only move"), ""
            return game.legal_moves[0]
        begun = clock()
        known = self.known(game, stop) if is_free else None
        if known is not None and self._is_decided(known):
            return self._known_move(game, known, self._random.choice(known.moves))
        if known is not None and known.has_all:
            seconds = DOUBTFUL_SECONDS  # among the best moves it plays the one that the search likes best
        elif is_free and not self.level.simulations:
            thinking = self.level.thinking_seconds
            part = part_of_solving(game.entry)
            least = (1.0 - part) * thinking if part else LEAST_SECONDS
            seconds = min(self.level.seconds, max(thinking - (clock() - begun), least))
        findings = self.think(game, simulations=simulations, seconds=seconds, stop=stop, report=report)
        if final is not None:
            final(findings)
        return self._move(game, known, findings)

    def _choose_in_plain_python(
        self,
        game: Game,
        simulations: int | None,
        seconds: float | None,
        stop: threading.Event | None,
        report: "Callable[[Findings], None] | None",
        final: "Callable[[Findings], None] | None",
    ) -> str:
        is_free = simulations is None and seconds is None
        known = self.known(game, stop, is_plain=True) if is_free else None
        if known is not None and (known.has_all or self._is_decided(known)):
            return self._known_move(game, known, self._random.choice(known.moves))
        is_board, level = game.entry.local_search is not None, self.level
        is_planned = level.is_strongest and game.entry.planner is not None
        if not is_planned:
            self._search = None  # of earlier moves; plans are kept
        if is_free:
            wanted = level.annealing_steps if is_board else level.of(game.num_players) * len(game.legal_numbers())
            simulations = wanted or None
        most = PLAIN_STEPS if is_board else PLAIN_PLANNED if is_planned else PLAIN_SIMULATIONS
        findings = self._search_at(game, is_plain=True).run(
            simulations=most if simulations is None else min(simulations, most),
            seconds=PLAIN_SECONDS if seconds is None else min(seconds, PLAIN_SECONDS),
            stop=stop,
            report=report,
        )
        if final is not None:
            final(findings)
        return self._move(game, known, findings)

    def known(self, game: Game, stop: threading.Event | None = None, *, is_plain: bool = False) -> Known | None:
        """What the level knows of a position without a search; None where that is nothing, as for the lower levels."""
        if not self.level.is_solving or (self.level.simulations and game.num_players < 3):
            return None
        level = self.level
        seconds = max(level.knowing_seconds, part_of_solving(game.entry) * level.thinking_seconds)
        seconds = PLAIN_SECONDS / 2 if is_plain else seconds
        budget = Budget(seconds, self._memory or MEMORY, stop, is_plain, level.patience)
        return ask(game, budget, OF_LOWER_LEVELS if level.simulations else OF_LEVELS)

    def _is_decided(self, known: Known) -> bool:
        """Whether nothing can be better than the moves that are known."""
        if known.has_all:
            return len(known.moves) == 1 or bool(known.shares)
        return (known.is_exact or known.wins_alone) and bool(known.moves)

    def _move(self, game: Game, known: Known | None, findings: "Findings") -> str:
        """The move of the search, or a known one where that move could give something away."""
        if known is not None and known.has_all:
            liked = (game.rules.move_text(game.state, one.move) for one in findings.candidates)
            move = next((move for move in liked if move in known.moves), known.moves[0])
            return self._known_move(game, known, move)
        if known is not None and known.moves and known.outweighs(findings):
            return self._known_move(game, known, known.moves[0])
        number = self._choice(game, findings) if known is None or not known.moves else findings.move
        self.how, self.expects = found_by(findings), found_words(findings, game, number, known)
        return game.rules.move_text(game.state, number)

    def _known_move(self, game: Game, known: Known, move: str) -> str:
        """This move, which is known to be good; notes how, and what it is worth."""
        self.how, self.expects = known.grounds.text, known_words(known, game, move)
        return move

    def think(
        self,
        game: Game,
        *,
        simulations: int | None = None,
        seconds: float | None = None,
        stop: threading.Event | None = None,
        report: "Callable[[Findings], None] | None" = None,
    ) -> "Findings":
        """What the search finds in this position. By default the limits of the level hold."""
        search = self._search_at(game)
        if simulations is None and seconds is None:
            seconds = self.level.seconds
            if self.level.simulations:
                if game.entry.local_search is not None:
                    simulations = self.level.annealing_steps
                else:
                    simulations = self.level.of(game.num_players) * len(game.legal_numbers())
        return search.run(simulations=simulations, seconds=seconds, stop=stop, report=report)

    def _search_at(self, game: Game, *, is_plain: bool = False) -> "Search":
        """The search of the last move, moved on to this position; a new search if the game is another one."""
        # The state, as all games that go on from states that nobody has written down have one text for their start.
        key = (game.id, *game.parameters.items(), game.at(0).state, is_plain)
        moves = game.numbers
        search, self._search = self._search, None  # so that one that fails on the way isn't asked again
        if search is None or key != self._key or moves[: len(self._moves)] != self._moves:
            seed = self._seed + len(moves)
            search = search_for(
                game,
                seed=seed,
                num_threads=1 if is_plain else self._num_threads,
                is_sensible=self.level.is_strongest,
                memory=self._memory,
                is_plain=is_plain,
                is_strongest=self.level.is_strongest,
            )
        else:
            for move in moves[len(self._moves) :]:
                search.advance(move)
        self._key, self._moves, self._search = key, moves, search
        return search

    def _choice(self, game: Game, findings: "Findings") -> int:
        """The best move or, with a temperature, a move that seems nearly as good."""
        if self.level.temperature == 0.0 or game.entry.local_search is not None:
            return findings.move
        candidates = [c for c in findings.candidates if c.visits > 0]
        values = [c.value for c in candidates]
        spread = 1.0 if game.num_players > 1 else max(1.0, max(values) - min(values))
        weights = [math.exp((value - max(values)) / (self.level.temperature * spread)) for value in values]
        return self._random.choices(candidates, weights)[0].move
