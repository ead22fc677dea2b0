"""`quet.best_results`: the best results known of a game, from the table, and a picture of them."""

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import overload

from .. import catalog
from ..core.parameters import written
from ..draw.svg import svg
from ..game import Game
from .folder import Folder, find
from .growth import growth
from .row import Row, parameters_text


class BestResults(Sequence[Row]):
    """Rows of the table of results, in order; a notebook shows them as a picture."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = list(rows)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def svg(self) -> str:
        """The best results by size as an SVG document. Raises BadParameter if there is no row with one number."""
        return svg(growth(self._rows))

    def _repr_svg_(self) -> str | None:
        return self.svg() if any(row.is_one_number for row in self._rows) else None

    def __repr__(self) -> str:
        return "\n".join(f"{row.name()}: {row.value}, {row.status}" for row in self._rows) or "[]"


def best_results(id: str, /, **parameters: object) -> BestResults:
    """The best results known of a game, with these parameters; the table is the one that `quet results` shows.

    A row has `size`, `parameters`, `score` (highest, lowest, value or scores), `value`, `bound`, `status`, `witness`
    and more. There are none where the table has none. Raises UnknownGame, BadParameter and BadResult.

    >>> import quet
    >>> [(row.size, row.value) for row in quet.best_results("up-and-up")][:4]
    [(1, 1), (2, 4), (3, 9), (4, 16)]
    """
    game = catalog.get(id).id
    return BestResults(chosen(find(None), game, parameters))


def best_row(game: Game) -> Row | None:
    """The row about the best score of this solitaire, the value of this game for two, or the scores of more players;
    None where there is none.

    Raises BadResult.

    The rows are read anew when their file has changed.
    """
    folder = find(None)
    try:
        changed = folder.file(game.id).stat().st_mtime_ns
    except OSError:
        return None
    parameters = written(game.parameters)
    wanted = "lowest" if game.rules.LOWER_IS_BETTER else "highest"
    if game.num_players > 1:
        wanted = "value" if game.num_players == 2 else "scores"
    rows = _rows(folder.path, game.id, changed)
    return next((row for row in rows if row.score == wanted and row.parameters == parameters), None)


@functools.lru_cache(maxsize=16)
def _rows(folder: Path, game_id: str, changed: int) -> Sequence[Row]:
    """The rows of a game; `changed` is when its file was."""
    return Folder(folder).rows(game_id)


def chosen(folder: Folder, game: str, given: Mapping[str, object]) -> list[Row]:
    """The rows of a game with these parameters. Raises BadParameter and BadResult."""
    wanted = parameters_text(game, given)
    return [row for row in folder.rows(game) if all(row.parameters[name] == wanted[name] for name in wanted)]
