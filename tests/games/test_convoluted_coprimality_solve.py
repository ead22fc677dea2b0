"""Who is left in the end, against trying every game by the plain rules."""

from fractions import Fraction
from typing import Any

import pytest

import quet
from quet.capabilities import found as capabilities_of
from quet.core.rules import legal_moves
from quet.core.state import copy
from quet.distribution.task import Task
from quet.games.convoluted_coprimality import exact, rules, solve
from quet.solving import perfect

LONG: dict[str, Any] = {"n": 5, "players": 8, "grids": 1000}  # more than these tests may take


def start(**parameters: Any) -> Any:
    return quet.new("convoluted-coprimality", **parameters).state


def large(n: int, players: int) -> Any:
    """The start of the game on a grid larger than the game allows."""
    s = rules.State()
    rules.start(s, n, players, 1)
    return s


def shares(s: Any) -> list[Fraction]:
    return [Fraction(s.is_left[player], s.num_left) for player in range(1, s.players + 1)]


def in_turn(values: list[Any], mover: int) -> list[Any]:
    return values[mover - 1 :] + values[: mover - 1]


def by_trying_everything(s: Any, sign: int = 1) -> list[Fraction]:
    """The shares of the win when each mover wants a large share for itself first, and then large (for sign -1 small)
    ones for the next players.
    """
    if s.is_over:
        return shares(s)
    found = []
    for move in legal_moves(rules, s):
        after = copy(s)
        rules.play(after, move)
        found.append(by_trying_everything(after, sign))
        if found[-1][s.mover - 1] == 1:
            return found[-1]

    def wish(values: list[Fraction]) -> list[Fraction]:
        own, *others = in_turn(values, s.mover)
        return [own, *(sign * other for other in others)]

    return max(found, key=wish)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("n", "grids"), [(2, 1), (2, 3), (3, 1), (3, 2), (4, 1), (4, 2), (5, 1), (6, 1)])
def test_the_winners_are_those_of_trying_everything(n: int, grids: int, players: int) -> None:
    state = start(n=n, grids=grids, players=players)
    for is_kind, sign in ((True, 1), (False, -1)):
        expected = by_trying_everything(state, sign)
        found = solve.winners(n, players, grids, is_kind=is_kind)
        assert [Fraction(player in found, len(found)) for player in range(1, players + 1)] == expected


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("n", [23, 30])
def test_the_winners_on_grids_larger_than_are_played_are_found_by_the_rules_too(n: int, players: int) -> None:
    expected = by_trying_everything(large(n, players))
    assert [int(player in solve.winners(n, players)) for player in range(1, players + 1)] == expected


@pytest.mark.parametrize("players", [2, 3, 5])
def test_best_moves_and_the_witness_keep_the_result(players: int) -> None:
    state = start(n=5, grids=2, players=players)
    answer = solve.solve(state, Task())
    task = Task()
    outcomes = solve.Outcomes(5, players, 2, task)
    left = outcomes.of(state)
    s = copy(state)
    for move in answer.witness:
        assert outcomes.of(s) == left
        rules.play(s, move)
    assert s.is_over
    assert sum(s.is_left[player] << player - 1 for player in range(1, players + 1)) == left
    assert answer.best_moves == legal_moves(rules, state)  # mirror images
    scores = [s.is_left[player] for player in range(1, players + 1)]
    if players == 2:
        assert answer.low == answer.high == answer.value == scores[0] - scores[1]
    else:
        assert answer.scores == scores
        assert answer.is_proven


@pytest.mark.parametrize("n", [5, 8, 12, 19, 20])
def test_a_tree_search_finds_the_same_value_for_two(n: int) -> None:
    state = start(n=n)
    other = perfect.solve(rules, capabilities_of(exact), state, Task(seconds=100))
    assert other is not None
    assert other.is_proven
    assert solve.solve(state, Task()).value == other.value


def test_what_is_stopped_goes_on_and_counts_nothing_twice() -> None:
    whole = Task()
    expected = solve.Outcomes(5, 6, 4, whole).of_grids(4, 63)
    stopped = Task()
    stopped.notes = dict(list(whole.notes.items())[: len(whole.notes) // 2])
    assert solve.Outcomes(5, 6, 4, stopped).of_grids(4, 63) == expected
    assert stopped.notes == whole.notes
    assert solve.solve(start(n=5, players=6, grids=4), stopped).nodes == sum(note[1] for note in whole.notes.values())


def test_a_search_whose_time_is_over_leaves_the_game_open() -> None:
    answer = solve.solve(start(**LONG), Task(seconds=0.01))
    assert not answer.is_proven
    assert answer.scores is None
    assert (answer.low, answer.high) == (None, None)
