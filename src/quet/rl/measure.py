"""How far an agent is from perfect play, measured against exact values. docs/truth.md has the definitions.

An agent is anything that `quet.rl.agents.agent` takes. All measures are for solitaires and games for two whose values
the oracle knows. Intervals are of 95 %: Wilson's for shares of what is drawn independently (positions that are drawn
alone, games against a perfect opponent), bootstrapped for means and for shares of the positions of whole games. Where
every position was looked at, there is nothing to estimate, and an interval is a point.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import integer, shown
from ..core.errors import BadParameter, NotSolved
from ..core.messages import say
from ..core.rules import wants_high
from ..game import Game, check_going_on
from ..knowledge.walks import positions as all_positions
from ..players.standings import SURE, Estimate
from .agents import Agent, Anyone, asking
from .dataset import LARGEST_SEED, Report, sampled
from .oracles import Oracle, oracle

From = Literal["reachable", "random", "play"]
NUM_DRAWINGS = 1000  # of a bootstrap
MOST = 1_000_000  # positions or games that are looked at
LONGEST = 10_000  # moves that an agent plays in a game, since numbers can be written anew for ever
PORTION = 1000  # positions that an agent is asked about at once


@dataclass(frozen=True)
class Accuracy:
    """How good an agent's moves are in many positions of one game and size."""

    name: str
    game: Game  # the start
    positions: From
    num: int  # positions in which the agent chose
    keeps_result: Estimate  # the share of moves after which the result (win, draw, loss) is what it was
    keeps_margin: Estimate  # the share of moves that are worth what the position is
    regret: Estimate  # how many points a move gives away, on average


@dataclass(frozen=True)
class Strength:
    """The worst that can happen to an agent in one seat, whatever the others play."""

    name: str
    game: Game
    player: int
    value: int  # what the game is worth: player 1's final score minus player 2's, or a solitaire's score
    worst: int  # the worst outcome for the agent, in the same way
    line: Sequence[str]  # a game that comes to it
    num_positions: int  # in which the agent was asked

    @property
    def holds_value(self) -> bool:
        """Whether it never ends with less than perfect play does."""
        return self.worst == self.value

    @property
    def holds_result(self) -> bool:
        """Whether it never ends with a worse result: a win, a draw, a loss. In a solitaire, as `holds_value`."""
        return _same_result(self.game, self.value, self.worst)


@dataclass(frozen=True)
class Games:
    """How an agent does in one seat against an opponent who plays perfectly, and as hard as it can."""

    name: str
    game: Game
    player: int
    value: int
    results: Sequence[int]  # of each game, as `value`
    keeps_result: Estimate  # the share of the games that end with the result that perfect play has
    loss: Estimate  # the mean number of points by which games end below the value


@dataclass(frozen=True)
class Generalisation:
    """What an agent that was trained at some sizes does at others."""

    trained: Sequence[Accuracy]
    tested: Sequence[Accuracy]

    @property
    def drop(self) -> Estimate:
        """By how much the share of moves that keep the margin is lower where it wasn't trained: means over sizes."""
        before, after = ([one.keeps_margin for one in part] for part in (self.trained, self.tested))
        value = _mean(before) - _mean(after)
        # The variances of independent estimates add up; an interval has `SURE` standard errors on either side.
        parts = [(each.high - each.low) / 2 / len(part) for part in (before, after) for each in part]
        half = math.sqrt(sum(part * part for part in parts))
        return Estimate(value, value - half, value + half)


