"""The game and the puzzle of the day: the same for everybody, the game's ranking, and the days before."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from math import ceil
from typing import Annotated

from fastapi import APIRouter, Query
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ... import catalog
from ...draw.scene import Scene
from ...puzzles import find
from ...puzzles.daily import puzzle_of
from ...study import daily
from ...study.daily import DAY, FIRST, Daily
from ...study.daily_plot import spread
from ..board import are_folded, picture_html
from ..forms import form_of
from ..i18n import gettext as _
from ..i18n import language, said, said_scene
from ..match import SiteMatch
from ..new_games import SeatPlan, SetUp
from ..pages import done, render
from ..pictures import plot_html
from ..site import now_of, site_of, today_of, visitor_of
from ..storage.days import MOST_DAYS, MOST_PAGES, RANKED, Ranked, race_of
from ..storage.schema import standing_of
from ..visitors import Visitor, clean_name
from .puzzles import scores_of
from .words import time_left

router = APIRouter()

ARCHIVED = 30  # days before that the page lists


@dataclass(frozen=True)
class Line:
    """A line of the ranking."""

    place: int
    name: str
    score: int
    percent: int
    time: str
    is_me: bool


@dataclass(frozen=True)
class Archived:
    """A day in the list of days."""

    day: date
    title: str  # of its game
    share: int | None  # of the best score possible that the visitor reached, in percent
    puzzle: str  # the address of its puzzle
    puzzle_title: str
    is_solved: bool  # on its day


@router.get("/daily")
async def today(request: Request, page: Annotated[int, Query(ge=1, le=10**6)] = 1) -> Response:
    """The page of today's game."""
    return await run_in_threadpool(_page, request, today_of(request), page)


@router.get("/daily/{id}")
async def past(request: Request, id: str, page: Annotated[int, Query(ge=1, le=10**6)] = 1) -> Response:
    """The page of a day's game. Raises NoDay."""
    return await run_in_threadpool(_page, request, daily.read_day(id, today_of(request)), page)


@router.post("/daily/{day}")
async def play(request: Request, day: str) -> Response:
    """Begin the game of a day, or go on with it; today's is ranked. Raises NoDay and TooMany.

    A form for a ranked game that comes when its day is over begins none: it leads to the page, which says so.
    """
    fields = await form_of(request, costs="games")
    now_day = today_of(request)
    found = daily.daily(daily.read_day(day, now_day))
    visitor = site_of(request).visitors.rename(request, clean_name(fields.get("name", "")))
    match = await run_in_threadpool(_begin, request, found, visitor, found.day == now_day, bool(fields.get("ranked")))
    if match is None:
        return done(request, f"/daily/{found.day}")
    return done(request, f"/play/{match.id}", id=match.id)


def _begin(request: Request, found: Daily, visitor: Visitor, is_today: bool, is_ranked: bool) -> SiteMatch | None:
    """The visitor's game of the day; None where it should be ranked, wasn't begun, and the day is over."""
    store, now = site_of(request).store, now_of(request)
    if is_ranked and not is_today:
        begun = store.entered(race_of(found.day), visitor.id)
        return store.load(begun) if begun else None
    parameters = {name: str(value) for name, value in found.parameters.items()}
    set_up = SetUp(found.game_id, parameters, (SeatPlan("me", visitor.name),))
    if is_today:
        return store.join_day(race_of(found.day), set_up, visitor.id, now)
    return store.create(set_up, visitor.id, now)


