"""The study board: any game or position, move by move, with variations, values and comments.

The site keeps nothing of it. The page carries the whole tree of moves in its form, and in its address where that isn't
too long: so every position has a permanent link.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar, TypeVarTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool

from ... import catalog
from ...core.errors import QuetError
from ...core.parameters import written
from ...draw.scene import signed
from ...records.record import may_have_position, read
from ...study.assessments import Analysis
from ...study.look import Look
from ...study.plot import plot, points
from ...study.tree import Place, Tree
from ..analyst import LONGEST as LONGEST_ANALYSED
from ..analyst import analyst_of
from ..board import are_folded, board_html
from ..errors import Later, TooMany, status_of
from ..forms import LARGEST_STUDY, form_of, query_of
from ..i18n import COOKIE, said, said_scene, speaking
from ..i18n import gettext as _
from ..pages import About, about, done, download, keep, page_text
from ..pictures import plot_html
from ..site import asker_of, count, have_done, now_of, site_of, visitor_of
from ..study_text import Study
from .language import checked
from .paper import example_of
from .set_up import OPPONENT, who_may_sit
from .sharing import picture_of
from .study_acts import Acted, acted_on, comment_at, is_hidden, json_of, pictured, played_on, wholly_acted_on
from .study_position import link_to_change
from .study_shown import line_of, tokens, values_of, worths_of
from .table import question as question_of
from .words import task

SHORT = 2_000  # characters of a study that the server reads and draws itself, as it does the tables
FORM = "study-form"

router = APIRouter()

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@dataclass(frozen=True)
class Found:
    """What is known by now: of the position, and of the main line."""

    look: Look | None = None
    look_state: str = "none"  # `none`, `waiting`, `busy`, `failed` or `found`
    study: Study | None = None
    study_state: str = "none"  # also `long` and `empty`
    done: int = 0  # moves judged so far
    total: int = 0


@router.get("/study")
async def show(request: Request) -> Response:
    """The board as the address says, or without any the ways to begin."""
    return await _answer(request, query_of(request))


@router.get("/picture.png")
async def picture(request: Request) -> Response:
    """The board of the study with the same query, as the picture of links to it. Raises as `acted_on`, and TooMany."""
    fields = query_of(request)
    key = await _carried_out(request, fields, pictured, fields)
    return await picture_of(request, key)


@router.post("/study")
async def act(request: Request) -> Response:
    """The board after what was done on it, in the `language` of the query if one was chosen, which is kept.

    So a choice of language takes the whole study along, which may be too long for the address of a page to go back to.
    """
    fields = await form_of(request, costs="pages", largest=LARGEST_STUDY)
    chosen = request.query_params.get("language")
    if chosen is None:
        return await _answer(request, fields)
    with speaking(checked(chosen)):
        answer = await _answer(request, fields)
    answer.headers["Content-Language"] = chosen
    keep(request, answer, COOKIE, chosen)
    return answer


@router.post("/study/record.quet")
async def record_text(request: Request) -> Response:
    """The study as a record in text."""
    fields = await form_of(request, costs="pages", largest=LARGEST_STUDY)
    acted = await _carried_out(request, fields, wholly_acted_on, fields)
    return download(acted.record, "text/plain; charset=utf-8", "study.quet")


@router.post("/study/record.json")
async def record_json(request: Request) -> Response:
    """The study as a record in JSON."""
    fields = await form_of(request, costs="pages", largest=LARGEST_STUDY)
    text = await _carried_out(request, fields, json_of, fields)
    return download(text, "application/json", "study.json")


@router.post("/study/play")
async def play_on(request: Request) -> Response:
    """A table where the chosen position is played on: `opponent` sits in all seats but that of player `side`.

    An opponent is a level, or `me`. Raises as `acted_on`, BadForm for a seat that isn't there, and TooMany.
    """
    fields = await form_of(request, costs="games", largest=LARGEST_STUDY)
    visitor = visitor_of(request)
    set_up, game = await _carried_out(request, fields, played_on, fields, visitor.name)
    made = await run_in_threadpool(site_of(request).store.create, set_up, visitor.id, now_of(request), game=game)
    return done(request, f"/play/{made.id}", id=made.id)


async def _answer(request: Request, fields: Mapping[str, str]) -> Response:
    asked = {name: value for name, value in fields.items() if value or name in ("comment", "record")}
    if "record" not in asked and not any(asked.get(name) for name in ("game", "example")):
        return HTMLResponse(await run_in_threadpool(begin_page, about(request), {}, ""))
    try:
        if asked.get("example"):
            example = await run_in_threadpool(example_of, asked.get("game", ""))
            given = " ".join(f"{name}={value}" for name, value in example.given.items())
            filled = {"game": asked["game"], "position": example.paper, "parameters": given}
            return HTMLResponse(await run_in_threadpool(begin_page, about(request), filled, ""))
        acted = await _carried_out(request, asked, acted_on, asked)
    except Later:
        raise
    except QuetError as error:
        status = status_of(error)
        page = await run_in_threadpool(begin_page, about(request, status), asked, said(error))
        return HTMLResponse(page, status)
    found = _found(request, asked, acted)
    site = f"{request.url.scheme}://{request.url.netloc}"
    knows = about(request, acted.status)
    page = await _carried_out(request, asked, board_page, knows, asked, acted, found, site)
    return HTMLResponse(page, acted.status)


async def _carried_out(request: Request, fields: Mapping[str, str], function: Callable[[*Ts], T], *arguments: *Ts) -> T:
    """What a function returns. The workshop does it for long studies and for papers, which may take long to read.

    A record that begins with a position has a paper too. Whatever reads a study goes by here, so that the server reads
    no paper: it would hold the turn of all pages meanwhile.
    """
    record = fields.get("record", "")
    is_long = len(fields.get("moves", "")) + len(record) > SHORT
    if is_long or fields.get("position") or may_have_position(record):
        return await have_done(request, function, *arguments)
    return await run_in_threadpool(function, *arguments)


def _found(request: Request, asked: Mapping[str, str], acted: Acted) -> Found:
    """What the analyst knows; it is asked where something is wanted that it doesn't know."""
    analyst, asker = analyst_of(request), asker_of(request)
    look, look_state = None, "none"
    if not acted.is_over and not is_hidden(asked):
        look, look_state = analyst.look(acted.key), "found"
        if look is None and analyst.knows_look(acted.key):
            look_state = "failed"
        elif look is None:
            is_asked = analyst.is_looking(acted.key) or (
                _counts(request) and analyst.ask_look(asker, acted.key, acted.here)
            )
            look_state = "waiting" if is_asked else "busy"
    if not asked.get("judge"):
        return Found(look, look_state)
    if not acted.num_moves or acted.num_moves > LONGEST_ANALYSED:
        return Found(look, look_state, None, "long" if acted.num_moves else "empty")
    study, key = analyst.study(acted.main_key), acted.main_key
    if study is not None or analyst.has(key):
        return Found(look, look_state, study, "found" if study is not None else "failed")
    is_asked = analyst.is_asked(key) or (_counts(request) and analyst.ask(asker, key, acted.record))
    progress = analyst.progress(key)
    done = progress.done if progress else 0
    return Found(look, look_state, None, "waiting" if is_asked else "busy", done, acted.num_moves)


