"""The plot of an analysis: its lines, marks and axes, and that both printers take it."""

from dataclasses import replace
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

import quet
from quet.draw.raster import png
from quet.draw.scene import Circle, Line, Polygon, Rectangle, Scene, Text
from quet.draw.svg import svg
from quet.knowledge.worth import Value
from quet.study.analysis import analyse
from quet.study.assessments import Analysis, Assessment
from quet.study.plot import plot, points


def assessed(game: quet.Game, *values: tuple[Value, Value], turning: int = 0) -> Analysis:
    """An analysis with these values of the moves played and the best ones."""
    movers = [1 + ply % game.num_players for ply in range(game.ply)]
    moves = [
        Assessment(ply, mover, move, value, move, best, (move,), "It turned." if ply == turning else "")
        for ply, (mover, move, (value, best)) in enumerate(zip(movers, game.moves, values, strict=True), 1)
    ]
    return Analysis(game, {}, moves)


def game_of(id: str, moves: str, **parameters: Any) -> quet.Game:
    game = quet.new(id, **parameters)
    for move in moves.split():
        game.play(move)
    return game


def texts(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.shapes if isinstance(shape, Text)]


def of(scene: Scene, kind: type, role: str) -> list[Any]:
    return [shape for shape in scene.shapes if isinstance(shape, kind) and shape.role == role]


def share(amount: float, error: float = 0.1) -> Value:
    return Value(amount, error)


ESTIMATED = assessed(
    game_of("blob", "b2 b3 b4", n=8),
    (share(0.5), share(0.6)),
    (share(0.7), share(0.7)),
    (share(0.1), share(0.4)),
    turning=3,
)


def test_the_share_of_player_1_goes_from_the_first_best_value_over_every_move() -> None:
    scene = plot(ESTIMATED)
    (line,) = [line for line in of(scene, Line, "one") if len(line.points) == 4]
    heights = [y for _, y in line.points]
    # 60 % at first, 50 % after the first move, 30 % (70 % of player 2) after the second, 10 % after the third.
    steps = [round((y - heights[0]) / (heights[1] - heights[0]), 3) for y in heights]
    assert steps == [0, 1, 3, 5]
    assert [x for x, _ in line.points] == sorted({x for x, _ in line.points})
    assert {"Multiples/Divisors Blob Game", "moves played", "0", "25", "50", "75", "100", "1", "2", "3"} <= set(
        texts(scene)
    )
    assert "Expected share of the win of player 1, in percent" in texts(scene)


def test_the_title_counts_the_moves() -> None:
    one = plot(assessed(game_of("blob", "b2", n=8), (share(0.5), share(0.6))))
    assert (one.title.split(": ")[1], plot(ESTIMATED).title.split(": ")[1]) == ("1 move analysed", "3 moves analysed")


def test_a_turning_point_has_a_ring_and_its_move_beside_it() -> None:
    scene = plot(ESTIMATED)
    point = of(scene, Circle, "one")[3]
    ring, in_legend = of(scene, Line, "bad")
    assert (sum(x for x, _ in ring.points[1:]) / 32, sum(y for _, y in ring.points[1:]) / 32) == pytest.approx(
        (point.x, point.y)
    )
    assert in_legend.points[0][1] > ring.points[0][1]
    (label,) = of(scene, Text, "bad")
    assert label.text == "3. b4"
    assert abs(label.x - point.x) < 2 and abs(label.y - point.y) < 2


def test_estimates_have_a_band_and_empty_dots_and_exact_values_have_not() -> None:
    assert len(of(plot(ESTIMATED), Polygon, "tint_one")) == 1
    assert len(of(plot(ESTIMATED), Circle, "square")) == 4
    exact = Value(0.5, is_exact=True)
    sure = plot(assessed(game_of("blob", "b2", n=8), (exact, exact)))
    assert of(sure, Polygon, "tint_one") == of(sure, Circle, "square") == []
    assert "exact" in texts(sure) and "estimate" not in texts(sure) and "turning point" not in texts(sure)


