"""Takes names of people out of the table of best results. What they have found stays."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import NamedTuple

from ..core.errors import BadParameter
from ..core.files import UnwritableFile
from ..core.quoting import printable
from .folder import Folder
from .row import NOBODY, QUET, Row


class TakenOut(NamedTuple):
    """Out of how many rows names were taken, and the rows that came with Quet and keep one."""

    num_rows: int = 0
    kept: tuple[str, ...] = ()


def take_out(folder: Folder, names_in: Callable[[Row], Collection[str]]) -> TakenOut:
    """Take names, which the function tells of each row, out of the table.

    Raises BadResult, and BadParameter where a file can't be written.
    """
    num_rows = 0
    kept: list[str] = []
    with folder.locked():
        for game, rows in _by_game(folder).items():
            without = [_without(row, names_in(row)) for row in rows]
            changed = [row.name() for new, row in zip(without, rows, strict=True) if new != row]
            if not changed:
                continue
            if folder.is_installed:
                kept += changed
                continue
            try:
                folder.write(game, without)
            except UnwritableFile as error:
                where = f"The table of best results has it in {', '.join(changed)}"
                raise BadParameter(f"{where}; {printable(str(folder.file(game)), 200)}: {error}") from None
            num_rows += len(changed)
    return TakenOut(num_rows, tuple(kept))


def _by_game(folder: Folder) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in folder.rows():
        found.setdefault(row.game, []).append(row)
    return found


def _without(row: Row, names: Collection[str]) -> Row:
    """The row without these names. Quet's own searches keep their credit, whoever calls themselves as they do."""
    finder, prover = (NOBODY if name in names and name != QUET else name for name in (row.finder, row.prover))
    return replace(row, finder=finder, prover=prover)
