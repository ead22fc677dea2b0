"""The list of larger certificates, `larger.json`: what each is, by digest, and the command that makes it again.

It names every certificate of more than `LARGEST_CARRIED` bytes. An installed Quet carries none of these. A clone of the
repository lacks those of more than `LARGEST_CLONED` bytes.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from ..core import json_text
from ..core.errors import BadResult
from ..core.files import UnreadableFile, read_file
from ..core.messages import Message, say
from ..core.quoting import printable

LIST = "larger.json"
LARGEST_LIST = 1_000_000  # bytes
LARGEST_CARRIED = 150_000
LARGEST_CLONED = 1_000_000
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True)
class Larger:
    """A certificate that a copy of the table may lack."""

    digest: str  # the certificate's own, the SHA-256 of what it says, however its file is written and packed
    bytes: int  # of its file, packed
    command: str  # that makes it again: `quet solve` with its words


def size_text(num_bytes: int) -> str:
    """The size of a file in words: `4.6 MB`, in German `4,6 MB`."""
    if num_bytes < 1e6:
        return f"{max(1, round(num_bytes / 1e3))} kB"
    whole, tenths = divmod(round(num_bytes / 1e5), 10)
    return say("{whole}.{tenths} MB", whole=whole, tenths=tenths)


def sentence(name: str, larger: Larger) -> Message:
    """A sentence that says that a certificate isn't here, and where to get it."""
    if larger.bytes > LARGEST_CLONED:
        return say(
            "It is not carried here, as it has {size}; quet results remake {name} makes it again.",
            size=size_text(larger.bytes),
            name=name,
        )
    return say(
        "It is not carried here, as it has {size}; a clone of the repository has it, and quet results remake {name} "
        "makes it again.",
        size=size_text(larger.bytes),
        name=name,
    )


def read(folder: Path) -> dict[str, Larger]:
    """The list in the folder of a table, by the names of files; empty if there is no list. Raises BadResult."""
    path = folder / LIST
    if not path.exists():
        return {}
    name = printable(str(path))
    try:
        found = json_text.read(read_file(path, LARGEST_LIST))
    except UnreadableFile as error:
        raise BadResult(str(error), file=name) from None
    except json_text.BadJson as error:
        raise BadResult(f"It can't be read, {error}", file=name) from None
    if not isinstance(found, dict) or not all(_is_right(one) for one in found.values()):
        raise BadResult("It must name certificates, each with digest, bytes and command.", file=name)
    return {certificate: Larger(**about) for certificate, about in found.items()}


def to_bytes(listed: Mapping[str, Larger]) -> bytes:
    """The list as its file has it."""
    return (json.dumps({name: asdict(listed[name]) for name in sorted(listed)}, indent=1) + "\n").encode()


def _is_right(about: object) -> bool:
    if not isinstance(about, dict) or set(about) != {"digest", "bytes", "command"}:
        return False
    digest, size, command = about["digest"], about["bytes"], about["command"]
    is_digest = isinstance(digest, str) and _DIGEST.fullmatch(digest) is not None
    return is_digest and type(size) is int and size > 0 and isinstance(command, str) and command.isprintable()
