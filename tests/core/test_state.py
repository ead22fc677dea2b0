"""States: a declaration becomes a small object, and a copy shares nothing."""

from typing import Annotated

import pytest

import quet
from quet.core.state import SHORT, Length, Packing, copy, fields, state


@state
class Pair:
    """Two fields."""

    count: int
    cells: Annotated[list[int], Length(3)]


def test_a_new_state_is_all_zero() -> None:
    s = Pair()
    assert (s.count, s.cells) == (0, [0, 0, 0])
    assert Pair().cells is not s.cells


def test_a_copy_is_equal_and_shares_nothing() -> None:
    s = Pair()
    s.cells[1] = 7
    twin = copy(s)
    assert twin == s
    twin.cells[1] = 8
    assert s.cells[1] == 7
    assert twin != s


def test_a_state_has_no_other_fields() -> None:
    with pytest.raises(AttributeError):
        Pair().other = 1  # type: ignore[attr-defined]
    assert list(fields(Pair)) == ["count", "cells"]
    assert fields(Pair)["cells"] == Length(3)


def test_a_state_may_have_the_fields_of_another_with_longer_lists() -> None:
    @state
    class Longer(Pair):
        """A third field, and more cells."""

        cells: Annotated[list[int], Length(5)]
        last: int

    s = Longer()
    assert (s.count, s.cells, s.last) == (0, [0] * 5, 0)
    assert fields(Longer) == {"count": None, "cells": Length(5), "last": None}
    assert fields(Pair) == {"count": None, "cells": Length(3)}
    s.cells[4] = 7
    assert copy(s) == s != Longer()
    assert Packing(Longer).unpacked(Packing(Longer).packed(s)) == s


def test_a_state_shows_its_fields() -> None:
    assert repr(Pair()) == "Pair(count=0, cells=[0, 0, 0])"


def test_a_field_of_another_kind_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Bad\.name is neither an int"):

        @state
        class Bad:
            name: str


def test_states_are_packed_and_come_back_as_they_were() -> None:
    starts = [quet.new(id).state for id in ("divisors-multiples", "palindromes", "plusses-minuses")]
    for s in starts:
        packing = Packing(type(s))
        for name, length in fields(type(s)).items():
            for place in (0, 1, SHORT - 1, SHORT, SHORT + 1) if length else ():
                twin = copy(s)
                row = getattr(twin, name)
                row[min(place, len(row) - 1)] -= 7
                assert packing.unpacked(packing.packed(twin)) == twin != s
    content = Packing(type(starts[0])).packed(starts[0])
    assert [len(part) for part in content if not isinstance(part, int)] == [SHORT, 9]
