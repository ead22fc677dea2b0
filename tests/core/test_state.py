"""States: a declaration becomes a small object, and a copy shares nothing."""

import struct
from typing import Annotated

import pytest

import quet
from quet.core.state import Length, Packing, copy, fields, state, values


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
    assert Packing(s).unpacked(Packing(s).packed(s)) == s


def test_a_state_shows_its_fields() -> None:
    assert repr(Pair()) == "Pair(count=0, cells=[0, 0, 0])"


def test_a_field_of_another_kind_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Bad\.name is neither an int"):

        @state
        class Bad:
            name: str


@pytest.mark.parametrize(
    ("largest", "num_bytes"),
    [(127, 1), (-128, 1), (128, 2), (-(2**15), 2), (2**15, 8), (-(2**15) - 1, 8), (2**63 - 1, 8)],
)
def test_states_are_packed_in_as_many_bytes_a_number_as_the_largest_needs(largest: int, num_bytes: int) -> None:
    for id in ("divisors-multiples", "palindromes", "plusses-minuses"):
        s = quet.new(id).state
        num_numbers = sum(1 if isinstance(value, int) else len(value) for value in values(s))
        for name, length in fields(type(s)).items():
            packing, small = Packing(s), Packing(s).packed(s)
            assert len(small) == packing.size == num_numbers
            for place in (0, -1) if length else (None,):
                twin = copy(s)
                if place is None:
                    setattr(twin, name, largest)
                else:
                    getattr(twin, name)[place] = largest
                content = packing.packed(twin)
                assert packing.unpacked(content) == twin != s
                assert len(content) == packing.size == num_bytes * len(small)
                assert packing.unpacked(small) == s  # those that were packed before are still read


def test_lists_of_any_one_length_are_packed() -> None:
    s, longer = Pair(), Pair()
    s.cells, longer.cells = [1, -1], [1, -1, 1]
    packing = Packing(s)
    assert packing.packed(s) == b"\0\1\xff" and packing.unpacked(packing.packed(s)) == s
    for wrong in (longer, Pair()):
        with pytest.raises(struct.error):
            Packing(s).packed(wrong)
    s.count = 2**63
    with pytest.raises(struct.error):
        Packing(s).packed(s)
