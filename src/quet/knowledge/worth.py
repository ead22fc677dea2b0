"""What a move or a position is worth to a player: exactly, or as searches estimate it; and how to say so."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from ..core.messages import Message, say, say_number
from ..game import Game
from .known import How, Known

if TYPE_CHECKING:
    from ..engine.findings import Candidate, Findings


@dataclass(frozen=True)
class Value:
    """What a move or a position is worth to a player, larger is better."""

    amount: float
    """The expected share of the win, 0..1, 0.5 for a draw of two; in a solitaire the best final score still reachable,
    or the best one found (negative where the lower score is better)."""
    error: float = 0.0
    """0 where the value is exact. Else one standard error of the share: that of its visits, or half of the difference
    of the two searches, whichever is larger. In a solitaire, the difference of the best scores of the two searches. It
    can't tell how far the searches themselves are from perfect play."""
    is_exact: bool = False
    margin: int | None = None
    """The final advantage of one of two players under perfect play, in points, where it is known."""
    at_least: int | None = None
    """What the final advantage of one of two players isn't below, where no more is known than that it is 0 or above."""
    at_most: int | None = None
    """What it isn't above, where no more is known than that it is 0 or below."""
    scores: tuple[int, ...] = ()
    """The final scores of three or more players under perfect play, where they are known."""
    aim: float | None = None
    """How far these scores are what the player wants, by the `wish` of the game's `claims.py`: it orders values better
    than the share of the win where a game is not played for the win alone."""
    is_known: bool = True
    """Whether anything is known; if not, the other numbers say nothing, and nobody is told them."""
    how: str = field(default="", compare=False)
    """How it is known, for people: `proven: table`, `search, 12000 games`; empty where nobody has said."""

    def for_other(self) -> "Value":
        """The same position, seen by the other of two players."""
        margin, at_most, at_least = (
            None if each is None else -each for each in (self.margin, self.at_least, self.at_most)
        )
        return replace(self, amount=round(1 - self.amount, 6), margin=margin, at_least=at_least, at_most=at_most)

    def is_as_good_as(self, other: "Value") -> bool:
        """Whether this value is at least as good as the other, as far as is known."""
        for own, others in ((self.aim, other.aim), (self.margin, other.margin)):
            if own is not None and others is not None:
                return own >= others
        return self.amount >= other.amount


UNKNOWN = Value(0.5, 0.5, is_known=False)  # of a move that no search has looked at


def solved(game: Game, advantage: int, how: How = How.SOLVED) -> Value:
    """The value of an advantage as `exact_values` gives it."""
    if game.num_players == 1:
        return Value(advantage, is_exact=True, how=how.text)
    share = 0.5 + 0.5 * ((advantage > 0) - (advantage < 0))
    is_in_points = not game.entry.capabilities.is_sign_value
    return Value(share, is_exact=True, margin=advantage if is_in_points else None, how=how.text)


def not_below(found: Value, known: Known) -> Value:
    """What a move is worth in a game for two that holds a win or a draw, in place of a search's estimate of it."""
    low = known.low
    if found.is_exact or low is None or low < 0:
        return found
    if low > 0:
        return Value(1.0, is_exact=True, at_least=low, how=known.how.text)
    return replace(found, amount=max(found.amount, 0.5), at_least=0, is_known=True, how=known.how.text)


def not_above(found: Value, known: Known) -> Value:
    """What a move is worth where the position is known to be lost, or not to be won, in place of an estimate of it."""
    high, how = known.high, known.how_high or known.how
    if found.is_exact or high is None or high > 0 or known.is_of_one:
        return found
    if high < 0:
        return Value(0.0, is_exact=True, at_most=high, how=how.text)
    return replace(found, amount=min(found.amount, 0.5), at_most=0, is_known=True, how=how.text)


def final(game: Game, player: int) -> Value:
    """What a game that is over was worth to a player."""
    sign = -1 if game.rules.LOWER_IS_BETTER else 1
    if game.num_players == 1:
        return solved(game, sign * game.scores[0], How.END)
    if game.num_players == 2:
        return solved(game, sign * (game.scores[player - 1] - game.scores[2 - player]), How.END)
    return of_scores(game, game.scores, player, How.END)


def of_scores(game: Game, scores: Sequence[int], player: int, how: How) -> Value:
    """What the final scores of three or more players are worth to one of them."""
    winners = best_players(game, scores)
    share = len(winners) ** -1 if player in winners else 0.0
    wish = _wish(game)
    aim = None if wish is None else float(wish(scores, player))
    return Value(share, is_exact=True, how=how.text, scores=tuple(scores), aim=aim)


