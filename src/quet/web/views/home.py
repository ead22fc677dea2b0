"""The home page, the list of one's own games, the lobby, and the little boards."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ... import catalog
from ...core.errors import NotYourTurn
from ...core.messages import say
from ...core.parameters import Parameter, read_parameters
from ...game import Game
from ...players.matching import evenly_matched
from ..catalogs import LANGUAGES, SOURCE
from ..forms import form_of
from ..i18n import gettext as _
from ..i18n import said
from ..little_boards import living_board, living_boards
from ..pages import done, keep, render
from ..pictures import POLICY
from ..site import now_of, site_of, visitor_of
from ..storage.days import race_page
from ..storage.listings import LISTED, Listing
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
    level: str  # that one is evenly matched with, in words; empty where that isn't known
    begin: str  # why one would begin with it; empty for most
    has_lesson: bool


@dataclass(frozen=True)
class Row:
    """A game in a list."""

    id: str
    href: str
    title: str
    parameters: str
    people: str
    clock: str
    status: str
    is_mine: bool  # whether it is the visitor's turn
    action: str
    can_be_put_away: bool


@router.get("/")
async def home(request: Request, pictures: Literal["", "still", "moving"] = "") -> Response:
    """The home page: the games, those that one plays just now, and open seats."""
    return await run_in_threadpool(_home, request, pictures)


def _home(request: Request, pictures: str) -> Response:
    store, visitor = site_of(request).store, visitor_of(request)
    mine = store.games_of(visitor.id)
    lobby = store.lobby(now_of(request), MOST_LOOKED_AT, few=1)
    is_still = (pictures or request.cookies.get(PICTURES)) == "still"
    answer = render(
        request,
        "home.html",
        games=_cards(even_levels(mine, visitor.id)),
        my_games=_rows(
            [one for one in _urgent(mine, visitor.id) if one.row.status not in PAST and catalog.find(one.row.game)][
                :MOST_SHOWN
            ],
            visitor.id,
        ),
        open_seats=_rows([one for one in lobby if not _sits(one, visitor.id)][:MOST_SHOWN], visitor.id),
        num_mine=len(mine),
        is_still=is_still,
    )
    if pictures:
        keep(request, answer, PICTURES, pictures)
    return answer


@router.get("/mine")
async def mine(request: Request, away: Literal["", "1"] = "") -> Response:
    """All games of the visitor; with `away` those that were put away."""
    return await run_in_threadpool(_mine, request, bool(away))


@router.post("/mine/put-away")
async def put_away(request: Request) -> Response:
    """Leave a game out of the visitor's lists, or all that have ended; with `back` list a game again."""
    fields = await form_of(request)
    is_away = not fields.get("back")
    await run_in_threadpool(_put_away, request, fields.get("id", ""), is_away)
    return done(request, "/mine" if is_away else "/mine?away=1")


def _put_away(request: Request, id: str, is_away: bool) -> None:
    store, visitor = site_of(request).store, visitor_of(request)
    finished = [one.id for one in store.games_of(visitor.id) if one.row.status in PAST] if not id and is_away else []
    one = store.listed(id) if id and is_away else None
    if one is not None and _sits(one, visitor.id) and not _can_be_put_away(one, visitor.id):
        raise NotYourTurn(say("Somebody waits for you in this game, or its clock runs."))
    store.put_away([id] if id else finished, visitor.id, away=is_away)


