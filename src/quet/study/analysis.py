"""What each move of a game was worth, what the best move was worth, and where the game turned.

The analysis goes through the game from its end. As long as the values of all moves are known, values are exact. Before
the first position where they aren't, values are estimates: two searches with different random numbers look
at each position. The value of a move played is the value of the position after it, as the searches there found it for
the player who moved. So it is found in the same way as the value of the best move.

With three or more players exact values are those of perfect play, as hints and the table of results have them, and by
one rule for equal moves in the whole game. Elsewhere a tree search estimates, even where it has tried everything.
"""

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

from ..core.errors import BadParameter
from ..core.messages import Message, say, say_number
from ..core.parameters import written
from ..game import Game, Past
from ..knowledge.ask import ask
from ..knowledge.known import MEMORY, Budget, How, Known, Source
from ..knowledge.search import search_for
from ..knowledge.sources import (
    EXACT,
    PerfectOfMany,
    Results,
    ResultsOfMany,
    SolvingForMany,
    Strategies,
    WeakSolutions,
)
from ..knowledge.worth import (
    UNKNOWN,
    Value,
    best_score,
    expected_share,
    final,
    has_wish,
    in_words,
    of_scores,
    score_text,
    solved,
    supposition,
    within_bounds,
)

if TYPE_CHECKING:
    from ..engine.tree import Candidate

# What makes a turning point. If both values are exact, any fall of the best score still reachable counts in a
# solitaire, and in other games any change of who wins; points given away without it are told apart. Estimates have to
# fall by at least these amounts.
MISTAKE = 0.15  # least fall of an estimate, as a part of the win
SURE = 2.0  # least fall of an estimate in standard errors
FALL = 2  # points, the least fall in a solitaire; it must also exceed the difference of the searches

RECORDS = (Results(),)  # asked before searches and plans of a solitaire are believed
HELD = (Strategies(), WeakSolutions())  # the same in a game for two
PROBE = 20_000  # simulations in which a position must be solved, if no clock is to count
AMPLE = 60.0  # seconds, enough for any position that passes the probe
MOST_MOVES = 10_000  # of a game. Only numbers that are changed without end and the largest r make more
MOST_OF_LINE = 500  # moves kept of a continuation: each position has one, which can be as long as the game


@dataclass(frozen=True)
class Assessment:
    """A move of the game, judged."""

    ply: int  # from 1
    mover: int
    move: str
    value: Value  # of the move played
    best_move: str  # the move played, if none better was found
    best: Value
    line: Sequence[str]  # the best continuation found, `best_move` first; of a long one the first MOST_OF_LINE moves
    turning_point: str = ""  # what the move changed, as a sentence; empty if that is little
    gave_away: str = ""  # the points that the move gave away without changing who wins, as a sentence

    @property
    def loss(self) -> float:
        """How much of the win, or of the score, the move gave away; 0 where that isn't known."""
        if not (self.value.is_known and self.best.is_known):
            return 0.0
        return round(max(0.0, self.best.amount - self.value.amount), 6)

    @property
    def points_lost(self) -> int:
        """How many points of the final margin the move gave away, where that is proven; else 0."""
        if self.value.margin is None or self.best.margin is None:
            return 0
        return max(0, self.best.margin - self.value.margin)


