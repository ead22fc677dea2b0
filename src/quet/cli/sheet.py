"""`quet sheet`: the board of a game to print, with room for names and scores."""

from ..core.errors import BadParameter
from ..game import new
from ..study.sheet import sheet
from . import files

DOTS = 80  # of a PNG, for each unit of a sheet: about 200 an inch on A4


def run(game: str, parameters: dict[str, str], output: str) -> None:
    """Write the sheet as SVG or PNG; raises UnknownGame and BadParameter."""
    suffix = files.suffix(output)
    if suffix not in (".svg", ".png"):
        raise BadParameter("The output must end with .svg or .png, or be -.")
    files.check_apart({"--output": output}, files.of_parameters(parameters))
    scene = sheet(new(game, **parameters))
    if suffix == ".svg":
        from ..draw.svg import svg

        content = svg(scene, theme="light").encode()
    else:
        from ..draw.raster import png

        content = png(scene, scale=DOTS, theme="light")
    files.write(output, content)
