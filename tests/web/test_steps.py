"""What a page shows of a game that is stepped through: moves and items near a place, and what stands beside them."""

import pytest

import quet
from quet.core.position import Item
from quet.web import steps
from quet.web.errors import BadForm
from quet.web.steps import Scored, Step, read_ply, scored


def number(one: Scored | None) -> int | None:
    return None if one is None else one.number


def test_items_of_players_that_come_mixed_are_all_there() -> None:
    found = scored([Item(player, 1, "an item") for player in (1, 2, 1)], "2")
    assert {player: [one.number for one in group.items] for player, group in found.items()} == {1: [0, 2], 2: [1]}
    assert number(found[1].chosen) == 2 and found[2].chosen is None


@pytest.mark.parametrize(
    ("chosen", "listed", "before", "after"),
    [("", [6, 7, 8, 9], 5, None), ("5", [3, 4, 5, 6], 2, 7), ("0", [0, 1, 2, 3], None, 4)],
)
def test_items_near_the_chosen_one_are_listed_or_else_the_last(
    chosen: str, listed: list[int], before: int | None, after: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "MOST_LISTED", 4)
    found = scored([Item(1, 1, "an item")] * 10, chosen)[1]
    assert [one.number for one in found.listed] == listed
    assert (number(found.before), number(found.after)) == (before, after)


def test_moves_near_the_one_shown_have_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "MOST_LISTED", 4)
    game = quet.new("palindromes", m=12)
    for square in range(1, 11):
        game.play(f"{square}=1")
    assert Step(game, 6).moves == [(5, 1, "5=1"), (6, 2, "6=1"), (7, 1, "7=1"), (8, 2, "8=1")]
    assert (read_ply(None, game), read_ply("0", game), read_ply("10", game)) == (10, 0, 10)
    for text in ("11", "-1", "x", "9" * 5_000, "0" * 5_000):
        with pytest.raises(BadForm, match="The game has 10 moves"):
            read_ply(text, game)
