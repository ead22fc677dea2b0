"""Pictures as files: a position as SVG or PNG, and a game as an animated GIF.

The workshop draws them, and the latest are kept.
"""

from collections import OrderedDict
from collections.abc import Sequence

from starlette.responses import Response

from ..draw.raster import gif, png
from ..draw.svg import svg
from ..game import Game, new
from .i18n import language, said_scene
from .steps import Step
from .turns import Asker
from .workshop import Workshop

MOST_FRAMES = 100  # of a GIF
MOST_SHAPES = 60_000  # in all its frames together
GIF_SCALE = 20  # pixels a board unit
MOST_KEPT = 16_000_000  # bytes of pictures
KINDS = {"svg": "image/svg+xml", "png": "image/png", "gif": "image/gif"}
# A picture that is opened by itself may have its own style sheet, and nothing else.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

Key = tuple[str, tuple[tuple[str, str], ...], tuple[str, ...], str, str]


class Pictures:
    """Has pictures drawn, and keeps the latest ones."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._size = 0

    async def picture(self, asker: Asker, game: Game, ply: int, kind: str) -> bytes:
        """The position after so many moves, or for a GIF the game until then; `kind` is one of KINDS.

        Raises Busy and TooLong.
        """
        parameters = tuple((name, str(value)) for name, value in game.parameters.items())
        key = game.id, parameters, tuple(game.moves[:ply]), kind, language()
        found = self._kept.get(key)
        if found is None:
            found = await self._workshop.do(asker, draw, *key[:4])
            self._keep(key, found)
        else:
            self._kept.move_to_end(key)
        return found

    def _keep(self, key: Key, picture: bytes) -> None:
        self._size += len(picture) - len(self._kept.get(key, b""))
        self._kept[key] = picture
        while self._size > MOST_KEPT:
            _, oldest = self._kept.popitem(last=False)
            self._size -= len(oldest)


def draw(id: str, parameters: Sequence[tuple[str, str]], moves: Sequence[str], kind: str) -> bytes:
    """The picture of a game after these moves."""
    game = new(id, **dict(parameters))
    for move in moves:
        game.play(move)
    last = said_scene(game.scene(legal=False))
    if kind == "svg":
        return svg(last).encode()
    if kind == "png":
        return png(last)
    before = (said_scene(Step(game, ply).scene) for ply in _frames(game.ply, len(last.shapes)))
    return gif([*before, last], scale=GIF_SCALE)


def _frames(ply: int, num_shapes: int) -> Sequence[int]:
    """The plies that a GIF shows, without the last one; evenly spread if there are many."""
    most = min(MOST_FRAMES, max(2, MOST_SHAPES // num_shapes)) - 1
    return range(ply) if ply <= most else [k * ply // most for k in range(most)]


def svg_response(text: str | bytes) -> Response:
    """An answer with an SVG, which may have its own style sheet."""
    return Response(text, media_type=KINDS["svg"], headers={"Content-Security-Policy": POLICY})