def accuracy(
    who: Anyone,
    game: Game,
    *,
    positions: From = "reachable",
    num: SupportsIndex = 1000,
    seed: SupportsIndex = 0,
    openings: SupportsIndex = 2,
    seconds: float = 5.0,
    most: SupportsIndex = MOST,
    report: Report = lambda done, total, words: None,
) -> Accuracy:
    """How good an agent's moves are in positions that come after this one.

    With "reachable" they are `num` of all positions that can be reached, all equally likely and none twice, or all of
    them if they aren't more. With "random" each is from a game of random moves of its own. With "play" they are those
    of `num` games in which the agent plays all moves but the first `openings`, which are random; `most` of these are
    drawn, all equally likely and none twice, if they are more. `seconds` are the oracle's for each position, and
    `report` is told how many are judged. Raises IllegalMove if the game is over, BadParameter, NotSolved, and BadAgent,
    also for an illegal move.

    >>> import quet, quet.rl.measure
    >>> found = quet.rl.measure.accuracy("random", quet.new("palindromes", m=4), seed=1)
    >>> found.num, round(found.keeps_margin.value, 2), found.regret.low == found.regret.high
    (65, 0.54, True)
    """
    check_going_on(game)
    count = integer(say("The number of positions"), num, 1, MOST)
    first = integer(say("The seed"), seed, 0, LARGEST_SEED)
    plies = integer(say("The number of random moves"), openings, 0, 64)
    limit = integer(say("The number of positions"), most, 1, MOST)
    with asking(who, seed=first) as asked:
        known = oracle(game, seconds=seconds)
        if positions == "reachable":
            num_all = int((all_positions(game).movers > 0).sum())
            found = list(sampled(game, min(count, num_all), "reachable", first))
            groups, is_all = list(range(len(found))), len(found) == num_all
            chosen = [move for part in _parts(found) for move in asked.moves(part)]
        elif positions == "random":
            found = list(sampled(game, count, "random", first))
            groups, is_all = list(range(len(found))), False
            chosen = [move for part in _parts(found) for move in asked.moves(part)]
        elif positions == "play":
            found, chosen, groups = _drawn(*_own_play(asked, game, count, first, plies, report), limit, first)
            is_all = False
        else:
            raise BadParameter(say("Positions are reachable, random or play, not {value}.", value=repr(positions)))
    if not found:
        raise BadParameter(say("The random moves end the game."))
    judged: list[tuple[bool, bool, int]] = []
    for one, move in zip(found, chosen, strict=True):
        report(len(judged), len(found), "positions judged")
        judged.append(_judged(known, one, move))
    rows = np.array(judged, np.float64)
    result, margin, regret = rows.T
    if is_all:
        shares = [_point(float(result.mean())), _point(float(margin.mean()))]
        mean = _point(float(regret.mean()))
    else:
        of_groups = [bootstrapped(column, groups, first) for column in (result, margin, regret)]
        mean, shares = of_groups[2], of_groups[:2]
        if positions != "play":
            shares = [share(int(result.sum()), len(rows)), share(int(margin.sum()), len(rows))]
    return Accuracy(asked.name, game.copy(), positions, len(rows), shares[0], shares[1], mean)


def weak_strength(who: Anyone, game: Game, *, player: SupportsIndex = 1, most: SupportsIndex = MOST) -> Strength:
    """The worst that can happen to an agent in this seat, found by trying every reply of the other player.

    The agent is asked once in each position, so that one that plays by chance is judged by what it chose then. At most
    so many positions are met. Raises as `accuracy`.

    >>> import quet, quet.rl.measure
    >>> first = lambda game: game.legal_moves[0]
    >>> found = quet.rl.measure.weak_strength(first, quet.new("palindromes", m=4), player=2)
    >>> found.value, found.worst, found.line, found.holds_value
    (-2, 10, ['1=0', '2=0', '3=0', '4=0'], False)
    """
    check_going_on(game)
    known, seat = oracle(game), integer(say("The player"), player, 1, game.num_players)
    limit = integer(say("The number of positions"), most, 1, MOST)
    with asking(who) as asked:
        tree = _Replies(asked, game, seat, limit)
        worst = tree.worst()
    return Strength(tree.name, game.copy(), seat, known.value(game), worst, tree.line(), tree.num_asked)


def against_perfect(
    who: Anyone,
    game: Game,
    *,
    player: SupportsIndex = 1,
    num: SupportsIndex = 100,
    seed: SupportsIndex = 0,
    report: Report = lambda done, total, words: None,
) -> Games:
    """How an agent does in this seat against an opponent who picks the hardest of its best moves.

    Of the opponent's moves that keep the value, the hardest is the one after which the smallest share of the next moves
    keeps it, which are the opponent's own where it moves on; among equally hard ones chance decides. The agent begins
    `num` games from this position. In a solitaire nobody opposes it. `report` is told how many are over. Raises as
    `accuracy`, and NotSolved where a game doesn't end.
    """
    check_going_on(game)
    seat = integer(say("The player"), player, 1, game.num_players)
    count = integer(say("The number of games"), num, 1, MOST)
    first = integer(say("The seed"), seed, 0, LARGEST_SEED)
    chance = random.Random(first)
    hard: dict[Game, list[str]] = {}
    games = [game.copy() for _ in range(count)]
    with asking(who, seed=first) as asked:
        known = oracle(game)
        while going_on := [one for one in games if not one.is_over]:
            _check_length(asked, max(one.ply for one in going_on) - game.ply)
            report(count - len(going_on), count, "games against perfect play over")
            mine = [one for one in going_on if one.mover == seat]
            for one, move in zip(mine, asked.moves(mine) if mine else [], strict=True):
                one.play(move)
            for one in going_on:
                if one.mover is not None and one.mover != seat:
                    if one not in hard:
                        hard[one.copy()] = _hardest(known, one)
                    replies = hard[one]
                    one.play(replies[int(chance.random() * len(replies))])
    value = known.value(game)
    results = [known.value(one) for one in games]
    losses = np.array([_loss(game, seat, value, result) for result in results], np.float64)
    kept = sum(_same_result(game, value, result) for result in results)
    return Games(
        asked.name,
        game.copy(),
        seat,
        value,
        results,
        share(kept, count),
        bootstrapped(losses, range(count), first),
    )


