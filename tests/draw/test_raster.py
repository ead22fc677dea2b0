from io import BytesIO

import pytest
from PIL import Image

import quet
from quet.draw import raster
from quet.draw.palette import ROLES
from quet.draw.raster import gif, png
from quet.draw.scene import Circle, Line, Polygon, Rectangle, Scene, Shape, Text


def picture(*shapes: Shape, width: float = 4, height: float = 3) -> Scene:
    return Scene("A title", width, height, shapes, ())


def pixels(file: bytes) -> Image.Image:
    return Image.open(BytesIO(file)).convert("RGB")


def rgb(role: str, theme: int = 0) -> tuple[int, ...]:
    return tuple(bytes.fromhex(ROLES[role][theme][1:]))


def test_a_png_is_a_png_of_scale_pixels_a_unit() -> None:
    file = png(picture(), scale=20)
    assert file.startswith(b"\x89PNG\r\n\x1a\n")
    assert pixels(file).size == (80, 60)
    assert pixels(file).getpixel((0, 0)) == rgb("paper")


@pytest.mark.parametrize(
    "shape",
    [
        Rectangle(1, 1, 1, 1, "one"),
        Rectangle(1, 1, 1, 1, "one", 0.3),
        Circle(1.5, 1.5, 0.5, "one"),
        Line(((1, 1.5), (2, 1.5)), "one", 0.4),
        Polygon(((1, 1), (2, 1), (2, 2), (1, 2)), "one"),
    ],
)
def test_each_shape_stands_where_it_should(shape: Shape) -> None:
    image = pixels(png(picture(shape), scale=20))
    assert image.getpixel((30, 30)) == rgb("one")
    for outside in ((15, 30), (45, 30), (30, 15), (30, 45)):
        assert image.getpixel(outside) == rgb("paper")


def ink_box(shape: Shape) -> tuple[int, int, int, int]:
    image = pixels(png(picture(shape), scale=100)).convert("L").point(lambda level: 255 if level < 128 else 0)
    box = image.getbbox()
    assert box is not None
    return box


def test_text_is_centred_on_its_place_in_height_and_by_its_anchor_in_width() -> None:
    left, top, right, bottom = ink_box(Text(2, 1.5, "8", "ink", 1))
    assert abs(left + right - 400) <= 8
    assert abs(top + bottom - 300) <= 8
    assert ink_box(Text(2, 1.5, "8", "ink", 1, "start"))[0] >= 200
    assert ink_box(Text(2, 1.5, "8", "ink", 1, "end"))[2] <= 200


def test_a_minus_is_drawn_as_wide_as_a_plus() -> None:
    left, top, right, bottom = ink_box(Text(2, 1.5, "-", "ink", 1))
    plus_left, _, plus_right, _ = ink_box(Text(2, 1.5, "+", "ink", 1))
    assert abs((right - left) - (plus_right - plus_left)) < 12
    assert right - left > 3 * (bottom - top)  # a stroke, and not the box of a character that the font lacks


def test_dark_paper_is_dark() -> None:
    assert pixels(png(picture(), theme="dark")).getpixel((5, 5)) == rgb("paper", 1)


def test_a_huge_scale_is_brought_down_to_a_size_that_fits_in_memory() -> None:
    width, height = pixels(png(picture(), scale=1e6)).size
    assert 0.95 * raster.MOST_PIXELS < width * height < 1.05 * raster.MOST_PIXELS


def frames(file: bytes) -> tuple[Image.Image, int]:
    image = Image.open(BytesIO(file))
    return image, image.n_frames  # type: ignore[attr-defined]


def test_a_gif_has_a_frame_for_each_scene_in_the_size_of_the_largest() -> None:
    scenes = [picture(Circle(k, 1, 0.5, "one"), width=2 + k) for k in range(3)]
    image, count = frames(gif(scenes, milliseconds=100, scale=20))
    assert count == 3
    assert image.size == (80, 60)
    assert image.info["loop"] == 0
    durations = []
    for number in range(count):
        image.seek(number)
        durations.append(image.info["duration"])
        assert image.convert("RGB").getpixel((20 * number, 20)) == rgb("one")
        assert image.convert("RGB").getpixel((70, 50)) == rgb("paper")
    assert durations == [100, 100, 400]


def test_a_gif_of_one_scene_is_a_gif() -> None:
    assert gif([picture()]).startswith(b"GIF89a")
    with pytest.raises(ValueError, match="at least one"):
        gif([])


def test_a_long_record_is_shown_in_fewer_and_smaller_frames_the_last_among_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(raster, "MOST_FRAMES", 5)
    monkeypatch.setattr(raster, "MOST_ANIMATED_PIXELS", 5 * 1200)
    scenes = [picture(Rectangle(0, 0, 0.04 * k, 1, "one")) for k in range(101)]
    image, count = frames(gif(scenes))
    assert count == 5
    assert image.size == (40, 30)
    image.seek(4)
    assert image.convert("RGB").getpixel((39, 5)) == rgb("one")


def test_every_game_can_be_drawn_in_pixels(game_id: str) -> None:
    scene = quet.new(game_id).scene(legal=game_id != "sums-grid")
    assert pixels(png(scene, scale=10)).size == (-int(-scene.width * 10 // 1), -int(-scene.height * 10 // 1))
