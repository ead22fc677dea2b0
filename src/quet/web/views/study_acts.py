"""A study after what its visitor did on its board: it follows from the fields of a form, so the workshop can do it."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

from ... import catalog
from ...core.errors import BadPaper, BadParameter, BadRecord, MoveError, QuetError
from ...core.messages import say
from ...core.numbers import read_integer
from ...core.parameters import read_parameters, split_parameters, written
from ...game import Game
from ...players.player import PLAYERS
from ...records.record import Record, read
from ...records.record_json import write_all
from ...records.record_text import moves_text, read_moves
from ...starts import from_line, on_paper
from ...study.tree import Place, Tree
from ..analyst import key_of
from ..errors import BadForm, status_of
from ..forms import move_of
from ..i18n import said
from ..new_games import SeatPlan, SetUp
from ..pictures import Key as PictureKey
from ..pictures import key_of as picture_key
from ..steps import played
from .set_up import OPPONENT
from .study_position import LONGEST_PAPER

LONGEST = 20_000  # characters of a record, or of moves
LONGEST_COMMENT = 1_000
LONGEST_START = 4_000  # characters of the record of a game that is played on
LONGEST_LINK = 3_500  # characters of an address that carries all moves; proxies take 8,000


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
    link, has_all = _link(state, game, place, fields)
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
    if text or ("record" in fields and not fields.get("game")):  # an empty field is no record, and read says so
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
    comment, old = _comment(text), _comment(comment_at(tree, place))
    if comment == old:
        return
    if len(comment) > LONGEST_COMMENT:
        raise BadForm(say("A comment has at most {longest} characters here.", longest=LONGEST_COMMENT))
    tree.comment(place, comment)


def comment_at(tree: Tree, place: Place) -> str:
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


def is_hidden(fields: Mapping[str, str]) -> bool:
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


def _link(state: Mapping[str, str], game: Game, place: Place, fields: Mapping[str, str]) -> tuple[str, bool]:
    """The address of the position, and whether it has all moves."""
    more = {"hide": "1" if is_hidden(fields) else "", "judge": fields.get("judge", "")}

    def address(fields: Mapping[str, str]) -> str:
        return f"/study?{urlencode({name: value for name, value in fields.items() if value}, safe='=(){},!/')}"

    whole = address({**state, "at": str(place), **more})
    if len(whole) <= LONGEST_LINK:
        return whole, True
    line = address({**_plain_state(game), "moves": _numbered(game), "at": str(game.ply), **more})
    return (line, False) if len(line) <= LONGEST_LINK else ("", False)
