"""What the terminal application remembers: how each game was set up last, the best score of each solitaire, and the
game that goes on. Line mode keeps its game there too.

It stands in the files `terminal.json` and `unfinished.quet` of the user's data folder. Where these can't be read or
written, nothing is remembered and the games go on; what can't be read is kept as `terminal-unreadable.json` and
`unfinished-unreadable.quet`.
"""

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..core import json_text
from ..core.errors import BadRecord, QuetError, why
from ..core.files import LockedFile, locked, read_file, user_folder, write_file
from ..core.numbers import read_integer
from ..core.parameters import written
from ..game import Game
from ..play.clock import MOST_INCREMENT, MOST_MINUTES, Clock
from ..records import record as records
from ..records.record import Record

UNFINISHED, UNREADABLE = "unfinished.quet", "unfinished-unreadable.quet"
MOST_UNREADABLE = 100  # files that are set aside
CLOCK = "UnfinishedClock"  # the tag with the seconds and the increment of a clock, in the file of the unfinished game
LARGEST = 10_000_000  # bytes of the file: more than the limits below allow, even if all of it is escaped
MOST_GAMES, MOST_FIELDS, MOST_SCORES = 50, 40, 1_000  # the oldest are forgotten
LONGEST = 200  # characters of a value, and of a game with its parameters; longer ones aren't kept


@dataclass
class Remembered:
    """What is remembered, and the file that keeps it; without a path it lasts as long as the application."""

    path: Path | None = None
    set_ups: dict[str, dict[str, str]] = field(default_factory=dict)  # the fields of the page, by game
    scores: dict[str, int] = field(default_factory=dict)  # the best one, by game and parameters
    clock: Clock | None = None  # that of the unfinished game
    trouble: str = ""  # what the player should know about the unfinished game, as a sentence
    keeps_game: bool = False  # whether there is an unfinished game, of this application
    is_kept: bool = False  # whether it is the game as it stands, and not as it was before
    _told: str = ""  # the trouble that the player has been told
    _is_alone: bool = True  # whether no other application has the unfinished game

    @classmethod
    def of_user(cls) -> "Remembered":
        """What is in `terminal.json` in QUET_DATA, else in the user's data folder."""
        return cls.of(user_folder())

    @classmethod
    def of(cls, folder: Path) -> "Remembered":
        """What is in `terminal.json` in a folder; nothing where that can't be read. Then the file is set aside."""
        path = folder / "terminal.json"
        data = _read(path) or {}
        return cls(path, _set_ups(data.get("set_ups")), _scores(data.get("scores")))

    def set_up(self, id: str, fields: Mapping[str, str]) -> None:
        """Keep how a game was set up."""
        self._look_again()
        self.set_ups.pop(id, None)
        self.set_ups[id] = {name: value for name, value in fields.items() if len(value) <= LONGEST}
        self._write()

    def best(self, game: Game) -> int | None:
        """The best score in games with these parameters; None where there is none, or more than one person plays."""
        return self.scores.get(_name(game)) if game.num_players == 1 else None

    def over(self, game: Game) -> None:
        """Keep the score of a solitaire that its rules have ended, if it is the best one; not of one played on."""
        if game.num_players > 1 or game.start or not game.is_over or len(_name(game)) > LONGEST:
            return
        self._look_again()
        score, before = game.scores[0], self.best(game)
        if before is None or (score < before if game.rules.LOWER_IS_BETTER else score > before):
            self.scores.pop(_name(game), None)
            self.scores[_name(game)] = score
            self._write()

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Have the unfinished game for this application; one beside it neither asks for it nor keeps its own."""
        with contextlib.ExitStack() as stack:
            if self.path is not None:
                try:
                    self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                    stack.enter_context(locked(self.path.with_name(UNFINISHED)))
                except LockedFile:
                    self._is_alone = False
                    self.trouble = "Quet plays in another window too, so this game is kept only where you save it."
                except OSError as error:
                    self._is_alone = False
                    self.trouble = _unkept(self.path.with_name(UNFINISHED), f"It can't be written: {why(error)}.")
            yield

    def news(self) -> str:
        """The trouble that the player hasn't been told yet, empty where there is none; it counts as told then."""
        news = "" if self.trouble == self._told else self.trouble
        self._told = self.trouble
        return news

    def unfinished(self) -> Record | None:
        """The game that was going on when the application ended without being asked to; None if there is none.

        `clock` is its clock then. A file with anything else is set aside, and `trouble` says so.
        """
        file = None if self.path is None else self.path.with_name(UNFINISHED)
        if file is None or not self._is_alone or not file.exists():
            return None
        try:
            found = records.load(file)
        except QuetError:
            found = []
        self.keeps_game = self.is_kept = len(found) == 1 and not found[0].is_over
        if not self.keeps_game:
            self._set_aside(file)
            return None
        self.clock = _clock(found[0].tags.pop(CLOCK, ""))
        return found[0]

    def _set_aside(self, file: Path) -> None:
        """Keep a file with no game to go on with under another name; where that fails, keep no other game there."""
        what = f"{file} has no game that can be gone on with"
        names = (file.with_name(UNREADABLE.replace(".", f"{number}.")) for number in ("", *range(2, MOST_UNREADABLE)))
        try:
            free = next((name for name in names if not name.exists()), None)
            if free is None:
                raise FileExistsError
            file.rename(free)
            self.trouble = f"{what}; it is kept as {free.name}."
        except OSError:
            self._is_alone = False
            self.trouble = f"{what}, so this game is kept only where you save it."

    def going_on(self, record: Record | None, clock: Clock | None = None) -> None:
        """Keep the game as it stands, and how its clock was set; with None forget the one that was kept.

        Where that fails, the file stays as it was, and `trouble` says so.
        """
        if self.path is None or not self._is_alone or (record is None and not self.keeps_game):
            return
        file = self.path.with_name(UNFINISHED)
        self.is_kept = False
        try:
            if record is None:
                file.unlink(missing_ok=True)
            else:
                file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                kept = {CLOCK: f"{clock.seconds:.0f}+{clock.increment:.0f}"} if clock else {}
                records.save(file, [replace(record, tags=record.tags | kept)])
                self.is_kept = True
            self.keeps_game, self.trouble = self.is_kept, ""
        except BadRecord as error:
            self.trouble = _unkept(file, error.sentence)
        except OSError as error:
            sentence = f"It can't be {'removed' if record is None else 'written'}: {why(error)}."
            self.trouble = _unkept(file, sentence) if record else f"{file}: {sentence} The next start asks about it."

    def _look_again(self) -> None:
        """Take what is in the file by now: another application may have written it."""
        data = _read(self.path) if self.path is not None else None
        if data:
            self.set_ups, self.scores = _set_ups(data.get("set_ups")), _scores(data.get("scores"))

    def _write(self) -> None:
        for kept, most in ((self.set_ups, MOST_GAMES), (self.scores, MOST_SCORES)):
            while len(kept) > most:
                del kept[next(iter(kept))]
        if self.path is None:
            return
        text = json.dumps({"set_ups": self.set_ups, "scores": self.scores})
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_file(self.path, f"{text}\n".encode())
        except (OSError, QuetError):
            self.path = None  # what can't be kept lasts until the application ends


