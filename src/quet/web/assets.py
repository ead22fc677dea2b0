"""Files that pages load. Their names have a digest of their content, so browsers may keep them for good."""

import hashlib
import mimetypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .board import board_css

FOLDER = Path(__file__).parent / "static"
_DIGITS = 12  # of the digest


@dataclass(frozen=True)
class Asset:
    """A file."""

    content: bytes
    kind: str  # its media type
    digest: str


def asset_path(name: str) -> str:
    """Where pages find a file: `quet.css` as `/static/quet.0123456789ab.css`. Raises KeyError."""
    stem, dot, end = name.rpartition(".")
    return f"/static/{stem}.{_assets()[name].digest}{dot}{end}"


def find_asset(name: str) -> tuple[Asset, bool] | None:
    """The file of this name, with or without a digest, and whether the digest is right; None if there is none."""
    found = _assets().get(name)
    if found is not None:
        return found, False
    parts = name.split(".")  # a page of another version has another digest: it gets what there is
    found = _assets().get(".".join(parts[:-2] + parts[-1:]))
    return None if found is None else (found, parts[-2] == found.digest)


@cache
def _assets() -> dict[str, Asset]:
    """All files by their names. The colours and sizes of boards are one too, though no file has them."""
    contents = {file.name: file.read_bytes() for file in FOLDER.iterdir() if file.is_file()}
    contents["board.css"] = board_css().encode()
    return {name: _asset(name, content) for name, content in contents.items()}


def _asset(name: str, content: bytes) -> Asset:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Asset(content, kind, hashlib.sha256(content).hexdigest()[:_DIGITS])
