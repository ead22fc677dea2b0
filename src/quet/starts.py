"""Positions written as on paper with which a game begins, and as one line in records."""

import contextlib
import re
from collections.abc import Iterable, Mapping

from . import catalog
from .core.arguments import shown
from .core.draft import EMPTY
from .core.errors import BadPaper, BadParameter, BadPosition, IllegalMove, QuetError, UnreadableMove
from .core.messages import say
from .core.paper import LARGEST_PAPER
from .core.parameters import AnyValue, TermsParameter, read_parameters, written
from .core.position import Position
from .core.quoting import shorten
from .core.state import copy as copy_state
from .game import Game, Start


def position(id: str, paper: str, /, **parameters: object) -> Game:
    """A game that begins with a position written as on paper; `parameters` are those that the paper doesn't show.

    Rows are separated by `/` or stand on lines of their own, `quet score --help` has an example of each game. A text
    whose first word is a move is read as the moves from the start; a `.` before it is a move that is missing. What is
    played on is taken back up to this position and no further. A paper on which nothing is played yet is a new game.
    Raises UnknownGame, BadPaper and BadParameter.

    >>> import quet
    >>> game = quet.position("palindromes", "1..0")
    >>> game.mover, game.legal_moves
    (1, ['2=0', '2=1', '3=0', '3=1'])
    >>> game == quet.position("palindromes", "1 . . 0")
    True
    """
    return on_paper(catalog.get(id), paper, parameters)


def on_paper(entry: catalog.Entry, text: str, given: Mapping[str, object], *, files: bool = True) -> Game:
    """As `position`, for an entry of the catalog. With `files=False` no parameter may name a file."""
    if not isinstance(text, str):
        raise BadPaper(say("A paper must be a text, not {value}.", value=shown(text)))
    if not files:
        _refuse_files(entry, given)
    found, fresh = _read_paper(entry, text, given), None
    with contextlib.suppress(BadParameter):  # a paper may have parameters that no new game has
        fresh = Game(entry, found.parameters)
    if fresh is not None and found.state == fresh.state:
        return fresh
    return Game(entry, found.parameters, Start(text, copy_state(found.state), tuple(found.moves)))


def start_line(game: Game) -> str:
    """The start of a game as one line, from which and all parameters `from_line` makes the same start again.

    Empty if the game begins as its rules say. Raises BadPaper if no line does it, since the judge of a game of another
    package may read whatever it likes.
    """
    if not game.start or game.start_is_line:
        return game.start
    first, lines = game.at(0), game.start.strip().splitlines()
    for line in (" ".join(between.join(lines).split()) for between in (" / ", "/", " ")):
        with contextlib.suppress(QuetError):
            if from_line(game.entry, line, game.parameters) == first:
                return line
    raise BadPaper(say("The paper with which the game begins can't be written as one line."))


def from_line(entry: catalog.Entry, line: str, parameters: Mapping[str, AnyValue]) -> Game:
    """The game that begins with this position and has these parameters, which are all of the game's.

    A judge may refuse parameters that it has itself concluded from a paper, so that it is asked without them too.
    Raises BadPaper and BadParameter.
    """
    try:
        return _of_line(on_paper(entry, line, parameters, files=False), line, parameters)
    except (BadPaper, BadParameter):
        game = None
        with contextlib.suppress(BadPaper, BadParameter):
            game = on_paper(entry, line, {})
        if game is None or written(game.parameters) != written(parameters):
            raise
        return _of_line(game, line, parameters)


def _of_line(game: Game, line: str, parameters: Mapping[str, AnyValue]) -> Game:
    """The game that was read from this line, which says so where it is a line and the parameters are those given.

    To read a position may take long, and whoever writes the line of this start down would read it once more.
    """
    if not game.start or line != " ".join(line.split()) or written(game.parameters) != written(parameters):
        return game
    at_start = game.position(legal=False)
    return Game(
        game.entry, game.parameters, Start(line, copy_state(at_start.state), tuple(at_start.moves), is_line=True)
    )


def after_moves(id: str, parameters: Mapping[str, object], moves: Iterable[str], start: str = "") -> Game:
    """The game after these moves; with `start` it begins with that position, as `start_line` writes it.

    Raises UnknownGame, BadParameter, BadPaper, and IllegalMove or UnreadableMove as `Game.play`.
    """
    entry = catalog.get(id)
    values = read_parameters(entry.rules.PARAMETERS, parameters)
    game = from_line(entry, start, values) if start else Game(entry, values)
    for move in moves:
        game.play(move)
    return game


def _refuse_files(entry: catalog.Entry, given: Mapping[str, object]) -> None:
    """Raises BadParameter if a file would be read. Judges read parameters themselves, from their descriptions alone."""
    for parameter in entry.rules.PARAMETERS:
        if isinstance(parameter, TermsParameter) and str(given.get(parameter.name, "")).startswith("file:"):
            raise BadParameter(say("{name} may not name a file here.", name=parameter.name))


_NUMBER = re.compile(r"[0-9]+\.")  # of a move


def _read_paper(entry: catalog.Entry, text: str, given: Mapping[str, object]) -> Position:
    """The position on a paper, or after the moves that the text lists."""
    words = text.replace(",", " ").split() if len(text) <= LARGEST_PAPER else []
    if words[:1] == ["1."] and len(words) > 1:  # moves with their numbers, unless it is a row of Palindromes
        with contextlib.suppress(BadPaper, BadParameter):
            return entry.judge.read_paper(text, given)
        words = [word for word in words if not _NUMBER.fullmatch(word)]
        text = " ".join(words)
    first = next((word for word in words if word != EMPTY), "")
    if not first or not _is_move(entry, first, given):
        return entry.judge.read_paper(text, given)
    try:
        return entry.judge.read_paper(text, given)  # `+ - a1 b2` can be read as both; it is read as a position first
    except BadPosition:
        raise
    except (BadPaper, BadParameter):
        pass
    game = Game(entry, read_parameters(entry.rules.PARAMETERS, given))
    if EMPTY in words and not all(word == EMPTY or _can_begin(game, word) for word in words):
        return entry.judge.read_paper(text, given)  # predictions with gaps, say, and not a list of moves
    for number, word in enumerate(words, 1):
        if word == EMPTY:
            raise BadPaper(say("Move {number} is missing.", number=number))
        try:
            game.play(word)
        except UnreadableMove as error:
            raise BadPaper(say("Move {number}: {error}", number=number, error=error.message)) from None
        except IllegalMove as error:
            raise BadPaper(
                say("Move {number}, {word}: {error}", number=number, word=shorten(word), error=error.message)
            ) from None
    return game.position(legal=False)


def _can_begin(game: Game, word: str) -> bool:
    """Whether the word is a legal move."""
    with contextlib.suppress(IllegalMove, UnreadableMove):
        game.read(word)
        return True
    return False


def _is_move(entry: catalog.Entry, word: str, given: Mapping[str, object]) -> bool:
    """Whether the word is a move in a game with these parameters, or with the defaults if these are refused."""
    for parameters in (given, {}):
        with contextlib.suppress(BadParameter, UnreadableMove):
            game = Game(entry, read_parameters(entry.rules.PARAMETERS, parameters))
            game.rules.read_move(game.state, word)
            return True
    return False
