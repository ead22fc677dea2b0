"""Draws the pictures of docs/openspiel.md: what a program that learns sees of a position, a board for each plane.

    python docs/pictures/planes.py

The planes are those that each game's `observe.py` writes.
"""

from pathlib import Path
from typing import Any

import numpy as np

import quet
from quet.draw.scene import Rectangle, Scene, Shape, Text, text_width
from quet.draw.svg import svg
from quet.rl.forms import Form

HERE = Path(__file__).parent
SIZES: dict[str, tuple[dict[str, Any], int]] = {  # of each game that is shown a size, and after how many random moves
    "blob": ({"n": 5}, 5),
    "convoluted-coprimality": ({"n": 4}, 3),
    "divisors-multiples": ({"r": 12}, 5),
    "palindromes": ({"m": 12}, 5),
    "plusses-minuses": ({"n": 4}, 10),
    "sequence-ascension": ({"n": 4}, 5),
    "sums-grid": ({"n": 3}, 5),
    "up-and-up": ({"n": 4}, 5),
}
WIDTH = 17.0
CELL, GAP, TOP, TITLE = 0.62, 0.7, 1.5, 0.6


def position(id: str) -> quet.Game:
    """The position that is shown."""
    parameters, num_moves = SIZES[id]
    game, chance = quet.new(id, **parameters), np.random.default_rng(1)
    for _ in range(num_moves):
        game.play(str(chance.choice(list(game.legal_moves))))
    return game


def picture(id: str) -> str:
    """A board for each plane, as many beside each other as fit; a number stands where one is neither 0 nor 1."""
    game = position(id)
    form = Form(id, game.parameters)
    seen = np.zeros(form.bounds.shape, np.float32)
    form.observe(game.state, seen)
    boards = seen if seen.ndim == 3 else seen[:, None, :]
    rows, columns = boards.shape[1:]
    name = f"{game.entry.title}, {', '.join(f'{key} = {value}' for key, value in game.parameters.items())}"
    words = f"{name}: {' '.join(game.moves)}"
    shapes: list[Shape] = [Text(GAP, 0.7, words, "ink", 0.44, "start")]
    notes = []
    x, y, width = GAP, TOP, WIDTH
    for plane, board in zip(form.planes, boards, strict=True):
        wide = max(columns * CELL, text_width(plane, 0.34))
        if x > GAP and x + wide > WIDTH:
            x, y = GAP, y + rows * CELL + TITLE + GAP
        width = max(width, x + wide + GAP)
        shapes.append(Text(x, y, plane, "muted", 0.34, "start"))
        for (row, column), value in np.ndenumerate(board):
            left, top = x + column * CELL, y + TITLE / 2 + (rows - 1 - row) * CELL
            role = "square" if value == 0 else "filled" if value == 1 else "tint_one"
            shapes.append(Rectangle(left, top, CELL, CELL, "grid"))
            shapes.append(Rectangle(left + 0.02, top + 0.02, CELL - 0.04, CELL - 0.04, role))
            if value not in (0, 1):
                shapes.append(Text(left + CELL / 2, top + CELL / 2, f"{value:.2f}".lstrip("0"), "ink", 0.26))
        notes.append(f"{plane}: {form.planes[plane]}")
        x += wide + GAP
    return svg(Scene(words, width, y + rows * CELL + TITLE + 0.3, tuple(shapes), (), notes=tuple(notes)))


def pictures() -> dict[str, str]:
    """The pictures by the names of their files."""
    return {f"planes-{id}.svg": picture(id) for id in SIZES}


if __name__ == "__main__":
    for name, drawn in pictures().items():
        (HERE / name).write_text(drawn)
