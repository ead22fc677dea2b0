"""Draws the pictures of docs/answers.md from the table of results.

    python docs/pictures/answers.py

Best games as they end, and how the values of a game grow with its size.
"""

from pathlib import Path
from typing import Any

import quet
from quet.draw.svg import svg
from quet.results.folder import find
from quet.results.growth import growth
from quet.results.row import Row

HERE = Path(__file__).parent
ENDS: dict[str, tuple[str, str, dict[str, Any]]] = {  # a picture, and which row it shows
    "up-and-up-full": ("up-and-up", "highest", {"n": 8}),
    "up-and-up-short": ("up-and-up", "lowest", {"n": 9}),
    "sums-26": ("sums-grid", "highest", {"n": 3}),
    "sums-4": ("sums-grid", "highest", {"n": 4}),
    "ascension-4": ("sequence-ascension", "highest", {"n": 4, "sequence": "divisors"}),
    "ascension-5": ("sequence-ascension", "highest", {"n": 5, "sequence": "divisors"}),
}
GROWTHS = {"grow-up-and-up": ("up-and-up", "lowest"), "grow-palindromes": ("palindromes", "value")}


def rows(game: str, score: str) -> list[Row]:
    return [row for row in find(str(HERE.parents[1] / "results")).rows(game) if row.score == score]


def end(row: Row) -> str:
    """The picture of the last position of the row's game."""
    game = quet.new(row.game, **row.parameters)
    for move in row.witness.split():
        game.play(move)
    return game.svg()


def pictures() -> dict[str, str]:
    """The pictures by the names of their files."""
    found = {}
    for name, (game, score, parameters) in ENDS.items():
        (row,) = [row for row in rows(game, score) if row.parameters == parameters]
        found[f"{name}.svg"] = end(row)
    for name, (game, score) in GROWTHS.items():
        found[f"{name}.svg"] = svg(growth(rows(game, score)))
    return found


if __name__ == "__main__":
    for name, picture in pictures().items():
        (HERE / name).write_text(picture)
