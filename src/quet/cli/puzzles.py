"""`quet puzzle` and `quet puzzles`: puzzles to solve line by line, made, and checked."""

import argparse
import importlib.resources
import random
import sys
from collections.abc import Callable, Sequence
from datetime import date
from typing import BinaryIO, TextIO

from .. import catalog
from ..core.errors import BadParameter, MissingExtra, MoveError, QuetError
from ..core.parameters import written as parameters_written
from ..draw.scene import signed
from ..game import Game
from ..puzzles import Puzzle, of, written
from ..puzzles.judge import answer, solution
from ..puzzles.puzzle import FILE, mover_of, note_of
from ..puzzles.scores import BadScores, Scores, ScoresFile
from ..results.folder import is_a_wheel
from ..study import daily
from . import files
from .lines import LONGEST_LINE, line_text, refuse
from .progress import progress

MOST = 10_000  # puzzles that are made at once
HELP = """\
Type a move to try it. A wrong one is answered, and you can try again. Or one of these:
show: a right move; before the first try it counts as a failed one. next: another puzzle; one that you have begun and
not solved counts as failed, and one that you haven't begun doesn't count. board: the position. legal: the legal moves.
rules: the rules of the game. help: this. quit: the end."""


def solve(options: argparse.Namespace) -> int:
    """Puzzles line by line; returns the exit status."""
    puzzles = _chosen(options.game)
    if options.number is not None:
        refuse(options, ["seed"], "quet puzzle --number")
    if options.number is None:
        begin = random.Random(options.seed).randrange(len(puzzles))
    elif 1 <= options.number <= len(puzzles):
        begin = options.number - 1
    else:
        raise BadParameter(f"There are {len(puzzles)} puzzles; there is none with the number {options.number}.")
    return hold(puzzles, begin)


def hold(puzzles: Sequence[Puzzle], begin: int, day: date | None = None) -> int:
    """Ask puzzles, the first of which is today's where there is a `day`; returns the exit status."""
    try:
        Series(puzzles, begin, sys.stdout, Kept(ScoresFile()), day).hold(sys.stdin.buffer)
    except KeyboardInterrupt:
        return 130
    return 0


def _chosen(game_id: str | None) -> Sequence[Puzzle]:
    """The puzzles of a game, or of all, the easiest first."""
    found = (
        of(game_id)
        if game_id
        else sorted(
            (puzzle for entry in catalog.playable() for puzzle in of(entry.id)), key=lambda one: (one.rating, one.id)
        )
    )
    if not found:
        raise BadParameter("There are no puzzles; quet puzzles make makes some of a game.")
    return found


class Kept:
    """The scores of whoever uses the terminal, kept after each first try. What hinders that is told once."""

    def __init__(self, file: ScoresFile) -> None:
        self._file: ScoresFile | None = file
        self._is_rated = True
        self.trouble = ""
        try:
            self.scores = file.read()
        except BadScores as error:
            self._stop(error)

    def _stop(self, error: QuetError) -> None:
        self._file, self.trouble, self.scores = None, str(error), Scores({})

    def count(self, puzzle: Puzzle, *, is_solved: bool) -> str:
        """Keep the first try at a puzzle; returns the new rating, or what hinders that."""
        if self._file is None or not self._is_rated:
            return ""
        try:
            self.scores = self._file.read()
            score = self.scores.of(puzzle.game_id)
            if score.has_seen(puzzle):
                return ""
            before = score.shown
            self.scores = self.scores.after(puzzle, is_solved=is_solved)
            self._file.write(self.scores)
        except MissingExtra as error:  # solved days are kept all the same
            self._is_rated = False
            return f"No rating is kept: {error}"
        except BadScores as error:
            self._stop(error)
            return f"No rating is kept: {error}"
        now = self.scores.of(puzzle.game_id).shown
        return f"Your rating in this game is {now} now ({now - before:+d})."

    def solved_on(self, day: date) -> bool:
        """Keep that the puzzle of a day was solved on that day; returns whether it counts."""
        self._keep(lambda scores: scores.solved_on(day))
        return day in self.scores.solved_days

    def shown_on(self, day: date) -> None:
        """Keep that the solution of a day's puzzle was shown on that day."""
        self._keep(lambda scores: scores.shown_on(day))

    def _keep(self, change: Callable[[Scores], Scores]) -> None:
        if self._file is not None:
            try:
                self.scores = change(self._file.read())
                self._file.write(self.scores)
            except BadScores as error:
                self._stop(error)


