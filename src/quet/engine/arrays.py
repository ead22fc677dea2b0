"""The second shape of a state: a NumPy record, copied with one assignment, many in one array."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.state import fields

_dtypes: dict[type[Any], np.dtype[Any]] = {}


def dtype(kind: type[Any]) -> np.dtype[Any]:
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


def pack(states: Sequence[Any]) -> np.ndarray[Any, np.dtype[Any]]:
    """The states, at least one and all of one class, as an array of records."""
    kind = type(states[0])
    records = np.zeros(len(states), dtype(kind))
    for record, s in zip(records, states, strict=True):
        for name in fields(kind):
            record[name] = getattr(s, name)
    return records


def unpack(record: Any, kind: type[Any]) -> Any:
    """A record as a state of this class."""
    s = kind()
    for name, length in fields(kind).items():
        setattr(s, name, int(record[name]) if length is None else record[name].tolist())
    return s
