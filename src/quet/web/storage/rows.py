"""The rows of the games: reads them, caches them, and changes them, each change in one transaction.

Every change of a game that its page could show raises its `version`. What people, computer players and time do is
written only if the version is still the one that the writer has seen: of two such changes at the same time one wins,
and the other raises Superseded. When a method returns, its change is committed.

What only lists and servers go by leaves the version as it is: until when a server works at a computer's move, or nobody
looks whether time has fallen; the ranks in an old race; and whether its holder's lists leave a seat out.

A version is raised by a random number. So where a database goes back under servers that run, by a backup or a standby
that knew less, no change of before has the version of another change afterwards: equal versions mean equal games.
"""

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlalchemy import Boolean, and_, bindparam, case, func, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from ...core.messages import say
from ...game import Game
from ..errors import NoSuchGame, Superseded, TooMany
from ..match import SiteMatch
from ..shares import Shares
from .database import Database
from .listings import ID, Listings
from .schema import ARCHIVED, GameRow, MoveRow, SeatRow, games, moves, seats, standing_of

STEPS = 2**40  # by how many numbers a version may be raised
CACHED = 5_000  # matches kept in memory
CACHED_ROWS = 400_000  # of these matches together; each takes about 250 bytes

# Statements are made once, since making one takes longer than executing it.
_SUMMARY = ("status", "mover", "is_computer_due", "deadline", "num_rows", "rematch", "version", "changed_at")
_LISTED = ("is_listed", "is_unplaced", "standing", "num_moves", "winners")
_ADVANCE = (
    update(games)
    .where(games.c.id == bindparam("known_id"), games.c.version == bindparam("known_version"))
    .values({name: bindparam(name) for name in (*_SUMMARY, *_LISTED)})
    .values(network=case((bindparam("is_shown", type_=Boolean), games.c.network), else_=None))
)
_ADVANCE_BY_MOVE = _ADVANCE.values(leased_until=None, attempts=0)  # no process works on a computer's move any more
_ADD_MOVE = insert(moves)
_VERSIONS = select(games.c.id, games.c.version).where(games.c.id.in_(bindparam("ids", expanding=True)))
_HOLD = _VERSIONS.with_for_update(key_share=True)  # SQLite needs nothing of the kind: it has one writer
_HOLD_FREE = _VERSIONS.with_for_update(key_share=True, skip_locked=True)
_END_SEATS = update(seats).where(seats.c.game_id == bindparam("over_id")).values(ended_at=bindparam("ended_at"))
# Those who wait for a game again have it in their lists, also where they had put it away.
_LIST_AGAIN = update(seats).where(seats.c.game_id == bindparam("again_id")).values(is_put_away=False)
_FIND_GAME = select(games).where(games.c.id == bindparam("id"))
_FIND_SEATS = select(seats).where(seats.c.game_id == bindparam("id")).order_by(seats.c.player)
_FIND_MOVES = (
    select(*(moves.c[name] for name in MoveRow.__slots__))
    .where(moves.c.game_id == bindparam("id"))
    .order_by(moves.c.ply)
)


