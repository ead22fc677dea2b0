"""Games of visitors that equal or beat the table of best results: entered once each, and read for pages and merging."""

import contextlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import RowMapping, and_, func, insert, select
from sqlalchemy.exc import IntegrityError

from ...core.messages import say
from ...results.row import Row
from ..errors import SiteError
from .database import Database
from .schema import date_of, entries, games, seats

MOST_ALIKE = 20  # entries of one score in one question
MOST_OF_ONE = 3  # of them in games that one visitor began, so that nobody takes the places of all others
MOST_LISTED = 1_000  # entries of a game that are read for a page, the latest
MOST_COMPARED = 200  # of a visitor's games, the latest, among which the best score is looked for


class NotEntered(SiteError):
    """A game isn't entered into the table of best results."""

    status = 409


@dataclass(frozen=True)
class Listed:
    """A game that was entered, without its moves."""

    game_id: str
    game: str
    parameters: dict[str, int | str]  # as rows of the table have them
    value: int
    finder: str
    at: float  # by the site's clock
    date: str = field(default="", kw_only=True)  # of the game; only in lists


@dataclass(frozen=True)
class Entry(Listed):
    """A game that was entered, checked by the rules."""

    moves: str

    @property
    def question(self) -> str:
        """What tells questions of one game apart, as the database has it."""
        return json.dumps(self.parameters)

    def is_of(self, row: Row) -> bool:
        """Whether this row of the table of best results came of it."""
        return (self.game, self.parameters, self.moves) == (row.game, row.parameters, row.witness)


_LISTED = select(
    *(column for column in entries.c if column is not entries.c.moves), games.c.date, games.c.created_at
).join(games, games.c.id == entries.c.game_id)

_NUM_ENTERED = select(func.count()).select_from(entries).join(games, games.c.id == entries.c.game_id)


class Entries:
    """The entries of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def enter(self, entry: Entry) -> None:
        """Add an entry; nothing happens if its game was entered before. Raises NotEntered."""
        alike = and_(
            entries.c.game == entry.game, entries.c.parameters == entry.question, entries.c.value == entry.value
        )
        values = {name: getattr(entry, name) for name in ("game_id", "game", "value", "finder", "moves", "at")}
        if self.by(entry.game_id) is not None:
            return
        with contextlib.suppress(IntegrityError), self._database.write() as connection:  # entered twice at once
            if connection.scalar(select(entries.c.game_id).where(alike, entries.c.moves == entry.moves).limit(1)):
                raise NotEntered(say("This very game has been entered before."))
            if (connection.scalar(select(func.count()).select_from(entries).where(alike)) or 0) >= MOST_ALIKE:
                raise NotEntered(say("Enough games with this score have been entered; a better one is still welcome."))
            creator = connection.scalar(select(games.c.creator).where(games.c.id == entry.game_id))
            of_one = _NUM_ENTERED.where(alike, games.c.creator == creator)
            if (connection.scalar(of_one) or 0) >= MOST_OF_ONE:
                raise NotEntered(
                    say(
                        "You have entered {most} games with this score; a better one is still welcome.",
                        most=MOST_OF_ONE,
                    )
                )
            connection.execute(insert(entries).values(**values, parameters=entry.question))

    def all(self) -> list[Entry]:
        """All entries of all games, in the order in which they came."""
        with self._database.read() as connection:
            found = connection.execute(select(entries).order_by(entries.c.at)).mappings().all()
        return [_entry(row) for row in found]

    def of_games(self, game_ids: Sequence[str]) -> list[Entry]:
        """The entries of these games."""
        with self._database.read() as connection:
            found = connection.execute(select(entries).where(entries.c.game_id.in_(game_ids))).mappings().all()
        return [_entry(row) for row in found]

    def of(self, game: str) -> list[Listed]:
        """The latest entries of a game, in the order in which they came."""
        query = _LISTED.where(entries.c.game == game).order_by(entries.c.at.desc()).limit(MOST_LISTED)
        with self._database.read() as connection:
            found = connection.execute(query).mappings().all()
        return [_listed(row) for row in reversed(found)]

    def played(self, game_ids: Sequence[str], moves: Collection[str]) -> dict[str, str]:
        """The moves of these entries, by the id of the game; only those that are among the given ones."""
        query = select(entries.c.game_id, entries.c.moves).where(
            entries.c.game_id.in_(game_ids), entries.c.moves.in_(moves)
        )
        with self._database.read() as connection:
            return {row.game_id: row.moves for row in connection.execute(query)}

    def by(self, game_id: str) -> str | None:
        """The finder under whose name this game was entered; None if it wasn't."""
        with self._database.read() as connection:
            return connection.scalar(select(entries.c.finder).where(entries.c.game_id == game_id))

    def best_of(self, visitor: str, game: str, parameters: Mapping[str, str], without: str) -> int | None:
        """The best standing (see `games.standing`) of the visitor's other games of this kind that the rules ended.

        Of very many games only the latest are looked at. Those of an old database may have no standing.
        """
        mine = (
            select(seats.c.game_id)
            .where(seats.c.visitor == visitor, seats.c.ended_at.is_not(None), seats.c.game_id != without)
            .order_by(seats.c.ended_at.desc())
            .limit(MOST_COMPARED)
            .subquery()
        )
        query = (
            select(func.min(games.c.standing))
            .join(mine, mine.c.game_id == games.c.id)
            .where(games.c.game == game, games.c.parameters == json.dumps(dict(parameters)))
            .where(games.c.is_unplaced.is_(False))
        )
        with self._database.read() as connection:
            found: int | None = connection.scalar(query)
        return found


def _entry(row: RowMapping) -> Entry:
    return Entry(**{**row, "parameters": json.loads(row["parameters"])})


def _listed(row: RowMapping) -> Listed:
    values = {name: row[name] for name in ("game_id", "game", "value", "finder", "at")}
    return Listed(**values, parameters=json.loads(row["parameters"]), date=date_of(row["date"], row["created_at"]))
