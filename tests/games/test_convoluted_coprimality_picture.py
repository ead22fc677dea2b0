from itertools import chain, islice
from typing import Any

import pytest

import quet
from conftest import play_at_random
from counting import num_calls
from quet.core.position import Position
from quet.draw.scene import Circle, Line, Rectangle, Scene, Square
from quet.games.convoluted_coprimality import rules
from quet.games.convoluted_coprimality.picture import scene
from quet.puzzles import of

TOP = "b4 c4 d4 d3"  # on a 4x4 grid: 2 by player 1, 3 by player 2, 4 and 5 by player 1


def square(picture: Scene, name: str) -> Square:
    return next(square for square in picture.squares if square.name == name)


def played(moves: str, n: int = 4, **parameters: Any) -> quet.Game:
    game = quet.new("convoluted-coprimality", n=n, **parameters)
    for move in moves.split():
        game.play(move)
    return game


def crosses(picture: Scene) -> int:
    return sum(isinstance(shape, Line) and shape.role == "bad" for shape in picture.shapes) // 2


@pytest.mark.parametrize(("n", "players"), [(2, 2), (2, 8), (3, 3), (5, 8), (12, 2), (20, 5)])
def test_every_picture_offers_exactly_the_legal_moves_and_tells_safe_from_bad(n: int, players: int) -> None:
    game = quet.new("convoluted-coprimality", n=n, players=players)
    for now in chain([game], islice(play_at_random(game.copy(), n), 80)):
        picture = now.scene()
        legal = now.legal_numbers()
        assert {move for s in picture.squares for move in s.moves} == set(now.legal_moves)
        bad = {now.rules.move_text(now.state, move) for move in legal if rules.eliminates(now.state, move)}
        assert {s.name for s in picture.squares if s.glyph == "x"} == bad
        assert {s.name for s in picture.squares if "eliminates" in s.words} == bad
        assert {s.name for s in picture.squares if s.words == "empty, safe"} == set(now.legal_moves) - bad
        out = sum(not now.state.is_left[player] for player in now.players)
        assert crosses(picture) == len(bad) + out
        dots = [shape for shape in picture.shapes if isinstance(shape, Circle) and shape.role == "legal"]
        assert len(dots) == len(legal) - len(bad)
        assert crosses(now.scene(legal=False)) == out
        assert (picture.width, picture.height) == (game.scene().width, game.scene().height)


def test_numbers_tell_who_wrote_them() -> None:
    picture = played(TOP).scene()
    assert [square(picture, name).words for name in ("a4", "b4", "c4", "d4", "d3")] == [
        "holds 1",
        "holds 2, by player 1",
        "holds 3, by player 2",
        "holds 4, by player 1",
        "holds 5, by player 1",
    ]
    assert square(picture, "d3").is_last


@pytest.mark.parametrize("n", [2, 3, 4, 12])
def test_the_chips_of_eight_players_can_be_read_and_stand_in_the_picture(n: int) -> None:
    picture = played("", n=n, players=8).scene()
    chips = [shape for shape in picture.shapes if isinstance(shape, Circle) and shape.y > n + 1]
    assert len(chips) == 16 and all(chip.radius >= 0.2 for chip in chips)
    assert max(chip.x + chip.radius for chip in chips) <= picture.width


def test_numbers_of_a_puzzle_tell_who_wrote_them() -> None:
    for puzzle in of("convoluted-coprimality")[::31]:
        game = puzzle.position()
        whole = quet.new("convoluted-coprimality", **game.parameters)
        for move in game.moves:
            whole.play(move)
        assert [s.words for s in game.scene().squares] == [s.words for s in whole.scene().squares]
        assert any("by player" in s.words for s in game.scene().squares) or game.state.number == 1


def test_a_square_that_eliminates_says_why() -> None:
    assert "6 shares a factor with 3 here" in square(played(TOP).scene(), "c3").words


def test_a_number_that_eliminated_its_player_stays_and_says_so() -> None:
    picture = played(TOP + " c3", players=3).scene()  # 6 beside 3, by player 1 again
    assert square(picture, "c3").words == "holds 6, by player 1, who is eliminated"
    assert picture.notes[2] == "Eliminated: player 1."
    assert "tint_bad" in {shape.role for shape in picture.shapes}


def test_the_notes_name_the_number_the_prime_the_grid_and_the_end() -> None:
    assert played("").scene().notes == (
        "Player 1 writes 2, which ends the turn.",
        "Grid 1 of 10; the last number is 1.",
    )
    assert played(TOP).scene().notes[0] == "Player 2 writes 6, and the turn goes on to the prime 7."
    over = played(TOP + " c3").scene()
    assert over.notes[0] == "The game is over: player 1 is the last one in the game."


def test_players_who_share_the_win_are_named() -> None:
    game = played("a1 b1", n=2, players=3, grids=1)
    while not game.is_over:
        game.play(game.legal_moves[0])
    left = [player for player in game.players if game.state.is_left[player]]
    assert len(left) == 3
    assert "players 1, 2 and 3 share the win" in game.scene().notes[0]


def test_a_new_grid_has_no_last_move_and_no_writers() -> None:
    game = played("", n=2, players=8)
    while game.state.grid == 1:
        game.play(game.legal_moves[0])
    picture = game.scene()
    assert [s.glyph for s in picture.squares].count(".") == 3
    assert not any(s.is_last or "player" in s.words for s in picture.squares)
    assert picture.notes[1].startswith("Grid 2 of 10")
    assert not any(isinstance(shape, Rectangle) and shape.role.startswith("tint") for shape in picture.shapes)


def test_a_position_read_from_paper_is_drawn_without_writers() -> None:
    position = played(TOP).position()
    picture = scene(Position(position.state, position.parameters, (), position.legal))
    assert square(picture, "d3").words == "holds 5"
    assert square(picture, "d3").is_last
    assert {s.name: s.moves for s in picture.squares} == {s.name: s.moves for s in played(TOP).scene().squares}


def test_moves_that_do_not_lead_to_the_position_are_not_trusted() -> None:
    position = played(TOP).position()
    other = Position(position.state, position.parameters, position.moves[:-1], position.legal)
    assert square(scene(other), "c4").words == "holds 3"


@pytest.mark.parametrize("players", [4, 5])
def test_more_players_than_tints_are_told_apart_by_small_digits(players: int) -> None:
    sizes = [getattr(shape, "size", 0) for shape in played("b4 c4", players=players).scene().shapes]
    assert sizes.count(0.2) == (2 if players > 4 else 0)


def test_the_largest_grid_is_drawn_with_few_calls() -> None:
    game = quet.new("convoluted-coprimality", n=20, players=8)
    for _ in play_at_random(game, 1):
        pass
    assert num_calls(game.scene) < 20_000
