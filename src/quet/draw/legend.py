"""The legend of a picture: the lines below its board that say who has which colour, and what they score."""

from dataclasses import replace

from .scene import Circle, Line, Polygon, Scene, Shape, Text


def without_legend(scene: Scene) -> Scene:
    """The scene without the lines below its board that begin with a coloured dot: `● Player 1: 5 good rows`.

    A page says who plays and what they score beside the board, in letters large enough to read.
    """
    foot = max((square.y + square.height for square in scene.squares), default=scene.height)
    dots = [shape for shape in scene.shapes if isinstance(shape, Circle) and shape.y > foot]
    tops = [
        shape.y - shape.size
        for shape in scene.shapes
        if isinstance(shape, Text) and shape.anchor == "start"
        if any(abs(dot.y - shape.y) < dot.radius and 0 < shape.x - dot.x < 1 for dot in dots)
    ]
    if not tops:
        return scene
    shapes = tuple(shape for shape in scene.shapes if _top(shape) < min(tops))
    return replace(scene, height=min(tops), shapes=shapes)


def _top(shape: Shape) -> float:
    match shape:
        case Line(points) | Polygon(points):
            return min(y for _, y in points)
        case Circle():
            return shape.y - shape.radius
        case _:
            return shape.y
