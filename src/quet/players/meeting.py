"""`quet.match`: one game between computer players, with its record."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, SupportsIndex

from ..core.arguments import integer, shown
from ..core.errors import BadParameter
from ..core.messages import say, say_number
from ..game import Game, check_game
from ..records.record import Record
from .levels import LevelPlayer
from .player import Player, player

LONGEST_GAME = 100_000  # plies, since random play of a puzzle that can be changed for ever must end
MOST_SEED = 2**48 - 1


class Chooser(Protocol):
    """Whoever chooses moves: a computer player, or an object of yours."""

    def choose(self, game: Game) -> str:
        """A legal move for the mover of a game that isn't over. It is a copy, which may be played on."""


def match(game: Game, *players: str | Chooser, seed: SupportsIndex | None = None) -> Record:
    """The record of a game that computer players play on from this position; the game itself stays as it is.

    There is a player for each seat, player 1 first, or one for all. Each is a name that `quet.player` takes, or any
    object with a method `choose` that returns a move of a game. With a seed, random and levels 1 to 5 play the same
    moves again. Raises BadParameter, and whatever a player's illegal move raises.

    >>> import quet
    >>> record = quet.match(quet.new("palindromes", m=6), "random", "random", seed=1)
    >>> record.tags, record.game.is_over
    ({'Player1': 'random', 'Player2': 'random'}, True)
    """
    check_game(game)
    first = None if seed is None else integer(say("The seed"), seed, 0, MOST_SEED)
    if len(players) not in (1, game.num_players):
        raise wrong_number(game, len(players))
    chosen = players * game.num_players if len(players) == 1 else players
    seats: list[Chooser] = []
    tags: dict[str, str] = {}
    for number, one in enumerate(chosen, 1):
        if not isinstance(one, str) and not chooses(one):
            raise BadParameter(say("A player must be a name or have a method choose, not {value}.", value=shown(one)))
        seats.append(seated(one, None if first is None else first + number) if isinstance(one, str) else one)
        tags[f"Player{number}"] = one if isinstance(one, str) else type(one).__name__
    game = game.copy()
    if not finish(game, seats):
        raise BadParameter(say("The game has not ended after {longest} moves.", longest=LONGEST_GAME))
    return Record.of(game, tags=tags)


def chooses(one: object) -> bool:
    """Whether an object has a method `choose`. That of NumPy's numbers and arrays doesn't choose moves."""
    return callable(getattr(one, "choose", None)) and not hasattr(one, "__array__")


def seated(name: str, seed: int | None, memory: int | None = None) -> Player:
    """The computer player of this name, for a game that nobody waits for.

    A level that counts its simulations has no limit of time, so that its moves don't depend on the machine. `memory` is
    the bytes of its search, if limited.
    """
    made = player(name, seed, memory=memory)
    if isinstance(made, LevelPlayer) and made.level.simulations:
        made.level = replace(made.level, seconds=math.inf)
    return made


def wrong_number(game: Game, num_seats: int) -> BadParameter:
    """The error when so many players are given to a game that has another number of them."""
    return BadParameter(
        say_number(
            "{title} has {number} player here, not {num_seats}.",
            "{title} has {number} players here, not {num_seats}.",
            game.num_players,
            title=game.entry.title,
            num_seats=num_seats,
        )
    )


def finish(game: Game, seats: Sequence[Chooser]) -> bool:
    """Let computer players, player 1 first, play a game to its end; return whether it has one."""
    while game.mover is not None and game.ply < LONGEST_GAME:
        game.play(seats[game.mover - 1].choose(game.copy()))
    return game.is_over
