"""Lists of games, read from their summaries without replaying any."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import BindParameter, Boolean, ColumnElement, RowMapping, and_, bindparam, func, or_, select
from sqlalchemy.engine import Connection

from .clock import SiteClock
from .database import Database
from .schema import GameRow, SeatRow, games, seats

LISTED = 100  # games of a list, at most
FEW = 5  # of them that one address, or one visitor, has made, before the further ones of anybody
MANY = 4  # times as many of an address are looked at, so that not all are of few of its visitors
RACERS = 50  # of a race, on one page
NEWEST = 200  # of a visitor's games that go on: older ones are not looked at for a list
LOBBY_SECONDS = {"none": 14 * 86400.0, "live": 3600.0, "days": 14 * 86400.0}  # how long a free seat is listed
FORSAKEN_SECONDS = 30 * 86400.0  # how long a game waits for its players before it is called off
UNKNOWN = ""  # from where a game was made; those of which that isn't known are as of one address
ID = re.compile(r"[A-Za-z0-9_-]{22}")  # of a game or a race


# Statements are made once, since making one takes longer than executing it.
_PASSED_OVER: BindParameter[str] = bindparam("passed_over", expanding=True)  # creators and networks
_IS_LOOKED_AT = and_(games.c.creator.not_in(_PASSED_OVER), func.coalesce(games.c.network, UNKNOWN).not_in(_PASSED_OVER))
_LOBBY = (
    select(games)
    .where(
        games.c.is_listed,
        games.c.clock == bindparam("clock"),
        games.c.created_at > bindparam("since"),
        _IS_LOOKED_AT,
    )
    .order_by(games.c.created_at.desc())
    .limit(bindparam("most"))
)
_PUBLIC = (
    select(games)
    .where(
        games.c.is_public,
        games.c.status == "playing",
        _IS_LOOKED_AT,
    )
    .order_by(games.c.changed_at.desc())
    .limit(bindparam("most"))
)
_MINE = select(seats.c.game_id).where(
    seats.c.visitor == bindparam("visitor"), seats.c.is_put_away == bindparam("away", type_=Boolean)
)
# Each order is that of the index, even where a part of it is the same for all.
_LATEST = _MINE.order_by(seats.c.ended_at.desc(), seats.c.made_at.desc()).limit(NEWEST)
_GOING_ON = _LATEST.where(seats.c.ended_at.is_(None))
_ENDED = _MINE.where(seats.c.ended_at.is_not(None)).order_by(seats.c.ended_at.desc()).limit(LISTED)
_GAMES = select(games).where(games.c.id.in_(bindparam("ids", expanding=True)))
_GAMES_LISTED = _GAMES.order_by(games.c.status == "over", games.c.changed_at.desc()).limit(LISTED)
_SEATS = (
    select(seats).where(seats.c.game_id.in_(bindparam("ids", expanding=True))).order_by(seats.c.game_id, seats.c.player)
)
_WAITING = select(games.c.id).where(games.c.id.in_(bindparam("ids", expanding=True)), games.c.status == "waiting")
_RANKING = games.c.is_unplaced, games.c.standing, games.c.id
_OF_RACE = games.c.race == bindparam("race")
_ANY_OF_RACE = select(games).where(_OF_RACE).order_by(games.c.creator).limit(1)  # ordered, so that it takes the index
_RACERS = select(games).where(_OF_RACE).order_by(*_RANKING).limit(RACERS).offset(bindparam("first"))
_UNRANKED = select(games.c.id).where(_OF_RACE, games.c.is_unplaced.is_(None)).order_by(*_RANKING).limit(LISTED)
_NUM_RACERS = select(func.count()).select_from(games).where(_OF_RACE)
_NUM_BETTER = _NUM_RACERS.where(games.c.is_unplaced.is_(False), games.c.standing < bindparam("standing"))
_ENTERED = select(games.c.id).where(_OF_RACE, games.c.creator == bindparam("visitor"))
_RACES = select(games.c.id, games.c.race).where(games.c.id.in_(bindparam("ids", expanding=True)))


@dataclass(frozen=True)
class Listing:
    """A game in a list: its summary and seats, without its moves."""

    row: GameRow
    seats: tuple[SeatRow, ...]
    winners: tuple[int, ...] | None = field(
        default=None, kw_only=True
    )  # of a game for two or more that is over, where they are known

    @property
    def id(self) -> str:
        return self.row.id


@dataclass(frozen=True)
class Racer(Listing):
    """A game of a race."""

    standing: int  # its score, negated where more is better, so that the best comes first
    num_moves: int  # that stand
    place: int  # among those that the rules ended, from 1, and the same for equal scores; 0 for the others


class Listings:
    """The lists of a database. Each looks at a bounded number of games, except that those of a race are counted."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.clock = SiteClock(database)

    def versions(self, ids: Sequence[str]) -> dict[str, int]:
        """The version of each of these games that is there."""
        query = select(games.c.id, games.c.version).where(games.c.id.in_(ids))
        with self.database.read() as connection:
            return {row.id: row.version for row in connection.execute(query)}

    def lobby(self, now: float, most: int = LISTED, few: int = FEW) -> list[Listing]:
        """The games with a seat that anybody may take, the newest first, at most so many.

        Before the further ones of anybody come at most `few` of each address, and then of each visitor, who made them.
        """
        with self.database.read() as connection:

            def read(passed_over: Sequence[str]) -> list[RowMapping]:
                found: list[RowMapping] = []
                for clock, age in LOBBY_SECONDS.items():
                    asked = {"clock": clock, "since": now - age, "most": most, "passed_over": passed_over}
                    found += connection.execute(_LOBBY, asked).mappings()
                return sorted(found, key=lambda row: float(row["created_at"]), reverse=True)[:most]

            return _listings(connection, _shared_out(read, "created_at", most, few))

    def public_games(self, most: int = LISTED) -> list[Listing]:
        """The public games that are being played, those changed last first, at most so many.

        Before the further ones of anybody come at most FEW of each address, and then of each visitor, who made them.
        """
        with self.database.read() as connection:

            def read(passed_over: Sequence[str]) -> Sequence[RowMapping]:
                return connection.execute(_PUBLIC, {"most": most, "passed_over": passed_over}).mappings().all()

            return _listings(connection, _shared_out(read, "changed_at", most, FEW))

    def games_of(self, visitor: str, *, away: bool = False) -> list[Listing]:
        """The games in which the visitor holds a seat: those that go on, changed last first, and then the others.

        With `away` those that the visitor has put away, otherwise only those that aren't. Of very many games that go on
        only the newest are looked at.
        """
        whose = {"visitor": visitor, "away": away}
        with self.database.read() as connection:
            ids = [*connection.scalars(_GOING_ON, whose)]
            ids += connection.scalars(_ENDED, whose)
            if not ids:
                return []
            found = connection.execute(_GAMES_LISTED, {"ids": list(dict.fromkeys(ids))}).mappings()
            return _listings(connection, found.all())

    def listed(self, id: str) -> Listing | None:
        """A game as lists have it; None if there is none."""
        with self.database.read() as connection:
            found = connection.execute(_GAMES_LISTED, {"ids": [id] if ID.fullmatch(id) else []}).mappings()
            return next(iter(_listings(connection, found.all())), None)

    def waiting(self, ids: Sequence[str]) -> set[str]:
        """Those of these games that wait until every seat is taken."""
        with self.database.read() as connection:
            return set(connection.scalars(_WAITING, {"ids": ids})) if ids else set()

    # Races.

    def any_of_race(self, race: str) -> GameRow | None:
        """The row of any one game of a race; None if there is no such race."""
        with self.database.read() as connection:
            found = connection.execute(_ANY_OF_RACE, {"race": race}).mappings().first()
        return None if found is None else GameRow.of(found)

    def entered(self, race: str, visitor: str) -> str | None:
        """The game with which the visitor entered the race; None if there is none."""
        with self.database.read() as connection:
            return connection.scalar(_ENTERED, {"race": race, "visitor": visitor})

    def num_racers(self, race: str) -> int:
        """How many have entered the race."""
        with self.database.read() as connection:
            return connection.scalar(_NUM_RACERS, {"race": race}) or 0

    def racers(self, race: str, first: int = 0) -> list[Racer]:
        """The games of a race from a number on, at most RACERS of them.

        Those that the rules ended come first, the best before the others; then the rest, as they stand.
        """
        with self.database.read() as connection:
            found = connection.execute(_RACERS, {"race": race, "first": first}).mappings()
            return _racers(connection, race, found, first)

    def racer(self, race: str, visitor: str) -> Racer | None:
        """The game of the race in which the visitor holds the seat; None if there is none."""
        with self.database.read() as connection:
            id = connection.scalar(_ENTERED, {"race": race, "visitor": visitor})
            ids = [id] if id else []
            for away in () if id else (False, True):
                ids += connection.scalars(_LATEST, {"visitor": visitor, "away": away})
            # Among the latest games may be one that another racer has handed over.
            here = [row.id for row in connection.execute(_RACES, {"ids": ids}) if row.race == race][:1] if ids else []
            found = _racers(connection, race, connection.execute(_GAMES, {"ids": here}).mappings()) if here else []
        return next((racer for racer in found if racer.seats[0].visitor == visitor), None)

    def unranked(self, race: str) -> list[str]:
        """Games of a race in a database of an earlier version whose standing isn't known yet, at most a hundred."""
        with self.database.read() as connection:
            return list(connection.scalars(_UNRANKED, {"race": race}))

    # What falls due.

    def due(self, now: float) -> list[str]:
        """The games in which the mover's time has fallen, at most a hundred."""
        query = select(games.c.id).where(games.c.deadline <= now).order_by(games.c.deadline).limit(LISTED)
        with self.database.read() as connection:
            return list(connection.scalars(query))

    def idle(self, now: float, seconds: float) -> list[str]:
        """The games without a clock in which nobody has moved for so long, at most a hundred."""
        old = and_(games.c.status == "playing", games.c.changed_at < now - seconds)
        query = select(games.c.id).where(old, games.c.clock == "none").order_by(games.c.changed_at).limit(LISTED)
        with self.database.read() as connection:
            return list(connection.scalars(query))

    def forsaken(self, now: float) -> list[str]:
        """The games that have waited for somebody for very long, at most a hundred."""
        old = and_(games.c.status == "waiting", games.c.changed_at < now - FORSAKEN_SECONDS)
        query = select(games.c.id).where(old, is_free(now)).order_by(games.c.changed_at).limit(LISTED)
        with self.database.read() as connection:
            return list(connection.scalars(query))


