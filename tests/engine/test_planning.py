"""Plans of solitaires: whole games from any position, the best kept as long as the game follows it."""

import random
import threading
from collections.abc import Callable, Sequence
from math import inf

import pytest

import quet
from conftest import SMALL
from quet.capabilities import Plan
from quet.core.rules import AnyState
from quet.engine.planning import Planning
from quet.game import Game


def planned(game: Game, *, is_plain: bool = True) -> Planning:
    planner = game.entry.planner
    assert planner is not None
    return Planning(planner, game.rules, game.state, seed=1, is_plain=is_plain)


def solitaires() -> list[str]:
    return [each for each in quet.game_ids() if quet.new(each).entry.planner is not None]


@pytest.mark.parametrize("solitaire", solitaires())
def test_the_line_of_a_plan_is_kept_as_long_as_the_game_follows_it(solitaire: str) -> None:
    game = quet.new(solitaire, **SMALL[solitaire][-1])
    search = planned(game)
    first = search.run(simulations=1)
    while not game.is_over:
        found = search.run(simulations=1)
        end = game.copy()
        for move in found.line:
            end.push(move)
        assert end.is_over and end.scores[0] == found.candidates[0].best >= first.candidates[0].best
        game.push(found.move)
        search.advance(found.move)


@pytest.mark.parametrize("solitaire", solitaires())
def test_a_game_that_leaves_its_plan_is_planned_anew_from_where_it_is(solitaire: str) -> None:
    game = quet.new(solitaire, **SMALL[solitaire][-1])
    search, chance = planned(game), random.Random(1)
    while not game.is_over:
        found = search.run(simulations=1)
        assert game.after(game.rules.move_text(game.state, found.move))
        move = chance.choice(game.legal_numbers())
        game.push(move)
        search.advance(move)
        if game.ply > 40:  # numbers could be written and erased without end
            return


class Guesses:
    """Plans that come out as told, one after the other."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.plans = list(plans)
        self.lines: list[list[int]] = []  # that it was asked with

    def plan(
        self,
        s: AnyState,
        line: Sequence[int],
        number: int,
        seed: int,
        is_over: Callable[[], bool],
        *,
        is_plain: bool,
        work: float = 0.0,
    ) -> Plan:
        assert number == len(self.lines)
        self.lines.append(list(line))
        return self.plans.pop(0)


def whole(begun: Sequence[int]) -> list[int]:
    """A game with these moves and then the first legal ones."""
    game = quet.new("up-and-up", n=3)
    for move in begun:
        if move in game.legal_numbers():
            game.push(move)
    while not game.is_over:
        game.push(game.legal_numbers()[0])
    return list(game.numbers)


def scores() -> tuple[list[int], list[int]]:
    """A game that is shorter than another, of 3 by 3 squares."""
    games = sorted((whole([first, second]) for first in range(9) for second in range(9)), key=len)
    assert len(games[0]) < len(games[-1])
    return games[0], games[-1]


def test_the_better_of_two_plans_is_played_and_a_worse_one_forgotten() -> None:
    worse, better = scores()
    game = quet.new("up-and-up", n=3)
    guesses = Guesses([Plan(worse, 1), Plan(better, 1), Plan(worse, 1)])
    search = Planning(guesses, game.rules, game.state, seed=1)
    assert search.run(simulations=1).line == worse
    assert search.run(simulations=2).line == better
    assert guesses.lines == [[], worse, better]


def test_nothing_is_planned_once_no_score_can_be_better() -> None:
    worse, better = scores()
    game = quet.new("up-and-up", n=3)
    guesses = Guesses([Plan(worse, 1, 9), Plan(better, 1, len(better))])
    search = Planning(guesses, game.rules, game.state, seed=1)
    found = search.run(seconds=1e9)
    assert found.is_solved and found.line == better and not guesses.plans
    search.advance(better[0])
    assert search.run(seconds=1e9).line == better[1:]


def test_a_plan_is_made_even_without_time_or_when_it_is_stopped() -> None:
    game = quet.new("up-and-up", n=5)
    stop = threading.Event()
    stop.set()
    assert len(planned(game).run(seconds=0.0).line) > 1
    assert len(planned(game).run(seconds=1e9, stop=stop).line) > 1


def test_without_time_no_plan_is_made_beside_one_that_stands() -> None:
    worse, better = scores()
    guesses = Guesses([Plan(worse, 1), Plan(better, 1)])
    search = Planning(guesses, quet.new("up-and-up", n=3).rules, quet.new("up-and-up", n=3).state, seed=1)
    assert search.run(seconds=0.0).line == search.run(seconds=0.0).line == worse
    assert len(guesses.plans) == 1


def test_an_annealing_of_sequence_ascension_ends_with_its_time() -> None:
    game = quet.new("sequence-ascension", n=10)
    planner = game.entry.planner
    assert planner is not None
    begun = planner.plan(game.state, (), 0, 1, lambda: False, is_plain=False, work=50)
    looks = iter([False, False])
    cut = planner.plan(game.state, begun.moves, 2, 1, lambda: next(looks, True), is_plain=False, work=inf)
    assert cut.work < planner.plan(game.state, begun.moves, 2, 1, lambda: False, is_plain=False, work=inf).work
