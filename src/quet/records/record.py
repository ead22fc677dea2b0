"""Records of games: parameters, moves, comments and result, as text in the spirit of PGN or as JSON.

    [Game "palindromes"]
    [Rules "1"]
    [m "4"]
    [Player1 "Ann"]
    [Result "4-6"]

    1. 1=0 {a quiet beginning} 2. 2=0 3. 4=1 4. 3=1
    =4-6

`docs/records.md` has the grammar. A record that is read is played again from its start: what this module returns
is legal, and its result is that of the game.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .. import catalog
from ..core.arguments import as_integer, shown
from ..core.errors import BadPaper, BadRecord, BrokenRules
from ..core.files import UnreadableFile, UnwritableFile, read_file, write_file
from ..core.messages import say, say_number
from ..core.parameters import AnyValue, TermsParameter, written
from ..core.quoting import printable, shorten
from ..core.sequences import LONGEST_TEXT
from ..game import Game, check_game
from ..starts import from_line, start_line
from .outcome import outcome
from .variations import Variation, check_variations, in_order

LARGEST_FILE = 16_000_000  # bytes
MOST_RECORDS = 20_000  # in one text: a short one would fill the memory with games that have just begun
LONGEST_NAME = 300  # characters of a file's name that stand in a message
RESERVED = ("Game", "Rules", "Position", "Termination", "Result")  # the tags that no one is free to use
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
MOVE = re.compile(r"(?![\[{=*]|[0-9]+\.\Z)\S+")
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # no text of a record may hold these


@dataclass(frozen=True)
class Termination:
    """How a game ended that its rules didn't end: `Termination("player 2 resigned", (1,))`."""

    reason: str  # a part of a sentence: `player 2 resigned`
    winners: tuple[int, ...] = ()  # ascending; several share the win, none where nobody wins


