"""How somebody gets on with puzzles: rating, streak, what was tried, and the days whose puzzle was solved.

Ratings are OpenSkill's, on the scale of the puzzles' ratings; a puzzle keeps its own. The site keeps scores in a
cookie, the terminal in the file `puzzles.json` of the user's data folder.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from ..core import json_text
from ..core.errors import QuetError, why
from ..core.extras import needs
from ..core.files import read_file, user_folder, write_file
from ..study.daily import DAY, FIRST
from .puzzle import Puzzle

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

MOST_GAMES = 12  # the ones that were played last
MOST_SEEN = 60  # puzzles of a game
MOST_OPEN = 8  # puzzles that lie before somebody, as in several tabs
MOST_DAYS = 366  # that are kept, back from the last one
BEGIN, UNSURE = 1000.0, 300.0  # the rating of a beginner, and its standard deviation
OF_PUZZLE = 60.0  # the standard deviation of a puzzle's rating
LARGEST_FILE = 100_000  # bytes
_SHORT = 4  # digits of a puzzle's id that are kept
_LAST_DAY = (date.max - FIRST).days


class BadScores(QuetError):
    """Scores that can't be read, or can't be kept."""


@cache
def _model() -> "BradleyTerryFull":
    """Raises MissingExtra."""
    with needs("site", "OpenSkill"):
        from openskill.models import BradleyTerryFull
    return BradleyTerryFull(mu=BEGIN, sigma=UNSURE, beta=123.0, tau=2.0)  # 400 points more win ten times as often


@dataclass(frozen=True)
class Score:
    """How somebody gets on with the puzzles of one game."""

    rating: float = BEGIN
    deviation: float = UNSURE
    streak: int = 0  # solved at the first try, one after the other
    longest: int = 0
    solved: int = 0  # at the first try
    tried: int = 0
    seen: tuple[str, ...] = ()  # the beginnings of ids, the last ones last

    @property
    def shown(self) -> int:
        """The rating as people see it."""
        return round(self.rating)

    def has_seen(self, puzzle: Puzzle) -> bool:
        """Whether the puzzle was tried, as far as that is remembered."""
        return puzzle.id[:_SHORT] in self.seen

    def after(self, puzzle: Puzzle, *, is_solved: bool) -> "Score":
        """The score after the first try at a puzzle. Raises MissingExtra where OpenSkill isn't installed."""
        model = _model()
        mine, its = model.rating(self.rating, self.deviation), model.rating(puzzle.rating, OF_PUZZLE)
        [[rated], _] = model.rate([[mine], [its]], ranks=[1, 2] if is_solved else [2, 1])
        streak = self.streak + 1 if is_solved else 0
        return Score(
            round(rated.mu, 1),
            round(rated.sigma, 1),
            streak,
            max(self.longest, streak),
            self.solved + is_solved,
            self.tried + 1,
            self.with_seen(puzzle).seen,
        )

    def with_seen(self, puzzle: Puzzle) -> "Score":
        """The score after a try that isn't rated."""
        return replace(self, seen=(*self.seen, puzzle.id[:_SHORT])[-MOST_SEEN:])


@dataclass(frozen=True)
class Scores:
    """Somebody's scores in all games, the puzzles that lie before them, and the days whose puzzle they solved."""

    games: Mapping[str, Score]
    open: tuple[str, ...] = ()  # their games and ids, until they are tried, the last one last
    last_day: int = 0  # the last day whose puzzle was solved on that day, counted from FIRST
    days: int = 0  # bit k stands for the day k days before that one
    shown_day: int = -1  # the last day whose puzzle was shown solved on that day, counted in the same way

    def of(self, game_id: str) -> Score:
        """The score in a game."""
        return self.games.get(game_id, Score())

    def opened(self, puzzle: Puzzle) -> "Scores":
        """With this puzzle before the person, unless it was tried already."""
        if self.of(puzzle.game_id).has_seen(puzzle):
            return self
        return replace(self, open=(*self._others(puzzle), _name(puzzle))[-MOST_OPEN:])

    def is_open(self, puzzle: Puzzle) -> bool:
        """Whether a try at the puzzle counts."""
        return _name(puzzle) in self.open

    def _others(self, puzzle: Puzzle) -> tuple[str, ...]:
        return tuple(one for one in self.open if one != _name(puzzle))

    def after(self, puzzle: Puzzle, *, is_solved: bool) -> "Scores":
        """After the first try at the puzzle. Raises MissingExtra where OpenSkill isn't installed."""
        scores = self._with(puzzle, self.of(puzzle.game_id).after(puzzle, is_solved=is_solved))
        return replace(scores, open=self._others(puzzle))

    def with_seen(self, puzzle: Puzzle) -> "Scores":
        """After a try at a puzzle that wasn't open, so that none after it counts as the first."""
        score = self.of(puzzle.game_id)
        return self if score.has_seen(puzzle) else self._with(puzzle, score.with_seen(puzzle))

    def _with(self, puzzle: Puzzle, score: Score) -> "Scores":
        others = {id: score for id, score in self.games.items() if id != puzzle.game_id}
        return replace(self, games={**dict(list(others.items())[1 - MOST_GAMES :]), puzzle.game_id: score})

    @property
    def solved_days(self) -> list[date]:
        """The days whose puzzle was solved on that day, the latest first."""
        return [FIRST + (self.last_day - k) * DAY for k in range(MOST_DAYS) if self.days >> k & 1]

    def solved_on(self, day: date) -> "Scores":
        """With the puzzle of this day solved; not before the last day that is known, nor after it was shown."""
        number = (day - FIRST).days
        if number < self.last_day or number == self.shown_day:
            return self
        days = (self.days << number - self.last_day | 1) & (1 << MOST_DAYS) - 1
        return replace(self, last_day=number, days=days)

    def shown_on(self, day: date) -> "Scores":
        """With the puzzle of this day shown solved."""
        return replace(self, shown_day=(day - FIRST).days)

    def as_data(self) -> list[object]:
        """The scores as lists, texts and numbers, which `from_data` reads."""
        rows = {
            id: [one.rating, one.deviation, one.streak, one.longest, one.solved, one.tried, "".join(one.seen)]
            for id, one in self.games.items()
        }
        return [list(self.open), rows, self.last_day, f"{self.days:x}", self.shown_day]


