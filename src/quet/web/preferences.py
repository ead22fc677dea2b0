"""The signed cookie that keeps how a visitor set up each game last; the server keeps nothing of it."""

from collections.abc import Mapping

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import Request
from starlette.responses import Response

from .pages import keep

COOKIE = "quet_set_up"
OWN = "own"  # the value of a parameter that is typed in a field of its own, `own-NAME`
LONGEST = 2_000  # characters of the cookie
LONGEST_VALUE = 60  # characters of a field; a longer one, such as a long list of terms, isn't kept
KEPT = ("parameter-", "own-", "seat-", "clock", "minutes", "increment", "days")  # how the names of kept fields begin


class PreferencesCookie:
    """Reads and writes the cookies of a site."""

    def __init__(self, secret_key: str) -> None:
        self._serializer = URLSafeSerializer(secret_key, salt="set-up")

    def read(self, request: Request, game: str) -> dict[str, str]:
        """The fields with which the visitor set up the game last; none where that isn't known.

        Where a sequence of one's own wasn't kept, none is chosen, so that the usual one is.
        """
        kept = self.parse(request.cookies.get(COOKIE, "")).get(game, {})
        return {name: value for name, value in kept.items() if value != OWN or name.replace("parameter", "own") in kept}

    def write(self, request: Request, answer: Response, game: str, fields: Mapping[str, str]) -> None:
        """Have the answer keep the fields of a game; games that were set up long ago are forgotten for them."""
        known = {id: kept for id, kept in self.parse(request.cookies.get(COOKIE, "")).items() if id != game}
        known[game] = {
            name: value for name, value in fields.items() if name.startswith(KEPT) and len(value) <= LONGEST_VALUE
        }
        while known:
            text = self._serializer.dumps(known)
            assert isinstance(text, str)
            if len(text) <= LONGEST:
                return keep(request, answer, COOKIE, text)
            known.pop(next(iter(known)))
        return None

    def parse(self, cookie: str) -> dict[str, dict[str, str]]:
        """The fields of each game in a cookie; none if the cookie is not one of ours."""
        try:
            found = self._serializer.loads(cookie) if 0 < len(cookie) <= LONGEST else {}
        except (BadSignature, ValueError):
            return {}
        return found if isinstance(found, dict) else {}
