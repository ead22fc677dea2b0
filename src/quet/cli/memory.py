"""The option `--memory MB` of commands that search: bounds, and bytes."""

from ..core.errors import BadParameter

LEAST, MOST = 16, 2**20  # MB


def in_bytes(megabytes: int | None) -> int | None:
    """The bytes of so many MB; None where nothing is asked for. Raises BadParameter."""
    if megabytes is None:
        return None
    if not LEAST <= megabytes <= MOST:
        raise BadParameter(f"The memory must be from {LEAST} to {MOST} MB.")
    return megabytes * 2**20
