"""What the page of a game shows to one visitor, as plain values for `table.html`."""

from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from ...core.errors import IllegalMove, UnreadableMove
from ...core.messages import say
from ...draw.legend import without_legend
from ...draw.scene import Scene, Square, Text, signed
from ...game import Game
from ...study.proportion import proportion
from ..board import are_folded, board_html, endings
from ..errors import BadForm
from ..i18n import gettext as _
from ..i18n import ngettext, said, said_scene
from ..match import SiteMatch
from ..steps import chosen_squares, scored, window
from ..storage.days import day_of, race_page
from ..storage.listings import listed_until
from ..storage.schema import SeatRow
from . import words

FEW_VALUES = 8  # so many values that squares take can be chosen before the square


@dataclass(frozen=True)
class Player:
    """A line of the list of players."""

    number: int
    called: str  # what the board and the scores call the player, beside the name; empty where the name says it
    name: str
    who: str  # you, invited...
    score: int | None
    left: float | None  # seconds on the clock
    clock: str  # the same in words
    is_mover: bool
    is_running: bool  # whether the clock runs
    is_winner: bool


@dataclass(frozen=True)
class Question:
    """What is asked about a square: which of its moves, or which number to write there."""

    square: str
    words: str
    moves: tuple[tuple[str, str, str], ...]  # each as sent, as shown, and in words; none if a number is asked for
    prompt: str  # the beginning of the move; the number is its end
    number: str  # the number that stands there


@dataclass(frozen=True)
class Value:
    """What squares take, to be chosen before the square or after it."""

    ending: str  # of the moves that write it
    label: str
    words: str
    is_chosen: bool


@dataclass(frozen=True)
class Link:
    """An address to be given to somebody."""

    id: str
    label: str
    url: str


