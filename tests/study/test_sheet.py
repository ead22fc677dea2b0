"""Sheets for play on paper: whole, on the paper, with a board and places for everybody."""

from typing import Any

import pytest

import quet
from quet.draw.scene import Circle, Line, Polygon, Rectangle, Scene, Shape, Text, text_width
from quet.study.sheet import HEIGHT, WIDTH, sheet

EXTREMES: dict[str, list[dict[str, Any]]] = {
    "blob": [{"n": 2}, {"n": 20}],
    "convoluted-coprimality": [{"n": 2, "players": 8}, {"n": 20, "players": 8}],
    "divisors-multiples": [{"r": 2}, {"r": 1000, "players": 8}],
    "palindromes": [{"m": 1}, {"m": 64}],
    "plusses-minuses": [{"n": 2}, {"n": 20}],
    "sequence-ascension": [
        {"n": 2},
        {"n": 20, "sequence": "primes"},
        {"n": 4, "sequence": "random:1:-99999999:99999999"},
    ],
    "sums-grid": [{"n": 1}, {"n": 10}],
    "up-and-up": [{"n": 1}, {"n": 20}],
}


def corners(shape: Shape) -> list[tuple[float, float]]:
    match shape:
        case Rectangle():
            return [(shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)]
        case Circle():
            return [(shape.x + k * shape.radius, shape.y + k * shape.radius) for k in (-1, 1)]
        case Line() | Polygon():
            return list(shape.points)
        case Text():
            wide = text_width(shape.text, shape.size)
            left = shape.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor] * wide
            return [(left, shape.y - shape.size / 2), (left + wide, shape.y + shape.size / 2)]


def texts(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.shapes if isinstance(shape, Text)]


def all_sheets() -> list[quet.Game]:
    return [quet.new(id, **size) for id in quet.game_ids() for size in [{}, *EXTREMES.get(id, [])]]


@pytest.mark.parametrize("game", all_sheets(), ids=repr)
def test_everything_on_a_sheet_is_on_the_paper(game: quet.Game) -> None:
    for shape in sheet(game).shapes:
        for x, y in corners(shape):
            assert 0 <= x <= WIDTH and 0 <= y <= HEIGHT, shape


@pytest.mark.parametrize("game", all_sheets(), ids=repr)
def test_every_player_has_a_place_on_every_board(game: quet.Game) -> None:
    words = texts(sheet(game))
    num_boards = words.count("Player 1" if game.num_players > 1 else "Name")
    assert num_boards >= 1
    assert words.count("Score") == num_boards * game.num_players
    if game.num_players > 1:
        assert all(words.count(f"Player {player}") == num_boards for player in game.players)


def test_a_small_grid_stands_on_the_sheet_several_times_and_a_large_one_once() -> None:
    assert texts(sheet(quet.new("sums-grid", n=3))).count("Name") == 4
    assert texts(sheet(quet.new("up-and-up", n=20))).count("Name") == 1


def test_the_rules_stand_on_the_sheet_word_for_word(game_id: str) -> None:
    game = quet.new(game_id)
    said = " ".join(texts(sheet(game)))
    assert all(rule in said for rule in game.entry.facts["rules"])


def test_a_sheet_is_blank_whatever_was_played() -> None:
    game = quet.new("up-and-up", n=4)
    blank = sheet(game)
    game.play("a1")
    assert sheet(game) == blank


def test_the_words_of_a_sheet_can_be_translated() -> None:
    said: list[str] = []

    def translate(words: str) -> str:
        said.append(words)
        return words.upper()

    words = texts(sheet(quet.new("plusses-minuses"), translate))
    assert {"PLUSSES AND MINUSES GRID GAME", "PLAYER 1", "SCORE", "PREDICTED", "TRUTH"} <= set(words)
    assert "Two players and an n by n grid; n should be at least 8." in said


def test_a_game_without_a_sheet_of_its_own_has_its_first_picture() -> None:
    game = quet.new("up-and-up", n=5)
    assert game.entry.sheet is None
    assert {"a", "e", "1", "5"} <= set(texts(sheet(game)))
