"""Settings of a site, which its operator gives in the environment.

    QUET_DATABASE_URL      postgresql://user:password@host/name; by default SQLite in the data folder
    QUET_DATA              the data folder; by default that of the user, as the system has it
    QUET_SECRET_KEY        signs cookies, at least 16 characters; by default made once, in the data folder, readable by
                           its owner only
    QUET_LIMIT_...         a limit of `Limits`, as QUET_LIMIT_MOVES=240; 0 for no limit
    QUET_HOSTS             names of the site without ports, as in quet.example,www.quet.example; requests with another
                           Host get 421. By default any Host will do. Name 127.0.0.1 too if something on this machine
                           asks for /health
    QUET_PROXIES           addresses or networks of proxies, as in 127.0.0.1,10.0.0.0/8, whose X-Forwarded-For and
                           X-Forwarded-Proto are believed; by default nobody's
    FORWARDED_ALLOW_IPS    the same, where QUET_PROXIES isn't set
    QUET_ARCHIVE_DAYS      after how many days without a move a game without a clock is archived (365); 0 for never
    QUET_METRICS_TOKEN     at least 16 characters: who sends it may read /metrics; by default programs on this machine
                           may
    QUET_COMPUTERS         processes in which computer players think (1 to 64, by default 1)
    QUET_COMPUTER_SECONDS  how long a computer player may think about a move (60); compiling isn't counted
    QUET_PREPARE           whether a process compiles at the start what computer players need (1; 0 for no). Until it
                           has, they answer by plain Python, with less strength, and the page says so
    QUET_WORKSHOP          processes that draw pictures and judge papers (1 to 64, by default 1); three more are for
                           GIFs, for analyses and for looks at positions on the study board
    QUET_DOCS              the folder of the documentation that `make docs` builds; by default that of the clone
    QUET_WORKERS           server processes that share an SQLite file (1); `quet serve --workers` sets it

Several servers may share a PostgreSQL database; they need the same QUET_SECRET_KEY. One with another key doesn't start.
"""

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from ..core.errors import BadParameter, why
from ..core.files import user_folder
from ..core.numbers import read_integer
from .addresses import Network, read_hosts, read_networks

SHORTEST_KEY = 16  # characters
BUILT_DOCS = Path(__file__).parents[3] / "build" / "docs"  # of a clone


@dataclass(frozen=True)
class Limits:
    """Limits of what visitors may do; 0 for no limit.

    They hold for a minute, unless a name or a comment has another time; a day is one of UTC. Those of an address hold
    for all its visitors together. Each server process counts for itself, but for `games_per_day`: with several of them
    a limit is up to as many times as high. Processes count anew when they start.
    """

    moves: int = 240  # posted by a visitor, and whatever else is done at a table
    games: int = 20  # created by a visitor
    games_per_day: int = 200  # created by a visitor in 24 hours, as the database has it
    costly: int = 60  # papers judged, analyses, pictures of a visitor
    pages: int = 1200  # of a visitor, whatever is drawn for them; what is large counts once more for each 50 kB
    streams: int = 20  # events that a visitor listens to at once
    address_moves: int = 2400
    address_moves_per_day: int = 200_000  # of all visitors of an address in a day
    address_games: int = 60
    address_games_per_day: int = 3000  # of an address in a day; one more for each 1,000 characters of a game's settings
    address_waiting: int = 200  # games that wait for computer players; then no further one is begun with them
    address_costly: int = 240
    address_pages: int = 6000
    address_streams: int = 200
    connections: int = 4000  # open at once, of one server process; never more than half of the files it may open
    address_connections: int = 400  # open at once, of one address; a proxy may have any number


@dataclass(frozen=True)
class Settings:
    """The settings of a site."""

    database_url: str
    secret_key: str = field(repr=False)
    limits: Limits = Limits()
    computers: int = 1  # processes
    computer_seconds: float = 60.0  # for a move
    prepares: bool = False  # a process compiles beside the server what computer players need
    workshop: int = 1  # processes that draw pictures and judge papers
    workers: int = 1  # server processes on this machine that share the database
    proxies: tuple[Network, ...] = ()  # which say whom they speak for
    metrics_token: str = field(default="", repr=False)  # for /metrics; without one programs on this machine may read it
    archive_days: int = 365  # without a move, after which a game without a clock is archived; 0 for never
    hosts: tuple[str, ...] = ()  # the names of the site; none where any will do
    docs: Path = BUILT_DOCS  # the documentation, where it is built

    @property
    def fingerprint(self) -> str:
        """By this a database knows the key again. It tells no more of it than a signed cookie does."""
        return hmac.new(self.secret_key.encode(), b"quet: the key of the site", hashlib.sha256).hexdigest()[:32]

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """The settings; makes the data folder and the key if they are needed. Raises BadParameter."""
        limits = {
            each.name: _number(environment, f"QUET_LIMIT_{each.name.upper()}", each.default, 0, 10**9)
            for each in fields(Limits)
        }
        return cls(
            database_url=database_url(environment),
            secret_key=_key(environment),
            limits=Limits(**limits),
            computers=_number(environment, "QUET_COMPUTERS", 1, 1, 64),
            computer_seconds=_number(environment, "QUET_COMPUTER_SECONDS", 60, 1, 600),
            workshop=_number(environment, "QUET_WORKSHOP", 1, 1, 64),
            prepares=bool(_number(environment, "QUET_PREPARE", 1, 0, 1)),
            workers=_number(environment, "QUET_WORKERS", 1, 1, 64),
            proxies=_proxies(environment),
            hosts=_hosts(environment),
            docs=Path(environment.get("QUET_DOCS") or BUILT_DOCS),
            archive_days=_number(environment, "QUET_ARCHIVE_DAYS", 365, 0, 36_500),
            metrics_token=_token(environment),
        )


