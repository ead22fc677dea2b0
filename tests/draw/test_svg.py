import re
from itertools import islice
from xml.etree import ElementTree

import pytest

import quet
from conftest import play_at_random, small_games
from quet.core.errors import BrokenRules
from quet.draw.scene import Circle, Line, Polygon, Rectangle, Scene, Shape, Text
from quet.draw.svg import animated_svg, shapes_svg, style_sheet, svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
SHAPES: tuple[Shape, ...] = (
    Rectangle(0, 0.5, 1, 1 / 3, "square", 0.1),
    Circle(1, 1, 0.5, "filled"),
    Line(((0, 0), (1, 2)), "path", 0.05),
    Polygon(((0, 0), (1, 0), (1, 1)), "tint"),
    Text(2, 1, "7", "ink", 0.4, "end"),
)


def picture(*shapes: Shape, title: str = "A title", width: float = 4, notes: tuple[str, ...] = ()) -> Scene:
    return Scene(title, width, 3, shapes, (), notes=notes)


def elements(document: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(document))


def style(document: str) -> str:
    return ElementTree.fromstring(document).findtext(f"{NAMESPACE}style") or ""


def test_each_shape_is_drawn_in_forty_pixels_a_unit() -> None:
    *_, rectangle, circle, line, polygon, text = elements(svg(picture(*SHAPES)))
    assert rectangle.attrib == {
        "class": "quet-auto-square", "x": "0", "y": "20", "width": "40", "height": "13.333", "rx": "4",
    }  # fmt: skip
    assert circle.attrib == {"class": "quet-auto-filled", "cx": "40", "cy": "40", "r": "20"}
    assert line.attrib == {"class": "quet-auto-path-line", "points": "0,0 40,80", "stroke-width": "2"}
    assert polygon.attrib == {"class": "quet-auto-tint", "points": "0,0 40,0 40,40"}
    assert (text.text, text.get("x"), text.get("font-size"), text.get("text-anchor")) == ("7", "80", "16", "end")


def test_the_document_is_as_large_as_the_scene_and_is_an_image_with_a_name() -> None:
    root = ElementTree.fromstring(svg(picture(notes=("First.", "Second."))))
    assert root.get("viewBox") == "0 0 160 120"
    assert (root.get("role"), root.get("aria-label")) == ("img", "A title")
    assert root.findtext(f"{NAMESPACE}title") == "A title"
    assert root.findtext(f"{NAMESPACE}desc") == "First. Second."


def test_without_a_title_it_is_decoration() -> None:
    root = ElementTree.fromstring(svg(picture(notes=("First.",)), title=False))
    assert root.get("aria-hidden") == "true"
    assert root.get("role") is None
    assert root.find(f"{NAMESPACE}title") is None


def test_hostile_text_stays_text() -> None:
    hostile = "<script>\"'&]]>\x00\x1b"
    root = ElementTree.fromstring(svg(picture(Text(0, 0, hostile, "ink"), title=hostile, notes=(hostile,))))
    assert root.findtext(f"{NAMESPACE}text") == "<script>\"'&]]>\ufffd\ufffd"
    assert root.get("aria-label") == "<script>\"'&]]>\ufffd\ufffd"
    assert not list(root.iter(f"{NAMESPACE}script"))


def test_a_hyphen_before_a_number_is_a_true_minus() -> None:
    drawn = [Text(0, 0, word, "ink") for word in ("-", "-12", "a-b", "--")]
    assert [e.text for e in elements(svg(picture(*drawn))) if e.tag.endswith("text")] == ["−", "−12", "a-b", "--"]


def test_only_the_roles_used_have_rules() -> None:
    rules = style(svg(picture(Line(((0, 0), (1, 1)), "path"), Circle(1, 1, 1, "last"))))
    assert set(re.findall(r"\.quet-auto-([\w-]+)\{", rules)) == {"paper", "path-line", "last"}


def test_dark_colours_are_used_where_the_reader_prefers_them_or_always_on_request() -> None:
    ink = picture(Text(0, 0, "1", "ink"))
    light, dark = style(svg(ink)).split("@media (prefers-color-scheme:dark)")
    assert "#1f1d1a" in light and "#eceae5" in dark
    assert "#eceae5" in style(svg(ink, theme="dark")) and "#1f1d1a" not in style(svg(ink, theme="dark"))
    assert "@media" not in style(svg(ink, theme="light"))


def test_documents_in_one_page_never_change_each_others_colours() -> None:
    rules: dict[str, str] = {}
    for theme in ("auto", "light", "dark"):
        for shapes in (SHAPES, SHAPES[:2]):
            every_rule = style(svg(picture(*shapes), theme=theme)).split("@media")[0]
            for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", every_rule):
                assert selector.startswith(f".quet-{theme}")
                assert rules.setdefault(selector, body) == body


