"""`quet results`: the table of results, shown, plotted, exported, checked, and extended."""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence

from .. import catalog
from ..certificates import certificate_file
from ..core.errors import BadParameter
from ..core.extras import needs
from ..core.parameters import split_parameters
from ..core.quoting import printable
from ..results import oeis, theorems
from ..results.best import chosen
from ..results.check import check
from ..results.folder import Folder, find
from ..results.growth import growth
from ..results.remake import remake
from ..results.row import NOBODY, Row, shown, told
from ..results.series import only
from ..results.submit import submit
from ..results.words import in_short
from . import files
from .limits import of_checker
from .lines import refuse
from .theorems import told_beyond
from .verify import line_of, status_of

BLANK = "(name of who submits it)"  # in a draft, where no author is given
_ACTS = ("submit", "verify", "remake", "merge")
_FOR_SUBMIT = ("finder", "trust")
_FOR_CHECK = ("time", "memory")
_FOR_GAME = {"plot": "--plot", "b_file": "--b-file", "oeis": "--oeis"}


def run(options: argparse.Namespace) -> tuple[int, object]:
    """Carry out the command. Returns the exit status, and what is to be printed as JSON, or None."""
    _refuse_what_does_not_belong(options)
    folder = find(options.folder)
    if options.what == "submit":
        return 0, _submit(folder, options)
    if options.what == "verify":
        return _verify(folder, options)
    if options.what == "remake":
        return 0, _remake(folder, options)
    if options.what == "merge":
        return 0, _merge(folder, options)
    rows = _chosen(folder, options)
    if _has(options, _FOR_GAME):
        table = {"the table": str(folder.file(rows[0].game))}
        files.check_apart({word: getattr(options, name) for name, word in _FOR_GAME.items()}, table)
        _export(rows, options)
        return 0, None
    if options.json:
        return 0, [row.json() for row in rows]
    _print(rows)
    print(f"{len(rows)} result{'' if len(rows) == 1 else 's'} from {_path(folder)}")
    missing = [row.certificate for row in rows if folder.missing(row)]
    if missing:
        are, others = ("is", "") if len(missing) == 1 else ("are", "s")
        print(f"{len(missing)} certificate{others} {are} not carried here; quet results verify tells more.")
    return 0, None


def _path(folder: Folder) -> str:
    """The path of the table, to be printed: `find` chooses one if the command names none."""
    return printable(str(folder.path.resolve()))


def _has(options: argparse.Namespace, names: dict[str, str]) -> list[str]:
    return [word for name, word in names.items() if getattr(options, name) not in (None, False)]


def _refuse_what_does_not_belong(options: argparse.Namespace) -> None:
    what, words = options.what, options.words
    if what is None and (of_a_game := _has(options, _FOR_GAME)):
        raise BadParameter(f"Name a game, as in quet results GAME {of_a_game[0]} FILE.")
    wrong = [*_FOR_SUBMIT] if what != "submit" else []
    wrong += _FOR_CHECK if what not in ("submit", "verify") else []
    wrong += ["into"] if what != "remake" else []
    wrong += _FOR_GAME if what in _ACTS else []
    wrong += ["author"] if options.oeis is None else []
    wrong += ["lowest"] if what in (None, "verify", "remake", "merge") else []
    refuse(options, wrong, "quet results" + (f" {what}" if what in _ACTS else "" if what is None else " GAME"))
    if options.json and _has(options, _FOR_GAME):
        raise BadParameter("Give --json or a file to write, not both.")
    if what == "submit" and len(words) != 1:
        raise BadParameter("Name one file, as in quet results submit FILE.")
    if what == "merge" and words:
        raise BadParameter("quet results merge takes all that was entered on the site; it needs no words.")
    if what == "verify" and len(words) > 1:
        raise BadParameter("quet results verify checks the whole table, or that of one game.")


def _chosen(folder: Folder, options: argparse.Namespace) -> list[Row]:
    """The rows that the words of the command line are about; of one game, at least one."""
    if options.what is None:
        return folder.rows()
    game = catalog.get(options.what).id
    wanted = split_parameters(options.words)
    with told_beyond(game, wanted, is_lowest=options.lowest or None):
        rows = chosen(folder, game, wanted)
        if options.lowest:
            rows = [row for row in rows if row.is_lowest]
        if not rows:
            inside = " ".join(f"{name}={printable(str(value), 40)}" for name, value in wanted.items())
            which = f"{game} {inside}".strip() + (" --lowest" if options.lowest else "")
            raise BadParameter(f"The table has no result of {which}.")
    return rows


def _submit(folder: Folder, options: argparse.Namespace) -> object:
    file, content = options.words[0], None
    if file == files.STANDARD:
        file, content = files.INPUT, files.read_input(certificate_file.LARGEST_FILE)
        if content is None:
            raise BadParameter(f"Standard input is larger than {certificate_file.LARGEST_FILE / 1e6:g} MB.")
    entered = submit(
        folder,
        file,
        content,
        finder=NOBODY if options.finder is None else options.finder,
        is_lowest=options.lowest,
        is_trusted=options.trust,
        limits=of_checker(options.time, options.memory),
    )
    if options.json:
        return [one.row.json() for one in entered]
    for one in entered:
        print(f"Entered {one.sentence}")
        for sentence in one.unchecked:
            print(f"      not checked here: {sentence}")
        for sentence in one.left_out:
            print(f"      left out, for only --trust enters it: {sentence}")
    if options.folder is None:
        print(f"The table is {_path(folder)}.")
    return None


