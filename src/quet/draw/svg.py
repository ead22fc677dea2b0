"""Scenes as SVG. Each document stands alone, and one HTML page can hold several.

Each document has one style sheet, with a class for each role that it uses. The colours are light, or dark if the reader
prefers dark. Class names begin with `quet-`, and equal names always have equal rules, so that documents don't affect
each other.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal
from xml.sax.saxutils import escape, quoteattr

from .frames import MOST_FRAMES, evenly
from .palette import ROLES, colour
from .scene import BASELINE, Circle, Line, Polygon, Rectangle, Scene, Shape, Text, signed

Theme = Literal["auto", "light", "dark"]

UNIT = 40  # pixels a board unit
LAST_SCENE = 4  # the last scene of an animation is shown so many times as long as the others
FONTS = "Inter,'Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif"  # as wide as the font of raster.py


def svg(scene: Scene, *, title: bool = True, theme: Theme = "auto") -> str:
    """The scene as a self-contained SVG document, the same text every time.

    With `title` it has a name and a description for screen readers; without, it is marked as decoration. Raises
    BrokenRules for a role that the palette doesn't have.
    """
    body = [_element(shape, theme) for shape in scene.shapes]
    return _document(scene, (scene.width, scene.height), _rules(scene.shapes, theme), body, theme, title=title)


def shapes_svg(scene: Scene) -> str:
    """The shapes of the scene alone, in the units of `length`, for an SVG element of the class `quet-auto`.

    Their colours come from `style_sheet`. Raises BrokenRules for a role that the palette doesn't have.
    """
    for shape in scene.shapes:
        colour(shape.role, "light")
    return "\n".join(_element(shape, "auto") for shape in scene.shapes)


def style_sheet() -> str:
    """The rules of every role, for pages that hold many pictures and allow no style sheet inside them."""
    return _style_sheet([(role, is_line) for role in sorted(ROLES) for is_line in (False, True)], "auto")


def animated_svg(scenes: Sequence[Scene], *, seconds: float = 0.7, theme: Theme = "auto") -> str:
    """The scenes one after another, `seconds` each, as one SVG document that repeats; the last one stays longer.

    All have the size of the largest. A reader who asked for less motion sees the last scene only, and so does one whose
    program doesn't animate. A shape that stays from scene to scene is written once, so that the file of a long record
    is small. Of more than 400 scenes 400 are shown, evenly spaced and with the last one. Raises ValueError for no
    scenes at all, and BrokenRules for a role that the palette doesn't have.
    """
    if not scenes:
        raise ValueError("An animation needs at least one scene.")
    scenes = [scenes[index] for index in evenly(len(scenes), MOST_FRAMES)]
    end, ticks = len(scenes) - 1, len(scenes) + LAST_SCENE - 1
    milliseconds = round(1000 * seconds * ticks)
    lives = list(_lives(scenes))
    body: list[str] = []
    frames: dict[str, str] = {}
    for (first, last), group in groupby(lives, lambda life: (life.first, life.last)):
        elements = [_element(life.shape, theme) for life in group]
        if (first, last) == (0, end):
            body += elements
            continue
        name = f"quet-{first}-{last}-{ticks}-{milliseconds}"
        frames[name] = _frames(first / ticks, 1 if last == end else (last + 1) / ticks)
        hidden = "" if last == end else ' visibility="hidden"'
        body += [f'<g class="{name}"{hidden}>', *elements, "</g>"]
    rules = _rules((life.shape for life in lives), theme)
    rules += "".join(f"@keyframes {name}{{{steps}}}" for name, steps in frames.items())
    moving = (f".{name}{{animation:{name} {milliseconds}ms step-end infinite}}" for name in frames)
    rules += f"@media (prefers-reduced-motion:no-preference){{{''.join(moving)}}}"
    size = max(scene.width for scene in scenes), max(scene.height for scene in scenes)
    return _document(scenes[-1], size, rules, body, theme, title=True)


@dataclass(slots=True)
class _Life:
    """A shape, and the scenes from `first` to `last` in which it is seen."""

    shape: Shape
    first: int
    last: int
    after: "_Life | None" = None  # the one painted next


def _lives(scenes: Sequence[Scene]) -> Iterator[_Life]:
    """The lives in an order of painting that is right for every scene. A new shape comes right after the one it
    follows.
    """
    begin = _Life(Circle(0, 0, 0, ""), -1, -1)  # painted before all others, and not itself
    before: list[_Life] = []
    for number, scene in enumerate(scenes):
        now: list[_Life] = []
        shapes = [life.shape for life in before]
        matcher = SequenceMatcher(None, shapes, scene.shapes, autojunk=False)
        for change, old, old_end, new, new_end in matcher.get_opcodes():
            if change == "equal":
                now += before[old:old_end]
                continue
            for shape in scene.shapes[new:new_end]:
                place = now[-1] if now else begin
                fresh = _Life(shape, number, number, place.after)
                place.after = fresh
                now.append(fresh)
        for life in now:
            life.last = number
        before = now
    painted = begin.after
    while painted is not None:
        yield painted
        painted = painted.after


def _frames(shown: float, gone: float) -> str:
    """The key frames of a shape that is seen from `shown` to `gone`, which are parts of the whole time from 0 to 1."""
    steps = "" if shown == 0 else "0%{visibility:hidden}"
    steps += f"{_number(100 * shown)}%{{visibility:visible}}"
    return steps + ("100%{visibility:visible}" if gone == 1 else f"{_number(100 * gone)}%,to{{visibility:hidden}}")


def _document(
    scene: Scene, size: tuple[float, float], rules: str, body: Sequence[str], theme: Theme, *, title: bool
) -> str:
    wide, high = length(size[0]), length(size[1])
    about = f"<title>{_plain(scene.title)}</title>\n" if title else ""
    if title and scene.description:
        about += f"<desc>{_plain(scene.description)}</desc>\n"
    name = f'role="img" aria-label={quoteattr(_printable(scene.title))}' if title else 'aria-hidden="true"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="quet-{theme}" {name} '
        f'width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">\n'
        f"{about}<style>{rules}</style>\n"
        f'<rect class="quet-{theme}-paper" width="{wide}" height="{high}"/>\n' + "\n".join(body) + "\n</svg>\n"
    )


def _rules(shapes: Iterable[Shape], theme: Theme) -> str:
    """The style sheet. A role colours the stroke of a line, and the fill of other shapes."""
    return _style_sheet(sorted({(shape.role, isinstance(shape, Line)) for shape in shapes} | {("paper", False)}), theme)


def _style_sheet(used: Sequence[tuple[str, bool]], theme: Theme) -> str:
    def colours(paper: Literal["light", "dark"]) -> str:
        return "".join(
            f".quet-{theme}-{role}-line{{stroke:{colour(role, paper)}}}"
            if is_line
            else f".quet-{theme}-{role}{{fill:{colour(role, paper)}}}"
            for role, is_line in used
        )

    common = (
        f".quet-{theme}{{max-width:100%;height:auto}}"
        f".quet-{theme} text{{font-family:{FONTS};font-variant-numeric:lining-nums tabular-nums}}"
        f".quet-{theme} polyline{{fill:none;stroke-linecap:round;stroke-linejoin:round}}"
    )
    if theme != "auto":
        return common + colours(theme)
    return f"{common}{colours('light')}@media (prefers-color-scheme:dark){{{colours('dark')}}}"


def _element(shape: Shape, theme: Theme) -> str:
    name = f'class="quet-{theme}-{shape.role}"'
    match shape:
        case Rectangle():
            corners = f' rx="{length(shape.radius)}"' if shape.radius else ""
            return (
                f'<rect {name} x="{length(shape.x)}" y="{length(shape.y)}" '
                f'width="{length(shape.width)}" height="{length(shape.height)}"{corners}/>'
            )
        case Circle():
            return f'<circle {name} cx="{length(shape.x)}" cy="{length(shape.y)}" r="{length(shape.radius)}"/>'
        case Line():
            return (
                f'<polyline class="quet-{theme}-{shape.role}-line" points="{_points(shape.points)}" '
                f'stroke-width="{length(shape.width)}"/>'
            )
        case Polygon():
            return f'<polygon {name} points="{_points(shape.points)}"/>'
        case Text():
            return (
                f'<text {name} x="{length(shape.x)}" y="{length(shape.y + BASELINE * shape.size)}" '
                f'font-size="{length(shape.size)}" text-anchor="{shape.anchor}">{_plain(signed(shape.text))}</text>'
            )


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{length(x)},{length(y)}" for x, y in points)


def length(units: float) -> str:
    """A length in board units, as the SVG has it."""
    return _number(units * UNIT)


def _number(value: float) -> str:
    """The number with at most three decimal places, and never -0."""
    return f"{round(value, 3) + 0.0:.3f}".rstrip("0").rstrip(".")


def _plain(text: str) -> str:
    return escape(_printable(text))


def _printable(text: str) -> str:
    """The text without the characters that XML forbids."""
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)
