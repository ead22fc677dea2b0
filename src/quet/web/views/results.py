"""The table of best results: of all games, of one, and each row with the game that reaches it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, RedirectResponse, Response

from ... import catalog
from ...core.messages import Message, joined, say, say_number
from ...draw.svg import svg
from ...results import commands, oeis, theorems
from ...results.larger import size_text
from ...results.row import Row, shown, told
from ...results.words import asked, grounds, in_short, kinds, rests_on_search
from ...study.proportion import Proportion
from .. import table_of_results as table
from ..catalogs import LANGUAGES, SOURCE
from ..i18n import language, said, said_scene
from ..pages import kept, kept_for_all, render
from ..pictures import KINDS, POLICY
from ..site import have_done, site_of
from ..steps import Step, read_ply
from ..storage.entries import Listed
from ..table_of_results import Known, NoSuchResult

router = APIRouter()

THEOREMS = {"mirror", "pairing", "avoiding"}  # kinds of grounds that /proofs explains
MOST_ENTERED = 100  # entries on a page
MOST_SQUARES = 400  # of a board that is a part of the page; a larger one is a picture
AUTHOR = "(name of who submits it)"  # in a draft for the encyclopedia
PICTURE = {"Content-Security-Policy": POLICY}
TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True)
class Group:
    """The rows of a game that differ only in size."""

    name: str  # in addresses
    words: str  # the score and the other parameters
    rows: Sequence[Row]
    has_terms: bool  # whether there is a b-file
    has_draft: bool  # whether the encyclopedia would take the sequence
    theorems: Sequence[str]  # what is proven of all its sizes


@dataclass(frozen=True)
class Entered:
    """A game that was entered on this site and that the table doesn't have yet."""

    entry: Listed
    row: Row  # what the table has
    is_better: bool

    @property
    def size(self) -> Message:
        return _size_words(self.row)


@router.get("/records")
@router.get("/results/")
async def before() -> Response:
    """The address that the table had before."""
    return RedirectResponse("/results", 301)


@router.get("/results")
async def results(request: Request) -> Response:
    """The games with what is known of each."""
    return await run_in_threadpool(_all, request)


def _all(request: Request) -> Response:
    found = [table.known(entry.id) for entry in catalog.playable()]
    games = [(catalog.get(one.game), one, _count(one)) for one in found if one.rows]

    def make() -> Response:
        number = sum(len(one.rows) for one in found)
        num_proven = sum(one.num_proven for one in found)
        searched = sum(rests_on_search(row) for one in found for row in one.rows)
        return render(request, "results.html", games=games, number=number, num_proven=num_proven, num_searched=searched)

    return kept(request, "".join(one.digest for one in found), make)


@router.get("/results/{game}")
async def of_game(request: Request, game: str) -> Response:
    """All results of a game. Raises UnknownGame."""
    return await run_in_threadpool(_of_game, request, table.known(game))


def _of_game(request: Request, known: Known) -> Response:
    entered = _entered(request, known)

    def make() -> Response:
        return render(
            request,
            "results_game.html",
            entry=catalog.get(known.game),
            known=known,
            count=_count(known),
            plots=[(score, table.plotted(known, score, language())) for score in known.scores],
            groups=[_group(known, name, rows) for name, rows in known.groups.items()],
            name=table.row_name,
            told=told,
            how=in_short,
            size_of=catalog.get(known.game).rules.PARAMETERS[0].name,
            entered=entered,
        )

    return kept(request, known.digest + _listed(entered), make)


@router.get("/results/{game}/plot.svg")
async def plot(
    request: Request, game: str, score: str = "", words: str = SOURCE, kind: Literal["", "little"] = ""
) -> Response:
    """How the values of a game grow; a little plot has no words. Raises UnknownGame and NoSuchResult."""
    known = table.known(game)
    chosen = score or (known.scores[0] if known.scores else "")
    if chosen not in known.scores:
        raise NoSuchResult(known.game)
    language = words if words in LANGUAGES else SOURCE
    text = await run_in_threadpool(partial(table.plot_file, known, chosen, language, is_little=kind == "little"))
    return kept_for_all(request, text, KINDS["svg"], PICTURE)


@router.get("/results/{game}/{name}.b.txt")
async def b_file(request: Request, game: str, name: str) -> Response:
    """The proven values of a series, a line each. Raises UnknownGame, NoSuchResult and BadParameter."""
    return kept_for_all(request, oeis.b_file(table.known(game).series(name)), TEXT)


@router.get("/results/{game}/{name}.oeis.txt")
async def draft(request: Request, game: str, name: str) -> Response:
    """The draft of an entry in the Encyclopedia of Integer Sequences. Raises as `b_file` does."""
    return kept_for_all(request, oeis.draft(table.known(game).series(name), AUTHOR), TEXT)


@router.get("/results/{game}/certificates/{file}")
async def certificate(request: Request, game: str, file: str) -> Response:
    """The certificate of a row. Raises UnknownGame and NoSuchResult."""
    known = table.known(game)
    row = next((row for row in known.rows if row.certificate == file), None)
    path = table.folder().certificate(row) if row else None
    if row is None or path is None or not path.is_file():
        raise NoSuchResult(known.game)
    about = path.stat()
    headers = {"ETag": f'"{about.st_mtime_ns:x}-{about.st_size:x}"', "Cache-Control": "public, no-cache"}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    kind = "application/gzip" if file.endswith(".gz") else "application/json"
    return FileResponse(path, headers=headers, media_type=kind, filename=file, stat_result=about)


