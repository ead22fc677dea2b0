"""The sums grid as its puzzles are played: only listed numbers are taken, and a full grid can only be finished."""

import pytest

import quet
from quet.core.errors import IllegalMove
from quet.puzzles import judge, of


def test_a_number_that_never_helps_is_refused_in_a_puzzle() -> None:
    puzzle = of("sums-grid")[0]
    game = puzzle.position()
    largest = game.state.n**3
    square = game.legal_moves[0].split("=")[0]
    for number in (largest + 1, 1000, 10**9):
        with pytest.raises(IllegalMove, match=f"^In this puzzle numbers go up to {largest}[.]$"):
            judge.answer(puzzle, game, f"{square}={number}")


def test_a_full_grid_of_a_puzzle_is_to_be_finished() -> None:
    puzzle = of("sums-grid")[0]
    game = puzzle.position()
    assert game.goal.startswith("Write different numbers")
    while game.legal_moves != ["done"]:
        game.play(game.legal_moves[0])
    assert game.goal == f"The grid is full, and {game.scores[0] + 1} is missing among the sums: finish."
    whole = quet.new("sums-grid", n=game.state.n)
    for move in game.moves:
        whole.play(move)
    assert whole.goal.endswith("change a number, or finish.")
