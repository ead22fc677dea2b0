"""The option `--memory MB` of commands that search: bounds, bytes, and what would have helped."""

from collections.abc import Sequence

from ..core.errors import BadParameter

LEAST, MOST = 16, 2**20  # MB


def in_bytes(megabytes: int | None) -> int | None:
    """The bytes of so many MB; None where nothing is asked for. Raises BadParameter."""
    if megabytes is None:
        return None
    if not LEAST <= megabytes <= MOST:
        raise BadParameter(f"The memory must be from {LEAST} to {MOST} MB.")
    return megabytes * 2**20


def lacking(needed: Sequence[int]) -> int | None:
    """The MB that are enough for one of these numbers of bytes; None where none of them can be asked for."""
    megabytes = min((-(-number // 2**20) for number in needed), default=MOST + 1)
    return megabytes if megabytes <= MOST else None