class Series:
    """One puzzle after another, and how many of them were solved at the first try."""

    def __init__(
        self, puzzles: Sequence[Puzzle], number: int, out: TextIO, kept: Kept | None = None, day: date | None = None
    ) -> None:
        """The scores that are kept change with each first try; without them none are. `day` is today, whose puzzle
        the first one is.
        """
        self._puzzles, self._number, self._out, self._kept, self._day = puzzles, number, out, kept, day
        self._tried = self._solved = self._streak = 0
        if kept is not None and kept.trouble:
            self._say(f"No rating is kept: {kept.trouble}")
        self._say("Type help for help, quit to end.")
        self._begin()

    def _say(self, text: str = "") -> None:
        print(text, file=self._out, flush=True)

    def hold(self, lines: BinaryIO) -> None:
        """Answer each line, until `quit`, the end or Ctrl-C, which is handed on. Only a terminal has a prompt."""
        prompt = "> " if lines.isatty() else ""
        try:
            while line := self._line(lines, prompt):
                try:
                    words = line_text(line, lines).strip()
                except MoveError as error:
                    self._say(str(error))
                    continue
                if words.lower() == "quit":
                    break
                if words:
                    self._answer(words)
            else:
                if prompt:
                    self._say()  # behind the prompt
        except KeyboardInterrupt:
            self._say(f"\n{self._result()}")
            raise
        self._say(self._result())

    def _line(self, lines: BinaryIO, prompt: str) -> bytes:
        print(prompt, end="", file=self._out, flush=True)
        return lines.readline(LONGEST_LINE + 1)

    def _result(self) -> str:
        if not self._tried:
            return "No puzzle was answered."
        return f"Solved at the first try: {self._solved} of {self._tried}; {self._streak} of them in a row."

    def _begin(self) -> None:
        self._puzzle = self._puzzles[self._number]
        self._game: Game = self._puzzle.position()
        self._is_first, self._is_begun, self._is_solved = True, False, False
        entry = catalog.get(self._puzzle.game_id)
        parameters = " ".join(f"{name}={value}" for name, value in parameters_written(self._game.parameters).items())
        self._say(f"Puzzle {self._number + 1} of {len(self._puzzles)}: {entry.title}, {parameters}")
        self._say(f"Its link ends with /puzzles/{entry.id}/{self._puzzle.id}; its rating is {self._puzzle.rating}.")
        self._board()
        note = note_of(entry.id)
        self._say(f"{self._puzzle.kind.task} {note}".strip())

    def _board(self) -> None:
        picture = str(self._game)
        self._say(picture)
        for line in self._game.scene(legal=False).notes:
            if line not in picture:
                self._say(line)
        if self._game.num_players > 1 and not self._game.is_over:
            self._say(f"Player {mover_of(self._game)} is to move.")

    def _answer(self, words: str) -> None:
        name = words.lower()
        if name == "help":
            self._say(HELP)
        elif name == "board":
            self._board()
        elif name == "legal":
            self._say(" ".join(signed(move) for move in self._game.legal_moves) or "None: the game is over.")
        elif name == "rules":
            for rule in catalog.get(self._puzzle.game_id).facts["rules"]:
                self._say(rule)
        elif name == "next" and len(self._puzzles) == 1:
            self._say("There is no other puzzle; quit ends.")
        elif name == "next":
            if self._is_begun:
                self._count(is_solved=False)
            self._number = (self._number + 1) % len(self._puzzles)
            self._begin()
        elif self._is_solved:
            self._say(f"This puzzle is solved; {self._what_next()}")
        elif name == "show":
            self._count(is_solved=False)
            if self._day is not None and self._kept is not None:
                self._kept.shown_on(self._day)
            self._say(f"A right move: {signed(solution(self._puzzle, self._game))}")
        else:
            self._try(words)

    def _try(self, words: str) -> None:
        try:
            told = answer(self._puzzle, self._game, words)
        except MoveError as error:
            self._say(str(error))
            return
        self._say(told.words)
        if not told.is_right:
            self._count(is_solved=False)
            self._say("Try again.")
            return
        self._game, self._is_begun = told.game, True
        if told.is_solved:
            self._count(is_solved=True)
            self._is_solved = True
            if self._day is not None and self._kept is not None and self._kept.solved_on(self._day):
                streak = daily.streak(self._kept.scores.solved_days, self._day)
                self._say(f"Puzzles of the day that you solved in a row: {streak}.")
            self._say(self._what_next())
        else:
            self._board()

    def _what_next(self) -> str:
        return "next brings another puzzle." if len(self._puzzles) > 1 else "quit ends."

    def _count(self, *, is_solved: bool) -> None:
        """The first try counts, and no other."""
        if not self._is_first:
            return
        self._is_first = False
        self._tried += 1
        self._solved += is_solved
        self._streak = self._streak + 1 if is_solved else 0
        if self._kept is not None:
            rating = self._kept.count(self._puzzle, is_solved=is_solved)
            if rating:
                self._say(rating)


