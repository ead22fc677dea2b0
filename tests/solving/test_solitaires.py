"""The solvers of the solitaires: more than one value each, and more than one way to it."""

import itertools
import threading
from dataclasses import replace
from typing import Any

import pytest

import quet
from certified import score
from quet.core.rules import legal_moves
from quet.distribution.task import Answer, Task
from quet.game import new_to_solve
from quet.games.sequence_ascension import solve as sequence_ascension
from quet.games.up_and_up import solve as up_and_up
from quet.solving import ask, perfect

LOWEST = {1: 1, 2: 4, 3: 6, 4: 8, 5: 7, 6: 6, 7: 10, 8: 12, 9: 9, 10: 12, 11: 11, 12: 12}  # of Up And Up


def scores_of_all_games(n: int) -> dict[int, int]:
    """How many games of Up And Up have each score, by the plain rules."""
    game = quet.new("up-and-up", n=n)
    counts: dict[int, int] = {}

    def go_on(s: Any) -> None:
        if game.rules.is_over(s):
            counts[s.count] = counts.get(s.count, 0) + 1
        for move in [] if game.rules.is_over(s) else legal_moves(game.rules, s):
            before = s.count, s.last, s.step
            game.rules.play(s, move)
            go_on(s)
            s.numbers[move] = 0
            s.count, s.last, s.step = before

    go_on(game.state)
    return counts


@pytest.mark.parametrize("n", range(1, 5))
def test_the_numbers_of_games_are_those_of_playing_them_all(n: int) -> None:
    assert up_and_up.num_games(n) == scores_of_all_games(n)


@pytest.mark.parametrize("n", range(1, 13))
def test_the_lowest_score_is_reached_and_confirmed_where_all_games_can_be_played(n: int) -> None:
    game = quet.new("up-and-up", n=n)
    found = up_and_up.solve(game.state, Task(is_lowest=True))
    assert found is not None
    assert found.is_proven
    assert found.value == LOWEST[n]
    assert score(game, found) == LOWEST[n]
    assert (found.confirmed_by is not None) == (n <= up_and_up.LARGEST_COUNTED)


