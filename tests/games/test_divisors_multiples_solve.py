"""What three and more pay in all, against trying every step by the plain rules."""

import functools
import random
from typing import Any

import pytest

import quet
from quet.core.errors import TooLarge
from quet.core.rules import legal_moves
from quet.core.state import copy
from quet.distribution.task import Task
from quet.games.divisors_multiples import exact, rules, solve


def start(r: int, players: int) -> Any:
    return quet.new("divisors-multiples", r=r, players=players).state


def by_trying_every_step(state: Any, sign: int = 1) -> list[int]:
    """Everybody's costs at the end when each step is the best for the mover, and then the best (for sign -1 the worst)
    for the next player.
    """
    players: int = state.players

    @functools.cache
    def to_pay(taken: tuple[int, ...], current: int, num_steps: int) -> tuple[int, ...]:
        """What each has yet to pay, the mover first."""
        s = copy(state)
        s.is_taken = [*taken, *state.is_taken[len(taken) :]]
        s.num_taken, s.current, s.num_steps, s.mover = sum(taken), current, num_steps, 1
        if rules.is_over(s):
            return (0,) * players
        found = []
        for move in legal_moves(rules, s):
            after = copy(s)
            rules.play(after, move)
            rest = list(to_pay(tuple(after.is_taken[: s.r + 1]), after.current, after.num_steps))
            if after.mover != 1:
                rest = [rest[-1], *rest[:-1]]
            rest[0] += rules.price(s, move // 2)
            found.append(tuple(rest))

        def wish(costs: tuple[int, ...]) -> list[int]:
            own, *others = [sum(other - cost for other in costs) for cost in costs]
            return [own, *(sign * other for other in others), -sum(costs)]

        return max(found, key=wish)

    rest = to_pay(tuple(state.is_taken[: state.r + 1]), state.current, state.num_steps)
    costs = list(state.cost[1 : players + 1])
    for i, cost in enumerate(rest):
        costs[(state.mover - 1 + i) % players] += cost
    return costs


@pytest.mark.parametrize("is_kind", [True, False])
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("r", [2, 3, 4, 5, 6, pytest.param(7, marks=pytest.mark.long)])
def test_scores_by_turns_are_those_of_trying_every_step(r: int, players: int, is_kind: bool) -> None:
    generator = random.Random(r)
    s = start(r, players)
    for _ in range(5):
        costs = solve.table(s, Task(), is_kind=is_kind)
        assert costs is not None
        assert costs.of(s) == by_trying_every_step(s, 1 if is_kind else -1)
        rules.play(s, generator.choice(legal_moves(rules, s)))
        if rules.is_over(s):
            break


@pytest.mark.parametrize("is_kind", [True, False])
@pytest.mark.parametrize("r", [2, 6, 9, 13])
def test_of_two_players_the_scores_differ_by_the_value(r: int, is_kind: bool) -> None:
    s = start(r, 2)
    costs = solve.table(s, Task(), is_kind=is_kind)
    solution = exact.solve(s, Task())
    assert costs is not None
    assert solution is not None
    first, second = costs.of(s)
    assert second - first == solution.value(s)


@pytest.mark.parametrize(("r", "players"), [(5, 3), (9, 4), (10, 3), (7, 8)])
def test_best_moves_and_the_witness_keep_the_scores(r: int, players: int) -> None:
    s = start(r, players)
    answer = solve.solve(s, Task())
    costs = solve.table(s, Task())
    assert answer is not None
    assert costs is not None
    assert answer.is_proven
    for move in legal_moves(rules, s):
        after = copy(s)
        rules.play(after, move)
        assert (costs.of(after) == answer.scores) == (move in answer.best_moves)
    for move in answer.witness:
        assert move in legal_moves(rules, s)
        rules.play(s, move)
    assert rules.is_over(s)
    assert s.cost[1 : players + 1] == answer.scores


def test_what_does_not_fit_is_refused_and_what_does_not_end_in_time_stays_open() -> None:
    with pytest.raises(TooLarge, match="needs 122683392 MB"):
        solve.solve(start(40, 3), Task())
    too_long = solve.solve(start(20, 3), Task(seconds=0.01))
    assert too_long is not None
    assert not too_long.is_proven


def test_two_players_are_left_to_others() -> None:
    assert solve.solve(start(5, 2), Task()) is None
