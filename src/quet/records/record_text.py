"""Records as text, in the spirit of PGN. `docs/records.md` has the grammar."""

import re

from ..core.errors import BadRecord, BrokenRules, QuetError
from ..core.grid import shorten
from ..core.messages import say
from ..game import Game
from .record import Record, Starter, Termination

WIDTH = 80  # columns; a comment or a move may be longer
_TOKEN = re.compile(
    r"""
      (?P<tag>     \[ [ \t\n]*+ ([A-Za-z][A-Za-z0-9_]*+) [ \t\n]*+ "((?: [^"\\\t\n]++ | \\["\\] )*+)" [ \t\n]*+ \] )
    | (?P<comment> \{ ((?: [^\\}]++ | \\[\\}n] )*+) \} )
    | (?P<open>    [\[{] )  # of a tag or comment that isn't well formed
    | (?P<number>  [0-9]++\. (?![^ \t\n]) )
    | (?P<result>  [=*] [^ \t\n]*+ )
    | (?P<move>    [^ \t\n]++ )
    """,
    re.VERBOSE,
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# In a comment, a line break that only makes the text fit the page. It looks behind, or it would be quadratic in spaces.
_LAYOUT = re.compile(r"(?<! )[ ]*[\t\n][ \t\n]*")
_ESCAPED = re.compile(r"\\(.)")
_IN_TAG = str.maketrans({"\\": r"\\", '"': r"\""})
_IN_COMMENT = str.maketrans({"\\": r"\\", "}": r"\}", "\n": r"\n"})


def write(record: Record) -> str:
    """The record as text; raises BadRecord and BrokenRules."""
    record.check()
    game, result = record.game, record.result
    position = {"Position": record.position} if game.start else {}
    tags: dict[str, object] = {
        **{"Game": game.id, "Rules": game.rules.VERSION},
        **game.parameters,
        **position,
        **record.tags,
    }
    if record.termination is not None:
        tags["Termination"] = record.termination.reason
    tags["Result"] = result
    head = "".join(f'[{name} "{str(value).translate(_IN_TAG)}"]\n' for name, value in tags.items())
    words = _comments(record, 0)
    for ply, move in enumerate(game.moves, 1):
        words += [f"{ply}. {move}", *_comments(record, ply)]
    return f"{head}\n{_wrap(words)}{_token(result)}\n"


def parse(text: str, name: str) -> list[Record]:
    """The records in a text whose lines end with a line feed; raises BadRecord with file, line and move number."""
    reader = _Reader(text)
    try:
        return reader.records()
    except BrokenRules:
        raise
    except QuetError as error:
        sentence = error.sentence if isinstance(error, BadRecord) else error.message
        line = text.count("\n", 0, reader.position) + 1
        raise BadRecord(sentence, file=name, line=line, move=reader.move) from None


def _token(result: str) -> str:
    return result if result == "*" else f"={result}"


def _comments(record: Record, ply: int) -> list[str]:
    return [f"{{{text.translate(_IN_COMMENT)}}}" for text in record.comments.get(ply, ())]


def _wrap(words: list[str]) -> str:
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "".join(f"{line}\n" for line in lines)


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda match: "\n" if match[1] == "n" else match[1], text) if "\\" in text else text


def _read_won(result: str) -> tuple[int, ...]:
    """The winners that `won:1,2` or `won:none` names; raises BadRecord."""
    if not re.fullmatch(r"won:(none|[1-9](,[1-9])*)", result):
        raise BadRecord(
            say(
                "The result {result} doesn't go with a tag Termination; it should name the winners, as in "
                "won:1,2 or won:none.",
                result=shorten(result),
            )
        )
    return tuple(int(player) for player in result[4:].split(",") if player != "none")


def _check_result(record: Record, result: str) -> None:
    """Raise BadRecord unless the result is that of the game played."""
    if result == record.result:
        return
    if record.game.is_over:
        raise BadRecord(
            say(
                "The result is {result}, but the game ended {true}.",
                result=shorten(result),
                true=shorten(record.result),
            )
        )
    raise BadRecord(say("The result is {result}, but the game isn't over.", result=shorten(result)))


