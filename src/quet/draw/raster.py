"""Scenes as pixels: PNG and animated GIF. Drawn three times as large and averaged, so that edges are smooth."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from io import BytesIO
from math import ceil, sqrt
from typing import Literal

from PIL import Image, ImageColor, ImageDraw, ImageFont

from .frames import MOST_FRAMES, evenly
from .palette import colour
from .scene import BASELINE, Circle, Line, Polygon, Rectangle, Scene, Shape, Text, signed

Theme = Literal["light", "dark"]

FINER = 3  # pixels drawn for each pixel of the image, in each direction
MOST_PIXELS = 4_000_000  # in a PNG
MOST_ANIMATED_PIXELS = 40_000_000  # in all frames of a GIF together
LAST_FRAME = 4  # the last frame is shown so many times as long as the others
MINUS_WIDTH, MINUS_HEIGHT = 0.5, 0.075  # of a drawn minus, as parts of the font's size
ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}  # at the foot of the letters


def png(scene: Scene, *, scale: float = 48, theme: Theme = "light") -> bytes:
    """The scene as a PNG file, `scale` pixels a board unit, or fewer where it would have over 4 million pixels.

    Raises BrokenRules for a role that the palette doesn't have.
    """
    scale = min(scale, sqrt(MOST_PIXELS / (scene.width * scene.height)))
    file = BytesIO()
    _image(scene, scene.width, scene.height, scale, theme).save(file, "PNG", optimize=True)
    return file.getvalue()


def gif(scenes: Sequence[Scene], *, milliseconds: int = 700, scale: float = 32, theme: Theme = "light") -> bytes:
    """The scenes one after another, as a GIF that repeats. All frames have the size of the largest scene, and the last
    one stays longer.

    The more scenes there are, the smaller the images. If there are more than 400, it shows 400 of them, evenly spaced
    and with the last one. Raises ValueError for no scenes at all, and BrokenRules for a role that the palette doesn't
    have.
    """
    if not scenes:
        raise ValueError("An animation needs at least one scene.")
    shown = [scenes[index] for index in evenly(len(scenes), MOST_FRAMES)]
    width, height = max(scene.width for scene in shown), max(scene.height for scene in shown)
    scale = min(scale, sqrt(MOST_ANIMATED_PIXELS / (len(shown) * width * height)))
    colours = _colours({shape.role for scene in shown for shape in scene.shapes}, theme)
    frames = [
        _image(scene, width, height, scale, theme).quantize(palette=colours, dither=Image.Dither.NONE)
        for scene in shown
    ]
    durations = [milliseconds] * (len(frames) - 1) + [LAST_FRAME * milliseconds]
    file = BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0)
    return file.getvalue()


def _image(scene: Scene, width: float, height: float, scale: float, theme: Theme) -> Image.Image:
    size = (max(1, ceil(width * scale)) * FINER, max(1, ceil(height * scale)) * FINER)
    image = Image.new("RGB", size, colour("paper", theme))
    pen = ImageDraw.Draw(image)
    for shape in scene.shapes:
        _draw(pen, shape, scale * FINER, theme)
    return image.reduce(FINER)


def _draw(pen: ImageDraw.ImageDraw, shape: Shape, unit: float, theme: Theme) -> None:
    ink = colour(shape.role, theme)
    match shape:
        case Rectangle(x, y, width, height, _, radius):
            # A pixel box includes its last row and column.
            box = (x * unit, y * unit, max(x, x + width - 1 / unit) * unit, max(y, y + height - 1 / unit) * unit)
            pen.rounded_rectangle(box, radius * unit, fill=ink)
        case Circle(x, y, radius):
            pen.ellipse(_around(x * unit, y * unit, radius * unit), fill=ink)
        case Line(points, _, width):
            corners = [(x * unit, y * unit) for x, y in points]
            thickness = max(1, round(width * unit))
            pen.line(corners, fill=ink, width=thickness)
            if thickness > 2:
                for x, y in corners:  # round ends and joints
                    pen.ellipse(_around(x, y, (thickness - 1) / 2), fill=ink)
        case Polygon(points):
            pen.polygon([(x * unit, y * unit) for x, y in points], fill=ink)
        case Text(x, y, text, _, size, anchor):
            font, foot = _font(round(size * unit)), (y + BASELINE * size) * unit
            if signed(text) == text:
                pen.text((x * unit, foot), text, fill=ink, font=font, anchor=ANCHORS[anchor])
                return
            # The font lacks a true minus, so it is drawn: as wide as a plus, with a small gap before a number.
            stroke, rest = MINUS_WIDTH * size * unit, text[1:]
            whole = stroke + (0.08 * size * unit + font.getlength(rest) if rest else 0)
            left = x * unit - whole * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
            half = MINUS_HEIGHT * size * unit / 2
            pen.rectangle((left, y * unit - half, left + stroke, y * unit + half), fill=ink)
            pen.text((left + whole, foot), rest, fill=ink, font=font, anchor="rs")


def _around(x: float, y: float, radius: float) -> tuple[float, float, float, float]:
    return (x - radius, y - radius, x + radius, y + radius)


@lru_cache(maxsize=64)
def _font(pixels: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(max(1, pixels))


def _colours(roles: Iterable[str], theme: Theme) -> Image.Image:
    """At most 256 colours: those of the roles and, for smooth edges, three steps from each to its usual background."""
    plain = [ImageColor.getrgb(colour(role, theme))[:3] for role in ("paper", "square", "filled", *sorted(roles))]
    chosen: dict[tuple[int, ...], None] = dict.fromkeys(plain)
    for ground in plain[:3]:
        for ink in plain[3:]:
            for part in (1, 2, 3):
                mixed = [(part * a + (4 - part) * b) // 4 for a, b in zip(ink, ground, strict=True)]
                chosen[tuple(mixed)] = None
    image = Image.new("P", (1, 1))
    image.putpalette([level for rgb in list(chosen)[:256] for level in rgb])
    return image
