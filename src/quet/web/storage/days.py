"""Games of a day: a race that everybody is in, ranked by score and then by time. Its id follows from the date."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import and_, bindparam, case, func, select
from sqlalchemy.engine import Connection

from .database import Database
from .schema import IS_PLACED, SECONDS, games, seats

PREFIX = "daily-"
RANKED = 50  # on one page
MOST_PAGES = 200  # of a ranking: to come to a page, the database counts all that stand before it
MANY = 1_000  # results of a day that aren't counted for each page
KEPT_SECONDS = 5.0  # how long the numbers of so many are kept
MOST_DAYS = 366  # that are looked at for a streak


def race_of(day: date) -> str:
    """The id of the race of a day; no race that somebody sets up has such a one."""
    return f"{PREFIX}{day}"


def day_of(race: str | None) -> date | None:
    """The day whose race this is; None for other races."""
    return date.fromisoformat(race.removeprefix(PREFIX)) if race and race.startswith(PREFIX) else None


def race_page(race: str) -> str:
    """The address of the page of a race, or of a day."""
    return f"/daily/{race.removeprefix(PREFIX)}" if race.startswith(PREFIX) else f"/race/{race}"


@dataclass(frozen=True)
class Ranked:
    """A finished game of a day."""

    id: str
    visitor: str
    name: str
    standing: int  # its score, negated where more is better
    seconds: float  # from its beginning to its last move
    place: int  # the same for equal scores in equal times


_OF_DAY = and_(games.c.race == bindparam("race"), IS_PLACED)
_FINISHED = select(games.c.id, games.c.standing, SECONDS.label("seconds")).where(_OF_DAY)
# Seats are looked up for what is shown, and not for what stands before it.
_ON_PAGE = _FINISHED.order_by(games.c.standing, SECONDS, games.c.id).limit(RANKED).offset(bindparam("first")).subquery()
_PAGE = (
    select(_ON_PAGE, seats.c.visitor, seats.c.name)
    .join(seats, seats.c.game_id == _ON_PAGE.c.id)
    .order_by(_ON_PAGE.c.standing, _ON_PAGE.c.seconds, _ON_PAGE.c.id)
)
_OWN = (
    _FINISHED.add_columns(seats.c.visitor, seats.c.name)
    .join(seats, seats.c.game_id == games.c.id)
    .where(games.c.creator == bindparam("visitor"))
)
_NUM = select(func.count()).select_from(games).where(_OF_DAY)
_NUM_BETTER = _NUM.where(games.c.standing < bindparam("standing"))
_NUM_QUICKER = _NUM.where(games.c.standing == bindparam("standing"), bindparam("seconds") > SECONDS)
_SPREAD = select(games.c.standing, func.count()).where(_OF_DAY).group_by(games.c.standing)
_DAYS = (
    select(games.c.race, games.c.standing, case((games.c.is_unplaced.is_(False), 1), else_=0).label("is_over"))
    .where(games.c.race.in_(bindparam("races", expanding=True)), games.c.creator == bindparam("visitor"))
    .limit(MOST_DAYS)
)


class Days:
    """The results of days. Each query is for one day, or for one visitor and MOST_DAYS days."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._spreads: dict[date, tuple[float, dict[int, int]]] = {}  # of days with many results: until when, and what

    def page(self, day: date, first: int) -> list[Ranked]:
        """The results of a day in their order, from a number on, at most RANKED."""
        race = race_of(day)
        with self._database.read() as connection:
            rows = connection.execute(_PAGE, {"race": race, "first": first}).all()
            ranked: list[Ranked] = []
            for number, row in enumerate(rows, first + 1):
                if ranked and (row.standing, row.seconds) == (ranked[-1].standing, ranked[-1].seconds):
                    place = ranked[-1].place
                elif ranked:
                    place = number
                else:
                    place = _place(connection, race, row.standing, row.seconds)
                ranked.append(Ranked(row.id, row.visitor or "", row.name, row.standing, row.seconds, place))
        return ranked

    def own(self, day: date, visitor: str) -> Ranked | None:
        """The visitor's result of a day; None where there is none."""
        race = race_of(day)
        with self._database.read() as connection:
            row = connection.execute(_OWN, {"race": race, "visitor": visitor}).first()
            if row is None:
                return None
            place = _place(connection, race, row.standing, row.seconds)
        return Ranked(row.id, row.visitor or "", row.name, row.standing, row.seconds, place)

    def spread(self, day: date) -> dict[int, int]:
        """How many have each standing on a day. Where there are many, it may be some seconds old."""
        now = time.monotonic()
        until, kept = self._spreads.get(day, (now, {}))
        if now < until:
            return kept
        with self._database.read() as connection:
            found = {row[0]: row[1] for row in connection.execute(_SPREAD, {"race": race_of(day)})}
        if sum(found.values()) >= MANY:
            current = {one: kept for one, kept in self._spreads.items() if now < kept[0]}
            self._spreads = {**current, day: (now + KEPT_SECONDS, found)}
        return found

    def finished(self, days: Sequence[date], visitor: str) -> dict[date, int]:
        """The visitor's standing on each of these days that was finished, at most MOST_DAYS."""
        races = {race_of(day): day for day in days[:MOST_DAYS]}
        with self._database.read() as connection:
            rows = connection.execute(_DAYS, {"races": list(races), "visitor": visitor}).all()
        return {races[row.race]: row.standing for row in rows if row.is_over}


def _place(connection: Connection, race: str, standing: int, seconds: float) -> int:
    """The place of a result in its race; the same for equal scores in equal times."""
    known = {"race": race, "standing": standing, "seconds": seconds}
    return 1 + sum(connection.scalar(query, known) or 0 for query in (_NUM_BETTER, _NUM_QUICKER))
