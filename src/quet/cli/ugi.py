"""`quet ugi`: the engine's line protocol on standard input and output, similar to UCI and UGI.

A line is a command, and every answer is flushed at once. The answer to a wrong command is `error SENTENCE`; it changes
nothing.
"""

import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO, TextIO

from .. import __version__, catalog
from ..core.errors import BadParameter, QuetError, one_line
from ..core.grid import shorten
from ..core.numbers import integer_text, read_integer
from ..core.parameters import split_parameters
from ..core.sequences import Terms
from ..game import Game, new
from ..knowledge.values import exact_values
from ..players.levels import LevelPlayer
from ..players.player import Player, player

if TYPE_CHECKING:
    from ..engine.tree import Findings

LONGEST_LINE = 16 * 2**20  # bytes; the longest game that the rules allow fits


class BadCommand(QuetError):
    """A line that is no command."""


class Engine:
    """The state of one conversation: the game on the board, the options, and the search under way, if any."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """`say` prints a line; a search calls it from its own thread."""
        self._say = say
        self.game: Game | None = None
        self.options = {"seed": "", "threads": "1", "level": "level:6"}
        self._player: Player | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._commands: dict[str, Callable[[Sequence[str]], Iterator[str]]] = {
            "ugi": self._ugi,
            "isready": self._isready,
            "newgame": self._newgame,
            "position": self._position,
            "query": self._query,
            "go": self._go,
            "stop": self._stop_search,
            "setoption": self._setoption,
            "quit": self._quit,
        }

    def answer(self, line: bytes) -> None:
        """Say the answer to a command, or `error SENTENCE` if it can't be carried out."""
        try:
            words = _words(line)
            if not words:
                return
            command = self._commands.get(words[0])
            if command is None:
                raise BadCommand(f"There is no command {shorten(words[0])}.")
            for answer in command(words[1:]):
                self._say(answer)
        except QuetError as error:
            self._say(f"error {one_line(error)}")

    def finish(self, *, stop: bool) -> None:
        """Wait for the search under way, if any; on request tell it to stop first."""
        if self._thread is not None:
            if stop:
                self._stop.set()
            self._thread.join()
            self._thread = None

    def _ugi(self, words: Sequence[str]) -> Iterator[str]:
        _expect_none(words)
        yield f"id name Quet {__version__}"
        yield "id author the Quet developers"
        yield f"games {' '.join(catalog.ids())}"
        yield "ugiok"

    def _isready(self, words: Sequence[str]) -> Iterator[str]:
        _expect_none(words)
        yield "readyok"

    def _newgame(self, words: Sequence[str]) -> Iterator[str]:
        self._expect_no_search()
        if not words:
            raise BadCommand(f"Name a game, as in newgame {catalog.ids()[0]}.")
        self.game = new(words[0], **split_parameters(words[1:]))
        self._player = None
        yield "ok"

    def _position(self, words: Sequence[str]) -> Iterator[str]:
        self._expect_no_search()
        game = self._the_game()
        if not words or words[0] != "startpos" or (len(words) > 1 and words[1] != "moves"):
            raise BadCommand("Write position startpos, or position startpos moves M M ....")
        fresh = Game(game.entry, game.parameters)
        for move in words[2:]:
            fresh.play(move)
        self.game = fresh
        yield "ok"

    def _query(self, words: Sequence[str]) -> Iterator[str]:
        questions: dict[str, Callable[[Game], str]] = {
            "legal": lambda game: " ".join(game.legal_moves),
            "mover": lambda game: "none" if game.mover is None else str(game.mover),
            "gameover": lambda game: "true" if game.is_over else "false",
            "scores": lambda game: " ".join(map(str, game.scores)),
            "winners": lambda game: " ".join(map(str, game.winners)) or "none",
            "values": _values,
            "sequence": _sequence,
        }
        if len(words) != 1 or words[0] not in questions:
            raise BadCommand(f"Query one of {', '.join(questions)}.")
        yield f"response {questions[words[0]](self._the_game())}".rstrip()

    def _go(self, words: Sequence[str]) -> Iterator[str]:
        self._expect_no_search()
        game = self._the_game()
        limit = read_integer(words[1]) if len(words) == 2 and words[0] in ("sims", "movetime") else None
        if limit is None or not 1 <= limit < 2**63:
            raise BadCommand("Write go sims N or go movetime MS, with a number of at least 1.")
        if game.is_over:
            raise BadCommand("The game is over.")
        if self._player is None:
            self._player = player(self.options["level"], self._seed(), int(self.options["threads"]))
        self._stop.clear()
        search = functools.partial(self._search, game.copy(), self._player, words[0], limit)
        self._thread = threading.Thread(target=search, daemon=True)
        self._thread.start()
        yield from ()

    def _search(self, game: Game, mover: Player, kind: str, limit: int) -> None:
        """Choose a move and say it, in a thread of its own; `stop` ends it."""
        try:
            if isinstance(mover, LevelPlayer):
                seconds = limit / 1000 if kind == "movetime" else None
                move = mover.choose(
                    game,
                    simulations=limit if kind == "sims" else None,
                    seconds=seconds,
                    stop=self._stop,
                    report=lambda findings: self._say(_info(game, findings)),
                    final=lambda findings: self._say(_info(game, findings)),
                )
            else:
                move = mover.choose(game)
                self._say(f"info player {self.options['level']} note chosen without a search")
            self._say(f"bestmove {move}")
        except QuetError as error:
            self._say(f"error {one_line(error)}")

    def _stop_search(self, words: Sequence[str]) -> Iterator[str]:
        """End the search. If none runs, say nothing: it may just have ended by itself."""
        _expect_none(words)
        self.finish(stop=True)
        yield from ()

    def _quit(self, words: Sequence[str]) -> Iterator[str]:
        """Refuse words after quit; `serve` ends the conversation at a quit that stands alone."""
        _expect_none(words)
        yield from ()

    def _setoption(self, words: Sequence[str]) -> Iterator[str]:
        self._expect_no_search()
        if len(words) != 4 or words[0] != "name" or words[2] != "value":
            raise BadCommand("Write setoption name K value V.")
        name, value = words[1], words[3]
        if name not in self.options:
            raise BadCommand(f"There is no option {shorten(name)}; there is {', '.join(self.options)}.")
        if name == "level":
            player(value)
        else:
            number = read_integer(value)
            low, high = (0, 2**48) if name == "seed" else (1, 64)
            if number is None or not low <= number <= high:
                raise BadParameter(f"{name} must be an integer from {low} to {high}, not {shorten(value)}.")
        self.options[name] = value
        self._player = None
        yield "ok"

    def _seed(self) -> int | None:
        return int(self.options["seed"]) if self.options["seed"] else None

    def _the_game(self) -> Game:
        if self.game is None:
            raise BadCommand("There is no game yet; begin with newgame ID.")
        return self.game

    def _expect_no_search(self) -> None:
        if self._thread is not None and self._thread.is_alive():
            raise BadCommand("A search is under way; stop ends it.")


