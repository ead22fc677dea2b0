"""Analyses that are kept, so that a game has one analysis, whichever server process made it."""

from collections.abc import Callable

from sqlalchemy import and_, delete, insert, select
from sqlalchemy.exc import IntegrityError

from .database import Database
from .schema import studies

MOST_KEPT = 1_000  # the latest
LARGEST = 100_000  # bytes of one; a larger one isn't kept


class Studies:
    """The analyses of a database. What they say is the business of others. Every thread may call them."""

    def __init__(self, database: Database, now: Callable[[], float]) -> None:
        """`now` is the site's clock."""
        self._database, self._now = database, now

    def of(self, key: str, made_by: str) -> bytes | None:
        """The analysis with this key by this version of what makes them; None if there is none. Raises Away."""
        its = and_(studies.c.key == key, studies.c.made_by == made_by)
        with self._database.read() as connection:
            return connection.scalar(select(studies.c.content).where(its))

    def keep(self, key: str, made_by: str, content: bytes) -> bytes:
        """Keep an analysis, unless there is one or it is too large. Return the one that counts: the first.

        Raises Away and Unsure.
        """
        if len(content) > LARGEST:
            return content
        latest = select(studies.c.at).order_by(studies.c.at.desc()).offset(MOST_KEPT - 1).limit(1)
        try:
            with self._database.write() as connection:
                row = {"key": key, "made_by": made_by, "content": content, "at": self._now()}
                connection.execute(insert(studies).values(**row))
                connection.execute(delete(studies).where(studies.c.at < latest.scalar_subquery()))
        except IntegrityError:  # another process was first
            return self.of(key, made_by) or content
        return content
