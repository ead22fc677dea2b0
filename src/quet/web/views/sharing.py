"""What links to the site are shown with, and what search engines are told."""

from xml.sax.saxutils import escape

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from ... import catalog
from ...game import Game
from ...study.daily import DAY, FIRST
from .. import table_of_results
from ..i18n import language
from ..little_boards import card
from ..pages import address, kept_for_all
from ..pictures import KINDS, Key, draw, key_of
from ..site import count, have_done, site_of, today_of
from .puzzles import found_puzzle

router = APIRouter()

DAYS_LISTED = 30  # of games of a day
CARD = {"Cache-Control": "public, max-age=86400", "Vary": "Accept-Language, Cookie"}  # it has words
ROBOTS = """\
User-agent: *
Disallow: /mine
Disallow: /play/*/picture.gif
Disallow: /ready
Disallow: /metrics
Sitemap: {address}/sitemap.xml
"""


@router.get("/card/{game}.png")
async def picture(request: Request, game: str) -> Response:
    """The end of a short game, as the picture of links to pages about the game. Raises UnknownGame."""
    catalog.get(game)
    key = game, (), ("card",), "", "png", language()
    pictures = site_of(request).pictures
    found = pictures.get(key)
    if found is None:
        found = await have_done(request, card, game, language())
        pictures.keep(key, found)
    return kept_for_all(request, found, KINDS["png"], CARD)


@router.get("/puzzles/{game}/{id}/picture.png")
async def puzzle_picture(request: Request, game: str, id: str) -> Response:
    """The position of a puzzle, as the picture of links to it. Raises UnknownGame and NoPuzzle."""
    puzzle = await run_in_threadpool(found_puzzle, game, id)
    return await position_picture(request, await run_in_threadpool(puzzle.position))


@router.get("/results/{game}/{name}/board.png")
async def result_picture(request: Request, game: str, name: str) -> Response:
    """The end of the game that reaches a best result, as the picture of links to its page.

    Raises UnknownGame and NoSuchResult.
    """
    known = table_of_results.known(game)
    return await position_picture(request, await run_in_threadpool(table_of_results.witness, known.row(name)))


async def position_picture(request: Request, game: Game) -> Response:
    """The board of a game as PNG; as `picture_of`."""
    return await picture_of(request, key_of(game, game.ply, "png"))


async def picture_of(request: Request, key: Key) -> Response:
    """The picture of this key, to be shown with links. It counts as costly unless it is kept; raises TooMany."""
    if site_of(request).pictures.get(key) is None:
        count(request, "costly")
    return kept_for_all(request, await drawn(request, key), KINDS["png"], CARD)


async def drawn(request: Request, key: Key, *, is_slow: bool = False) -> bytes:
    """The picture that this key of `key_of` tells apart, which the workshop draws unless it is kept.

    `is_slow` as in `have_done`.
    """
    pictures = site_of(request).pictures
    found = pictures.get(key)
    if found is None:
        found = await have_done(request, draw, *key[:5], is_slow=is_slow)
        pictures.keep(key, found)
    return found


@router.get("/robots.txt")
async def robots(request: Request) -> Response:
    """What search engines may look at; pages of games say themselves that they aren't to be listed."""
    return kept_for_all(request, ROBOTS.format(address=address(request)), "text/plain; charset=utf-8")


@router.get("/sitemap.xml")
async def sitemap(request: Request) -> Response:
    """The pages that search engines may list: those of the site, of each game, and of the last days."""
    pages = await run_in_threadpool(_listed, request)
    begin = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
    lines = [f"<url><loc>{escape(address(request) + page)}</loc></url>\n" for page in pages]
    return kept_for_all(request, f"{begin}{''.join(lines)}</urlset>\n", "application/xml")


def _listed(request: Request) -> list[str]:
    today = today_of(request)
    pages = ["/", "/daily", "/learn", "/results", "/answers", "/proofs", "/lobby"]
    for entry in catalog.playable():
        pages += [f"/rules/{entry.id}", f"/new/{entry.id}", f"/results/{entry.id}", f"/sheets/{entry.id}"]
        pages += [f"/learn/{entry.id}"] if entry.lesson else []
    number = min(DAYS_LISTED, (today - FIRST).days + 1)
    return pages + [f"/daily/{today - k * DAY}" for k in range(number)]