def generalisation(
    who: Anyone,
    trained: Sequence[Game],
    tested: Sequence[Game],
    *,
    positions: From = "reachable",
    num: SupportsIndex = 1000,
    seed: SupportsIndex = 0,
) -> Generalisation:
    """How good an agent's moves are at the sizes at which it was trained, and at others. Raises as `accuracy`."""
    for part in (trained, tested):
        if not isinstance(part, Sequence):
            raise BadParameter(say("The sizes must be a list of games, not {value}.", value=shown(part)))
    if not trained or not tested:
        raise BadParameter(say("Name the sizes at which the agent was trained, and those at which it is tested."))
    before, after = (
        [accuracy(who, game, positions=positions, num=num, seed=seed) for game in part] for part in (trained, tested)
    )
    return Generalisation(before, after)


def share(successes: int, num: int) -> Estimate:
    """The share of successes, with the interval of Wilson (Journal of the American Statistical Association 22, 1927).

    >>> found = share(9, 10)
    >>> round(found.low, 3), round(found.high, 3)
    (0.596, 0.982)
    """
    value = successes / num
    middle = (value + SURE**2 / (2 * num)) / (1 + SURE**2 / num)
    half = SURE / (1 + SURE**2 / num) * math.sqrt(value * (1 - value) / num + SURE**2 / (4 * num**2))
    return Estimate(value, max(0.0, min(value, middle - half)), min(1.0, max(value, middle + half)))


def bootstrapped(column: NDArray[np.float64], groups: Sequence[int], seed: int) -> Estimate:
    """The mean of numbers, with an interval from drawing their groups anew (Efron's percentiles).

    Numbers of one group resemble each other, as positions of one game do. `groups` are 0, 1, ... without gaps.
    """
    counts = np.bincount(groups).astype(np.float64)
    totals = np.bincount(groups, column)
    chance, num = np.random.default_rng(seed), len(counts)
    means = []
    for _ in range(NUM_DRAWINGS):
        drawn = chance.integers(0, num, num)
        means.append(totals[drawn].sum() / counts[drawn].sum())
    low, high = np.percentile(means, [2.5, 97.5])
    return Estimate(float(column.mean()), float(low), float(high))


def _judged(known: Oracle, game: Game, move: str) -> tuple[bool, bool, int]:
    """Whether a move keeps the result, whether it keeps the margin, and how many points it gives away."""
    worths = known.moves(game)
    best = (max if wants_high(game.rules, game.rules.mover(game.state)) else min)(worths.values())
    if move not in worths:  # another text for a legal move
        worths[move] = known.value(game.after(move))
    return _same_result(game, best, worths[move]), worths[move] == best, abs(worths[move] - best)


def _same_result(game: Game, value: int, other: int) -> bool:
    return value == other if game.num_players == 1 else bool(np.sign(value) == np.sign(other))


def _loss(game: Game, player: int, value: int, result: int) -> int:
    """By how many points a result is worse for the player than the value."""
    return value - result if wants_high(game.rules, player) else result - value


def _own_play(
    asked: Agent, game: Game, num: int, seed: int, plies: int, report: Report
) -> tuple[list[Game], list[str], list[int]]:
    """The positions of games that an agent plays against itself, its moves there, and which game each is of."""
    chance = random.Random(seed)
    games = [game.copy() for _ in range(num)]
    for one in games:
        for _ in range(plies):
            moves = one.legal_numbers()
            if moves:
                one.push(moves[int(chance.random() * len(moves))])
    found: list[Game] = []
    chosen: list[str] = []
    groups: list[int] = []
    numbers: dict[int, int] = {}
    while going_on := [(i, one) for i, one in enumerate(games) if not one.is_over]:
        _check_length(asked, going_on[0][1].ply - game.ply)  # all have as many moves
        report(num - len(going_on), num, "games of its own over")
        for begin in range(0, len(going_on), PORTION):
            part = going_on[begin : begin + PORTION]
            for (i, one), move in zip(part, asked.moves([one for _, one in part]), strict=True):
                found.append(one.copy())
                chosen.append(move)
                groups.append(numbers.setdefault(i, len(numbers)))
                one.play(move)
        if len(found) > MOST:
            raise BadParameter(say("These games have more than {most} positions.", most=MOST))
    return found, chosen, groups


