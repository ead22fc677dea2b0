"""Errors of the site, each with an HTTP status. Every message is a sentence that a visitor can read.

NoSuchGame 404, NotYourSeat 403, NotYourTurn 409, Superseded 409, SeatTaken 409, BadInvitation 404,
Forged 403, BadForm 400, TooLarge 413, TooMany 429, Gone and Missing 410, TooLong 422,
Busy 503, Away 503, Unsure 503
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
from ..study.daily import NoDay


class SiteError(QuetError):
    """The base of the errors below."""

    status = 400
    leads_to = ""  # the path of a page that has more


class NoSuchGame(SiteError):
    """No game, or no race, has this link."""

    status = 404

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence or say("There is no such game."))


class Gone(SiteError):
    """A game can't be shown any more."""

    status = 410


class Missing(Gone):
    """The rules of a game aren't installed here now, or can't read it; perhaps they will be again."""

    def __init__(self) -> None:
        super().__init__(say("The rules of this game aren't installed here, or don't fit it, so it can't be shown."))


class NotYourSeat(SiteError):
    """The visitor doesn't hold the seat."""

    status = 403


class Superseded(SiteError):
    """The game has moved on since the page was made."""

    status = 409

    def __init__(self) -> None:
        super().__init__(say("The game has moved on; this is how it stands now."))


class SeatTaken(SiteError):
    """Somebody else holds the seat already."""

    status = 409


class BadInvitation(SiteError):
    """The link takes no seat, or takes none any more."""

    status = 404


class Forged(SiteError):
    """A form came without the token of its visitor."""

    status = 403


class BadForm(SiteError):
    """A form can't be read, or a field has an invalid value."""


class TooLarge(SiteError):
    """A request is larger than the site takes."""

    status = 413


class TooLong(SiteError):
    """Work for a visitor took so long that it was given up."""

    status = 422


class Later(SiteError):
    """The same request may succeed later. `wait` is the number of seconds after which a visitor may try again."""

    def __init__(self, sentence: str, wait: float = 10.0) -> None:
        super().__init__(sentence)
        self.wait = wait


class TooMany(Later):
    """A visitor has reached a limit."""

    status = 429


class Busy(Later):
    """So many others wait that a request is refused at once."""

    status = 503


class Away(Later):
    """The database can't be reached. Nothing was changed."""

    status = 503

    def __init__(self, sentence: str, wait: float = 5.0) -> None:
        super().__init__(sentence, wait)


class Unsure(Away):
    """The database was lost during a commit, so that nobody knows whether the change was written."""


def status_of(error: QuetError) -> int:
    """The HTTP status for an error."""
    if isinstance(error, SiteError):
        return error.status
    if isinstance(error, (UnknownGame, NoDay)):
        return 404
    if isinstance(error, NotYourTurn):
        return 409
    if isinstance(error, (IllegalMove, UnreadableMove, BadParameter, BadPaper, BadRecord)):
        return 422
    return 500
