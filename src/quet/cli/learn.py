"""Lessons line by line: each step shows a small board and asks for a move, which a line makes."""

import sys
import textwrap
from typing import BinaryIO, TextIO

from ..catalog import Entry
from ..core.errors import BadParameter, QuetError
from ..core.lesson_file import Lesson
from ..draw.scene import Scene
from ..study import lesson as lessons
from .lines import LONGEST_LINE, line_text

WIDTH = 88  # characters of a line
HELP = (
    "Type the move that is asked for. Or one of these: board shows the board again, words says it in words, "
    "show makes a right move for you, skip goes to the next step, back to the one before, and quit ends the lesson."
)


def run(entry: Entry, lesson: Lesson, first: int = 1, lines: BinaryIO | None = None, out: TextIO | None = None) -> int:
    """Go through the lesson from step `first` on, with lines from `lines` (standard input) to `out`; return 0.

    There is a prompt only where the input is a terminal. At the end of the input it says where the lesson stopped.
    """
    return _Teacher(entry, lesson, out or sys.stdout).teach(lines or sys.stdin.buffer, first)


class _Teacher:
    def __init__(self, entry: Entry, lesson: Lesson, out: TextIO) -> None:
        self.entry, self.lesson, self.out = entry, lesson, out

    def teach(self, lines: BinaryIO, first: int) -> int:
        """The steps from `first` on, until the last is done or the lines end."""
        count = len(self.lesson.steps)
        self.say(f"{self.entry.title}: a lesson in {count} steps. Type help for help, quit to end.")
        number = first
        while 1 <= number <= count:
            self.tell_step(number)
            number = self.do_step(number, lines)
        if number > count:
            self.say("That was the lesson. Now you can play:", f"    {self.command()}")
        else:
            step = -number
            self.say(f"The lesson stopped at step {step} of {count}; quet learn {self.entry.id} --step {step} goes on.")
        return 0

    def do_step(self, number: int, lines: BinaryIO) -> int:
        """Answer lines until the step is done; return the number of the next, or minus its own where the lines end."""
        step = self.lesson.steps[number - 1]
        game = lessons.position(self.entry, step)
        is_terminal = lines.isatty()
        while True:
            if is_terminal:
                self.out.write("> ")
                self.out.flush()
            line = lines.readline(LONGEST_LINE + 1)
            if not line:
                return -number
            try:
                text = line_text(line, lines).strip()
                match text.lower():
                    case "":
                        continue
                    case "quit":
                        return -number
                    case "help":
                        self.say(HELP)
                    case "skip":
                        return number + 1
                    case "back":
                        return max(1, number - 1)
                    case "board":
                        self.show(game.text())
                    case "words":
                        self.say(*_in_words(game.scene(legal=False)))
                    case _:
                        shown = lessons.solution(step, game) if text.lower() == "show" else ""
                        if self.tell(lessons.answer(step, game, shown or text), shown):
                            return number + 1
                        self.say(f"Try again. {lessons.task(step, game)}")
            except QuetError as error:
                self.say(str(error))

    def tell_step(self, number: int) -> None:
        """What the step teaches, the board, and what to do."""
        step = self.lesson.steps[number - 1]
        game = lessons.position(self.entry, step)
        self.say("", f"Step {number} of {len(self.lesson.steps)}. {lessons.introduction(step, game)}")
        self.show(game.text())
        self.say(lessons.task(step, game))

    def tell(self, told: lessons.Told, shown: str) -> bool:
        """Say what a move is told, with the board after it; return whether it is right. `shown` is one we made."""
        if told.game is not None:
            self.show(told.game.text())
        verdict = f"Like this: {shown}. " if shown else "Right. " if told.is_right else ""
        self.say(f"{verdict}{told.words}")
        return told.is_right

    def command(self) -> str:
        """The command that plays the game suggested after the lesson."""
        words = [f"{name}={value}" for name, value in self.lesson.parameters.items()]
        seats = ["--seat person", f"--seat {self.lesson.opponent}"] if self.lesson.opponent else []
        return " ".join(["quet play", self.entry.id, *words, *seats])

    def show(self, board: str) -> None:
        self.write("\n" + textwrap.indent(board.rstrip(), "    ") + "\n\n")

    def say(self, *sentences: str) -> None:
        for sentence in sentences:
            self.write((sentence if sentence.startswith(" ") else textwrap.fill(sentence, WIDTH)) + "\n")

    def write(self, text: str) -> None:
        encoding = getattr(self.out, "encoding", None) or "utf-8"
        self.out.write(text.encode(encoding, "backslashreplace").decode(encoding))
        self.out.flush()


def _in_words(scene: Scene) -> list[str]:
    """Every square of the board, and what the picture says in words."""
    squares = [f"{square.name}: {square.words}." for square in scene.squares]
    return [" ".join(squares), *(scene.about or scene.notes)]


def lesson_of(entry: Entry) -> Lesson:
    """The lesson of a game; raises BadParameter where it has none."""
    if entry.lesson is None:
        raise BadParameter(f"{entry.id} has no lesson.")
    return entry.lesson