def _page(request: Request, day: date, page: int) -> Response:
    store, visitor, now_day = site_of(request).store, visitor_of(request), today_of(request)
    found = daily.daily(day)
    results = {_score(found, standing): count for standing, count in store.days.spread(day).items()}
    number = sum(results.values())
    pages = min(max(1, ceil(number / RANKED)), MOST_PAGES)
    page = min(page, pages)
    own = store.days.own(day, visitor.id)
    begun = store.entered(race_of(day), visitor.id)
    racer = store.racer(race_of(day), visitor.id) if begun and own is None else None
    lately = [now_day - k * DAY for k in range(min(MOST_DAYS, (now_day - FIRST).days + 1))]
    finished = store.days.finished(lately, visitor.id) if lately else {}
    puzzle, solved = puzzle_of(day), set(scores_of(request).solved_days)
    row = sorted(solved.union(finished), reverse=True)
    streak_then = daily.streak([one for one in row if one <= day], day)  # a result that is kept says what it said then
    shares = {one: daily.daily(one).percent(_score(daily.daily(one), standing)) for one, standing in finished.items()}
    lines = [_line(found, one, visitor.id) for one in store.days.page(day, (page - 1) * RANKED)]
    if own is not None and not any(line.is_me for line in lines):
        lines.insert(0, _line(found, own, visitor.id))
    score = None if own is None else _score(found, own.standing)
    picture = said_scene(spread(found, results, score)) if number else None
    return render(
        request,
        "daily.html",
        entry=found.entry,
        found=found,
        parameters=said(found.entry.parameters_said(found.parameters)),
        is_today=day == now_day,
        lines=lines,
        number=number,
        page=page,
        pages=pages,
        most=RANKED * pages,
        own=own,
        score=score,
        percent=None if score is None else found.percent(score),
        begun=begun,
        goes_on=racer is not None and racer.row.status != "over",  # also when the day is over
        streak=daily.streak(row, now_day),
        num_finished=len(finished),
        puzzle=puzzle,
        puzzle_entry=catalog.get(puzzle.game_id),
        task=said(puzzle.kind.task),
        puzzle_parameters=said(catalog.get(puzzle.game_id).parameters_said(puzzle.parameters)),
        puzzle_board=_board(puzzle.game_id, puzzle.id, language()),
        puzzle_notes=_notes(puzzle.game_id, puzzle.id, language()),
        is_solved=day in solved,
        num_solved=len(solved),
        best_share=max(shares.values(), default=0),
        shared="" if score is None else said(found.result(score, streak_then, is_puzzle_solved=day in solved)),
        plot=None if picture is None else plot_html(picture),
        notes=() if picture is None else picture.notes,
        archive=[_archived(one, shares.get(one), one in solved) for one in lately[: ARCHIVED + 1]],
        before=day - timedelta(1) if day > FIRST else None,
        after=day + timedelta(1) if day < now_day else None,
        base=f"/daily/{day}",
        name=visitor.name,
    )


@lru_cache(maxsize=64)
def _board(game_id: str, id: str, language: str) -> Markup:
    """The board of a puzzle in the reader's language, which the argument names for the cache."""
    return picture_html(_scene(game_id, id))


@lru_cache(maxsize=64)
def _notes(game_id: str, id: str, language: str) -> Sequence[str]:
    """What stands below the board, in the same way; nothing where the puzzle's own page folds it."""
    shown = said_scene(_scene(game_id, id))
    return () if are_folded(shown.notes) else shown.about or shown.notes


def _scene(game_id: str, id: str) -> Scene:
    puzzle = find(game_id, id)
    assert puzzle is not None
    return puzzle.position().scene(legal=False)


def _archived(day: date, share: int | None, is_solved: bool) -> Archived:
    puzzle = puzzle_of(day)
    title = said(catalog.get(puzzle.game_id).short_title)
    return Archived(
        day, said(daily.daily(day).entry.short_title), share, f"/puzzles/{puzzle.game_id}/{puzzle.id}", title, is_solved
    )


def _score(found: Daily, standing: int) -> int:
    return standing_of(standing, found.entry.rules)


def _line(found: Daily, one: Ranked, visitor: str) -> Line:
    score = _score(found, one.standing)
    name = one.name or _("no name")
    return Line(one.place, name, score, found.percent(score), time_left(one.seconds), one.visitor == visitor)
