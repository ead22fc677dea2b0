"""What an operator takes away: a game, its entry, a name, all that a person has on the site, or the site's key.

The site shows the table of best results too. A name that was merged into it goes from there as well; the row stays.

Servers may run meanwhile. They ask the database for each page, so that the next one is without it, and whoever still
moves in a game that is gone is told that there is none.
"""

import contextlib
import re
import unicodedata
import warnings
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import and_, delete, or_, select, update
from sqlalchemy.engine import Connection

from ...core.errors import BadParameter, BadResult
from ...core.files import UnwritableFile
from ...core.quoting import JOINERS, shorten
from ...results.folder import Folder
from ...results.row import NOBODY, Row
from ...results.unnamed import take_out
from ..errors import NoSuchGame
from .database import Database
from .entries import Entries, Entry
from .listings import ID
from .rows import later_than
from .schema import ARCHIVED, entries, games, key_fingerprints, moves, seats, studies
from .serving import alone

NO_VISITOR = "nobody"  # who holds a seat that a person has left; ids of visitors are longer
AT_ONCE = 100  # games changed in one transaction, so that servers that write wait no longer for it


class LogWarning(UserWarning):
    """SQLite's log couldn't be emptied."""


@dataclass(frozen=True)
class Forgotten:
    """What was taken away: games with all that belongs to them, names from games that stay, entries, seats that are
    nobody's now, and names from rows of the table of best results. `kept` are rows of it that can't be changed.
    """

    games: int = 0
    names: int = 0
    entries: int = 0
    seats: int = 0
    rows: int = 0
    kept: tuple[str, ...] = ()


