"""`quet.best_results`: the best results known of a game, from the table, and a picture of them."""

import functools
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from .. import catalog
from ..core.parameters import written
from ..core.rules import AnyRules
from ..draw.svg import svg
from ..game import Game
from .folder import LARGEST_FILE, Folder, find
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
    """
    rows = kept(find(None), game.id).rows
    return best_of(rows, game.rules, written(game.parameters), game.num_players)


def best_of(
    rows: Iterable[Row], rules: AnyRules, parameters: Mapping[str, int | str], num_players: int = 1
) -> Row | None:
    """As `best_row`, of these rows of a game and with these parameters."""
    wanted = "lowest" if rules.LOWER_IS_BETTER else "highest"
    if num_players > 1:
        wanted = "value" if num_players == 2 else "scores"
    return next((row for row in rows if row.score == wanted and row.parameters == parameters), None)


@dataclass(frozen=True, eq=False)  # one is kept for each content of the file
class Kept:
    """The rows of a game as they were read from their file."""

    rows: tuple[Row, ...] = ()
    digest: str = ""  # of the file; empty where there is none


def kept(folder: Folder, game: str) -> Kept:
    """The rows of a game, read anew when their file has changed. Raises BadResult."""
    try:
        about = folder.file(game).stat()
    except OSError:
        return Kept()
    return _kept(folder, game, about.st_mtime_ns, about.st_size)


@functools.lru_cache(maxsize=64)
def _kept(folder: Folder, game: str, changed: int, size: int) -> Kept:
    rows = tuple(folder.rows(game))
    with folder.file(game).open("rb") as opened:
        return Kept(rows, hashlib.sha256(opened.read(LARGEST_FILE)).hexdigest())


def chosen(folder: Folder, game: str, given: Mapping[str, object]) -> list[Row]:
    """The rows of a game with these parameters. Raises BadParameter and BadResult."""
    wanted = parameters_text(game, given)
    return [row for row in folder.rows(game) if all(row.parameters[name] == wanted[name] for name in wanted)]
