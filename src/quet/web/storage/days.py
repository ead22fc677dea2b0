"""Games of a day: a race that everybody is in, ranked by score and then by time. Its id follows from the date."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import and_, bindparam, case, func, or_, select

from .database import Database
from .schema import games, seats

PREFIX = "daily-"
RANKED = 50  # on one page
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


_SECONDS = games.c.changed_at - games.c.created_at  # a game that is over doesn't change any more
_OF_DAY = and_(games.c.race == bindparam("race"), games.c.is_unplaced.is_(False))
_FINISHED = (
    select(games.c.id, seats.c.visitor, seats.c.name, games.c.standing, _SECONDS.label("seconds"))
    .join(seats, seats.c.game_id == games.c.id)
    .where(_OF_DAY)
)
_PAGE = _FINISHED.order_by(games.c.standing, _SECONDS, games.c.id).limit(RANKED).offset(bindparam("first"))
_OWN = _FINISHED.where(games.c.creator == bindparam("visitor"))
_IS_BETTER = or_(
    games.c.standing < bindparam("standing"),
    and_(games.c.standing == bindparam("standing"), bindparam("seconds") > _SECONDS),
)
_NUM_BETTER = select(func.count()).select_from(games).where(_OF_DAY, _IS_BETTER)
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
                    known = {"race": race, "standing": row.standing, "seconds": row.seconds}
                    place = 1 + (connection.scalar(_NUM_BETTER, known) or 0)
                ranked.append(Ranked(row.id, row.visitor or "", row.name, row.standing, row.seconds, place))
        return ranked

    def own(self, day: date, visitor: str) -> Ranked | None:
        """The visitor's result of a day; None where there is none."""
        race = race_of(day)
        with self._database.read() as connection:
            row = connection.execute(_OWN, {"race": race, "visitor": visitor}).first()
            if row is None:
                return None
            known = {"race": race, "standing": row.standing, "seconds": row.seconds}
            place = 1 + (connection.scalar(_NUM_BETTER, known) or 0)
        return Ranked(row.id, row.visitor or "", row.name, row.standing, row.seconds, place)

    def spread(self, day: date) -> dict[int, int]:
        """How many have each standing on a day."""
        with self._database.read() as connection:
            return {row[0]: row[1] for row in connection.execute(_SPREAD, {"race": race_of(day)})}

    def finished(self, days: Sequence[date], visitor: str) -> dict[date, int]:
        """The visitor's standing on each of these days that was finished, at most MOST_DAYS."""
        races = {race_of(day): day for day in days[:MOST_DAYS]}
        with self._database.read() as connection:
            rows = connection.execute(_DAYS, {"races": list(races), "visitor": visitor}).all()
        return {races[row.race]: row.standing for row in rows if row.is_over}