@pytest.mark.parametrize("n", range(2, 13))
def test_the_lowest_score_is_the_same_from_the_last_square_back(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(up_and_up, "LARGEST_FORWARD", 1)
    game = quet.new("up-and-up", n=n)
    found = up_and_up.solve(game.state, Task(is_lowest=True))
    assert found is not None and found.is_proven
    assert found.method == up_and_up.FROM_THE_END
    assert found.value == LOWEST[n] == score(game, found)


def test_functions_as_they_stand_find_what_compiled_ones_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> list[object]:
        games = [up_and_up.shortest_game(6, first, longest, None) for first in (0, 7) for longest in range(1, 10)]
        return [games, up_and_up.num_games(4)]

    assert up_and_up.LARGEST_PLAIN >= 6 and up_and_up.LARGEST_COUNTED_PLAIN >= 4
    plain = found()
    monkeypatch.setattr(up_and_up, "LARGEST_PLAIN", 0)
    monkeypatch.setattr(up_and_up, "LARGEST_COUNTED_PLAIN", 0)
    assert found() == plain


@pytest.mark.parametrize("n", range(1, 17))
def test_a_full_grid_is_found(n: int) -> None:
    game = quet.new("up-and-up", n=n)
    found = up_and_up.solve(game.state, Task(seconds=120))
    assert found is not None and found.value == n * n == score(game, found)


def test_every_square_is_like_one_that_is_tried_first() -> None:
    for n in range(1, 8):
        together = [square for first in up_and_up.starts(n) for square in up_and_up.alike(n, first)]
        assert sorted(together) == list(range(n * n))


@pytest.mark.parametrize("n", [8, pytest.param(22, marks=pytest.mark.long)])
def test_a_lowest_score_goes_on_where_it_was_stopped_and_counts_nothing_twice(n: int) -> None:
    state = new_to_solve("up-and-up", n=n).state
    whole = Task(is_lowest=True)
    found = up_and_up.solve(state, whole)
    for kept in (1, 20, len(whole.notes) - 1) if n == 8 else (20,):
        notes = dict(itertools.islice(whole.notes.items(), kept))
        assert up_and_up.solve(state, Task(is_lowest=True, notes=notes)) == found


@pytest.mark.parametrize("n", [20, 21, 35])
def test_a_long_search_ends_when_the_time_is_over(n: int) -> None:
    num_threads = threading.active_count()
    found = up_and_up.solve(new_to_solve("up-and-up", n=n).state, Task(is_lowest=True, seconds=0.5))
    assert found is not None and not found.is_proven
    assert found.low is not None
    assert 1 <= found.low <= 18
    assert found.value is None
    assert threading.active_count() <= num_threads


def path_lengths(n: int, sequence: list[int]) -> set[int]:
    """The scores of all games of Sequence Ascension with these terms, played here without the rules' code."""
    squares = list(itertools.product(range(n), range(n)))
    touching = {
        (a, b): [(c, d) for c, d in squares if (a, b) != (c, d) and max(abs(a - c), abs(b - d)) == 1]
        for a, b in squares
    }
    found = set()

    def go_on(path: list[tuple[int, int]], placed: dict[tuple[int, int], int]) -> None:
        here = path[-1]
        ways = [s for s in touching[here] if s in placed and s not in path and placed[s] >= placed[here]]
        if not ways:
            found.add(len(path))
        for square in ways:
            go_on([*path, square], placed)

    def place(square: tuple[int, int], placed: dict[tuple[int, int], int]) -> None:
        placed = {**placed, square: sequence[len(placed)]}
        empty = [other for other in touching[square] if other not in placed]
        for other in empty:
            place(other, placed)
        if not empty:
            for start in placed:
                go_on([start], placed)

    for square in squares:
        place(square, {})
    return found


@pytest.mark.parametrize(
    "sequence", ["3,1,2,2,1,3,3,1,2", "9,7,8,5,6,5,4,2,3", "1,2,1,2,1,2,1,2,1", "2,2,1,1,3,3,1,2,3"]
)
def test_the_scores_of_three_by_three_are_those_of_all_games(sequence: str) -> None:
    game = quet.new("sequence-ascension", n=3, sequence=sequence)
    scores = path_lengths(3, [int(term) for term in sequence.split(",")])
    highest = sequence_ascension.solve(game.state, Task())
    lowest = sequence_ascension.solve(game.state, Task(is_lowest=True))
    assert (lowest.value, highest.value) == (min(scores), max(scores))
    assert (score(game, lowest), score(game, highest)) == (min(scores), max(scores))


@pytest.mark.parametrize(
    ("sequence", "best"),
    [("divisors", 15), ("naturals", 16), ("mod3", 14), ("2,1," * 7 + "2,1", 15), ("5,5," * 7 + "5,5", 16)],
)
def test_the_highest_scores_of_four_by_four(sequence: str, best: int) -> None:
    game = quet.new("sequence-ascension", n=4, sequence=sequence)
    found = sequence_ascension.solve(game.state, Task())
    assert found.is_proven
    assert found.value == best == score(game, found)


def test_the_lowest_score_of_equal_numbers_is_not_one() -> None:
    game = quet.new("sequence-ascension", n=3, sequence=[7] * 9)
    found = sequence_ascension.solve(game.state, Task(is_lowest=True))
    assert found.is_proven
    assert found.value == 2 == score(game, found)


def test_a_larger_grid_gets_a_longest_path_over_the_best_placing() -> None:
    game = quet.new("sequence-ascension", n=6)
    found = sequence_ascension.solve(game.state, Task(seconds=0.5))
    assert not found.is_proven
    assert found.value is not None
    assert 10 < found.value == score(game, found)


@pytest.mark.parametrize(
    ("n", "sequence", "method"),
    [
        (3, "naturals", "a path through all squares, found by a SAT solver"),
        (5, "naturals", "a path through all squares, found by annealing and a SAT solver"),
        (9, "divisors", "annealing"),
    ],
)
def test_who_looked_for_the_highest_score_is_told(n: int, sequence: str, method: str) -> None:
    game = quet.new("sequence-ascension", n=n, sequence=sequence)
    found = sequence_ascension.solve(game.state, Task(seconds=0.5 if n > 5 else None))
    assert found.method == method


@pytest.mark.parametrize(("worths", "best", "high"), [([7, 8], 1, 9), ([8, 7], 0, 9), ([8, 9], 1, 9)])
def test_a_solve_that_is_not_done_tells_the_best_of_the_moves_solved(worths: list[int], best: int, high: int) -> None:
    game = quet.new("sequence-ascension", n=3).after("a3")
    moves = legal_moves(game.rules, game.state)
    notes = {f"move {move}": [worth, 1] for move, worth in zip(moves, worths, strict=False)}
    task = Task(seconds=0.0, notes=notes)
    found = perfect.solve(game.rules, game.entry.capabilities, game.state, task)
    assert found is not None and not found.has_all_best
    assert (found.value, found.low, found.high) == (worths[best], worths[best], high)
    assert found.best_moves == found.witness == [moves[best]]


def test_a_game_that_is_found_raises_what_is_reached() -> None:
    exactly, best = Answer(1, 9, [], [], 3, "a"), Answer(None, None, [4, 5], [4], 2, "b", value=8)
    joined = ask._joined(exactly, best, is_low_better=False)
    assert (joined.low, joined.high, joined.value, joined.witness) == (8, 9, 8, [4, 5])
    lowest = ask._joined(exactly, best, is_low_better=True)
    assert (lowest.low, lowest.high, lowest.value) == (1, 8, 8)
    assert ask._joined(exactly, replace(best, value=9), is_low_better=False).is_proven
    of_two = ask._joined(exactly, replace(best, value=None), is_low_better=False)
    assert (of_two.low, of_two.high, of_two.value) == (1, 9, None)
