"""A position that is set up by hand for the study board: squares are clicked, and fields hold what isn't on squares.

The form carries the position as on paper, and the address does too; every change is made in that text.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode
from zlib import crc32

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from ... import catalog
from ...catalog import Entry
from ...core.draft import next_number
from ...core.errors import BadPaper, QuetError
from ...core.messages import say
from ...core.parameters import split_parameters, written
from ...game import Game
from ...study.by_hand import (
    PositionByHand,
    by_hand_of,
    cleared,
    clicked,
    of_game,
    set_up,
    typed,
    with_fields,
    with_parameters,
)
from ..board import board_html
from ..errors import BadForm, status_of
from ..forms import query_of
from ..i18n import said, said_scene
from ..new_games import check_length
from ..pages import About, about, page_text
from ..site import have_done
from .parameter_fields import field
from .parameter_fields import typed as typed_value
from .words import task

LONGEST_PAPER = 4_000  # characters of a position written as on paper
LONGEST_PARAMETERS = 2_000  # characters as typed; an address has to hold them

router = APIRouter()


@dataclass(frozen=True)
class Answer:
    """A page, or the address where the position is studied."""

    page: str
    status: int
    to: str = ""


@router.get("/study/position")
async def show(request: Request) -> Response:
    """The board on which a position is set up, after what the address says was done. Raises UnknownGame, BadPaper."""
    fields = query_of(request)
    if not fields.get("game"):
        return RedirectResponse("/study#by-hand", 303)
    by_hand_of(catalog.get(fields["game"]))
    answer = await have_done(request, answer_to, about(request), fields)
    if answer.to:
        return RedirectResponse(answer.to, 303)
    return HTMLResponse(answer.page, answer.status)


def link_to_change(game: Game) -> str:
    """The address where the position of a game can be changed by hand; empty where there is none."""
    try:
        address = _address(of_game(game))
    except QuetError:
        return ""
    return address if len(address) <= LONGEST_PAPER else ""


# What follows is done by the workshop, as papers may take long to read.


def answer_to(request: About, fields: Mapping[str, str]) -> Answer:
    """The page after what the fields ask for. A wrong click changes nothing, and the page says why."""
    entry = catalog.get(fields["game"])
    error, status = "", 200
    try:
        now = _given(entry, fields)
    except QuetError as wrong:
        error, status, now = said(wrong), status_of(wrong), _fresh(entry, fields)
        return Answer(_page(request, fields, now, error, fields.get("position", "")), status)
    try:
        now = _checked(_changed(now, fields))
    except QuetError as wrong:
        error, status = said(wrong), status_of(wrong)
    if fields.get("act") == "study" and not error:
        if now.game:
            return Answer("", 303, _study(now))
        error, status = said(now.error), 422
    return Answer(_page(request, fields, now, error), status)


def _given(entry: Entry, fields: Mapping[str, str]) -> PositionByHand:
    """The position in the fields. Raises BadForm, BadPaper and BadParameter."""
    text, parameters = fields.get("position", "").strip(), fields.get("parameters", "")
    if len(text) > LONGEST_PAPER:
        raise BadPaper(say("A paper has at most {longest} characters here.", longest=LONGEST_PAPER))
    if len(parameters) > LONGEST_PARAMETERS:
        raise BadForm(
            say("The settings of the game have at most {longest} characters here.", longest=LONGEST_PARAMETERS)
        )
    given = split_parameters(parameters.split())
    if _is_typed(fields):  # its size may be another one
        given.pop(entry.rules.PARAMETERS[0].name, None)
    return _checked(set_up(entry, text, given))


def _checked(now: PositionByHand) -> PositionByHand:
    """The position, unless the page would be too large. Raises BadPaper and BadParameter."""
    check_length({name: str(value) for name, value in written(now.draft.parameters).items()})
    if len(now.text) > LONGEST_PAPER:
        raise BadPaper(say("A paper has at most {longest} characters here.", longest=LONGEST_PAPER))
    return now


def _is_typed(fields: Mapping[str, str]) -> bool:
    """Whether the text of the position isn't as the page had it."""
    return "was" in fields and fields["was"] != _mark(fields.get("position", ""))