def listed_until(row: GameRow) -> float:
    """Until when the lobby lists a game with a free seat that anybody may take, in seconds since 1970."""
    return row.created_at + LOBBY_SECONDS[row.clock]


def is_free(now: float) -> ColumnElement[bool]:
    """A condition on games: no server has claimed the computer player's move, or put off its look at a waiting game."""
    return or_(games.c.leased_until.is_(None), games.c.leased_until < now)


def _shared_out(
    read: Callable[[Sequence[str]], Sequence[RowMapping]], by: str, most: int, few: int
) -> Sequence[RowMapping]:
    """At most `most` of the games that `read` finds, so that no address and no visitor takes all places of a list.

    First come at most `few` of each address, then the others of at most `few` of each creator, then further ones, each
    sorted `by` a time, the latest first. `read` is given the creators and networks that are to be passed over, and
    finds at most `most` games of the others.
    """
    seen: dict[str, RowMapping] = {}
    passed_over: set[str] = set()
    while True:
        found = read(sorted(passed_over))
        seen |= {row["id"]: row for row in found}
        parts = _parts(seen.values(), by, few)
        if len(found) < most or len(parts[0]) >= most:
            break
        # Games of others may stand behind those of whoever has more than a few, and are looked for.
        eager = _with_more(few, (row["creator"] for row in found))
        plenty = few if not eager else MANY * few
        # Those of which no address is known aren't passed over: they may be all, and were read through in vain.
        more = eager | _with_more(plenty, map(_network, parts[0] + parts[1])) - {UNKNOWN}
        if more <= passed_over:
            break
        passed_over |= more
    return [row for part in parts for row in part][:most]


