"""Puzzles: positions in which only some moves are right. The address says the puzzle and the move.

A try counts once, and only for a visitor to whom the puzzle was shown before: a link with a move counts for nobody.
"""

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse

from ... import catalog
from ...core.errors import MoveError, UnreadableMove
from ...core.messages import say
from ...draw.scene import Choice, Scene, signed
from ...game import Game
from ...puzzles import Puzzle, find, of
from ...puzzles import judge as judging
from ...puzzles.daily import puzzle_of
from ...puzzles.puzzle import mover_of, note_of
from ...puzzles.scores import Score, Scores
from ..board import are_folded, board_html
from ..errors import BadForm, SiteError
from ..forms import Pressed, read_pressed
from ..i18n import said, said_scene
from ..pages import render
from ..puzzle_scores import ScoresCookie
from ..site import have_done, today_of
from .table import Question, check_square, question

router = APIRouter()

LONGEST_DONE = 2_000  # characters of the moves that were right so far
NEAR = 6  # puzzles of about the visitor's rating, of which the next is one


class NoPuzzle(SiteError):
    """The game has no such puzzle, or none at all."""

    status = 404

    def __init__(self) -> None:
        super().__init__(say("There is no such puzzle."))


@dataclass(frozen=True)
class Tried:
    """What a move was told, as plain values: another process may have found it."""

    words: str
    is_right: bool
    is_solved: bool
    moves: tuple[str, ...]  # from the puzzle's position on, the reply to a wrong one included


def try_move(game_id: str, id: str, done: tuple[str, ...], move: str, is_shown: bool) -> Tried:
    """What a move is told after the right ones of a solution that are done; or a right move, where it is to be shown.

    Raises MoveError.
    """
    puzzle = find(game_id, id)
    assert puzzle is not None
    game = judging.reached(puzzle, done)
    told = judging.answer(puzzle, game, judging.solution(puzzle, game) if is_shown else move)
    moves = told.game.moves[len(puzzle.moves) :]
    return Tried(said(told.words), told.is_right, told.is_solved, tuple(moves))


class PuzzleView:
    """A puzzle as a page shows it, before a move or with the answer to one. Raises MoveError, and BadForm."""

    def __init__(
        self, puzzle: Puzzle, done: tuple[str, ...], tried: Tried | None, mistake: str = "", square: str = ""
    ) -> None:
        """`done` are the right moves so far, `mistake` what is wrong with a text that is no move."""
        self.puzzle, self.entry, self.tried, self.mistake = puzzle, catalog.get(puzzle.game_id), tried, mistake
        self.path = f"/puzzles/{puzzle.game_id}/{puzzle.id}"
        if tried is not None and tried.is_right and not tried.is_solved:
            done = tried.moves  # the board is ready for the next move
        self.done = " ".join(done)
        self.game = judging.begun(puzzle, done)
        self._goal = self.game.goal
        for move in () if self.can_move or tried is None else tried.moves[len(done) :]:
            self.game.play(move)
        self._scene = self.game.scene(legal=self.can_move)
        check_square(self._scene, square)
        self.question: Question | None = question(self._scene, square) if self.can_move else None
        if square and self.can_move and self.question is None:
            self.mistake = _why_not(self.game, self._scene, puzzle.position().scene(), square)

    @property
    def base(self) -> str:
        """The address at which the puzzle is tried again, or goes on."""
        return f"{self.path}?done={self.done.replace('+', '%2B').replace(' ', '+')}"

    @property
    def can_move(self) -> bool:
        return self.tried is None or (self.tried.is_right and not self.tried.is_solved)

    @property
    def task(self) -> str:
        return said(self.puzzle.kind.task)

    @property
    def about(self) -> str:
        """Who is to move, and what is different from the game."""
        game = self.puzzle.position()
        mover = "" if game.num_players == 1 else said(say("You are player {player}.", player=mover_of(game)))
        return f"{mover} {said(note_of(self.entry.id))}".strip()

    @property
    def goal(self) -> str:
        """What is to be done; after a wrong move what was to be done before it, so that the page doesn't jump."""
        return said(self._goal)

    @property
    def parameters(self) -> str:
        return said(self.entry.parameters_said(self.puzzle.parameters))

    @property
    def moves(self) -> str:
        """The moves that led to the position on the board, those of a try included."""
        return " ".join(signed(move) for move in self.game.moves)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What the picture says in words."""
        shown = said_scene(self._scene)
        return tuple(shown.about or shown.notes)

    @property
    def are_notes_folded(self) -> bool:
        return are_folded(self._scene.notes)

    @property
    def scores(self) -> list[int]:
        return self.game.scores

    @property
    def choices(self) -> tuple[Choice, ...]:
        return said_scene(self._scene).choices if self.can_move else ()

    @property
    def board(self) -> Markup:
        return board_html(
            self._scene,
            is_playable=self.can_move,
            ask=f"{self.base}&square=",
            asked=self.question.square if self.question else "",
        )


def _why_not(game: Game, scene: Scene, first: Scene, name: str) -> str:
    """Why a square without legal moves takes none; empty where there is no such square, or nothing is known.

    Tried are moves as other squares take them, here or in the first position of the puzzle.
    """
    square = next((square for square in scene.squares if square.name == name), None)
    if square is None or square.moves:
        return ""
    known = [(one.name, move) for one in (*scene.squares, *first.squares) for move in (*one.moves, one.prompt)]
    endings = {move.removeprefix(place) for place, move in known if move.startswith(place)}
    for ending in ("", *sorted(endings)):
        try:
            game.read(f"{name}{ending}")
        except MoveError as error:
            broken = said(error)
            if not isinstance(error, UnreadableMove):
                return broken
    return ""


@router.get("/puzzles")
async def puzzles(request: Request) -> Response:
    """The games that have puzzles, how many, and one's rating."""
    return await run_in_threadpool(_list, request)


