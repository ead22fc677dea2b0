"""What each move of a game was worth, what the best move was worth, and where the game turned.

The analysis goes through the game from its end. As long as the values of all moves are known, values are exact. Before
the first position where they aren't, values are estimates: two searches with different random numbers look
at each position. The value of a move played is the value of the position after it, as the searches there found it for
the player who moved. So it is found in the same way as the value of the best move.

With three or more players exact values are those of perfect play, as hints and the table of results have them, and by
one rule for equal moves in the whole game. A win that its player can be sure of, whatever all others do, counts before
them, and so does a move after which its player still has it. Elsewhere a tree search estimates, even where it has tried
everything.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..core.errors import BadParameter
from ..core.messages import say
from ..game import Game, Past
from ..knowledge.ask import ask
from ..knowledge.known import MEMORY, Budget, Known, Source
from ..knowledge.search import search_for
from ..knowledge.sources import PerfectOfMany, ResultsOfMany, SolvingForMany, WinningAlone
from ..knowledge.worth import UNKNOWN, Value, final, has_wish, of_scores, solved, within_bounds
from .assessments import Analysis, Assessment
from .mistakes import gave_away, passed_on, turning_point
from .outlook import Outlook, at_most, exactly, look

PROBE = 20_000  # simulations in which a position must be solved, if no clock is to count
AMPLE = 60.0  # seconds, enough for any position that passes the probe
MOST_MOVES = 10_000  # of a game. Only numbers that are changed without end and the largest r make more
MOST_OF_LINE = 500  # moves kept of a continuation: each position has one, which can be as long as the game


def analyse(
    game: Game,
    *,
    seconds: float = 0.5,
    simulations: int | None = None,
    seed: int = 0,
    memory: int | None = None,
    report: Callable[[int], None] | None = None,
    stop: threading.Event | None = None,
) -> Analysis:
    """Judge every move that was played, with `seconds` for each, or with so many simulations in place of a time.
    `memory` is the bytes of each search and of what is solved, if limited.

    With simulations, the same seed finds the same assessments, since no clock decides which values are exact. `report`
    is called after each move with the number of moves done. When `stop` is set, only the last moves of the game have
    assessments: those that were judged before. Raises BadParameter when there are no moves or more than
    MOST_MOVES, and TooLarge when a search lacks memory.
    """
    if not game.ply:
        raise BadParameter(say("No move has been played, so there is nothing to analyse."))
    if game.ply > MOST_MOVES:
        raise BadParameter(
            say(
                "An analysis takes games of at most {most} moves; this one has {number}.",
                most=MOST_MOVES,
                number=game.ply,
            )
        )
    positions = Past(game)
    analyst = _Analyst(game, seconds, simulations, seed, stop, memory)
    movers = [0, *(player for player, _ in game.plies())]
    outlooks: list[Outlook | None] = [
        None if game.is_over else analyst.outlook(positions[game.ply], movers[-1], has_line=True)
    ]
    for ply in range(game.ply - 1, -1, -1):
        if analyst.is_stopped:
            break
        outlooks.append(analyst.outlook(positions[ply], movers[ply]))
        if report is not None:
            report(len(outlooks) - 1)
    if analyst.is_stopped:
        outlooks.pop()  # the search of that position was cut short
    first = game.ply + 1 - len(outlooks)  # the first position that was looked at
    outlooks += [None] * first
    outlooks.reverse()
    if game.num_players == 1 and not analyst.is_stopped:
        analyst.carry_on(game.moves, positions, outlooks)
    assessments: list[Assessment] = []
    for ply, move in reversed(list(enumerate(game.moves))[first:]):
        here, later = outlooks[ply], outlooks[ply + 1]
        assert here is not None
        assessment = analyst.assess(positions[ply], here, move, positions[ply + 1], later)
        outlooks[ply] = replace(here, best_move=assessment.best_move, best=assessment.best, line=assessment.line)
        assessments.append(assessment)
    settings: dict[str, float] = {"seconds": seconds} if simulations is None else {"simulations": simulations}
    return Analysis(game, settings | {"seed": seed}, assessments[::-1], analyst.is_stopped)


class _Analyst:
    """Looks at positions from the last one backwards."""

    def __init__(
        self,
        game: Game,
        seconds: float,
        simulations: int | None,
        seed: int,
        stop: threading.Event | None,
        memory: int | None,
    ) -> None:
        self._stop = stop
        self._memory = memory
        self._seconds = seconds
        self._simulations = simulations
        self._seed = seed
        self._is_solving = True  # false as soon as a position was too large
        # Both suppose something else of equal moves, so that one game is judged by one of them.
        self._of_many: Source = PerfectOfMany() if has_wish(game) else SolvingForMany()

    @property
    def is_stopped(self) -> bool:
        """Whether the rest of the analysis isn't wanted."""
        return self._stop is not None and self._stop.is_set()

    def assess(self, position: Game, here: Outlook, move: str, after: Game, later: Outlook | None) -> Assessment:
        """Judge a move that led to the position `after`; `here` and `later` are what is known of the positions before
        and after it. `later` is None if the game is over.
        """
        mover = position.mover
        assert mover is not None
        found = here.values.get(move, UNKNOWN)
        if later is None:
            value = final(after, mover)
        elif later.sure and after.mover == mover:
            value = later.best  # the move is worth what its player can then be sure of
        elif found.is_exact:
            value = found
        elif position.num_players > 2:
            value = later.last_move
        else:
            value = later.best if after.mover == mover else later.best.for_other()
        if not value.is_known and later is not None:
            value = later.last_move
        if position.num_players > 2 and found.is_known and not value.is_exact:
            # The searches before the move and those after it may take different ones of equal moves.
            value = replace(value, error=round(max(value.error, abs(value.amount - found.amount) / 2), 6))
        if position.num_players == 2 and value.is_known:
            value = at_most(value, here.best)
        best, best_move, line = here.best, here.best_move, here.line
        if move == best_move or not best.is_known or _is_best(value, best):
            if later is not None or move != best_move or not line:
                line = [move, *(later.line if later else ())]
            # It is as good as the best move found; that doesn't prove that it is the best.
            is_won = position.num_players > 1 and value.amount == 1
            is_only = len(position.legal_numbers()) == 1
            is_certain = value.is_exact and (best.is_exact or is_won or is_only)
            is_margin_known = best.at_least is None and (best.is_exact or is_only)
            if is_certain and not is_margin_known and value.margin is not None:
                best = replace(value, margin=None, at_least=value.margin)  # nothing says that no move wins by more
            elif best.at_most is None or value.margin is None:  # nor that none loses by less
                best = value if is_certain or not value.is_exact else _not_proven(best, value)
            best_move = move
        elif not line:
            line = self._solved_line(position, best_move)
        if position.num_players == 1:
            value, best = within_bounds(value, position), within_bounds(best, position)
        judged = Assessment(position.ply + 1, mover, move, value, best_move, best, tuple(line[:MOST_OF_LINE]))
        if move == here.sure:
            return judged
        turned = turning_point(judged, position) or passed_on(judged, here, position)
        return replace(judged, turning_point=turned, gave_away="" if turned else gave_away(judged, position))

    def carry_on(self, moves: Sequence[str], positions: Past, outlooks: list[Outlook | None]) -> None:
        """Let each position of a solitaire have what was known before the move that led to it.

        That is the exact value of that move, and the rest of the best line if that was the move.
        """
        for ply, move in enumerate(moves):
            here, after = outlooks[ply], outlooks[ply + 1]
            if here is None or after is None or after.best.is_exact:
                continue
            known = here.values.get(move, here.best if move == here.best_move else UNKNOWN)
            for times in (2, 8):  # what was solved from one move earlier can be solved; the searches were unlucky
                if known.is_exact and not after.best.is_exact:
                    after = self._look(positions[ply + 1], 0, times=times)
            if move == here.best_move and len(here.line) > 1 and not after.best.is_as_good_as(known):
                after = replace(after, best_move=here.line[1], best=known, line=here.line[1:])
            elif known.is_exact and known != after.best:
                after = replace(after, best=known)
            outlooks[ply + 1] = after

    def outlook(self, position: Game, last_mover: int, *, has_line: bool = False) -> Outlook:
        """What is known of a position that isn't over, to which the `last_mover` has moved; 0 if nobody has.

        The best continuation of a solved position takes time, so it is found only if wanted.
        """
        if position.num_players > 2:
            known = self._perfect(position)
            if known is None:
                return self._look(position, last_mover)
            return self._with_sure_win(position, self._told(position, known, last_mover))
        exact = self._solve(position) if self._is_solving else None
        self._is_solving = exact is not None
        if exact is None:
            return self._look(position, last_mover)
        values = {move: solved(position, each, exact.how) for move, each in exact.advantages.items()}
        best = exact.moves[0]
        return Outlook(best, values[best], self._solved_line(position, best) if has_line else (), values)

    def _look(self, position: Game, last_mover: int, *, times: int = 1) -> Outlook:
        """What searches find, in so many times what was asked for."""
        if self._simulations is not None:
            simulations = times * self._simulations
            return look(
                position,
                simulations=simulations,
                seed=self._seed,
                last_mover=last_mover,
                stop=self._stop,
                memory=self._memory,
            )
        seconds = times * self._seconds
        return look(
            position, seconds=seconds, seed=self._seed, last_mover=last_mover, stop=self._stop, memory=self._memory
        )

    def _solve(self, position: Game) -> Known | None:
        if self._simulations is None:
            return exactly(position, 2 * self._seconds, self._stop, self._memory)
        table = position.entry.capabilities.table
        if table is None or not table.is_quick(position.state):  # which no clock decides
            probe = search_for(position, seed=self._seed, memory=self._memory).run(simulations=PROBE)
            if not probe.is_solved:
                return None
        return exactly(position, AMPLE, self._stop, self._memory)

    def _perfect(self, position: Game) -> Known | None:
        """What perfect play of three or more players leads to; None where that isn't known."""
        row = ask(position, Budget(stop=self._stop), (ResultsOfMany(),))
        if row is not None or not self._is_solving:
            return row
        seconds = AMPLE if self._simulations is not None else 2 * self._seconds
        known = ask(position, Budget(seconds, self._memory or MEMORY, self._stop), (self._of_many,))
        self._is_solving = known is not None
        return known

    def _told(self, position: Game, known: Known, last_mover: int) -> Outlook:
        """The same as an outlook."""
        best = known.moves[0]
        if known.scores:
            value, last = (
                of_scores(position, known.scores, player, known.how) if player else UNKNOWN
                for player in (position.mover, last_mover)
            )
            return Outlook(best, value, known.line, dict.fromkeys(known.moves, value), last)
        values = {move: Value(share, is_exact=True, how=known.how.text) for move, share in known.shares.items()}
        return Outlook(best, values[best], (best,), values)

    def _with_sure_win(self, position: Game, told: Outlook) -> Outlook:
        """The outlook with the move that wins whatever all others do, where there is one: perfect play may miss it."""
        known = ask(position, Budget(2 * self._seconds or AMPLE, stop=self._stop), (WinningAlone(),))
        if known is None:
            return told
        move = known.moves[0]
        if told.best.amount == 1:
            return replace(told, sure=move)
        win = Value(1.0, is_exact=True, how=known.how.text)
        return replace(told, best_move=move, best=win, line=known.line, values={**told.values, move: win}, sure=move)

    def _solved_line(self, position: Game, move: str) -> list[str]:
        """The best continuation of a solved position after this move, by exact values."""
        game = position.copy()
        game.play(move)
        while not game.is_over and (known := exactly(game, AMPLE, self._stop, self._memory)):
            game.play(known.moves[0])
        return game.moves[position.ply :]


def _is_best(value: Value, best: Value) -> bool:
    """Whether a move is as good as the best one known. Where that one holds what is proven, an estimate isn't."""
    is_proven = best.is_exact or best.at_least is not None
    is_as_certain = value.is_exact or value.at_least is not None or not is_proven
    if best.margin is not None and (value.at_least, value.at_most) != (None, None):
        return False  # it may win by less, or lose by more
    if best.at_most is not None and value.margin is not None:
        return False  # another may lose by less
    return is_as_certain and value.is_as_good_as(best)


def _not_proven(best: Value, reached: Value) -> Value:
    """The value of a position in which the move played reaches an exact value, and none better is known: an estimate.

    It is known as the searches found it, where they found as much.
    """
    how = best.how if best.amount == reached.amount else say("by the moves played")
    return Value(reached.amount, best.error, how=how)