def test_the_same_scene_is_always_the_same_text_and_no_number_is_long() -> None:
    scene = picture(Circle(1 / 3, -0.00001, 2 / 3, "ink"))
    assert svg(scene) == svg(scene)
    assert 'cx="13.333" cy="0" r="26.667"' in svg(scene)


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(BrokenRules, match="'pink'"):
        svg(picture(Circle(0, 0, 1, "pink")))


@pytest.mark.parametrize("small", list(small_games()), ids=repr)
def test_every_game_is_drawn_as_well_formed_xml(small: quet.Game) -> None:
    game = small.copy()
    ElementTree.fromstring(svg(game.scene()))
    for now in play_at_random(game, 5, limit=30):
        ElementTree.fromstring(svg(now.scene(), title=False))


def seen(document: str, number: int) -> list[str]:
    """The shapes that the animation shows in frame `number`, in the order of painting, read off its key frames."""
    spans = {
        name: (float(steps.split("%{visibility:visible}")[0].split("}")[-1]), steps)
        for name, steps in re.findall(r"@keyframes ([\w-]+)\{((?:[^{}]*\{[^{}]*\})*)\}", style(document))
    }
    shown: list[str] = []
    for element in elements(document):
        if element.tag != f"{NAMESPACE}g":
            shown.append(ElementTree.tostring(element, encoding="unicode"))
            continue
        name = element.get("class") or ""
        ticks = int(name.split("-")[-2])
        begin, steps = spans[name]
        gone = re.search(r"([\d.]+)%,to\{visibility:hidden\}", steps)
        end = float(gone[1]) if gone else 100.0
        if begin <= (number + 0.5) * 100 / ticks < end:
            shown += [ElementTree.tostring(child, encoding="unicode") for child in element]
    return shown


def drawn(document: str) -> list[str]:
    return [ElementTree.tostring(element, encoding="unicode") for element in elements(document)]


def body(shown: list[str]) -> list[str]:
    return [element for element in shown if not re.match(r"<\S*(title|desc|style)", element)]


@pytest.mark.parametrize("small", list(small_games()), ids=repr)
def test_each_frame_of_an_animation_shows_exactly_its_scene(small: quet.Game) -> None:
    game = small.copy()
    scenes = [game.scene(legal=False)]
    scenes += [now.scene(legal=False) for now in play_at_random(game, 2, limit=12)]
    width, height = max(s.width for s in scenes), max(s.height for s in scenes)
    document = animated_svg(scenes)
    for number, scene in enumerate(scenes):
        same_size = Scene(scene.title, width, height, scene.shapes, scene.squares)
        assert body(seen(document, number)) == body(drawn(svg(same_size)))


def test_an_animation_is_still_at_its_last_scene_for_who_asked_for_less_motion() -> None:
    one, two = Circle(1, 1, 1, "one"), Circle(2, 2, 1, "two")
    document = animated_svg([picture(one), picture(two)])
    rules = style(document)
    still, moving = rules.split("@media (prefers-reduced-motion:no-preference)")
    assert "animation:" not in still
    assert moving.count("animation:quet-") == 2
    hidden = {(e.get("visibility"), e[0].get("class")) for e in elements(document) if e.tag.endswith("}g")}
    assert hidden == {("hidden", "quet-auto-one"), (None, "quet-auto-two")}


def test_an_animation_repeats_and_rests_on_its_last_scene() -> None:
    document = animated_svg([picture(Circle(k, 1, 1, "one")) for k in range(4)], seconds=0.5)
    assert "3500ms step-end infinite" in document  # four scenes, the last as long as four


def test_what_stays_is_written_once() -> None:
    scenes = [picture(*SHAPES, *(Circle(k, 1, 0.1, "last") for k in range(length))) for length in range(200)]
    assert len(animated_svg(scenes)) < 60_000


def test_an_animation_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        animated_svg([])


def test_shapes_alone_are_those_of_the_document_without_its_style() -> None:
    scene = picture(*SHAPES)
    assert shapes_svg(scene) in svg(scene)
    assert "<style" not in shapes_svg(scene) and "<svg" not in shapes_svg(scene)
    with pytest.raises(BrokenRules):
        shapes_svg(picture(Circle(0, 0, 1, "gold")))


def test_the_style_sheet_of_all_roles_holds_the_rules_of_every_document() -> None:
    rules = set(re.findall(r"\.[^{}]+\{[^{}]+\}", style_sheet()))
    for game in small_games():
        assert set(re.findall(r"\.[^{}]+\{[^{}]+\}", style(svg(game.scene())))) <= rules


def test_the_description_of_every_picture_is_in_sentences(our_game_id: str) -> None:
    game = quet.new(our_game_id)
    for now in islice(play_at_random(game, 4), 40):
        if now.ply % 5 == 0 or now.is_over:
            words = now.scene().description
            assert re.fullmatch(r"([A-Z0-9#][^.!?\n]*[.!?] ?)+", words), words
            assert "  " not in words and not re.search(r"[.!?]{2}", words), words
