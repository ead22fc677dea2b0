"""Reads the fields of addresses, and of the forms that visitors post.

Forms are small, come from pages of this site, and have text fields only.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.requests import Request

from ..core.messages import say
from .errors import BadForm, TooLarge
from .match import LONGEST_MOVE
from .site import asker_of, site_of, take_form, turn_of

LARGEST = 64_000  # bytes of a form
LARGEST_STUDY = 300_000  # of one with a record: some writings take twelve bytes for a character here
MOST_FIELDS = 100


async def form_of(request: Request, *, costs: str = "moves", largest: int = LARGEST) -> dict[str, str]:
    """The fields of a posted form, the first of each name. Checks its `csrf`, and counts what it `costs`.

    `costs` is a kind of `Limiter.check`, `largest` the most bytes. Whatever isn't done at a table
    then waits for its turn at the gate. Raises Forged, BadForm, TooLarge, Busy and TooMany.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise BadForm(say("A form is sent as application/x-www-form-urlencoded here."))
    fields = _fields(await _body(request, largest))
    site_of(request).visitors.check(request, fields.get("csrf", ""))
    if costs != "moves":
        await turn_of(request).take(asker_of(request))
    take_form(request, costs)
    return fields


def query_of(request: Request) -> dict[str, str]:
    """The fields of the address, the first of each name, as `form_of` takes those of a form."""
    return _first(request.query_params.multi_items())


def move_of(fields: Mapping[str, str]) -> str:
    """The move that was typed or pressed: `move`, or what `prompt` begins and `number` ends; empty without any."""
    return fields.get("move") or fields.get("prompt", "") + fields.get("number", "").strip()


@dataclass(frozen=True)
class Pressed:
    """What was typed or pressed at a board whose address says all, as of a lesson or a puzzle."""

    move: str
    square: str  # that needs one more question, or takes no move
    is_shown: bool  # whether a right move is to be shown


def read_pressed(move: str = "", square: str = "", prompt: str = "", number: str = "", shown: str = "") -> Pressed:
    """Read it from the fields of the address. Raises BadForm where it is too long."""
    text = move_of({"move": move, "prompt": prompt, "number": number})
    if max(len(text), len(square)) > LONGEST_MOVE:
        raise BadForm(say("A move has at most {most} characters here.", most=LONGEST_MOVE))
    return Pressed(text, square, bool(shown))


async def _body(request: Request, largest: int) -> bytes:
    too_large = TooLarge(say("A form has at most {largest} bytes here.", largest=largest))
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > largest:
        raise too_large
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > largest:
            raise too_large
        parts.append(part)
    return b"".join(parts)


def _fields(body: bytes) -> dict[str, str]:
    try:
        pairs = parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
    except ValueError:  # also what isn't UTF-8
        raise BadForm(say("The form can't be read.")) from None
    fields = _first(pairs)
    if any("\0" in value for value in fields.values()):
        raise BadForm(say("The form can't be read."))
    return fields


def _first(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for name, value in pairs:
        fields.setdefault(name, value)
    return fields
