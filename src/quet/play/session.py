"""A game at one keyboard, in the terminal or line by line.

`play.match` has the rules of moving, taking back and time. A Session adds the seats with their computer players, and
reads the wall clock.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import takewhile

from ..core.arguments import shown
from ..core.errors import BadParameter, IllegalMove
from ..core.messages import joined, say
from ..game import Game
from ..knowledge.hints import Hints
from ..players.meeting import wrong_number
from ..players.player import PLAYERS, STAND_IN, UNPROVEN, PerfectPlayer, Player, expectation, player
from ..records.outcome import outcome
from ..records.record import Record, Termination
from ..study.proportion import in_proportion
from .clock import Clock
from .events import Begun, TookBack
from .match import Match

STEPS = "Save the game, and quet replay --steps shows each of its positions."
DECLINED = "The computer declines the draw: its score is better."


Kept = tuple[list[str], Termination | None]
"""What a file keeps of a game that can change: the moves, and how it was ended if its rules didn't."""


@dataclass(frozen=True)
class Choice:
    """A computer player's move."""

    move: str
    stand_in: str = ""  # who chose it in the player's place, as `Player.stand_in`
    expects: str = ""  # what it is worth, as `Player.expects`

    @property
    def expectation(self) -> str:
        """What the player expects and how that is known, as a sentence; empty where nobody has looked."""
        return expectation(self.expects)

    @property
    def replacement(self) -> str:
        """Why another level chose the move in the player's place, as a sentence; empty where none did."""
        if self.stand_in != UNPROVEN:
            return ""
        return say(
            "The position can't be solved in a few seconds and no tablebase of it is saved, so {name} moved.",
            name=STAND_IN,
        )


@dataclass(frozen=True)
class Seat:
    """Who plays for one player: a person, or the computer player of this name."""

    name: str = "person"
    computer: str = ""  # a name known to `players.player`; empty for a person


def seat(who: str) -> Seat:
    """The seat of `person`, or of the computer player of this name; raises BadParameter."""
    if who == "person":
        return Seat()
    if who not in PLAYERS:
        raise BadParameter(
            say("There is no player {name}; there is person, {players}.", name=shown(who), players=", ".join(PLAYERS))
        )
    return Seat(who, who)


