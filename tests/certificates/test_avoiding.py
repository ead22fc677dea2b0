"""A pairing that avoids some rows never ends with one, and the checker refuses parts that it can't avoid."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

import quet
from broken_rules import by_rule, grounds, random_pairs, random_plan
from quet.core.errors import BadCertificate
from quet.games.palindromes import avoiding, claims, strategy
from quet.games.palindromes.avoiding import Pair, Part, Plan, lead, with_exchanged
from quet.games.palindromes.rules import EMPTY

Position = tuple[int, tuple[Pair, ...]]  # a row, and its free pairs


def plans() -> Iterator[Plan]:
    rng = random.Random(7)
    for m in (6, 7, 8, 9, 10):
        found = [plan for plan in (random_plan(m, rng) for _ in range(150)) if plan is not None]
        yield from found[:12]


def worst(plan: Plan, position: Position, seen: dict[Position, int]) -> int:
    """The opponent's largest lead over all games against the strategy."""
    row, free = position
    if not free:
        return lead(plan.m, row, plan.liked)
    if position not in seen:
        results = []
        for pair, square, flip in itertools.product(free, (0, 1), (0, 1)):
            rest = tuple(other for other in free if other != pair)
            after = row ^ plan.flips[pair] * flip
            reply = pair[square]
            breaks = plan.breaks(after, reply, rest)
            assert breaks is not None
            results.append(worst(plan, (after ^ (int(breaks) << reply), rest), seen))
        seen[position] = max(results)
    return seen[position]


def test_no_game_against_it_ends_above_the_limit() -> None:
    num_broken = 0
    for plan in plans():
        assert plan.parts
        seen: dict[Position, int] = {}
        assert worst(plan, (by_rule(plan), tuple(plan.pairs)), seen) <= plan.limit
        num_broken += any(plan.broken(row) for row, _ in seen)
    assert num_broken > 20


def test_the_checker_finds_the_same_limit_and_more_without_a_part() -> None:
    missed = 0
    for plan in plans():
        start, side, sign = quet.new("palindromes", m=plan.m).state, ("high", "low")[plan.m % 2], (-1) ** plan.m
        ground = grounds(plan)
        try:  # the largest lead in the rows without a part can be too low a limit for the rows with a broken rule
            limit = sign * claims.guarantee(start, ground, side)[0]
        except BadCertificate:
            continue
        assert limit <= plan.limit
        for number in range(len(ground["avoided"])):
            fewer = ground | {"avoided": ground["avoided"][:number] + ground["avoided"][number + 1 :]}
            try:
                value, _ = claims.guarantee(start, fewer, side)
            except BadCertificate:
                continue
            assert sign * value >= limit
            missed += sign * value > plan.limit
    assert missed > 10


def test_what_cannot_be_avoided_is_refused() -> None:
    """Whole rows as parts: the checker refuses them, or no game ends above what it finds."""
    refused = 0
    rng = random.Random(8)
    for _ in range(300):
        m = rng.choice((6, 7, 8))
        pairs = random_pairs(m, rng)
        plan = Plan(m, pairs, [], 2 if m % 2 else 1, -99)
        rows = list(plan.above(by_rule(plan), pairs))
        most = max(lead(m, row, plan.liked) for row in rows)
        bad = next(row for row in rows if lead(m, row, plan.liked) == most)
        whole = Plan(m, plan.pairs, with_exchanged([Part((1 << m) - 1, bad)]), plan.liked, -99)
        start, side, sign = quet.new("palindromes", m=m).state, ("high", "low")[m % 2], (-1) ** m
        try:
            value, _ = claims.guarantee(start, grounds(whole), side)
        except BadCertificate as error:
            assert "can't always be avoided" in str(error) or "All rows" in str(error)
            refused += 1
            continue
        limited = Plan(m, whole.pairs, whole.parts, whole.liked, sign * value)
        assert worst(limited, (by_rule(limited), tuple(limited.pairs)), {}) <= limited.limit
    assert refused > 30


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda g: g | {"avoided": 1}, "must be a list"),
        (lambda g: g | {"avoided": ["." * 54] * 101}, "At most 100 parts"),
        (lambda g: g | {"avoided": ["01"]}, "must be a row of 54 digits and dots"),
        (lambda g: g | {"avoided": [7]}, "must be a row of 54 digits and dots"),
        (lambda g: g | {"avoided": ["." * 53 + "x"]}, "must be a row of 54 digits and dots"),
        (lambda g: g | {"avoided": ["." * 53 + "1"]}, "must have both squares of a pair"),
        (lambda g: g | {"avoided": ["." * 54]}, "must leave at most 10 pairs free"),
        (lambda g: g | {"avoided": [g["avoided"][0].replace("1", "0")]}, "must keep the rules of its pairs"),
    ],
)
def test_parts_that_make_no_sense_are_refused_with_a_sentence(change: Any, sentence: str) -> None:
    game = quet.new("palindromes", m=54)
    ((_, ground),) = strategy.find(game.state)
    with pytest.raises(BadCertificate, match=sentence):
        claims.guarantee(game.state, change(ground), "high")


@pytest.mark.parametrize("m", range(53, 59))
def test_each_part_of_a_long_row_can_be_avoided(m: int) -> None:
    plan = strategy._plan(m)
    assert plan.parts
    assert all(claims._is_avoided(plan, part) for part in plan.parts[: len(plan.parts) // 2])


@pytest.mark.parametrize("m", range(53, 65))
def test_a_player_of_long_rows_who_aims_at_a_bad_row_does_not_get_it(m: int) -> None:
    rng = random.Random(m)
    replier = 2 if m % 2 == 0 else 1
    plan = strategy._plan(m)
    limit = 0 if m % 2 else -4 if m % 6 == 0 else -2
    num_broken = 0
    for part in plan.parts[: len(plan.parts) // 2]:
        game = quet.new("palindromes", m=m)
        while not game.is_over:
            held = strategy.hold(game.state, replier)
            assert held is not None
            assert held[0] == limit
            if game.mover == replier:
                game.push(held[1])
                continue
            empty = [square for square in range(m) if game.state.digits[square] == EMPTY]
            wanted = [square for square in empty if part.squares >> square & 1]
            square = rng.choice(wanted or empty)
            game.push(2 * square + (part.digits >> square & 1 if wanted else rng.randrange(2)))
        value = game.scores[0] - game.scores[1]
        assert value >= limit if m % 2 else value <= limit
        num_broken += bool(plan.broken(sum(digit << square for square, digit in enumerate(game.state.digits[:m]))))
    assert num_broken


def test_the_lead_is_that_of_the_rules() -> None:
    rng = random.Random(5)
    for m in (1, 2, 3, 16, 33, 64):
        row = rng.randrange(1 << m)
        game = quet.new("palindromes", m=m)
        for square in range(m):
            game.push(2 * square + (row >> square & 1))
        assert avoiding.lead(m, row, 1) == game.scores[0] - game.scores[1] == -avoiding.lead(m, row, 2)
