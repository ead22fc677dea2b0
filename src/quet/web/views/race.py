"""A race: one solitaire, the same for all who have its link, and how far each has come."""

from dataclasses import dataclass
from math import ceil
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ... import catalog
from ...core.messages import say
from ..errors import NoSuchGame
from ..forms import form_of
from ..i18n import gettext as _
from ..pages import done, render
from ..site import now_of, site_of, visitor_of
from ..storage.days import MOST_PAGES
from ..storage.listings import ID, RACERS, Racer
from ..storage.schema import standing_of
from ..visitors import clean_name
from . import words

router = APIRouter()


@dataclass(frozen=True)
class Line:
    """A line of the ranking."""

    id: str  # of the game
    name: str
    score: int
    moves: int
    is_over: bool
    is_me: bool
    place: int  # among those who have finished, from 1; 0 before that

    @classmethod
    def of(cls, racer: Racer, visitor: str) -> "Line":
        """The line of a racer."""
        seat = racer.seats[0]
        return cls(
            id=racer.id,
            name=seat.name or _("no name"),
            score=standing_of(racer.standing, catalog.get(racer.row.game).rules),
            moves=racer.num_moves,
            is_over=racer.row.status == "over",
            is_me=seat.visitor == visitor,
            place=racer.place,
        )


@router.get("/race/{id}")
async def show(request: Request, id: str, page: Annotated[int, Query(ge=1, le=10**6)] = 1) -> Response:
    """A page of the ranking of a race, the last one if there are fewer; raises NoSuchGame."""
    return await run_in_threadpool(_page, request, id, page)


@router.post("/race/{id}")
async def join(request: Request, id: str) -> Response:
    """Join, and on to the visitor's own game."""
    fields = await form_of(request, costs="games")
    site = site_of(request)
    visitor = site.visitors.rename(request, clean_name(fields.get("name", "")))
    match = await run_in_threadpool(site.store.join_race, id, visitor.id, visitor.name, now_of(request))
    return done(request, f"/play/{match.id}", id=match.id)


def _page(request: Request, id: str, page: int) -> Response:
    store, visitor = site_of(request).store, visitor_of(request)
    row = store.any_of_race(id) if ID.fullmatch(id) else None
    if row is None:
        raise NoSuchGame(say("There is no such race."))
    store.rank(id)
    number = store.num_racers(id)
    pages = min(ceil(number / RACERS), MOST_PAGES)
    page = min(page, pages)
    lines = [Line.of(racer, visitor.id) for racer in store.racers(id, (page - 1) * RACERS)]
    mine = next((line for line in lines if line.is_me), None)
    if mine is None:
        racer = store.racer(id, visitor.id)
        if racer is not None:  # one's own line stands on every page
            mine = Line.of(racer, visitor.id)
            lines.insert(0, mine)
    return render(
        request,
        "race.html",
        entry=catalog.get(row.game),
        parameters=words.parameters_words(row),
        clock=words.clock_words(row.clock, row.clock_seconds, row.clock_increment),
        racers=lines,
        number=number,
        page=page,
        pages=pages,
        most=RACERS * pages,
        has_joined=mine is not None,
        may_look=mine is not None and mine.is_over,  # not before one has an own result
        name=visitor.name,
        base=f"/race/{id}",
        url=str(request.url.replace(query="", fragment="")),
    )
