"""The table of best results as the site shows it: read from the files that `quet results` reads, and kept by digest."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from markupsafe import Markup

from .. import catalog
from ..core.messages import say
from ..draw.chart import HEIGHT, WIDTH
from ..draw.scene import Circle, Line, Shape, Text
from ..draw.svg import svg
from ..game import Game, new_to_solve
from ..results.best import Kept, best_of, kept
from ..results.folder import Folder, find
from ..results.growth import growth
from ..results.row import Row
from ..results.series import Series, series
from .errors import SiteError
from .i18n import said_scene, speaking
from .pictures import plot_html

LEGEND = HEIGHT - 1.5  # where the legend of a plot is below
USUAL = "usual"  # the series with the usual parameters


class NoSuchResult(SiteError):
    """The table has no such row, series or game."""

    status = 404

    def __init__(self, game: str) -> None:
        super().__init__(say("The table has no such result."))
        self.leads_to = f"/results/{game}"  # where theorems say what is known of other sizes


@dataclass(frozen=True, eq=False)  # one is kept for each content of the file
class Known:
    """What the table has of a game."""

    game: str
    digest: str  # of the file of its rows; empty where there is none
    rows: tuple[Row, ...]

    @property
    def groups(self) -> dict[str, list[Row]]:
        """The rows by series, each by its name in addresses; first the one with the usual parameters."""
        found: dict[str, list[Row]] = {}
        for row in self.rows:
            found.setdefault(series_name(row), []).append(row)
        return dict(sorted(found.items(), key=lambda one: one[0] != USUAL))

    def row(self, name: str) -> Row:
        """The row with this name in addresses; raises NoSuchResult."""
        found = next((row for row in self.rows if row_name(row) == name), None)
        if found is None:
            raise NoSuchResult(self.game)
        return found

    def best(self, parameters: Mapping[str, int | str]) -> Row | None:
        """The row about the best score of a solitaire with these parameters."""
        return best_of(self.rows, catalog.get(self.game).rules, parameters)

    def series(self, name: str) -> Series:
        """The series of this name; raises NoSuchResult."""
        rows = self.groups.get(name)
        if not rows or not rows[0].is_one_number:
            raise NoSuchResult(self.game)
        return series(rows)[0]

    @property
    def scores(self) -> list[str]:
        """The scores of which there is a plot, the first one first."""
        return [score for score in ("highest", "value", "lowest") if plotted_rows(self, score)]

    @property
    def num_proven(self) -> int:
        return sum(row.is_proven for row in self.rows)


def row_name(row: Row) -> str:
    """A row in addresses, after its game: `12-lowest`. It is that of its certificate."""
    return row.certificate.removesuffix(".gz").removesuffix(".json").removeprefix(f"{row.game}-")


def series_name(row: Row) -> str:
    """The series of a row in addresses: its name without the size."""
    return row_name(row).removeprefix(str(row.size)).removeprefix("-") or USUAL


def folder() -> Folder:
    """The table that `quet results` shows too."""
    return find(None)


def known(game: str) -> Known:
    """What the table has of a game; read anew when its file changes. Raises UnknownGame, and BadResult."""
    id = catalog.get(game).id
    return _known(id, kept(folder(), id))


@lru_cache(maxsize=64)
def _known(game: str, kept: Kept) -> Known:
    return Known(game, kept.digest, kept.rows)


def plotted_rows(known: Known, score: str) -> list[Row]:
    """The rows of one score that a plot shows."""
    return [row for row in known.rows if row.score == score and row.is_one_number]


@lru_cache(maxsize=64)
def plotted(known: Known, score: str, language: str) -> Markup:
    """How the values of a game grow, as a picture in a page."""
    with speaking(language):
        return plot_html(said_scene(growth(plotted_rows(known, score))))


@lru_cache(maxsize=64)
def plot_file(known: Known, score: str, language: str, *, is_little: bool) -> str:
    """The same as a file. A little one has no words and no numbers, which nobody could read."""
    with speaking(language):
        scene = said_scene(growth(plotted_rows(known, score)))
    if is_little:
        shapes = tuple(shape for shape in scene.shapes if not isinstance(shape, Text) and _bottom(shape) < LEGEND)
        scene = replace(scene, width=WIDTH, height=LEGEND, shapes=shapes)
    return svg(scene)


def _bottom(shape: Shape) -> float:
    return shape.y if isinstance(shape, Circle) else shape.points[0][1] if isinstance(shape, Line) else 0.0


def witness(row: Row) -> Game:
    """The game that reaches the value of a row, or its start where the row has none."""
    return after(row.game, tuple(row.parameters.items()), row.witness)


@lru_cache(maxsize=64)
def after(game: str, parameters: tuple[tuple[str, int | str], ...], moves: str) -> Game:
    """A game of these parameters after these moves, a space between them."""
    found = new_to_solve(game, **dict(parameters))
    for move in moves.split():
        found.play(move)
    return found