class Rows(Listings):
    """The games of a database, as rows and as matches made of them."""

    def __init__(self, database: Database, *, games_per_day: int = 0, key: str = "") -> None:
        """`games_per_day` is how many games a visitor may create; 0 for any number. `key` is as `Shares` has it."""
        super().__init__(database)
        self.shares = Shares(key)
        self.games_per_day = games_per_day
        self.listeners: list[Callable[[SiteMatch], None]] = []
        """Called after each change that was committed here, in the thread that made it."""
        self._matches: OrderedDict[str, SiteMatch] = OrderedDict()
        self._num_rows = 0  # of these matches together
        self._lock = threading.Lock()  # of the cache

    # Reading.

    def load(self, id: str) -> SiteMatch:
        """The game as it stands; raises NoSuchGame."""
        check_id(id)
        cached = self.peek(id)  # before the transaction begins, so that it knows no less
        with self.database.read() as connection:
            found = connection.execute(_FIND_GAME, {"id": id}).mappings().first()
            if found is None:
                self._drop(id)
                raise NoSuchGame
            if cached is not None and cached.row.version == found["version"]:
                return cached
            seat_rows = [SeatRow.of(row) for row in connection.execute(_FIND_SEATS, {"id": id}).mappings()]
            move_rows = [MoveRow(*row) for row in connection.execute(_FIND_MOVES, {"id": id})]
        row = GameRow.of(found)
        begins = cached.begins if cached is not None and cached.row.start == row.start else None
        match = SiteMatch.of(row, seat_rows, move_rows, begins)
        has_gone_back = cached is not None and cached.row.version > match.row.version
        self.remember(match, gone=cached if has_gone_back else None)
        return match

    def peek(self, id: str) -> SiteMatch | None:
        """The game as this process last saw it, from the cache; None if it isn't there."""
        with self._lock:
            return self._matches.get(id)

    def remember(self, match: SiteMatch, gone: SiteMatch | None = None) -> None:
        """Keep the match in the cache, unless a later one is there that isn't known to be `gone`."""
        with self._lock:
            known = self._matches.get(match.id)
            if known is None or known is gone or known.row.version <= match.row.version:
                self._matches[match.id] = match
                self._num_rows += match.num_rows - (known.num_rows if known is not None else 0)
            self._matches.move_to_end(match.id)
            while len(self._matches) > CACHED or (self._num_rows > CACHED_ROWS and len(self._matches) > 1):
                _, dropped = self._matches.popitem(last=False)
                self._num_rows -= dropped.num_rows

    def _drop(self, id: str) -> None:
        """Forget a game that was taken away."""
        with self._lock:
            known = self._matches.pop(id, None)
            self._num_rows -= known.num_rows if known is not None else 0

    def tell(self, match: SiteMatch) -> None:
        """Call the listeners with a match that was committed."""
        for listener in self.listeners:
            listener(match)

    # Writing.

    def make(
        self,
        row: GameRow,
        taken: Sequence[SeatRow],
        now: float,
        also: Callable[[Connection], None] | None = None,
        game: Game | None = None,
    ) -> SiteMatch:
        """Write a new game, which begins at once if no seat is free. `also` writes more in the same transaction.

        `game` is as `row` has it, where that was read. Raises TooMany.
        """
        row = replace(row, date=self.clock.date(row.created_at))
        match = SiteMatch.of(row, taken, [], game)
        if not any(seat.is_free for seat in taken):
            match = match.begin(now)
        match = match.with_row(match.summary)
        with self.database.write() as connection:
            self._check_number(connection, row.creator, now)
            network = self.shares.tag(row.creator) if _is_shown(match) else None
            values = match.row.values() | _listed(match) | {"network": network, "attempts": 0}
            connection.execute(insert(games).values(values))
            made_at = {"made_at": row.created_at}
            connection.execute(insert(seats), [seat.values(row.id) | made_at for seat in taken])
            for each in match.rows:
                connection.execute(_ADD_MOVE, each.values(row.id))
            if also is not None:
                also(connection)
            self.database.announce(connection, row.id)
        self.remember(match)
        self.tell(match)
        return match

    def _check_number(self, connection: Connection, visitor: str, now: float) -> None:
        if not self.games_per_day:
            return
        recent = and_(games.c.creator == visitor, games.c.created_at > now - 86400)
        if (connection.scalar(select(func.count()).where(recent)) or 0) >= self.games_per_day:
            raise TooMany(
                say(
                    "You have begun {number} games since yesterday; that is the most for a day.",
                    number=self.games_per_day,
                )
            )

    def add(self, after: SiteMatch, now: float) -> SiteMatch:
        """Commit the last row of this match, and return the match with its summary. Raises Superseded."""
        done = self.add_all([(after, now)], waits=True)
        if not done:
            raise Superseded
        return done[after.id]

    def add_all(self, added: Sequence[tuple[SiteMatch, float]], *, waits: bool = False) -> dict[str, SiteMatch]:
        """Commit the last rows of these matches, each at its time, in one transaction; return the matches by their ids.

        They are of different games. A game that has moved on is left out, and so is one whose row somebody holds unless
        this `waits` for it. Raises Superseded, with nothing changed, where a game has such a row already.
        """
        afters = {after.id: _advanced(after, now) for after, now in added}
        try:
            with self.database.write() as connection:
                held = connection.execute(_HOLD if waits else _HOLD_FREE, {"ids": list(afters)})
                versions = {row.id: row.version for row in held}
                added = [(after, now) for after, now in added if versions.get(after.id) == after.row.version]
                if not added:
                    return {}
                done = {before.id: afters[before.id] for before, _ in added}
                values = [_summary_values(done[before.id], before.row.version) for before, _ in added]
                connection.execute(_ADVANCE_BY_MOVE, values)
                connection.execute(_ADD_MOVE, [after.rows[-1].values(id) for id, after in done.items()])
                ended = [{"over_id": after.id, "ended_at": now} for after, now in added if after.is_over]
                again = [after.id for after, _ in added if after.row.status == ARCHIVED and not after.is_over]
                ended += [{"over_id": id, "ended_at": None} for id in again]
                if ended:
                    connection.execute(_END_SEATS, ended)
                if again:
                    connection.execute(_LIST_AGAIN, [{"again_id": id} for id in again])
                self.database.announce(connection, *done)
        except IntegrityError:  # (game, ply) is unique, whatever `version` says
            raise Superseded from None
        for after in done.values():
            self.remember(after)
            self.tell(after)
        return done

    def advance(
        self, connection: Connection, match: SiteMatch, row: GameRow, now: float, *, is_move: bool = False
    ) -> SiteMatch:
        """Write the row as the summary of the match and return the match with it.

        Raises Superseded unless the game still has the version of `row`.
        """
        after = match.with_row(replace(row, version=later_than(row.version), changed_at=now))
        written = connection.execute(_ADVANCE_BY_MOVE if is_move else _ADVANCE, _summary_values(after, row.version))
        if written.rowcount != 1:
            raise Superseded
        return after

    def change_seats(self, id: str, change: Callable[[SiteMatch], list[SeatRow]], now: float) -> SiteMatch:
        """Change seats of a game, and return it. If no seat is free any more, the game begins."""
        for _ in range(10):
            match = self.load(id)
            changed = {seat.player: seat for seat in change(match)}
            after = match.with_row(match.row, [changed.get(seat.player, seat) for seat in match.seats])
            begins = after.status == "waiting" and not any(seat.is_free for seat in after.seats)
            if begins:
                after = after.begin(now)
            try:
                with self.database.write() as connection:
                    after = self.advance(connection, after, after.summary, now, is_move=begins)
                    for seat in changed.values():
                        connection.execute(
                            update(seats)
                            .where(seats.c.game_id == id, seats.c.player == seat.player)
                            .values(name=seat.name, visitor=seat.visitor, invitation=seat.invitation)
                        )
                    connection.execute(_LIST_AGAIN, {"again_id": id})
                    if begins:
                        connection.execute(_ADD_MOVE, after.rows[-1].values(id))
                    if match.row.status == ARCHIVED and not after.is_over:
                        connection.execute(_END_SEATS, {"over_id": id, "ended_at": None})
                    self.database.announce(connection, id)
            except (Superseded, IntegrityError):  # something else happened at this table; look again
                continue
            self.remember(after)
            self.tell(after)
            return after
        raise Superseded


