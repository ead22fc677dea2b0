"""The home page, the list of one's own games, the lobby, and the little boards."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ... import catalog
from ...core.parameters import Parameter
from ...game import new
from ..catalogs import LANGUAGES, SOURCE
from ..i18n import gettext as _
from ..little_boards import living_board, living_boards
from ..pages import keep, render
from ..pictures import POLICY
from ..site import now_of, site_of, visitor_of
from ..storage.listings import Listing
from ..storage.schema import ARCHIVED, SeatRow
from . import words

router = APIRouter()

PICTURES = "quet_pictures"  # the cookie that keeps the little boards still
PAST = ("over", ARCHIVED)  # what goes on no more
MOST_SHOWN = 4  # of one's own games, and of open seats, on the home page
MOST_LOOKED_AT = 8  # open seats, some of which may be at one's own tables
PICTURE_HEADERS = {"Content-Security-Policy": POLICY, "Cache-Control": "public, max-age=86400"}


@dataclass(frozen=True)
class Card:
    """A game on the home page."""

    id: str
    title: str
    summary: str
    people: str


@dataclass(frozen=True)
class Row:
    """A game in a list."""

    href: str
    title: str
    parameters: str
    people: str
    clock: str
    status: str
    is_mine: bool  # whether it is the visitor's turn
    action: str


@router.get("/")
async def home(request: Request, pictures: Literal["", "still", "moving"] = "") -> Response:
    """The home page: the games, one's own games, and open seats."""
    return await run_in_threadpool(_home, request, pictures)


def _home(request: Request, pictures: str) -> Response:
    store, visitor = site_of(request).store, visitor_of(request)
    mine = store.games_of(visitor.id)
    lobby = store.lobby(now_of(request), MOST_LOOKED_AT)
    is_still = (pictures or request.cookies.get(PICTURES)) == "still"
    answer = render(
        request,
        "home.html",
        games=_cards(),
        my_games=_rows(_urgent(mine, visitor.id)[:MOST_SHOWN], visitor.id),
        open_seats=_rows([one for one in lobby if not _sits(one, visitor.id)][:MOST_SHOWN], visitor.id),
        num_mine=len(mine),
        is_still=is_still,
    )
    if pictures:
        keep(request, answer, PICTURES, pictures)
    return answer


@router.get("/mine")
async def mine(request: Request) -> Response:
    """All games of the visitor."""
    return await run_in_threadpool(_mine, request)


def _mine(request: Request) -> Response:
    visitor = visitor_of(request)
    games = _urgent(site_of(request).store.games_of(visitor.id), visitor.id)
    return render(
        request,
        "mine.html",
        playing=_rows([one for one in games if one.row.status not in PAST], visitor.id),
        over=_rows([one for one in games if one.row.status in PAST], visitor.id),
    )


@router.get("/lobby")
async def lobby(request: Request) -> Response:
    """The open seats, and the public games to watch."""
    return await run_in_threadpool(_lobby, request)


def _lobby(request: Request) -> Response:
    store, visitor = site_of(request).store, visitor_of(request)
    waiting = store.lobby(now_of(request))
    playing = store.public_games()
    return render(request, "lobby.html", open_seats=_rows(waiting, visitor.id), public_games=_rows(playing, visitor.id))


@router.get("/living.svg")
async def all_living(kind: Literal["moving", "still"] = "moving", words: str = SOURCE) -> Response:
    """The little boards of all games in one picture: `#ID` shows that of one game."""
    language = words if words in LANGUAGES else SOURCE
    text = await run_in_threadpool(partial(living_boards, language, is_still=kind == "still"))
    return Response(text, media_type="image/svg+xml", headers=PICTURE_HEADERS)


@router.get("/living/{id}.svg")
async def living(id: str, kind: Literal["moving", "still"] = "moving", words: str = SOURCE) -> Response:
    """The little board of a game, with its words in this language; raises UnknownGame."""
    language = words if words in LANGUAGES else SOURCE
    text = await run_in_threadpool(partial(living_board, id, language, is_still=kind == "still"))
    return Response(text, media_type="image/svg+xml", headers=PICTURE_HEADERS)


def _cards() -> list[Card]:
    """The games that can be played."""
    return [Card(one.id, one.title, one.facts["summary"], _people(one)) for one in catalog.playable()]


def _people(entry: catalog.Entry) -> str:
    """How many play, in words, and when the game was published."""
    players = next((p for p in entry.rules.PARAMETERS if isinstance(p, Parameter) and p.name == "players"), None)
    if players is not None:
        many = _("%(low)s to %(high)s players") % {"low": players.low, "high": players.high}
    else:
        many = _("for one, or a race") if num_players(entry.id) == 1 else _("2 players")
    return f"{many} · {entry.year}"


def num_players(id: str) -> int:
    """How many play the game with its usual parameters."""
    return new(id).num_players


def _urgent(listings: Sequence[Listing], visitor: str) -> list[Listing]:
    """One's own turns first, then what is going on, then what is over."""

    def order(one: Listing) -> int:
        return 0 if _is_turn(one, visitor) else 2 if one.row.status in PAST else 1

    return sorted(listings, key=order)


def _rows(listings: Sequence[Listing], visitor: str) -> list[Row]:
    return [_row(listing, visitor) for listing in listings]


def _row(listing: Listing, visitor: str) -> Row:
    row = listing.row
    is_turn = _is_turn(listing, visitor)
    can_sit = not _sits(listing, visitor) and any(seat.is_free and seat.is_open for seat in listing.seats)
    if row.status in PAST:
        status, action = _("archived") if row.status == ARCHIVED else _("over"), ""
    elif row.status == "waiting":
        status, action = _("waiting"), _("Sit down") if can_sit else ""
    else:
        status = _("your turn") if is_turn else _("playing")
        action = _("Play on") if is_turn else "" if _sits(listing, visitor) else _("Watch")
    # A race shows only the ranking of the others: their boards would give moves away.
    is_rival = row.race is not None and not _sits(listing, visitor)
    return Row(
        href=f"/race/{row.race}" if is_rival else f"/play/{row.id}",
        title=catalog.get(row.game).title,
        parameters=words.parameters_words(row.parameters),
        people=" – ".join(_seat_name(seat, visitor) for seat in listing.seats),
        clock="" if row.clock == "none" else words.clock_words(row.clock, row.clock_seconds, row.clock_increment),
        status="" if can_sit else status,
        is_mine=is_turn,
        action=action,
    )


def _seat_name(seat: SeatRow, visitor: str) -> str:
    if seat.computer:
        return words.computer_name(seat.computer)
    if seat.visitor == visitor:
        return _("you")
    if seat.is_free:
        return _("a free seat")
    return seat.name or _("player %(player)s") % {"player": seat.player}


def _sits(listing: Listing, visitor: str) -> bool:
    return any(seat.visitor == visitor for seat in listing.seats)


def _is_turn(listing: Listing, visitor: str) -> bool:
    mover = listing.row.mover
    return mover is not None and listing.seats[mover - 1].visitor == visitor
