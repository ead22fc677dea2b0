"""The table: the page of a game, and all that people do there."""

from collections.abc import Callable, Sequence
from hmac import compare_digest
from typing import Annotated, Literal, NamedTuple

from fastapi import APIRouter, Query
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Match, Route
from starlette.types import Scope

from ...core.errors import NotYourTurn, QuetError
from ...core.messages import listed, say
from ...core.numbers import read_integer
from ...knowledge.hints import Hint
from ...knowledge.hints import hint as give_hint
from ...starts import after_moves, start_line
from ..analyst import analyst_of, key_of
from ..errors import BadForm, BadInvitation, Later, NotYourSeat, status_of
from ..forms import form_of, move_of
from ..i18n import said
from ..limits import address_of
from ..match import SiteMatch
from ..pages import address, done, render, wants_json
from ..pictures import card
from ..site import asker_of, count, have_done, now_of, site_of, turn_of, visitor_of
from ..storage.schema import SeatRow, standing_of
from ..storage.store import Act, Store
from ..visitors import clean_name
from . import words
from .table import TableView

router = APIRouter()

Chosen = Annotated[str, Query(max_length=20)]
Ply = Annotated[int | None, Query(ge=0, le=100_000)]
Value = Annotated[str | None, Query(max_length=20)]
HINT_SECONDS = 1.0  # of the workshop, for a good move or for what can still be reached
ANSWERS = ("accept", "decline")


class BusyRoute(Route):
    """A route that is asked for most. FastAPI's reading of parameters is left out, as it costs as much as a move."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the request is for this route. The log finds the route under `route`, as it finds FastAPI's."""
        match, found = super().matches(scope)
        return match, {**found, "route": self}


@router.get("/play/{id}")
async def show(
    request: Request,
    id: str,
    square: Chosen = "",
    item: Chosen = "",
    reachable: Literal["", "1"] = "",
    hint: Literal["", "1"] = "",
    value: Value = None,
    at: Ply = None,
) -> Response:
    """The page of a game; `square` is the one that is asked about, `item` the part of a score that is pointed at.

    `value` is what is to be written in the square that is chosen next. With `at` the board is shown as it was after so
    many moves. With `reachable` it is also told which score a solitaire can still reach, with `hint` a good move:
    the page's script gets the sentence alone. Where it can't be told, as in a game that is over by now, the page is
    shown as it is without.
    """
    notice = ""
    if reachable or hint:
        try:
            notice = await (_reachable if reachable else _hint)(request, id)
        except (NotYourSeat, NotYourTurn):
            if wants_json(request):
                raise
        if wants_json(request):
            return JSONResponse({"notice": notice}, headers={"Cache-Control": "no-store"})  # the page has this address
    return await run_in_threadpool(_drawn, request, "play.html", id, square, item, notice=notice, value=value, at=at)


@router.get("/play/{id}/table")
async def fragment(
    request: Request, id: str, square: Chosen = "", item: Chosen = "", at: Ply = None, since: Ply = None
) -> Response:
    """The changing part of the page, and what happened after the rows that were there at `since`."""
    return await run_in_threadpool(_drawn, request, "table.html", id, square, item, at=at, since=since)


class Given(NamedTuple):
    """A position as the workshop gets it: a game after moves."""

    id: str
    parameters: Sequence[tuple[str, str]]
    moves: Sequence[str]
    start: str

    def hint(self) -> Hint:
        """A good move in it."""
        return give_hint(after_moves(self.id, dict(self.parameters), self.moves, self.start), seconds=HINT_SECONDS)


async def _reachable(request: Request, id: str) -> str:
    """Which score a solitaire can still reach, as a sentence. Raises NotYourSeat and NotYourTurn."""
    match = await run_in_threadpool(site_of(request).store.load, id)
    match.held_by(visitor_of(request).id)
    if match.row.num_players > 1 or match.row.race or match.is_over:
        raise NotYourTurn(say("What can be reached is told in a game for one that goes on, and not in a race."))
    return await _known(request, match, reachable_words)


