"""What is known of one position, for a study board: the worth of each legal move, the best move and the best line."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..core.clock import clock
from ..core.messages import joined
from ..game import Game
from ..knowledge.ask import ask
from ..knowledge.hints import Hint, hint
from ..knowledge.known import Budget, Known
from ..knowledge.sources import OF_MOVES, SOURCES
from ..knowledge.worth import Value, final, reachable_words, solved, supposed_words

SECONDS = 3.0  # for a look; a search has half of them
OF_SOLVING = 3.0  # seconds in which the exact values of all moves have to be found
OF_VALUE = 1.0  # seconds in which the value of the position has to be found, where that of all moves wasn't
TRIES = 5  # at them, where other programs take the processor meanwhile


@dataclass(frozen=True)
class Look:
    """What is known of a position that isn't over."""

    values: Mapping[str, Value]  # exact, of every legal move; empty where they aren't all known
    move: str  # the best one known
    worth: str  # of that move, in words, with how it is known
    line: Sequence[str]  # the best continuation, `move` first
    is_exact: bool  # whether the value of the position is proven
    why: str  # what the move does, as a sentence; empty where nothing is to be said
    supposed: str = ""  # what the values suppose beyond the rules, as a sentence; empty where they suppose nothing


def look(game: Game, *, seconds: float = SECONDS) -> Look:
    """What is known of a position, or else a search's estimate. Raises IllegalMove when the game is over."""
    budget = Budget(min(seconds, OF_SOLVING))
    known = _of_moves(game, budget)
    values: dict[str, Value] = {}
    if known is not None:
        values = {move: solved(game, advantage, known.how) for move, advantage in known.advantages.items()}
        for move, share in known.shares.items():
            values[move] = Value(share, is_exact=True, how=known.how.text)
    best = hint(game, seconds=seconds)
    if not values:
        quick = replace(budget, seconds=min(budget.seconds, OF_VALUE))
        known = ask(game, quick, [source for source in SOURCES if source not in OF_MOVES])
    is_exact = bool(values) or (known is not None and known.is_settled)
    supposed = "" if known is None or known.scores else supposed_words(known, game)
    if not values and game.entry.kept is not None:
        found = game.entry.kept.worths(game.state, known.low if known is not None and known.is_exact else None)
        worths, supposed = found or ({}, "")
        values = {game.rules.move_text(game.state, move): solved(game, score) for move, score in worths.items()}
        best = _best_of(game, values, best)
    why = joined([part for part in (best.why, best.supposed) if part], " ")
    return Look(values, best.move, best.worth, tuple(best.line), is_exact, why, supposed)


def _best_of(game: Game, values: Mapping[str, Value], best: Hint) -> Hint:
    """The hint; or the best of these moves, if no game that the hint knows reaches more."""
    end = game.copy()
    for move in best.line:
        end.play(move)
    top = max(values, key=lambda move: values[move].amount, default="")
    if not top or best.move in values or not end.is_over or final(end, 1).amount > values[top].amount:
        return best
    return Hint(top, worth=reachable_words(values[top], game), line=(top,))


def _of_moves(game: Game, budget: Budget) -> Known | None:
    """The exact values of all moves, if the time is enough. It is given anew where others had the processor meanwhile.

    So what is said of a position doesn't depend on how busy the machine is, unless it is very busy.
    """
    for _ in range(TRIES):
        begun, used = clock(), time.process_time()
        known = ask(game, budget, OF_MOVES)
        lost = clock() - begun - (time.process_time() - used)
        if known is not None or lost < budget.seconds / 2:
            return known
    return None