def from_data(data: object) -> Scores:
    """The scores of `Scores.as_data`, also of versions that knew no days, or one open puzzle. Raises ValueError."""
    if not isinstance(data, list) or len(data) not in (2, 4, 5):
        raise ValueError
    nothing: list[object] = ["", {}, 0, "0", -1]
    open, rows, last_day, days, shown_day = data + nothing[len(data) :]
    if isinstance(open, str):
        open = [open] if open else []
    if not isinstance(open, list) or not all(isinstance(one, str) for one in open):
        raise ValueError
    if not isinstance(rows, dict) or not isinstance(days, str) or len(days) > MOST_DAYS:
        raise ValueError
    if not all(type(one) is int and one <= _LAST_DAY for one in (last_day, shown_day)) or last_day < 0:
        raise ValueError
    bits = int(days, 16) & (1 << min(MOST_DAYS, last_day + 1)) - 1
    games = {id: _score(row) for id, row in rows.items()}
    return Scores(games, tuple(open[-MOST_OPEN:]), last_day, max(0, bits), shown_day)


def _score(row: object) -> Score:
    if not isinstance(row, list) or len(row) != 7:
        raise ValueError
    rating, deviation, *counts, seen = row
    if not all(isinstance(one, int | float) and abs(one) < 1e5 for one in (rating, deviation)) or deviation <= 0:
        raise ValueError
    if not all(type(one) is int and 0 <= one < 1e9 for one in counts) or not isinstance(seen, str):
        raise ValueError
    streak, longest, solved, tried = counts
    ids = tuple(seen[k : k + _SHORT] for k in range(0, len(seen), _SHORT))
    return Score(float(rating), float(deviation), streak, longest, solved, tried, ids[-MOST_SEEN:])


def _name(puzzle: Puzzle) -> str:
    return f"{puzzle.game_id}/{puzzle.id}"


class ScoresFile:
    """The scores of whoever uses the terminal: `puzzles.json` in QUET_DATA, else in the user's data folder."""

    def __init__(self) -> None:
        self._path = user_folder() / "puzzles.json"

    def read(self) -> Scores:
        """The scores; none where there is no file. Raises BadScores."""
        if not self._path.exists():
            return Scores({})
        try:
            content = read_file(self._path, LARGEST_FILE)
        except QuetError as error:
            raise BadScores(f"{self._path}: {error}") from None
        try:
            return parse(content)
        except ValueError:
            raise BadScores(f"The file {self._path} isn't one of scores.") from None

    def write(self, scores: Scores) -> None:
        """Keep the scores. Raises BadScores."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_file(self._path, (json.dumps(scores.as_data()) + "\n").encode())
        except OSError as error:
            raise BadScores(f"{self._path}: It can't be written: {why(error)}.") from None
        except QuetError as error:
            raise BadScores(f"{self._path}: {error}") from None


def parse(content: bytes) -> Scores:
    """The scores in the text of a file. Raises ValueError."""
    try:
        return from_data(json_text.read(content, largest=LARGEST_FILE, has_fractions=True))
    except json_text.BadJson as error:
        raise ValueError(error.sentence) from None
