"""The study of a game: its positions step by step, the values of its moves once it is over, and its files."""

from dataclasses import dataclass
from itertools import groupby

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from ...draw.scene import signed
from ...knowledge.worth import Value, in_words, is_cut, line_text, told
from ...records.record_json import write_all
from ...study.assessments import Assessment
from ...study.plot import plot, points
from ...study.proportion import in_proportion
from ..analyst import LONGEST, analyst_of
from ..analyst import key_of as analysed_key
from ..i18n import said, said_scene
from ..match import SiteMatch
from ..pages import download, render
from ..pictures import KINDS, card, key_of, plot_html, svg_response
from ..site import asker_of, count, site_of, visitor_of
from ..steps import Step, read_ply
from ..study_text import Study
from . import words
from .sharing import drawn
from .study_acts import LONGEST as LONGEST_STUDIED

router = APIRouter()


@dataclass(frozen=True)
class Judgement:
    """A move of the game and its judgement, in words."""

    ply: int
    move: str
    name: str  # of the player who moved
    worth: str
    how: str  # how the worth is known
    best: str  # another move that was better, if there is one
    best_worth: str
    line: str  # the best continuation: from the better move on, if there is one, or else after the move played
    turning_point: str
    gave_away: str

    @classmethod
    def of(cls, one: Assessment, match: SiteMatch) -> "Judgement":
        """The judgement in an analysis."""
        before = match.game.at(one.ply - 1)
        worth, best = (said(in_words(value, match.game)) for value in (one.value, one.best))
        is_best = one.best_move == one.move or worth == best
        line = one.line if not is_best else one.line[1:] if one.best_move == one.move else ()
        return cls(
            ply=one.ply,
            move=signed(one.move),
            name=words.full_name(match, one.mover),
            worth=worth,
            how=said(one.value.how),
            best="" if is_best else signed(one.best_move),
            best_worth=best,
            line=said(line_text([signed(move) for move in line], is_cut=bool(line) and is_cut(before, one.line))),
            turning_point=said(one.turning_point),
            gave_away=said(one.gave_away),
        )


@router.get("/study/{id}")
async def study(request: Request, id: str, ply: str | None = None, item: str = "") -> Response:
    """The page that shows a game step by step and, once it is over, its analysis."""
    match = await _match(request, id)
    step = Step(match.game, read_ply(ply, match.game), item)
    state, found = await _analysis(request, match)
    return await run_in_threadpool(_page, request, match, step, state, found)


async def _analysis(request: Request, match: SiteMatch) -> tuple[str, Study | None]:
    """How the analysis stands: `playing`, `empty`, `long`, `waiting`, `busy`, `failed` or `found`; and the study.

    Nobody gets an analysis of a game that still goes on.
    """
    if not match.is_over:
        return "playing", None
    if match.game.ply == 0:
        return "empty", None
    if match.game.ply > LONGEST:
        return "long", None
    analyst, key = analyst_of(request), analysed_key(match.game)
    found = await run_in_threadpool(analyst.recall, key, match.game)
    if not analyst.has(key):
        if analyst.is_asked(key):
            return "waiting", None
        count(request, "costly")
        record = await run_in_threadpool(_text, match)
        return ("waiting" if analyst.ask(asker_of(request), key, record) else "busy"), None
    return ("found" if found else "failed"), found


