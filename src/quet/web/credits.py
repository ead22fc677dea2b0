"""The authors of the games, from their facts. The site itself names no author."""

from functools import cache

from .. import catalog
from ..core.messages import listed
from .i18n import gettext as _
from .i18n import said


def authors() -> str:
    """The authors of all games here, as `Ann` or `Ann and Bob`."""
    return said(listed(_all()[0]))


def credit(entry: catalog.Entry | None) -> str:
    """A sentence that names the author and the year of this game; without a game, of all games here."""
    if entry is not None:
        return _("A game by %(author)s, %(year)s.") % {"author": entry.author, "year": entry.year}
    _authors, first, last = _all()
    if first == last:
        return _("Games by %(authors)s, %(year)s.") % {"authors": authors(), "year": first}
    return _("Games by %(authors)s, from %(first)s to %(last)s.") % {"authors": authors(), "first": first, "last": last}


@cache
def _all() -> tuple[list[str], int, int]:
    """The authors, and the first and the last year, of the games that can be played."""
    years = [entry.year for entry in catalog.playable()]
    return catalog.authors(), min(years), max(years)


def first() -> str:
    """The first game that can be played, which stands for all in a picture."""
    return next(catalog.playable()).id
