"""What the results of a tournament say about its players: scores and ratings, with intervals of 95 %.

The unit is the opening, since games from the same opening resemble each other. The score of an opening for a pair is
the share of the wins that went to the second player's seats, over all seatings; 1/2 is fair. In a solitaire it is 1,
1/2 or 0 if the second player's score is better, equal or worse. The interval of the mean is that of Agresti and Coull
("plus four", American Statistician 52, 1998), applied to such scores instead of wins and losses: two openings won and
two lost are added before the usual mean and standard error are taken. So it also holds with few openings, or if all are
won.

Ratings are those of Bradley and Terry, fitted by choix, on Elo's scale. Their intervals are bootstrapped: openings are
drawn anew from those played and the same four. All pairs play the same openings, and so they are drawn once for all.
"""

import contextlib
import importlib
import itertools
import math
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

from ..core.errors import MissingExtra
from ..core.extras import needs
from .arena import Result, Tournament, tables

SURE = 1.959964  # standard errors on either side of an interval of 95 %
ADDED = (0.0, 0.0, 1.0, 1.0)  # scores of openings that are added to those played, for intervals
NUM_DRAWINGS = 1000  # of the openings, for the intervals of the ratings
ELO = 400 / math.log(10)


@dataclass(frozen=True)
class Estimate:
    """A value and its interval of 95 %."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Meeting:
    """How the second of two players did against the first, which is thought to be weaker."""

    weaker: str
    stronger: str
    openings: int
    level_openings: int  # openings scored 1/2, in which the seat or the opening decided, or nothing did
    won: int  # games that the stronger won alone; in a solitaire, had the better score
    drawn: int
    lost: int
    score: Estimate

    @property
    def is_above(self) -> bool:
        """Whether the stronger is above the weaker, with 95 % confidence."""
        return self.score.low > 0.5


@dataclass(frozen=True)
class Standings:
    """The outcome of a tournament."""

    games: int
    meetings: Sequence[Meeting]
    ratings: Mapping[
        str, Estimate
    ]  # Elo above the first player's; empty for a solitaire, and without the library for them
    means: Mapping[str, Estimate]  # the mean score of each player in a solitaire; else empty
    seats: Sequence[float]  # the share of the wins of player 1, 2...


def standings(tournament: Tournament, results: Sequence[Result]) -> Standings:
    """The outcome of a tournament, from its results. Openings whose games aren't all played don't count in meetings.

    Ratings are left out where the library for them is missing.
    """
    num_players = tournament.game.num_players
    scores = {pair: opening_scores(tournament, pair, results) for pair in tournament.pairs}
    meetings = [
        _meeting(tournament, pair, results, [*scores[pair].values()]) for pair in tournament.pairs if scores[pair]
    ]
    seats = [0.0] * num_players
    for result in results:
        for winner in result.winners:
            seats[winner - 1] += 1 / len(result.winners) / len(results)
    means = {}
    ratings = {}
    if num_players == 1:
        for name in tournament.players:
            values = [float(result.scores[0]) for result in results if result.fixture.seats == (name,)]
            if values:
                means[name] = mean_score(values)
    elif len(meetings) == len(tournament.pairs):
        with contextlib.suppress(MissingExtra):
            ratings = _ratings(tournament, scores)
    return Standings(len(results), meetings, ratings, means, seats)


def share_interval(scores: Sequence[float]) -> Estimate:
    """The mean of scores from 0 to 1, at least one, and its interval.

    >>> found = share_interval([1, 1, 1, 1, 1, 1, 1, 0, 0, 0])  # (9 ± 1.96 √(9 · 5 / 14)) / 14
    >>> found.value, round(found.low, 3), round(found.high, 3)
    (0.7, 0.392, 0.894)
    """
    padded = [*scores, *ADDED]
    middle = statistics.fmean(padded)
    error = SURE * statistics.pstdev(padded) / math.sqrt(len(padded))
    return Estimate(statistics.fmean(scores), max(0.0, middle - error), min(1.0, middle + error))


def mean_score(values: Sequence[float]) -> Estimate:
    """The mean of at least one score, and its interval. The interval of a single score is the whole line."""
    mean = statistics.fmean(values)
    error = SURE * statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.inf
    return Estimate(mean, mean - error, mean + error)


def _share(result: Result, name: str) -> float:
    """The share of the win that went to the player's seats."""
    seats = result.fixture.seats
    return sum(seats[winner - 1] == name for winner in result.winners) / len(result.winners)


