"""The one place where it is asked what is known of a position.

`ask` puts the question to the sources of `sources.py`, the cheapest first, as far as the asker's budget goes, and
`advantages` what every legal move is worth. Computer players, hints, analyses, the engine's protocol, `quet.value` and
the oracle all ask here.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import SupportsIndex

from ..core.arguments import MOST_MEMORY, integer
from ..core.arguments import seconds as check_seconds
from ..core.clock import clock
from ..core.errors import TooLarge
from ..core.messages import say
from ..core.rules import advantage
from ..game import Game, check_game
from .known import LOOK_UP, MEMORY, Budget, Known, Source
from .sources import OF_MOVES, SOURCES

MOST_SECONDS = 3600.0  # that `quet.value` may take


def ask(game: Game, budget: Budget, sources: Sequence[Source] | None = None) -> Known | None:
    """What is known of a position: the `sources`, or all, are asked in turn, until the value is exact or time is over.

    None where none of them knows anything, and when the game is over. A source that lacks memory is passed over. One
    that only looks something up is asked however late it is, and takes nothing of the budget. Raises NotCompiled where
    compiling is left to another process that hasn't ended; a budget that `is_plain` needs nothing compiled.
    Thread-safe.
    """
    if game.is_over:
        return None
    until = clock() + budget.seconds
    found: Known | None = None
    for source in SOURCES if sources is None else sources:
        begun = clock()
        left = max(0.0, until - begun)
        if source.seconds > left or (budget.stop is not None and budget.stop.is_set()):
            continue
        try:
            one = source.look(game, replace(budget, seconds=left))
        except TooLarge:
            continue
        if source.seconds == LOOK_UP:
            until += clock() - begun  # or the first question of a process would have no time for the sources after it
        if one is not None:
            found = one if found is None else found.joined(one)
            if found.is_settled:
                break
    return found


def advantages(game: Game, budget: Budget) -> dict[str, int] | None:
    """The mover's exact advantage after each legal move, as in `Known`; None where that of one move isn't found.

    Sources that know all moves at once are asked first. Else every source is asked about the position after each move,
    those that look up however late it is. None too for more than two players, and when the game is over. Raises as
    `ask`.
    """
    if game.is_over or game.num_players > 2:
        return None
    until = clock() + budget.seconds
    known = ask(game, budget, OF_MOVES)
    if known is not None and known.advantages:
        return dict(known.advantages)
    found = {}
    for move in game.legal_moves:
        if budget.stop is not None and budget.stop.is_set():
            return None
        after = game.after(move)
        if after.is_over:
            worth = advantage(after.rules, after.state)
            found[move] = worth if game.mover == 1 else -worth
            continue
        known = ask(after, replace(budget, seconds=max(0.0, until - clock())))
        if known is None or known.low is None or not known.is_exact:
            return None
        found[move] = known.low if after.mover == game.mover else -known.low
    return found


def value(game: Game, *, seconds: float = 5.0, memory: SupportsIndex = MEMORY // 2**20) -> Known | None:
    """What is certain of a position, and how that is known, found in so many seconds and MB at most.

    Values are the mover's advantage, as `Known` says; those of `quet.solve` are player 1's score minus player 2's.
    It asks theorems' strategies, saved tablebases, the table of best results and quick solvers, and searches nothing:
    `quet.hint` does that. None where nothing is certain, and when the game is over. Raises BadParameter.

    >>> import quet
    >>> known = quet.value(quet.new("palindromes", m=40).after("1=0"))
    >>> known.low, known.moves, known.how.text
    (2, ('40=0',), 'proven: strategy')
    """
    check_game(game)
    limit = check_seconds(say("The time"), seconds, MOST_SECONDS)
    return ask(game, Budget(limit, integer(say("The memory"), memory, 1, MOST_MEMORY) * 2**20))