def check_id(id: str) -> None:
    """Raise NoSuchGame for a text that is no id, so that no database sees a text that it can't hold."""
    if not ID.fullmatch(id):
        raise NoSuchGame


def later_than(version: int) -> int:
    """The version of a game after a change."""
    return version + 1 + secrets.randbelow(STEPS)


def _advanced(match: SiteMatch, now: float) -> SiteMatch:
    """The match with its summary, as the next version."""
    return match.with_row(replace(match.summary, version=later_than(match.row.version), changed_at=now))


def _summary_values(match: SiteMatch, before: int) -> dict[str, object]:
    """The values that update the row of the version before, which is given."""
    row = match.row
    values = {name: getattr(row, name) for name in _SUMMARY}
    return values | _listed(match) | {"is_shown": _is_shown(match), "known_id": row.id, "known_version": before}


def _is_shown(match: SiteMatch) -> bool:
    """Whether others find the game in a list, or will when a seat is free again or it begins."""
    if match.status == "waiting" and any(seat.is_open for seat in match.seats):
        return True
    return match.row.is_public and match.status in ("waiting", "playing")


def _listed(match: SiteMatch) -> dict[str, object]:
    """The values of the columns that only lists use."""
    values: dict[str, object] = dict.fromkeys(_LISTED)
    values["is_listed"] = match.status == "waiting" and any(seat.is_open and seat.is_free for seat in match.seats)
    if match.row.num_players == 1:
        values |= standing(match)
    elif match.is_over:
        values["winners"] = ",".join(map(str, match.winners))
    return values


def standing(match: SiteMatch) -> dict[str, object]:
    """The values of the columns that rank a game for one: in its race, and among the games of its player."""
    game = match.game
    is_unplaced = not game.is_over or bool(match.row.start)  # it is no feat to end what somebody else has played
    return {"is_unplaced": is_unplaced, "standing": standing_of(game.scores[0], game.rules), "num_moves": game.ply}