def run(options: argparse.Namespace) -> tuple[int, object]:
    """`quet puzzles`: how many there are, or `make` and `check`. Returns the exit status, and what JSON tells."""
    if options.what == "make":
        return _make(options)
    asked = f"quet puzzles{'' if options.what is None else ' check' if options.what == 'check' else ' GAME'}"
    refuse(options, ["count", "seed", "out"], asked)
    if options.what == "check":
        return _check(options)
    if options.game is not None:
        raise BadParameter("quet puzzles takes make GAME or check [GAME]; alone it lists how many there are.")
    games = [options.what] if options.what else [entry.id for entry in catalog.playable()]
    found = {id: [puzzle.rating for puzzle in of(id)] for id in games}
    if not options.json:
        for id, ratings in found.items():
            between = f", rated {ratings[0]} to {ratings[-1]}" if ratings else ""
            print(f"{id}: {len(ratings)} puzzle{'' if len(ratings) == 1 else 's'}{between}")
    return 0, {id: len(ratings) for id, ratings in found.items()}


def _make(options: argparse.Namespace) -> tuple[int, object]:
    from ..puzzles.make import make

    if options.game is None:
        raise BadParameter("Name a game, as in quet puzzles make GAME.")
    if not 1 <= options.count <= MOST:
        raise BadParameter(f"The number of puzzles must be from 1 to {MOST}.")
    files.check_no_json(options.out, "the puzzles", is_json=options.json)
    entry = catalog.get(options.game)
    if options.out is None and entry.package.startswith("quet.") and is_a_wheel():
        raise BadParameter("The puzzles that came with Quet stay as they are; name a file with --out.")
    out = options.out or str(importlib.resources.files(entry.package).joinpath(FILE))
    files.check_writable(out)
    with progress() as report:
        made = make(
            entry.id,
            options.count,
            options.seed,
            report=lambda done, tried: report(done, options.count, f"puzzles made from {tried} positions"),
        )
    if not made:
        print(
            f"quet: Nothing is written, as no puzzle of {entry.title} was found: one needs a solved position in which "
            "few moves are right and level:1 mostly misses them; [[puzzles]] in facts.toml can name other sizes.",
            file=sys.stderr,
        )
        return 1, {"game": entry.id, "puzzles": 0, "file": None}
    files.write(out, written(made).encode())
    told = sys.stderr if out == files.STANDARD else sys.stdout
    if not options.json:
        print(f"Made {len(made)} puzzle{'' if len(made) == 1 else 's'} of {entry.title}: {out}", file=told)
    return 0, {"game": entry.id, "puzzles": len(made), "file": out}


def _check(options: argparse.Namespace) -> tuple[int, object]:
    from ..puzzles.check import BadPuzzle, check

    broken = {}
    games = [options.game] if options.game else [entry.id for entry in catalog.playable()]
    for id in games:
        puzzles = of(id)
        wrong = []
        with progress() as report:
            for number, puzzle in enumerate(puzzles):
                report(number, len(puzzles), f"puzzles of {id} checked")
                try:
                    check(puzzle)
                except BadPuzzle as error:
                    wrong.append(str(error))
        broken[id] = wrong
        if not options.json:
            print(f"{'FAIL ' if wrong else 'ok   '} {id}: {len(puzzles)} puzzles, {len(wrong)} of them wrong")
            for sentence in wrong:
                print(f"      {sentence}")
    return (1 if any(broken.values()) else 0), broken
