"""Pictures as files: a position as SVG or PNG, and a game as an animated GIF.

The workshop draws them, and the latest are kept.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from html import escape

from markupsafe import Markup
from starlette.responses import Response

from ..draw.frames import evenly
from ..draw.raster import gif, png
from ..draw.scene import Scene
from ..draw.svg import length, shapes_svg, svg
from ..game import Game
from ..starts import after_moves, start_line
from .i18n import language, said_scene
from .match import SiteMatch
from .steps import Step

MOST_FRAMES = 100  # of a GIF
MOST_SHAPES = 60_000  # in all its frames together
GIF_SCALE = 20  # pixels a board unit
MOST_KEPT = 16_000_000  # bytes of pictures and of the digests under which they are kept
POINT = 0.7  # board units, the side of what can be clicked around a point of a plot
KINDS = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif"}
# A picture that is opened by itself may have its own style sheet, and nothing else.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

Key = tuple[str, tuple[tuple[str, str], ...], tuple[str, ...], str, str, str]


def key_of(game: Game, ply: int, kind: str) -> Key:
    """What tells pictures apart: a game after so many moves, the kind of file, and the language of the request."""
    parameters = tuple((name, str(value)) for name, value in game.parameters.items())
    return game.id, parameters, tuple(game.moves[:ply]), start_line(game), kind, language()


class Pictures:
    """The latest pictures that were drawn."""

    def __init__(self) -> None:
        self._kept: OrderedDict[bytes, bytes] = OrderedDict()  # by the digest of the key
        self._size = 0

    def get(self, key: Key) -> bytes | None:
        """The picture, if it is still kept."""
        digest = _digest(key)
        if digest in self._kept:
            self._kept.move_to_end(digest)
        return self._kept.get(digest)

    def keep(self, key: Key, picture: bytes) -> None:
        """Keep a picture, and forget those that were asked for least lately."""
        digest = _digest(key)
        if digest in self._kept:
            self._size -= len(digest) + len(self._kept.pop(digest))
        self._kept[digest] = picture
        self._size += len(digest) + len(picture)
        while self._size > MOST_KEPT:
            forgotten, oldest = self._kept.popitem(last=False)
            self._size -= len(forgotten) + len(oldest)


def _digest(key: Key) -> bytes:
    """What a picture is kept under: the key itself holds all moves, which may take more room than the picture."""
    return hashlib.sha256(repr(key).encode()).digest()


def draw(id: str, parameters: Sequence[tuple[str, str]], moves: Sequence[str], start: str, kind: str) -> bytes:
    """The picture of a game after these moves, or for a GIF the game until then; `kind` is one of KINDS."""
    game = after_moves(id, dict(parameters), moves, start)
    last = said_scene(game.scene(legal=False))
    if kind == "svg":
        return svg(last).encode()
    if kind == "png":
        return png(last)
    plies = evenly(game.ply + 1, min(MOST_FRAMES, max(2, MOST_SHAPES // len(last.shapes))))
    return gif([said_scene(Step(game, ply).scene) for ply in plies], scale=GIF_SCALE)


def card(match: SiteMatch) -> str:
    """The address of the picture of links to a game: its board, but in a race another, which gives nothing away."""
    return f"/card/{match.game.id}.png" if match.row.race else f"/play/{match.id}/picture.png"


def svg_response(text: str | bytes) -> Response:
    """An answer with an SVG, which may have its own style sheet."""
    return Response(text, media_type=KINDS["svg"], headers={"Content-Security-Policy": POLICY})


def plot_html(scene: Scene, points: Sequence[tuple[int, float, float]] = (), base: str = "", form: str = "") -> Markup:
    """A plot as a picture in the page, with its description.

    Its `points`, each after so many moves, can be clicked: they lead to the address `base` with the number of moves and
    `#board`, or are buttons `at` of the `form` of this id. Keys and screen readers have the list of moves.
    """
    wide, high = length(scene.width), length(scene.height)

    def target(ply: int, x: float, y: float) -> str:
        left, top, size = length(x - POINT / 2), length(y - POINT / 2), length(POINT)
        place = f'x="{left}" y="{top}" width="{size}" height="{size}"'
        if form:
            button = f'<button class="point" form="{form}" name="at" value="{ply}" tabindex="-1"></button>'
            return f"<foreignObject {place}>{button}</foreignObject>"
        href = escape(f"{base}{ply}#board")
        return f'<a class="point" href="{href}" tabindex="-1"><rect {place} rx="8"/></a>'

    shapes = shapes_svg(scene)
    inside = f'<g role="img" aria-label="{escape(f"{scene.title}. {scene.notes[0]}")}">{shapes}</g>'
    if points:
        inside += f'<g aria-hidden="true">{"".join(target(*point) for point in points)}</g>'
    return Markup(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot quet-auto" viewBox="0 0 {wide} {high}">{inside}</svg>'
    )
