"""Enters a game that equals or beats the table of best results, once its player asks for it."""

from collections.abc import Sequence

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from ...core.errors import one_line
from ...core.messages import say
from ...core.parameters import written
from ...game import new
from ...results.claim import Claim, Refused, of_game
from ...study.proportion import proportion
from ..errors import BadForm
from ..forms import form_of
from ..pages import done
from ..site import have_done, now_of, site_of, visitor_of
from ..storage.entries import Entry, NotEntered
from ..visitors import clean_name

router = APIRouter()


@router.post("/play/{id}/enter")
async def enter(request: Request, id: str) -> Response:
    """Enter a solitaire that is over, under the name in the form. Raises NotYourSeat, BadForm and NotEntered."""
    fields = await form_of(request, costs="costly")
    site, visitor = site_of(request), visitor_of(request)
    match = await run_in_threadpool(site.store.load, id)
    match.held_by(visitor.id)
    if match.row.start:
        raise NotEntered(say("Only a game that was played here from its beginning can be entered."))
    finder = clean_name(fields.get("name", ""))
    if not finder:
        raise BadForm(say("A finder needs a name."))
    given = tuple((name, str(value)) for name, value in match.row.parameters.items())
    value, parameters = await have_done(request, verified, match.game.id, given, tuple(match.game.moves))
    moves = " ".join(match.game.moves)
    entry = Entry(id, match.game.id, parameters, value, finder, now_of(request), moves)
    await run_in_threadpool(site.store.entries.enter, entry)
    site.visitors.rename(request, finder)
    return done(request, f"/play/{id}")


def verified(id: str, parameters: Sequence[tuple[str, str]], moves: Sequence[str]) -> tuple[int, dict[str, int | str]]:
    """The score of a game and its parameters as the table has them, checked as what `quet results submit` takes is.

    Raises NotEntered unless the score is as good as the table's and the table has room for its moves, and
    BadCertificate if the checker finds another score.
    """
    game = new(id, **dict(parameters))
    for move in moves:
        game.play(move)
    found = proportion(game)
    if found is None or not found.is_best:
        raise NotEntered(say("Only a game that equals or beats the table of best results can be entered."))
    if found.is_known:
        raise NotEntered(say("This very game is in the table already."))
    try:
        claim = Claim.of(of_game(game, is_lowest=found.row.is_lowest))
        claim.file()  # which the table must have room for
    except Refused as error:
        raise NotEntered(one_line(error)) from None
    assert claim.value == found.score
    return found.score, written(game.parameters)
