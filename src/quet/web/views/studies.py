"""The study board: any game or position, move by move, with variations, values and comments.

The site keeps nothing of it. The page carries the whole tree of moves in its form, and in its address where that isn't
too long: so every position has a permanent link.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar, TypeVarTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool

from ... import catalog
from ...core.errors import BadPaper, BadParameter, BadRecord, MoveError, QuetError
from ...core.messages import say
from ...core.numbers import read_integer
from ...core.parameters import read_parameters, split_parameters, written
from ...draw.scene import signed
from ...game import Game
from ...players.player import PLAYERS
from ...records.record import Record, may_have_position, read
from ...records.record_json import write_all
from ...records.record_text import moves_text, read_moves
from ...starts import from_line, on_paper
from ...study.assessments import Analysis
from ...study.look import Look
from ...study.plot import plot, points
from ...study.tree import Place, Tree
from ..analyst import LONGEST as LONGEST_ANALYSED
from ..analyst import analyst_of, key_of
from ..board import are_folded, board_html
from ..errors import BadForm, Later, TooMany, status_of
from ..forms import LARGEST_STUDY, form_of, move_of, query_of
from ..i18n import gettext as _
from ..i18n import said, said_scene
from ..new_games import SeatPlan, SetUp
from ..pages import About, about, done, download, page_text
from ..pictures import Key as PictureKey
from ..pictures import key_of as picture_key
from ..pictures import plot_html
from ..site import asker_of, count, have_done, now_of, site_of, visitor_of
from ..steps import played
from ..study_text import Study
from .paper import example_of
from .set_up import OPPONENT, who_may_sit
from .setting_up import LONGEST_PAPER, link_to_change
from .sharing import picture_of
from .study_shown import line_of, tokens, values_of, worths_of
from .table import question as question_of
from .words import task

LONGEST = 20_000  # characters of a record, or of moves
LONGEST_COMMENT = 1_000
SHORT = 2_000  # characters of a study that the server reads and draws itself, as it does the tables
LONGEST_START = 4_000  # characters of the record of a game that is played on
LONGEST_LINK = 3_500  # characters of an address that carries all moves; proxies take 8,000
FORM = "study-form"

router = APIRouter()

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@dataclass(frozen=True)
class Acted:
    """A study after what its visitor did."""

    record: str  # all of it, as text
    here: str  # the game at the chosen position, as the text of a record
    at: str
    state: dict[str, str]  # the fields that carry the study
    link: str  # the address of this position with all moves, or else with those of its line; empty if too long
    has_all: bool  # whether the link has all moves
    key: str  # of the position
    main_key: str  # of the main line
    num_moves: int  # of the main line
    is_over: bool
    square: str = ""  # about which the page asks
    error: str = ""
    status: int = 200


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
    """The board after what was done on it."""
    return await _answer(request, await form_of(request, costs="pages", largest=LARGEST_STUDY))


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
    asked = {name: value for name, value in fields.items() if value or name == "comment"}
    if not any(asked.get(name) for name in ("record", "game", "example")):
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
    if not acted.is_over and not _is_hidden(asked):
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


# What follows may be done by the workshop.


def acted_on(fields: Mapping[str, str]) -> Acted:
    """The study that the fields describe, after what they ask for.

    Raises UnknownGame, BadParameter, BadPaper, BadRecord and BadForm.
    """
    tree = Tree(_record(fields))
    place, before = (_place(tree, fields.get(name) or fields.get("from", "")) for name in ("at", "from"))
    error, code = "", 200
    try:
        if "comment" in fields:
            _keep_comment(tree, before, fields["comment"])
        place, square = _done(tree, place, fields)
        record = _checked(tree)
    except (MoveError, BadForm, BadRecord) as wrong:
        error, code = said(wrong), status_of(wrong)
        tree = Tree(_record(fields))  # as it was: what was refused may stand in the other one
        place, square, record = before, "", _checked(tree)
    game = tree.game(place)
    state = _state(record)
    link, has_all = _link(record, state, game, place, fields)
    return Acted(
        record=record.text(),
        here=Record.of(game).text(),
        at=str(place),
        state=state,
        link=link,
        has_all=has_all,
        key=key_of(game),
        main_key=key_of(record.game),
        num_moves=record.game.ply,
        is_over=game.is_over,
        square=square,
        error=error,
        status=code,
    )


def wholly_acted_on(fields: Mapping[str, str]) -> Acted:
    """As `acted_on`, for who doesn't show the board: raises BadForm also where something was refused there."""
    acted = acted_on(fields)
    if acted.error:
        raise BadForm(acted.error)
    return acted


def played_on(fields: Mapping[str, str], name: str) -> tuple[SetUp, Game]:
    """The table where the chosen position is played on by a visitor of this name, and the game that begins there.

    Raises as `wholly_acted_on`, and BadForm where it can't be.
    """
    acted = wholly_acted_on(fields)
    if acted.is_over:
        raise BadForm(say("The game is over here, so nothing is left to be played."))
    if len(acted.here) > LONGEST_START:
        raise BadForm(say("A game with so long a record can't be played on here."))
    game = read(acted.here).game
    side, opponent = read_integer(fields.get("side", str(game.mover))), fields.get("opponent", OPPONENT)
    if side not in game.players:
        raise BadForm(say("There is no such player."))
    if opponent not in ("me", *PLAYERS):
        raise BadForm(say("There is no such computer player."))
    sitters = [SeatPlan("me" if one == side else opponent, name) for one in game.players]
    parameters = {name: str(value) for name, value in game.parameters.items()}
    return SetUp(game.id, parameters, tuple(sitters), start=acted.here), game