@router.get("/results/{game}/{name}")
async def one(request: Request, game: str, name: str, ply: str | None = None, item: str = "") -> Response:
    """A row, with the game that reaches it. Raises UnknownGame, NoSuchResult and BadForm."""
    return await run_in_threadpool(_one, request, table.known(game), name, ply, item)


def _one(request: Request, known: Known, name: str, ply: str | None, item: str) -> Response:
    row = known.row(name)
    game = table.witness(row)
    step = Step(game, read_ply(ply, game), item[:10])
    rows = known.groups[table.series_name(row)]
    place = rows.index(row)
    entered = [one for one in _entered(request, known) if one.row is row]

    def make() -> Response:
        is_drawn = len(step.scene.squares) <= MOST_SQUARES
        missing = table.folder().missing(row)
        return render(
            request,
            "result.html",
            entry=catalog.get(known.game),
            row=row,
            step=step,
            is_drawn=is_drawn,
            base=f"/results/{known.game}/{name}?",
            card=f"/results/{known.game}/{name}/board.png",
            names=_players(game.num_players),
            size=_size_words(row),
            asked=asked(row),
            best=told(row.value),
            bound=_bound(row),
            grounds=grounds(row),
            rests_on_theorem=not THEOREMS.isdisjoint(kinds(row)),
            is_trusted=rests_on_search(row),
            check=commands.check(row),
            solve=commands.solve(row, table.folder().larger().get(row.certificate)),
            missing=missing,
            certificate_size="" if missing else said(size_text(table.folder().certificate(row).stat().st_size)),
            before=table.row_name(rows[place - 1]) if place else "",
            after=table.row_name(rows[place + 1]) if place + 1 < len(rows) else "",
            entered=entered,
        )

    return kept(request, known.digest + _listed(entered), make)


@router.get("/results/{game}/{name}/board.svg")
async def board(request: Request, game: str, name: str, ply: str | None = None) -> Response:
    """The position after so many moves of a row's game, as a picture. Raises as `one` does."""
    row = table.known(game).row(name)
    number = read_ply(ply, table.witness(row))
    given, moves = tuple(row.parameters.items()), tuple(row.witness.split()[:number])
    key = game, tuple((one, str(value)) for one, value in given), moves, "", "result", language()
    pictures = site_of(request).pictures
    found = pictures.get(key)
    if found is None:
        found = await have_done(request, drawn, game, given, " ".join(moves))
        pictures.keep(key, found)
    return kept_for_all(request, found, KINDS["svg"], PICTURE)


def drawn(game: str, parameters: tuple[tuple[str, int | str], ...], moves: str) -> bytes:
    """The position after the moves as SVG."""
    return svg(said_scene(table.after(game, parameters, moves).scene(legal=False))).encode()


def _entered(request: Request, known: Known) -> list[Entered]:
    """The games of visitors that are as good as the table's, the best of each size first."""
    found, entries = [], site_of(request).store.entries
    for entry in entries.of(known.game):
        row = known.best(entry.parameters)
        if row is not None and Proportion(entry.value, row).is_best:
            found.append(Entered(entry, row, is_better=Proportion(entry.value, row).is_beaten))
    played = entries.played([one.entry.game_id for one in found], {one.row.witness for one in found}) if found else {}
    found = [one for one in found if played.get(one.entry.game_id) != one.row.witness]  # that the table has
    return sorted(found, key=_best_first)[:MOST_ENTERED]


def _best_first(one: Entered) -> tuple[object, ...]:
    value = one.entry.value
    return one.row.question, value if one.row.is_lowest else -value, one.entry.at


def _listed(entered: Sequence[Entered]) -> str:
    """What can change of the entries that a page lists: an operator may take out a name."""
    return repr([(one.entry.game_id, one.entry.finder) for one in entered])


def _count(known: Known) -> Message:
    """How many results there are, and how many of them are proven."""
    number, open_ones = len(known.rows), len(known.rows) - known.num_proven
    found = say_number("{number} result", "{number} results", number)
    if not open_ones:
        return say("{results}, proven", results=found)
    return say("{results}, {number_proven} of them proven", results=found, number_proven=known.num_proven)


def _group(known: Known, name: str, rows: Sequence[Row]) -> Group:
    others = dict(list(shown(known.game, rows[0].parameters).items())[1:])
    words: list[object] = [asked(rows[0])]
    if others:
        words.append(catalog.get(known.game).parameters_said(others))
    has_terms = rows[0].is_one_number and bool(known.series(name).proven)
    has_draft = has_terms and not oeis.doubts(known.series(name))
    told = [said(theorems.said(known.game, theorem)) for theorem in theorems.of(rows[0])]
    return Group(name, said(joined(words)), rows, has_terms, has_draft, told)


def _size_words(row: Row) -> Message:
    return catalog.get(row.game).parameters_said(shown(row.game, row.parameters))


def _bound(row: Row) -> str:
    """What no game can do, as a sentence."""
    if row.is_proven and row.score == "scores":
        return said(
            say(
                "This is proven of perfect play in which each player, of moves that are equally good, takes the one "
                "that is best for the next player. Another rule can lead to other scores."
            )
        )
    if row.is_proven and row.score == "value":
        return said(say("Perfect play leads to no other value, so this is proven."))
    if row.is_proven:
        return said(say("No other result is possible, so this is proven."))
    if row.score == "value":
        return said(say("The value is from {low} to {high}.", low=row.value, high=row.bound))
    known = {"bound": row.bound, "best": row.value}
    if row.is_lowest:
        return said(say("A score below {bound} is impossible; whether one below {best} is possible is open.", **known))
    return said(say("A score above {bound} is impossible; whether one above {best} is possible is open.", **known))


def _players(number: int) -> list[str]:
    return [said(say("Player {player}", player=player)) for player in range(1, number + 1)]
