"""The schema of the database, and its rows as Python sees them.

Times are seconds since 1970 by the site's clock (clock.py), which doesn't count downtime. Players are 1, 2, ..., N.
Rows of `moves` are only ever added. Whatever a game is follows from its row of `games`, its seats and its moves;
`match.SiteMatch` reads them. The columns of `games` from `status` on are a summary of the moves. They are written in
the same transaction, so that lists need no replaying.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    RowMapping,
    String,
    Table,
    Text,
    false,
)

from ...core.messages import Message
from ...core.rules import AnyRules

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_N_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ARCHIVED = "archived"  # the status in lists of a game that goes on, but in which nobody has moved for very long

_LARGE = BigInteger().with_variant(Integer, "sqlite")  # whose integers are all as large

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),  # random; whoever knows it may watch
    Column("game", String(100), nullable=False),  # its name in the catalog
    Column("rules_version", Integer, nullable=False),
    Column("parameters", Text, nullable=False),  # JSON: name -> text, as people type it; a sequence as its terms
    Column("num_players", Integer, nullable=False),
    Column("is_public", Boolean, nullable=False),  # whether spectators find it in the lobby
    Column("clock", String(8), nullable=False),  # none, live or days
    Column("clock_seconds", Float, nullable=False),  # live: for the whole game; days: for each move
    Column("clock_increment", Float, nullable=False),  # live: seconds added after each move
    Column("seed", Integer, nullable=False),  # of the computer players
    Column("creator", String(32), nullable=False),  # a visitor
    Column("race", String(32)),  # shared by the games of a race
    Column("rematch", String(32)),  # the next game of the same players
    Column("created_at", Float, nullable=False),
    Column("status", String(8), nullable=False),  # waiting (a seat is free), playing, archived (see ARCHIVED) or over
    Column("mover", Integer),  # while playing
    Column("is_computer_due", Boolean, nullable=False),  # whether the mover is a computer player
    Column("deadline", Float),  # when the mover's time falls
    Column("num_rows", Integer, nullable=False),  # of moves
    Column("version", _LARGE, nullable=False),  # raised by every change that its page could show: rows.py
    Column("changed_at", Float, nullable=False),
    Column("leased_until", Float),  # until then a process works at the computer's move, or nobody looks at the game
    Column("attempts", Integer, nullable=False),  # how often the computer's move has been begun
    Column("is_listed", Boolean, nullable=False, server_default=false()),  # whether anybody may take a seat of it
    # Of a game for one; NULL in other games. In an old database those of a race are filled when its page is shown.
    Column("is_unplaced", Boolean),  # whether the rules haven't ended it
    Column("standing", Integer),  # its score as `standing_of` has it, so that the best comes first
    Column("num_moves", Integer),  # that stand
    Column("start", Text, nullable=False, server_default=""),  # the record of the game from which it was played on
    Column("winners", String(40)),  # when it is over, as 1,2; NULL before that, and in old games
    Column("date", String(10)),  # on which it was made, in UTC, as 2026-11-22; NULL in an old game: that of created_at
    Column("network", String(4)),  # while others find it in a list: `Shares.tag` of who made it; NULL if not known
    Index("ix_games_computer", "is_computer_due", "changed_at"),
    Index("ix_games_deadline", "deadline"),
    Index("ix_games_status", "status", "changed_at"),
    Index("ix_games_public", "is_public", "status", "changed_at"),
    Index("ix_games_listed", "is_listed", "clock", "created_at"),
    Index("ix_games_race", "race", "is_unplaced", "standing", "id"),
    Index("ix_games_creator", "creator", "created_at"),
    Index("uq_games_race_creator", "race", "creator", unique=True),  # a visitor has one game in a race
)

_HAS_REMATCH = games.c.rematch.is_not(None)
Index("ix_games_rematch", games.c.rematch, sqlite_where=_HAS_REMATCH, postgresql_where=_HAS_REMATCH)

# From its beginning to its last move: a game that is over doesn't change any more.
SECONDS = games.c.changed_at - games.c.created_at
IS_PLACED = games.c.is_unplaced.is_(False)
# The ranking of a day. Only games that the rules have ended are in it, so that a move doesn't write it.
Index(
    "ix_games_ranking",
    games.c.race,
    games.c.standing,
    SECONDS,
    games.c.id,
    sqlite_where=IS_PLACED,
    postgresql_where=IS_PLACED,
)

seats = Table(
    "seats",
    metadata,
    Column("game_id", String(32), ForeignKey("games.id"), primary_key=True),
    Column("player", Integer, primary_key=True),
    Column("name", String(40), nullable=False),  # shown; empty while nobody sits here, or is to come
    Column("computer", String(40), nullable=False),  # a computer player's name; empty for a person's seat
    Column("visitor", String(32)),  # who holds it
    Column("invitation", String(32)),  # the token that takes the seat, once
    Column("is_open", Boolean, nullable=False),  # whether anybody may take it while it is free
    Column("made_at", Float, nullable=False, server_default="0"),  # `created_at` of the game
    Column("ended_at", Float),  # when the game ended; NULL before that
    Column("is_put_away", Boolean, nullable=False, server_default=false()),  # whether its holder's lists leave it out
    Index("ix_seats_visitor", "visitor", "is_put_away", "ended_at", "made_at"),
)

moves = Table(
    "moves",
    metadata,
    Column("game_id", String(32), ForeignKey("games.id"), primary_key=True),
    Column("ply", Integer, primary_key=True),  # the number of the row in its game, from 0
    Column("player", Integer, nullable=False),  # who did it; 0 for nobody
    Column("kind", String(16), nullable=False),  # one of those in web/match.py
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("expects", Text, nullable=False, server_default=""),  # by a computer player; as `message_text` writes it
)

entries = Table(
    "entries",
    metadata,
    Column("game_id", String(32), ForeignKey("games.id"), primary_key=True),  # a solitaire that is over
    Column("game", String(100), nullable=False),
    Column("parameters", Text, nullable=False),  # JSON, as rows of the table of best results have them
    Column("value", Integer, nullable=False),  # its score, checked by the rules when it was entered
    Column("finder", String(40), nullable=False),  # the name under which it is shown
    Column("moves", Text, nullable=False),  # with a space between
    Column("at", Float, nullable=False),
    Index("ix_entries_game", "game", "at"),
)

heartbeats = Table(
    "heartbeats",
    metadata,
    Column("process", String(32), primary_key=True),  # a server process
    Column("at", Float, nullable=False),  # the site's clock at its last heartbeat
    Column("wall", Float, nullable=False),  # the clock that the servers share, then; 0 if the process has ended
)

key_fingerprints = Table(
    "key_fingerprints",
    metadata,
    Column("fingerprint", String(32), primary_key=True),  # of the key by which visitors have their seats; at most one
)

studies = Table(
    "studies",
    metadata,
    Column("key", String(64), primary_key=True),  # a digest of the game
    Column("made_by", String(100), primary_key=True),  # the version of what made it
    Column("content", LargeBinary, nullable=False),  # as `study_text` writes it
    Column("at", Float, nullable=False),
    Index("ix_studies_at", "at"),
)


def date_of(date: str | None, created_at: float) -> str:
    """The date of a game by these columns of it. The site's clock doesn't count the time that it was down."""
    return date or datetime.fromtimestamp(created_at, UTC).date().isoformat()


LONGEST_MESSAGE = 2_000  # characters of a message that is kept; of a longer one only the English text, cut short


def message_text(text: str) -> str:
    """A message as it is kept, so that it can be said in any language later; empty for an empty text."""
    kept = json.dumps(_parts(text), ensure_ascii=False) if text else ""
    return kept if len(kept) <= LONGEST_MESSAGE else json.dumps(str(text)[: LONGEST_MESSAGE // 2], ensure_ascii=False)


def message_of(kept: str) -> str:
    """The message that `message_text` wrote."""
    return _whole(json.loads(kept)) if kept else ""


def _parts(value: object) -> object:
    if isinstance(value, Message):
        return [value.template, {name: _parts(one) for name, one in value.values.items()}, value.many]
    return value if isinstance(value, int) else str(value)


def _whole(parts: Sequence[object] | str) -> str:
    if isinstance(parts, str):
        return parts
    template, values, many = parts
    assert isinstance(values, Mapping)
    return Message(str(template), {name: _value(one) for name, one in values.items()}, str(many))


def _value(part: object) -> object:
    return _whole(part) if isinstance(part, list) else part


def standing_of(score: int, rules: AnyRules) -> int:
    """The standing of a score, which is less where the score is better; of a standing, its score."""
    return score if rules.LOWER_IS_BETTER else -score


@dataclass(frozen=True, slots=True)
class GameRow:
    """A row of `games`, without the columns that only lists, and only the computer players' processes, use."""

    id: str
    game: str
    rules_version: int
    parameters: dict[str, str]
    num_players: int
    is_public: bool
    clock: str
    clock_seconds: float
    clock_increment: float
    seed: int
    creator: str
    race: str | None
    rematch: str | None
    created_at: float
    status: str = "waiting"
    mover: int | None = None
    is_computer_due: bool = False
    deadline: float | None = None
    num_rows: int = 0
    version: int = 0
    changed_at: float = 0.0
    date: str | None = None
    start: str = ""

    @classmethod
    def of(cls, row: RowMapping) -> "GameRow":
        """The row that a query found."""
        values = {name: row[name] for name in cls.__slots__}
        return cls(**values | {"parameters": json.loads(row["parameters"])})

    def values(self) -> dict[str, object]:
        """The values of the columns."""
        values: dict[str, object] = {name: getattr(self, name) for name in self.__slots__}
        return values | {"parameters": json.dumps(self.parameters)}


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A row of `seats`, without the times, which only lists use."""

    player: int
    name: str = ""
    computer: str = ""
    visitor: str | None = None
    invitation: str | None = None
    is_open: bool = False

    @classmethod
    def of(cls, row: RowMapping) -> "SeatRow":
        """The row that a query found."""
        return cls(**{name: row[name] for name in cls.__slots__})

    def values(self, game_id: str) -> dict[str, object]:
        """The values of the columns, in this game."""
        return {"game_id": game_id, **{name: getattr(self, name) for name in self.__slots__}}

    @property
    def is_free(self) -> bool:
        """Whether a person may still sit down here."""
        return self.visitor is None and not self.computer


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A row of `moves`."""

    ply: int
    player: int
    kind: str
    text: str
    at: float
    expects: str = ""

    def values(self, game_id: str) -> dict[str, object]:
        """The values of the columns, in this game."""
        return {"game_id": game_id, **{name: getattr(self, name) for name in self.__slots__}}