def _verify(folder: Folder, options: argparse.Namespace) -> tuple[int, object]:
    results: list[dict[str, object]] = []
    counts: Counter[str] = Counter()
    verdicts: list[str] = []
    num_unnamed = 0
    limits = of_checker(options.time, options.memory)
    for one in check(folder, catalog.get(options.words[0]).id if options.words else None, limits=limits):
        verdict, why = one.verdict, one.error or one.missing or one.unnamed
        verdicts.append(verdict)
        num_unnamed += bool(one.unnamed)
        counts[verdict] += not one.unnamed
        what = "certificate" if one.unnamed else "row"
        about: dict[str, object] = {what: one.name, "verdict": verdict, "trusted": list(one.unchecked)}
        results.append(about | ({"error": why} if why else {}))
        if not options.json:
            print(line_of(verdict, f"{one.name}: {why}" if why else one.name), flush=True)
            for sentence in one.unchecked:
                print(line_of("", f"not checked here: {sentence}"), flush=True)
    if not results:
        raise BadParameter(f"There is nothing to verify in {_path(folder)}.")
    if not options.json:
        told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ("verified", "unchecked", "refuted", "missing"))
        num_rows = len(results) - num_unnamed
        besides = f" Certificates that no row names: {num_unnamed}." if num_unnamed else ""
        print(f"{num_rows} row{'' if num_rows == 1 else 's'}: {told}.{besides}")
    return status_of(verdicts), results if options.json else None


def _remake(folder: Folder, options: argparse.Namespace) -> list[str] | None:
    told = []
    for sentence in remake(folder, options.words, options.into):
        told.append(sentence)
        if not options.json:
            print(sentence, flush=True)
    if not told and not options.json:
        print("No certificate is missing.")
    return told if options.json else None


def _merge(folder: Folder, options: argparse.Namespace) -> list[dict[str, object]] | None:
    """Enter what people entered on the site; a game that is no better than the table by now is told."""
    with needs("site", "The site"):
        from ..web.settings import database_url
        from ..web.storage.merging import merge

    told: list[dict[str, object]] = []
    for one in merge(database_url(), folder):
        told.append({"game": one.entry.game, "parameters": one.entry.parameters, "value": one.entry.value})
        told[-1] |= {"finder": one.entry.finder, "entered": one.is_entered, "said": one.sentence}
        if not options.json:
            print(f"{'Entered' if one.is_entered else '--    '} {one.sentence} ({one.entry.finder})", flush=True)
    if not told and not options.json:
        print("Nothing was entered on the site.")
    return told if options.json else None


def _export(rows: Sequence[Row], options: argparse.Namespace) -> None:
    """Write the files asked for, all of them made before the first is written."""
    contents: list[tuple[str, bytes]] = []
    if options.plot is not None:
        contents.append((options.plot, _picture(rows, options.plot)))
    if options.b_file is not None:
        contents.append((options.b_file, oeis.b_file(only(rows)).encode()))
    if options.oeis is not None:
        contents.append(
            (options.oeis, oeis.draft(only(rows), BLANK if options.author is None else options.author).encode())
        )
    doubts = oeis.doubts(only(rows)) if options.oeis is not None or options.b_file is not None else []
    for words in [*doubts, *(oeis.to_attach(only(rows)) if options.oeis is not None else ())]:
        print(words, file=sys.stderr)
    for name, content in contents:
        files.write(name, content)


def _picture(rows: Sequence[Row], name: str) -> bytes:
    from ..draw.raster import png
    from ..draw.svg import svg

    suffix = files.suffix(name)
    if suffix not in (".svg", ".png"):
        raise BadParameter("The plot must end with .svg or .png.")
    scene = growth(rows)
    return svg(scene).encode() if suffix == ".svg" else png(scene, scale=80)


_COLUMNS: dict[str, Callable[[Row], str]] = {
    "size": lambda row: " ".join(f"{name}={value}" for name, value in shown(row.game, row.parameters).items()),
    "score": lambda row: row.score,
    "best": lambda row: told(row.value),
    "bound": lambda row: told(row.bound),
    "status": lambda row: row.status,
    "by": in_short,
    "finder": lambda row: row.finder,
    "date": lambda row: row.date,
    "certificate": lambda row: row.certificate,
}


def _print(rows: Sequence[Row]) -> None:
    """A table for each game, its columns as wide as they need to be."""
    for game in dict.fromkeys(row.game for row in rows):
        print(f"{catalog.get(game).title} ({game})")
        lines = [list(_COLUMNS)]
        lines += [[column(row) for column in _COLUMNS.values()] for row in rows if row.game == game]
        widths = [max(len(line[k]) for line in lines) for k in range(len(_COLUMNS))]
        for line in lines:
            cells = [
                f"{text:>{width}}" if name in ("best", "bound") else f"{text:{width}}"
                for name, text, width in zip(_COLUMNS, line, widths, strict=True)
            ]
            print(f"    {'  '.join(cells)}".rstrip())
        for name, theorem in _theorems([row for row in rows if row.game == game]):
            print(f"    A theorem, {name}: {theorem}")
        print()


def _theorems(rows: Sequence[Row]) -> dict[tuple[str, str], None]:
    """What theorems say of the sequences of these rows of a game, each with the name of its sequence."""
    found: dict[tuple[str, str], None] = {}
    for row in rows:
        others = list(shown(row.game, row.parameters).items())[1:]
        name = " ".join([row.score, *(f"{other}={value}" for other, value in others)])
        found |= {(name, theorems.said(row.game, one)): None for one in theorems.of(row)}
    return found
