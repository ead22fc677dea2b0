"""A puzzle, and the file `puzzles.jsonl` in a game's folder: a puzzle a line, as JSON.

{"parameters": {"n": 4}, "moves": "b2 b3", "kind": "win", "worths": [1, -1], "replies": ["", "c3"],
"found": [3, 5, 8, 12]}

`worths` has, for each legal move in their order, the mover's final advantage after it under perfect play, as
`exact_values` gives it. `replies` has the other player's best answer to each move that isn't right and doesn't end the
game; a solitaire has none. `found` says in how many of TRIES tries level:1, level:2, ... solved it.
"""

import hashlib
import importlib.resources
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, cached_property
from typing import cast

from .. import catalog, games
from ..capabilities import Goal
from ..core import json_text
from ..core.errors import BadParameter, BrokenRules, MoveError, QuetError
from ..core.messages import say
from ..core.parameters import read_parameters
from ..core.rules import AnyRules
from ..game import Game, Start

FILE = "puzzles.jsonl"
LARGEST = 2_000_000  # characters of a file
LONGEST_LINE = 20_000
TRIES = 20  # of each level
LEVELS = ("level:1", "level:2", "level:3", "level:4")
RATINGS = (800, 1000, 1200, 1400)  # of these levels when they are met by puzzles
_NAMES = {"parameters", "moves", "kind", "worths", "replies", "found"}


class BadPuzzles(QuetError):
    """A file of puzzles that can't be used; the message names the line."""


class Kind(Enum):
    """What a puzzle asks for."""

    WIN = "win"  # one move wins, all others don't
    HOLD = "hold"  # one move holds the draw, all others lose
    BEST = "best"  # reach the best score of a solitaire that can be reached from here

    @property
    def task(self) -> str:
        """What is asked, as a sentence."""
        if self is Kind.WIN:
            return say("Only one move wins. Find it.")
        if self is Kind.HOLD:
            return say("Only one move holds the draw; every other one loses. Find it.")
        return say("Reach the best score that is possible from here.")


@dataclass(frozen=True)
class Puzzle:
    """A position with the exact value of each of its moves."""

    game_id: str
    parameters: Mapping[str, int | str]
    moves: tuple[str, ...]  # that led to the position
    kind: Kind
    worths: tuple[int, ...]  # of the legal moves, in their order: the mover's final advantage, larger is better
    answers: tuple[str, ...]  # to these moves, empty to those that are right or end the game; () in a solitaire
    found: tuple[int, ...]  # in so many of TRIES tries, by LEVELS

    @cached_property
    def id(self) -> str:
        """Eight hexadecimal digits which follow from the position, and so stay when puzzles are made anew."""
        position = json.dumps([self.game_id, dict(self.parameters), list(self.moves)], sort_keys=True)
        return hashlib.sha256(position.encode()).hexdigest()[:8]

    @property
    def best(self) -> int:
        """The value of the position for the mover."""
        return max(self.worths)

    @cached_property
    def values(self) -> Mapping[str, int]:
        """What each legal move is worth. Raises BrokenRules where the position can't be reached."""
        try:
            moves = list(self.position().legal_moves)
        except (MoveError, BadParameter) as error:
            raise BrokenRules(f"The puzzle {self.id} of {self.game_id} can't be set up: {error}") from None
        if len(moves) != len(self.worths):
            raise BrokenRules(f"The puzzle {self.id} of {self.game_id} has values of other moves.")
        return dict(zip(moves, self.worths, strict=True))

    @cached_property
    def replies(self) -> Mapping[str, str]:
        """The other player's best answers to moves that aren't right, where there is one."""
        return {move: reply for move, reply in zip(self.values, self.answers, strict=False) if reply}

    @cached_property
    def right(self) -> tuple[str, ...]:
        """The moves that solve the puzzle, or begin its solution; all of them."""
        return tuple(move for move, value in self.values.items() if is_right(self.kind, value, self.best))

    @cached_property
    def rating(self) -> int:
        """How difficult it is, on the scale of RATINGS: a level with the same rating solves it in half of its tries.

        It is the likeliest rating after the tries of all levels. One more success and one more failure of a level
        halfway keep it finite.
        """
        low, high = 0.0, 3000.0
        middle = sum(RATINGS) / len(RATINGS)
        while high - low > 0.5:
            rating = (low + high) / 2
            expected = sum(TRIES * _chance(level, rating) for level in RATINGS) + 2 * _chance(middle, rating)
            low, high = (rating, high) if expected > sum(self.found) + 1 else (low, rating)
        return round(high)

    def position(self) -> Game:
        """The game at the position, with the rules as puzzles are played. Raises MoveError and BadParameter."""
        entry = catalog.get(self.game_id)
        whole = Game(entry, read_parameters(entry.rules.PARAMETERS, self.parameters, files=False))
        for move in self.moves:
            whole.play(move)
        return asked(whole)