class Session:
    """A game in progress between the seats, player 1 first.

    >>> import quet
    >>> session = Session(quet.new("palindromes", m=4), [Seat("Ann"), Seat("random", "random")], seed=1)
    >>> session.play("1=0")
    >>> reply = session.play_computer().move
    >>> session.undo() == ["1=0", reply]
    True
    >>> session.redo() == ["1=0", reply]
    True
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seat] = (),
        *,
        clock: Clock | None = None,
        seed: int | None = None,
        memory: int | None = None,
        now: Callable[[], float] = time.monotonic,
        termination: Termination | None = None,
    ) -> None:
        """Seats not given are persons. The session continues a copy of the game.

        `memory` is the bytes of a computer player's search, if limited.
        `now` returns seconds and never goes back; tests give their own. `termination` says how the game has ended
        already, if it has. level:6 moves in place of level:perfect where the position isn't solved, as on the site.
        Raises BadParameter for more seats than players, or an unknown computer player.
        """
        if len(seats) > game.num_players:
            raise wrong_number(game, len(seats))
        self.seats = [*seats, *[Seat()] * (game.num_players - len(seats))]
        self.clock = clock
        self._seed, self._memory = seed, memory
        self.hints = Hints()  # asked in the name of persons; none contradicts another
        self.own_best: int | None = None  # the player's best score in solitaires of this kind before, if it is known
        self._computers: dict[int, Player] = {
            i: player(seat.computer, None if seed is None else seed + i, memory=memory)
            for i, seat in enumerate(self.seats, 1)
            if seat.computer
        }
        self._thinking = threading.Lock()  # a computer player is asked by one thread at a time
        for computer in self._computers.values():
            if isinstance(computer, PerfectPlayer):
                computer.is_replaced = True
        self._now = now
        self._start = game, termination
        self.begin()
        self._begun_from = Record(game, {"Date": date.today().isoformat()})
        self._is_resumed = False
        self.file = ""  # the name of the file from which it was loaded, if it is the only game there

    def begin(self) -> None:
        """Begin the game now, as it was given: whoever is to move has all the time. What was played since is gone."""
        game, termination = self._start
        begun = [Begun(self._now())]
        self._match = Match.of(game, begun, computers=self._computers, clock=self.clock, termination=termination)

    @classmethod
    def resume(
        cls,
        record: Record,
        *,
        clock: Clock | None = None,
        seed: int | None = None,
        memory: int | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> "Session":
        """A session that continues the game of a record, with its computer players. All others are persons.

        Clocks begin anew, as a record has none. `seed`, `memory` and `now` are as for a new session.
        """
        names = [record.tags.get(f"Player{i}", "person") for i in record.game.players]
        seats = [Seat(name, name if name in PLAYERS else "") for name in names]
        session = cls(
            record.game, seats, clock=clock, seed=seed, memory=memory, now=now, termination=record.termination
        )
        session._begun_from, session._is_resumed = record, True
        return session

    def another(self, record: Record) -> "Session":
        """The game of a record at this table: with its clock, set anew, its seed and its limit of memory."""
        return self.another_under(self.clock, record)

    def another_under(self, clock: Clock | None, record: Record) -> "Session":
        """The game of a record at this table, but with this clock."""
        return Session.resume(record, clock=clock, seed=self._seed, memory=self._memory, now=self._now)

    @property
    def clocks_anew(self) -> str:
        """That the clocks of a game from a file have begun anew, as a sentence; empty where none have."""
        has_begun = self._is_resumed and self.clock is not None and not self.is_over
        return "The clocks begin anew: a file keeps none." if has_begun else ""

    @property
    def match(self) -> Match:
        """The match as it stands at this moment."""
        fallen = self._match.time_fallen(self._now())
        if fallen is not None:
            self._match = self._match.after(fallen)
        return self._match

    @property
    def game(self) -> Game:
        """The game after the moves that stand. Play in it by `play` only."""
        return self._match.game

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or by the clock."""
        return self.match.is_over

    @property
    def termination(self) -> Termination | None:
        """How the game ended, if its rules didn't end it; else None."""
        return self.match.termination

    @property
    def record(self) -> Record:
        """The record of the game as it stands, with the date on which it began and the names of the seats.

        Of a game from a file it has the comments and variations of that file, as far as the moves are the same.
        """
        before, names = self._begun_from, {f"Player{i}": seat.name for i, seat in enumerate(self.seats, 1)}
        pairs = zip(before.game.moves, self.game.moves, strict=False)
        num_same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        return Record.of(
            self.game,
            tags=before.tags | names,
            comments={ply: texts for ply, texts in before.comments.items() if ply <= num_same},
            termination=self.termination,
            variations=[one for one in before.variations if one.ply <= num_same + 1],
        )

    @property
    def kept(self) -> Kept:
        """What a file keeps of the game that can change: resigning, a draw and the clock add no move."""
        return self.game.moves, self.termination

    @property
    def verdict(self) -> str:
        """How the game ended, as a sentence; spoken to the only person here, if others play too."""
        persons = [player for player, seat in enumerate(self.seats, 1) if not seat.computer]
        reader = persons[0] if len(persons) == 1 else 0
        names = {player: seat.name for player, seat in enumerate(self.seats, 1)}
        reason = self.termination.reason if self.termination else ""
        found = outcome(self.game, self.winners, reason=reason, names=names, reader=reader)
        known = None if reason else in_proportion(self.game, self.own_best)
        return found if known is None else joined([found, known], " ")

    @property
    def put_out(self) -> str:
        """Who was put out of the game by the last move, and why, in sentences; empty where nobody was."""
        found = self.match.just_out.items()
        return " ".join(f"Player {who} is out of the game{f' – {why}' if why else ''}." for who, why in found)

    def told(self, mover: int | None, choice: Choice) -> str:
        """The last move, which `mover` has just played, in sentences: with what a computer player expects, why another
        level moved, and who is out of the game.
        """
        told = (f"Player {mover}: {choice.move}.", choice.expectation, choice.replacement, self.put_out)
        return " ".join(filter(None, told))

    @property
    def mover(self) -> int | None:
        """The player to move; None when the game is over."""
        return self.match.mover

    @property
    def winners(self) -> list[int]:
        """The winners; after a time-out all others who are still in the game, and nobody in a solitaire."""
        return self.match.winners

    @property
    def is_computer_to_move(self) -> bool:
        return self.match.is_computer_to_move

    def clock_left(self, player: int) -> float:
        """The seconds that the player has left, or had when the game ended; 0 without a clock."""
        return self.match.clock_left(player, self._now()) or 0.0

    def check_persons_turn(self) -> None:
        """Raise NotYourTurn when a computer player is to move."""
        match = self.match
        if match.is_computer_to_move:
            match.check_turn(match.persons)

    def play(self, text: str) -> None:
        """Play the mover's move. Raises UnreadableMove and IllegalMove, also when time has run out."""
        match = self._going_on()
        self._match = match.after(match.moved(match.game.read(text), self._now()))

    def play_typed(self, text: str) -> str:
        """Play a move as people type it, perhaps with blanks and capitals; return it as written. Raises as `play`."""
        match = self._going_on()
        moved = match.moved(match.game.read_typed(text), self._now())
        self._match = match.after(moved)
        return moved.text

    def play_computer(self) -> Choice:
        """Let the computer player to move choose and play, and return its choice; raises IllegalMove if none is."""
        choice = self.computer_choice()()
        self.play_choice(choice)
        return choice

    def play_choice(self, choice: Choice) -> None:
        """Play what the computer player to move has chosen. Raises IllegalMove if none is to move."""
        match = self._going_on()
        self._match = match.after(match.computer_move(choice.move, self._now(), choice.stand_in))

    def computer_choice(self, stop: threading.Event | None = None) -> Callable[[], Choice]:
        """A function that returns what the computer player to move chooses, and plays nothing.

        It thinks about a copy made now, so it may be called in another thread; if several are called at once, one
        thinks after another. `stop` ends its search early. Raises IllegalMove if no computer player is to move.
        """
        match = self.match
        computer, game = self._computers[match.check_computers_turn()], match.game.copy()

        def choose() -> Choice:
            with self._thinking:
                move = computer.choose(game, stop=stop)
                return Choice(move, computer.stand_in, computer.expects)

        return choose

    def undo(self) -> list[str]:
        """Take back the last move, and those before it until a person is to move; return them as they were played.

        If no person plays, one move is taken back. Raises IllegalMove when there is none, or when time has run out.
        """
        match = self._going_on(STEPS)
        if not match.plies:
            raise IllegalMove(say("There is no move to take back."))
        persons = match.persons
        count = match.undo_count(persons) or (len(match.plies) if persons else 1)
        self._match = match.after(TookBack(self._now(), match.mover, count))
        return [text for _, text in match.plies[-count:]]

    def redo(self) -> list[str]:
        """Play again what undo took back, up to where a person is to move, and return it.

        Raises IllegalMove if nothing was taken back.
        """
        match = self._going_on(STEPS)
        again = match.redo(self._now())
        self._match = match.after(again)
        return [text for _, text in match.taken_back[: again.count]]

    @property
    def persons(self) -> tuple[int, ...]:
        """The players that persons play."""
        return self.match.persons

    @property
    def speaker(self) -> int:
        """The person who resigns or offers a draw: the one to move, or else the first who is still in the game.

        Raises IllegalMove if there is none.
        """
        persons = self.persons
        if not persons:
            raise IllegalMove(say("No person plays at this table."))
        return self.match.speaker(persons)

    def resign(self, player: int | None = None) -> int:
        """Resign for the person who speaks, or for this one, and return that player.

        Raises IllegalMove when the game is over, where no person is still in it, and where this one isn't.
        """
        match = self._unfinished()
        player = self.speaker if player is None else player
        self._match = match.after(match.resign([player], self._now()))
        return player

    def offer_draw(self) -> bool:
        """Offer a draw for the person who speaks. Computer players answer at once; return whether they all agree.

        A computer player agrees if its score is not better than the score of the person who offers. If all of them
        agree, the other persons are asked, those in `asked`; if there are none, the game is over. Who is out of the
        game isn't asked. Raises IllegalMove when the game is over or has one player, where no person is still in it,
        and when an offer waits or was declined since the last move.
        """
        match = self._unfinished()
        player, now = self.speaker, self._now()
        match = match.after(match.offer_draw([player], now, asks_computers=True))
        computers = [] if match.offer is None else [asked for asked in match.offer.asked if asked in match.computers]
        sign = -1 if match.game.rules.LOWER_IS_BETTER else 1
        scores = [sign * score for score in match.game.scores]
        refusing = [computer for computer in computers if scores[computer - 1] > scores[player - 1]]
        if refusing:
            match = match.after(match.decline(refusing, now))
        elif computers:
            match = match.after(match.accept(computers, now))
        self._match = match
        return not refusing

    @property
    def asked(self) -> tuple[int, ...]:
        """The persons who have yet to answer the offer of a draw; empty if there is no offer."""
        offer = self.match.offer
        return () if offer is None else offer.asked

    def answer_draw(self, *, agrees: bool) -> int:
        """Answer the offer of a draw for the first person who is asked, and return that player.

        When all have agreed, the game is a draw. Raises IllegalMove if there is no offer or the game is over.
        """
        match = self._unfinished()
        asked = list(self.asked[:1])
        answer = match.accept if agrees else match.decline
        self._match = match.after(answer(asked, self._now()))
        return asked[0]

    def _unfinished(self) -> Match:
        """The match; raises IllegalMove when it is over."""
        match = self.match
        match.check_playing()
        return match

    def _going_on(self, otherwise: str = "") -> Match:
        """The match. Raises IllegalMove if it ended by anything but its rules; after those, moves can be taken back.

        `otherwise` is what can be done in place of what is refused then, a sentence.
        """
        match = self.match
        if match.termination is not None:
            raise IllegalMove(f"{match.why_over} {otherwise}".strip())
        return match
