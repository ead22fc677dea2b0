"""Judges what was played on paper: the grid or the moves as text, scored item by item."""

from dataclasses import dataclass
from functools import lru_cache

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool

from ... import catalog
from ...core.errors import BadPaper, BadParameter
from ...core.messages import say
from ...study.paper import Judged, judge_paper
from ..errors import status_of
from ..forms import form_of
from ..i18n import said, said_scene
from ..pages import About, about, page_text, wants_json
from ..site import have_done
from ..steps import marked_board, scored
from .rules import samples

LONGEST = 40_000  # characters of a paper

router = APIRouter()


@dataclass(frozen=True)
class Example:
    """What the form shows at first."""

    paper: str
    given: dict[str, str]  # what the paper doesn't show


@router.get("/paper/{game}")
async def paper(request: Request, game: str) -> Response:
    """The page with an example filled in."""
    entry = catalog.get(game)
    example = await run_in_threadpool(example_of, game)
    return HTMLResponse(_page(about(request), entry, example.paper, example.given))


@router.post("/paper/{game}")
async def judge(request: Request, game: str) -> Response:
    """The page with the judgement of a paper."""
    entry = catalog.get(game)
    form = await form_of(request, costs="costly")
    given = {
        parameter.name: form[parameter.name].strip()
        for parameter in entry.rules.PARAMETERS
        if form.get(parameter.name, "").strip()
    }
    text = form.get("paper", "")
    try:
        if len(text) > LONGEST:
            raise BadPaper(say("A paper has at most {longest} characters here.", longest=LONGEST))
        page = await have_done(request, judged_page, about(request), game, text, given)
    except (BadPaper, BadParameter) as error:
        if wants_json(request):
            raise
        status = status_of(error)
        page = _page(about(request, status), entry, text, given, error=said(error))
        return HTMLResponse(page, status)
    return HTMLResponse(page)


def judged_page(request: About, id: str, text: str, given: dict[str, str]) -> str:
    """The page with the judgement of a paper. Raises BadPaper and BadParameter."""
    entry = catalog.get(id)
    return _page(request, entry, text, given, judged=judge_paper(entry, text, given, files=False))


def _page(
    request: About,
    entry: catalog.Entry,
    paper: str,
    given: dict[str, str],
    *,
    judged: Judged | None = None,
    error: str = "",
) -> str:
    items = scored(judged.items) if judged else {}
    scene = judged.scene if judged else None
    return page_text(
        request,
        "paper.html",
        entry=entry,
        paper=paper,
        given=given,
        error=error,
        judged=judged,
        items=items,
        board=marked_board(scene, items) if scene else None,
        notes=said_scene(scene).notes if scene else (),
    )


@lru_cache(maxsize=64)
def example_of(id: str) -> Example:
    """A paper of the game that can be judged, and the parameters which it doesn't show. Raises UnknownGame."""
    known = samples(id)
    if not known:
        return Example("", {})
    facts = catalog.get(id).facts
    sample = facts["samples"][0] if facts.get("samples") else facts["example"]
    told = dict(sample["parameters"])
    for name in list(told):
        others = {other: value for other, value in told.items() if other != name}
        try:
            judged = judge_paper(catalog.get(id), sample["paper"], others, files=False)
        except (BadPaper, BadParameter):
            continue
        if str(judged.game.parameters[name]) == str(told[name]):
            told = others  # the paper shows it, or it is the default
    return Example(sample["paper"].strip().replace(" / ", "\n"), {name: str(value) for name, value in told.items()})