class TableView:
    """A match as one visitor sees it."""

    def __init__(
        self,
        match: SiteMatch,
        visitor: str,
        now: float,
        address: str,
        square: str = "",
        item: str = "",
        value: str | None = None,
        at: int | None = None,
        *,
        own: int | None = None,
        entered: str | None = None,
    ) -> None:
        """`address` is that of the site; `square`, `item` and `value` are what the visitor chose on it, if anything.

        With `at` the board, the scores and their items are shown as they were after so many moves, and nobody plays
        on it. `own` is the visitor's best score in other games of this kind, `entered` the name under which this one
        was entered into the table of best results.
        """
        self.match, self.game = match, match.game
        self.visitor = visitor
        self.held = match.player_of(visitor)
        self.at = at if at is not None and 0 <= at < match.game.ply else None
        self.may_move = match.may_move(visitor) and self.at is None
        self.base = f"/play/{match.id}"
        self._now, self._address = now, address
        self._own, self.entered = own, entered
        self.shown = self.game if self.at is None else self.game.at(self.at)
        self.items = scored(self.shown.items, item)
        scene = self.shown.scene(legal=self.may_move)
        self.question = question(scene, square) if self.may_move else None
        self.why = _why_not(self.game, scene, square) if self.may_move else ""
        self.board: Markup = board_html(
            scene,
            is_playable=self.may_move,
            ask=f"{self.base}?square=",
            asked=self.question.square if self.question else "",
            marked=chosen_squares(self.items),
            ending=value if self.may_move else None,
        )
        self.values = _values(scene, value) if self.may_move else []
        self.takes_numbers = self.may_move and any(square.prompt for square in scene.squares)
        self.number = value if value and self.takes_numbers and value.isdigit() else ""
        in_words = said_scene(scene)
        self.choices = in_words.choices if self.may_move else ()
        drawn = {shape.text for shape in without_legend(in_words).shapes if isinstance(shape, Text)}
        self.notes = [(note, note in drawn) for note in in_words.notes]  # and whether the picture says it too
        self.are_notes_folded = are_folded(in_words.notes)
        self.example = _example(scene)

    @property
    def stays_at(self) -> bool:
        """Whether an earlier position stays on the board when there are news: not for who may have to move then."""
        return self.at is not None and (not self.held or self.match.is_over)

    @property
    def title(self) -> str:
        """The title of the page. A dot in it tells, in a list of tabs, that it is one's turn."""
        title = said(self.game.entry.short_title)
        return f"● {title}" if self.may_move and len(self.match.seats) > 1 else title

    @property
    def parameters(self) -> str:
        return words.parameters_words(self.match.row)

    @property
    def clock(self) -> str:
        row = self.match.row
        return words.clock_words(row.clock, row.clock_seconds, row.clock_increment)

    @property
    def turn(self) -> str:
        return words.turn(self.match, self.visitor)

    @property
    def players(self) -> list[Player]:
        return [self._player(seat) for seat in self.match.seats]

    def _player(self, seat: SeatRow) -> Player:
        match, number = self.match, seat.player
        left = None if seat.computer else match.clock_left(number, self._now)
        later = None if left is None else match.clock_left(number, self._now + 1)
        called = _("Player %(player)s") % {"player": number}
        name = words.name_of(match, number)
        if seat.is_free:
            name = seat.name or _("A free seat")
        elif not seat.computer and not seat.name:
            name = _("You") if self.held == [number] else called
        who = "" if self.held == [number] and not seat.name else words.seat_kind(seat, self.visitor)
        if seat.computer:
            name, who = _("Computer"), words.strength(seat.computer)
        return Player(
            number=number,
            called="" if name == called or match.row.num_players == 1 else called,
            name=name,
            who=who,
            score=self.shown.scores[number - 1],
            left=left,
            clock="" if left is None else words.time_left(left),
            is_mover=number == match.mover,
            is_running=left != later,
            is_winner=number in match.winners and match.row.num_players > 1,
        )

    @property
    def first_move(self) -> tuple[float, str] | None:
        """The seconds in which a first move is to come that costs no time, also in words; None where none is due."""
        match, mover, now = self.match, self.match.mover, self._now
        left = None if mover is None else match.clock_left(mover, now)
        if mover is None or match.deadline is None or not left or left != match.clock_left(mover, now + 1):
            return None
        seconds = max(0.0, match.deadline - now)
        return seconds, words.time_left(seconds)

    @property
    def listed(self) -> tuple[float, str] | None:
        """The seconds for which the lobby lists an open seat, also in words; None without one, and for watchers."""
        match = self.match
        if not self.held or match.status != "waiting" or not any(s.is_free and s.is_open for s in match.seats):
            return None
        seconds = max(0.0, listed_until(match.row) - self._now)
        return seconds, words.time_left(seconds)

    @cached_property
    def moves(self) -> list[tuple[int, int, str]]:
        """The moves that stand, near the position on the board: number, player (0 where one plays alone), text."""
        is_alone, plies = self.match.row.num_players == 1, self.match.progress.plies
        return [
            (k + 1, 0 if is_alone else plies[k][0], self._move_called(k + 1, plies[k][1]))
            for k in window(len(plies), len(plies) if self.at is None else self.at)
        ]

    @property
    def move_before(self) -> int | None:
        """The number of the move before those that are listed; None where these begin with the first."""
        return self.moves[0][0] - 1 or None if self.moves else None

    @property
    def move_after(self) -> int | None:
        """The number of the move after those that are listed; None where these end with the last."""
        return self.moves[-1][0] + 1 if self.moves and self.moves[-1][0] < self.game.ply else None

    def _move_called(self, number: int, text: str) -> str:
        """A move as it is typed; with what it does where that is a word."""
        return words.move_called(self.game.at(number - 1), text) if text.isalpha() else signed(text)

    @property
    def stand_ins(self) -> list[str]:
        """For each reason: which of the moves that stand somebody chose in the place of a computer player, and why."""
        plies = dict[str, list[int]]()
        for ply in range(1, len(self.match.progress.plies) + 1):
            if sentence := words.stand_in_words(self.match.progress.stand_in(ply)):
                plies.setdefault(sentence, []).append(ply)
        return [
            ngettext("Move %(numbers)s: %(words)s", "Moves %(numbers)s: %(words)s", len(numbers))
            % {"numbers": ", ".join(map(str, numbers)), "words": sentence}
            for sentence, numbers in plies.items()
        ]

    @property
    def expectation(self) -> str:
        """What the computer player who moved last expects and how it knows; empty where none said it, or at the end."""
        return "" if self.match.is_over else words.expectation_words(self.match)

    @cached_property
    def proportion(self) -> str:
        """How good the score of a solitaire is that is over; empty where nothing is known."""
        return words.proportion(self.match, self._own)

    # What the visitor may do.

    @property
    def can_enter(self) -> bool:
        """Whether the visitor may enter the game into the table of best results."""
        may = self.held and self.entered is None and not self.match.row.start
        found = proportion(self.game) if may else None
        return found is not None and found.is_best and not found.is_known

    @property
    def can_be_judged(self) -> bool:
        """Whether an analysis can say how many of the visitor's moves kept the result."""
        return self.match.is_over and bool(self.held) and self.match.row.num_players == 2 and self.game.ply > 0

    @property
    def race_page(self) -> str:
        """Where the ranking of the game's race or day is; empty without one."""
        return race_page(self.match.row.race) if self.match.row.race else ""

    @property
    def is_daily(self) -> bool:
        """Whether this is a visitor's game of a day."""
        return day_of(self.match.row.race) is not None

    @property
    def can_undo(self) -> bool:
        match = self.match
        return match.status == "playing" and match.offer is None and bool(match.progress.undo_count(self.held))

    @property
    def asks_to_undo(self) -> bool:
        """Whether taking back needs the agreement of others; else it happens at once."""
        return bool(self.match.progress.asked_to_undo(self.held))

    @property
    def asks_for_draw(self) -> bool:
        """The same of a draw."""
        return bool(self.match.progress.others(self.held))

    @property
    def can_resign(self) -> bool:
        return self.match.status == "playing" and self.match.progress.is_in(self.held)

    @property
    def can_ask_reachable(self) -> bool:
        """Whether it is told which score can still be reached: alone, not in a race, and in the last position."""
        return self.can_resign and self.at is None and self.match.row.num_players == 1 and not self.match.row.race

    @property
    def can_ask_hint(self) -> bool:
        """Whether the visitor gets a hint: to move, and against nobody but computers."""
        return self.may_move and self.match.may_ask_hint(self.held)

    @property
    def can_offer_draw(self) -> bool:
        return self.can_resign and self.match.offer is None and self.match.progress.can_offer_draw(self.held)

    @property
    def offer(self) -> str:
        """What is offered, as sentences."""
        offer = self.match.offer
        if offer is None:
            return ""
        is_own = offer.by in self.held and not self.is_asked
        return words.offered(self.match, offer.by, offer.kind, is_own=is_own)

    @property
    def is_asked(self) -> bool:
        """Whether the visitor may answer the offer."""
        return self.match.offer is not None and any(player in self.match.offer.asked for player in self.held)

    @property
    def can_rematch(self) -> bool:
        match = self.match
        return match.is_over and bool(self.held) and not match.row.race and not any(s.is_free for s in match.seats)

    @property
    def open_seat(self) -> int | None:
        """The first seat that the visitor may take here."""
        if self.held or self.match.is_over:
            return None
        return next((seat.player for seat in self.match.seats if seat.is_free and seat.is_open), None)

    @property
    def invitations(self) -> list[Link]:
        """The links that take a free seat; only the visitor who made the table sees them."""
        if self.visitor != self.match.row.creator or self.match.is_over:
            return []
        return [
            Link(
                f"invitation-{seat.player}",
                _("Link for player %(player)s") % {"player": seat.player},
                f"{self._address}{self.base}/seat/{seat.invitation}",
            )
            for seat in self.match.seats
            if seat.invitation and seat.is_free
        ]

    @property
    def watching(self) -> Link:
        return Link("watching", _("Link to watch"), f"{self._address}{self.base}")

    @property
    def can_hand_over(self) -> bool:
        """Whether a seat of the visitor may go to somebody else: not in a race, where everybody has one game."""
        return bool(self.held) and not self.match.is_over and not self.match.row.race

    @property
    def can_release(self) -> bool:
        return self.match.status == "waiting" and bool(self.held)