def _chance(level: float, rating: float) -> float:
    return float(1 / (1 + 10 ** ((rating - level) / 400)))


def is_right(kind: Kind, value: int, best: int) -> bool:
    """Whether a move with this value is right in a position whose best move has the value `best`."""
    return value > 0 if kind is Kind.WIN else value >= 0 if kind is Kind.HOLD else value == best


class _PuzzleEntry(catalog.Entry):
    """A game whose puzzles have rules of their own: fewer moves than the game. It is searched by them alone."""

    @cached_property
    def rules(self) -> AnyRules:
        return cast(AnyRules, games.part(self.id, self.package, "puzzle_rules"))

    @cached_property
    def goal(self) -> Goal | None:
        """That of these rules, where they say what is to do in a puzzle, or else that of the game."""
        return self.rules if isinstance(self.rules, Goal) else super().goal

    local_search = None
    planner = None
    solve = None
    sensible = None
    patterns = None

    def __reduce__(self) -> tuple[object, ...]:
        return entry_of, (self.id,)


@cache
def entry_of(game_id: str) -> catalog.Entry:
    """The game as its puzzles are played: by its own rules or those of its `puzzle_rules.py`. Raises UnknownGame."""
    entry = catalog.get(game_id)
    if games.optional_part(entry.id, entry.package, "puzzle_rules") is None:
        return entry
    return _PuzzleEntry(entry.id, entry.package)


def asked(whole: Game) -> Game:
    """A game as its puzzles are played, from a position of the game itself; its mover is the one who is asked."""
    entry, start = entry_of(whole.id), whole._start
    ask = getattr(entry.rules, "ask", None)
    if ask is not None:  # from the start on, so that moves that are played again lead to the same position
        begun = whole.at(0).state
        ask(begun, whole.rules.mover(whole.state))
        start = Start("", begun, ()) if start is None else replace(start, state=begun)
    game = Game(entry, whole.parameters, start)
    for move in whole.numbers:  # what led here was played by the game's own rules
        game._push(move)
    return game


def mover_of(game: Game) -> int | None:
    """Whose turn it is by the game's own rules: those of its puzzles may count several players as one."""
    return None if game.is_over else catalog.get(game.id).rules.mover(game.state)


def note_of(game_id: str) -> str:
    """What is different in the puzzles of a game, as a sentence; empty where they go by the game's rules."""
    return str(getattr(entry_of(game_id).rules, "NOTE", ""))