async def _hint(request: Request, id: str) -> str:
    """A good move for the visitor, as a sentence. Raises NotYourSeat and NotYourTurn."""
    match = await run_in_threadpool(site_of(request).store.load, id)
    held = match.held_by(visitor_of(request).id)
    match.progress.check_turn(held)
    if not match.may_ask_hint(held):
        raise NotYourTurn(say("A hint is given where nobody else plays but computers, and not in a race."))
    return await _known(request, match, hint_words)


async def _known(request: Request, match: SiteMatch, words: Callable[[Given], str]) -> str:
    """What the workshop tells of the position of a game; such questions are rationed for each visitor."""
    count(request, "costly")
    parameters = tuple((name, str(value)) for name, value in match.row.parameters.items())
    start = await run_in_threadpool(start_line, match.game)
    return await have_done(request, words, Given(match.game.id, parameters, tuple(match.game.moves), start))


def reachable_words(given: Given) -> str:
    """Which score can still be reached, in the language of the request."""
    return said(given.hint().reachable)


def hint_words(given: Given) -> str:
    """A good move and what it is worth, in the language of the request."""
    return said(given.hint().sentence)


def _drawn(
    request: Request,
    template: str,
    id: str,
    square: str = "",
    item: str = "",
    error: str = "",
    status: int = 200,
    *,
    notice: str = "",
    value: str | None = None,
    at: int | None = None,
    since: int | None = None,
) -> Response:
    """A game's page, or its changing part. Raises NoSuchGame."""
    visitor = visitor_of(request)
    store = site_of(request).store
    match = store.load(id)
    own, entered = None, None
    if match.game.is_over and match.row.num_players == 1:
        own, entered = _best_before(store, match, visitor.id), store.entries.by(id)
    chosen = square, item, value, at
    table = TableView(match, visitor.id, now_of(request), address(request), *chosen, own=own, entered=entered)
    return render(
        request,
        template,
        status=status,
        entry=table.game.entry,
        table=table,
        card=card(match),
        name=visitor.name,
        error=error,
        notice=notice,
        kept=_kept(request, match, table.held),
        news="" if since is None else words.news(match, since),
    )


def _kept(request: Request, match: SiteMatch, players: Sequence[int]) -> list[str]:
    """How many of these players' moves kept the result of a game for two, if the game has been analysed."""
    study = analyst_of(request).recall(key_of(match.game), match.game) if match.is_over and players else None
    if study is None:
        return []
    found = study.analysis
    return [said(found.kept_words(one, words.full_name(match, one))) for one in players if one in found.kept]


def _best_before(store: Store, match: SiteMatch, visitor: str) -> int | None:
    """The visitor's best score in other games of this kind."""
    if not match.player_of(visitor):
        return None
    standing = store.entries.best_of(visitor, match.game.id, match.row.parameters, match.id)
    return None if standing is None else standing_of(standing, match.game.rules)


async def move(request: Request) -> Response:
    """Play a move."""
    fields = await form_of(request)
    return await _act(request, request.path_params["id"], "move", fields, move_of(fields))


busy = BusyRoute("/play/{id}/move", move, methods=["POST"])


@router.post("/play/{id}/undo")
async def undo(request: Request, id: str) -> Response:
    """Take moves back, or ask whether one may."""
    return await _act(request, id, "undo", await form_of(request))


@router.post("/play/{id}/resign")
async def resign(request: Request, id: str) -> Response:
    """Resign."""
    return await _act(request, id, "resign", await form_of(request))


@router.post("/play/{id}/draw")
async def draw(request: Request, id: str) -> Response:
    """Offer a draw."""
    return await _act(request, id, "draw", await form_of(request))


@router.post("/play/{id}/answer")
async def answer(request: Request, id: str) -> Response:
    """Accept or decline what is offered."""
    fields = await form_of(request)
    if fields.get("answer") not in ANSWERS:
        raise BadForm(say("An offer is accepted or declined."))
    return await _act(request, id, fields["answer"], fields)


