"""What can happen to a match: an event each, with its time as a number. `match.py` makes them and says what follows."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a match."""

    at: float  # when, in seconds


@dataclass(frozen=True, slots=True)
class Begun(Event):
    """All seats are taken, and the first turn begins."""


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A player moved."""

    player: int
    text: str  # the move as it is written
    number: int | None = None  # the move as the rules number it, if it has been read and checked already
    stand_in: str = ""  # who chose it in the place of a computer player, as `Player.stand_in`; empty for the player
    expects: str = ""  # what a computer player expected after it, as the keeper of the match writes it


@dataclass(frozen=True, slots=True)
class TookBack(Event):
    """The last moves were taken back without asking anybody."""

    player: int | None  # who pays for the time of the turn; None for nobody
    count: int  # of moves


@dataclass(frozen=True, slots=True)
class PlayedAgain(Event):
    """Moves that had been taken back were played again."""

    player: int | None  # who pays for the time of the turn; None for nobody
    count: int  # of moves


@dataclass(frozen=True, slots=True)
class Offered(Event):
    """A player offered a draw, or asked to take moves back. If nobody has to agree, it happens at once."""

    player: int
    kind: str  # draw or undo
    asked: tuple[int, ...]  # who must agree


@dataclass(frozen=True, slots=True)
class Accepted(Event):
    """Players agreed to the offer. When all who were asked have agreed, it happens."""

    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Declined(Event):
    """Players declined the offer. It is off, and can't be repeated before the next move."""

    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Resigned(Event):
    """A player resigned; all others who are still in the game share the win."""

    player: int


@dataclass(frozen=True, slots=True)
class TimeFell(Event):
    """The time of the player to move ran out; all others who are still in the game share the win."""

    player: int


@dataclass(frozen=True, slots=True)
class CalledOff(Event):
    """The game was called off before it began, and nobody wins."""

    player: int | None  # who called it off; None if nobody did
