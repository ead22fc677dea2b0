"""A Scene as a board in a page: its picture, with a cell of an ARIA grid over each square to read and to press.

A square with one legal move is a button of the form around the board (field `move`). A square with several moves, or
with a move that needs a number, is a link to the page that asks for it. If a square takes one of two digits, and there
is room above and below the squares, each digit has its own button. The picture has classes only; `board.css` has their
colours.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from math import ceil

from markupsafe import Markup

from ..draw.legend import without_legend
from ..draw.palette import ROLES
from ..draw.scene import Scene, Square
from ..draw.svg import length, shapes_svg, style_sheet
from .i18n import gettext, said_scene

WIDEST = 60  # board units; wider boards are shown as wide as this
LEAST, MOST = 1.5, 6.0  # rem a board unit: on a phone (where the board then scrolls), and on a large screen
WIDE, LEAST_OF_WIDE = 27, 2.2  # a board of more units has numbers of four digits; it scrolls on most screens
FEW_NOTES = 4  # so many lines of notes are always shown; more are folded
FINGER = 2.6  # rem a board unit, where fingers play and no script can enlarge the board
EMPTY_GLYPHS = ("", ".", "x")  # of squares in which nothing stands; x warns of one


@dataclass(frozen=True)
class Worth:
    """What a legal move is worth, as a board shows it."""

    text: str  # at most some characters: `+4`, `−2`, `=`, `57`
    words: str
    tone: str  # `win`, `draw`, `loss`; in a solitaire `best` or `less`
    is_best: bool
    order: float  # larger is better


def board_html(
    scene: Scene,
    *,
    is_playable: bool = False,
    ask: str = "",
    asked: str = "",
    marked: Collection[str] = (),
    ending: str | None = None,
    is_form: bool = False,
    is_set_up: bool = False,
    worths: Mapping[str, Worth] | None = None,
) -> Markup:
    """The board of a scene, in the reader's language. Raises BrokenRules for a role that the palette doesn't have.

    With `is_playable` its legal squares can be chosen; those that need one more question are links to `ask` and their
    name. Forbidden squares are such links too, so that the page can say why. `asked` is the square which is being asked
    about, and the squares `marked` stand out. `ending` is the value chosen before its square (see `endings`): squares
    that take it are buttons which write it. With `is_form` squares that need one more question are buttons `square`;
    with `is_set_up` all squares are. `worths` has what each legal move is worth; a square shows the best of its moves.
    """
    worths = worths or {}
    scene = said_scene(without_legend(scene))
    wide, high = length(scene.width), length(scene.height)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board quet-auto {_size(scene)}" '
        f'viewBox="0 0 {wide} {high}" role="grid" aria-label="{escape(scene.title)}">',
        f'<g class="picture" aria-hidden="true">\n{shapes_svg(scene)}\n</g>',
    ]
    has_room = _has_room(scene)
    for _, row in groupby(scene.squares, lambda square: square.row):
        lines.append('<g role="row">')
        for square in row:
            touches = _touches(square, ask, has_room, ending, worths, is_form=is_form) if is_playable else []
            if is_set_up:
                touches = [(0, _button(square.name, escape(cell_words(square, is_playable=False)), "square"))]
            why = f"{ask}{square.name}#why" if is_playable and ask and not touches else ""
            lines += _cell(square, touches, is_playable, square.name == asked, square.name in marked, why)
        lines.append("</g>")
    if worths:
        lines += ['<g class="worths" aria-hidden="true">', *_worths(scene, worths), "</g>"]
    return Markup("\n".join([*lines, "</svg>"]))


def picture_html(scene: Scene) -> Markup:
    """The board as a picture for the eyes alone, beside words that say what it is."""
    scene = said_scene(without_legend(scene))
    box = f"0 0 {length(scene.width)} {length(scene.height)}"
    name = 'xmlns="http://www.w3.org/2000/svg" class="quet-auto" aria-hidden="true"'
    return Markup(f'<svg {name} viewBox="{box}">{shapes_svg(scene)}</svg>')


def are_folded(notes: Sequence[str]) -> bool:
    """Whether a page folds the notes of a picture: many lines, or lines of a table. A few may decide the game."""
    return len(notes) > FEW_NOTES or any(note[:1] == " " for note in notes)


def _size(scene: Scene) -> str:
    """The classes of a board of this width; a wide one isn't made to fit into the window, but scrolls."""
    units = min(ceil(scene.width), WIDEST)
    return f"units-{units} is-wide" if units > WIDE else f"units-{units}"


