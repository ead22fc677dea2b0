"""Visitors: a signed cookie takes the place of an account.

The cookie holds a visitor's id, to which seats belong, the name that they typed last, and when it was set. The site's
key signs it, so nobody can forge the cookie of another. Each form carries a token that follows from the id and the
key (CSRF).
"""

import hashlib
import hmac
import re
import secrets
import time
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from ..core.messages import say
from ..core.quoting import JOINERS
from ..players.player import PLAYERS
from .errors import BadForm, Forged

COOKIE = "quet_visitor"
MAX_AGE = 400 * 86400  # seconds; the longest that browsers keep
RENEWED = 30 * 86400  # seconds after which the cookie is set again, so that who comes now and then stays who they are
LONGEST_NAME = 40
MOST_ACCENTS = 3  # on a letter: several scripts need that many
_LONGEST_COOKIE = 1_000


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser that visits the site."""

    id: str
    csrf: str  # the token of its forms
    name: str = ""
    is_changed: bool = False  # whether the answer has to set the cookie, as another one than came
    is_new: bool = False  # whether it came without a cookie
    set_at: int = 0  # when its cookie was set, in seconds since 1970; 0 in cookies of before, which don't say it

    @property
    def needs_cookie(self) -> bool:
        """Whether the answer has to set the cookie: it is another one, or was set long ago."""
        return self.is_changed or time.time() - self.set_at > RENEWED


class Visitors:
    """Reads and writes the cookies of a site."""

    def __init__(self, secret_key: str) -> None:
        self._key = hashlib.sha256(b"csrf:" + secret_key.encode()).digest()
        self._serializer = URLSafeSerializer(secret_key, salt="visitor")
        self._read = lru_cache(maxsize=10_000)(self._reading)

    def of(self, connection: HTTPConnection) -> Visitor:
        """The visitor of a request; a new one where the cookie is missing or false."""
        known = getattr(connection.state, "visitor", None)
        if known is None:
            cookie = connection.cookies.get(COOKIE, "")
            known = (self._read(cookie) if 0 < len(cookie) <= _LONGEST_COOKIE else None) or self._new()
            connection.state.visitor = known
        assert isinstance(known, Visitor)
        return known

    def rename(self, connection: HTTPConnection, name: str) -> Visitor:
        """The visitor with another name; the answer's cookie will hold it."""
        visitor = self.of(connection)
        if name != visitor.name:
            visitor = connection.state.visitor = replace(visitor, name=name, is_changed=True)
        return visitor

    def check(self, connection: HTTPConnection, token: str) -> None:
        """Raise Forged unless the token is that of the visitor's forms, and the form comes from this site.

        Browsers say where a form comes from; other programs needn't.
        """
        if _is_from_elsewhere(connection.headers):
            raise Forged(say("This form comes from another site."))
        visitor = self.of(connection)
        if visitor.is_changed or not hmac.compare_digest(visitor.csrf.encode(), token.encode("utf-8", "replace")):
            raise Forged(
                say("This form isn't from a page of yours, or your browser keeps no cookies; load the page again.")
            )

    def cookie(self, visitor: Visitor, *, is_secure: bool) -> str:
        """The header that sets the visitor's cookie."""
        value = self._serializer.dumps([visitor.id, visitor.name, int(time.time())])
        assert isinstance(value, str)
        secure = "; Secure" if is_secure else ""
        return f"{COOKIE}={value}; HttpOnly; Max-Age={MAX_AGE}; Path=/; SameSite=Lax{secure}"

    def _new(self) -> Visitor:
        id = secrets.token_urlsafe(16)
        return Visitor(id, self._token(id), is_changed=True, is_new=True)

    def _reading(self, cookie: str) -> Visitor | None:
        try:
            id, name, *at = self._serializer.loads(cookie)
        except (BadSignature, ValueError, TypeError):
            return None
        return Visitor(id, self._token(id), name, set_at=at[0] if at else 0)

    def _token(self, id: str) -> str:
        return hmac.new(self._key, id.encode(), hashlib.sha256).hexdigest()[:32]


def _is_from_elsewhere(headers: Headers) -> bool:
    """Whether the browser names another site. The scheme isn't compared: a proxy may not pass it."""
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2].lower() != headers.get("host", "").lower():
        return True
    return headers.get("sec-fetch-site", "none") not in ("same-origin", "none")


def clean_name(text: str) -> str:
    """A name as it is shown: with single blanks within, none around it, and without joiners. Raises BadForm."""
    name = " ".join(text.translate(JOINERS).split())
    if len(name) > LONGEST_NAME:
        raise BadForm(say("A name has at most {longest} characters.", longest=LONGEST_NAME))
    if not name.isprintable():
        raise BadForm(say("A name has printable characters only."))
    if not _is_seen(name):
        raise BadForm(say("A name has no empty characters, and at most {most} accents on a letter.", most=MOST_ACCENTS))
    folded = unicodedata.normalize("NFKC", name).casefold()
    if any(len(_scripts(word)) > 1 for word in re.findall(r"\w+", name)):
        raise BadForm(say("The letters of a word in a name are of one script."))
    read = folded, _WORD.sub(lambda word: word[0].translate(_LIKE_LETTERS), folded)  # as some who read it may
    if folded in PLAYERS or any(map(_COMPUTER.fullmatch, read)):
        raise BadForm(say("This is a computer player's name."))
    if any(map(_SEAT.fullmatch, read)):
        raise BadForm(say("This is what pages call a seat."))
    return name


def _scripts(word: str) -> set[str]:
    """Those of the scripts with letters that look alike from which a word has some."""
    return _ALIKE & {unicodedata.name(letter, "").partition(" ")[0] for letter in word}


_EMPTY = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # printable for Python, but there is nothing to see
_ALIKE = {"LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE"}  # the sign for micro belongs to none
_WORD = re.compile(r"\w*[^\W\d]\w*")
_LIKE_LETTERS = str.maketrans("01", "ol")
_COMPUTER = re.compile(r"(?:(?:the |der )?computer(?:[\W_\d].*)?|\W*(?:level|stufe)\W*\d+\W*)")  # as pages name one
_SEAT = re.compile(r"\W*(?:(?:player|spieler)\W*\d+|you|du|(?:(?:a|the) )?free seat|(?:(?:ein|der) )?freier platz)\W*")


def _is_seen(name: str) -> bool:
    """Whether no character is empty, and no accents are without a letter or piled up on one."""
    num_accents = MOST_ACCENTS  # a blank, or the beginning, can bear none
    for character in unicodedata.normalize("NFC", name):
        if character in _EMPTY:
            return False
        if unicodedata.category(character) not in ("Mn", "Me"):
            num_accents = MOST_ACCENTS if character == " " else 0
        elif num_accents == MOST_ACCENTS:
            return False
        else:
            num_accents += 1
    return True