def test_a_band_stays_between_0_and_100_percent() -> None:
    scene = plot(assessed(game_of("blob", "b2", n=8), (share(0.0, 0.5), share(1.0, 0.5))))
    (band,) = of(scene, Polygon, "tint_one")
    grid = [line.points[0][1] for line in of(scene, Line, "edge")]
    assert min(grid) - 1e-9 <= min(y for _, y in band.points) and max(y for _, y in band.points) <= max(grid) + 1e-9


def test_where_all_is_solved_the_lead_is_shown_in_points() -> None:
    won, lost = Value(1, is_exact=True, margin=8), Value(0, is_exact=True, margin=-3)
    scene = plot(assessed(game_of("palindromes", "1=0 2=0", m=4), (lost, won), (won, won)))
    assert "Final lead of player 1, in points" in texts(scene)
    (line,) = [line for line in of(scene, Line, "one") if len(line.points) == 3]
    heights = [y for _, y in line.points]  # 8, -3, -8
    assert (heights[1] - heights[0]) / (heights[2] - heights[0]) == pytest.approx(11 / 16)
    assert "-5" in texts(scene) or "-8" in texts(scene) or "-10" in texts(scene)


def test_each_of_three_players_has_a_line_with_a_name() -> None:
    game = game_of("divisors-multiples", "2! 4! 1 3!", r=6, players=3)
    values = [(share(0.3), share(0.3))] * 4
    scene = plot(assessed(game, *values))
    assert {"player 1", "player 2", "player 3"} <= set(texts(scene))
    assert len(of(scene, Line, "two")) == 1  # in the legend only: one value makes no line
    assert len(of(scene, Circle, "two")) == 1


def test_scores_of_perfect_play_and_a_certain_win_are_points_of_all_players() -> None:
    game = game_of("divisors-multiples", "2! 4! 1 3!", r=6, players=3)
    lost, sure = Value(0.0, is_exact=True, scores=(9, 4, 9)), Value(1.0, is_exact=True)  # the lowest cost wins
    analysis = assessed(game, (lost, lost), (share(0.3), share(0.3)), (sure, sure), (sure, sure))
    scene = plot(analysis)
    heights = {role: [y for line in of(scene, Line, role)[:1] for _, y in line.points] for role in ("one", "two")}
    bottom, top = max(heights["one"]), min(heights["two"])
    assert heights["one"] == [bottom, bottom, bottom, top]  # at the start, and after moves 1, 3 and 4
    assert heights["two"][:2] == [top, top] and heights["two"][3:] == [bottom, bottom] and len(heights["two"]) == 5
    assert len(points(analysis)) == len(set(points(analysis))) == 2 + 2 + 1 + 2 + 2


@pytest.mark.parametrize("id", ["palindromes", "up-and-up", "sums-grid"])
def test_both_printers_take_it_and_nothing_lies_outside(id: str) -> None:
    moves = {"palindromes": "1=0 2=1", "up-and-up": "a1 a2", "sums-grid": "a1=1 b2=1000000000"}[id]
    scene = plot(analyse(game_of(id, moves), simulations=20))
    root = ElementTree.fromstring(svg(scene))
    assert root.get("role") == "img"
    image = Image.open(BytesIO(png(scene, scale=20)))
    assert image.size == (scene.width * 20, scene.height * 20)
    for shape in scene.shapes:
        if isinstance(shape, (Rectangle, Circle, Text)):
            assert 0 <= shape.x <= scene.width and 0 <= shape.y <= scene.height


def test_hundreds_of_moves_and_turning_points_stay_readable() -> None:
    game = quet.new("blob", n=20)
    while game.ply < 200:
        game.play(game.legal_moves[0])
    low, high = share(0.2), share(0.8)
    analysis = assessed(game, *[(low, high)] * 200)
    analysis = Analysis(game, {}, [replace(one, turning_point="It turned.") for one in analysis.assessments])
    scene = plot(analysis)
    labels = of(scene, Text, "bad")
    assert len(labels) <= 12
    ticks = [text for text in texts(scene) if text.isdigit()]
    assert len(ticks) < 30
