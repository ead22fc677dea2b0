"""Counting what a call does, where its time would depend on the machine."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def num_calls(do: Callable[[], object]) -> int:
    """How many functions, Python's and others, are called while `do` runs."""
    total = 0

    def count(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal total
        total += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        do()
    finally:
        sys.setprofile(before)
    return total
