"""The options `--memory MB`, `--time S` and `--seconds S` of searches: bounds, units, and what would have helped."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.arguments import LEAST_MEMORY, MOST_MEMORY
from ..core.errors import BadParameter
from ..core.quoting import shorten

if TYPE_CHECKING:
    from ..certificates.limits import Limits

MOST_SECONDS = 9_999_999
_SECONDS = re.compile(r"[0-9]{1,7}(\.[0-9]{1,6})?", re.ASCII)


def in_bytes(megabytes: int | None) -> int | None:
    """The bytes of so many MB; None where nothing is asked for. Raises BadParameter."""
    if megabytes is None:
        return None
    if not LEAST_MEMORY <= megabytes <= MOST_MEMORY:
        raise BadParameter(f"The memory must be from {LEAST_MEMORY} to {MOST_MEMORY} MB.")
    return megabytes * 2**20


def seconds_of(text: str | None, called: str = "The time", most: int = MOST_SECONDS) -> float | None:
    """The seconds, at most so many, that a text names; None where nothing is asked for. Raises BadParameter."""
    if text is None:
        return None
    if not _SECONDS.fullmatch(text) or not 0.01 <= float(text) <= most:
        raise BadParameter(f"{called} must be a number of seconds from 0.01 to {most}, not {shorten(text)}.")
    return float(text)


def of_checker(time: str | None, megabytes: int | None) -> "Limits":
    """What the checker of certificates may take. Raises BadParameter."""
    from ..certificates.limits import USUAL, Limits

    return Limits(seconds_of(time) or USUAL.seconds, in_bytes(megabytes) or USUAL.memory)


def lacking(needed: Sequence[int]) -> int | None:
    """The MB that are enough for one of these numbers of bytes; None where none of them can be asked for."""
    megabytes = min((-(-number // 2**20) for number in needed), default=MOST_MEMORY + 1)
    return megabytes if megabytes <= MOST_MEMORY else None
