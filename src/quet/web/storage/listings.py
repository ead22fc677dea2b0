"""Lists of games, read from their summaries without replaying any."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, exists, or_, select

from .database import Database
from .schema import GameRow, SeatRow, games, seats

LISTED = 100  # games of a list, at most
LOBBY_SECONDS = {"none": 14 * 86400.0, "live": 3600.0, "days": 14 * 86400.0}  # how long a free seat is listed
FORSAKEN_SECONDS = 30 * 86400.0  # how long a game waits for its players before it is called off
ID = re.compile(r"[A-Za-z0-9_-]{22}")  # of a game or a race


@dataclass(frozen=True)
class Listing:
    """A game in a list: its summary and seats, without its moves."""

    row: GameRow
    seats: tuple[SeatRow, ...]

    @property
    def id(self) -> str:
        return self.row.id


class Listings:
    """The lists of a database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def versions(self, ids: Sequence[str]) -> dict[str, int]:
        """The version of each of these games that is there."""
        query = select(games.c.id, games.c.version).where(games.c.id.in_(ids))
        with self.database.read() as connection:
            return {row.id: row.version for row in connection.execute(query)}

    def lobby(self, now: float) -> list[Listing]:
        """The games with a seat that anybody may take, the newest first."""
        is_fresh = or_(
            *(and_(games.c.clock == clock, games.c.created_at > now - age) for clock, age in LOBBY_SECONDS.items())
        )
        has_open = exists().where(seats.c.game_id == games.c.id, seats.c.is_open, seats.c.visitor.is_(None))
        return self._list([games.c.status == "waiting", is_fresh, has_open])

    def public_games(self) -> list[Listing]:
        """The public games that are being played, those changed last first."""
        return self._list([games.c.status == "playing", games.c.is_public])

    def games_of(self, visitor: str) -> list[Listing]:
        """The games in which the visitor holds a seat, those changed last first."""
        holds = exists().where(seats.c.game_id == games.c.id, seats.c.visitor == visitor)
        return self._list([holds])

    def race_games(self, race: str) -> list[Listing]:
        """The games of a race, the first one first; none where there is no such race."""
        return self._list([games.c.race == race], order=games.c.created_at) if ID.fullmatch(race) else []

    def due(self, now: float) -> list[str]:
        """The games in which the mover's time has fallen, at most a hundred."""
        query = select(games.c.id).where(games.c.deadline <= now).order_by(games.c.deadline).limit(LISTED)
        with self.database.read() as connection:
            return list(connection.scalars(query))

    def forsaken(self, now: float) -> list[str]:
        """The games that have waited for somebody for very long, at most a hundred."""
        old = and_(games.c.status == "waiting", games.c.changed_at < now - FORSAKEN_SECONDS)
        query = select(games.c.id).where(old).order_by(games.c.changed_at).limit(LISTED)
        with self.database.read() as connection:
            return list(connection.scalars(query))

    def _list(
        self, conditions: Iterable[ColumnElement[bool]], order: ColumnElement[float] | None = None
    ) -> list[Listing]:
        query = select(games).where(*conditions)
        query = query.order_by(games.c.changed_at.desc() if order is None else order).limit(LISTED)
        with self.database.read() as connection:
            rows = [GameRow.of(found) for found in connection.execute(query).mappings()]
            seated: dict[str, list[SeatRow]] = {row.id: [] for row in rows}
            query = select(seats).where(seats.c.game_id.in_(seated)).order_by(seats.c.game_id, seats.c.player)
            for row in connection.execute(query).mappings():
                seated[row["game_id"]].append(SeatRow.of(row))
        return [Listing(row, tuple(seated[row.id])) for row in rows]
