"""What is known of one position of a game that is analysed: exact values, or else what two searches find."""

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..game import Game
from ..knowledge.ask import ask
from ..knowledge.known import MEMORY, Budget, How, Known
from ..knowledge.search import search_for
from ..knowledge.sources import EXACT, HELD, Results
from ..knowledge.worth import UNKNOWN, Value, best_score, expected_share, not_above, not_below, solved

if TYPE_CHECKING:
    from ..engine.findings import Candidate

RECORDS = (Results(),)  # asked before searches and plans of a solitaire are believed; HELD in a game for two


@dataclass(frozen=True)
class Outlook:
    """What is known of a position that isn't over."""

    best_move: str
    best: Value  # of the best move, to the mover
    line: Sequence[str]  # the best continuation, `best_move` first; empty where it can be found from exact values
    values: Mapping[str, Value] = field(default_factory=dict)  # of other moves too, where they have been found
    last_move: Value = UNKNOWN  # of the move that led here, to the player who made it
    sure: str = (
        ""  # the move by which one of three or more players wins whatever all others do; empty where none is known
    )


def exactly(
    position: Game, seconds: float, stop: threading.Event | None = None, memory: int | None = None
) -> Known | None:
    """The exact values of all moves in a position; None where they aren't found in so many seconds."""
    known = ask(position, Budget(seconds, memory or MEMORY, stop), EXACT)
    return known if known is not None and known.advantages else None


def look(
    position: Game,
    *,
    seconds: float | None = None,
    simulations: int | None = None,
    seed: int,
    last_mover: int = 0,
    stop: threading.Event | None = None,
    memory: int | None = None,
) -> Outlook:
    """What two searches that run at once find in a position that isn't over, in `seconds` or in so many simulations in
    all; also for the player who moved last. A solitaire is also planned, as for a hint, where the game has a way to
    that, and the best game known is told where nothing better is found.
    """
    each = None if simulations is None else -(-simulations // 2)
    searches = [search_for(position, seed=2 * seed + i, last_mover=last_mover, memory=memory) for i in range(2)]
    is_alone = position.num_players == 1
    if is_alone and position.entry.planner is not None:
        searches.append(search_for(position, seed=2 * seed, is_strongest=True))
    with ThreadPoolExecutor(3) as pool:
        runs = [pool.submit(s.run, simulations=each, seconds=None if each else seconds, stop=stop) for s in searches]
        found = [run.result() for run in runs]
    if is_alone:
        is_proven = any(one.is_solved for one in found[:2])
        if is_proven:
            found = found[:2]  # they know the worth of other moves as well
        known = ask(position, Budget(stop=stop), RECORDS)
        is_best = known is not None and not is_proven and all(known.outweighs(one) for one in found)
        if known is not None and known.low is not None and is_best:
            worth = solved(position, known.low, known.grounds)
            worth = worth if known.is_exact else replace(worth, is_exact=False)
            return Outlook(known.moves[0], worth, known.line, {known.moves[0]: worth})
        best = max(found, key=lambda one: (one.is_solved, one.candidates[0].best))
        values = {
            one.move: Value(one.value, is_exact=True, how=How.SOLVED.text) for one in best.candidates if one.is_solved
        }
        values[best.move] = best_score(found)
    else:
        by_move: dict[int, list[Candidate]] = {}
        for candidate in (candidate for one in found for candidate in one.candidates):
            by_move.setdefault(candidate.move, []).append(candidate)
        values = {move: expected_share(each, position.num_players) for move, each in by_move.items()}
        visits = {move: sum(candidate.visits for candidate in candidates) for move, candidates in by_move.items()}
        best = max(found, key=lambda one: (one.is_solved, values[one.move].amount > 0, visits[one.move]))
    text = {number: position.rules.move_text(position.state, number) for number in {*values, *best.line}}
    worths = {text[number]: value for number, value in values.items()}
    last = expected_share([one.last_move for one in found if one.last_move is not None], position.num_players)
    held = None if is_alone or values[best.move].is_exact else ask(position, Budget(stop=stop), HELD)
    move, line = text[best.move], [text[number] for number in best.line]
    if held is not None:
        worths = {each: not_above(worth, held) for each, worth in worths.items()}
        if held.moves and held.low is not None and (held.is_exact or all(held.outweighs(one) for one in found)):
            move, line = held.moves[0], [held.moves[0]]
            is_all = held.is_exact
            best_worth = solved(position, held.low, held.how) if is_all else not_below(worths.get(move, UNKNOWN), held)
            worths = {each: at_most(worth, best_worth) for each, worth in worths.items()} | {move: best_worth}
    return Outlook(move, worths[move], line, worths, last)


def at_most(value: Value, best: Value) -> Value:
    """The value of a move, which can't be above that of the best one; estimates often are."""
    if value.is_exact or not (best.is_exact or best.at_most is not None):
        return value
    if best.is_exact and best.amount == 0:
        return replace(best, margin=None, at_most=best.margin if best.at_most is None else best.at_most)
    return replace(value, amount=min(value.amount, best.amount if best.is_exact else 0.5))