def _parts(
    rows: Iterable[RowMapping], by: str, few: int
) -> tuple[list[RowMapping], list[RowMapping], list[RowMapping]]:
    """These games, the latest first: a few of each address, the others of a few of each creator, and the rest."""
    parts: tuple[list[RowMapping], list[RowMapping], list[RowMapping]] = [], [], []
    of_creators, of_networks = Counter[str](), Counter[str]()
    for row in sorted(rows, key=lambda row: float(row[by]), reverse=True):
        of_creators[row["creator"]] += 1
        is_further = of_creators[row["creator"]] > few
        if not is_further:
            of_networks[_network(row)] += 1
        parts[2 if is_further else 1 if of_networks[_network(row)] > few else 0].append(row)
    return parts


def _with_more(few: int, keys: Iterable[str]) -> set[str]:
    """The keys that come more than a few times."""
    return {key for key, number in Counter(keys).items() if number > few}


def _network(row: RowMapping) -> str:
    return row["network"] or UNKNOWN


def _listings(connection: Connection, found: Sequence[RowMapping]) -> list[Listing]:
    """The games of these rows with their seats."""
    rows = [GameRow.of(each) for each in found]
    seated: dict[str, list[SeatRow]] = {row.id: [] for row in rows}
    if rows:
        for seat in connection.execute(_SEATS, {"ids": list(seated)}).mappings():
            seated[seat["game_id"]].append(SeatRow.of(seat))
    won = [None if each["winners"] is None else _numbers(each["winners"]) for each in found]
    return [Listing(row, tuple(seated[row.id]), winners=winners) for row, winners in zip(rows, won, strict=True)]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(",") if word)


def _racers(connection: Connection, race: str, found: Iterable[RowMapping], first: int = 0) -> list[Racer]:
    """The games of these rows with their places; they are neighbours in the ranking, from this number on."""
    found = list(found)
    racers: list[Racer] = []
    for number, (each, listing) in enumerate(zip(found, _listings(connection, found), strict=True), first):
        standing, place = each["standing"] or 0, 0
        if each["is_unplaced"] is False:
            if not racers:
                place = 1 + (connection.scalar(_NUM_BETTER, {"race": race, "standing": standing}) or 0)
            else:
                place = racers[-1].place if racers[-1].standing == standing else number + 1
        racers.append(Racer(listing.row, listing.seats, standing, each["num_moves"] or 0, place))
    return racers
