"""`quet results merge`: brings what people entered on the site into a table of results."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...core.errors import BadParameter, QuetError, one_line
from ...core.files import UnwritableFile
from ...core.quoting import shorten
from ...game import new
from ...results.claim import of_game
from ...results.folder import Folder
from ...results.submit import check_can_change, enter
from ...results.unnamed import take_out
from .database import Database
from .entries import Entries, Entry


@dataclass(frozen=True)
class Merged:
    """What became of an entry."""

    entry: Entry
    is_entered: bool
    sentence: str  # what the table says now, or why it stays as it is


def merge(url: str, folder: Folder) -> Iterator[Merged]:
    """Check each entry of the site's database once more, and enter it if it is better than the table's row.

    Raises BadParameter for a table that can't be changed and where there is no database, UnwritableFile for a table
    that can't be written, and Away for a database that can't be reached.
    """
    check_can_change(folder)
    database = Database(url)
    try:
        file = Path(database.url.database or "")
        if database.is_sqlite and not file.exists():
            where = f"There is no database at {shorten(str(file), 200)}"
            raise BadParameter(f"{where}; QUET_DATABASE_URL or QUET_DATA says where the site's is.")
        database.upgrade()
        entries = Entries(database)
        for entry in entries.all():
            try:
                yield _merged(entry, entries, folder)
            except UnwritableFile:  # nor can the others be entered
                raise
            except QuetError as error:  # of one entry; the others may still be better
                yield Merged(entry, False, one_line(error))
    finally:
        database.close()


def _merged(entry: Entry, entries: Entries, folder: Folder) -> Merged:
    game = new(entry.game, **entry.parameters)
    for move in entry.moves.split():
        game.play(move)
    certificate = of_game(game, is_lowest=game.rules.LOWER_IS_BETTER)
    sentence = enter(folder, certificate, finder=entry.finder, is_trusted=False).sentence
    if entry.finder not in [one.finder for one in entries.of_games([entry.game_id])]:
        take_out(folder, lambda row: [entry.finder] if entry.is_of(row) else [])
        raise BadParameter("It was taken out of the site's database meanwhile.")
    return Merged(entry, True, sentence)