def _tables_of(tournament: Tournament, pair: tuple[str, str], results: Sequence[Result]) -> dict[int, list[Result]]:
    """The results of the pair by the number of the opening, for the openings that are played out, ascending."""
    wanted = set(tables(*pair, tournament.game.num_players))
    found: dict[int, list[Result]] = defaultdict(list)
    for result in results:
        if result.fixture.seats in wanted:
            found[result.fixture.opening].append(result)
    return {opening: found[opening] for opening in sorted(found) if len(found[opening]) == len(wanted)}


def opening_scores(tournament: Tournament, pair: tuple[str, str], results: Sequence[Result]) -> dict[int, float]:
    """The score of each opening for the pair, by its number, ascending; only of those that are played out."""
    scores = {}
    for opening, played in _tables_of(tournament, pair, results).items():
        if tournament.game.num_players == 1:
            scores[opening] = _better(tournament, pair, played)
        else:
            scores[opening] = statistics.fmean(_share(result, pair[1]) for result in played)
    return scores


def _better(tournament: Tournament, pair: tuple[str, str], played: Sequence[Result]) -> float:
    """1, 1/2 or 0: the second player's score in a solitaire is better than the first's, equal, or worse."""
    first, second = (next(r.scores[0] for r in played if r.fixture.seats == (name,)) for name in pair)
    if tournament.game.rules.LOWER_IS_BETTER:
        first, second = second, first
    return 0.5 if first == second else float(second > first)


def _meeting(
    tournament: Tournament, pair: tuple[str, str], results: Sequence[Result], scores: Sequence[float]
) -> Meeting:
    if tournament.game.num_players == 1:
        shares = list(scores)
    else:
        shares = [_share(r, pair[1]) for r in itertools.chain(*_tables_of(tournament, pair, results).values())]
    won, lost = shares.count(1.0), shares.count(0.0)
    return Meeting(
        *pair,
        openings=len(scores),
        level_openings=sum(math.isclose(score, 0.5) for score in scores),
        won=won,
        drawn=len(shares) - won - lost,
        lost=lost,
        score=share_interval(scores),
    )


def check_ratings() -> None:
    """Raise MissingExtra if ratings can't be fitted, so that people are told before the games are played."""
    _choix()


def _choix() -> ModuleType:
    with needs("arena", "The library choix, which fits ratings,"):
        return importlib.import_module("choix")


def _ratings(tournament: Tournament, scores: Mapping[tuple[str, str], Mapping[int, float]]) -> dict[str, Estimate]:
    """The rating of each player, from the scores of pairs by opening."""
    import numpy as np
    import numpy.typing as npt

    choix = _choix()
    index = {name: number for number, name in enumerate(tournament.players)}
    num_tables = len(tables("a", "b", tournament.game.num_players))
    generator = np.random.default_rng(0)

    def fit(drawn: Mapping[tuple[str, str], npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
        wins = np.zeros((len(index), len(index)))
        for (first, second), values in drawn.items():
            # A drawn game is added to each meeting, so that a player who wins all games has a finite rating.
            wins[index[second], index[first]] = 0.5 + num_tables * np.sum(values)
            wins[index[first], index[second]] = 0.5 + num_tables * np.sum(1 - values)
        strengths: npt.NDArray[np.float64] = choix.ilsr_pairwise_dense(wins, max_iter=10_000)
        above_first: npt.NDArray[np.float64] = strengths - strengths[0]
        return ELO * above_first

    openings = sorted(set().union(*scores.values()))
    # Of each pair a score for each opening, or NaN where it hasn't played that one out.
    arrays = {pair: np.array([of.get(one, np.nan) for one in openings]) for pair, of in scores.items()}

    def drawing() -> dict[tuple[str, str], npt.NDArray[np.float64]]:
        places = generator.integers(0, len(openings) + len(ADDED), len(openings))
        # Which of the added ones it is each pair draws by itself: these are no openings in which pairs could be alike.
        found = {pair: np.concatenate([a, generator.permutation(ADDED)])[places] for pair, a in arrays.items()}
        return {pair: values[~np.isnan(values)] for pair, values in found.items()}

    best = fit({pair: a[~np.isnan(a)] for pair, a in arrays.items()})
    drawings = [fit(drawing()) for _ in range(NUM_DRAWINGS)]
    low, high = np.percentile(drawings, [2.5, 97.5], axis=0)
    low, high = np.minimum(low, best), np.maximum(high, best)
    return {name: Estimate(float(best[i]), float(low[i]), float(high[i])) for name, i in index.items()}