def _mark(text: str) -> str:
    return str(crc32(" ".join(text.split()).encode("utf-8", "replace")))


def _fresh(entry: Entry, fields: Mapping[str, str]) -> PositionByHand:
    """The start, with the parameters in the fields if they can be used."""
    try:
        return _checked(set_up(entry, "", split_parameters(fields.get("parameters", "")[:LONGEST_PARAMETERS].split())))
    except QuetError:
        return set_up(entry, "", {})


def _changed(now: PositionByHand, fields: Mapping[str, str]) -> PositionByHand:
    """The position after what was done. Raises BadPaper, BadParameter and BadForm."""
    act = fields.get("act", "")
    if not _is_typed(fields):
        given = {one.name: typed_value(fields, one.name) for one in now.entry.rules.PARAMETERS}
        now = with_parameters(now, {name: value for name, value in given.items() if value is not None})
        now = with_fields(now, {name[6:]: value for name, value in fields.items() if name[:6] == "field-"})
    if act == "clear":
        return cleared(now)
    if act[:4] == "add ":
        name, _space, mark = act[4:].partition(" ")
        return _added(now, name, mark)
    if act not in ("", "show", "study"):
        raise BadForm(say("There is no such button."))
    if fields.get("square"):
        return clicked(now, fields["square"], fields.get("way", ""), fields.get("write", "").strip())
    if fields.get("typed", "").strip():
        return typed(now, fields["typed"])
    return now


def _added(now: PositionByHand, name: str, mark: str) -> PositionByHand:
    """With one more mark at the end of a field, or one less."""
    for one in by_hand_of(now.entry).FIELDS:
        if one.name == name and mark in ("", *one.marks):
            text = now.draft.fields.get(name, "")
            return with_fields(now, {name: text + mark if mark else text[:-1]})
    raise BadForm(say("There is no such button."))


def _state(now: PositionByHand) -> dict[str, str]:
    parameters = " ".join(f"{name}={value}" for name, value in written(now.draft.parameters).items())
    text = now.text.replace("\n\n", " // ").replace("\n", " / ")
    return {"parameters": parameters} | ({"position": text} if text else {})


def _query(now: PositionByHand) -> str:
    return urlencode({"game": now.entry.id, **_state(now)}, safe="=(){},!/")


def _address(now: PositionByHand) -> str:
    return f"/study/position?{_query(now)}"


def _study(now: PositionByHand) -> str:
    return f"/study?{_query(now)}"


def _page(request: About, fields: Mapping[str, str], now: PositionByHand, error: str, paper: str | None = None) -> str:
    entry = now.entry
    hand = by_hand_of(entry)
    shown = said_scene(now.scene)
    way = fields.get("way", "")
    text = now.text if paper is None else paper
    values = written(now.draft.parameters)
    return page_text(
        request,
        "study_position.html",
        entry=entry,
        now=now,
        error=error,
        board=board_html(now.scene, is_set_up=True),
        notes=shown.notes if now.game else (),
        verdict=task(now.game) if now.game else said(now.error),
        num_players=(now.game or Game(entry, now.draft.parameters)).num_players,
        state=_state(now) | {"game": entry.id},
        text=text,
        was=_mark(now.text),
        link=_address(now),
        ways=[(name, said(words)) for name, words in hand.WAYS.items()],
        way=way if way in hand.WAYS else next(iter(hand.WAYS)),
        marks=" ".join(hand.MARKS),
        example=now.scene.squares[len(now.scene.squares) // 2].name,
        mark=hand.MARKS[-1] if hand.MARKS else "5",
        number=said(hand.NUMBER) if hand.NUMBER else "",
        next_number=next_number(now.draft),
        write=fields.get("write", "") if fields.get("act") == "show" else "",
        inputs=[(one, said(one.label), now.draft.fields.get(one.name, "")) for one in hand.FIELDS],
        parameters=[field(entry, one, str(values[one.name])) for one in entry.rules.PARAMETERS],
    )