def board_css() -> str:
    """The style sheet of all boards: the palette as custom properties, the colours of the roles, and their sizes."""

    def properties(theme: int) -> str:
        return "".join(f"--{role.replace('_', '-')}:{colours[theme]};" for role, colours in ROLES.items())

    sizes = "".join(
        f".units-{units}{{min-width:{(LEAST if units <= WIDE else LEAST_OF_WIDE) * units:g}rem;"
        f"max-width:{MOST * units:g}rem;--units:{units}}}\n"
        for units in range(1, WIDEST + 1)
    )
    return (
        f":root{{color-scheme:light dark;{properties(0)}}}\n"
        f"@media (prefers-color-scheme:dark){{:root{{{properties(1)}}}}}\n{style_sheet()}\n{sizes}"
        f":root{{--finger:{FINGER}rem}}\n"
        "@media (scripting:none) and (pointer:coarse){.board{min-width:calc(var(--units)*var(--finger))}}\n"
    )


def cell_words(square: Square, *, is_playable: bool) -> str:
    """What a screen reader says at a square: `c3, empty, legal`."""
    words = [square.name, square.words]
    if square.is_last:
        words.append(gettext("the last move"))
    if is_playable and square.prompt:
        words.append(gettext("can be written in"))
    elif is_playable and square.moves:
        words.append(gettext("legal"))
    return ", ".join(words)


def _cell(
    square: Square,
    touches: Sequence[tuple[float, str]],
    is_playable: bool,
    is_asked: bool,
    is_marked: bool,
    why: str,
) -> Iterator[str]:
    flags = {"is-last": square.is_last, "is-asked": is_asked, "is-marked": is_marked}
    flags |= {"is-legal": bool(touches), "is-split": len(touches) > 1}
    classes = " ".join(["cell", *(name for name, is_on in flags.items() if is_on)])
    # A cell without anything to press takes the focus itself, so that arrow keys can go through all squares.
    name = "" if touches else f' tabindex="-1" aria-label="{escape(cell_words(square, is_playable=is_playable))}"'
    x, y, wide, high = (length(value) for value in (square.x, square.y, square.width, square.height))
    yield f'<g role="gridcell" class="{classes}" data-square="{escape(square.name)}"{name}>'
    mark = f'<rect class="mark" x="{x}" y="{y}" width="{wide}" height="{high}" rx="4"/>'
    # Keys and screen readers are on the cell; the script follows its link when Enter is pressed there.
    yield f'<a class="why" href="{escape(why)}" tabindex="-1" aria-hidden="true">{mark}</a>' if why else mark
    for lower, touch in touches:
        top = length(square.y + lower)
        yield f'<foreignObject x="{x}" y="{top}" width="{wide}" height="{high}">{touch}</foreignObject>'
        if lower:
            top, half = length(square.y + max(lower, 0)), length(square.height / 2)
            yield f'<rect class="half" x="{x}" y="{top}" width="{wide}" height="{half}" rx="4"/>'
    yield "</g>"


def endings(scene: Scene) -> dict[str, str]:
    """What stands after the name of a square in its moves, where squares have several (`=0`, `=1`), with its words."""
    found: dict[str, str] = {}
    for square in scene.squares:
        meanings = square.move_words or ("",) * len(square.moves)
        if len(square.moves) > 1 and all(move.startswith(square.name) for move in square.moves):
            found |= {move.removeprefix(square.name): w for move, w in zip(square.moves, meanings, strict=True)}
    return dict(sorted(found.items()))


def with_ending(square: Square, ending: str) -> str:
    """The move of the square that ends so; empty where it has none. A number to write may be any."""
    if square.prompt:
        return f"{square.prompt}{ending}" if ending.isdigit() else ""
    return next((move for move in square.moves if move == f"{square.name}{ending}"), "")


