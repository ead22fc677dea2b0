"""The engine behind `quet ugi`: its commands and their answers, similar to UCI and UGI. `ugi_lines` reads the lines.

A line is a command. The answer to a wrong command is `error SENTENCE`; it changes nothing. A search has a thread of its
own, so that the engine can be told to stop.
"""

import contextlib
import functools
import math
import re
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from .. import __version__, catalog
from ..core.arguments import LEAST_MEMORY, MOST_MEMORY, MOST_SEED
from ..core.clock import COMPILING, clock
from ..core.errors import BadParameter, QuetError, one_line
from ..core.numbers import integer_text, read_integer
from ..core.parameters import split_parameters
from ..core.quoting import shorten
from ..core.sequences import Terms
from ..engine.compiled import telling
from ..game import Game, new
from ..knowledge.ask import advantages, ask
from ..knowledge.known import MEMORY, Budget
from ..knowledge.worth import share_of
from ..players.levels import LEVELS, LevelPlayer
from ..players.player import SECONDS, STAND_IN, PerfectPlayer, RandomPlayer, Unproven, player

if TYPE_CHECKING:
    from ..engine.findings import Findings

LONGEST_LINE = 16 * 2**20  # bytes; the longest game that the rules allow fits
MOST_WORDS = 100  # of a command without moves
FIRST_WORD = 100  # bytes of a line that has room for every command; shorter lines that are no commands are remembered
PONDER_SECONDS = 600.0  # that an engine thinks on while nobody says anything, at most
QUERY_SECONDS = 5.0  # that `query values` and `query known` take at most, besides compiling
LEAST_SECONDS = 0.001  # that a search has where the search for a proof took all of its time
MOST_SIMULATIONS = 2**30  # of `go infinite`: the trees count visits in 32 bits
# Of the options that are integers.
RANGES = {"seed": (0, MOST_SEED), "threads": (1, 64), "memory": (LEAST_MEMORY, MOST_MEMORY)}
_WORD = re.compile(r"\S+")


class BadCommand(QuetError):
    """A line that is no command."""


