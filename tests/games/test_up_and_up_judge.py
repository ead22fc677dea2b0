import pytest

import quet
from quet import catalog
from quet.core.errors import BadPaper
from quet.core.position import Item
from quet.games.up_and_up import judge, rules

SAMPLE = catalog.get("up-and-up").facts["samples"][0]["paper"]


def test_the_authors_grid_is_replayed_to_its_end() -> None:
    position = judge.read_paper(SAMPLE, {})
    assert rules.score(position.state, 1) == 24 and rules.is_over(position.state)
    game = quet.new("up-and-up", n=6)
    for move in position.moves:
        game.play(rules.move_text(game.state, move))
    assert game.state == position.state


def test_the_count_and_each_reset_of_the_step_are_items() -> None:
    items = judge.items(judge.read_paper(SAMPLE, {}))
    assert [(item.points, item.words) for item in items] == [
        (24, "24 numbers written"),
        (0, "7 in f5: the step goes back to 1, as no empty square lay 6 from f6"),
        (0, "11 in e4: the step goes back to 1, as no empty square lay 5 from e5"),
        (0, "15 in b5: the step goes back to 1, as no empty square lay 5 from c5"),
        (0, "20 in f2: the step goes back to 1, as no empty square lay 6 from f3"),
    ]
    assert items[0].squares[:3] == ("d3", "d4", "b4") and len(items[0].squares) == 24
    assert items[1].squares == ("f6", "f5")


def test_a_single_number_is_counted_as_one() -> None:
    assert judge.items(judge.read_paper("1 ./. .", {})) == [Item(1, 1, "1 number written", ("a2",))]


@pytest.mark.parametrize("text", [". .\n. .", "./", "_"])
def test_an_empty_grid_is_a_game_at_its_start(text: str) -> None:
    position = judge.read_paper(text, {})
    assert rules.score(position.state, 1) == 0 and position.moves == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 3/2 4", "3 can't stand in b2: b2 is in neither the row nor the column of a1, where 2 stands."),
        ("1 2 3/. . ./. . .", "3 can't stand in c3: c3 is 1 square from b3, but the step is 2."),
        ("1 3/. .", "2 is missing, but 3 is written."),
        ("1 2 5/7 8 6/9 3 4", "9 can't stand in a1: the game was over before."),
        ("1 2/2 .", "2 stands both in a1 and in b2."),
        ("1 5/. .", "In b2 stands '5', but the numbers are 1 to 4."),
    ],
)
def test_a_bad_paper_is_refused_with_the_number_and_the_rule(text: str, sentence: str) -> None:
    with pytest.raises(BadPaper) as error:
        judge.read_paper(text, {})
    assert str(error.value) == sentence
