"""Shortest games on grids of any size: played by other code than finds them, and against all games played forward."""

import itertools
import re
from pathlib import Path

import pytest

import quet
from quet.games.up_and_up import shortest, solve

LOWEST = {3: 6, 4: 8, 5: 7, 6: 6, 7: 10, 8: 12, 9: 9, 10: 12, 11: 11, 12: 12, 13: 12}
LOWEST_OF_LARGER = {22: 14, 27: 14}

# A game that gets stuck in the corner of every grid of 36 by 36 or more, as Theorem 4 has it: columns and rows, from 0.
_PAGE = (Path(__file__).parents[2] / "docs" / "proofs.md").read_text("utf-8").partition("**Theorem 4.**")[2]
_SQUARES = _PAGE.partition("in a corner, the squares\n\n")[2].partition("\n\n")[0]
IN_THE_CORNER = [(int(x), int(y)) for x, y in re.findall(r"\((\d+),(\d+)\)", _SQUARES)]


def is_whole_game(n: int, squares: list[tuple[int, int]]) -> bool:
    """Whether these are the squares of a game on an n by n grid, to its end."""

    def at_distance(x: int, y: int, k: int) -> set[tuple[int, int]]:
        around = {(x - k, y), (x + k, y), (x, y - k), (x, y + k)}
        return {(a, b) for a, b in around if 0 <= a < n and 0 <= b < n} - filled

    filled = {squares[0]}
    k = 1
    for last, square in itertools.pairwise(squares):
        if not at_distance(*last, k):
            k = 1
        if square not in at_distance(*last, k):
            return False
        filled.add(square)
        k += 1
    return not at_distance(*squares[-1], k) and not at_distance(*squares[-1], 1)


def test_what_is_whole_is_told_from_what_breaks_off_and_what_breaks_a_rule() -> None:
    whole = [(0, 1), (1, 1), (1, 2), (1, 0), (2, 0), (0, 0)]
    assert is_whole_game(3, whole)
    assert not is_whole_game(3, whole[:-1])
    assert not is_whole_game(3, [*whole[:3], (2, 2), *whole[3:]])
    assert not is_whole_game(4, whole)


@pytest.mark.parametrize("n", LOWEST | LOWEST_OF_LARGER)
def test_the_lowest_score_is_found_from_the_end_with_a_game_that_has_it(n: int) -> None:
    length, size, squares = shortest.lowest(n, n)
    assert (length, size) == ((LOWEST | LOWEST_OF_LARGER)[n], n)
    assert len(squares) == length
    assert is_whole_game(n, squares)


@pytest.mark.parametrize("n", range(3, 6))
def test_games_of_one_length_are_found_where_playing_all_games_meets_some(n: int) -> None:
    lengths = {score for score in range(2, n * n + 1) if shortest.game_of(score, n, n)[0]}
    assert lengths == set(solve.num_games(n))


@pytest.mark.parametrize("n", range(3, 12))
def test_the_rules_agree_with_a_game_found_from_the_end(n: int) -> None:
    game = quet.new("up-and-up", n=n)
    for column, row in shortest.lowest(n, n)[2]:
        assert not game.is_over
        game.play(f"{'abcdefghijk'[column]}{row + 1}")
    assert game.is_over


def test_sizes_are_looked_at_together_as_one_by_one() -> None:
    for smallest, largest in ((3, 5), (7, 9), (10, 13), (12, 12)):
        length, size, squares = shortest.lowest(smallest, largest)
        assert length == min(LOWEST[n] for n in range(smallest, largest + 1))
        assert LOWEST[size] == length
        assert is_whole_game(size, squares)


def test_a_game_of_nineteen_gets_stuck_in_the_corner_of_every_larger_grid() -> None:
    assert len(IN_THE_CORNER) == 19
    assert all(is_whole_game(n, IN_THE_CORNER) for n in range(36, 151))


def test_no_larger_grid_has_a_game_of_fourteen_or_fewer() -> None:
    """Nor are there any of eighteen moves or fewer: bench/short_games.py shows that in two minutes."""
    assert not any(shortest.game_of(length, 36)[0] for length in range(2, 15))


def test_a_search_ends_when_its_time_is_over_and_has_no_answer_then() -> None:
    """This one would take a minute or two."""
    size, squares, num_positions = shortest.game_of(18, 36, seconds=0.2)
    assert (size, squares) == (-1, [])
    assert 0 < num_positions < 10**8


def test_games_are_told_apart_by_their_last_step() -> None:
    steps = set()
    for step in range(1, 8):
        size, squares, _ = shortest.game_of(12, 8, 8, step)
        if size:
            assert is_whole_game(8, squares)
            (x, y), (a, b) = squares[-2:]
            assert abs(x - a) + abs(y - b) == step
            steps.add(step)
    assert 1 < len(steps) < 7
