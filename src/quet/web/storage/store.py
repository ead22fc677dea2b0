"""Everything that people and time do to games: create, sit down, move, agree, run out of time.

Only this module, `claims.py` and `rows.py` write games, and `forgetting.py` when an operator takes one away. When a
method returns, its change is committed. When it raises, nothing has changed. Methods are synchronous, and any thread
may call them. `now` is in seconds since 1970.
"""

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sqlalchemy import and_, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from ...core.errors import IllegalMove, NotYourTurn
from ...core.messages import say
from ...game import Game
from ..errors import Away, BadForm, BadInvitation, Gone, NoSuchGame, NotYourSeat, SeatTaken, Superseded, TooMany, Unsure
from ..match import ACTS, SiteMatch
from ..new_games import SetUp, anew, new_id, planned
from ..shares import DAY
from .claims import Claims
from .database import Database
from .days import Days
from .entries import Entries
from .listings import ID
from .rows import check_id, later_than, standing
from .schema import ARCHIVED, GameRow, SeatRow, games, seats

LARGE = 1_000  # characters of parameters and start; for each as many a game counts once more
PUT_OFF_SECONDS = 600.0  # until a game that can't be read now is looked at again


@dataclass(frozen=True, slots=True)
class Act:
    """What a visitor does at a table: the arguments of `Store.act`."""

    id: str
    visitor: str
    kind: str
    text: str
    ply: int | None
    now: float