async def _act(request: Request, id: str, kind: str, fields: dict[str, str], text: str = "") -> Response:
    """Carry out an act. If it is refused, the page says why, and shows the game as it stands now."""
    ply = read_integer(fields["ply"]) if "ply" in fields else None
    try:
        if "ply" in fields and ply is None:
            raise BadForm(say("The form can't be read."))
        act = Act(id, visitor_of(request).id, kind, text, ply, now_of(request))
        match = await site_of(request).acts.act(act, asker_of(request))
        if match.row.is_computer_due:
            site_of(request).store.shares.come(act.visitor, address_of(request))
    except QuetError as error:
        # What may succeed later has a page that says when; the table couldn't be drawn either.
        if wants_json(request) or isinstance(error, Later) or status_of(error) in (404, 410, 500):
            raise
        status, sentence = status_of(error), said(error)
        await turn_of(request).take(asker_of(request))
        return await run_in_threadpool(_drawn, request, "play.html", id, "", "", sentence, status)
    return done(request, f"/play/{id}", ply=match.num_rows)


@router.post("/play/{id}/rematch")
async def rematch(request: Request, id: str) -> Response:
    """On to the next game of the same players."""
    await form_of(request, costs="games")
    match = await run_in_threadpool(site_of(request).store.rematch, id, visitor_of(request).id, now_of(request))
    return done(request, f"/play/{match.id}", id=match.id)


@router.post("/play/{id}/release")
async def release(request: Request, id: str) -> Response:
    """Get up from a table that isn't full yet."""
    await form_of(request)
    await run_in_threadpool(site_of(request).store.release, id, visitor_of(request).id, now_of(request))
    return done(request, f"/play/{id}")


@router.post("/play/{id}/hand-over")
async def hand_over(request: Request, id: str) -> Response:
    """A page with a link that takes the visitor's seat; with `withdraw` that link takes it no more."""
    fields = await form_of(request)
    player = read_integer(fields.get("player", ""))
    if player is None:
        raise BadForm(say("The seat is missing."))
    store, withdraws = site_of(request).store, bool(fields.get("withdraw"))
    visitor, now = visitor_of(request).id, now_of(request)
    token = await run_in_threadpool(store.hand_over, id, player, visitor, now, withdraws=withdraws)
    if withdraws:
        return done(request, f"/play/{id}")
    url = f"{address(request)}/play/{id}/seat/{token}"
    if wants_json(request):
        return JSONResponse({"url": url})
    match = await run_in_threadpool(store.load, id)
    return render(request, "handed.html", entry=match.game.entry, id=id, player=player, url=url)


@router.post("/play/{id}/seat")
async def sit(request: Request, id: str) -> Response:
    """Take an open seat."""
    fields = await form_of(request)
    player = read_integer(fields["player"]) if fields.get("player") else None
    return await _sit(request, id, fields, player=player)


@router.post("/play/{id}/seat/{token}")
async def sit_invited(request: Request, id: str, token: str) -> Response:
    """Take the seat of an invitation."""
    return await _sit(request, id, await form_of(request), token=token)


async def _sit(
    request: Request, id: str, fields: dict[str, str], *, player: int | None = None, token: str | None = None
) -> Response:
    site = site_of(request)
    name = clean_name(fields.get("name", ""))
    visitor = site.visitors.rename(request, name)
    await run_in_threadpool(
        site.store.take_seat, id, visitor.id, name, now_of(request), player=player, invitation=token
    )
    return done(request, f"/play/{id}")


def is_invited(seat: SeatRow, token: str) -> bool:
    """Whether the token takes this seat."""
    return seat.invitation is not None and compare_digest(seat.invitation.encode(), token.encode())


@router.get("/play/{id}/seat/{token}")
async def invitation(request: Request, id: str, token: str) -> Response:
    """The page of an invitation; raises NoSuchGame, and BadInvitation where the link takes no seat."""
    visitor = visitor_of(request)
    match = await run_in_threadpool(site_of(request).store.load, id)
    seat = next((each for each in match.seats if is_invited(each, token)), None)
    if seat is None:
        raise BadInvitation(say("This link takes no seat; perhaps somebody has used it."))
    others = [words.name_of(match, each.player) for each in match.seats if each != seat and not each.is_free]
    row = match.row
    return render(
        request,
        "seat.html",
        id=id,
        entry=match.game.entry,
        player=seat.player,
        parameters=words.parameters_words(row),
        clock=words.clock_words(row.clock, row.clock_seconds, row.clock_increment),
        others=said(listed(others)),
        ends_for_all=row.num_players > 2,
        is_over=match.is_over,
        already=bool(match.player_of(visitor.id)),
        name=visitor.name,
    )