@dataclass(frozen=True)
class Analysis:
    """A game with the assessments of its moves."""

    game: Game
    settings: Mapping[str, float]  # the arguments of `analyse` that counted
    assessments: Sequence[Assessment]  # of every move, in order; if it was stopped, of the last ones
    is_stopped: bool = False

    @property
    def turning_points(self) -> list[Assessment]:
        """The moves that changed a lot, in order."""
        return [one for one in self.assessments if one.turning_point]

    @property
    def gave_away(self) -> list[Assessment]:
        """The moves that gave away points and changed nothing else, in order."""
        return [one for one in self.assessments if one.gave_away]

    @property
    def supposed(self) -> str:
        """What the exact values of three or more players suppose beyond the rules; empty where they suppose nothing."""
        known = [one.best for one in self.assessments if one.best.is_exact and one.best.how != How.END.text]
        if self.game.num_players < 3 or not known:
            return ""
        return supposition(self.game, is_of_scores=any(value.scores for value in known))

    @property
    def kept(self) -> dict[int, tuple[int, int]]:
        """By player of a game for two: how many of the player's moves kept the result, and of how many.

        Only the last moves count, those since which the game is solved. A move keeps the result if a win stays a win
        and a draw a draw; a lost game can't be lost.
        """
        found: dict[int, tuple[int, int]] = {}
        for one in reversed(self.assessments if self.game.num_players == 2 else ()):
            if not (one.value.is_exact and one.best.is_exact):
                break
            kept, number = found.get(one.mover, (0, 0))
            found[one.mover] = (kept + (one.value.amount >= one.best.amount), number + 1)
        return dict(sorted(found.items()))

    def kept_words(self, player: int, name: str) -> Message:
        """The same of a player in `kept` as a sentence."""
        kept, number = self.kept[player]
        words = {"name": name, "kept": kept, "number": number}
        if number == sum(mover == player for mover, _ in self.game.plies()):
            return say("{name}: {kept} of {number} moves kept the result.", **words)
        return say("{name}: {kept} of the last {number} moves, which are solved, kept the result.", **words)

    def json(self) -> dict[str, object]:
        """All of it, as data for JSON."""
        game = self.game
        return {
            "game": game.id,
            "parameters": written(game.parameters),
            "unit": "score" if game.num_players == 1 else "share of the win",
            "settings": dict(self.settings),
            "moves": [asdict(one) | {"loss": one.loss, "points_lost": one.points_lost} for one in self.assessments],
            "turning_points": [one.turning_point for one in self.turning_points],
            "gave_away": [one.gave_away for one in self.gave_away],
            "supposed": self.supposed,
            "kept": {str(player): {"kept": kept, "of": number} for player, (kept, number) in self.kept.items()},
        }


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


@dataclass(frozen=True)
class Outlook:
    """What is known of a position that isn't over."""

    best_move: str
    best: Value  # of the best move, to the mover
    line: Sequence[str]  # the best continuation, `best_move` first; empty where it can be found from exact values
    values: Mapping[str, Value] = field(default_factory=dict)  # of other moves too, where they have been found
    last_move: Value = UNKNOWN  # of the move that led here, to the player who made it


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
        if move == best_move or not best.is_known or value.is_as_good_as(best):
            if later is not None or move != best_move or not line:
                line = [move, *(later.line if later else ())]
            # It is as good as the best move found; that doesn't prove that it is the best.
            is_won = position.num_players > 1 and value.amount == 1
            is_certain = value.is_exact and (best.is_exact or is_won or len(position.legal_numbers()) == 1)
            best = value if is_certain or not value.is_exact else _not_proven(best, value)
            best_move = move
        elif not line:
            line = self._solved_line(position, best_move)
        if position.num_players == 1:
            value, best = within_bounds(value, position), within_bounds(best, position)
        judged = Assessment(position.ply + 1, mover, move, value, best_move, best, tuple(line[:MOST_OF_LINE]))
        return replace(judged, turning_point=turning_point(judged, position), gave_away=gave_away(judged, position))

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
            return self._look(position, last_mover) if known is None else self._told(position, known, last_mover)
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
        probe = search_for(position, seed=self._seed, memory=self._memory).run(simulations=PROBE)
        return exactly(position, AMPLE, self._stop, self._memory) if probe.is_solved else None

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

    def _solved_line(self, position: Game, move: str) -> list[str]:
        """The best continuation of a solved position after this move, by exact values."""
        game = position.copy()
        game.play(move)
        while not game.is_over and (known := exactly(game, AMPLE, self._stop, self._memory)):
            game.play(known.moves[0])
        return game.moves[position.ply :]


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
        searches.append(search_for(position, seed=2 * seed, is_planning=True))
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
    if held is not None and held.is_exact and held.low is not None and held.moves:
        move, worth = held.moves[0], solved(position, held.low, held.how)
        return Outlook(
            move, worth, [move], {each: at_most(worths[each], worth) for each in worths} | {move: worth}, last
        )
    return Outlook(text[best.move], values[best.move], [text[number] for number in best.line], worths, last)