def _best(square: Square, worths: Mapping[str, Worth]) -> Worth | None:
    """What the best of the moves is worth that touch the square; None where that isn't known."""
    moves = [move for move in worths if move.startswith(square.prompt)] if square.prompt else square.moves
    return max((worths[move] for move in moves if move in worths), key=lambda one: one.order, default=None)


def _worths(scene: Scene, worths: Mapping[str, Worth]) -> Iterator[str]:
    for square in scene.squares:
        best = _best(square, worths)
        if best is None:
            continue
        is_empty = square.glyph in EMPTY_GLYPHS
        classes = f"worth is-{best.tone}{' is-best' if best.is_best else ''}{'' if is_empty else ' is-over'}"
        left, top = square.x + 0.06, square.y + 0.06
        yield _box(classes, left, top, square.width - 0.12, square.height - 0.12, 5)
        if is_empty:
            size = min(0.42, 0.8 * square.width / max(1, 0.62 * len(best.text)))
            x, y = square.x + square.width / 2, square.y + square.height / 2
        else:  # what stands in the square can be read beside it
            size, wide = 0.27, 0.12 + 0.17 * len(best.text)
            x, y = left + wide / 2, square.y + 0.17
            yield _box(f"{classes} is-tag", left, square.y + 0.02, wide, 0.3, 4)
        place = f'x="{length(x)}" y="{length(y)}" font-size="{length(size)}"'
        yield f'<text class="{classes}" {place}>{escape(best.text)}</text>'


def _box(classes: str, x: float, y: float, width: float, height: float, radius: int) -> str:
    where = f'x="{length(x)}" y="{length(y)}" width="{length(width)}" height="{length(height)}"'
    return f'<rect class="{classes}" {where} rx="{radius}"/>'


def _touches(
    square: Square, ask: str, has_room: bool, ending: str | None, worths: Mapping[str, Worth], *, is_form: bool
) -> list[tuple[float, str]]:
    """The buttons of a square or, if there is more to ask, its link; each with how far below the square it lies."""
    words = escape(cell_words(square, is_playable=True))

    def label(move: str, more: str = "") -> str:
        return f"{words}{more}" + (f", {escape(worths[move].words)}" if move in worths else "")

    if ending is not None and (move := with_ending(square, ending)):
        return [(0, _button(move, f"{words}: {escape(ending.removeprefix('='))}"))]
    if not square.prompt and len(square.moves) == 1:
        return [(0, _button(square.moves[0], label(square.moves[0])))]
    if has_room and _is_digit_wanted(square):
        # As large as the square, so that fingers hit them; they meet in its middle.
        digits = [(move, move.removeprefix(f"{square.name}=")) for move in square.moves]
        above, below = (_button(move, label(move, f": {digit}")) for move, digit in digits)
        return [(-square.height / 2, above), (square.height / 2, below)]
    if (square.prompt or square.moves) and is_form:
        best = _best(square, worths) if square.prompt else None
        more = f", {escape(best.words)}" if best else ""
        button = (
            f'<button class="touch" name="square" value="{escape(square.name)}" '
            f'data-moves="{escape(" ".join(square.moves))}" data-prompt="{escape(square.prompt)}" '
            f'aria-label="{words}{more}"></button>'
        )
        return [(0, button)]
    if square.prompt or square.moves:
        link = (
            f'<a class="touch" href="{escape(ask + square.name)}#ask" data-moves="{escape(" ".join(square.moves))}" '
            f'data-prompt="{escape(square.prompt)}" aria-label="{words}"></a>'
        )
        return [(0, link)]
    return []


def _button(value: str, words: str, name: str = "move") -> str:
    return f'<button class="touch" name="{name}" value="{escape(value)}" aria-label="{words}"></button>'


def _is_digit_wanted(square: Square) -> bool:
    """Whether its two moves write one of two digits there: `5=0`, `5=1`."""
    return len(square.moves) == 2 and all(move[:-1] == f"{square.name}=" for move in square.moves)


def _has_room(scene: Scene) -> bool:
    """Whether half a square is free above and below each row of squares."""
    rows = [next(row) for _, row in groupby(scene.squares, lambda square: square.row)]
    tops = [square.y - square.height / 2 for square in rows]
    feet = [square.y + 1.5 * square.height for square in rows]
    return all(foot <= top for foot, top in zip([0.0, *feet], [*tops, scene.height], strict=True))
