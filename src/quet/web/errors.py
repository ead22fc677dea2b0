"""What the site refuses, each with the status of its answer. Every message is a sentence that a visitor can read.

NoSuchGame 404, NotYourSeat 403, NotYourTurn 409, Superseded 409, SeatTaken 409, BadInvitation 404,
Forged 403, BadForm 400, TooLarge 413, TooMany 429, Gone 410
"""

from ..core.errors import (
    BadPaper,
    BadParameter,
    BadRecord,
    IllegalMove,
    NotYourTurn,
    QuetError,
    UnknownGame,
    UnreadableMove,
)
from ..core.messages import say


class SiteError(QuetError):
    """The base of the errors below."""

    status = 400


class NoSuchGame(SiteError):
    """No game, or no race, has this link."""

    status = 404

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence or say("There is no such game."))


class Gone(SiteError):
    """What was here can't be shown any more."""

    status = 410


class NotYourSeat(SiteError):
    """The visitor doesn't hold the seat."""

    status = 403


class Superseded(SiteError):
    """The game has moved on since the page was made."""

    status = 409

    def __init__(self) -> None:
        super().__init__(say("The game has moved on; this is how it stands now."))


class SeatTaken(SiteError):
    """Somebody sits here already."""

    status = 409


class BadInvitation(SiteError):
    """A link that takes no seat, or no longer."""

    status = 404


class Forged(SiteError):
    """A form without the token of its visitor."""

    status = 403


class BadForm(SiteError):
    """A form that can't be read, or a field with a value that can't be."""


class TooLarge(SiteError):
    """More than is taken at once."""

    status = 413


class TooMany(SiteError):
    """More than one visitor may have or do; `wait` is after how many seconds it may be tried again."""

    status = 429

    def __init__(self, sentence: str, wait: float = 10.0) -> None:
        super().__init__(sentence)
        self.wait = wait


def status_of(error: QuetError) -> int:
    """The status with which an error is answered."""
    if isinstance(error, SiteError):
        return error.status
    if isinstance(error, UnknownGame):
        return 404
    if isinstance(error, NotYourTurn):
        return 409
    if isinstance(error, (IllegalMove, UnreadableMove, BadParameter, BadPaper, BadRecord)):
        return 422
    return 500