def _drawn(
    found: list[Game], chosen: list[str], groups: list[int], most: int, seed: int
) -> tuple[list[Game], list[str], list[int]]:
    """At most so many of these positions, with their moves and groups, in their order; groups are numbered anew."""
    if len(found) <= most:
        return found, chosen, groups
    chance = random.Random(f"drawn from own play, {seed}")  # other numbers than those that chose the first moves
    kept = sorted(sorted(range(len(found)), key=lambda _: chance.random())[:most])
    numbers: dict[int, int] = {}
    return (
        [found[i] for i in kept],
        [chosen[i] for i in kept],
        [numbers.setdefault(groups[i], len(numbers)) for i in kept],
    )


def _hardest(known: Oracle, game: Game) -> list[str]:
    """The best moves after which the smallest share of the next moves is best, whoever is to make them."""
    shares = {}
    for move in known.best(game):
        after = game.after(move)
        shares[move] = 0.0 if after.is_over else len(known.best(after)) / len(after.legal_moves)
    least = min(shares.values())
    return [move for move, part in shares.items() if part == least]


class _Replies:
    """All positions that can come up where an agent plays one seat, and the worst of them for it."""

    def __init__(self, asked: Agent, game: Game, player: int, most: int) -> None:
        self.name = asked.name
        self.num_asked = 0
        self._asked, self._game, self._player, self._most = asked, game.copy(), player, most
        self._after: dict[Game, list[tuple[str, Game]]] = {}
        self._worst: dict[Game, int] = {}
        self._wants_high = wants_high(game.rules, player)

    def worst(self) -> int:
        """The worst outcome for the agent. Raises BadParameter where there are too many positions, or no end."""
        layer = [self._game]
        self._after[self._game] = []
        while layer:
            mine = [one for one in layer if one.mover == self._player]
            self.num_asked += len(mine)
            for part in _parts(mine):
                for one, move in zip(part, self._asked.moves(part), strict=True):
                    self._after[one] = [(move, one.after(move))]
            for one in layer:
                if one.mover is not None and one.mover != self._player:
                    self._after[one] = [(move, one.after(move)) for move in one.legal_moves]
            new: dict[Game, None] = {}
            for one in layer:
                new |= dict.fromkeys(after for _, after in self._after[one] if after not in self._after)
            layer = list(new)
            self._after |= {one: [] for one in layer}
            if len(self._after) > self._most:
                raise BadParameter(say("There are more than {most} positions.", most=self._most))
        self._value_all()
        return self._worst[self._game]

    def _value_all(self) -> None:
        """Value positions whose next ones are all valued, until none is left."""
        way, met = [self._game], set[Game]()
        while way:
            one = way[-1]
            if one in self._worst:
                way.pop()
                continue
            left = [after for _, after in self._after[one] if after not in self._worst]
            if not left:
                self._worst[one] = self._pick([self._worst[after] for _, after in self._after[one]], one)
                way.pop()
            elif one in met:
                raise _endless(self._asked)
            else:
                met.add(one)
                way.extend(left)

    def _pick(self, outcomes: list[int], one: Game) -> int:
        if one.is_over:
            return one.scores[0] - (one.scores[1] if one.num_players > 1 else 0)
        return (min if self._wants_high else max)(outcomes)

    def line(self) -> list[str]:
        """A game that comes to the worst outcome."""
        one, moves = self._game, []
        while self._after[one]:
            move, one = next(each for each in self._after[one] if self._worst[each[1]] == self._worst[one])
            moves.append(move)
        return moves


def _check_length(asked: Agent, num_moves: int) -> None:
    if num_moves >= LONGEST:
        raise _endless(asked)


def _endless(asked: Agent) -> NotSolved:
    return NotSolved(say("{name} lets the game go on for ever.", name=asked.name))


def _parts(games: list[Game]) -> list[list[Game]]:
    return [games[begin : begin + PORTION] for begin in range(0, len(games), PORTION)]


def _point(value: float) -> Estimate:
    return Estimate(value, value, value)


def _mean(estimates: Sequence[Estimate]) -> float:
    return sum(one.value for one in estimates) / len(estimates)
