import random

import pytest

import quet
from quet.core.errors import BadPaper
from quet.core.position import Item, Position
from quet.games.convoluted_coprimality import judge, rules


def paper_of(game: quet.Game) -> str:
    """All grids of a game as they stand on paper, the one just begun only where it is the first."""
    s = rules.State()
    rules.start(s, **game.parameters)
    grids = [{s.last: 1}]
    for move in game.position().moves:
        if len(grids) < s.grid:
            grids.append({(s.n - 1) * s.n: 1})
        grids[-1][move] = s.number + 1
        rules.play(s, move)
    rows = [range(row * s.n, row * s.n + s.n) for row in reversed(range(s.n))]
    return "//".join("/".join(" ".join(str(grid.get(square, ".")) for square in row) for row in rows) for grid in grids)


@pytest.mark.parametrize("seed", range(20))
def test_a_game_written_on_paper_is_read_back(seed: int) -> None:
    generator = random.Random(seed)
    game = quet.new("convoluted-coprimality", n=3 + seed % 3, players=3, grids=3)
    while not game.is_over:
        position = judge.read_paper(paper_of(game), game.parameters)
        assert position.state == game.state
        assert tuple(position.moves) == tuple(game.position().moves)
        game.play(generator.choice(game.legal_moves))
    assert judge.read_paper(paper_of(game), game.parameters).state == game.state


def test_players_left_and_eliminated_are_told_with_the_numbers() -> None:
    position = judge.read_paper("1 8 7/2 9 6/3 4 5", {"players": 3, "grids": 1})
    items = judge.items(position)
    assert [(item.player, item.points, item.words) for item in items] == [
        (1, 1, "still in the game"),
        (2, 0, "eliminated: wrote 9 beside 6, in b2"),
        (3, 1, "still in the game"),
    ]
    assert items[1].squares == ("b2", "c2")


def test_a_grid_that_was_begun_anew_keeps_its_words_and_loses_its_squares() -> None:
    items = judge.items(judge.read_paper("1 8 7/2 9 6/3 4 5", {"players": 3}))
    assert items[1].words == "eliminated: wrote 9 beside 6, in b2 of grid 1"
    assert items[1].squares == ()


def test_without_moves_only_the_elimination_is_told() -> None:
    position = judge.read_paper("1 8 7/2 9 6/3 4 5", {"players": 3})
    bare = Position(position.state, position.parameters)
    assert judge.items(bare) == [
        Item(1, 1, "still in the game"),
        Item(2, 0, "eliminated"),
        Item(3, 1, "still in the game"),
    ]


def test_a_number_beside_two_that_eliminate_it_is_told_with_both() -> None:
    paper = "1 2 3 4/. 13 14 5/11 12 15 6/10 9 8 7"
    items = judge.items(judge.read_paper(paper, {"players": 4, "grids": 1}))
    assert (items[3].words, items[3].squares) == ("eliminated: wrote 15 beside 12 and 6, in c2", ("c2", "b2", "d2"))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (". . ./. . ./. . .", "1 must stand in a3, the upper left square."),
        ("2 1 ./. . ./. . .", "1 must stand in a3, the upper left square."),
        ("1 2 ./. . 3/. . .", "3 can't stand in c2: c2 is not beside b3, where 2 stands."),
        (
            "1 2 3 ./. . 4 ./. . . ./. . . .",
            "4 can't stand in c3: c3 is off the border and beside no filled square but c4.",
        ),
        ("1 2 3/6 5 4/7 8 . // 1 2 3/. . ./. . .", "Grid 1 wasn't blocked yet, so there can't be a grid 2."),
        ("1 2/4 3 // 1 3/. 2 // . ./. .", "Grid 2: 2 can't stand in b1: b1 is not beside a2, where 1 stands."),
        ("1 2/4 3 // 1 3/. 2", "Grid 2: 2 can't stand in b1: b1 is not beside a2, where 1 stands."),
        ("1 2/4 3 // 1 2 3/. . ./. . .", "The grid has 3 rows, but n is 2."),
    ],
)
def test_a_bad_paper_is_refused_with_the_number_and_the_rule(text: str, sentence: str) -> None:
    with pytest.raises(BadPaper) as error:
        judge.read_paper(text, {"players": 8})
    assert str(error.value) == sentence


def test_no_number_follows_the_one_that_blocked_the_grid() -> None:
    with pytest.raises(BadPaper, match=r"^9 can't stand in c1: 8 had blocked the grid\."):
        judge.read_paper("1 8 7/2 5 6/3 4 9", {"players": 2})


def test_no_number_follows_the_one_that_ended_the_game() -> None:
    with pytest.raises(BadPaper, match=r"^7 can't stand in b3: the game was over with 6\."):
        judge.read_paper("1 2 3 4/. 7 6 5/. . . ./. . . .", {"players": 2})


def test_no_grid_follows_the_one_in_which_the_game_ended() -> None:
    with pytest.raises(BadPaper) as error:
        judge.read_paper("1 2 3 4/. . 6 5/. . . ./. . . . // 1 . . ./. . . ./. . . ./. . . .", {"players": 2})
    assert str(error.value) == "The game was over, so there can't be a grid 2."


def test_the_goal_says_when_the_next_grid_has_begun() -> None:
    game = quet.new("convoluted-coprimality", n=2, grids=2)
    assert game.goal.startswith("Write 2 beside a2, ")
    for move in ("b2", "b1", "a1"):
        game.play(move)
    assert game.state.grid == 2
    assert game.goal.startswith("The grid before is blocked, so grid 2 begins. Write 2 beside a2, ")
    game.play("b2")
    assert game.goal.startswith("Write 3 ")
