"""Plans of Sums Grid: the moves from any position to a good full grid."""

import random

import quet
from quet.game import Game
from quet.games.sums_grid import local_search, plan

BEST = [1, 2, 8, 15, 4, 5, 7, 14, 12]  # 26, row by row


def after(game: Game, moves: list[int]) -> Game:
    end = game.copy()
    for move in moves:
        end.push(move)
    assert end.is_over
    return end


def test_a_plan_reaches_the_best_score_also_where_numbers_stand_that_are_in_no_best_grid() -> None:
    game = quet.new("sums-grid", n=3)
    for move in "a1=27 b2=26 c3=25 a3=24".split():
        game.play(move)
    line: list[int] = []
    for number in range(20):
        line = list(plan.plan(game.state, line, number, 1, lambda: False).moves)
        if after(game, line).scores[0] == 26:
            return
    raise AssertionError(after(game, line).scores)


def test_a_plan_leaves_the_numbers_of_a_grid_that_stand_already_in_one_of_its_images() -> None:
    turned = [BEST[3 * column + row] for row in range(3) for column in range(3)]
    game, whole = quet.new("sums-grid", n=3), quet.new("sums-grid", n=3)
    whole.state.numbers[:9] = BEST
    for square, number in enumerate(turned[:7]):
        game.play(f"{'abc'[square % 3]}{1 + square // 3}={number}")
    end = after(game, local_search.moves_to(game.state, whole.state))
    assert (end.state.numbers[:9], end.ply) == (turned, 10)
    assert local_search.is_on_the_way(game.state, whole.state)
    game.play("a1=")
    game.play("a1=9")
    assert not local_search.is_on_the_way(game.state, whole.state)


def test_samples_with_little_waste_find_grids_that_score_what_is_asked() -> None:
    found, positions = None, 0
    for seed in range(20):
        found, work = plan._sampled(4, 50, random.Random(seed), lambda: False)
        positions += work
        if found is not None:
            break
    assert found is not None and positions > 1
    game = quet.new("sums-grid", n=4)
    for square, number in enumerate(found):
        game.play(f"{'abcd'[square % 4]}{1 + square // 4}={number}")
    assert game.scores[0] >= 50


def test_nothing_is_looked_for_when_there_is_no_time_or_nothing_better_is_possible() -> None:
    game = quet.new("sums-grid", n=2)
    best = [int(game.rules.read_move(game.state, move)) for move in "a1=1 b1=3 a2=6 b2=2 done".split()]
    assert plan.plan(game.state, best, 1, 1, lambda: False).work == 1
    game = quet.new("sums-grid", n=4)
    line = list(plan.plan(game.state, [], 0, 1, lambda: True, is_plain=True).moves)
    assert plan.plan(game.state, line, 1, 1, lambda: True).work == 1
