"""Printable sheets for play on paper, for any size and number of players."""

from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from ... import catalog
from ...core.errors import BadParameter
from ...core.messages import say
from ...core.parameters import read_parameters
from ...draw.svg import svg
from ...game import Game
from ...study.sheet import sheet
from ..errors import status_of
from ..i18n import said
from ..pages import render
from ..pictures import svg_response
from ..site import have_done

LONGEST = 4_000  # characters of an address's parameters

router = APIRouter()


@router.get("/sheets/{game}.svg")
async def picture(request: Request, game: str) -> Response:
    """The sheet as a picture that prints on A4 and on US letter."""
    entry = catalog.get(game)
    given = _given(request)
    _values(entry, given)  # what is invalid is refused here, without waiting
    return svg_response(await have_done(request, drawn, game, given))


def drawn(id: str, given: dict[str, str]) -> str:
    """The sheet of a game as SVG. Raises BadParameter."""
    entry = catalog.get(id)
    return svg(sheet(Game(entry, _values(entry, given)), said), theme="light")


@router.get("/sheets/{game}")
async def page(request: Request, game: str) -> Response:
    """The page that prints as the sheet, with a form for its size."""
    entry = catalog.get(game)
    given = _given(request)
    try:
        values = _values(entry, given)
    except BadParameter as error:
        return render(
            request,
            "sheet.html",
            status=status_of(error),
            entry=entry,
            given=given,
            picture="",
            error=said(error),
        )
    query = urlencode({name: given[name] for name in values if name in given})
    picture = f"/sheets/{game}.svg" + (f"?{query}" if query else "")
    return render(request, "sheet.html", entry=entry, given=given, picture=picture, error="")


def _given(request: Request) -> dict[str, str]:
    """The parameters in the address; an empty one has its default."""
    if len(request.url.query) > LONGEST:
        raise BadParameter(say("The parameters have at most {longest} characters here.", longest=LONGEST))
    return {name: value.strip() for name, value in request.query_params.items() if value.strip()}


def _values(entry: catalog.Entry, given: dict[str, str]) -> dict[str, object]:
    return read_parameters(entry.rules.PARAMETERS, given, files=False)
