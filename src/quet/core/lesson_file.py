"""A game's `lesson.toml`: five to eight steps on small boards, each with one move to make. It is checked when loaded.

[first_game]                                 # what is suggested after the lesson
parameters = { n = 5 }
opponent = "level:1"                         # in games for two or more

[[steps]]
parameters = { n = 3 }
moves = "b2 b3"                              # what was played before
words = "The blob grows square by square."   # what the step teaches
task = "Fill a square beside the blob."      # what to do now
otherwise = "That can be played, but..."     # the answer to any legal move that isn't named below

[[steps.right]]                              # the moves that lead on, and what they did
moves = "a2 c2"                              # left out: every legal move that isn't named elsewhere
words = "Row 2 now reads 2 1."
shows = ["row 2 (2,1): good"]                # items of the scores after the move, for `quet check` to compare

[[steps.wrong]]                              # moves, legal or not, with an answer of their own
moves = "a1"
words = "a1 touches the blob at a corner only."

In `words` some names in braces stand for what the rules say: {move}, the move made, {score}, the score after it of who
made it, {gain}, how much it has grown, and {score1}, {score2}... the score of each player. The words that introduce a
step may have the scores, as they are before the move.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from string import Formatter

from .errors import BrokenRules
from .quoting import shorten

FEWEST, MOST = 5, 8  # steps of a lesson
_VALUE = re.compile(r"score[1-8]?")
_VALUES_AFTER = re.compile(r"move|gain|score[1-8]?")


@dataclass(frozen=True)
class Reply:
    """What is said about some moves of a step."""

    moves: tuple[str, ...]  # none: all legal ones that aren't named elsewhere
    words: str  # a template
    is_right: bool
    shows: tuple[str, ...] = ()  # words of items that the scores have after the move


@dataclass(frozen=True)
class LessonStep:
    """A position with a move to make."""

    parameters: Mapping[str, int | str]
    moves: tuple[str, ...]  # that lead to the position
    words: str  # a template
    task: str
    replies: tuple[Reply, ...]  # those to right moves first
    otherwise: str  # a template; empty where every legal move has a reply

    def reply(self, move: str) -> Reply | None:
        """The reply that names this move."""
        return next((reply for reply in self.replies if move in reply.moves), None)

    @property
    def to_all_others(self) -> Reply | None:
        """The reply to every legal move that no reply names: the right one without moves, else `otherwise`."""
        unnamed = next((reply for reply in self.replies if not reply.moves), None)
        return unnamed or (Reply((), self.otherwise, is_right=False) if self.otherwise else None)


@dataclass(frozen=True)
class Lesson:
    """The steps, and the game to play afterwards."""

    steps: tuple[LessonStep, ...]
    parameters: Mapping[str, int | str]
    opponent: str  # such as `level:1`; empty for a game that is played alone

    @property
    def texts(self) -> list[str]:
        """All that it says, to be translated."""
        texts = []
        for step in self.steps:
            texts += [step.words, step.task, *(reply.words for reply in step.replies), step.otherwise]
        return [text for text in dict.fromkeys(texts) if text]


def read_lesson(found: Mapping[str, object]) -> Lesson:
    """The lesson that a parsed `lesson.toml` describes; raises BrokenRules, with one sentence."""
    _only(found, "the lesson", {"first_game", "steps"})
    first = _table(found.get("first_game", {}), "first_game")
    _only(first, "[first_game]", {"parameters", "opponent"})
    steps = found.get("steps")
    if not isinstance(steps, list) or not FEWEST <= len(steps) <= MOST:
        raise _wrong("steps", f"be {FEWEST} to {MOST} tables [[steps]]")
    opponent = _line(first["opponent"], "opponent of [first_game]") if "opponent" in first else ""
    return Lesson(
        tuple(_step(step, f"step {number}") for number, step in enumerate(steps, 1)),
        _parameters(first.get("parameters", {}), "[first_game]"),
        opponent,
    )


def _step(found: object, name: str) -> LessonStep:
    part = _table(found, name)
    _only(part, name, {"parameters", "moves", "words", "task", "otherwise", "right", "wrong"})
    right = _replies(part.get("right"), f"right moves of {name}", is_right=True)
    wrong = _replies(part.get("wrong", []), f"wrong moves of {name}", is_right=False)
    unnamed = sum(not reply.moves for reply in right)
    if not right or unnamed > 1 or not all(reply.moves for reply in wrong):
        raise _wrong(f"right moves of {name}", "be named, or for one reply be all others")
    named = [move for reply in (*right, *wrong) for move in reply.moves]
    twice = sorted({move for move in named if named.count(move) > 1})
    if twice:
        raise BrokenRules(f"In {name} of the lesson {shorten(twice[0])} has two replies.")
    if "otherwise" in part and unnamed:
        raise _wrong(f"other moves of {name}", "have one reply, and a right one without moves is it already")
    return LessonStep(
        parameters=_parameters(part.get("parameters", {}), name),
        moves=_moves(part.get("moves", ""), f"moves of {name}"),
        words=_template(part.get("words"), f"words of {name}", _VALUE),
        task=_template(part.get("task"), f"task of {name}", _VALUE),
        replies=(*right, *wrong),
        otherwise=_template(part["otherwise"], f"otherwise of {name}", _VALUES_AFTER) if "otherwise" in part else "",
    )


def _replies(found: object, name: str, *, is_right: bool) -> list[Reply]:
    if not isinstance(found, list):
        raise _wrong(name, "be tables")
    replies = []
    for one in found:
        part = _table(one, name)
        _only(part, name, {"moves", "words", "shows"})
        shows = part.get("shows", [])
        if not isinstance(shows, list):
            raise _wrong(f"shows of the {name}", "be a list of texts")
        replies.append(
            Reply(
                _moves(part.get("moves", ""), name),
                _template(part.get("words"), f"words for the {name}", _VALUES_AFTER),
                is_right,
                tuple(_line(item, f"shows of the {name}") for item in shows),
            )
        )
    return replies


def _template(found: object, name: str, values: re.Pattern[str]) -> str:
    text = _line(found, name)
    try:
        fields = [field for _, field, *_ in Formatter().parse(text) if field is not None]
        text.format_map(dict.fromkeys(fields, 0))
    except (ValueError, KeyError, LookupError, AttributeError):
        raise _wrong(name, "have no braces but around the name of a value") from None
    unknown = [field for field in fields if not values.fullmatch(field)]
    if unknown:
        raise BrokenRules(f"The {name} of the lesson have a value {shorten(unknown[0])}, which isn't known.")
    return text


def _moves(found: object, name: str) -> tuple[str, ...]:
    if not isinstance(found, str) or not found.isprintable():
        raise _wrong(name, "be one line of text")
    return tuple(found.split())


def _line(found: object, name: str) -> str:
    if not isinstance(found, str) or not found.strip() or not found.isprintable():
        raise _wrong(name, "be one line of text")
    return found


def _parameters(found: object, name: str) -> dict[str, int | str]:
    parameters = _table(found, f"parameters of {name}")
    values = {name: value for name, value in parameters.items() if type(value) is int or isinstance(value, str)}
    if len(values) < len(parameters) or not all(str(value).isprintable() for value in values.values()):
        raise _wrong(f"parameters of {name}", "be integers and texts")
    return values


def _table(found: object, name: str) -> dict[str, object]:
    if not isinstance(found, dict):
        raise _wrong(name, "be a table")
    return found


def _only(part: Mapping[str, object], name: str, known: set[str]) -> None:
    for key in part:
        if key not in known:
            raise BrokenRules(f"In {name} nothing is called {shorten(key)}.")


def _wrong(name: str, what: str) -> BrokenRules:
    return BrokenRules(f"The {name} of the lesson must {what}.")
