"""Lessons: a few steps of a game, each with a move to make. The address says all, and nothing is kept."""

from functools import cached_property
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool

from ... import catalog
from ...core.errors import UnreadableMove
from ...core.lesson_file import Lesson
from ...core.messages import say
from ...core.numbers import read_integer
from ...core.parameters import written
from ...draw.scene import Choice, Scene
from ...study import lesson as lessons
from ..board import board_html
from ..errors import BadForm, SiteError
from ..forms import Pressed, read_pressed
from ..i18n import said, said_scene
from ..pages import render
from .table import Question, check_square, question

router = APIRouter()


class NoLesson(SiteError):
    """The game has no lesson."""

    status = 404

    def __init__(self) -> None:
        super().__init__(say("This game has no lesson."))


class LessonView:
    """A step of a lesson as a page shows it, before a move or with the answer to one."""

    def __init__(self, entry: catalog.Entry, lesson: Lesson, number: int, tried: str = "", square: str = "") -> None:
        """`tried` is the move made, `square` the square pressed which needs one more question, or takes no move.

        Raises BadForm for a square that isn't there.
        """
        self.entry, self.lesson, self.number = entry, lesson, number
        self.step = lesson.steps[number - 1]
        self.game = lessons.position(entry, self.step)
        self.base = f"/learn/{entry.id}?step={number}"
        self._scene = self.game.scene()
        check_square(self._scene, square)
        self.question: Question | None = question(self._scene, square)
        self.mistake = ""  # what is wrong with a text that is no move
        self.told: lessons.Told | None = None
        if tried:
            try:
                self.told = lessons.answer(self.step, self.game, tried)
            except UnreadableMove as error:
                self.mistake = said(error)
        elif self.question is None and square:
            self.told = self._pressed(square)

    def _pressed(self, name: str) -> lessons.Told | None:
        """The answer to a press on a square without legal moves; None where there is no such square."""
        square = next((square for square in self._scene.squares if square.name == name), None)
        if square is None or square.moves:
            return None
        # A move is the name of its square and perhaps an ending, as in 5=0: one of those that are legal elsewhere.
        known = [(one.name, move) for one in self._scene.squares for move in one.moves]
        endings = {move.removeprefix(place) for place, move in known if move.startswith(place)}
        found = None
        for move in (f"{name}{ending}" for ending in ("", *sorted(endings))):
            try:
                told = lessons.answer(self.step, self.game, move)
            except UnreadableMove:
                continue
            if self.step.reply(move):
                return told
            found = found or told
        return found

    @property
    def words(self) -> str:
        return said(lessons.introduction(self.step, self.game))

    @property
    def task(self) -> str:
        return said(lessons.task(self.step, self.game))

    @property
    def is_right(self) -> bool:
        return self.told is not None and self.told.is_right

    @property
    def can_move(self) -> bool:
        """Whether the board can be played on: until a move was made that the rules allow."""
        return self.told is None or self.told.game is None

    @property
    def is_last(self) -> bool:
        return self.number == len(self.lesson.steps)

    @property
    def after(self) -> str:
        """Where the lesson goes on; empty after its last step."""
        return "" if self.is_last else f"/learn/{self.entry.id}?step={self.number + 1}"

    @property
    def shown(self) -> str:
        """Where a right move is made for the visitor."""
        return f"{self.base}&shown=1"

    @cached_property
    def scene(self) -> Scene:
        """The picture: of the position, or after the move."""
        if self.told is None or self.told.game is None:
            return self._scene
        return self.told.game.scene(legal=False)

    @property
    def choices(self) -> tuple[Choice, ...]:
        return said_scene(self._scene).choices if self.can_move else ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What the picture says in words."""
        shown = said_scene(self.scene)
        return tuple(shown.about or shown.notes)

    @property
    def board(self) -> Markup:
        """The board, with the squares marked of what the answer speaks of."""
        marked: set[str] = set()
        if self.told is not None and self.told.game is not None:
            shows = self.told.shows
            marked = {name for item in self.told.game.items if str(item.words) in shows for name in item.squares}
        return board_html(
            self.scene,
            is_playable=self.can_move,
            ask=f"{self.base}&square=",
            asked=self.question.square if self.question else "",
            marked=marked,
        )

    @property
    def first_game(self) -> dict[str, str]:
        """The fields of the form that makes the game suggested after the lesson."""
        fields = {f"parameter-{name}": str(value) for name, value in written(self.lesson.parameters).items()}
        if self.lesson.opponent:
            fields["seat-2"] = self.lesson.opponent
        return fields


@router.get("/learn")
async def learn(request: Request) -> Response:
    """The games that have a lesson."""
    games = [(entry, len(entry.lesson.steps)) for entry in catalog.playable() if entry.lesson]
    return render(request, "lessons.html", games=games)


@router.get("/learn/{game}")
async def step(
    request: Request, game: str, pressed: Annotated[Pressed, Depends(read_pressed)], step: str = "1"
) -> Response:
    """A step of a game's lesson; with a `move`, what it is told. Raises UnknownGame, NoLesson and BadForm."""
    return await run_in_threadpool(_step, request, game, step, pressed)


def _step(request: Request, id: str, number: str, pressed: Pressed) -> Response:
    entry = catalog.get(id)
    if entry.lesson is None:
        raise NoLesson
    chosen, count = read_integer(number) if len(number) < 10 else None, len(entry.lesson.steps)
    if chosen is None or not 1 <= chosen <= count:
        raise BadForm(say("The lesson has {count} steps; there is none with that number.", count=count))
    view = LessonView(entry, entry.lesson, chosen, pressed.move, pressed.square)
    if pressed.is_shown:
        view = LessonView(entry, entry.lesson, chosen, lessons.solution(view.step, view.game))
    return render(
        request,
        "learn.html",
        status=422 if view.mistake else 200,
        entry=entry,
        view=view,
        steps=range(1, count + 1),
        is_shown=pressed.is_shown,
    )
