"""The signed cookie that keeps how a visitor gets on with puzzles; the server keeps nothing of it."""

from dataclasses import replace

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.requests import Request
from starlette.responses import Response

from ..puzzles.scores import Scores, from_data
from .pages import keep

COOKIE = "quet_puzzles"
LONGEST = 3_800  # characters of the cookie; browsers keep 4,096 with its name


class ScoresCookie:
    """Reads and writes the cookies of a site."""

    def __init__(self, secret_key: str) -> None:
        self._serializer = URLSafeSerializer(secret_key, salt="puzzles")

    def read(self, request: Request) -> Scores:
        """The scores of the visitor who sent the request; none where the cookie is missing or false."""
        cookie = request.cookies.get(COOKIE, "")
        return (self.parse(cookie) if 0 < len(cookie) <= LONGEST else None) or Scores({})

    def parse(self, cookie: str) -> Scores | None:
        """The scores in a cookie; None where it is false, or from another version."""
        try:
            return from_data(self._serializer.loads(cookie))
        except (BadSignature, ValueError):
            return None

    def text(self, scores: Scores) -> str:
        """The cookie; games that were played long ago are left out where it would be too long."""
        games = dict(scores.games)
        while True:
            value = self._serializer.dumps(replace(scores, games=games).as_data())
            assert isinstance(value, str)
            if len(value) <= LONGEST or not games:
                return value
            games.pop(next(iter(games)))

    def write(self, request: Request, answer: Response, scores: Scores) -> None:
        """Set the cookie of the answer."""
        keep(request, answer, COOKIE, self.text(scores))