@dataclass(frozen=True, eq=False)
class Record:
    """A game with what is said about it. Made by `Record.of` or `read`.

    >>> import quet
    >>> game = quet.new("palindromes", m=4)
    >>> for move in ["1=0", "2=0", "4=1"]:
    ...     game.play(move)
    >>> record = Record.of(game, tags={"Player1": "Ann"}, comments={1: ["a quiet beginning"]})
    >>> print(record.text(), end="")
    [Game "palindromes"]
    [Rules "1"]
    [m "4"]
    [Player1 "Ann"]
    [Result "*"]
    <BLANKLINE>
    1. 1=0 {a quiet beginning} 2. 2=0 3. 4=1
    *
    >>> record.summary
    'Unfinished after 3 moves.'
    """

    game: Game  # after its last move
    tags: dict[str, str] = field(default_factory=dict)  # the free ones only, in order
    comments: dict[int, list[str]] = field(default_factory=dict)  # by the ply that they follow, from 0; ascending
    termination: Termination | None = None  # where the rules didn't end it
    variations: tuple[Variation, ...] = ()  # of the moves played, those of earlier moves first

    @classmethod
    def of(
        cls,
        game: Game,
        *,
        tags: Mapping[str, str] | None = None,
        comments: Mapping[int, str | Sequence[str]] | None = None,
        termination: Termination | None = None,
        variations: Sequence[Variation] = (),
    ) -> "Record":
        """A record of the game as it stands; the game itself may be played on.

        Raises BadRecord for what no record can hold: a tag that is taken or not a name, a comment on a move that wasn't
        played, a control character, a termination of a game that its rules ended, a variation with a forbidden move.
        """
        _check_parts(game, {} if tags is None else tags, {} if comments is None else comments)
        copied: dict[int, list[str]] = {}
        for ply, texts in (comments or {}).items():
            number = as_integer(ply)
            listed = ([texts] if texts else []) if isinstance(texts, str) else _listed(texts)
            if listed:
                copied[ply if number is None else number] = listed
        if all(type(ply) is int for ply in copied):
            copied = dict(sorted(copied.items()))
        if not isinstance(variations, Sequence) or not all(isinstance(one, Variation) for one in variations):
            raise BadRecord(say("Variations must be in a list, not {value}.", value=shown(variations)))
        record = cls(game.copy(), dict(tags or {}), copied, termination, in_order(variations))
        record.check()
        return record

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or otherwise."""
        return self.termination is not None or self.game.is_over

    @property
    def winners(self) -> list[int]:
        """The winners, several where they share the win; empty while the game is unfinished or where nobody won."""
        return list(self.termination.winners) if self.termination else self.game.winners

    @property
    def result(self) -> str:
        """`*` while unfinished, the final scores as `24-46`, or `won:1`, `won:1,2`, `won:none` after a termination."""
        if self.termination is not None:
            return "won:" + (",".join(map(str, self.termination.winners)) or "none")
        return "-".join(map(str, self.game.scores)) if self.game.is_over else "*"

    @property
    def summary(self) -> str:
        """The result as a sentence, with the names of players in the tags `Player1`, `Player2`..."""
        if not self.is_over:
            return say_number("Unfinished after {number} move.", "Unfinished after {number} moves.", self.game.ply)
        names = {player: self.tags.get(f"Player{player}", "") for player in self.game.players}
        reason = self.termination.reason if self.termination else ""
        return outcome(self.game, self.winners, reason=reason, names=names)

    @property
    def position(self) -> str:
        """The position with which the game begins, as one line; empty if it is that of the rules.

        Raises BadRecord when it can't be written so that it reads back.
        """
        try:
            return start_line(self.game)
        except BadPaper as error:
            raise BadRecord(error.message) from None

    def text(self) -> str:
        """The record as text, which reads back as the same record and ends with a line break.

        Raises BadRecord as `of` does, and BrokenRules when a game's own names or moves don't fit the grammar.
        """
        from .record_text import write

        return write(self)

    def json(self) -> dict[str, object]:
        """The record as data for JSON, as `record.schema.json` describes it; raises as `text` does."""
        from .record_json import write

        return write(self)

    def check(self) -> None:
        """Raise BadRecord or BrokenRules unless the record can be written."""
        _check_parts(self.game, self.tags, self.comments)
        parameters = [parameter.name for parameter in self.game.rules.PARAMETERS]
        for name in parameters:
            if not NAME.fullmatch(name) or name in RESERVED:
                raise BrokenRules(f"{self.game.id} has a parameter {shorten(name)}, which can't be a tag of a record.")
        for move in self.game.moves:
            if not MOVE.fullmatch(move) or CONTROL.search(move):
                raise BrokenRules(f"{self.game.id} has a move {shorten(move)}, which can't stand in a record.")
        for name, value in self.tags.items():
            if not isinstance(name, str) or not NAME.fullmatch(name):
                raise BadRecord(say("{name} is not the name of a tag: ASCII letters, digits and _.", name=shown(name)))
            if name in RESERVED or name in parameters:
                raise BadRecord(
                    say("The tag {name} has a fixed meaning and can't be given freely.", name=shorten(name))
                )
            _check_text(value, say("The tag {name}", name=shorten(name)))
        _check_comments(self.comments, 0, self.game.ply)
        for one in check_variations(self.game, self.variations):
            _check_comments(one.comments, one.ply - 1, one.last)
        if self.termination is not None:
            self._check_termination(self.termination)

    def _check_termination(self, termination: Termination) -> None:
        if self.game.is_over:
            raise BadRecord(say("The game ended by its rules, so it has no other termination."))
        if not isinstance(termination, Termination) or not isinstance(termination.winners, tuple):
            raise BadRecord(
                say("A termination must be quet.Termination(reason, winners), not {value}.", value=shown(termination))
            )
        _check_text(termination.reason, say("The termination"))
        if not termination.reason:
            raise BadRecord(say("The termination must say how the game ended."))
        winners = termination.winners
        if any(type(player) is not int or player not in self.game.players for player in winners):
            raise BadRecord(
                say("The winners must be players of this game, 1 to {num_players}.", num_players=self.game.num_players)
            )
        if list(winners) != sorted(set(winners)):
            raise BadRecord(say("The winners must be in ascending order, each once."))


def read(text: str, name: str = "") -> Record:
    r"""The one record in a text or JSON; `name` is that of the file, for messages.

    Raises BadRecord, with the line and the move number, if the record is wrong, or if there is none or more than one.

    >>> record = read('[Game "up-and-up"]\n[Rules "1"]\n[n "1"]\n[Result "1"]\n\n1. a1\n=1')
    >>> record.game.moves, record.summary
    (['a1'], 'The final score is 1.')
    >>> read('[Game "up-and-up"]\n[Rules "1"]\n[n "1"]\n[Result "1"]\n\n1. a2\n=1', "mine.quet")
    Traceback (most recent call last):
        ...
    quet.core.errors.BadRecord: mine.quet, line 6, move 1: a2 is off the grid; the squares are a1 to a1.
    """
    records = read_all(text, name)
    if len(records) != 1:
        raise BadRecord(
            say("There should be one record here, not {count}.", count=len(records) or say("none")), file=name
        )
    return records[0]


def read_all(text: str, name: str = "") -> list[Record]:
    """The records in a text or JSON, at most 20,000; `name` is that of the file. Raises BadRecord as `read` does."""
    from . import record_json, record_text

    if not isinstance(text, str):
        raise BadRecord(say("A record must be a text, not {value}.", value=shown(text)))
    name = _name(name)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return record_json.parse(text, name) if record_json.looks_like_json(text) else record_text.parse(text, name)


def may_have_position(text: str) -> bool:
    """Whether a record in a text or JSON may begin with a position on paper, which can take long to read.

    It is only looked at. JSON has many ways to write the word, so any may.
    """
    from . import record_json

    return "Position" in text or record_json.looks_like_json(text.removeprefix("\ufeff"))


def write_all(records: Iterable[Record]) -> str:
    """The records as one text, with an empty line between them; raises as `Record.text` does."""
    return "\n".join(record.text() for record in records)


def load(path: str | os.PathLike[str]) -> list[Record]:
    """The records in a regular file of UTF-8, at most 16 MB; raises BadRecord for any other, and as `read` does."""
    name = _name(path)
    try:
        content = read_file(path, LARGEST_FILE)
    except UnreadableFile as error:
        raise BadRecord(error.message, file=name) from None
    return decode(content, name)


def num_games(path: str | os.PathLike[str]) -> int:
    """How many games writing over a file takes away; 1 where it can't be read as records."""
    try:
        return len(load(path))
    except BadRecord:
        return 1