def _counts(request: Request) -> bool:
    """Count one costly request; whether it is within the limits."""
    try:
        count(request, "costly")
    except TooMany:
        return False
    return True


def begin_page(request: About, fields: Mapping[str, str], error: str) -> str:
    """The page with the ways to begin: a game, a record, a position."""
    known = catalog.get(fields["game"]) if fields.get("game") in catalog.ids() else None
    return page_text(
        request,
        "study_begin.html",
        games=[catalog.get(id) for id in catalog.ids()],
        by_hand=[entry for entry in map(catalog.get, catalog.ids()) if entry.by_hand],
        chosen=known.id if known else "",
        fields=fields,
        error=error,
    )


def board_page(request: About, fields: Mapping[str, str], acted: Acted, found: Found, site: str) -> str:
    """The page with the board."""
    record = read(acted.record)
    tree, place = Tree(record), Place.read(acted.at)
    game, line = tree.game(place), tree.line(place)
    scene = game.scene(legal=not game.is_over)
    worths = worths_of(found.look, game) if found.look else {}
    question = question_of(scene, acted.square) if acted.square else None
    earlier, later = tree.before(place), tree.after(place)
    shown = said_scene(scene)
    keeps_typed = acted.error or acted.at == fields.get("from")  # it can be mended, or wasn't tried yet
    moves = game.moves
    study = found.study
    analysis: Analysis | None = study.analysis if study else None
    return page_text(
        request,
        "study_board.html",
        entry=game.entry,
        acted=acted,
        found=found,
        game=game,
        method="get" if acted.has_all else "post",
        form=FORM,
        hide=is_hidden(fields),
        judge=bool(fields.get("judge")),
        parameters=said(game.entry.parameters_said(written(game.parameters))),
        board=board_html(
            scene,
            is_playable=not game.is_over,
            asked=acted.square if question else "",
            is_form=True,
            worths=worths,
        ),
        choices=[(choice, worths.get(choice.move)) for choice in shown.choices],
        question=question,
        notes=shown.notes,
        are_notes_folded=are_folded(shown.notes),
        steps=_steps(tree, place, earlier, later),
        where=(place.ply, line.last),
        last_move=signed(moves[-1]) if moves and place.ply else "",
        turn=task(game),
        tokens=list(tokens(tree.main, place, record.game.at(0))),
        comment=(acted.error and fields.get("comment")) or comment_at(tree, place),
        typed=fields.get("typed", "") if keeps_typed else "",
        values=values_of(found.look, game) if found.look else [],
        line=line_of(found.look, game) if found.look else "",
        plot=plot_html(said_scene(plot(analysis)), points(analysis), form=FORM) if analysis else None,
        turning_points=[(one.ply, said(one.turning_point)) for one in analysis.turning_points] if analysis else [],
        gave_away=[(one.ply, said(one.gave_away)) for one in analysis.gave_away] if analysis else [],
        supposed=said(analysis.supposed) if analysis else "",
        link=acted.link,
        change=link_to_change(game),
        card=f"/picture.png?{acted.link.partition('?')[2]}" if acted.link else "",
        site=site,
        opponents=who_may_sit(game.entry, game.num_players)[:2],  # nobody else would know the position
        opponent=OPPONENT,
    )


def _steps(tree: Tree, place: Place, earlier: Place | None, later: Place | None) -> list[tuple[str, str, str, str]]:
    """The buttons that step: where each leads (empty for nowhere), its words, its sign, and its key."""
    line = tree.line(place)
    end = Place(place.branches, line.last)
    return [
        ("0" if place.ply else "", _("To the start"), "⇤", "Home"),
        (str(earlier) if earlier else "", _("Previous move"), "←", "ArrowLeft"),
        (str(later) if later else "", _("Next move"), "→", "ArrowRight"),
        (str(end) if later else "", _("To the end"), "⇥", "End"),
    ]
