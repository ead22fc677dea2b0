import pytest

import quet
from quet.core.errors import BadPaper, BadParameter
from quet.core.position import Item, Position
from quet.games.divisors_multiples import judge, rules


def test_each_step_has_its_price() -> None:
    items = judge.items(judge.read_paper("2! 4, 2 6! 3!", {"r": "6"}))
    assert [(item.player, item.points, item.words) for item in items] == [
        (1, 2, "1 to 2 and stops"),
        (1, 2, "6 to 3 and stops"),
        (2, 2, "2 to 4"),
        (2, 4, "4 to 2, which is taken"),
        (2, 3, "2 to 6 and stops"),
    ]
    assert items[2].squares == ("2", "4")


def test_a_list_of_steps_is_the_state_of_a_game() -> None:
    game = quet.new("divisors-multiples", r=12, players=3)
    for move in ("12!", "4", "8!", "8", "4!"):
        game.play(move)
    position = judge.read_paper("12! 4 8!\n8,4!", {"r": 12, "players": 3})
    assert position.state == game.state
    assert position.moves == game.position().moves


def test_without_the_moves_only_totals_are_told() -> None:
    position = judge.read_paper("2! 4!", {})
    items = judge.items(Position(position.state, position.parameters))
    assert [(item.player, item.points, item.words) for item in items] == [(1, 2, "paid"), (2, 2, "paid")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("2! 3", "Step 2, '3': 3 is neither a divisor nor a multiple of 2."),
        ("2! 4 2!", "Step 3, '2!': 2 is taken already, so the turn can't stop there."),
        ("2! 18!", "Step 2: 18 is too large; the numbers are 1 to 17."),
        ("2! four", "Step 2: 'four' is not a move; write 12 to step to 12 and go on, 12! to stop there."),
        (", ,", "Nothing is written on the paper."),
    ],
)
def test_a_bad_paper_is_refused_with_the_step(text: str, sentence: str) -> None:
    with pytest.raises(BadPaper) as error:
        judge.read_paper(text, {})
    assert str(error.value) == sentence


def test_no_step_follows_the_last_taken_number() -> None:
    with pytest.raises(BadPaper, match="Step 2, '1': The game is over"):
        judge.read_paper("2! 1", {"r": 2})


def test_without_the_moves_each_of_the_most_players_is_told_who_paid() -> None:
    position = judge.read_paper("2! 4!", {"players": 8})
    bare = Position(position.state, position.parameters)
    assert judge.items(bare) == [Item(player, cost, "paid") for player, cost in ((1, 2), (2, 2))]


def test_a_bad_parameter_is_refused() -> None:
    with pytest.raises(BadParameter, match="r must be from 2 to 1000"):
        judge.read_paper("2!", {"r": 1})
    assert rules.score(judge.read_paper("2!", {"r": 2}).state, 1) == 2
