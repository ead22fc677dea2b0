"""Records as text, in the spirit of PGN. `docs/records.md` has the grammar."""

import re
from collections.abc import Mapping, Sequence

from ..core.errors import BadRecord, BrokenRules, QuetError
from ..core.messages import say
from ..core.quoting import shorten
from ..core.rules import AnyState
from ..core.state import copy as copy_state
from ..game import Game
from .record import Record, Starter, Termination
from .variations import DEEPEST, MOST_MOVES, Variation, branch, in_order

WIDTH = 80  # columns; a comment or a move may be longer
_TAG_AND_COMMENT = r"""
      (?P<tag>     \[ [ \t\n]*+ ([A-Za-z][A-Za-z0-9_]*+) [ \t\n]*+ "((?: [^"\\\t\n]++ | \\["\\] )*+)" [ \t\n]*+ \] )
    | (?P<comment> \{ ((?: [^\\}]++ | \\[\\}n] )*+) \} )
    | (?P<open>    [\[{] )  # of a tag or comment that isn't well formed
"""
_TOKEN = re.compile(
    rf"""{_TAG_AND_COMMENT}
    | (?P<begin>   \( )
    | (?P<close>   \) )
    | (?P<number>  [0-9]++\. (?![^ \t\n()]) )
    | (?P<result>  [=*] [^ \t\n]*+ )
    | (?P<move>    [^ \t\n()]++ )
    """,
    re.VERBOSE,
)
# After the number of a move in the main line, where a move may have brackets in its text.
_MOVE = re.compile(
    rf"""{_TAG_AND_COMMENT}
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
    words = _line(1, game.moves, record.comments, record.variations)
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


def moves_text(record: Record) -> str:
    """The moves of a record with their comments and variations, in one line. `read_moves` reads them back."""
    return " ".join(_line(1, record.game.moves, record.comments, record.variations))


def read_moves(game: Game, text: str) -> Record:
    """A record of a game without tags, whose moves follow those of the `game`; raises BadRecord, with the move number.

    The moves, comments and variations are written as in a record. The game itself isn't changed.
    """
    reader = _Reader(f"{text.strip()}\n*")
    try:
        return reader.moves(game)
    except BrokenRules:
        raise
    except QuetError as error:
        sentence = error.sentence if isinstance(error, BadRecord) else error.message
        raise BadRecord(sentence, move=reader.move) from None


def _token(result: str) -> str:
    return result if result == "*" else f"={result}"


def _line(
    first: int, moves: Sequence[str], comments: Mapping[int, Sequence[str]], variations: Sequence[Variation]
) -> list[str]:
    """A line of moves in words, with its comments and, after the moves that they replace, its variations."""

    def after(ply: int) -> list[str]:
        return [f"{{{text.translate(_IN_COMMENT)}}}" for text in comments.get(ply, ())]

    def instead(ply: int) -> list[str]:
        words: list[str] = []
        for one in by_ply.get(ply, ()):
            inside = _line(one.ply, one.moves, one.comments, one.variations)
            inside[0] = f"({inside[0]}"
            inside[-1] += ")"
            words += inside
        return words

    by_ply: dict[int, list[Variation]] = {}
    for one in variations:
        by_ply.setdefault(one.ply, []).append(one)
    words = after(first - 1)
    for ply, move in enumerate(moves, first):
        words += [f"{ply}. {move}", *after(ply), *instead(ply)]
    return words + instead(first + len(moves))


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
    if not re.fullmatch(r"won:(none|[1-9][0-9]{0,3}(,[1-9][0-9]{0,3})*)", result):
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
        self._kind = "end"  # of the token: `tag`, `comment`, `begin`, `close`, `number`, `result`, `move`, or `end`
        self._end = 0  # of the current token
        self._starter = Starter()
        self._num_moves = 0  # of variations in this record
        self._has_variations = "(" in text

    def moves(self, game: Game) -> Record:
        """The one line of moves in the text, played on from the end of a game."""
        self._begin()
        game = game.copy()
        comments, variations = self._line(game, game.ply + 1)
        if self._end < len(self._text):
            raise BadRecord(say("After the moves there is something else: {word}.", word=shorten(self._word())))
        record = Record(game, {}, comments, None, variations)
        record.check()
        return record

    def _begin(self) -> None:
        control = _CONTROL.search(self._text)
        if control is not None:
            self.position = control.start()
            raise BadRecord(say("There is a control character here, which no record may hold."))
        self._advance()

    def records(self) -> list[Record]:
        self._begin()
        records = []
        while self._kind != "end":
            records.append(self._record())
        return records

    def _advance(self, pattern: re.Pattern[str] = _TOKEN) -> None:
        self._token = pattern.search(self._text, self._end)
        if self._token is None:
            self._kind, self.position = "end", len(self._text.rstrip(" \t\n"))
            return
        self._kind, (self.position, self._end) = self._token.lastgroup or "", self._token.span()
        if self._kind == "open":
            raise BadRecord(
                say('A tag must have the form [Name "value"].')
                if self._token[0] == "["
                else say("This comment isn't closed, or has a backslash that isn't one of \\\\, \\} and \\n.")
            )

    def _record(self) -> Record:
        game = self._start()
        tags, places = self._rest_of_tags(game)
        self._num_moves = 0
        comments, variations = self._line(game)
        token = self._word()
        said, reason = tags.pop("Result"), tags.pop("Termination", None)
        if token == said and said.startswith("="):
            raise BadRecord(say("The tag Result says {said}; there the result has no =.", said=shorten(said)))
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
        record = Record(game, tags, comments, termination, variations)
        _check_result(record, said)
        self.position = places.get("Termination", self.position)
        record.check()
        self._advance()
        return record

    def _start(self) -> Game:
        if self._kind != "tag" or self._name() != "Game":
            raise BadRecord(say("A record begins with the tag Game; there is something else here."))
        entry = self._starter.begin(self._value())
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

    def _line(self, game: Game, first: int = 1, depth: int = 0) -> tuple[dict[int, list[str]], tuple[Variation, ...]]:
        """Play the moves of a line up to what ends it, which becomes the current token; its comments and variations.

        The first move has the number `first`. The main line, of depth 0, ends with the result, and a variation with its
        bracket.
        """
        comments: dict[int, list[str]] = {}
        variations: list[Variation] = []
        before: AnyState | None = None  # the position before the last move
        last = first - 1
        end = "close" if depth else "result"
        while self._kind != end:
            if self._kind == "comment":
                comments.setdefault(last, []).append(self._comment())
            elif self._kind in ("number", "move"):
                before = copy_state(game.state) if self._has_variations else None
                last += 1
                self.move = last
                self._play(game, depth)
            elif self._kind == "begin":
                variations.append(self._variation(game, before, last, depth + 1))
            elif depth:
                raise BadRecord(say("This variation isn't closed; it ends with )."))
            else:
                self.move = 0
                raise BadRecord(
                    say("The record has no result; it ends with * or, as in =24-46, with the final scores.")
                )
            self._advance()
        self.move = 0
        return comments, in_order(variations)

    def _variation(self, game: Game, before: AnyState | None, last: int, depth: int) -> Variation:
        """The variation that begins here: of the last move, where it has that number, or else of the next one."""
        self.move = last
        if depth > DEEPEST:
            raise BadRecord(say("Variations stand at most {deepest} deep inside one another.", deepest=DEEPEST))
        self._advance()
        comments = []
        while self._kind == "comment":
            comments.append(self._comment())
            self._advance()
        is_of_last = before is not None and self._word() == f"{last}."
        line, ply = branch(game, before if is_of_last else None), last + (not is_of_last)
        rest, variations = self._line(line, ply, depth)
        if not line.ply:
            raise BadRecord(say("There is no move in this variation."))
        if comments:
            rest = {ply - 1: comments + rest.pop(ply - 1, []), **rest}
        return Variation(ply, tuple(line.moves), rest, variations)

    def _comment(self) -> str:
        return _unescape(_LAYOUT.sub(" ", self._word()[1:-1]))

    def _play(self, game: Game, depth: int) -> None:
        if self._word() != f"{self.move}.":
            raise BadRecord(
                say(
                    "The move number {move}. should stand here, not {word}.", move=self.move, word=shorten(self._word())
                )
            )
        self._advance(_TOKEN if depth else _MOVE)
        if self._kind != "move":
            raise BadRecord(say("There is no move after its number {move}.", move=self.move))
        if depth:
            self._num_moves += 1
            if self._num_moves > MOST_MOVES:
                raise BadRecord(say("The variations of a record have at most {most} moves together.", most=MOST_MOVES))
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