def database_url(environment: Mapping[str, str] = os.environ) -> str:
    """The address of the database; makes the data folder if it is there. Raises BadParameter."""
    url = environment.get("QUET_DATABASE_URL", "")
    return _url(url) if url else f"sqlite:///{data_folder(environment) / 'quet.db'}"


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of the site's data, made if it doesn't exist. Raises BadParameter if it can't be made."""
    folder = user_folder(environment)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadParameter(f"The data folder {folder} can't be made: {error.strerror}.") from None
    return folder


def _number(environment: Mapping[str, str], name: str, default: object, low: int, high: int) -> int:
    text = environment.get(name, str(default))
    number = read_integer(text)
    if number is None or not low <= number <= high:
        raise BadParameter(f"{name} must be an integer from {low} to {high}.")
    return number


def _proxies(environment: Mapping[str, str]) -> tuple[Network, ...]:
    name = "QUET_PROXIES" if environment.get("QUET_PROXIES", "") else "FORWARDED_ALLOW_IPS"
    text = environment.get(name, "")
    try:
        return read_networks(text)
    except ValueError:
        everybody = " * isn't taken: whoever asks could make up addresses." if text.strip() == "*" else ""
        raise BadParameter(f"{name} must be addresses or networks, as in 127.0.0.1,10.0.0.0/8.{everybody}") from None


def _hosts(environment: Mapping[str, str]) -> tuple[str, ...]:
    try:
        return read_hosts(environment.get("QUET_HOSTS", ""))
    except ValueError:
        raise BadParameter("QUET_HOSTS must be names without ports, as in quet.example,www.quet.example.") from None


def _url(text: str) -> str:
    """The address of the database, for the driver that is installed here; raises BadParameter."""
    kind, separator, rest = text.partition("://")
    if separator and kind in ("postgres", "postgresql", "postgresql+psycopg"):
        return f"postgresql+psycopg://{rest}"
    if separator and kind == "sqlite":
        return text
    raise BadParameter("QUET_DATABASE_URL must begin with postgresql:// or sqlite:///.")


def _token(environment: Mapping[str, str]) -> str:
    token = environment.get("QUET_METRICS_TOKEN", "")
    if token and (len(token) < SHORTEST_KEY or not token.isascii() or not token.isprintable() or " " in token):
        raise BadParameter(f"QUET_METRICS_TOKEN must have at least {SHORTEST_KEY} characters of ASCII, without blanks.")
    return token


def _key(environment: Mapping[str, str]) -> str:
    given = environment.get("QUET_SECRET_KEY")
    if given is not None:
        if len(given) < SHORTEST_KEY:
            raise BadParameter(f"QUET_SECRET_KEY must have at least {SHORTEST_KEY} characters.")
        if any("\ud800" <= character <= "\udfff" for character in given):
            raise BadParameter("QUET_SECRET_KEY must be a text in UTF-8.")
        return given
    file = data_folder(environment) / "secret-key"
    try:
        if not file.exists():
            _make_key(file)
        key = file.read_text(encoding="ascii").strip()
    except UnicodeDecodeError:
        key = ""
    except OSError as error:
        raise BadParameter(f"The key in {file} can't be read or made: {why(error)}.") from None
    if len(key) < SHORTEST_KEY:
        raise BadParameter(
            f"The key in {file} is damaged. Put the right one there; or delete the file, end all servers and run "
            "`quet forget key`: whoever has a seat by the old key then loses it."
        )
    return key


def _make_key(file: Path) -> None:
    """Write a new key that only the owner can read. If several processes try at once, one of them makes it."""
    beside = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(secrets.token_urlsafe(32))
        out.flush()
        os.fsync(out.fileno())
    try:
        os.link(beside, file)
    except FileExistsError:
        pass
    finally:
        beside.unlink()