def at_most(value: Value, best: Value) -> Value:
    """The value of a move, which can't be above that of the best one; estimates often are."""
    return replace(value, amount=min(value.amount, best.amount)) if best.is_exact and not value.is_exact else value


def _not_proven(best: Value, reached: Value) -> Value:
    """The value of a position in which the move played reaches an exact value, and none better is known: an estimate.

    It is known as the searches found it, where they found as much.
    """
    how = best.how if best.amount == reached.amount else say("by the moves played")
    return Value(reached.amount, best.error, how=how)


def turning_point(found: Assessment, position: Game) -> str:
    """What the move changed, as a sentence; empty if the change is too small for a turning point."""
    value, best = found.value, found.best
    if not (value.is_known and best.is_known):
        return ""
    is_exact = value.is_exact and best.is_exact
    if position.num_players == 1:
        if found.loss <= (0 if is_exact else max(FALL - 1, value.error + best.error)):
            return ""
        before, after = score_text(best, position), score_text(value, position)
        if is_exact:
            return _mistake(
                found, say("the best score still reachable fell from {before} to {after}", before=before, after=after)
            )
        return _mistake(found, say("the best score found fell from {before} to {after}", before=before, after=after))
    if is_exact:
        if value.is_as_good_as(best) or value.amount >= best.amount:
            return ""
        before, after = in_words(best, position), in_words(value, position)
        return _mistake(found, say("{before} became {after}", before=before, after=after))
    if position.num_players > 2 and (value.is_exact or best.is_exact):
        return ""  # a search may take other ones of equal moves than perfect play does, so that they can't be compared
    if found.loss < MISTAKE or found.loss < SURE * math.hypot(value.error, best.error):
        return ""
    before, after = f"{100 * best.amount:.0f}", f"{100 * value.amount:.0f}"
    fell = say("the expected share of the win fell from {before} % to {after} %", before=before, after=after)
    return _mistake(found, fell)


def gave_away(found: Assessment, position: Game) -> str:
    """The points that a move gave away without changing who wins, as a sentence; empty where that isn't proven."""
    value, best = found.value, found.best
    is_exact = value.is_exact and best.is_exact
    if position.num_players == 1 or not is_exact or value.is_as_good_as(best) or value.amount < best.amount:
        return ""
    fall = say("{before} became {after}", before=in_words(best, position), after=in_words(value, position))
    words = {"ply": found.ply, "move": found.move, "fall": fall, "best": found.best_move}
    if best.margin is None:
        return say("Move {ply}, {move}, gave away points: {fall}; {best} didn't.", **words)
    return say_number(
        "Move {ply}, {move}, gave away {number} point: {fall}; {best} kept it at {margin}.",
        "Move {ply}, {move}, gave away {number} points: {fall}; {best} kept it at {margin}.",
        found.points_lost,
        margin=abs(best.margin),
        **words,
    )


def _mistake(found: Assessment, fall: str) -> str:
    """What the move changed and which move was better; of estimates, what seems so."""
    ply, move, best = found.ply, found.move, found.best_move
    if found.value.is_exact and found.best.is_exact:
        return say(
            "Move {ply}, {move}, was a mistake: {fall}; {best} kept it.", ply=ply, move=move, fall=fall, best=best
        )
    return say(
        "Move {ply}, {move}, seems a mistake: {fall}; {best} seemed better.", ply=ply, move=move, fall=fall, best=best
    )
