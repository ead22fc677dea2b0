"""No answer is given whose game isn't legal or doesn't end with its value, whatever a search was told."""

from collections.abc import Callable
from dataclasses import replace

import pytest

import quet
from quet.core.errors import QuetError
from quet.distribution.task import Answer, Task
from quet.solving import ask, improve, many

Change = Callable[[Answer], Answer]


def other_value(found: Answer) -> Answer:
    if found.scores is not None:
        return replace(found, scores=[score + 1 for score in found.scores])
    assert found.value is not None
    return replace(found, value=found.value + 1)


def illegal_game(found: Answer) -> Answer:
    return replace(found, witness=[*found.witness[:-1], 10**30])


def illegal_first_move(found: Answer) -> Answer:
    return replace(found, best_moves=[10**30])


@pytest.mark.parametrize("change", [other_value, illegal_game, illegal_first_move])
@pytest.mark.parametrize("is_plain", [False, True])
def test_the_scores_of_three_players_are_those_of_a_game(
    is_plain: bool, change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = quet.new("convoluted-coprimality", n=2, players=3)
    right = ask.of_many(game.entry, game.state, Task(), is_plain=is_plain)
    own = game.entry.solve
    assert own is not None and right.scores is not None
    monkeypatch.setattr(many, "solve", lambda *_: change(right))
    monkeypatch.setattr(own, "solve", lambda *_: change(right))
    with pytest.raises(QuetError, match="begin anew"):
        ask.of_many(game.entry, game.state, Task(), is_plain=is_plain)
    with pytest.raises(QuetError, match="begin anew"):
        ask.answer(game.entry, game.state, Task())


@pytest.mark.parametrize("change", [other_value, illegal_game, illegal_first_move])
def test_what_is_known_of_a_search_that_is_stopped_is_a_game(change: Change, monkeypatch: pytest.MonkeyPatch) -> None:
    game = quet.new("sequence-ascension", n=3)
    task = Task(seconds=0.0)
    right = improve.solve(game.rules, game.entry.capabilities.bounds, game.entry.local_search, game.state, task)
    assert right.value is not None and ask.replayed(game.rules, game.state, right) == right
    monkeypatch.setattr(ask, "answer", lambda *_: replace(right, witness=[]))  # a search that has no game yet
    monkeypatch.setattr(improve, "solve", lambda *_: change(right))
    with pytest.raises(QuetError, match="begin anew"):
        ask.known(game.entry, game.state, task)
