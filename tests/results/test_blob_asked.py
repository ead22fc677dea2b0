"""Blob by questions, the second way for the largest grid, against all blobs."""

import math
import random

import pytest

from quet.games.blob import second as blob
from quet.games.blob import second_asked as blob_asked


@pytest.mark.parametrize(("n", "slots"), [(3, 1), (4, 8), (5, 64), (5, blob_asked.SLOTS)])
def test_questions_are_answered_as_all_blobs_say(n: int, slots: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blob_asked, "SLOTS", slots)
    found = blob.table(n, math.inf)
    assert found is not None
    value, keys, values = found
    mirrored = blob.lines(n)[1]
    chance = random.Random(n)
    assert [blob_asked.holds(n, 0, aim, math.inf) for aim in (value, value + 1)] == [True, False]
    for _ in range(12):
        square = chance.randrange(n * n)
        grown = 1 << square
        for _ in range(chance.randrange(2 * (n * n // 4) - 1)):
            edge = blob.beside(n, grown)
            grown |= 1 << chance.choice([i for i in range(n * n) if edge >> i & 1])
        worth = values[blob.place(keys, blob.least_image(n, mirrored, grown))]
        for aim in range(-n, n + 2):
            assert blob_asked.holds(n, grown, aim, math.inf) == (worth >= aim)


@pytest.mark.parametrize("n", [3, 4, 5])
@pytest.mark.parametrize("value", [-2, -1, 0, 1, 2])
def test_the_value_is_closed_in_from_0(n: int, value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blob_asked, "holds", lambda n, blob, aim, until: value >= aim)
    assert blob_asked.value({"n": n}, 0, 0, math.inf) == value


def test_the_time_may_be_over_before() -> None:
    assert blob_asked.value({"n": 4}, 0, 0, math.inf) == 0
    assert blob_asked.value({"n": 4}, 0, 0, 0.0) is None
