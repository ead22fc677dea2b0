"""Takes names of people out of the table of best results. What they have found stays."""

from collections.abc import Callable, Collection
from dataclasses import replace

from ..core.errors import BadParameter
from ..core.files import UnwritableFile
from ..core.quoting import printable
from .folder import Folder
from .row import NOBODY, QUET, Row


def take_out(folder: Folder, names_in: Callable[[Row], Collection[str]]) -> int:
    """Take names, which the function tells of each row, out of the table; return out of how many rows.

    Raises BadResult, and BadParameter where a name can't be taken out.
    """
    num_rows = 0
    with folder.locked():
        for game, rows in _by_game(folder).items():
            without = [_without(row, names_in(row)) for row in rows]
            changed = [new for new, row in zip(without, rows, strict=True) if new != row]
            if not changed:
                continue
            where = f"The table of best results has it in {', '.join(row.name() for row in changed)}"
            if folder.is_installed:
                raise BadParameter(f"{where}; it came with Quet and stays as it is.")
            try:
                folder.write(game, without)
            except UnwritableFile as error:
                raise BadParameter(f"{where}; {printable(str(folder.file(game)), 200)}: {error}") from None
            num_rows += len(changed)
    return num_rows


def _by_game(folder: Folder) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in folder.rows():
        found.setdefault(row.game, []).append(row)
    return found


def _without(row: Row, names: Collection[str]) -> Row:
    """The row without these names. Quet's own searches keep their credit, whoever calls themselves as they do."""
    finder, prover = (NOBODY if name in names and name != QUET else name for name in (row.finder, row.prover))
    return replace(row, finder=finder, prover=prover)