def _page(request: Request, match: SiteMatch, step: Step, state: str, found: Study | None) -> Response:
    context: dict[str, object] = {
        "plot": None,
        "judgements": [],
        "here": None,
        "values": [],
        "turning_points": [],
        "gave_away": [],
        "supposed": "",
        "kept": [],
    }
    if found is not None:
        judgements = [Judgement.of(one, match) for one in found.analysis.assessments]
        analysis = found.analysis
        context["kept"] = [said(analysis.kept_words(one, words.full_name(match, one))) for one in analysis.kept]
        context["plot"] = plot_html(
            said_scene(plot(found.analysis)), points(found.analysis), base=f"/study/{match.id}?ply="
        )
        context["judgements"] = judgements
        context["turning_points"] = [one for one in judgements if one.turning_point]
        context["gave_away"] = [one for one in judgements if one.gave_away]
        context["supposed"] = said(found.analysis.supposed)
        context["here"] = judgements[step.ply - 1] if step.ply else None
        context["values"] = _values(found, step.ply, match)
    return render(
        request,
        "study.html",
        status=200,
        match=match,
        card=card(match),
        entry=match.game.entry,
        step=step,
        base=f"/study/{match.id}?",
        names=[words.full_name(match, player) for player in match.game.players],
        parameters=words.parameters_words(match.row),
        result=words.turn(match, visitor_of(request).id if match.is_over else ""),
        proportion=said(in_proportion(match.game) or ""),
        state=state,
        progress=analyst_of(request).progress(analysed_key(match.game)),
        record=_for_board(match),
        **context,
    )


def _for_board(match: SiteMatch) -> str:
    """The record with which the study board begins; empty while the game goes on, and where it is too long."""
    text = _text(match) if match.is_over else ""
    return text if len(text) <= LONGEST_STUDIED else ""


def _values(found: Study, ply: int, match: SiteMatch) -> list[tuple[str, list[str]]]:
    """The moves of a solved position by their exact values, the best ones first; empty if it isn't solved."""
    values = found.exact.get(ply, {})

    def amount(move: str) -> tuple[float, float]:
        value: Value = values[move]
        return value.amount, value.margin or 0

    grouped = groupby(sorted(values, key=amount, reverse=True), key=lambda move: values[move])
    return [(said(told(value, match.game)), [signed(move) for move in moves]) for value, moves in grouped]


@router.get("/play/{id}/record.quet")
async def record(request: Request, id: str) -> Response:
    """The record of the game as text."""
    match = await _match(request, id)
    text = await run_in_threadpool(_text, match)
    return download(text, "text/plain; charset=utf-8", f"{match.game.id}-{id[:6]}.quet")


@router.get("/play/{id}/record.json")
async def record_json(request: Request, id: str) -> Response:
    """The record of the game as JSON."""
    match = await _match(request, id)
    text = await run_in_threadpool(_json, match)
    return download(text, "application/json", f"{match.game.id}-{id[:6]}.json")


@router.get("/play/{id}/picture.svg")
async def picture_svg(request: Request, id: str, ply: str | None = None) -> Response:
    """The position after so many moves as SVG."""
    return svg_response(await _picture(request, id, ply, "svg"))


@router.get("/play/{id}/picture.png")
async def picture_png(request: Request, id: str, ply: str | None = None) -> Response:
    """The position after so many moves as PNG."""
    return await _pixels(request, id, ply, "png")


@router.get("/play/{id}/picture.gif")
async def picture_gif(request: Request, id: str, ply: str | None = None) -> Response:
    """The game until so many moves as an animated GIF."""
    return await _pixels(request, id, ply, "gif")


async def _pixels(request: Request, id: str, ply: str | None, kind: str) -> Response:
    return Response(await _picture(request, id, ply, kind), media_type=KINDS[kind])


async def _picture(request: Request, id: str, ply: str | None, kind: str) -> bytes:
    match = await _match(request, id)
    number = read_ply(ply, match.game)
    if kind != "svg":
        count(request, "costly")
    key = await run_in_threadpool(key_of, match.game, number, kind)
    return await drawn(request, key, is_slow=kind == "gif")


async def _match(request: Request, id: str) -> SiteMatch:
    """The game of this link; raises NoSuchGame."""
    return await run_in_threadpool(site_of(request).store.load, id)


def _text(match: SiteMatch) -> str:
    return match.record().text()


def _json(match: SiteMatch) -> str:
    return write_all([match.record()])
