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


def test_a_position_without_its_moves_is_that_which_moves_lead_to() -> None:
    game = quet.new("divisors-multiples", r=9)
    for move in "3! 9! 3 6!".split():
        game.play(move)
    paid = f"{game.state.cost[1]} {game.state.cost[2]}"
    assert quet.position("divisors-multiples", f"taken 1 3 9 6 now 6 steps 0 paid {paid}", r=9) == game
    game.play("2")
    paid = f"{game.state.cost[1]} {game.state.cost[2]}"
    assert quet.position("divisors-multiples", f"taken 1,3,9,6 now 2 steps 1 paid {paid}", r=9) == game


@pytest.mark.parametrize(
    ("paper", "sentence"),
    [
        ("taken 1 2", "A position is written like this: taken 1 2 4 now 4 steps 0 paid 2 2."),
        (
            "taken 1 now 1 steps 0 now 1 paid 0 0",
            "A position is written like this: taken 1 2 4 now 4 steps 0 paid 2 2.",
        ),
        ("taken 2 now 2 steps 0 paid 2 0", "1 is taken from the start."),
        ("taken 1 2 2 now 2 steps 0 paid 2 0", "2 is named twice among the numbers taken."),
        ("taken 1 99 now 1 steps 0 paid 2 0", "'99' isn't a number of 1 to 9."),
        ("taken 1 2 now steps 0 paid 2 0", "After now there must be one number."),
        ("taken 1 2 now 1 steps 0 paid 2 0", "A turn begins on the number that was taken last, and that can't be 1."),
        ("taken 1 2 now 4 steps 0 paid 2 0", "A turn begins on the number that was taken last, and that can't be 4."),
        ("taken 1 2 now 2 steps 0 paid 1 0", "Player 1 can't have paid 1: it is at least 2 and at most 324."),
        ("taken 1 2 now 2 steps 0 paid 2 1", "Player 2 can't have paid 1: it is at least 0 and at most 0."),
        ("taken 1 2 now 2 steps 0 paid 2", "1 sum is paid, but there are 2 players."),
        (
            "taken 1 2 3 4 5 6 7 8 9 now 3 steps 1 paid 99 99",
            "All numbers are taken, so there is no step after the last turn.",
        ),
        ("taken 1 5 now 5 steps 17 paid 5 90", "A turn with so many steps could not stop after 5."),
    ],
)
def test_a_position_to_which_no_moves_lead_is_refused(paper: str, sentence: str) -> None:
    with pytest.raises(BadPaper) as refused:
        quet.position("divisors-multiples", paper, r=9)
    assert str(refused.value) == sentence


def test_after_a_position_on_paper_only_totals_are_told() -> None:
    game = quet.position("divisors-multiples", "taken 1 2 4 now 4 steps 0 paid 2 2", r=12).after("8!").after("4")
    assert game.scores == [4, 6]
    assert [(item.player, item.points, item.words) for item in game.items] == [(1, 4, "paid"), (2, 6, "paid")]
