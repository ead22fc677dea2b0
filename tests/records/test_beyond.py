"""Second ways to more than the table has, and that a disagreement is told."""

import math
import time
from collections.abc import Sequence
from types import ModuleType

import pytest

import quet
from quet.core.errors import BrokenRules
from quet.records import beyond
from quet.records.second import convoluted_coprimality, divisors_multiples, up_and_up

SMALL: dict[str, dict[int, Sequence[int]]] = {
    "convoluted-coprimality": {3: range(2, 13), 4: [4, 9]},
    "divisors-multiples": {3: range(2, 14), 4: range(2, 13)},
    "up-and-up": {1: range(1, 6)},
}
QUESTIONS = [(id, players, size) for id, sizes in SMALL.items() for players in sizes for size in sizes[players]]


def game_of(id: str, players: int, size: int) -> quet.Game:
    return quet.new(id, **beyond.parameters(id, players, size))


@pytest.mark.parametrize(("id", "players"), [(id, players) for id, sizes in SMALL.items() for players in sizes])
def test_two_ways_agree(id: str, players: int) -> None:
    for size in SMALL[id][players]:
        assert beyond.confirm(game_of(id, players, size), 300).endswith(", in two ways.")


def test_everything_that_is_asked_is_a_game_and_nothing_is_asked_twice() -> None:
    asked = list(beyond.plan())
    assert len(set(asked)) == len(asked)
    assert set(QUESTIONS) <= set(asked)
    for question in asked:
        game_of(*question)


@pytest.mark.parametrize(
    ("way", "name", "question", "wrong"),
    [
        (convoluted_coprimality, "scores", ("convoluted-coprimality", 3, 4), [1, 0, 0]),
        (divisors_multiples, "scores", ("divisors-multiples", 3, 4), [2, 2, 12]),
        (up_and_up, "num_games", ("up-and-up", 1, 3), {6: 1, 9: 1}),
    ],
    ids=["coprimality", "divisors", "up and up"],
)
def test_two_ways_that_disagree_are_told(
    way: ModuleType,
    name: str,
    question: tuple[str, int, int],
    wrong: object,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(way, name, lambda *_: wrong)
    with pytest.raises(BrokenRules, match=r"^Two ways disagree: .+ by quet solve, .+ by the other\.$"):
        beyond.confirm(game_of(*question), 300)
    monkeypatch.setattr(beyond, "plan", lambda: iter([question]))
    monkeypatch.setattr("sys.argv", ["beyond"])
    assert beyond.main() == 1
    assert "FAIL  Two ways disagree" in capsys.readouterr().out


def test_a_way_without_time_says_nothing() -> None:
    now = time.monotonic()
    assert convoluted_coprimality.scores(4, 3, now) is None
    assert divisors_multiples.scores(4, 3, now) is None
    assert up_and_up.num_games(3, now) is None
    assert beyond.confirm(game_of("divisors-multiples", 3, 9), 0) == "One of the two ways takes more than 0 seconds."


def test_of_two_players_the_costs_differ_by_the_value() -> None:
    for r, value in ((4, -3), (8, -7), (11, 6)):
        scores = divisors_multiples.scores(r, 2, math.inf)
        assert scores is not None
        assert scores[0] - scores[1] == value
