"""The arrays of a search for plain Python: rows are objects, which plain Python reads ten times faster than records.

A search that runs as `compiled.plain` makes it takes these in place of NumPy's arrays of records.
"""

from types import SimpleNamespace
from typing import TypeVar

import numpy as np

from ..core.rules import AnyState
from ..core.state import copy
from .arrays import Records

T = TypeVar("T", bound=AnyState)


class States(list[T]):
    """States in a row. As in an array of records, what is assigned to a place is copied."""

    def __init__(self, states: list[T]) -> None:
        super().__init__(map(copy, states))

    def __setitem__(self, i: int, s: T) -> None:  # type: ignore[override]
        super().__setitem__(i, copy(s))


class Rows:
    """Rows with named numbers, which begin as 0 and are made when they are first asked for."""

    def __init__(self, dtype: np.dtype[np.void], size: int) -> None:
        """Room for `size` rows with the fields of the record type."""
        self._names = dtype.names or ()
        self._dtype = dtype
        self._rows: list[SimpleNamespace | None] = [None] * size

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, i: int) -> SimpleNamespace:
        row = self._rows[i]
        if row is None:
            row = self._rows[i] = SimpleNamespace(**dict.fromkeys(self._names, 0))
        return row

    def __setitem__(self, i: int, row: SimpleNamespace) -> None:
        self._rows[i] = SimpleNamespace(**vars(row))

    def array(self, rows: slice) -> Records:
        """These rows as an array of records."""
        found = [tuple(vars(self[i]).values()) for i in range(*rows.indices(len(self)))]
        records: Records = np.array(found, self._dtype)
        return records
