"""A game on the site, as its rows tell it.

A Match is a value: it is made from the rows of a game and never changes; `after(row)` is the match with one row more.
It has no database and no clock of its own: `now` is an argument.

The rows of `moves` are of these kinds:

    start        all seats are taken; clocks may run from here
    move         text: the move
    undo         text: how many moves the player takes back, alone or against the computer
    offer-draw   text: the players who must agree, as `2,3`; where there are none, it is a draw at once
    offer-undo   the same; when all have agreed, the game is as it was before the offerer's last move
    accept       text: the players for whom it is said; when all asked have agreed, what was offered comes about
    decline      the offer is off, and can't be repeated before the next move
    resign       all others share the win
    time         the player's time has fallen; `at` is when
    call-off     by the last who sat at a table that never filled
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from .. import catalog
from ..core.errors import IllegalMove, UnreadableMove
from ..core.parameters import read_parameters
from ..game import Game
from ..records.record import Record, Termination
from .errors import Gone, NotYourSeat, NotYourTurn
from .storage.schema import GameRow, MoveRow, SeatRow

KINDS = ("start", "move", "undo", "offer-draw", "offer-undo", "accept", "decline", "resign", "time", "call-off")
ACTS = ("move", "undo", "resign", "draw", "accept", "decline")  # what a visitor may ask for, in `row_for`
MOST_ROWS = 10_000  # of a game; with so many it ends, shared by all
LONGEST_MOVE = 100  # characters, as typed
FIRST_MOVE_SECONDS = 300.0  # each player's first move isn't on a live clock, and may take this long or the whole time


@dataclass(frozen=True, slots=True)
class Offer:
    """A draw, or taking moves back, offered by a player and not yet agreed to by those in `asked`."""

    kind: str  # draw or undo
    by: int
    asked: tuple[int, ...]


class Match:
    """A game on the site with its seats, clock, offers and result."""

    def __init__(self, row: GameRow, seats: Sequence[SeatRow], rows: Sequence[MoveRow]) -> None:
        """Trusts the rows. Raises Gone for a game by other rules than today's."""
        self.row = row
        self.seats = tuple(seats)
        self.rows: tuple[MoveRow, ...] = ()
        self.offer: Offer | None = None
        self.termination: Termination | None = None
        self._played: list[tuple[int, str]] = []  # player and text of the moves that stand
        self._left = (row.clock_seconds,) * row.num_players  # of live clocks, when the mover's turn began
        self._since = row.created_at  # when the mover's turn began
        self._moved: frozenset[int] = frozenset()  # who has ever moved
        self._refused: frozenset[tuple[str, int]] = frozenset()  # offers declined since the last move
        self.kept: dict[object, object] = {}
        """What others have worked out about this match and want to find again."""
        for each in rows:
            self._fold(each)
        self.rows = tuple(rows)
        self.game = self._game()
        self._end_if_too_long()

    def after(self, added: MoveRow, row: GameRow | None = None) -> "Match":
        """The match with one row more; `row` is its new summary."""
        twin = Match.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.row, twin.kept = row or self.row, {}
        twin._played = self._played[:]
        twin._fold(added)
        twin.rows = (*self.rows, added)
        if len(twin._played) > len(self._played):
            twin.game = self.game.copy()
            twin.game.play(added.text)
        elif len(twin._played) < len(self._played):
            twin.game = twin._game()
        twin._end_if_too_long()
        return twin

    def with_row(self, row: GameRow, seats: Sequence[SeatRow] | None = None) -> "Match":
        """The same match with another summary, and other people in its seats."""
        twin = Match.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.row, twin.kept = row, {}
        twin.seats = self.seats if seats is None else tuple(seats)
        return twin

    # What is so.

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def num_rows(self) -> int:
        return len(self.rows)

    @property
    def is_over(self) -> bool:
        return self.termination is not None or (bool(self.rows) and self.game.is_over)

    @property
    def status(self) -> str:
        """`waiting` for people to sit down, `playing` or `over`."""
        return "over" if self.is_over else "playing" if self.rows else "waiting"

    @property
    def mover(self) -> int | None:
        """The player to move; None while waiting, and when the game is over."""
        return self.game.mover if self.status == "playing" else None

    @property
    def winners(self) -> list[int]:
        """The winners, several where they share the win; empty while playing, and where nobody wins."""
        if not self.is_over:
            return []
        return list(self.termination.winners) if self.termination else self.game.winners

    @property
    def is_computer_to_move(self) -> bool:
        return self.mover is not None and bool(self.seat(self.mover).computer)

    def seat(self, player: int) -> SeatRow:
        return self.seats[player - 1]

    def player_of(self, visitor: str) -> list[int]:
        """The players whose seats the visitor holds."""
        return [seat.player for seat in self.seats if seat.visitor == visitor]

    def may_move(self, visitor: str) -> bool:
        """Whether the visitor holds the seat of the player to move."""
        return self.mover is not None and self.seat(self.mover).visitor == visitor

    @property
    def plies(self) -> list[tuple[int, str]]:
        """The moves that stand, each with its player."""
        return self._played[:]

    def clock_left(self, player: int, now: float) -> float | None:
        """The seconds that the player has: live, for the rest of the game; days, for a move. None without a clock.

        A live clock doesn't run during a player's first move, and none runs for computer players.
        """
        if self.row.clock == "none":
            return None
        left = self._left[player - 1]
        runs = player == self.mover and not self.seat(player).computer
        if runs and (self.row.clock == "days" or player in self._moved):
            left -= now - self._since
        return max(0.0, left)

    @property
    def deadline(self) -> float | None:
        """When the time of the player to move falls, in seconds since 1970; None where it can't."""
        mover = self.mover
        if self.row.clock == "none" or mover is None or self.seat(mover).computer:
            return None
        left = self._left[mover - 1]
        if self.row.clock == "live" and mover not in self._moved:
            left = max(left, FIRST_MOVE_SECONDS)
        return self._since + left

    def record(self) -> Record:
        """The record of the game as it stands, with the names of the seats and the date."""
        date = datetime.fromtimestamp(self.row.created_at, UTC).date().isoformat()
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

    # What may be done.

    def row_for(self, visitor: str, kind: str, text: str, now: float) -> MoveRow:
        """The row that a visitor's act adds; `kind` is one of ACTS, `text` the move.

        Raises NotYourSeat, NotYourTurn, and IllegalMove or UnreadableMove, with a sentence.
        """
        held = self.player_of(visitor)
        if not held:
            raise NotYourSeat("You have no seat at this table.")
        if self.is_over:
            reason = f"The game is over: {self.termination.reason}." if self.termination else "The game is over."
            raise IllegalMove(reason)
        if not self.rows:
            raise NotYourTurn("The game has not begun: a seat is still free.")
        if kind == "move":
            return self._added(self._held_mover(held), "move", self.legal_text(text), now)
        if kind == "undo":
            return self._undo(held, now)
        if kind == "resign":
            return self._added(self._speaker(held), "resign", "", now)
        if kind == "draw":
            return self._draw(held, now)
        return self._answer(held, kind, now)

    def computer_row(self, text: str, now: float) -> MoveRow:
        """The row that a computer player's move adds; raises IllegalMove where none is to move, or as a move does."""
        if not self.is_computer_to_move or self.mover is None:
            raise IllegalMove("No computer player is to move.")
        return self._added(self.mover, "move", self.legal_text(text), now)

    def time_row(self, now: float) -> MoveRow | None:
        """The row that the fallen time of the mover adds; None while there is time."""
        deadline = self.deadline
        if deadline is None or now < deadline or self.mover is None:
            return None
        return self._added(self.mover, "time", "", deadline)

    def start_row(self, now: float) -> MoveRow:
        """The row with which the game begins."""
        return self._added(0, "start", "", now)

    def legal_text(self, text: str) -> str:
        """A move as people type it, perhaps with blanks and capitals, as it is written; raises as `Game.play`."""
        if len(text) > LONGEST_MOVE:
            raise UnreadableMove(f"A move has at most {LONGEST_MOVE} characters.")
        rules, state = self.game.rules, self.game.state
        try:
            move = rules.read_move(state, text.strip())
        except UnreadableMove:
            move = rules.read_move(state, "".join(text.split()).lower())
        if self.game.is_over:
            raise IllegalMove("The game is over.")
        broken = rules.broken_rule(state, move)
        if broken:
            raise IllegalMove(broken)
        return rules.move_text(state, move)

    def undo_count(self, held: Sequence[int]) -> int:
        """How many moves go back to before the last one by any of these players; 0 where they have not moved."""
        for count, (player, _) in enumerate(reversed(self._played), 1):
            if player in held:
                return count
        return 0

    def others(self, held: Sequence[int]) -> tuple[int, ...]:
        """The players whose seats other people hold."""
        return tuple(seat.player for seat in self.seats if not seat.computer and seat.player not in held)

    def _held_mover(self, held: list[int]) -> int:
        mover = self.mover
        if mover is None or mover not in held:
            if self.is_computer_to_move:
                raise NotYourTurn("It is the computer's turn.")
            raise NotYourTurn("It is not your turn.")
        return mover

    def _speaker(self, held: list[int]) -> int:
        """For whom of the players that one visitor holds something is said: the mover, else the first."""
        return self.mover if self.mover in held and self.mover is not None else held[0]

    def _undo(self, held: list[int], now: float) -> MoveRow:
        count = self.undo_count(held)
        if not count:
            raise IllegalMove("There is no move of yours to take back.")
        player = self._played[-count][0]
        if not self.others(held):
            return self._added(player, "undo", str(count), now)
        return self._offered("undo", player, held, now)

    def _draw(self, held: list[int], now: float) -> MoveRow:
        if self.row.num_players == 1:
            raise IllegalMove("A game for one has no draw.")
        if any(seat.computer for seat in self.seats) and not self.others(held):
            raise IllegalMove("The computer agrees to no draw.")
        return self._offered("draw", self._speaker(held), held, now)

    def _offered(self, kind: str, by: int, held: list[int], now: float) -> MoveRow:
        if self.offer is not None:
            raise IllegalMove("There is an offer already that waits for an answer.")
        if any((kind, player) in self._refused for player in held):
            raise IllegalMove("This was declined; it can be offered again after the next move.")
        return self._added(by, f"offer-{kind}", _joined(self.others(held)), now)

    def _answer(self, held: list[int], kind: str, now: float) -> MoveRow:
        asked = [player for player in held if self.offer is not None and player in self.offer.asked]
        if not asked:
            raise IllegalMove("There is no offer for you to answer.")
        return self._added(asked[0], kind, _joined(asked), now)

    def _added(self, player: int, kind: str, text: str, now: float) -> MoveRow:
        last = self.rows[-1].at if self.rows else self.row.created_at
        return MoveRow(self.num_rows, player, kind, text, max(now, last))  # the clocks of two servers may differ

    # What the rows mean.

    def _game(self) -> Game:
        """The game after the moves that stand."""
        entry = catalog.get(self.row.game)
        if self.row.rules_version != entry.rules.VERSION:
            raise Gone("This game was played by an earlier version of its rules and can't be shown any more.")
        game = Game(entry, read_parameters(entry.rules.PARAMETERS, self.row.parameters, files=False))
        for _, text in self._played:
            game.play(text)
        return game

    def _fold(self, row: MoveRow) -> None:
        """Take one row into account, but for the game itself."""
        if row.kind == "start":
            self._since = row.at
        elif row.kind == "move":
            self._press(row)
            self._played.append((row.player, row.text))
            self.offer, self._refused = None, frozenset()
        elif row.kind == "undo":
            self._take_back(int(row.text), row)
        elif row.kind in ("offer-draw", "offer-undo"):
            self.offer = Offer(row.kind.removeprefix("offer-"), row.player, _players(row.text))
            self._agree(row)
        elif row.kind == "accept" and self.offer is not None:
            agreed = _players(row.text)
            self.offer = replace(self.offer, asked=tuple(p for p in self.offer.asked if p not in agreed))
            self._agree(row)
        elif row.kind == "decline" and self.offer is not None:
            self._refused |= {(self.offer.kind, self.offer.by)}
            self.offer = None
        elif row.kind == "resign":
            self._end(f"player {row.player} resigned", loser=row.player)
        elif row.kind == "time":
            self._end(f"the time of player {row.player} has run out", loser=row.player)
        elif row.kind == "call-off":
            self.termination = Termination("the game was called off")

    def _press(self, row: MoveRow) -> None:
        """The player has moved: what it cost on a live clock; and the next turn begins."""
        if self.row.clock == "live" and not self.seat(row.player).computer:
            used = row.at - self._since if row.player in self._moved else 0.0
            self._add_time(row.player, -used)
            self._add_time(row.player, self.row.clock_increment)
        self._moved |= {row.player}
        self._since = row.at

    def _add_time(self, player: int, seconds: float) -> None:
        left = max(0.0, self._left[player - 1] + seconds)
        self._left = (*self._left[: player - 1], left, *self._left[player:])

    def _take_back(self, count: int, row: MoveRow) -> None:
        """The moves are gone, and on a live clock what was added for them; time that was used stays used.

        Who takes back alone pays for the time until then; what is agreed upon costs nobody the time of the talk.
        """
        first = len(self._played) - count
        if self.row.clock == "live":
            if row.kind == "undo" and row.player in self._moved:
                self._add_time(row.player, self._since - row.at)
            for player, _ in self._played[first:]:
                if not self.seat(player).computer:
                    self._add_time(player, -self.row.clock_increment)
        del self._played[first:]
        self._since = row.at
        self.offer, self._refused = None, frozenset()

    def _agree(self, row: MoveRow) -> None:
        """Let what is offered come about, if nobody is left to be asked."""
        offer = self.offer
        if offer is None or offer.asked:
            return
        self.offer = None
        if offer.kind == "undo":
            self._take_back(self.undo_count([offer.by]), row)
        else:
            self._end("a draw by agreement")

    def _end(self, reason: str, loser: int = 0) -> None:
        winners = tuple(seat.player for seat in self.seats if seat.player != loser)
        self.offer = None
        self.termination = Termination(reason, winners)

    def _end_if_too_long(self) -> None:
        """End a game of very many moves, so that none grows for ever."""
        if len(self.rows) >= MOST_ROWS and not self.is_over:
            self._end(f"{MOST_ROWS} moves are the most that are played here")


def _joined(players: Sequence[int]) -> str:
    return ",".join(map(str, players))


def _players(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(",") if word)