class Store(Claims):
    """The games of a database, and every way to change them."""

    def __init__(
        self,
        database: Database,
        *,
        games_per_day: int = 0,
        address_games_per_day: int = 0,
        address_waiting: int = 0,
        key: str = "",
    ) -> None:
        """As `Rows`. An address begins at most `address_games_per_day` games, as `make` counts them; 0: any number.

        One of which `address_waiting` games wait for computers begins no more with them; 0: it may.
        """
        super().__init__(database, games_per_day=games_per_day, key=key)
        self.address_games_per_day = address_games_per_day
        self.address_waiting = address_waiting
        self.entries = Entries(database)
        self.days = Days(database)

    # Creating.

    def create(
        self, set_up: SetUp, visitor: str, now: float, *, race: str | None = None, game: Game | None = None
    ) -> SiteMatch:
        """A new game; it begins at once if no seat is free. `race` is the id of the race that it opens.

        `game` is that of `set_up.start`, where it was read. Raises UnknownGame, BadParameter, BadForm for an invalid
        seat or clock, and TooMany.
        """
        row, taken = planned(set_up, visitor, now, race)
        return self.make(row, taken, now, game=game)

    def make(
        self,
        row: GameRow,
        taken: Sequence[SeatRow],
        now: float,
        also: Callable[[Connection], None] | None = None,
        game: Game | None = None,
    ) -> SiteMatch:
        """As `Rows.make`; raises TooMany too where very many games of the address wait for computer players.

        And where it has begun very many today, a large one counted as several: nobody deletes them.
        """
        if not self.address_waiting or not any(seat.computer for seat in taken):
            return self._make(row, taken, now, also, game)
        with self.shares.making(row.creator) as others:  # counted first: they are soon in the database
            with self.database.read() as connection:
                waiting = self._waiting(connection, games.c.is_computer_due)
            if self.shares.num_waiting(row.creator, waiting) + others >= self.address_waiting:
                raise TooMany(
                    say("Very many games from your network wait for computer players; try again when they have moved.")
                )
            return self._make(row, taken, now, also, game)

    def _make(
        self,
        row: GameRow,
        taken: Sequence[SeatRow],
        now: float,
        also: Callable[[Connection], None] | None,
        game: Game | None,
    ) -> SiteMatch:
        address, most = self.shares.address(row.creator), self.address_games_per_day
        number = 1 + (len(row.start) + sum(map(len, row.parameters.values()))) // LARGE
        today = self.clock.wall(now)  # a day is one of the calendar, as with moves; the site's clock is behind it
        if address and most and not self.shares.begun.add(address, most, today, number):
            sentence = say("Very many games were begun from your network today; begin others tomorrow.")
            raise TooMany(sentence, wait=DAY - today % DAY)
        try:
            return super().make(row, taken, now, also, game)
        except Unsure:  # the game may stand
            raise
        except BaseException:  # else a visitor at their own limit would use up that of the address
            self.shares.begun.give_back(address, today, number)
            raise

    def join_race(self, race: str, visitor: str, name: str, now: float) -> SiteMatch:
        """The visitor's game in a race, made now if there is none. Raises NoSuchGame and TooMany."""
        known = self.any_of_race(race) if ID.fullmatch(race) else None
        if known is None:
            raise NoSuchGame(say("There is no such race."))
        return self._enter(race, anew(known, visitor, now, race=race), [SeatRow(1, name, visitor=visitor)], now)

    def join_day(self, race: str, set_up: SetUp, visitor: str, now: float) -> SiteMatch:
        """The visitor's game in the race of a day, made now if there is none. Raises TooMany."""
        row, taken = planned(set_up, visitor, now, race)
        return self._enter(race, row, taken, now)

    def _enter(self, race: str, row: GameRow, taken: Sequence[SeatRow], now: float) -> SiteMatch:
        """The game that the creator of `row` has in the race, or this one, written now."""
        visitor = row.creator
        mine = self.entered(race, visitor)
        if mine is not None:
            return self.load(mine)
        try:
            return self.make(row, taken, now)
        except IntegrityError:
            mine = self.entered(race, visitor)
            if mine is None:
                raise
            return self.load(mine)  # the visitor joined twice at once

    def rank(self, race: str) -> None:
        """Work out the standings in a race that a database of an earlier version didn't keep."""
        while unranked := self.unranked(race):
            for id in unranked:
                try:
                    values = standing(self.load(id))
                except Gone:
                    values = {"is_unplaced": True, "standing": 0, "num_moves": 0}
                with self.database.write() as connection:
                    is_unranked = and_(games.c.id == id, games.c.is_unplaced.is_(None))
                    connection.execute(update(games).where(is_unranked).values(**values))

    def rematch(self, id: str, visitor: str, now: float) -> SiteMatch:
        """The next game of the same players, each one seat further; made now if there is none.

        It begins when all of them have asked for it. Until then the seats of the others are free and kept for them, so
        that nobody has a game, or a clock that runs, without having come. Raises NotYourSeat, TooMany, and NotYourTurn
        while the game isn't over.
        """
        match = self.load(id)
        match.held_by(visitor)
        if not match.is_over or any(seat.is_free for seat in match.seats):
            raise NotYourTurn(say("There is a rematch when the game is over."))
        if match.row.race:
            raise NotYourTurn(say("In a race everybody has one game; set up another race."))
        last = match.seats[-1:] + match.seats[:-1]
        turned = [replace(seat, player=player, invitation=None, is_open=False) for player, seat in enumerate(last, 1)]
        if match.row.rematch:
            known = self.load(match.row.rematch)
            if not _is_called_off(known):
                return self._come(known, [seat for seat in turned if seat.visitor == visitor], now)
        kept = [_kept(seat) if seat.visitor not in (None, visitor) else seat for seat in turned]
        row = anew(match.row, visitor, now)

        marked = match

        def mark(connection: Connection) -> None:
            nonlocal marked
            marked = self.advance(connection, match, replace(match.row, rematch=row.id), now)
            self.database.announce(connection, id)

        try:
            made = self.make(row, kept, now, also=mark, game=match.begins)
        except Superseded:  # somebody else asked at the same time
            return self.rematch(id, visitor, now)
        self.remember(marked)
        self.tell(marked)
        return made

    def _come(self, match: SiteMatch, own: Sequence[SeatRow], now: float) -> SiteMatch:
        """The rematch after a visitor has come to it, and has taken those of these seats that are free."""

        def change(match: SiteMatch) -> list[SeatRow]:
            return [seat for seat in own if match.seat(seat.player).is_free and not match.is_over]

        return self.change_seats(match.id, change, now) if change(match) else match

    # Seats.

    def take_seat(
        self, id: str, visitor: str, name: str, now: float, *, player: int | None = None, invitation: str | None = None
    ) -> SiteMatch:
        """Take a seat, by an invitation or an open one: the seat of `player`, or the first that is free.

        Raises NoSuchGame, SeatTaken, BadInvitation, and NotYourTurn when the game is over.
        """

        def change(match: SiteMatch) -> list[SeatRow]:
            seat = _seat_to_take(match, visitor, player, invitation)
            return [replace(seat, visitor=visitor, name=name, invitation=None)]

        return self.change_seats(id, change, now)

    def hand_over(self, id: str, player: int, visitor: str, now: float, *, withdraws: bool = False) -> str:
        """A token that takes the visitor's seat, once; the same one until it is used or withdrawn.

        With `withdraws` it takes the seat no more, and the text is empty. Raises NotYourSeat, and NotYourTurn in a race
        and when the game is over.
        """

        def change(match: SiteMatch) -> list[SeatRow]:
            if player not in match.player_of(visitor):
                raise NotYourSeat(say("You have no such seat at this table."))
            if match.is_over:
                raise NotYourTurn(say("The game is over."))
            if match.row.race:  # or somebody would have two results in it
                raise NotYourTurn(say("In a race everybody plays one game, and hands it over to nobody."))
            seat = match.seat(player)
            return [replace(seat, invitation=None if withdraws else seat.invitation or new_id())]

        return self.change_seats(id, change, now).seat(player).invitation or ""

    def release(self, id: str, visitor: str, now: float) -> SiteMatch:
        """Leave a table that isn't full yet. If its creator leaves, the game is called off.

        Raises NotYourSeat, and NotYourTurn when the game has begun.
        """
        match = self.load(id)
        held = match.held_by(visitor)
        if match.status != "waiting":
            raise NotYourTurn(say("The game has begun; you can resign, or hand over your seat."))
        if visitor == match.row.creator:
            return self.add(match.call_off(held[0], now), now)

        def change(match: SiteMatch) -> list[SeatRow]:
            if match.status != "waiting":
                raise NotYourTurn(say("The game has begun; you can resign, or hand over your seat."))
            return [
                replace(seat, visitor=None, name="", invitation=None if seat.is_open else new_id())
                for seat in match.seats
                if seat.visitor == visitor
            ]

        return self.change_seats(id, change, now)

    # Lists.

    def put_away(self, ids: Sequence[str], visitor: str, *, away: bool = True) -> None:
        """Leave these games out of the visitor's lists, or with `away=False` list them again.

        The games themselves stay as they are, and so do the lists of others. Raises NoSuchGame for what is no id, and
        NotYourSeat, with nothing changed, where the visitor has no seat.
        """
        for id in ids:
            check_id(id)
        its = and_(seats.c.game_id.in_(ids), seats.c.visitor == visitor)
        with self.database.write() as connection:
            mine = set(connection.scalars(select(seats.c.game_id).where(its)))
            if mine < set(ids):
                raise NotYourSeat(say("You have no seat at this table."))
            connection.execute(update(seats).where(its).values(is_put_away=away))

    # Moves.

    def act(self, id: str, visitor: str, kind: str, text: str, ply: int | None, now: float) -> SiteMatch:
        """The game after a visitor's act: `kind` is one of ACTS, `text` the move.

        `ply` is how many rows the visitor has seen, or None if that doesn't matter. Raises NoSuchGame, NotYourSeat,
        NotYourTurn, Superseded, and IllegalMove or UnreadableMove. Then nothing has changed, except that the mover's
        time may have run out.
        """
        if kind not in ACTS:
            raise BadForm(say("There is no such thing to do."))
        check_id(id)
        match = self.peek(id) or self.load(id)
        for _ in range(3):
            try:
                self._let_time_fall(match, now)
                if ply not in (None, match.num_rows) and not match.is_over:
                    raise Superseded
                return self.add(match.act(visitor, kind, text, now), now)
            except (Superseded, NotYourSeat, NotYourTurn, IllegalMove):
                # The cached match may be out of date, so only the latest rows may refuse the act.
                before, match = match, self.load(id)
                if match.row.version == before.row.version:
                    raise
        raise Superseded

    def act_all(self, acts: Sequence[Act]) -> list[SiteMatch | Exception | None]:
        """What `act` returns for each of these acts that could be written in one transaction, which loads no game.

        None for any other: it isn't done, and is to be done by `act`, before later acts in its game. Where nobody knows
        whether one stands, Unsure; None if it says after which row it comes, since `act` can't do it twice then.
        """
        ready: dict[str, tuple[SiteMatch, float]] = {}
        numbers: dict[str, int] = {}  # by game: the first act in it
        for number, act in enumerate(acts):
            match = self.peek(act.id)
            if numbers.setdefault(act.id, number) != number or match is None or act.kind not in ACTS:
                continue
            if act.ply not in (None, match.num_rows):
                continue
            with suppress(Exception):  # `act` says why; a failure must not touch the other acts
                if match.after_time(act.now) is None:
                    ready[act.id] = match.act(act.visitor, act.kind, act.text, act.now), act.now
        done: list[SiteMatch | Exception | None] = [None] * len(acts)
        if ready:
            try:
                for id, after in self.add_all(list(ready.values())).items():
                    done[numbers[id]] = after
            except Unsure as error:
                for id in ready:
                    done[numbers[id]] = error if acts[numbers[id]].ply is None else None
            except (Superseded, Away, SQLAlchemyError):
                pass
        return done

    # What falls due.

    def lay_aside(self, id: str) -> None:
        """Stop waiting for moves and time in a game of older rules, which can't be continued."""
        with self.database.write() as connection:
            connection.execute(
                update(games)
                .where(games.c.id == id)
                .values(status="over", mover=None, is_computer_due=False, deadline=None, is_listed=False, network=None)
                .values(version=games.c.version + later_than(0))
            )
            connection.execute(
                update(seats)
                .where(seats.c.game_id == id)
                .values(ended_at=select(games.c.changed_at).where(games.c.id == id).scalar_subquery())
            )
            self.database.announce(connection, id)  # servers that still have the older rules show the game

    def put_off(self, id: str, until: float) -> bool:
        """Don't look before then, unless somebody moves, whether the mover's time has fallen, or who hasn't come.

        Return whether a clock runs in the game.
        """
        with self.database.write() as connection:
            its = and_(games.c.id == id, games.c.deadline.is_not(None))
            if connection.execute(update(games).where(its).values(deadline=until)).rowcount == 1:
                return True
            waits = and_(games.c.id == id, games.c.status == "waiting")
            connection.execute(update(games).where(waits).values(leased_until=until))
            return False

    def archive(self, ids: Sequence[str], before: float) -> None:
        """Put games away in which nobody has moved since then: in lists they stand with those that have ended.

        Their pages stay, and who moves there takes the game out of the archive. Nothing of the game itself changes.
        """
        is_idle = and_(games.c.id.in_(ids), games.c.status == "playing", games.c.changed_at < before)
        its_change = select(games.c.changed_at).where(games.c.id == seats.c.game_id).scalar_subquery()
        with self.database.write() as connection:
            put_away = list(connection.scalars(select(games.c.id).where(is_idle)))
            connection.execute(
                update(games)
                .where(games.c.id.in_(put_away), is_idle)
                .values(status=ARCHIVED, mover=None, network=None, version=games.c.version + later_than(0))
            )
            connection.execute(update(seats).where(seats.c.game_id.in_(put_away)).values(ended_at=its_change))
            self.database.announce(connection, *put_away)

    def call_off(self, id: str, now: float) -> SiteMatch:
        """Call the game off if a seat is still free, and return it."""
        match = self.load(id)
        if match.status != "waiting":
            return match
        try:
            return self.add(match.call_off(None, now), now)
        except Superseded:  # somebody sat down in this moment
            return self.load(id)

    def expire(self, id: str, now: float) -> SiteMatch:
        """The game; if the mover's time has run out, it ends now."""
        match = self.load(id)
        try:
            after = match.after_time(now)
            return match if after is None else self.add(after, now)
        except Superseded:  # a move came in this moment, or another process saw it too
            return self.load(id)

    def _let_time_fall(self, match: SiteMatch, now: float) -> None:
        """If the mover's time has run out, end the game and raise IllegalMove."""
        after = match.after_time(now)
        if after is not None:
            self.add(after, now).progress.check_playing()


def _kept(seat: SeatRow) -> SeatRow:
    """The seat, free and kept for whoever has it: also by a link, which the visitor who made the table can give on."""
    return replace(seat, visitor=None, invitation=new_id())


def _is_called_off(match: SiteMatch) -> bool:
    """Whether the game has ended before it began."""
    return match.is_over and any(seat.is_free for seat in match.seats)


def _seat_to_take(match: SiteMatch, visitor: str, player: int | None, invitation: str | None) -> SeatRow:
    """The seat that the visitor may take; raises SeatTaken, BadInvitation, NotYourTurn."""
    if match.is_over:
        raise NotYourTurn(say("The game is over."))
    if invitation is not None:
        for seat in match.seats:
            if seat.invitation is not None and secrets.compare_digest(seat.invitation.encode(), invitation.encode()):
                break
        else:
            raise BadInvitation(say("This link takes no seat; perhaps somebody has used it."))
    else:
        free = [seat for seat in match.seats if seat.is_open and seat.is_free and player in (None, seat.player)]
        if not free:
            raise SeatTaken(say("There is no such seat that is free."))
        seat = free[0]
    if match.player_of(visitor):
        raise SeatTaken(say("You sit at this table already; the seat is for somebody else."))
    return seat
