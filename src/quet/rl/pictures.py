"""Pictures of positions as environments render them."""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ..draw.raster import png
from ..draw.scene import Scene
from ..draw.svg import svg

__all__ = ["pixels", "svg"]


def pixels(scene: Scene) -> NDArray[np.uint8]:
    """The picture as rows of pixels: an array of (height, width, 3)."""
    with Image.open(io.BytesIO(png(scene))) as image:
        return np.asarray(image.convert("RGB"))