def best_players(game: Game, scores: Sequence[int]) -> list[int]:
    """The players who win with these final scores."""
    best = min(scores) if game.rules.LOWER_IS_BETTER else max(scores)
    return [player for player, score in enumerate(scores, 1) if score == best]


def has_wish(game: Game) -> bool:
    """Whether the game says what each of three or more players wants, so that perfect play can be told."""
    return _wish(game) is not None


def _wish(game: Game) -> Callable[[Sequence[int], int], int | Fraction] | None:
    from ..certificates import claims

    return claims.of(game.id).wish


def expected_share(candidates: Sequence["Candidate"], num_players: int) -> Value:
    """The share of the win that a move promises its mover, as one or two searches found it.

    With three or more players it is never exact. A tree that was searched to its end has one of several equal moves for
    each player, whichever it met first, and on that choice the others' scores depend.
    """
    for candidate in candidates:
        if candidate.is_solved and num_players == 2:
            return Value(share_of(candidate.value), is_exact=True, how=How.SOLVED.text)
    weights = [max(candidate.visits, int(candidate.is_solved)) for candidate in candidates]
    visits = sum(weights)
    if not visits:
        return UNKNOWN
    shares = [share_of(candidate.value) for candidate, weight in zip(candidates, weights, strict=True) if weight]
    share = sum(s * weight for s, weight in zip(shares, filter(None, weights), strict=True)) / visits
    # A visit tells at most as much as a won or lost game. One of each is added, so that few visits don't look certain.
    cautious = (share * visits + 1) / (visits + 2)
    error = math.sqrt(cautious * (1 - cautious) / (visits + 2))
    error = max(error, (max(shares) - min(shares)) / 2)
    return Value(round(share, 6), round(error, 6), how=searched(visits))


def share_found(findings: "Findings", num_players: int) -> Value:
    """The share of the win that the best move of a search promises its mover."""
    value = expected_share(findings.candidates[:1], num_players)
    return value if value.is_exact else replace(value, how=found_by(findings))


LONGEST_LINE = 6  # moves of a continuation that are told, or one more if that is all


def is_cut(game: Game, line: Sequence[str]) -> bool:
    """Whether the game goes on after these moves, so that they don't lead to what they are worth by themselves."""
    later = game.copy()
    for move in line:
        later.play(move)
    return not later.is_over


def line_text(line: Sequence[str], *, is_cut: bool = False) -> str:
    """A continuation, `e3 d4 d5`; of a long one the first moves, and how many more there are.

    Of one that `is_cut` it says so.
    """
    rest = len(line) - LONGEST_LINE
    if is_cut:
        return say("{shown} and so on", shown=" ".join(line[:LONGEST_LINE]))
    if rest <= 1:  # to count one move takes more room than to name it
        return " ".join(line)
    return say("{shown} and {number} more moves", shown=" ".join(line[:LONGEST_LINE]), number=rest)


def best_score(searches: Sequence["Findings"]) -> Value:
    """The best score that searches of a solitaire found."""
    scores = [findings.candidates[0].best for findings in searches]
    if any(findings.is_solved for findings in searches):
        is_plan = any(findings.is_plan for findings in searches)
        return Value(max(scores), is_exact=True, how=(How.BOUND if is_plan else How.SOLVED).text)
    return Value(max(scores), max(scores) - min(scores), how=found_by(*searches))


def within_bounds(found: Value, game: Game) -> Value:
    """A score found in a solitaire; it is exact if the game says that no score is better."""
    from ..solving.valuers import bounds

    rules = game.rules
    known = bounds(rules, game.entry.capabilities, game.state, is_lowest=rules.LOWER_IS_BETTER)
    return found if known is None or found.amount < known[1] else solved(game, int(found.amount), How.BOUND)


def found_by(*searches: "Findings") -> str:
    """How something is known that these searches have found and not proven."""
    if any(findings.is_plan for findings in searches):
        return How.PLAN.text
    depth = max(findings.depth for findings in searches)
    if depth:
        return say_number(
            "search with learned weights, {number} ply ahead",
            "search with learned weights, {number} plies ahead",
            depth,
        )
    return searched(sum(findings.num_simulations for findings in searches))


def searched(num_games: int) -> str:
    """How something is known that a search has estimated from so many games."""
    return say_number("search, {number} game", "search, {number} games", num_games)


def share_of(reward: float) -> float:
    """The share of the win in the reward of a search, without its small part for the distance (`mcts.rewards`)."""
    return round(min(1.0, max(0.0, (reward - 0.05) / 0.9)), 6)