@cache
def of(game_id: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game, the easiest first, those of one rating by their ids; empty where the game has none.

    Raises UnknownGame, and BrokenRules where its file can't be used.
    """
    entry = catalog.get(game_id)
    try:
        file = importlib.resources.files(entry.package).joinpath(FILE)
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        return read(game_id, text)
    except BadPuzzles as error:
        raise BrokenRules(f"The puzzles of {game_id} can't be used: {error}") from None
    except Exception as error:  # the folder of another package can raise anything
        raise BrokenRules(f"The puzzles of {game_id} can't be read.") from error


@cache
def _by_id(game_id: str) -> Mapping[str, Puzzle]:
    return {puzzle.id: puzzle for puzzle in of(game_id)}


def find(game_id: str, id: str) -> Puzzle | None:
    """The puzzle of a game with this id; None where there is none."""
    return _by_id(game_id).get(id)


def read(game_id: str, text: str) -> tuple[Puzzle, ...]:
    """The puzzles in the text of a file, sorted as in `of`; no position twice. Raises BadPuzzles.

    The moves aren't played here; `quet puzzles check` does.
    """
    if len(text) > LARGEST:
        raise BadPuzzles(say("A file of puzzles has at most {largest} characters.", largest=LARGEST))
    found: dict[str, Puzzle] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            puzzle = _read(game_id, json_text.read(line, largest=LONGEST_LINE))
        except json_text.BadJson as error:
            raise BadPuzzles(say("line {number}: {what}", number=number, what=error.sentence)) from None
        except _Wrong as error:
            raise BadPuzzles(say("line {number}: {what}", number=number, what=error.message)) from None
        if puzzle.id in found:
            raise BadPuzzles(say("line {number}: {what}", number=number, what=say("This puzzle stands there twice.")))
        found[puzzle.id] = puzzle
    return tuple(sorted(found.values(), key=lambda puzzle: (puzzle.rating, puzzle.id)))


def written(puzzles: Iterable[Puzzle]) -> str:
    """The text of a file with these puzzles, in the order of `of`."""
    lines = []
    for puzzle in sorted(puzzles, key=lambda puzzle: (puzzle.rating, puzzle.id)):
        data = {
            "parameters": dict(puzzle.parameters),
            "moves": " ".join(puzzle.moves),
            "kind": puzzle.kind.value,
            "worths": list(puzzle.worths),
            "replies": list(puzzle.answers),
            "found": list(puzzle.found),
        }
        lines.append(json.dumps(data, separators=(",", ":")) + "\n")
    return "".join(lines)


class _Wrong(QuetError):
    """What is wrong in a line."""


def _read(game_id: str, data: object) -> Puzzle:
    if not isinstance(data, dict) or data.keys() != _NAMES:
        raise _Wrong(say("A puzzle has {names}, and nothing else.", names=", ".join(sorted(_NAMES))))
    parameters, moves, kind = data["parameters"], data["moves"], data["kind"]
    if not isinstance(parameters, dict) or not all(isinstance(one, int | str) for one in parameters.values()):
        raise _Wrong(say("The parameters of a puzzle are integers and texts."))
    if not isinstance(moves, str) or not moves.isprintable():
        raise _Wrong(say("The moves of a puzzle are one text."))
    if kind not in [one.value for one in Kind]:
        raise _Wrong(say("The kind of a puzzle is win, hold or best."))
    worths, replies, found = data["worths"], data["replies"], data["found"]
    if not isinstance(worths, list) or not worths or not all(type(worth) is int for worth in worths):
        raise _Wrong(say("The values of a puzzle are integers, one for each move."))
    if not isinstance(replies, list) or not all(isinstance(reply, str) for reply in replies):
        raise _Wrong(say("The replies of a puzzle are moves, one for each move."))
    if (
        not isinstance(found, list)
        or len(found) != len(LEVELS)
        or not all(type(count) is int and 0 <= count <= TRIES for count in found)
    ):
        raise _Wrong(say("A puzzle says how often each of {number} levels found it.", number=len(LEVELS)))
    asked, best = Kind(kind), max(worths)
    are_right = [is_right(asked, worth, best) for worth in worths]
    are_few = 2 * sum(are_right) <= len(worths) if asked is Kind.BEST else sum(are_right) == 1
    if all(are_right) or not any(are_right) or not are_few or (asked is Kind.HOLD and best != 0):
        raise _Wrong(say("The values don't suit a puzzle of this kind."))
    if len(replies) != (0 if asked is Kind.BEST else len(worths)):
        raise _Wrong(say("There must be as many replies as moves, and none in a solitaire."))
    if any(is_one_right and reply for is_one_right, reply in zip(are_right, replies, strict=False)):
        raise _Wrong(say("There is a reply to a move that isn't wrong."))
    return Puzzle(game_id, parameters, tuple(moves.split()), asked, tuple(worths), tuple(replies), tuple(found))


def is_playable(puzzle: Puzzle) -> str:
    """What is wrong with the position, the moves or the replies, as a sentence; empty where all can be played."""
    try:
        game = puzzle.position()
        if len(game.legal_numbers()) != len(puzzle.worths):
            return say("The values aren't those of all legal moves.")
        for move, reply in puzzle.replies.items():
            after = game.after(move)
            after.play(reply)
    except (MoveError, BadParameter) as error:
        return str(error)
    return ""