class Engine:
    """The state of one conversation: the game on the board, the options, and the search under way, if any."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """`say` prints a line; a search calls it from its own thread."""
        self._say = say
        self.game: Game | None = None
        self.options = {"seed": "", "threads": "1", "level": "level:6", "memory": "", "ponder": "off"}
        self._player: RandomPlayer | LevelPlayer | PerfectPlayer | None = None
        self._stand_in: LevelPlayer | None = None  # moves where the player has no proven move
        self._stop = threading.Event()  # ends the search
        self._is_found = threading.Event()  # the search has ended, and says its move
        self._is_infinite = False
        self._ponder_stop = threading.Event()  # ends the thinking that goes on after a move was found
        self._thread: threading.Thread | None = None
        self._later_stop: threading.Event | None = None  # ends a question; `answer` has it
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

    def knows(self, line: bytes) -> bool:
        """Whether the line begins with a command."""
        words = line.lstrip()[:FIRST_WORD].split(maxsplit=1)
        return bool(words) and words[0].decode(errors="replace") in self._commands

    def answer(self, line: bytes, stop: threading.Event | None = None) -> None:
        """Say the answer to a command, or `error SENTENCE` if it can't be carried out.

        `stop` is set when a `stop` is read after the line. It ends a question that takes long.
        """
        self._later_stop = stop
        try:
            if not self.knows(line):
                if sentence := refusal(line):
                    self._say(sentence)
                return
            words = _words(line)
            command = self._commands[words[0]]
            if len(words) > MOST_WORDS and words[0] != "position":
                raise BadCommand(f"There are more than {MOST_WORDS} words in the line.")
            for answer in command(words[1:]):
                self._say(answer)
        except QuetError as error:
            self._say(f"error {one_line(error)}")
        except MemoryError:
            self._say("error This machine hasn't the memory for it.")

    def finish(self, *, stop: bool) -> None:
        """Wait for the search under way, if any; on request tell it to stop first. An infinite one is always told."""
        if self._thread is not None:
            if stop or self._is_infinite:
                self._stop.set()
            self._ponder_stop.set()
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
        self._player = self._stand_in = None
        yield "ok"

    def _position(self, words: Sequence[str]) -> Iterator[str]:
        self._expect_no_search()
        game = self._the_game()
        if not words or words[0] != "startpos" or (len(words) > 1 and words[1] != "moves"):
            raise BadCommand("Write position startpos, or position startpos moves M M ....")
        fresh = Game(game.entry, game.parameters)
        for move in _each_word(words[2:]):
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
            "values": self._values,
            "known": self._known,
            "sequence": _sequence,
        }
        if len(words) != 1 or words[0] not in questions:
            raise BadCommand(f"Query one of {', '.join(questions)}.")
        yield f"response {questions[words[0]](self._the_game())}".rstrip()

    def _go(self, words: Sequence[str]) -> Iterator[str]:
        self._expect_no_search()
        game = self._the_game()
        limits = _limits(words)
        if game.is_over:
            raise BadCommand("The game is over.")
        if self._player is None:
            self._player = player(self.options["level"], *self._resources())
        self._stop.clear()
        self._ponder_stop.clear()
        self._is_found.clear()
        self._is_infinite = words[0] == "infinite"
        search = functools.partial(self._search, game.copy(), self._player, *limits)
        self._thread = threading.Thread(target=search, daemon=True)
        self._thread.start()
        yield from ()

    def _search(
        self,
        game: Game,
        mover: RandomPlayer | LevelPlayer | PerfectPlayer,
        simulations: int | None,
        seconds: float | None,
    ) -> None:
        """Choose a move and say it, in a thread of its own; `stop` ends it. Without limits those of the level hold."""
        try:
            with telling(lambda: self._say(f"info compiling once, {COMPILING}, which count against no limit")):
                outcome = f"bestmove {self._choose(game, mover, simulations, seconds)}"
        except QuetError as error:
            outcome = f"error {one_line(error)}"
        except MemoryError:
            outcome = "error This machine hasn't the memory for it."
        except Exception as error:  # a fault of Quet or of a game's package: whoever waits for an answer is told
            traceback.print_exc()
            outcome = f"error The search failed: {type(error).__name__}."
        if self._is_infinite:
            self._stop.wait()
        self._is_found.set()  # before the line is said: who has read it may go on at once
        self._say(outcome)
        command, _, move = outcome.partition(" ")
        if self.options["ponder"] == "on" and command == "bestmove" and isinstance(mover, LevelPlayer):
            self._ponder(game, mover, move)

    def _ponder(self, game: Game, mover: LevelPlayer, move: str) -> None:
        """Think on about the position after the move, until the next command; the tree is kept for the next `go`."""
        game.play(move)
        if not game.is_over:
            with contextlib.suppress(QuetError, MemoryError):
                mover.think(game, seconds=PONDER_SECONDS, stop=self._ponder_stop)

    def _choose(
        self,
        game: Game,
        mover: RandomPlayer | LevelPlayer | PerfectPlayer,
        simulations: int | None,
        seconds: float | None,
    ) -> str:
        level = self.options["level"]
        if isinstance(mover, LevelPlayer):
            return self._choose_by_search(game, mover, level, simulations, seconds)
        if isinstance(mover, RandomPlayer):
            move = mover.choose(game)
        else:
            begun, most = clock(), SECONDS if seconds is None else min(SECONDS, seconds / 2)
            try:
                move = mover.choose(game, seconds=most, stop=self._stop)
            except Unproven:  # whoever waits for a move gets one
                self._say(f"info player {STAND_IN} note no move is proven")
                if self._stand_in is None:
                    self._stand_in = LevelPlayer(LEVELS[STAND_IN], *self._resources())
                left = None if seconds is None else max(seconds - (clock() - begun), LEAST_SECONDS)
                return self._choose_by_search(game, self._stand_in, STAND_IN, simulations, left)
        self._say(f"info player {level} note {mover.how}")
        return move

    def _choose_by_search(
        self,
        game: Game,
        mover: LevelPlayer,
        level: str,
        simulations: int | None,
        seconds: float | None,
    ) -> str:
        found: list[Findings] = []

        def report(findings: "Findings") -> None:
            found.append(findings)
            self._say(_info(game, findings))

        move = mover.choose(
            game, simulations=simulations, seconds=seconds, stop=self._stop, report=report, final=report
        )
        if not found:
            self._say(f"info player {level} note {mover.how}")
        return move

    def _resources(self) -> tuple[int | None, int, int | None]:
        """The seed, threads and memory that a player is made with."""
        return self._seed(), int(self.options["threads"]), self._memory() or None

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
        elif name == "ponder":
            if value not in ("on", "off"):
                raise BadParameter(f"ponder must be on or off, not {shorten(value)}.")
        else:
            number = read_integer(value)
            low, high = RANGES[name]
            if number is None or not low <= number <= high:
                raise BadParameter(f"{name} must be an integer from {low} to {high}, not {shorten(value)}.")
        self.options[name] = value
        self._player = self._stand_in = None
        yield "ok"

    def _seed(self) -> int | None:
        return int(self.options["seed"]) if self.options["seed"] else None

    def _memory(self) -> int:
        """The bytes that a search or a table of values may use; 0 for as many as they usually do."""
        return int(self.options["memory"] or 0) * 2**20

    def _values(self, game: Game) -> str:
        """The exact value of each legal move for the mover, if it is found in a few seconds and before a `stop`."""
        found = advantages(game, self._budget())
        if found is None:
            return "unknown"
        return " ".join(["exact", *(f"{move}:{advantage}" for move, advantage in found.items())])

    def _known(self, game: Game) -> str:
        """What is certain of the position, and from which source; `low` and `high` bound the mover's advantage."""
        known = ask(game, self._budget())
        if known is None:
            return "unknown"
        low, high = ("none" if bound is None else bound for bound in (known.low, known.high))
        return f"{known.how.value} low {low} high {high} moves {' '.join(known.moves) or 'none'}"

    def _budget(self) -> Budget:
        """What the answer to a question may cost."""
        return Budget(QUERY_SECONDS, self._memory() or MEMORY, self._later_stop)

    def _the_game(self) -> Game:
        if self.game is None:
            raise BadCommand("There is no game yet; begin with newgame ID.")
        return self.game

    def _expect_no_search(self) -> None:
        if self._thread is None:
            return
        if not self._is_found.is_set():
            raise BadCommand("A search is under way; stop ends it.")
        self._ponder_stop.set()
        self._thread.join()  # it may still be saying its move, which comes before the next answer
        self._thread = None


