"""The little boards of the home page: a short game of each kind, by a player that looks one move ahead.

Nothing here is made for one game, so a ninth game has its little board too.
"""

import random
import threading
from dataclasses import replace
from functools import lru_cache

from starlette.concurrency import run_in_threadpool

from .. import catalog
from ..core.errors import BrokenRules, UnknownGame
from ..core.parameters import AnyParameter, Parameter
from ..draw.legend import without_legend
from ..draw.raster import png
from ..draw.scene import Circle, Line, Polygon, Scene, Shape
from ..draw.svg import animated_svg, svg
from ..game import Game, new
from .catalogs import SOURCE
from .i18n import said_scene, speaking

SMALL = {"n": 5, "m": 8, "r": 12}  # the most for a picture that is read on a phone, by the usual names of sizes
SCENES = 32  # at most
SECONDS = 1.1  # each
MARGIN = 0.5  # board units
CELL = 280, 260  # width and height of each in the picture of all
TRIES = 12  # games, of which the best is shown
LOOKED_AT = 60  # legal moves

_playing = threading.Lock()


@lru_cache(maxsize=100)
def living_board(id: str, language: str, *, is_still: bool = False) -> str:
    """A short game as an animated SVG that repeats, or its last position only.

    It is still where the reader prefers reduced motion. Raises UnknownGame.
    """
    game = _short_game(id)
    with speaking(language):
        if is_still:
            return svg(said_scene(_little(game.scene(legal=False))))
        return animated_svg([said_scene(_little(scene)) for scene in _scenes(game)], seconds=SECONDS)


@lru_cache(maxsize=8)
def living_boards(language: str, *, is_still: bool = False) -> str:
    """The little boards of all games in one SVG, since a request for each would make the page slow.

    Each is in a cell of its own, below the others. The picture shows the first, and with `#ID` that of a game.
    """
    cells = []
    for number, entry in enumerate(catalog.playable()):
        top, board = number * CELL[1], living_board(entry.id, language, is_still=is_still)
        size = board.partition('viewBox="')[2].partition('"')[0]
        cells.append(
            f'<view id="{entry.id}" viewBox="0 {top} {CELL[0]} {CELL[1]}"/>\n'
            f'<svg y="{top}" width="{CELL[0]}" height="{CELL[1]}" viewBox="{size}">\n{board}</svg>\n'
        )
    size = f'width="{CELL[0]}" height="{CELL[1]}" viewBox="0 0 {CELL[0]} {CELL[1]}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{"".join(cells)}</svg>\n'


def card(id: str, language: str) -> bytes:
    """The last position of the short game as PNG, as wide as links are shown. Raises UnknownGame."""
    game = _short_game(id)
    with speaking(language):
        return png(said_scene(without_legend(game.scene(legal=False))))


def _little(scene: Scene) -> Scene:
    """The board without what stands below it; and without what stands beside it, where that takes most of the width."""
    scene = without_legend(scene)
    right = max((square.x + square.width for square in scene.squares), default=scene.width)
    if right > scene.width / 2:
        return scene
    shapes = tuple(shape for shape in scene.shapes if _left(shape) < right + MARGIN)
    return replace(scene, width=right + MARGIN, shapes=shapes)


def _left(shape: Shape) -> float:
    match shape:
        case Line(points) | Polygon(points):
            return min(x for x, _ in points)
        case Circle():
            return shape.x - shape.radius
        case _:
            return shape.x


async def draw_all() -> None:
    """Draw all little boards, so that nobody who asks for them later waits."""
    for id in catalog.ids():
        try:
            await run_in_threadpool(living_board, id, SOURCE)
        except (BrokenRules, UnknownGame):  # a broken game of another package; the home page leaves it out too
            continue


def _scenes(game: Game) -> list[Scene]:
    """The positions of the game, from where there is something to see."""
    shown = new(game.id, **game.parameters)
    for move in game.moves[: game.ply // 4]:
        shown.play(move)
    scenes = [shown.scene(legal=False)]
    for move in game.moves[shown.ply :]:
        shown.play(move)
        scenes.append(shown.scene(legal=False))
    return scenes


def _short_game(id: str) -> Game:
    with _playing:  # a first home page asks for all at once, and each once for those who want it still
        return _best_game(id)


@lru_cache(maxsize=64)
def _best_game(id: str) -> Game:
    games = [_play(id, random.Random(seed)) for seed in range(TRIES)]
    if games[0].num_players > 1:
        return max(games, key=lambda game: game.ply)
    sign = -1 if games[0].rules.LOWER_IS_BETTER else 1
    return max(games, key=lambda game: sign * game.scores[0])


def _play(id: str, chance: random.Random) -> Game:
    rules = new(id).rules
    game = new(id, **{p.name: _small(p) for p in rules.PARAMETERS if isinstance(p, Parameter)})
    seen, not_looked_at = set[tuple[object, ...]](), [game]  # a look takes longest
    while not game.is_over and game.ply < SCENES:
        moves, player = game.legal_moves, game.mover or 1
        found = [_after(game, move) for move in chance.sample(moves, min(len(moves), LOOKED_AT))]
        found.sort(key=lambda after: _lead(after, player), reverse=True)
        game = found[0]
        if game.num_players > 1 and len(found) > 1 and any(after.mover == player for after in found):
            seen.update(_look(earlier) for earlier in not_looked_at)
            not_looked_at.clear()
            game = next((after for after in found if _look(after) not in seen), game)
        not_looked_at.append(game)
    return game


def _small(parameter: AnyParameter) -> object:
    return min(parameter.default, SMALL.get(parameter.name, parameter.default))


def _after(game: Game, move: str) -> Game:
    after = game.copy()
    after.play(move)
    return after


def _look(game: Game) -> tuple[object, ...]:
    """What the squares look like. A game that comes back to the same look is not worth showing."""
    return tuple((square.glyph, square.is_last) for square in game.scene(legal=False).squares)


def _lead(game: Game, player: int) -> int:
    """The player's score less the best of the others'."""
    scores = [-score if game.rules.LOWER_IS_BETTER else score for score in game.scores]
    mine = scores.pop(player - 1)
    return mine - max(scores, default=0)
