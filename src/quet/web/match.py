"""A match on the site: reads the rows of a game as events, and writes the acts of visitors as rows.

`play.match` says what events do to a game. This module knows the kinds of rows, who holds which seat, and the clocks
and limits of the site. The rows of `moves` are of these kinds:

    start        all seats are taken; clocks may run from here
    move         text: the move
    move/WHO     the same, chosen by WHO in the place of a computer player: `plain` is plain Python while its code was
                 being compiled; else a weaker computer player, as `move/level:1`, or chance, `move/random`
    undo         text: how many moves the player takes back, alone or against the computer
    offer-draw   text: the players who must agree, as `2,3`; where there are none, it is a draw at once
    offer-undo   the same; when all have agreed, the game is as it was before the offerer's last move
    accept       text: the players for whom it is said; when all asked have agreed, what was offered comes about
    decline      the offer is off, and can't be repeated before the next move
    resign       all others who are still in the game share the win
    time         the player's time has fallen; `at` is when; the others as above
    call-off     by whoever made the table and left it before all seats were taken, or by nobody where one stayed free
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from .. import catalog
from ..core.errors import BadParameter, BadRecord, BrokenRules, UnknownGame, UnreadableMove
from ..core.messages import say
from ..core.parameters import read_parameters
from ..game import Game
from ..play.clock import Clock
from ..play.events import Accepted, Begun, CalledOff, Declined, Event, Moved, Offered, Resigned, TimeFell, TookBack
from ..play.match import Match, Offer
from ..records.record import Record, Termination, read
from .errors import Gone, Missing, NotYourSeat
from .storage.schema import GameRow, MoveRow, SeatRow, date_of, message_of, message_text

ACTS = ("move", "undo", "resign", "draw", "accept", "decline")  # what a visitor may ask for, in `act`
BY = "/"  # in the kind of a row, before who chose the move in the place of a computer player
MOST_ROWS = 10_000  # of a game; a game with so many ends, and all share the win
LONGEST_MOVE = 100  # characters, as typed
FIRST_MOVE_SECONDS = (
    300.0  # a first move costs no time on a live clock; it may take this long, or the whole time if that is longer
)


@dataclass(frozen=True, eq=False)
class SiteMatch:
    """A match with its rows: a value that never changes. `SiteMatch.of` reads the rows of a game."""

    row: GameRow
    seats: tuple[SeatRow, ...]
    rows: tuple[MoveRow, ...]
    progress: Match  # what follows from the rows
    news: dict[str, str] = field(default_factory=dict)  # by language: what the last row did, in words
    begins: Game | None = None  # the game that its start has, where it has one: a paper takes long to read once more

    @classmethod
    def of(
        cls, row: GameRow, seats: Sequence[SeatRow], rows: Sequence[MoveRow], game: Game | None = None
    ) -> "SiteMatch":
        """The match of these rows, which are trusted; so is the `game` with which it begins, if somebody has read it.

        Raises Gone for a game by other rules than today's, and Missing where the rules aren't here.
        """
        try:
            entry = catalog.get(row.game)
            version = entry.rules.VERSION
        except (UnknownGame, BrokenRules):
            raise Missing from None
        if row.rules_version != version:
            raise Gone(say("This game was played by an earlier version of its rules and can't be shown any more."))
        try:
            if game is not None:
                pass
            elif row.start:
                game = read(row.start).game
            else:
                game = Game(entry, read_parameters(entry.rules.PARAMETERS, row.parameters, files=False))
        except (BadParameter, BadRecord):  # other values than today's rules take
            raise Missing from None
        computers = [seat.player for seat in seats if seat.computer]
        events = map(event_of, rows)
        match = Match.of(game, events, computers=computers, clock=_clock(row))
        return cls(row, tuple(seats), tuple(rows), _limited(match, rows), begins=game if row.start else None)

    def after(self, event: Event) -> "SiteMatch":
        """The match after one more event, which becomes its last row.

        Times never go back, though servers' clocks differ.
        """
        last = self.rows[-1].at if self.rows else self.row.created_at
        if event.at < last:
            event = replace(event, at=last)
        rows = (*self.rows, row_of(self.num_rows, event))
        return replace(self, rows=rows, progress=_limited(self.progress.after(event), rows), news={})

    def with_row(self, row: GameRow, seats: Sequence[SeatRow] | None = None) -> "SiteMatch":
        """The same match with another summary, and other people in its seats."""
        return replace(self, row=row, seats=self.seats if seats is None else tuple(seats), news={})

    # The state.

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def num_rows(self) -> int:
        return len(self.rows)

    @property
    def game(self) -> Game:
        return self.progress.game

    @property
    def is_over(self) -> bool:
        return self.progress.is_over

    @property
    def status(self) -> str:
        """`waiting` for people to sit down, `playing` or `over`."""
        return "over" if self.is_over else "playing" if self.progress.has_begun else "waiting"

    @property
    def mover(self) -> int | None:
        """The player to move; None while waiting, and when the game is over."""
        return self.progress.mover

    @property
    def winners(self) -> list[int]:
        return self.progress.winners

    @property
    def termination(self) -> Termination | None:
        return self.progress.termination

    @property
    def offer(self) -> Offer | None:
        return self.progress.offer

    @property
    def is_computer_to_move(self) -> bool:
        return self.progress.is_computer_to_move

    @property
    def deadline(self) -> float | None:
        """When the time of the player to move runs out, in seconds since 1970; None without a running clock."""
        return self.progress.deadline

    def clock_left(self, player: int, now: float) -> float | None:
        """The seconds that the player has left, or had at the end: for the game if live, for a move if in days.

        None without a clock.
        """
        return self.progress.clock_left(player, now)

    def seat(self, player: int) -> SeatRow:
        return self.seats[player - 1]

    def player_of(self, visitor: str) -> list[int]:
        """The players whose seats the visitor holds."""
        return [seat.player for seat in self.seats if seat.visitor == visitor]

    def held_by(self, visitor: str) -> list[int]:
        """The players whose seats the visitor holds, at least one; raises NotYourSeat where there is none."""
        held = self.player_of(visitor)
        if not held:
            raise NotYourSeat(say("You have no seat at this table."))
        return held

    def may_ask_hint(self, held: Sequence[int]) -> bool:
        """Whether whoever holds these seats may get hints: nobody else plays but computers, and it is no race."""
        return bool(held) and not self.row.race and not self.progress.others(held)

    def may_move(self, visitor: str) -> bool:
        """Whether the visitor holds the seat of the player to move."""
        return self.mover is not None and self.seat(self.mover).visitor == visitor

    def record(self) -> Record:
        """The record of the game as it stands, with the names of the seats and the date."""
        date = date_of(self.row.date, self.row.created_at)
        names = {f"Player{seat.player}": seat.name or "?" for seat in self.seats}
        return Record.of(self.game, tags={"Date": date, **names}, termination=self.termination)

    @property
    def summary(self) -> GameRow:
        """The row of `games` that belongs to these moves; its version and the time are the store's."""
        return replace(
            self.row,
            status=self.status,
            mover=self.mover,
            is_computer_due=self.is_computer_to_move,
            deadline=self.deadline,
            num_rows=self.num_rows,
        )

    # Acts and events.

    def act(self, visitor: str, kind: str, text: str, now: float) -> "SiteMatch":
        """The match after a visitor's act; `kind` is one of ACTS, `text` the move.

        Raises NotYourSeat, NotYourTurn, and IllegalMove or UnreadableMove, with a sentence.
        """
        held = self.held_by(visitor)
        progress = self.progress
        progress.check_playing()
        event: Event
        if kind == "move":
            progress.check_turn(held)
            if len(text) > LONGEST_MOVE:
                raise UnreadableMove(say("A move has at most {longest} characters.", longest=LONGEST_MOVE))
            event = progress.move(held, text, now)
        elif kind == "undo":
            event = progress.undo(held, now)
        elif kind == "resign":
            event = progress.resign(held, now)
        elif kind == "draw":
            event = progress.offer_draw(held, now)
        elif kind == "accept":
            event = progress.accept(held, now)
        else:
            event = progress.decline(held, now)
        return self.after(event)

    def computer_move(self, text: str, now: float, stand_in: str = "", expects: str = "") -> "SiteMatch":
        """The match after a computer player's move. Raises IllegalMove if none is to move, or as a move does."""
        return self.after(self.progress.computer_move(text, now, stand_in, message_text(expects)))

    @property
    def expectation(self) -> tuple[int, str]:
        """The player of the last computer's move that stands, and what it expected, as `Player.expects`; 0 and empty
        where no computer player moved lately, or a move was taken back since.
        """
        for row in self.rows[: -1 - 2 * self.row.num_players : -1]:
            if row.kind in ("undo", "accept"):
                break
            if row.expects:
                return row.player, message_of(row.expects)
        return 0, ""

    def begin(self, now: float) -> "SiteMatch":
        """The match when all seats are taken."""
        return self.after(Begun(now))

    def call_off(self, player: int | None, now: float) -> "SiteMatch":
        """The match, called off by this player, or by nobody, before it began."""
        return self.after(CalledOff(now, player))

    def after_time(self, now: float) -> "SiteMatch | None":
        """The match after the time of the player to move has run out; None while there is time."""
        fallen = self.progress.time_fallen(now)
        return None if fallen is None else self.after(fallen)


