"""The page on which a game is set up: its parameters, who plays, the clock, and who may watch."""

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ... import catalog
from ...core.errors import BadParameter
from ...core.messages import say
from ...core.numbers import read_integer
from ...core.parameters import read_parameters
from ...game import Game
from ...players.levels import LEVELS
from ...solving.choose import can_be_solved
from ..errors import BadForm, status_of
from ..forms import form_of
from ..i18n import gettext as _
from ..i18n import said
from ..match import FIRST_MOVE_SECONDS, SiteMatch
from ..new_games import SeatPlan, SetUp, new_id
from ..pages import done, render, wants_json
from ..preferences import PreferencesCookie
from ..site import now_of, site_of, visitor_of
from ..visitors import clean_name
from .home import even_levels, num_players
from .parameter_fields import field, shown, typed
from .words import DAY, computer_name

router = APIRouter()

OPPONENT = "level:3"  # the default
DEFAULTS = {"clock": "none", "minutes": "10", "increment": "5", "days": "3", "race": "", "public": ""}


@dataclass(frozen=True)
class Place:
    """A seat as the form asks for it."""

    player: int
    who: str


@router.get("/new/{game}")
async def form(request: Request, game: str) -> Response:
    """The form as the visitor sent it last; at first it describes a game against the computer. Raises UnknownGame."""
    entry = catalog.get(game)
    known = _preferences(request).read(request, entry.id)
    fields = {**DEFAULTS, "name": visitor_of(request).name, **known} if known else {}
    return await run_in_threadpool(_form, request, entry, fields)


@router.post("/new/{game}")
async def create(request: Request, game: str) -> Response:
    """Make a new game as set up, or with `quick` one as the visitor set it up last, against an even opponent.

    Where `quick` comes with parameters or seats, as after a lesson, the game has these, and for the rest what is usual
    for everybody. If a field is wrong, the form says so.
    """
    entry = catalog.get(game)
    fields = await form_of(request, costs="games")
    visitor = visitor_of(request)
    try:
        if fields.get("quick"):
            if not any(name.startswith(("parameter-", "own-", "seat-")) for name in fields):
                fields = await run_in_threadpool(_usual, request, entry)
        else:
            visitor = site_of(request).visitors.rename(request, clean_name(fields.get("name", "")))
        made = await run_in_threadpool(_create, request, entry, fields, visitor.id, visitor.name)
    except (BadParameter, BadForm) as error:
        if wants_json(request):
            raise
        return _form(request, entry, fields, said(error), status_of(error))
    answer = done(request, f"/race/{made.row.race}" if made.row.race else f"/play/{made.id}", id=made.id)
    if not fields.get("quick"):
        _preferences(request).write(request, answer, entry.id, fields)
    return answer


def _usual(request: Request, entry: catalog.Entry) -> dict[str, str]:
    """The fields of a game as the visitor set it up last, or as usual, which nobody has to be waited for.

    Its computer players are of the level that suits the visitor, where that is known.
    """
    known = _preferences(request).read(request, entry.id)
    visitor = visitor_of(request)
    even = even_levels(site_of(request).store.games_of(visitor.id), visitor.id).get(entry.id)
    fields = {name: value for name, value in known.items() if name.startswith(("parameter-", "own-"))} | {"quick": "1"}
    try:
        plan = _set_up(entry, fields, visitor.name)
    except (BadParameter, BadForm):  # of an earlier version of the game
        fields = {"quick": "1"}
        plan = _set_up(entry, fields, visitor.name)
    who = [known.get(f"seat-{player}") or plan.who for player, plan in enumerate(plan.seats, 1)]
    if "me" not in who or not set(who) <= {"me", *LEVELS, "level:perfect"}:
        who = [plan.who for plan in plan.seats]
    return fields | {f"seat-{player}": even or one if one in LEVELS else one for player, one in enumerate(who, 1)}


def _preferences(request: Request) -> PreferencesCookie:
    found = request.app.state.preferences
    assert isinstance(found, PreferencesCookie)
    return found


def _create(request: Request, entry: catalog.Entry, fields: Mapping[str, str], visitor: str, name: str) -> SiteMatch:
    race = new_id() if fields.get("race") else None
    return site_of(request).store.create(_set_up(entry, fields, name), visitor, now_of(request), race=race)


def _set_up(entry: catalog.Entry, fields: Mapping[str, str], name: str) -> SetUp:
    """The game that the form describes, with defaults for missing fields. Raises BadParameter and BadForm."""
    known = {p.name: typed(fields, p.name) for p in entry.rules.PARAMETERS}
    parameters = {name: value for name, value in known.items() if value is not None}
    count = Game(entry, read_parameters(entry.rules.PARAMETERS, parameters, files=False)).num_players
    who = [fields.get(f"seat-{player}") or ("me" if player == 1 else OPPONENT) for player in range(1, count + 1)]
    clock = fields.get("clock", "none")
    seconds, increment = 0.0, 0.0
    if clock == "live":
        seconds = 60.0 * _number(fields, "minutes", _("Minutes each"), 1, 1440)
        increment = float(_number(fields, "increment", _("Seconds for each move"), 0, 600))
    elif clock == "days":
        seconds = float(DAY * _number(fields, "days", _("Days for each move"), 1, 60))
    return SetUp(
        game=entry.id,
        parameters=parameters,
        seats=tuple(SeatPlan(each, name if each == "me" else "") for each in who),
        clock=clock,
        clock_seconds=seconds,
        clock_increment=increment,
        is_public=bool(fields.get("public")),
    )


def _number(fields: Mapping[str, str], name: str, called: str, low: int, high: int) -> int:
    """The number in a field, which the page calls so; an empty one has its default. Raises BadForm."""
    number = read_integer(fields.get(name, "").strip() or DEFAULTS[name])
    if number is None or not low <= number <= high:
        raise BadForm(say("{name}: a number from {low} to {high}.", name=called, low=low, high=high))
    return number


def _form(
    request: Request, entry: catalog.Entry, fields: Mapping[str, str], error: str = "", status: int = 200
) -> Response:
    """The form, with the values filled in before and with what is wrong."""
    most = num_players(entry)[1]
    values = DEFAULTS | {"name": visitor_of(request).name}
    if fields:
        values |= {name: fields.get(name, "") for name in values}
    return render(
        request,
        "set_up.html",
        status=status,
        entry=entry,
        error=error,
        fields=[field(entry, p, shown(fields, p)) for p in entry.rules.PARAMETERS],
        seats=[Place(p, fields.get(f"seat-{p}") or ("me" if p == 1 else OPPONENT)) for p in range(1, most + 1)],
        most_players=most,
        who=who_may_sit(entry, most),
        values=values,
        first_move_minutes=round(FIRST_MOVE_SECONDS / 60),
    )


def who_may_sit(entry: catalog.Entry, most: int) -> list[tuple[str, list[tuple[str, str]]]]:
    """Who may sit in a seat, in groups: the value of the form and what is shown."""
    strength = {"level:1": _("a beginner"), "level:7": _("the strongest, up to ten seconds a move")}
    computers = []
    for name in LEVELS:
        level = computer_name(name)
        computers.append((name, f"{level} – {strength[name]}" if name in strength else level))
    if can_be_solved(entry, most):
        computers.append(("level:perfect", _("perfect once it can be solved, level 6 until then")))
    return [
        (_("Here"), [("me", _("me, or somebody beside me"))]),
        (_("The computer"), computers),
        (_("Elsewhere"), [("link", _("a friend, by a link")), ("open", _("whoever comes, from the lobby"))]),
    ]