def _mine(request: Request, is_away: bool) -> Response:
    store, visitor = site_of(request).store, visitor_of(request)
    games = _urgent(store.games_of(visitor.id, away=is_away), visitor.id)
    own = {one.id for one in games}
    offered = store.waiting([one.row.rematch for one in games if one.row.rematch and one.row.rematch not in own])
    return render(
        request,
        "mine.html",
        away=is_away,
        playing=_rows([one for one in games if one.row.status not in PAST], visitor.id),
        over=_rows([one for one in games if one.row.status in PAST], visitor.id, offered),
        listed=LISTED if len(games) >= LISTED else 0,
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


def _cards(even: Mapping[str, str]) -> list[Card]:
    """The games that can be played, those to begin with first, each with the level that suits the visitor."""
    return sorted((_card(one, even.get(one.id, "")) for one in catalog.playable()), key=lambda card: not card.begin)


def _card(one: catalog.Entry, level: str) -> Card:
    begin = one.facts.get("begin", "")
    words = _("level %(level)s suits you") % {"level": level.rpartition(":")[2]} if level else ""
    return Card(one.id, one.short_title, one.facts["summary"], _people(one), words, said(begin), one.lesson is not None)


def even_levels(listings: Iterable[Listing], visitor: str) -> dict[str, str]:
    """The level that the visitor is evenly matched with in each game, by name, where these games tell it."""
    results: dict[str, list[tuple[str, float]]] = {}
    for one in sorted(listings, key=lambda one: one.row.changed_at):
        mine = [seat.player for seat in one.seats if seat.visitor == visitor]
        computers = {seat.computer for seat in one.seats if seat.player not in mine}
        if one.row.status == "over" and one.winners and len(mine) == len(computers) == 1 and not one.row.start:
            share = 1 / len(one.winners) if mine[0] in one.winners else 0.0
            results.setdefault(one.row.game, []).append((computers.pop(), share))
    levels = {game: evenly_matched(found) for game, found in results.items()}
    return {game: level for game, level in levels.items() if level is not None}


def _people(entry: catalog.Entry) -> str:
    """How many play, in words, and when the game was published."""
    low, high = num_players(entry)
    if high == 1:
        many = _("for one, or a race")
    elif low == high:
        many = _("%(high)s players") % {"high": high}
    else:
        many = _("%(low)s to %(high)s players") % {"low": low, "high": high}
    return f"{many} · {entry.year}"


def num_players(entry: catalog.Entry) -> tuple[int, int]:
    """How many play the game, at least and at most; where the number varies, the contract has it named `players`."""
    for parameter in entry.rules.PARAMETERS:
        if isinstance(parameter, Parameter) and parameter.name == "players":
            return parameter.low, parameter.high
    number = Game(entry, read_parameters(entry.rules.PARAMETERS, {})).num_players
    return number, number


def _urgent(listings: Sequence[Listing], visitor: str) -> list[Listing]:
    """One's own turns first, then what is going on, then what is over."""

    def order(one: Listing) -> int:
        return 0 if _is_turn(one, visitor) else 2 if one.row.status in PAST else 1

    return sorted(listings, key=order)


def _rows(listings: Sequence[Listing], visitor: str, offered: Container[str | None] = ()) -> list[Row]:
    """The games as rows of a list, without those of others whose rules aren't installed here.

    `offered` are the rematches that wait for the visitor.
    """
    readable = {one.row.game: catalog.find(one.row.game) for one in listings}
    return [
        _row(one, visitor, entry, one.row.rematch in offered)
        for one in listings
        if (entry := readable[one.row.game]) or _sits(one, visitor)
    ]


def _row(listing: Listing, visitor: str, entry: catalog.Entry | None, has_offer: bool) -> Row:
    row = listing.row
    is_turn = _is_turn(listing, visitor)
    can_sit = not _sits(listing, visitor) and any(seat.is_free and seat.is_open for seat in listing.seats)
    if row.status in PAST:
        status = _("archived") if row.status == ARCHIVED else _ended(listing, visitor)
        action = _("Go to the rematch") if has_offer else ""
    elif row.status == "waiting":
        status, action = _("waiting"), _("Sit down") if can_sit else ""
    else:
        status = _("your turn") if is_turn else _("playing")
        action = _("Play on") if is_turn else "" if _sits(listing, visitor) else _("Watch")
    if entry is None:
        status, action, is_turn = _("can't be shown"), "", False
    # A race shows only the ranking of the others: their boards would give moves away.
    rivals = row.race if row.race is not None and not _sits(listing, visitor) else None
    return Row(
        id=row.id,
        href=race_page(rivals) if rivals else f"/play/{row.id}",
        title=row.game if entry is None else entry.short_title,
        parameters="" if entry is None else words.parameters_words(row),
        people=_who_plays(listing, visitor),
        clock="" if row.clock == "none" else words.clock_words(row.clock, row.clock_seconds, row.clock_increment),
        status="" if can_sit else status,
        is_mine=is_turn,
        action=action,
        can_be_put_away=_can_be_put_away(listing, visitor),
    )


def _ended(listing: Listing, visitor: str) -> str:
    """How a game ended for the visitor, in a word or two; only that it is over where that isn't known."""
    mine = {seat.player for seat in listing.seats if seat.visitor == visitor}
    if not listing.winners or not mine or len(mine) == len(listing.seats):
        return _("over")
    if not mine.intersection(listing.winners):
        return _("lost")
    return _("won") if mine.issuperset(listing.winners) else _("shared win")


def _who_plays(listing: Listing, visitor: str) -> str:
    """Who plays, seat by seat; where the visitor has all of several seats, how many."""
    if len(listing.seats) > 1 and all(seat.visitor == visitor for seat in listing.seats):
        return _("%(count)s players on one screen") % {"count": len(listing.seats)}
    return " – ".join(_seat_name(seat, visitor) for seat in listing.seats)


def _seat_name(seat: SeatRow, visitor: str) -> str:
    if seat.computer:
        return words.computer_name(seat.computer)
    if seat.visitor == visitor:
        return _("you")
    if seat.name:
        return f"\u2068{seat.name}\u2069"  # apart, so that one that is written from right to left changes no order
    return _("a free seat") if seat.is_free else _("player %(player)s") % {"player": seat.player}


def _sits(listing: Listing, visitor: str) -> bool:
    return any(seat.visitor == visitor for seat in listing.seats)


def _can_be_put_away(listing: Listing, visitor: str) -> bool:
    is_playable = catalog.find(listing.row.game) is not None
    is_past = listing.row.status in PAST or not is_playable
    return _sits(listing, visitor) and (is_past or _is_alone(listing, visitor))


def _is_alone(listing: Listing, visitor: str) -> bool:
    """Whether nobody else waits for the visitor's moves, and no clock runs."""
    return listing.row.clock == "none" and all(seat.computer or seat.visitor == visitor for seat in listing.seats)


def _is_turn(listing: Listing, visitor: str) -> bool:
    mover = listing.row.mover
    return mover is not None and listing.seats[mover - 1].visitor == visitor
