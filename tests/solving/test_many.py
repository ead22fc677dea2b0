"""The scores of three and more players by the rules alone: they agree with the games' own solvers."""

import pytest

import quet
from quet.certificates import claims
from quet.core.errors import BadParameter
from quet.distribution.task import Answer, Task
from quet.games.divisors_multiples import claims as divisors_multiples
from quet.solving import many


def found(game: quet.Game, task: Task | None = None) -> Answer:
    return many.solve(claims.of(game.id), game.state, task or Task())


@pytest.mark.parametrize(
    ("id", "parameters"),
    [
        ("convoluted-coprimality", {"n": 2, "players": 3}),
        ("convoluted-coprimality", {"n": 3, "players": 3, "grids": 2}),
        ("convoluted-coprimality", {"n": 4, "players": 4}),
        ("divisors-multiples", {"r": 2, "players": 3}),
        ("divisors-multiples", {"r": 3, "players": 4}),
    ],
    ids=str,
)
def test_it_agrees_with_the_solver_of_the_game(id: str, parameters: dict[str, int]) -> None:
    game = quet.new(id, **parameters)
    own = game.entry.solve
    assert own is not None
    wanted = own.solve(game.state, Task())
    assert wanted is not None
    mine = found(game)
    assert (mine.scores, mine.best_moves) == (wanted.scores, wanted.best_moves)
    assert (mine.is_proven, mine.has_all_best) == (True, True)
    for move in mine.witness:
        game.play(game.rules.move_text(game.state, move))
    assert (game.is_over, game.scores) == (True, mine.scores)


def test_too_many_positions_or_too_little_time_leave_it_open(monkeypatch: pytest.MonkeyPatch) -> None:
    game = quet.new("divisors-multiples", r=3, players=3)
    assert not found(game, Task(seconds=0.0)).is_proven
    monkeypatch.setattr(many, "MOST_POSITIONS", 100)
    assert not found(game).is_proven


def test_a_game_that_does_not_say_what_is_wanted_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(divisors_multiples, "wish")
    with pytest.raises(BadParameter, match="divisors-multiples doesn't say what each of three and more players wants"):
        found(quet.new("divisors-multiples", r=3, players=3))