def _list(request: Request) -> Response:
    scores = scores_of(request)
    games = [(entry, len(of(entry.id)), scores.of(entry.id)) for entry in catalog.playable() if of(entry.id)]
    return render(request, "puzzles.html", games=games)


@router.get("/puzzles/{game}")
async def next_puzzle(request: Request, game: str) -> Response:
    """The next puzzle of a game: one of about the visitor's rating that wasn't tried. Raises UnknownGame, NoPuzzle."""
    found = await run_in_threadpool(of, catalog.get(game).id)
    if not found:
        raise NoPuzzle
    chosen = _next(found, scores_of(request).of(game))
    return RedirectResponse(f"/puzzles/{game}/{chosen.id}", 303, {"Cache-Control": "no-store"})


def _next(puzzles: tuple[Puzzle, ...], score: Score) -> Puzzle:
    unseen = [puzzle for puzzle in puzzles if not score.has_seen(puzzle)] or list(puzzles)
    return random.choice(sorted(unseen, key=lambda puzzle: abs(puzzle.rating - score.rating))[:NEAR])


@router.get("/puzzles/{game}/{id}")
async def puzzle(
    request: Request,
    game: str,
    id: str,
    pressed: Annotated[Pressed, Depends(read_pressed)],
    done: str = "",
) -> Response:
    """A puzzle; with a move, what it is told. `done` are the right moves so far.

    Raises as `found_puzzle`, and BadForm.
    """
    found = await run_in_threadpool(found_puzzle, game, id)
    if len(done) > LONGEST_DONE:
        raise BadForm(say("The moves before have at most {most} characters here.", most=LONGEST_DONE))
    before = tuple(done.split())
    tried, mistake = None, ""
    if pressed.move or pressed.is_shown:
        arguments = (found.game_id, found.id, before, pressed.move, pressed.is_shown)
        try:
            if before:  # the positions that can follow are tried for it
                tried = await have_done(request, try_move, *arguments)
            else:
                tried = await run_in_threadpool(try_move, *arguments)
        except MoveError as error:
            mistake = said(error)
    return await run_in_threadpool(_page, request, found, before, tried, mistake, pressed)


def found_puzzle(game_id: str, id: str) -> Puzzle:
    """The puzzle of this id. Raises UnknownGame and NoPuzzle."""
    puzzle = find(catalog.get(game_id).id, id)
    if puzzle is None:
        raise NoPuzzle
    return puzzle


def _page(
    request: Request,
    puzzle: Puzzle,
    done: tuple[str, ...],
    tried: Tried | None,
    mistake: str,
    pressed: Pressed,
) -> Response:
    is_shown = pressed.is_shown
    try:
        view = PuzzleView(puzzle, done, tried, mistake, pressed.square)
    except MoveError as error:  # the right moves so far aren't even legal
        raise BadForm(said(error)) from None
    cookie = _cookie(request)
    scores = before = cookie.read(request)
    if tried is None:
        scores = scores.opened(puzzle) if not done else scores
    elif scores.is_open(puzzle) and (is_shown or not tried.is_right or tried.is_solved):
        scores = scores.after(puzzle, is_solved=tried.is_solved and not is_shown)
    elif is_shown or not tried.is_right:  # it was opened long ago, or never
        scores = scores.with_seen(puzzle)
    day = today_of(request)
    is_of_today = puzzle_of(day).id == puzzle.id
    is_found = tried is not None and tried.is_solved and not is_shown and scores.of(puzzle.game_id).has_seen(puzzle)
    if is_of_today and is_shown:
        scores = scores.shown_on(day)
    if is_of_today and is_found:
        scores = scores.solved_on(day)
    score = scores.of(puzzle.game_id)
    change = score.shown - before.of(puzzle.game_id).shown if score.tried > before.of(puzzle.game_id).tried else None
    answer = render(
        request,
        "puzzle.html",
        status=422 if mistake else 200,
        entry=view.entry,
        view=view,
        score=score,
        change=change,
        is_shown=is_shown,
        card=f"{view.path}/picture.png",
        is_of_today=is_of_today,
    )
    if scores != before:
        cookie.write(request, answer, scores)
    return answer


def scores_of(request: Request) -> Scores:
    """The scores of the visitor who sent the request."""
    return _cookie(request).read(request)


def _cookie(request: Request) -> ScoresCookie:
    found = request.app.state.puzzle_scores
    assert isinstance(found, ScoresCookie)
    return found
