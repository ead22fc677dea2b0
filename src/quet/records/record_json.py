"""Records as JSON, the twin of the text; `record.schema.json` describes it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from ..core import json_text
from ..core.errors import BadRecord, BrokenRules, QuetError
from ..core.messages import say
from ..core.parameters import AnyValue, TermsParameter, written
from ..core.quoting import shorten
from ..game import Game
from .record import MOVE, Record, Starter, Termination
from .variations import Variation

T = TypeVar("T")

FORMAT, VERSION = "quet-record", 1
_KEYS = ("format", "version", "game", "rules", "parameters", "tags", "moves", "comments", "result")
_OPTIONAL = ("position", "variations")
_OF_VARIATIONS = ("ply", "moves", "comments", "variations")
_START = re.compile(r"\s*(\[\s*([{\]]|\Z)|\{\s*[\"}])")
_PLY = re.compile(r"0|[1-9][0-9]{0,8}")


def looks_like_json(text: str) -> bool:
    """Whether the text begins as JSON does; a record as text begins with `[Game`."""
    return _START.match(text) is not None


def write(record: Record) -> dict[str, object]:
    """The record as data for JSON; raises BadRecord and BrokenRules."""
    record.check()
    game = record.game
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": game.id,
        "rules": game.rules.VERSION,
        "parameters": written(game.parameters),
        **({"position": record.position} if game.start else {}),
        "tags": dict(record.tags),
        "moves": game.moves,
        "comments": _comments(record.comments),
        **({"variations": _variations(record.variations)} if record.variations else {}),
        "result": _result(record),
    }


def _comments(comments: Mapping[int, Sequence[str]]) -> dict[str, object]:
    return {str(ply): list(texts) for ply, texts in sorted(comments.items()) if texts}


def _variations(variations: Sequence[Variation]) -> list[dict[str, object]]:
    return [
        {
            "ply": one.ply,
            "moves": list(one.moves),
            "comments": _comments(one.comments),
            "variations": _variations(one.variations),
        }
        for one in variations
    ]


def write_all(records: Iterable[Record]) -> str:
    """The records as JSON text: one as an object, none or several as an array."""
    data = [write(record) for record in records]
    return json.dumps(data[0] if len(data) == 1 else data, ensure_ascii=False, indent=2) + "\n"


def parse(text: str, name: str) -> list[Record]:
    """The records in a JSON text; raises BadRecord with file, line and move number.

    The line is the one where the JSON is malformed, else the one where the record begins.
    """
    try:
        reader = _Reader(text)
    except json_text.BadJson as error:
        raise BadRecord(error.sentence, file=name, line=error.line) from None
    try:
        return [reader.record(data) for data in reader.objects()]
    except BrokenRules:
        raise
    except json_text.BadJson as error:
        raise BadRecord(error.sentence, file=name, line=error.line) from None
    except QuetError as error:
        sentence = error.sentence if isinstance(error, BadRecord) else error.message
        line = text.count("\n", 0, reader.position) + 1
        raise BadRecord(sentence, file=name, line=line, move=reader.move) from None


def _result(record: Record) -> dict[str, object]:
    if record.termination is not None:
        return {"status": "stopped", "winners": record.winners, "termination": record.termination.reason}
    if record.is_over:
        return {"status": "finished", "scores": record.game.scores, "winners": record.winners}
    return {"status": "unfinished"}


class _Reader:
    """Reads records one by one; `position` and `move` say where it is when it finds a mistake. Raises BadJson."""

    def __init__(self, text: str) -> None:
        self.position = 0  # where the record begins
        self.move = 0  # the number of the move being read; 0 outside the moves
        self._text = text
        self._starter = Starter()
        self._reader = json_text.Reader(text, has_fractions=True)

    def objects(self) -> Iterator[object]:
        """The one value in the text, or those of the array in it, one at a time."""
        after = self._reader.skip(0)
        if not self._text.startswith("[", after):
            value, after = self._decode(after)
            yield value
        else:
            after = self._reader.skip(after + 1)
            if not self._text.startswith("]", after):
                value, after = self._decode(after)
                yield value
                while self._text.startswith(",", after := self._reader.skip(after)):
                    value, after = self._decode(self._reader.skip(after + 1))
                    yield value
            self.position = after
            if not self._text.startswith("]", after):
                raise BadRecord(say("The JSON is malformed: expecting a comma or ] after a record."))
            after += 1
        self.position = self._reader.skip(after)
        if self.position < len(self._text):
            raise BadRecord(say("Something follows the end of the JSON."))

    def record(self, value: object) -> Record:
        """The record that this JSON value describes; raises BadRecord and other errors of Quet."""
        self.move = 0
        data: dict[str, object] = _checked(value, dict, say("A record"))
        for key in _KEYS:
            if key not in data:
                raise BadRecord(say("The record has no {key}.", key=key))
        for key in data:
            if key not in _KEYS + _OPTIONAL:
                raise BadRecord(say("A record has nothing called {key}.", key=shorten(key)))
        if data["format"] != FORMAT or type(data["version"]) is not int or data["version"] != VERSION:
            raise BadRecord(
                say("The format must be {format} and its version {version}.", format=FORMAT, version=VERSION)
            )
        game = self._start(data)
        for text in _checked(data["moves"], list, say("The moves")):
            self.move = game.ply + 1
            game.play(_read_move(text))
        self.move = 0
        tags = _checked(data["tags"], dict, say("The tags"))
        comments, variations = _read_comments(data["comments"]), _read_variations(data.get("variations", []))
        if "variations" in data and not variations:
            raise BadRecord(say("The list of variations is empty."))
        record = Record(game, tags, comments, _read_termination(data["result"]), variations)
        record.check()
        # As texts, because True == 1 == 1.0 in Python.
        said, true = (json.dumps(result, sort_keys=True) for result in (data["result"], _result(record)))
        if said != true:
            raise BadRecord(say("The result should be {true}, as the game was played.", true=true))
        return record

    def _start(self, data: dict[str, object]) -> Game:
        entry = self._starter.begin(_checked(data["game"], str, say("The game")))
        self._starter.check_version(entry, str(_checked(data["rules"], int, say("The version of the rules"))))
        given = _checked(data["parameters"], dict, say("The parameters"))
        values: dict[str, AnyValue] = {}
        for parameter in entry.rules.PARAMETERS:
            if parameter.name not in given:
                raise BadRecord(say("The parameter {name} is missing.", name=parameter.name))
            kind: type[str | int] = str if isinstance(parameter, TermsParameter) else int
            value = _checked(given[parameter.name], kind, say("The parameter {name}", name=parameter.name))
            values[parameter.name] = self._starter.value(entry, values, value)
        for name in given:
            if name not in values:
                raise BadRecord(
                    say(
                        "There is no parameter {name}; this game has {names}.",
                        name=shorten(name),
                        names=" and ".join(values),
                    )
                )
        position = _checked(data["position"], str, say("The position")) if "position" in data else None
        return self._starter.game(entry, values, position)

    def _decode(self, start: int) -> tuple[object, int]:
        self.position = start
        return self._reader.value(start)


_NAMES = {dict: say("an object"), list: say("an array"), str: say("a text"), int: say("an integer")}
_MOVE_WORDS = say("A move")  # made once, as every move is checked


def _checked(value: object, kind: type[T], what: str) -> T:
    """The value; raises BadRecord unless it is of exactly this type (True is no integer)."""
    if type(value) is not kind:
        raise BadRecord(say("{what} must be {kind}.", what=what, kind=_NAMES[kind]))
    return value


def _read_move(data: object) -> str:
    text = _checked(data, str, _MOVE_WORDS)
    if not MOVE.fullmatch(text):
        raise BadRecord(say("{text} is no move of any game.", text=shorten(text)))
    return text


def _read_variations(data: object) -> tuple[Variation, ...]:
    """The variations of a line, whose moves are still to be checked."""
    found = []
    for one in _checked(data, list, say("The variations")):
        parts = _checked(one, dict, say("A variation"))
        for key in _OF_VARIATIONS:
            if key not in parts:
                raise BadRecord(say("A variation has no {key}.", key=key))
        for key in parts:
            if key not in _OF_VARIATIONS:
                raise BadRecord(say("A variation has nothing called {key}.", key=shorten(key)))
        found.append(
            Variation(
                _checked(parts["ply"], int, say("The first move of a variation")),
                tuple(_read_move(text) for text in _checked(parts["moves"], list, say("The moves of a variation"))),
                _read_comments(parts["comments"]),
                _read_variations(parts["variations"]),
            )
        )
    return tuple(found)


def _read_comments(data: object) -> dict[int, list[str]]:
    comments: dict[int, list[str]] = {}
    for ply, texts in _checked(data, dict, say("The comments")).items():
        if not _PLY.fullmatch(ply):
            raise BadRecord(say("Comments must follow a move number, 0 for the start, not {ply}.", ply=shorten(ply)))
        if not _checked(texts, list, say("What follows move {ply}", ply=ply)):
            raise BadRecord(say("The list of comments after move {ply} is empty.", ply=ply))
        comments[int(ply)] = texts
    return dict(sorted(comments.items()))


def _read_termination(result: object) -> Termination | None:
    if not isinstance(result, dict) or result.get("status") != "stopped":
        return None
    winners = _checked(result.get("winners"), list, say("What the result calls winners"))
    return Termination(_checked(result.get("termination"), str, say("The termination")), tuple(winners))
