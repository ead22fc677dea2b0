"""Pictures as files: a position as SVG or PNG, and a game as an animated GIF.

Few are drawn at a time; some are cached.
"""

import threading
from collections.abc import Sequence
from functools import lru_cache

from starlette.responses import Response

from ..core.messages import say
from ..draw.raster import gif, png
from ..draw.svg import svg
from ..game import Game, new
from .errors import TooMany
from .i18n import language, said_scene
from .steps import Step

MOST_FRAMES = 100  # of a GIF
MOST_SHAPES = 60_000  # in all its frames together
GIF_SCALE = 20  # pixels a board unit
PATIENCE = 10.0  # seconds that a picture waits for its turn
KINDS = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif"}
# A picture that is opened by itself may have its own style sheet, and nothing else.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

_pen = threading.Lock()


def picture(game: Game, ply: int, kind: str) -> bytes:
    """The position after so many moves, or for a GIF the game until then; `kind` is one of KINDS.

    Raises TooMany when too many pictures wait to be drawn.
    """
    if kind == "svg":
        return svg(said_scene(Step(game, ply).scene)).encode()
    parameters = tuple((name, str(value)) for name, value in game.parameters.items())
    return _kept(game.id, parameters, tuple(game.moves[:ply]), kind, language())


@lru_cache(maxsize=100)
def _kept(id: str, parameters: tuple[tuple[str, str], ...], moves: tuple[str, ...], kind: str, language: str) -> bytes:
    if not _pen.acquire(timeout=PATIENCE):
        raise TooMany(say("Many pictures are being drawn just now; try again in a moment."))
    try:
        game = new(id, **dict(parameters))
        for move in moves:
            game.play(move)
        last = said_scene(game.scene(legal=False))
        if kind == "png":
            return png(last)
        before = (said_scene(Step(game, ply).scene) for ply in _frames(game.ply, len(last.shapes)))
        return gif([*before, last], scale=GIF_SCALE)
    finally:
        _pen.release()


def _frames(ply: int, num_shapes: int) -> Sequence[int]:
    """The plies that a GIF shows, without the last one; evenly spread if there are many."""
    most = min(MOST_FRAMES, max(2, MOST_SHAPES // num_shapes)) - 1
    return range(ply) if ply <= most else [k * ply // most for k in range(most)]


def svg_response(text: str | bytes) -> Response:
    """An answer with an SVG, which may have its own style sheet."""
    return Response(text, media_type=KINDS["svg"], headers={"Content-Security-Policy": POLICY})
