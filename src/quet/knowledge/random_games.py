"""`quet.playouts`: the final scores of many random games, as an array."""

import os
import time
from typing import TYPE_CHECKING, SupportsIndex

from ..core.arguments import MOST_SEED, integer
from ..core.errors import BadParameter
from ..core.messages import say
from ..game import Game, check_game

if TYPE_CHECKING:
    from ..engine.arrays import Ints

MOST_GAMES = 10_000_000
LONGEST = 100_000  # plies of a random game
PORTION = 0.2  # seconds between two looks at Ctrl-C, about


def playouts(game: Game, count: SupportsIndex = 1000, *, seed: SupportsIndex | None = None) -> "Ints":
    """The final scores of `count` games that are played on from this position by random moves.

    All legal moves are equally likely. The result is an array of NumPy of 64-bit integers with a row for each game and
    a column for each player. The same seed plays the same games. The rules are compiled at the first call for a game,
    which takes some seconds, once. Raises BadParameter, also where random games go on and on.

    >>> import quet
    >>> scores = quet.playouts(quet.new("palindromes", m=8), 1000, seed=1)
    >>> scores.shape, (scores.mean(axis=0) > 10).tolist()
    ((1000, 2), [True, True])
    """
    check_game(game)
    num_games = integer(say("The number of games"), count, 1, MOST_GAMES)
    first = int.from_bytes(os.urandom(7)) if seed is None else integer(say("The seed"), seed, 0, MOST_SEED)
    import numpy as np

    from ..engine import playouts as module
    from ..engine.arrays import pack
    from ..engine.compiled import compiled
    from ..engine.tree import mixed

    fast = compiled(module, rules=game.rules)
    root = pack([game.state])
    work, moves = root.copy(), np.zeros(game.rules.most_moves(game.state), np.int64)
    rng = np.array([mixed(first)], np.uint64)
    scores = np.zeros((num_games, game.num_players), np.int64)
    done, portion = 0, 1
    while done < num_games:
        begun = time.monotonic()
        part = scores[done : done + portion]
        if fast.final_scores(root, work, moves, rng, LONGEST, part) < len(part):
            raise BadParameter(
                say(
                    "A random game of {title} has not ended after {longest} moves.",
                    title=game.entry.title,
                    longest=LONGEST,
                )
            )
        done += portion
        if time.monotonic() - begun < PORTION / 2:
            portion *= 2
    return scores
