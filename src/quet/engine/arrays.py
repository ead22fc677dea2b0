"""The second shape of a state: a NumPy record, copied with one assignment, many in one array."""

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..core.rules import AnyState
from ..core.state import fields

Ints = npt.NDArray[np.signedinteger]  # of any width
Words = npt.NDArray[np.unsignedinteger]  # sets as bits, and random numbers
Floats = npt.NDArray[np.floating]
Flags = npt.NDArray[np.bool_]
Records = npt.NDArray[np.void]
Record = np.record  # one of them, as compiled code has it: with its fields as attributes

unbound: Any = None  # stands in the module of a search for what `compiled` binds there

T = TypeVar("T")


def fence() -> None:
    """Other threads see what was written before when they see what is written afterwards.

    Plain Python needs nothing for that. `compiled` puts a fence of the machine here (release).
    """


_dtypes: dict[type[object], np.dtype[np.void]] = {}


def dtype(kind: type[object]) -> np.dtype[np.void]:
    """The record type of a state class: an int64 for each number, an array of its own type for each list."""
    if kind not in _dtypes:
        _dtypes[kind] = np.dtype(
            [
                (name, np.int64) if length is None else (name, np.dtype(length.dtype), (length.size,))
                for name, length in fields(kind).items()
            ],
            align=True,
        )
    return _dtypes[kind]


def pack(states: Sequence[AnyState]) -> Records:
    """The states, at least one and all of one class, as an array of records."""
    kind = type(states[0])
    records = np.zeros(len(states), dtype(kind))
    for record, s in zip(records, states, strict=True):
        for name in fields(kind):
            record[name] = getattr(s, name)
    return records


def unpack(record: np.void, kind: type[T]) -> T:
    """A record as a state of this class."""
    s = kind()
    for name, length in fields(kind).items():
        setattr(s, name, int(record[name]) if length is None else record[name].tolist())
    return s
