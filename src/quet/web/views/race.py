"""A race: one solitaire, the same for all who have its link, and how far each has come."""

import time
from dataclasses import dataclass

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ... import catalog
from ...core.messages import say
from ..errors import NoSuchGame
from ..forms import form_of
from ..i18n import gettext as _
from ..match import SiteMatch
from ..pages import done, render
from ..site import site_of, visitor_of
from ..visitors import clean_name
from . import words

router = APIRouter()


@dataclass(frozen=True)
class Racer:
    """A line of the ranking."""

    id: str  # of the game
    name: str
    score: int
    moves: int
    is_over: bool
    is_me: bool
    place: int  # among those who have finished, from 1; 0 before that


@router.get("/race/{id}")
async def show(request: Request, id: str) -> Response:
    """The page of a race; raises NoSuchGame."""
    return await run_in_threadpool(_page, request, id)


@router.post("/race/{id}")
async def join(request: Request, id: str) -> Response:
    """Join, and on to the visitor's own game."""
    fields = await form_of(request, costs="games")
    site = site_of(request)
    visitor = site.visitors.rename(request, clean_name(fields.get("name", "")))
    match = await run_in_threadpool(site.store.join_race, id, visitor.id, visitor.name, time.time())
    return done(request, f"/play/{match.id}", id=match.id)


def _page(request: Request, id: str) -> Response:
    store, visitor = site_of(request).store, visitor_of(request)
    matches = [store.load(listing.id) for listing in store.race_games(id)]
    if not matches:
        raise NoSuchGame(say("There is no such race."))
    row = matches[0].row
    racers = ranking(matches, visitor.id)
    mine = [racer for racer in racers if racer.is_me]
    return render(
        request,
        "race.html",
        entry=catalog.get(row.game),
        parameters=words.parameters_words(row.parameters),
        clock=words.clock_words(row.clock, row.clock_seconds, row.clock_increment),
        racers=racers,
        has_joined=bool(mine),
        may_look=bool(mine) and mine[0].is_over,  # not before one has an own result
        name=visitor.name,
        url=str(request.url.replace(query="", fragment="")),
    )


def ranking(matches: list[SiteMatch], visitor: str) -> list[Racer]:
    """Those who have finished, the best first and equal scores in one place; then the others, as they stand."""
    sign = 1 if matches[0].game.rules.LOWER_IS_BETTER else -1
    done = sorted(sign * match.game.scores[0] for match in matches if _has_finished(match))
    racers = []
    for match in matches:
        seat, score = match.seat(1), match.game.scores[0]
        racers.append(
            Racer(
                id=match.id,
                name=seat.name or _("no name"),
                score=score,
                moves=match.game.ply,
                is_over=match.is_over,
                is_me=seat.visitor == visitor,
                place=done.index(sign * score) + 1 if _has_finished(match) else 0,
            )
        )
    return sorted(racers, key=lambda racer: (racer.place == 0, racer.place, sign * racer.score))


def _has_finished(match: SiteMatch) -> bool:
    """Whether the rules ended the game; who resigned has no place."""
    return match.game.is_over