def check_square(scene: Scene, name: str) -> None:
    """Raise BadForm where a name is given and the board has no such square."""
    if name and all(square.name != name for square in scene.squares):
        raise BadForm(say("The board has no such square."))


def question(scene: Scene, name: str) -> Question | None:
    """The question about the square of this name; None where there is nothing to ask."""
    square: Square | None = next((square for square in scene.squares if square.name == name), None)
    if square is None or not (square.prompt or len(square.moves) > 1):
        return None
    number = square.glyph if square.glyph.isdigit() else ""
    meanings = square.move_words or ("",) * len(square.moves)
    moves = [(move, move.removeprefix(f"{name}="), said(w)) for move, w in zip(square.moves, meanings, strict=True)]
    return Question(name, said(square.words), () if square.prompt else tuple(moves), square.prompt, number)


def _values(scene: Scene, chosen: str | None) -> list[Value]:
    """What squares take, where they take one of a few values."""
    found = endings(scene)
    if len(found) > FEW_VALUES:
        return []
    return [Value(ending, ending.removeprefix("="), said(words), ending == chosen) for ending, words in found.items()]


def _why_not(game: Game, scene: Scene, name: str) -> str:
    """The rule that forbids a move on the square of this name; empty where one is legal, or there is no such square."""
    square = next((square for square in scene.squares if square.name == name), None)
    if square is None or square.prompt or square.moves:
        return ""
    # A move is the name of its square and perhaps an ending, as in 5=0 or 12!: one of those that are legal elsewhere.
    endings = {move.removeprefix(one.name) for one in scene.squares for move in one.moves if move.startswith(one.name)}
    unreadable = ""
    for ending in ("", *sorted(endings)):
        try:
            game.read(f"{name}{ending}")
        except IllegalMove as error:
            return said(error)
        except UnreadableMove as error:
            unreadable = said(error)
    return unreadable


def _example(scene: Scene) -> str:
    """A move as it could be typed."""
    for square in scene.squares:
        if square.prompt or square.moves:
            return f"{square.prompt}7" if square.prompt else square.moves[0]
    return scene.choices[0].move if scene.choices else ""