class Forgetting:
    """Takes things out of a database for ever, and names out of the table of best results.

    Where a game isn't there it raises NoSuchGame, and where the table can't be read or written BadParameter. The
    database is as before then: the table comes first, since the entries tell what is to go from there.
    """

    def __init__(self, database: Database, table: Folder | None = None) -> None:
        self._database = database
        self._table = table
        self.has_taken = False

    def game(self, id: str) -> Forgotten:
        """Take a game away, with its seats, moves and entry."""
        self._check(id)

        def take() -> Forgotten:
            with self._taking() as connection:
                return self._deleted(connection, self._held(connection, [id]))

        return self._out_of_rows_of(self._entered([id]), take)

    def entry(self, id: str) -> Forgotten:
        """Take a game out of what was entered into the table of best results. The game stays. Raises BadParameter."""
        self._check(id)
        entered = self._entered([id])
        if not entered:
            raise BadParameter("This game isn't entered.")

        def take() -> Forgotten:
            with self._taking() as connection:
                return Forgotten(entries=connection.execute(delete(entries).where(entries.c.game_id == id)).rowcount)

        return self._out_of_rows_of(entered, take)

    def name(self, name: str) -> Forgotten:
        """Take the name out of all games, entries and rows of the table. Who bears it keeps seats and moves.

        Raises BadParameter where nobody bears it.
        """
        name = " ".join(name.translate(JOINERS).split())  # as it was written down
        # Letters with accents can be written in two ways.
        written = {name, unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)}
        if not name or any("\ud800" <= character <= "\udfff" for character in name):
            written.clear()  # who sits without a name has none to be taken away, and no database has half a character
        is_called = and_(seats.c.name.in_(written), seats.c.computer == "")
        is_finder = entries.c.finder.in_(written - {NOBODY})

        def take() -> Forgotten:
            with self._database.read() as connection:
                ids = sorted(set(connection.scalars(select(seats.c.game_id).where(is_called))))
                entered = list(connection.scalars(select(entries.c.game_id).where(is_finder)))
            num_names = 0
            for some in _parts(ids):
                with self._taking() as connection:
                    its = and_(seats.c.game_id.in_(self._held(connection, some)), is_called)
                    num_names += connection.execute(update(seats).where(its).values(name="")).rowcount
            for some in _parts(entered):
                with self._taking() as connection:
                    its = and_(entries.c.game_id.in_(some), is_finder)
                    num_names += connection.execute(update(entries).where(its).values(finder=NOBODY)).rowcount
            return Forgotten(names=num_names)

        gone = self._out_of_table(lambda row: written, take)
        if gone == Forgotten():
            raise BadParameter(f"Nobody has the name {shorten(name)} here.")
        return gone

    def person(self, id: str, player: int | None = None) -> Forgotten:
        """Take away what the person who holds a seat of this game has on the site, in all their games.

        Games in which nobody else holds a seat go. From games with others only the name goes, and where such a game is
        over, or nobody has moved there for very long, their seat becomes nobody's. `player` may be left out where one
        person holds all seats of people. Raises BadParameter where no person holds the seat, or where several might be
        meant.
        """
        self._check(id)
        visitor = self._holder(id, player)
        own = select(seats.c.game_id).where(seats.c.visitor == visitor)
        made = select(games.c.id).where(games.c.creator == visitor)
        with self._database.read() as connection:
            ids = sorted(set(connection.scalars(own)) | set(connection.scalars(made)))

        def take() -> Forgotten:
            found = [self._leave(some, visitor) for some in _parts(ids)]
            names = ("games", "names", "entries", "seats")
            return Forgotten(**{name: sum(getattr(one, name) for one in found) for name in names})

        return self._out_of_rows_of(self._entered(ids), take)  # of solitaires, in which nobody else has a seat

    def _entered(self, ids: Sequence[str]) -> list[Entry]:
        """The entries of these games."""
        return [one for some in _parts(ids) for one in Entries(self._database).of_games(some)]

    def _out_of_rows_of(self, lost: Sequence[Entry], take: Callable[[], Forgotten]) -> Forgotten:
        """Take from the database, and the finders of these entries out of the rows that came of them."""
        if not lost:
            return take()
        return self._out_of_table(lambda row: [one.finder for one in lost if one.is_of(row)], take)

    def _out_of_table(self, names_in: Callable[[Row], Collection[str]], take: Callable[[], Forgotten]) -> Forgotten:
        """Take names out of the table, then from the database, and the names again: a merge may have run meanwhile."""
        if self._table is None:
            return take()
        try:
            out = take_out(self._table, names_in)
        except (BadParameter, BadResult, UnwritableFile) as error:
            raise BadParameter(f"Nothing has been taken out of the database yet. {error}") from None
        gone = take()
        again = take_out(self._table, names_in)
        return replace(gone, rows=out.num_rows + again.num_rows, kept=out.kept)

    def key(self) -> None:
        """Let the server that starts next bring the site's key, whatever it is. Raises BadParameter while one runs.

        A server that runs has the old key, and would write it down again. Those of PostgreSQL can't be seen from here.
        """
        with alone(self._database), self._database.write() as connection:
            connection.execute(delete(key_fingerprints))

    @contextlib.contextmanager
    def _taking(self) -> Iterator[Connection]:
        """One transaction that takes something away. SQLite's log has to be emptied after it."""
        with self._database.write() as connection:
            yield connection
        self.has_taken = True

    def _check(self, id: str) -> None:
        with self._database.read() as connection:
            if not ID.fullmatch(id) or connection.scalar(select(games.c.id).where(games.c.id == id)) is None:
                raise NoSuchGame

    def _holder(self, id: str, player: int | None) -> str:
        """The visitor who holds the seat; raises BadParameter."""
        is_held = and_(seats.c.visitor.is_not(None), seats.c.visitor != NO_VISITOR)
        query = select(seats.c.player, seats.c.visitor).where(seats.c.game_id == id, is_held)
        with self._database.read() as connection:
            held = {row.player: row.visitor for row in connection.execute(query)}
        if player is not None:
            held = {player: held[player]} if player in held else {}
        if not held:
            raise BadParameter("No person holds this seat." if player is not None else "No person has a seat there.")
        if len(set(held.values())) > 1:
            players = ", ".join(map(str, sorted(held)))
            raise BadParameter(f"Several people have seats there; name one with --player: {players}.")
        return str(next(iter(held.values())))

    def _leave(self, ids: Sequence[str], visitor: str) -> Forgotten:
        """Do what `person` does in some of the games."""
        with self._taking() as connection:
            ids = self._held(connection, ids)  # nobody takes a seat from now on
            of_others = and_(seats.c.game_id.in_(ids), seats.c.visitor.not_in((visitor, NO_VISITOR)))
            shared = sorted(set(connection.scalars(select(seats.c.game_id).where(of_others))))
            gone = self._deleted(connection, [id for id in ids if id not in shared])
            its = and_(seats.c.game_id.in_(shared), seats.c.visitor == visitor)
            names = set(connection.scalars(select(seats.c.name).where(its, seats.c.name != "")))
            # A rematch that they haven't come to keeps a seat for them.
            later = select(games.c.rematch).where(games.c.id.in_(shared), games.c.rematch.is_not(None))
            kept = self._held(connection, list(connection.scalars(later)))
            waits = and_(seats.c.game_id.in_(kept), seats.c.visitor.is_(None), seats.c.name.in_(names))
            cleared = update(seats).where(or_(and_(its, seats.c.name != ""), waits)).values(name="")
            num_names = connection.execute(cleared).rowcount
            has_ended = and_(games.c.id.in_(shared), games.c.status.in_(("over", ARCHIVED)))
            ended = list(connection.scalars(select(games.c.id).where(has_ended)))
            freed = update(seats).where(its, seats.c.game_id.in_(ended)).values(visitor=NO_VISITOR)
            num_seats = connection.execute(freed).rowcount
            made = and_(games.c.id.in_(ended), games.c.creator == visitor)
            connection.execute(update(games).where(made).values(creator=NO_VISITOR))
        return replace(gone, names=num_names, seats=num_seats)

    def _deleted(self, connection: Connection, ids: Sequence[str]) -> Forgotten:
        """Delete games that are held, and all that belongs to them."""
        if ids:  # an analysis has no name of its game but what was played; whoever wants one has it made again
            connection.execute(delete(studies))
        before = self._held(connection, list(connection.scalars(select(games.c.id).where(games.c.rematch.in_(ids)))))
        connection.execute(update(games).where(games.c.id.in_(before)).values(rematch=None))
        num_entries = connection.execute(delete(entries).where(entries.c.game_id.in_(ids))).rowcount
        for table in (moves, seats):
            connection.execute(delete(table).where(table.c.game_id.in_(ids)))
        num_games = connection.execute(delete(games).where(games.c.id.in_(ids))).rowcount
        return Forgotten(games=num_games, entries=num_entries)

    def _held(self, connection: Connection, ids: Sequence[str]) -> Sequence[str]:
        """Those of these games that are there. No move comes before the transaction ends, and servers hear of it then.

        Whoever writes a move holds the row of its game too, and writes into other tables afterwards.
        """
        there = select(games.c.id).where(games.c.id.in_(ids)).order_by(games.c.id).with_for_update()
        found = list(connection.scalars(there))
        connection.execute(update(games).where(games.c.id.in_(found)).values(version=games.c.version + later_than(0)))
        self._database.announce(connection, *found)
        return found


def _parts(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """The ids in parts of AT_ONCE."""
    for first in range(0, len(ids), AT_ONCE):
        yield ids[first : first + AT_ONCE]


def id_of(address: str) -> str:
    """The id in the address of a game, of its board or of its picture; raises NoSuchGame where there is none."""
    found = next((part for part in re.split(r"[/?#]", address) if ID.fullmatch(part)), None)
    if found is None:
        raise NoSuchGame
    return found


@contextlib.contextmanager
def opened(url: str, table: Folder | None = None) -> Iterator[Forgetting]:
    """What takes things out of the site's database and its table; raises BadParameter where there is no database."""
    database = Database(url)
    try:
        if database.is_sqlite and not Path(str(database.url.database)).exists():
            raise BadParameter(f"There is no database {Path(str(database.url.database)).resolve()} yet.")
        database.upgrade()
        forgetting = Forgetting(database, table)
        try:
            yield forgetting
        finally:
            if forgetting.has_taken and not database.empty_log():
                log = f"{Path(str(database.url.database)).resolve()}-wal"
                warnings.warn(
                    f"{log} can't be emptied now. It may have what was taken away until the server ends.",
                    LogWarning,
                    stacklevel=3,
                )
    finally:
        database.close()