def json_of(fields: Mapping[str, str]) -> str:
    """The record of the study as JSON, after what the fields ask for. Raises as `wholly_acted_on`."""
    return write_all([read(wholly_acted_on(fields).record)])


def pictured(fields: Mapping[str, str]) -> PictureKey:
    """What the picture of the chosen position shows, after what the fields ask for. Raises as `acted_on`."""
    game = read(acted_on(fields).here).game
    return picture_key(game, game.ply, "png")


def _record(fields: Mapping[str, str]) -> Record:
    """The record in the fields, or the one that a game, its parameters, a position and moves make."""
    text = fields.get("record", "")
    if len(text) > LONGEST or len(fields.get("moves", "")) > LONGEST:
        raise BadRecord(say("A study has at most {longest} characters here.", longest=LONGEST))
    if text:
        return read(text)
    entry = catalog.get(fields.get("game", ""))
    position, given = fields.get("position", ""), split_parameters(fields.get("parameters", "").split())
    given |= {name[10:]: value.strip() for name, value in fields.items() if name[:10] == "parameter-" if value.strip()}
    if len(position) > LONGEST_PAPER:
        raise BadPaper(say("A paper has at most {longest} characters here.", longest=LONGEST_PAPER))
    if not position:
        game = Game(entry, read_parameters(entry.rules.PARAMETERS, given, files=False))
        return read_moves(game, fields.get("moves", ""))
    game = on_paper(entry, position, given, files=False)
    with suppress(QuetError):  # a paper that is a list of moves
        again = played(game.position(legal=False), game)
        if again is not None and again == game:
            return read_moves(again.at(0), _numbered(again))
    with suppress(BadPaper, BadParameter):  # as it stands in links
        game = from_line(entry, position, game.parameters)
    return read_moves(game, fields.get("moves", ""))


def _numbered(game: Game) -> str:
    return " ".join(f"{ply}. {move}" for ply, move in enumerate(game.moves, 1))


def _checked(tree: Tree) -> Record:
    """The record of a study. Raises BadRecord where it breaks a limit."""
    record = tree.record()
    if len(record.text()) > LONGEST:
        raise BadRecord(say("A study has at most {longest} characters here.", longest=LONGEST))
    return record


def _place(tree: Tree, text: str) -> Place:
    """The place of this name, or the last one. Raises BadParameter where the tree has none such."""
    place = Place.read(text) if text else Place((), tree.main.last)
    tree.line(place)
    return place


def _keep_comment(tree: Tree, place: Place, text: str) -> None:
    """Keep what stands in the field for comments, whatever was pressed. One that is as it was may be longer.

    Raises BadForm.
    """
    comment, old = _comment(text), _comment(_comment_at(tree, place))
    if comment == old:
        return
    if len(comment) > LONGEST_COMMENT:
        raise BadForm(say("A comment has at most {longest} characters here.", longest=LONGEST_COMMENT))
    tree.comment(place, comment)


def _comment_at(tree: Tree, place: Place) -> str:
    return "\n".join(tree.line(place).comments.get(place.ply, ()))


def _comment(text: str) -> str:
    """A comment as records take it: tabs are blanks, and whatever separates lines, as in office programs, ends one."""
    return "\n".join(text.replace("\t", " ").splitlines()).strip()


def _done(tree: Tree, place: Place, fields: Mapping[str, str]) -> tuple[Place, str]:
    """Do what the fields ask for at a place; the place after it, and the square about which there is a question."""
    act = fields.get("act", "")
    if fields.get("at"):  # a step, or an address
        return place, ""
    if fields.get("move"):
        return tree.play(place, fields["move"]), ""
    if act == "play" and fields.get("typed"):
        return tree.play(place, fields["typed"]), ""
    if act in ("write", "play") and fields.get("number"):  # the Enter key presses the first button, play
        return tree.play(place, move_of(fields)), ""
    if act == "cut":
        return tree.cut(place), ""
    return place, fields.get("square", "")


def _is_hidden(fields: Mapping[str, str]) -> bool:
    """Whether the visitor doesn't want to see what moves are worth."""
    return bool(fields.get("hide")) and not fields.get("show")


def _state(record: Record) -> dict[str, str]:
    """The fields from which the record is made again: readable ones in an address, where it has no tags."""
    if record.tags or record.termination is not None:
        return {"record": record.text()}
    return _plain_state(record.game) | {"moves": moves_text(record)}


def _plain_state(game: Game) -> dict[str, str]:
    parameters = " ".join(f"{name}={value}" for name, value in written(game.parameters).items())
    state = {"game": game.id, "parameters": parameters}
    if game.start:
        state["position"] = Record.of(game.at(0)).position
    return state


def _link(
    record: Record, state: Mapping[str, str], game: Game, place: Place, fields: Mapping[str, str]
) -> tuple[str, bool]:
    """The address of the position, and whether it has all moves."""
    more = {"hide": "1" if _is_hidden(fields) else "", "judge": fields.get("judge", "")}

    def address(fields: Mapping[str, str]) -> str:
        return f"/study?{urlencode({name: value for name, value in fields.items() if value}, safe='=(){},!/')}"

    whole = address({**state, "at": str(place), **more})
    if len(whole) <= LONGEST_LINK:
        return whole, True
    line = address({**_plain_state(game), "moves": _numbered(game), "at": str(game.ply), **more})
    return (line, False) if len(line) <= LONGEST_LINK else ("", False)


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
        hide=_is_hidden(fields),
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
        tokens=list(tokens(tree.main, place)),
        comment=(acted.error and fields.get("comment")) or _comment_at(tree, place),
        typed=fields.get("typed", "") if acted.error else "",  # what was refused can be mended
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