class _Reader:
    """Reads records token by token; `position` and `move` say where it is when it finds a mistake."""

    def __init__(self, text: str) -> None:
        self.position = 0  # of the current token
        self.move = 0  # the number of the move being read; 0 outside the moves
        self._text = text
        self._token: re.Match[str] | None = None  # None at the end
        self._kind = "end"  # of the token: `tag`, `comment`, `number`, `result`, `move`, or `end`
        self._tokens = _TOKEN.finditer(text)
        self._starter = Starter()

    def records(self) -> list[Record]:
        control = _CONTROL.search(self._text)
        if control is not None:
            self.position = control.start()
            raise BadRecord(say("There is a control character here, which no record may hold."))
        self._advance()
        records = []
        while self._kind != "end":
            records.append(self._record())
        return records

    def _advance(self) -> None:
        self._token = next(self._tokens, None)
        if self._token is None:
            self._kind, self.position = "end", len(self._text.rstrip(" \t\n"))
            return
        self._kind, self.position = self._token.lastgroup or "", self._token.start()
        if self._kind == "open":
            raise BadRecord(
                say('A tag must have the form [Name "value"].')
                if self._token[0] == "["
                else say("This comment isn't closed, or has a backslash that isn't one of \\\\, \\} and \\n.")
            )

    def _record(self) -> Record:
        game = self._start()
        tags, places = self._rest_of_tags(game)
        comments = self._moves(game)
        token = self._word()
        said, reason = tags.pop("Result"), tags.pop("Termination", None)
        if token != _token(said):
            raise BadRecord(
                say(
                    "The moves end with {token}, but the tag Result says {said}.",
                    token=shorten(token),
                    said=shorten(said),
                )
            )
        termination = None
        if reason is not None:
            termination = Termination(reason, _read_won(said))
        elif said.startswith("won:"):
            raise BadRecord(
                say("The result {said} needs a tag Termination that says how the game ended.", said=shorten(said))
            )
        record = Record(game, tags, comments, termination)
        _check_result(record, said)
        self.position = places.get("Termination", self.position)
        record.check()
        self._advance()
        return record

    def _start(self) -> Game:
        if self._kind != "tag" or self._name() != "Game":
            raise BadRecord(say("A record begins with the tag Game; there is something else here."))
        entry = self._starter.entry(self._value())
        self._advance()
        self._expect("Rules")
        self._starter.check_version(entry, self._value())
        self._advance()
        values: dict[str, object] = {}
        for parameter in entry.rules.PARAMETERS:
            self._expect(parameter.name)
            values[parameter.name] = self._starter.value(entry, values, self._value())
            self._advance()
        if self._kind != "tag" or self._name() != "Position":
            return Game(entry, values)
        game = self._starter.game(entry, values, self._value())
        self._advance()
        return game

    def _rest_of_tags(self, game: Game) -> tuple[dict[str, str], dict[str, int]]:
        """The tags after the parameters, Termination and Result included, and where they stand."""
        tags: dict[str, str] = {}
        places: dict[str, int] = {}
        while self._kind == "tag":
            name = self._name()
            if name == "Game":
                break
            if name == "Position" and not game.start:
                raise BadRecord(say("The tag Position must follow the parameters."))
            if name in tags or name in ("Rules", "Position") or name in game.parameters:
                raise BadRecord(say("The tag {name} is given twice.", name=shorten(name)))
            tags[name], places[name] = self._value(), self.position
            self._advance()
        if "Result" not in tags:
            raise BadRecord(say("The tag Result is missing."))
        return tags, places

    def _moves(self, game: Game) -> dict[int, list[str]]:
        """Play the moves up to the result, which becomes the current token; the comments by ply."""
        comments: dict[int, list[str]] = {}
        while self._kind != "result":
            if self._kind == "comment":
                comments.setdefault(game.ply, []).append(_unescape(_LAYOUT.sub(" ", self._word()[1:-1])))
            elif self._kind in ("number", "move"):
                self.move = game.ply + 1
                self._play(game)
            else:
                self.move = 0
                raise BadRecord(
                    say("The record has no result; it ends with * or, as in =24-46, with the final scores.")
                )
            self._advance()
        self.move = 0
        return comments

    def _play(self, game: Game) -> None:
        if self._word() != f"{self.move}.":
            raise BadRecord(
                say(
                    "The move number {move}. should stand here, not {word}.", move=self.move, word=shorten(self._word())
                )
            )
        self._advance()
        if self._kind != "move":
            raise BadRecord(say("There is no move after its number {move}.", move=self.move))
        game.play(self._word())

    def _expect(self, name: str) -> None:
        if self._kind != "tag":
            raise BadRecord(say("The tag {name} is missing.", name=name))
        if self._name() != name:
            raise BadRecord(
                say("The tag {name} should stand here, not {found}.", name=name, found=shorten(self._name()))
            )

    def _word(self) -> str:
        return self._token[0] if self._token else ""

    def _name(self) -> str:
        return self._token[2] if self._token else ""

    def _value(self) -> str:
        return _unescape(self._token[3]) if self._token else ""