def _read(path: Path) -> dict[str, object] | None:
    """What is in the file, empty if there is none; None if it can't be read. Then it is set aside."""
    if not path.exists():
        return {}
    try:
        data = json_text.read(read_file(path, LARGEST), largest=LARGEST)
    except QuetError:
        data = None
    if isinstance(data, dict):
        return data
    with contextlib.suppress(OSError):
        path.replace(path.with_name("terminal-unreadable.json"))
    return None


def _unkept(file: Path, sentence: str) -> str:
    """That the game isn't kept in the file, after a sentence that says why."""
    return f"{file}: {sentence} This game is kept only where you save it."


def _name(game: Game) -> str:
    return " ".join([game.id, *(f"{name}={value}" for name, value in written(game.parameters).items())])


def _clock(text: str) -> Clock | None:
    """The clock that was kept with a game; None where there was none, or somebody has changed it."""
    seconds, increment = (read_integer(part) for part in text.partition("+")[::2])
    if seconds is None or increment is None:
        return None
    is_clock = 1 <= seconds <= 60 * MOST_MINUTES and 0 <= increment <= MOST_INCREMENT
    return Clock(seconds, increment) if is_clock else None


def _set_ups(data: object) -> dict[str, dict[str, str]]:
    """The set-ups among data that somebody may have changed."""
    found: dict[str, dict[str, str]] = {}
    for id, fields in list(data.items())[-MOST_GAMES:] if isinstance(data, dict) else ():
        if isinstance(fields, dict) and len(fields) <= MOST_FIELDS and len(id) <= LONGEST:
            texts = {name: value for name, value in fields.items() if isinstance(value, str)}
            found[id] = {name: value for name, value in texts.items() if max(len(name), len(value)) <= LONGEST}
    return found


def _scores(data: object) -> dict[str, int]:
    rows = list(data.items())[-MOST_SCORES:] if isinstance(data, dict) else ()
    return {name: score for name, score in rows if type(score) is int and len(name) <= LONGEST}