def _words(line: bytes) -> list[str]:
    """The words of a line, those after MOST_WORDS as one; raises BadCommand for what isn't text.

    A path may have UTF-8 in it.
    """
    if len(line) > LONGEST_LINE:
        raise BadCommand("The line is too long.")
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise BadCommand("The line is not text.") from None
    text = text.rstrip("\r\n")
    if not text.replace("\t", " ").isprintable():
        raise BadCommand("The line is not text.")
    return text.split(maxsplit=MOST_WORDS)


def refusal(line: bytes) -> str:
    """What is said to a line that begins with no command; empty if there is nothing in it."""
    try:
        words = _words(line)
    except BadCommand as error:
        return f"error {error}"
    return f"error There is no command {shorten(words[0])}." if words else ""


def _each_word(words: Iterable[str]) -> Iterator[str]:
    """The words one by one. The last one may be many in one text, as `_words` leaves them."""
    for word in words:
        for found in _WORD.finditer(word):
            yield found.group()


def _limits(words: Sequence[str]) -> tuple[int | None, float | None]:
    """The simulations and seconds that the words after `go` allow; none for the level's own. Raises BadCommand."""
    if words == ["level"]:
        return None, None
    if words == ["infinite"]:
        return MOST_SIMULATIONS, math.inf
    limit = read_integer(words[1]) if len(words) == 2 and words[0] in ("sims", "movetime") else None
    if limit is None or not 1 <= limit < 2**63:
        raise BadCommand("Write go sims N or go movetime MS, with a number of at least 1, or go level, or go infinite.")
    return (limit, None) if words[0] == "sims" else (None, limit / 1000)


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


def _info(game: Game, findings: "Findings") -> str:
    """What a search has found so far, as one line; `score` is 0..1 for the mover, or the score of a solitaire."""
    speed = int(findings.num_simulations / max(findings.seconds, 1e-3))  # the clock knows no less
    line = " ".join(game.rules.move_text(game.state, move) for move in findings.line)
    score = findings.value if game.num_players == 1 else share_of(findings.value)
    is_exact = findings.is_solved and game.num_players <= 2  # with more it depends on which of equal moves they take
    return (
        f"info sims {findings.num_simulations} nodes {findings.num_nodes} sps {speed} "
        f"score {score:.3f}{' exact' if is_exact else ''} pv {line}"
    )
