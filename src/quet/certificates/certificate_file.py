"""Files of certificates: JSON, plain or packed by gzip where the name ends with `.gz`."""

import gzip
import json
import os
import zlib
from collections.abc import Mapping
from typing import NotRequired, TypeAlias, TypedDict

from ..core import json_text
from ..core.errors import BadCertificate, one_line
from ..core.files import UnreadableFile, read_file, write_file

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json] | None"  # a certificate has no floating numbers
Ground = TypedDict("Ground", {"for": list[str], "kind": str, "confirmed_by": NotRequired[str | None]})
"""One of the grounds of a certificate; each kind has keys of its own besides."""


class Ends(TypedDict):
    """What a certificate claims: a low and a high end, or all scores of three and more players."""

    score: str
    low: NotRequired[int]
    high: NotRequired[int]
    scores: NotRequired[list[int]]
    best_moves: list[str] | None


class Certificate(TypedDict):
    """A certificate that has been checked. What is read from a file is `Json` until then."""

    format: str
    version: int
    game: str
    rules: int
    parameters: dict[str, int | str]
    claim: Ends
    witness: list[str]
    grounds: list[Ground]
    digest: str


LARGEST_FILE = 350_000_000  # bytes, unpacked
_PACKED = b"\x1f\x8b"  # how gzip begins


def read(path: str | os.PathLike[str]) -> Json:
    """What a file of JSON holds; raises BadCertificate, which doesn't name the file."""
    try:
        return from_bytes(read_file(path, LARGEST_FILE))
    except UnreadableFile as error:
        raise BadCertificate(str(error), step="file") from None


def from_bytes(content: bytes) -> Json:
    """What a content of JSON holds, packed or not; raises BadCertificate."""
    try:
        plain = _unpacked(content) if content.startswith(_PACKED) else content
        found: Json = json_text.read(plain, largest=LARGEST_FILE)
        return found
    except (ValueError, json_text.BadJson) as error:
        raise BadCertificate(
            f"It is not JSON as certificates have it: {one_line(error).removesuffix('.')}.", step="file"
        ) from None


def write(certificate: Mapping[str, object], path: str | os.PathLike[str]) -> None:
    """Write the certificate to a file, packed where its name ends with `.gz`; raises UnwritableFile."""
    content = to_bytes(certificate)
    write_file(path, pack(content) if os.fspath(path).endswith(".gz") else content)


def to_bytes(certificate: Mapping[str, object]) -> bytes:
    """The certificate as a file of JSON has it."""
    return (json.dumps(certificate, indent=1) + "\n").encode()


def pack(content: bytes) -> bytes:
    """The content packed by gzip; the same content is always packed the same."""
    return gzip.compress(content, mtime=0)


def _unpacked(content: bytes) -> bytes:
    """The unpacked content; no more is unpacked than a certificate may have."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacker.decompress(content, LARGEST_FILE + 1)
    except zlib.error as error:
        raise ValueError(f"it can't be unpacked, {error}") from None
    if len(unpacked) > LARGEST_FILE:
        raise ValueError(f"unpacked it is larger than {LARGEST_FILE / 1e6:g} MB")
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("it is packed, and has been cut off or added to")
    return unpacked