def told(value: Value, game: Game) -> str:
    """The value in words, and how it is known: `a win by 4 (proven: table)`."""
    words = in_words(value, game)
    return say("{worth} ({how})", worth=words, how=value.how) if value.how and value.is_known else words


def known_words(known: Known, game: Game, move: str) -> str:
    """What a known move is worth, in words, and how that is known; empty where nothing is."""
    if known.wins_alone:
        return say("a win, whatever the others do ({how})", how=known.how.text)
    if known.scores:
        return told(of_scores(game, known.scores, game.mover or 0, known.how), game)
    if move in known.shares:
        return say("{percent} % of the win ({how})", percent=f"{100 * known.shares[move]:.0f}", how=known.how.text)
    if move in known.advantages:
        return reachable_words(solved(game, known.advantages[move], known.how), game)
    if known.low is None:
        return ""
    value = solved(game, known.low, known.grounds)
    if known.is_exact:
        return reachable_words(value, game)
    if game.num_players == 1:
        return say("a score of {score} ({how})", score=score_text(value, game), how=value.how)
    return say("at least {worth}", worth=told(value, game))


def supposed_words(known: Known, game: Game) -> str:
    """What the worth of a known move supposes beyond the rules, as a sentence: how three or more players choose."""
    return supposition(game, is_of_scores=bool(known.scores)) if known.scores or known.shares else ""


def supposition(game: Game, *, is_of_scores: bool) -> Message:
    """How three or more players choose by the scores of perfect play, or else by the shares of `SolvingForMany`."""
    if is_of_scores:
        return say(
            "This supposes that all play perfectly: each {wish}, and of equal moves takes the one that is best for the "
            "next player, then for the one after.",
            wish=game.entry.wish,
        )
    return say(
        "This supposes that all play perfectly: each wants the largest share of the win, and takes any of several "
        "equal moves equally often."
    )


def found_words(findings: "Findings", game: Game, move: int, known: Known | None = None) -> str:
    """What a move is worth that a search has looked at, in words, and how that is known; empty where it hasn't.

    It is no more than what is known of the position.
    """
    found = next((one for one in findings.candidates if one.move == move), None)
    if found is None:
        return ""
    value = _found(findings, found, game)
    if known is not None and game.num_players == 2:
        value = not_above(value, known)
    return reachable_words(value, game) if value.is_known else ""


def _found(findings: "Findings", found: "Candidate", game: Game) -> Value:
    if game.num_players == 1:
        return within_bounds(best_score([replace(findings, candidates=[found], is_solved=found.is_solved)]), game)
    value = expected_share([found], game.num_players)
    return value if value.is_exact or not value.is_known else replace(value, how=found_by(findings))


def reachable_words(value: Value, game: Game) -> str:
    """The value as `told`; of a solitaire, whether the score is the best reachable or the best found."""
    if game.num_players > 1:
        return told(value, game)
    if value.is_exact:
        return say("the best score still reachable is {score}", score=told(value, game))
    return say("the best score found is {score}", score=told(value, game))


def in_words(value: Value, game: Game) -> str:
    """`a win by 5`, `a draw`, `about 62 % of the win`; in a solitaire the score."""
    if not value.is_known:
        return say("not known")
    if game.num_players == 1:
        return score_text(value, game)
    if value.at_least is not None:
        return say("at least {worth}", worth=in_words(solved(game, value.at_least), game))
    if value.at_most is not None:
        limit = solved(game, value.at_most)
        if value.at_most == 0:
            return say("a draw at most")
        return say("{worth} or more", worth=in_words(limit, game)) if limit.margin else in_words(limit, game)
    if not value.is_exact:
        return say("about {percent} % of the win", percent=f"{100 * value.amount:.0f}")
    if value.scores:
        worth = say("a shared win") if 0 < value.amount < 1 else in_words(replace(value, scores=()), game)
        return say("{worth} with the scores {scores}", worth=worth, scores="-".join(map(str, value.scores)))
    if value.amount == 1:
        return say("a win by {margin}", margin=value.margin) if value.margin else say("a win")
    if value.amount == 0:
        return say("a loss by {margin}", margin=-value.margin) if value.margin else say("a loss")
    if game.num_players == 2:
        return say("a draw")
    return say("{percent} % of the win", percent=f"{100 * value.amount:.0f}")


def score_text(value: Value, game: Game) -> str:
    """The score in the value of a solitaire, as text."""
    return f"{-value.amount if game.rules.LOWER_IS_BETTER else value.amount:g}"
