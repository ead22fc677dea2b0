"""`quet.match`: one game between computer players, with its record."""

import contextlib
from collections.abc import Sequence
from typing import SupportsIndex

from ..core.arguments import MOST_SEED, integer
from ..core.errors import BadParameter
from ..core.messages import say, say_number
from ..core.quoting import printable
from ..game import Game, check_game
from ..records.record import Record
from .agents import Agent, Anyone, agent, asking

LONGEST_GAME = 100_000  # plies, since random play of a puzzle that can be changed for ever must end
LONGEST_NAME = 300  # characters of a player's name in a record


def match(game: Game, *players: Anyone, seed: SupportsIndex | None = None) -> Record:
    """The record of a game that computer players play on from this position; the game itself stays as it is.

    There is a player for each seat, player 1 first, or one for all. Each is a name that `quet.player` takes;
    `ugi:COMMAND`, a program that speaks the engine protocol and is ended with the game; a function from a position to a
    move; an object with a method `choose` that is such a function; or an agent of `quet.rl.agents`, such as
    `quet.rl.agents.onnx("net.onnx")`. With a seed, random and levels 1 to 5 play the same moves again. Raises
    BadParameter, and BadAgent for an engine that fails and for an illegal move, with who chose it and after which
    moves.

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
    game = game.copy()
    with contextlib.ExitStack() as ending:
        seats: list[Agent] = []
        tags: dict[str, str] = {}
        for number, one in enumerate(chosen, 1):
            made = agent(one, seed=None if first is None else first + number)
            seats.append(ending.enter_context(asking(made, is_ours=isinstance(one, str))))
            tags[f"Player{number}"] = printable(one if isinstance(one, str) else made.name, LONGEST_NAME)
        if not finish(game, seats):
            raise BadParameter(say("The game has not ended after {longest} moves.", longest=LONGEST_GAME))
    return Record.of(game, tags=tags)


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


def finish(game: Game, seats: Sequence[Agent]) -> bool:
    """Let players, player 1 first, play a game to its end; return whether it has one."""
    while game.mover is not None and game.ply < LONGEST_GAME:
        (move,) = seats[game.mover - 1].moves([game.copy()])
        game.play(move)
    return game.is_over
