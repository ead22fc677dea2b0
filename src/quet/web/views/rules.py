"""The rules and rulings of a game, and a sample. One can step through a sample that has its moves in order."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NotRequired, TypedDict

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from ... import catalog
from ...core.messages import say
from ...core.numbers import read_integer
from ...core.parameters import Parameter
from ...game import Game
from ...study.paper import Judged, judge_paper
from ..errors import BadForm
from ..pages import render
from ..steps import Step, marked_board, played, read_ply, scored

router = APIRouter()


class Paper(TypedDict):
    """A game on paper, in a game's facts."""

    paper: str
    parameters: dict[str, object]
    source: NotRequired[str]


@dataclass(frozen=True)
class Sample:
    """A sample of the facts, judged."""

    judged: Judged
    game: Game | None  # with its moves, if the sample has them
    source: str  # empty for an example of ours


@router.get("/rules/{game}")
async def rules(request: Request, game: str, ply: str | None = None, sample: str = "1", item: str = "") -> Response:
    """The page of a game's rules."""
    return await run_in_threadpool(_page, request, game, ply, sample, item)


def _page(request: Request, id: str, ply: str | None, number: str, item: str) -> Response:
    entry = catalog.get(id)
    count = len(_papers(entry))
    chosen = read_integer(number) if len(number) < 10 else None
    if count and (chosen is None or not 1 <= chosen <= count):
        raise BadForm(say("There is no sample with that number."))
    context: dict[str, object] = {"sample": None, "step": None, "items": {}}
    if count and chosen:
        found = samples(id)[chosen - 1]
        items = scored(found.judged.items, item)
        context |= {"sample": found, "items": items, "board": marked_board(found.judged.scene, items)}
        if found.game is not None:
            step = Step(found.game, read_ply(ply, found.game), item)
            context |= {"step": step, "items": step.items, "board": step.board}
    base = f"/rules/{id}?" + (f"sample={chosen}&" if count > 1 else "")
    return render(
        request,
        "rules.html",
        status=200,
        entry=entry,
        parameters=[(one, isinstance(one, Parameter)) for one in entry.rules.PARAMETERS],
        base=base,
        chosen=chosen,
        count=count,
        **context,
    )


@lru_cache(maxsize=64)
def samples(id: str) -> list[Sample]:
    """The samples of a game, the author's, or our own if there is none. Raises UnknownGame."""
    entry = catalog.get(id)
    found = []
    for facts in _papers(entry):
        judged = judge_paper(entry, facts["paper"], facts["parameters"], files=False)
        found.append(Sample(judged, played(judged.position, judged.game), facts.get("source", "")))
    return found


def _papers(entry: catalog.Entry) -> list[Paper]:
    facts = entry.facts
    return list(facts.get("samples", ())) or [facts["example"] for _ in "1" if "example" in facts]
