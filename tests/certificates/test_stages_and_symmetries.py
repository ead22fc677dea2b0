"""What games tell the checker of weak solutions: which positions a symmetry joins, stages, and turns that matter."""

import itertools
import random
from typing import Any

import pytest

import quet
from certified import scores_of
from quet.certificates import claims, verify, ways
from quet.core.errors import BadCertificate
from quet.games.blob import claims as blob
from quet.games.divisors_multiples import claims as divisors
from quet.games.palindromes import claims as palindromes


@pytest.mark.parametrize("n", [2, 3])
def test_grids_of_blob_are_joined_by_two_mirrors_and_by_nothing_else(n: int) -> None:
    s = quet.new("blob", n=n).state
    squares = [(row, column) for row in range(n) for column in range(n)]
    mirrors = [
        [row * n + column for row, column in squares],
        [(n - 1 - row) * n + column for row, column in squares],
        [row * n + n - 1 - column for row, column in squares],
        [(n - 1 - row) * n + n - 1 - column for row, column in squares],
    ]
    for cells in itertools.product((0, 1), repeat=n * n):
        s.cells[: n * n] = cells
        assert blob.canonical(s) == min(bytes(cells[square] for square in mirror) for mirror in mirrors)


def test_rows_of_palindromes_are_joined_by_a_mirror_and_by_exchanging_digits() -> None:
    s = quet.new("palindromes", m=5).state
    keys: set[bytes] = set()
    images: set[tuple[int, ...]] = set()
    pairs: set[tuple[bytes, tuple[int, ...]]] = set()
    for digits in itertools.product((-1, 0, 1), repeat=5):
        s.digits[:5] = digits
        exchanged = tuple(digit if digit < 0 else 1 - digit for digit in digits)
        key, image = palindromes.canonical(s), min(digits, digits[::-1], exchanged, exchanged[::-1])
        keys.add(key)
        images.add(image)
        pairs.add((key, image))
    assert len(keys) == len(images) == len(pairs)


def test_stages_of_divisors_multiples_count_numbers_and_then_steps() -> None:
    s = quet.new("divisors-multiples", r=5).after("2").state
    assert (s.num_taken, s.num_steps, divisors.stage(s)) == (1, 1, 1 * 11 + 1)
    s = quet.new("divisors-multiples", r=5).after("2!").state
    assert (s.num_taken, s.num_steps, divisors.stage(s)) == (2, 0, 2 * 11)


def test_a_turn_against_the_rules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(divisors, "turns", lambda s: [[3]])
    subject, start = claims.of("divisors-multiples"), quet.new("divisors-multiples", r=5).state
    with pytest.raises(BadCertificate) as caught:
        ways.after(subject, start, [3, 3])
    assert (caught.value.sentence, caught.value.step) == (
        "A turn that the claims name is against the rules.",
        "grounds",
    )


def cheapest(s: Any) -> dict[int, int]:
    """What the cheapest turn to each number that isn't taken costs, by trying all steps until none is cheaper."""
    cost, stop = {s.current: 0}, dict[int, int]()
    changed = True
    while changed:
        changed = False
        for x, paid in list(cost.items()):
            for y in range(1, s.r + 1):
                if x % y == 0 or y % x == 0:
                    after = paid + max(x // y, y // x) * (1 + s.is_taken[y])
                    if not s.is_taken[y]:
                        stop[y] = min(after, stop.get(y, after))
                    if after < cost.get(y, after + 1):
                        cost[y], changed = after, True
    return stop


@pytest.mark.parametrize("r", [2, 3, 6, 10, 24, 60])
def test_turns_of_larger_games_are_the_cheapest_of_all_walks(r: int) -> None:
    generator = random.Random(r)
    for trial in range(60):
        s = quet.new("divisors-multiples", r=r).state
        for number in generator.sample(range(2, r + 1), generator.randrange(r - 1)):
            s.is_taken[number] = 1
        s.num_taken = sum(s.is_taken)
        s.current = generator.choice([number for number in range(1, r + 1) if s.is_taken[number] or trial % 2])
        found, turns = dict[int, int](), divisors.turns(s)
        for number, turn in enumerate(turns):
            assert turn[-1] % 2 == 1 and all(move % 2 == 0 for move in turn[:-1])
            prices = []
            for way in (turn, turns[number]):
                end = ways.after(claims.of("divisors-multiples"), s, way)
                assert end.current == turn[-1] // 2
                prices.append(end.cost[1])
            assert prices[0] == prices[1]
            found[turn[-1] // 2] = prices[0]
        assert found == cheapest(s)


def test_three_players_must_have_wishes(monkeypatch: pytest.MonkeyPatch) -> None:
    made = scores_of("2! 4! 1 3!", has_table=True)
    verify.check(made)
    monkeypatch.delattr(divisors, "wish")
    with pytest.raises(BadCertificate) as caught:
        verify.check(made)
    sentence = "The claims of divisors-multiples don't say what each of three and more players wants."
    assert caught.value.sentence == sentence
