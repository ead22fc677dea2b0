"""A game at a table: who sits where, undo and redo, and a clock for each seat if wanted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..core.errors import BadParameter, IllegalMove, UnreadableMove
from ..game import Game
from ..players.player import PLAYERS, Player, player
from ..records.record import Record, Termination
from .clock import Clock


@dataclass(frozen=True)
class Seat:
    """Who plays for one player: a person, or the computer player of this name."""

    name: str = "person"
    computer: str = ""  # a name known to `players.player`; empty for a person


def seat(who: str) -> Seat:
    """The seat of `person`, or of the computer player of this name; raises BadParameter."""
    if who == "person":
        return Seat()
    player(who)
    return Seat(who, who)


class Session:
    """A game in play between the seats, player 1 first.

    >>> import quet
    >>> session = Session(quet.new("palindromes", m=4), [Seat("Ann"), Seat("random", "random")], seed=1)
    >>> session.play("1=0")
    >>> reply = session.play_computer()
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
    ) -> None:
        """Seats not given are persons.

        Raises BadParameter for more seats than players, or an unknown computer player.
        """
        if len(seats) > game.num_players:
            raise BadParameter(f"{game.entry.title} has {game.num_players} players here, not {len(seats)}.")
        self.game = game
        self.seats = [*seats, *[Seat()] * (game.num_players - len(seats))]
        self.clock = clock
        self._computers: dict[int, Player] = {
            i: player(seat.computer, None if seed is None else seed + i)
            for i, seat in enumerate(self.seats, 1)
            if seat.computer
        }
        self._taken_back: list[str] = []
        self._tags: dict[str, str] = {}
        self._termination: Termination | None = None
        self.out_of_time: int | None = None
        """The player whose clock ran out, which ended the game; None otherwise."""
        if clock is not None:
            clock.run_for(self.mover)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or by the clock."""
        if self.clock is not None and self.out_of_time is None:
            self.out_of_time = self.clock.is_out
            if self.out_of_time is not None:
                self.clock.run_for(None)
        return self.termination is not None or self.game.is_over

    @property
    def termination(self) -> Termination | None:
        """How the game ended that its rules didn't end; None where they did, and while playing."""
        if self.out_of_time is None:
            return self._termination
        winners = tuple(p for p in self.game.players if p != self.out_of_time)
        return Termination(f"the time of player {self.out_of_time} has run out", winners)

    @property
    def record(self) -> Record:
        """The record of the game as it stands, with the names of the seats."""
        ended = self.termination if self.is_over else None
        names = {f"Player{i}": seat.name for i, seat in enumerate(self.seats, 1)}
        return Record.of(self.game, tags=self._tags | names, termination=ended)

    @classmethod
    def resume(cls, record: Record, *, seed: int | None = None) -> "Session":
        """The game of a record, to be played on: its computer players as they were, and everybody else in person."""
        names = [record.tags.get(f"Player{i}", "person") for i in record.game.players]
        seats = [Seat(name, name if name in PLAYERS else "") for name in names]
        session = cls(record.game.copy(), seats, seed=seed)
        session._tags = dict(record.tags)
        session._termination = record.termination
        return session

    @property
    def mover(self) -> int | None:
        """The player to move; None when the game is over."""
        return None if self.is_over else self.game.mover

    @property
    def winners(self) -> list[int]:
        """The winners; after a time-out all the others, and nobody in a solitaire."""
        termination = self.termination if self.is_over else None
        return list(termination.winners) if termination else self.game.winners

    @property
    def is_computer_to_move(self) -> bool:
        return self.mover in self._computers

    @property
    def can_undo(self) -> bool:
        return self.game.ply > 0

    @property
    def can_redo(self) -> bool:
        return bool(self._taken_back)

    def play(self, text: str) -> None:
        """Play the mover's move. Raises UnreadableMove and IllegalMove, also when time has run out."""
        mover = self.mover
        self._check_termination()
        self.game.play(text)
        self._taken_back.clear()
        if self.clock is not None and mover is not None:
            self.clock.press(mover, self.mover)

    def play_typed(self, text: str) -> str:
        """Play a move as people type it, perhaps with blanks and capitals; return it as written. Raises as `play`."""
        try:
            self.play(text.strip())
        except UnreadableMove:
            self.play("".join(text.split()).lower())
        return self.game.moves[-1]

    def play_computer(self) -> str:
        """Let the computer player to move choose and play, and return its move; raises IllegalMove where none is."""
        text = self.computer_choice()()
        self.play(text)
        return text

    def computer_choice(self) -> Callable[[], str]:
        """A function that returns the move that the computer player to move chooses, and plays nothing.

        It thinks about a copy made now, so it may be called in another thread. Raises IllegalMove where no computer
        player is to move.
        """
        mover = self.mover
        if mover not in self._computers:
            raise IllegalMove("No computer player is to move.")
        computer, game = self._computers[mover], self.game.copy()
        return lambda: computer.choose(game)

    def undo(self) -> list[str]:
        """Take back the last move, and those before it until a person is to move; return them as they were played.

        Where no person plays, one move is taken back. Raises IllegalMove when there is none, or when time has run out.
        """
        self._check_termination()
        taken = [self.game.undo()]
        while self.game.ply and self.is_computer_to_move and len(self._computers) < len(self.seats):
            taken.insert(0, self.game.undo())
        self._taken_back = taken + self._taken_back
        self._set_clock()
        return taken

    def redo(self) -> list[str]:
        """Play again what undo took back, up to where a person is to move, and return it.

        Raises IllegalMove where nothing was taken back.
        """
        self._check_termination()
        if not self._taken_back:
            raise IllegalMove("There is no move to play again.")
        played: list[str] = []
        while self._taken_back and (not played or self.is_computer_to_move):
            played.append(self._taken_back.pop(0))
            self.game.play(played[-1])
        self._set_clock()
        return played

    def _check_termination(self) -> None:
        if self.is_over and self.termination is not None:
            raise IllegalMove(f"{self.termination.reason[:1].upper()}{self.termination.reason[1:]}.")

    def _set_clock(self) -> None:
        if self.clock is not None:
            self.clock.run_for(self.mover)
