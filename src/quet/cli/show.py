"""`quet show`: a position of a record as text, or as a picture in a file, which may be an animation of the game."""

import argparse
from itertools import pairwise

from ..draw.frames import MOST_FRAMES, evenly
from ..draw.scene import Scene
from ..draw.svg import Theme, animated_svg, svg
from . import files
from .lines import BadUsage, refuse


def run(options: argparse.Namespace) -> None:
    """Print the position, or write the picture. Raises BadRecord, BadParameter and BadUsage."""
    record = files.chosen(files.load(options.file), options.game)
    plies = record.game.ply if options.ply is None else options.ply
    if not 0 <= plies <= record.game.ply:
        has = f"{record.game.ply} move{'' if record.game.ply == 1 else 's'}"
        raise BadUsage(f"The record has {has}; there is no ply {plies}.")
    if options.output is None:
        refuse(options, ["theme"], "quet show without --output")
    suffix = "" if options.output is None else files.suffix(options.output)
    if options.output is not None and suffix not in (".svg", ".png", ".gif"):
        raise BadUsage("The output must end with .svg, .png or .gif.")
    if options.animate and suffix != ".svg":
        raise BadUsage("Only an SVG can be a still picture or an animation; a .gif always is one.")
    files.check_apart({"--output": options.output}, {"FILE": options.file})
    is_animation = suffix == ".gif" or (suffix == ".svg" and options.animate)
    shown = evenly(plies + 1, MOST_FRAMES) if is_animation else [plies]
    game = record.game.at(shown[0])
    scenes = [game.scene(legal=options.legal)]
    for ply, following in pairwise(shown):
        for move in record.game.moves[ply:following]:
            game.play(move)
        scenes.append(game.scene(legal=options.legal))
    if options.output is None:
        from ..draw.text import text

        print(text(scenes[-1]))
        return
    files.write(options.output, _drawn(scenes, suffix, is_animation, options.theme))


def _drawn(scenes: list[Scene], suffix: str, is_animation: bool, theme: Theme) -> bytes:
    if suffix == ".svg":
        return (animated_svg(scenes, theme=theme) if is_animation else svg(scenes[-1], theme=theme)).encode()
    from ..draw.raster import gif, png

    if theme == "auto":  # a PNG or GIF can't follow its reader
        theme = "light"
    return gif(scenes, theme=theme) if is_animation else png(scenes[-1], theme=theme)
