"""Computer players, by name."""

import random
import threading
from dataclasses import replace
from typing import Protocol, SupportsIndex

from ..core.arguments import integer, shown
from ..core.errors import BadParameter, NotCompiled
from ..core.messages import say
from ..game import Game, check_going_on
from ..knowledge.ask import ask
from ..knowledge.known import MEMORY, Budget, Known
from ..knowledge.sources import HELD
from ..knowledge.worth import known_words
from .levels import LEVELS, MOST_THREADS, PLAIN, LevelPlayer


class Player(Protocol):
    """A computer player."""

    stand_in: str
    """Who chose the last move in its place: PLAIN for plain Python while code is compiled, or a level; empty for
    itself."""
    how: str
    """How the last move was found: `proven: strategy`, `search, 12000 games`, `by chance`."""
    expects: str
    """What the last move is worth to the player, and how that is known: `a win by 4 (proven: table)`; empty where
    nobody has looked, as for the only legal move."""

    def choose(self, game: Game, *, stop: threading.Event | None = None) -> str:
        """A legal move for the mover of a game that isn't over; the game is left as it is. `stop` ends a search early.

        One thread at a time may ask a player, which keeps its search from move to move.
        """


def expectation(expects: str) -> str:
    """What `Player.expects` says, as a sentence; empty where it says nothing."""
    return say("What it expects: {worth}.", worth=expects) if expects else ""


class RandomPlayer:
    """Plays legal moves at random, all equally likely. The same seed plays the same moves."""

    stand_in = ""
    how: str = say("by chance")
    expects: str = ""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, game: Game, *, stop: threading.Event | None = None) -> str:
        """A legal move, at once whether or not `stop` is set. Raises IllegalMove if the game is over."""
        check_going_on(game)
        return game.rules.move_text(game.state, self._random.choice(game.legal_numbers()))


class Unproven(BadParameter):
    """No move is proven, so that level:perfect has none."""


class PerfectPlayer:
    """Plays a best move where one is proven, by a table, a theorem or a few seconds of solving, or else a move that is
    proven to hold at least a win or a draw; it refuses where there is neither.

    With three or more players that is a move to win alone whatever the others do, or else one of perfect play.

    Where compiling is left to another process that hasn't ended, level:6 plays in its place, in plain Python.
    """

    is_replaced = False
    """Whether level:6 plays in its place where no move is proven, too, so that a game with a person goes on. It takes
    its usual half second then, even if the search for a proof was stopped."""
    stand_in = ""
    how: str = ""
    expects: str = ""

    def __init__(self, seed: int | None = None, memory: int | None = None) -> None:
        """`memory` is the bytes of its tables of values, if it isn't the usual number."""
        self._random = random.Random(seed)
        self._seed = seed
        self._memory = memory

    def choose(self, game: Game, *, seconds: float | None = None, stop: threading.Event | None = None) -> str:
        """One of the best moves, or one that holds a win or a draw. Raises IllegalMove if the game is over, and
        Unproven where none is proven in so many seconds and before `stop` is set, unless it `is_replaced`.
        """
        check_going_on(game)
        self.stand_in = ""
        try:
            known = self._known(game, Budget(SECONDS if seconds is None else seconds, self._memory or MEMORY, stop))
        except NotCompiled:
            return self._replaced(game, stop, PLAIN)
        is_proven = known is not None and (known.is_settled or known.is_held)
        if known is None or not is_proven or known.shares:  # shares suppose that the others choose by chance
            if self.is_replaced:
                return self._replaced(game, None, UNPROVEN)
            raise Unproven(
                say(
                    "{title} can't be solved from here in a few seconds, so there is no level:perfect for it.",
                    title=game.entry.title,
                )
            )
        move = self._random.choice(known.moves)
        self.how, self.expects = known.grounds.text, known_words(known, game, move)
        return move

    def _known(self, game: Game, budget: Budget) -> Known | None:
        """What is known of a position. Where a strategy holds a win or a draw at once, nobody waits long for more."""
        held = ask(game, budget, HELD)
        if held is not None and held.is_held and not held.is_settled:
            seconds = min(HELD_SECONDS, budget.seconds)
            budget = replace(budget, seconds=seconds, patience=budget.seconds - seconds)
        return ask(game, budget)

    def _replaced(self, game: Game, stop: threading.Event | None, stand_in: str) -> str:
        other = LevelPlayer(LEVELS[STAND_IN], self._seed, memory=self._memory)
        move = other.choose(game, stop=stop)
        self.stand_in, self.how, self.expects = other.stand_in or stand_in, other.how, other.expects
        return move


STAND_IN = "level:6"  # who plays in place of level:perfect
UNPROVEN = "unproven"  # as `stand_in`: STAND_IN has moved, as no move was proven
SECONDS = 5.0  # that level:perfect looks for what is proven
HELD_SECONDS = 2.0  # the same where a strategy holds a win or a draw, unless a table will be full in SECONDS
LARGEST_SEED = 2**64 - 1
LEAST_MEMORY, MOST_MEMORY = 2**24, 2**50  # bytes
PLAYERS = ("random", *LEVELS, "level:perfect")


def player(
    name: str,
    seed: SupportsIndex | None = None,
    num_threads: SupportsIndex | None = None,
    memory: SupportsIndex | None = None,
) -> "RandomPlayer | LevelPlayer | PerfectPlayer":
    """The computer player of this name: random, level:1 to level:7, or level:perfect.

    With a seed, random and levels 1 to 5 choose the same moves again. Levels 6 and 7 may think in several threads.
    `memory` is the bytes of its search, 16 MB at least, if limited; `choose` raises TooLarge where a search needs more.
    Raises BadParameter.

    >>> import quet
    >>> game = quet.new("palindromes", m=6)
    >>> quet.player("random", seed=1).choose(game) in game.legal_moves
    True
    """
    number = None if seed is None else integer(say("The seed"), seed, 0, LARGEST_SEED)
    threads = None if num_threads is None else integer(say("The number of threads"), num_threads, 1, MOST_THREADS)
    room = None if memory is None else integer(say("The memory"), memory, LEAST_MEMORY, MOST_MEMORY)
    known = name if isinstance(name, str) else ""
    if known in LEVELS:
        return LevelPlayer(LEVELS[known], number, threads, room)
    if known == "random":
        return RandomPlayer(number)
    if known == "level:perfect":
        return PerfectPlayer(number, room)
    raise BadParameter(
        say("There is no computer player {name}; there is {players}.", name=shown(name), players=", ".join(PLAYERS))
    )