def event_of(row: MoveRow) -> Event:
    """The event that a row of `moves` records. Raises ValueError for an unknown kind of row."""
    at, player, text = row.at, row.player, row.text
    kind, _, stand_in = row.kind.partition(BY)
    match kind:
        case "start":
            return Begun(at)
        case "move":
            return Moved(at, player, text, stand_in=stand_in, expects=row.expects)
        case "undo":
            return TookBack(at, player, int(text))
        case "offer-draw" | "offer-undo":
            return Offered(at, player, row.kind.removeprefix("offer-"), _players(text))
        case "accept":
            return Accepted(at, _players(text))
        case "decline":
            return Declined(at, _players(text))
        case "resign":
            return Resigned(at, player)
        case "time":
            return TimeFell(at, player)
        case "call-off":
            return CalledOff(at, player or None)
    raise ValueError(f"There is no row of kind {row.kind!r}.")


def row_of(number: int, event: Event) -> MoveRow:
    """The row of `moves` that records an event, with its number in the game. Raises ValueError if no kind fits."""
    at = event.at
    match event:
        case Begun():
            return MoveRow(number, 0, "start", "", at)
        case Moved(_, player, text, _, stand_in, expects):
            return MoveRow(number, player, f"move{BY}{stand_in}" if stand_in else "move", text, at, expects)
        case TookBack(_, player, count) if player is not None:
            return MoveRow(number, player, "undo", str(count), at)
        case Offered(_, player, kind, asked):
            return MoveRow(number, player, f"offer-{kind}", _joined(asked), at)
        case Accepted(_, players):
            return MoveRow(number, players[0], "accept", _joined(players), at)
        case Declined(_, players):
            return MoveRow(number, players[0], "decline", _joined(players), at)
        case Resigned(_, player):
            return MoveRow(number, player, "resign", "", at)
        case TimeFell(_, player):
            return MoveRow(number, player, "time", "", at)
        case CalledOff(_, caller):
            return MoveRow(number, caller or 0, "call-off", "", at)
    raise ValueError(f"No row tells of {event}.")


def _clock(row: GameRow) -> Clock | None:
    """The clock of a game. None runs for computer players."""
    if row.clock == "none":
        return None
    if row.clock == "days":
        return Clock(row.clock_seconds, is_per_move=True, runs_for_computers=False)
    return Clock(row.clock_seconds, row.clock_increment, first_move=FIRST_MOVE_SECONDS, runs_for_computers=False)


def _limited(match: Match, rows: Sequence[MoveRow]) -> Match:
    """The match, ended if it has very many rows, so that none grows for ever."""
    if len(rows) < MOST_ROWS or match.is_over:
        return match
    return match.ended(say("{most} moves are the most that are played here", most=MOST_ROWS), rows[-1].at)


def _joined(players: Iterable[int]) -> str:
    return ",".join(map(str, players))


def _players(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(",") if word)