def decode(content: bytes, name: str = "") -> list[Record]:
    """The records in the content of a file of this name, UTF-8; raises BadRecord."""
    try:
        return read_all(content.decode("utf-8"), name)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BadRecord(say("The file is not text in UTF-8."), file=name, line=line) from None


def save(path: str | os.PathLike[str], records: Record | Game | Iterable[Record | Game]) -> None:
    """Write records, or games without further words, to a file: as JSON where its name ends with `.json`, else as text.

    The file is there whole or, when something fails, as it was. Raises BadRecord when it can't be written or would be
    larger than `load` takes, and as `Record.text` does.
    """
    from . import record_json

    name = _name(path)
    found = _records(records)
    if len(found) > MOST_RECORDS:
        raise BadRecord(say("There would be more than {most} records in it.", most=MOST_RECORDS), file=name)
    as_json = os.fspath(path).lower().endswith(".json")
    content = (record_json.write_all(found) if as_json else write_all(found)).encode()
    if len(content) > LARGEST_FILE:
        raise BadRecord(say("The file would be larger than 16 MB."), file=name)
    try:
        write_file(path, content)
    except UnwritableFile as error:
        raise BadRecord(error.message, file=name) from None


class Starter:
    """Starts the games of records that are read one after another, and looks up once what they share."""

    def __init__(self) -> None:
        self._num_records = 0
        self._entries: dict[str, catalog.Entry] = {}
        self._values: dict[tuple[object, ...], AnyValue] = {}
        self._positions: dict[tuple[object, ...], Game] = {}

    def begin(self, id: str) -> catalog.Entry:
        """The game of this name, of which one more record begins; raises UnknownGame, and BadRecord for too many."""
        self._num_records += 1
        if self._num_records > MOST_RECORDS:
            raise BadRecord(say("There are more than {most} records here.", most=MOST_RECORDS))
        if id not in self._entries:
            self._entries[id] = catalog.get(id)
        return self._entries[id]

    def check_version(self, entry: catalog.Entry, version: str) -> None:
        """Raise BadRecord unless the record is of the present rules."""
        if version != str(entry.rules.VERSION):
            raise BadRecord(
                say(
                    "The record is of version {version} of the rules of {id}; they are at version {present} here.",
                    version=shorten(version),
                    id=entry.id,
                    present=entry.rules.VERSION,
                )
            )

    def value(self, entry: catalog.Entry, values: Mapping[str, AnyValue], text: str | int) -> AnyValue:
        """The value of the parameter that comes after those in `values`; raises BadParameter and BadRecord."""
        parameter = entry.rules.PARAMETERS[len(values)]
        # A file or a generator may change, so a record holds terms; and reading one must open no other file.
        if isinstance(parameter, TermsParameter) and ":" in str(text):
            raise BadRecord(
                say(
                    "{name} must be a name or a list of terms in a record, not {text}.",
                    name=parameter.name,
                    text=shorten(str(text)),
                )
            )
        if len(str(text)) > (LONGEST_TEXT if isinstance(parameter, TermsParameter) else 100):
            raise BadRecord(say("{name} is too long for a record.", name=parameter.name))
        key = (entry.id, *map(str, values.values()), text)
        if key not in self._values:
            self._values[key] = parameter.read(text, values, files=False)
        return self._values[key]

    def game(self, entry: catalog.Entry, values: Mapping[str, AnyValue], position: str | None) -> Game:
        """The game that begins with this position or, if that is None, as its rules say.

        Raises BadPaper, BadParameter, and BadRecord if the position is of other parameters.
        """
        if position is None:
            return Game(entry, values)
        _check_text(position, say("The position"))
        if not position.strip():
            raise BadRecord(say("The position is empty."))
        key = (entry.id, *map(str, values.values()), position)
        if key not in self._positions:
            found = from_line(entry, position, values)
            if written(found.parameters) != written(values):
                raise BadRecord(say("The position is one of other parameters than the record has."))
            self._positions[key] = found
        return self._positions[key].copy()


