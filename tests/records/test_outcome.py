"""How a game ended, as a sentence: with names, to its reader, and where the lower score wins."""

from types import SimpleNamespace
from typing import Any

import pytest

import quet
from conftest import play_at_random
from quet.core.messages import say
from quet.records.outcome import called_off, outcome
from quet.records.record import Record, Termination, read

NAMES = {1: "Ann", 2: "level:3", 3: "bob"}


def over(id: str, **parameters: Any) -> quet.Game:
    """A game played at random to its end."""
    game = quet.new(id, **parameters)
    for _ in play_at_random(game, 1, 10_000):
        pass
    assert game.is_over
    return game


@pytest.mark.parametrize(
    ("winners", "reader", "sentence"),
    [
        ([2], 0, "The computer (level 3) wins: {how}."),
        ([3], 0, "Bob wins: {how}."),
        ([1], 1, "You win: {how}."),
        ([2], 1, "You lose against the computer (level 3): {how}."),
        ([1, 3], 1, "You and bob share the win: {how}."),
        ([1, 2, 3], 1, "You, the computer (level 3) and bob share the win: {how}."),
        ([2, 3], 1, "You lose against the computer (level 3) and bob, who share the win: {how}."),
        ([1, 3], 0, "Ann and bob share the win: {how}."),
        ([], 1, "Nobody wins: {how}."),
    ],
)
def test_a_result_names_people_and_speaks_to_its_reader(winners: list[int], reader: int, sentence: str) -> None:
    game = quet.new("convoluted-coprimality", players=3)
    for reason, how in (
        ("", "1-1-1"),
        ("so it was agreed", "so it was agreed"),
        ("player 1 resigned", "you resigned" if reader else "Ann resigned"),
        ("player 2 ran out of time", "the time of the computer (level 3) has run out"),
        (say("a draw by agreement"), "a draw by agreement"),
    ):
        assert outcome(game, winners, reason=reason, names=NAMES, reader=reader) == sentence.format(how=how)


def test_who_has_no_name_has_a_number_and_so_have_two_of_one_name() -> None:
    game = quet.new("blob")
    assert outcome(game, [2], names={1: "?", 2: "person"}) == "Player 2 wins: 8-8."
    assert outcome(game, [1, 2], names={2: "Ann"}) == "Player 1 and Ann share the win: 8-8."
    both = {1: "level:2", 2: "level:2"}
    assert outcome(game, [2], names=both) == "The computer (level 2) (player 2) wins: 8-8."


def test_whoever_called_the_game_off_is_named() -> None:
    game = quet.new("palindromes", m=4)
    names = {1: "Ann", 2: "Bob"}
    assert outcome(game, [], reason=called_off(1), names=names) == "Nobody wins: Ann called the game off."
    assert outcome(game, [], reason=called_off(1), names=names, reader=1) == "Nobody wins: you called the game off."
    assert outcome(game, [], reason=called_off(None), names=names) == "Nobody wins: the game was called off."


def test_every_game_says_so_where_the_lower_score_wins(game_id: str) -> None:
    game = quet.new(game_id)
    said = outcome(game, game.players[:1])
    assert ("lower" in said) == game.rules.LOWER_IS_BETTER
    assert any(str(score) in said for score in game.scores)
    if "players" in game.parameters:
        said = outcome(quet.new(game_id, players=3), [1])
        assert ("the lowest score wins" in said) == game.rules.LOWER_IS_BETTER


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("", "The final score is 1."),
        ("player 1 resigned", "Given up at a score of 1."),
        ("the time of player 1 has run out", "The time ran out at a score of 1."),
        ("the game was called off", "Ended at a score of 1: the game was called off."),
    ],
)
def test_a_solitaire_says_its_score(reason: str, sentence: str) -> None:
    assert outcome(over("up-and-up", n=1), [], reason=reason) == sentence


def test_a_solitaire_in_which_the_lower_score_is_better_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    game = over("up-and-up", n=1)
    lower = SimpleNamespace(**vars(game.rules) | {"LOWER_IS_BETTER": True})
    monkeypatch.setattr(game, "rules", lower)
    assert outcome(game, [1]) == "The final score is 1; the lower, the better."


def test_a_record_that_is_read_back_says_the_same() -> None:
    game = quet.new("palindromes", m=4)
    game.play("1=0")
    tags = {"Player1": "Ann", "Player2": "level:1"}
    record = Record.of(game, tags=tags, termination=Termination("player 1 resigned", (2,)))
    assert record.summary == "The computer (level 1) wins: Ann resigned."
    assert read(record.text()).summary == record.summary


def test_a_player_with_very_many_digits_is_none() -> None:
    tags = f'[Termination "player {"1" * 5000} resigned"]\n[Result "won:none"]'
    text = Record.of(quet.new("blob", n=2)).text().replace('[Result "*"]', tags)
    assert "resigned" in read(text.replace("\n*", "\n=won:none")).summary
