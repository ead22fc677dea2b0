"""Which positions of a long game an animation shows."""

from collections.abc import Sequence

MOST_FRAMES = 400


def evenly(num: int, most: int) -> Sequence[int]:
    """The numbers, from 0, of those of `num` positions that are shown: `most` at most, evenly spaced, with the last."""
    return range(num) if num <= most else [k * (num - 1) // (most - 1) for k in range(most)]