def _check_text(text: object, what: str, ply: int = 0) -> None:
    if not isinstance(text, str):
        raise BadRecord(say("{what} must be a text.", what=what), move=ply)
    if CONTROL.search(text):
        raise BadRecord(say("{what} holds a control character.", what=what), move=ply)


def _check_parts(game: object, tags: object, comments: object) -> None:
    if not isinstance(game, Game):
        raise BadRecord(say("A record is of a game, not of {value}.", value=shown(game)))
    check_game(game)
    if not isinstance(tags, Mapping):
        raise BadRecord(say("Tags must be in a dictionary, not {value}.", value=shown(tags)))
    if not isinstance(comments, Mapping):
        raise BadRecord(say("Comments must be in a dictionary, not {value}.", value=shown(comments)))


def _check_comments(comments: Mapping[int, Sequence[str]], first: int, last: int) -> None:
    """Raise BadRecord unless they are texts, and follow moves from `first` to `last`."""
    for ply, texts in comments.items():
        if type(ply) is not int or not first <= ply <= last:
            if first:
                words = say(
                    "A comment follows move {ply}, but its variation has the moves {first} to {last}.",
                    ply=shown(ply),
                    first=first + 1,
                    last=last,
                )
            else:
                words = say("A comment follows move {ply}, but there are {count} moves.", ply=shown(ply), count=last)
            raise BadRecord(words)
        for text in _listed(texts):
            _check_text(text.replace("\n", " ") if isinstance(text, str) else text, say("A comment"), ply)


def _listed(texts: object) -> list[str]:
    """The comments after a move; raises BadRecord unless they are in a list. Each of them is still to be checked."""
    if not isinstance(texts, list | tuple):
        raise BadRecord(say("Comments after a move must be in a list, not {value}.", value=shown(texts)))
    return list(texts)


def _records(given: object) -> list[Record]:
    """The records that are to be written; raises BadRecord."""
    if isinstance(given, Record | Game):
        given = [given]
    try:
        several = iter(given)  # type: ignore[call-overload]
    except TypeError:
        several = iter([given])
    found = []
    for one in several:
        if not isinstance(one, Record | Game):
            raise BadRecord(say("Only games and records can be saved, not {value}.", value=shown(one)))
        found.append(Record.of(one) if isinstance(one, Game) else one)
    return found


def _name(path: object) -> str:
    name = os.fspath(path) if isinstance(path, str | os.PathLike) else None
    if not isinstance(name, str):
        raise BadRecord(say("The name of a file must be a text, not {value}.", value=shown(path)))
    return printable(name, LONGEST_NAME)