def serve(lines: BinaryIO, answers: TextIO) -> int:
    """Answer commands until `quit` or the end of input; return the exit status 0.

    At the end of input a search under way may finish, so that `go` can be the last line of a file.
    """
    lock = threading.Lock()
    failures: list[OSError] = []

    def answer(line: str) -> None:
        with lock:
            try:
                print(line, file=answers, flush=True)
            except OSError as error:  # perhaps in the search's thread: the main one has to end the program
                failures.append(error)

    engine = Engine(answer)
    has_quit = False
    while not failures and not has_quit and (line := lines.readline(LONGEST_LINE)):
        if not line.endswith(b"\n") and len(line) == LONGEST_LINE:
            while line and not line.endswith(b"\n"):
                line = lines.readline(LONGEST_LINE)
            answer("error The line is too long.")
            continue
        has_quit = line.split() == [b"quit"]
        if not has_quit:
            engine.answer(line)
    engine.finish(stop=has_quit or bool(failures))
    if failures:
        raise failures[0]
    return 0


def _words(line: bytes) -> list[str]:
    """The words of a line; raises BadCommand for what isn't text. A path may have UTF-8 in it."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise BadCommand("The line is not text.") from None
    text = text.rstrip("\r\n")
    if not all(character.isprintable() or character == "\t" for character in text):
        raise BadCommand("The line is not text.")
    return text.split()


def _expect_none(words: Sequence[str]) -> None:
    if words:
        raise BadCommand(f"Nothing may follow this command, but {shorten(words[0])} does.")


def _sequence(game: Game) -> str:
    """The terms that the game can use: one for each square."""
    for parameter in game.rules.PARAMETERS:
        value = game.parameters[parameter.name]
        if isinstance(value, Terms):
            return " ".join(integer_text(term) for term in value.used)
    return "none"


def _values(game: Game) -> str:
    """The exact value of each legal move for the mover, if it is found in a few seconds."""
    values = exact_values(game)
    if values is None:
        return "unknown"
    return " ".join(["exact", *(f"{move}:{value}" for move, value in values.items())])


def _info(game: Game, findings: "Findings") -> str:
    """What a search has found so far, as one line; `score` is 0..1 for the mover, or the score of a solitaire."""
    speed = int(findings.num_simulations / max(findings.seconds, 1e-9))
    line = " ".join(game.rules.move_text(game.state, move) for move in findings.line)
    return (
        f"info sims {findings.num_simulations} nodes {findings.num_nodes} sps {speed} "
        f"score {findings.value:.3f}{' exact' if findings.is_solved else ''} pv {line}"
    )
