"""The greedy cover serves every position, takes the cheapest answer first, and knows what is needed already."""

import random
from collections.abc import Sequence

import numpy as np

from quet.engine import covering
from quet.engine.arrays import Floats


def covered(
    answers: Sequence[tuple[list[int], list[int]]],
    count: int,
    needed: Sequence[int] = (),
    weights: Floats = covering.ALIKE,
) -> list[int]:
    """For each of so many positions the answer chosen; an answer is what it serves and what it needs."""
    first = np.cumsum([0] + [len(serves) for serves, _ in answers])[:-1]
    served = np.array([position for serves, _ in answers for position in serves])
    width = max(len(needs) for _, needs in answers)
    needs = np.array([needs + [-1] * (width - len(needs)) for _, needs in answers]).reshape(len(answers), width)
    is_needed = np.zeros(8, np.uint8)
    for need in needed:
        is_needed[need >> 3] |= 1 << (need & 7)
    chosen = covering.chosen(first, served, needs, is_needed, count, 0.01, weights)
    assert [int(served[place]) for place in chosen] == list(range(count))
    taken = [int(np.searchsorted(first, place, "right")) - 1 for place in chosen]
    is_wanted = set(needed).union(*(answers[answer][1] for answer in taken))
    assert {i for i in range(64) if is_needed[i >> 3] >> (i & 7) & 1} == is_wanted
    return taken


def test_an_answer_that_serves_many_is_taken_before_those_that_serve_one() -> None:
    assert covered([([0], [1]), ([0, 1, 2], [2, 3]), ([1], [4]), ([2], [5])], 3) == [1, 1, 1]


def test_what_is_needed_already_costs_next_to_nothing() -> None:
    answers = [([0], [1, 2]), ([0], [3])]
    assert covered(answers, 1) == [1]
    assert covered(answers, 1, needed=[1, 2]) == [0]
    # The first answer taken needs 5 and 6, so that the other position takes what needs them too.
    assert covered([([0], [5, 6]), ([1], [7, 8, 9]), ([1], [5, 6, 7])], 2) == [0, 2]


def test_a_position_may_weigh_more_than_others() -> None:
    answers = [([0], [1, 2]), ([0], [3])]
    assert covered(answers, 1, weights=np.array([1.0, 1.0, 1.0, 1.9])) == [1]
    assert covered(answers, 1, weights=np.array([1.0, 1.0, 1.0, 2.1])) == [0]
    assert covered(answers, 1, needed=[3], weights=np.array([1.0, 1.0, 1.0, 2.1])) == [1]


def test_every_position_is_served_and_the_cheapest_answer_is_taken() -> None:
    rng = random.Random(5)
    for _ in range(200):
        count = rng.randint(1, 9)
        answers = [([i], rng.sample(range(64), rng.randint(1, 4))) for i in range(count)]
        answers += [(rng.sample(range(count), rng.randint(1, count)), rng.sample(range(64), 3)) for _ in range(20)]
        taken = covered(answers, count)
        first = min(range(len(answers)), key=lambda a: (len(answers[a][1]) * 1.01 + 0.01) / len(answers[a][0]))
        prices = [(len(answers[a][1]) * 1.01 + 0.01) / len(answers[a][0]) for a in range(len(answers))]
        assert any(prices[answer] == prices[first] for answer in taken)
