"""Pictures of positions as environments render them."""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..draw.raster import png
from ..draw.scene import Scene
from ..draw.svg import svg
from ..draw.text import text


def pixels(scene: Scene) -> NDArray[np.uint8]:
    """The picture as rows of pixels: an array of (height, width, 3)."""
    with Image.open(io.BytesIO(png(scene))) as image:
        return np.asarray(image.convert("RGB"))


def drawn(scene: Scene, mode: str | None) -> NDArray[np.uint8] | str | None:
    """The scene as the render mode says: "rgb_array", "svg" or "ansi"; None for all others."""
    if mode == "rgb_array":
        return pixels(scene)
    if mode == "svg":
        return svg(scene)
    return text(scene) if mode == "ansi" else None
