"""Moves of computer players, as server processes claim and make them: each in one process, for some seconds."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, func, select, update
from sqlalchemy.engine import Connection

from ..errors import Superseded
from ..match import SiteMatch
from ..shares import Waiting
from .listings import is_free
from .rows import Rows
from .schema import games

_WAITING = select(games.c.creator, func.min(games.c.changed_at).label("since"), func.count().label("number")).group_by(
    games.c.creator
)
_NEXT_OF = (
    select(games.c.id, games.c.creator, games.c.num_rows, games.c.version, games.c.attempts)
    .order_by(games.c.changed_at)
    .limit(1)
)


@dataclass(frozen=True)
class Due:
    """A computer player's move that this process has claimed."""

    id: str
    ply: int  # rows of the game when it was claimed
    version: int  # of the game
    attempt: int  # from 1
    creator: str = ""  # who made the game


class Claims(Rows):
    """The games of a database, and the moves that computer players owe there."""

    def has_computer_move(self, now: float) -> bool:
        """Whether a game waits for a computer player that nobody has claimed."""
        with self.database.read() as connection:
            query = select(games.c.id).where(games.c.is_computer_due, is_free(now)).limit(1)
            return connection.execute(query).first() is not None

    def claim_computer_move(self, now: float, seconds: float) -> Due | None:
        """Claim a computer player's move for so many seconds; None if all are claimed.

        Those who made the games take turns, as `shares` has it; of one's games the oldest in waiting comes first.
        So whoever has many games waiting doesn't keep the others waiting.
        """
        is_due = and_(games.c.is_computer_due, is_free(now))
        while True:
            with self.database.read() as connection:
                creator = self.shares.next(self._waiting(connection, is_due))
                if creator is None:
                    return None
                found = connection.execute(_NEXT_OF.where(is_due, games.c.creator == creator)).first()
            if found is None:
                return None
            with self.database.write() as connection:
                claimed = connection.execute(
                    update(games)
                    .where(games.c.id == found.id, games.c.version == found.version, is_due)
                    .values(leased_until=now + seconds, attempts=games.c.attempts + 1)
                )
            if claimed.rowcount == 1:
                self.shares.begin(found.creator, now)
                return Due(found.id, found.num_rows, found.version, found.attempts + 1, found.creator)

    def _waiting(self, connection: Connection, is_due: ColumnElement[bool]) -> list[Waiting]:
        """Those who made the games that are due."""
        return [Waiting(*row) for row in connection.execute(_WAITING.where(is_due))]

    def renew(self, due: Due, until: float) -> bool:
        """Claim the move until later. Return whether it is still wanted."""
        return self._lease(due, leased_until=until)

    def give_up(self, due: Due, until: float | None) -> bool:
        """Take the claim back, as if the move had not been tried; nobody claims it until this time, if one is given.

        Return whether the move is still wanted.
        """
        return self._lease(due, leased_until=until, attempts=due.attempt - 1)

    def _lease(self, due: Due, **values: object) -> bool:
        with self.database.write() as connection:
            its = and_(games.c.id == due.id, games.c.num_rows == due.ply)
            return connection.execute(update(games).where(its).values(**values)).rowcount == 1

    def add_computer_move(
        self, due: Due, text: str, now: float, stand_in: str = "", expects: str = ""
    ) -> SiteMatch | None:
        """The game after a computer player's move; None if the game has gone on without it.

        `stand_in` is who chose it in the player's place, if somebody did; `expects` as `Player.expects`.
        Raises IllegalMove or UnreadableMove.
        """
        for _ in range(3):
            match = self.load(due.id)
            if match.num_rows != due.ply or not match.is_computer_to_move:
                return None
            try:
                return self.add(match.computer_move(text, now, stand_in, expects), now)
            except Superseded:  # perhaps only a seat was handed over
                continue
        return None
