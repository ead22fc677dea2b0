"""Random pairings of short rows whose rules have to be broken now and then, as the grounds of certificates."""

import functools
import importlib
import random
from pathlib import Path
from typing import Any

import pytest

from quet.games.palindromes.avoiding import Pair, Part, Plan, lead, with_exchanged


@functools.cache
def bench() -> Any:
    """The program that finds parts, `bench/avoided.py`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[1] / "bench"))
        return importlib.import_module("avoided")


def by_rule(plan: Plan) -> int:
    """A row that keeps all rules."""
    return sum(1 << other for _, other, differ in plan.pairs if differ)


def random_pairs(m: int, rng: random.Random) -> list[Pair]:
    squares = rng.sample(range(m), m - m % 2)
    twos = [squares[i : i + 2] for i in range(0, len(squares), 2)]
    return [(min(two), max(two), rng.randrange(2)) for two in twos]


def random_plan(m: int, rng: random.Random) -> Plan | None:
    """Random pairs with a limit that they don't hold if all rules are kept, and parts that hold it, if any do."""
    pairs = random_pairs(m, rng)
    plan = Plan(m, pairs, [], 2 if m % 2 else 1, -99)
    leads = sorted({lead(m, row, plan.liked) for row in plan.above(by_rule(plan), pairs)})
    plan = Plan(m, pairs, [], plan.liked, leads[-2] if len(leads) > 1 else leads[0])
    texts = sorted({bench().part(plan, row) for row in plan.above(by_rule(plan), pairs)})
    if not texts or any(set(text) == {"."} for text in texts):
        return None
    return Plan(m, pairs, with_exchanged([Part.read(text) for text in texts]), plan.liked, plan.limit)


def grounds(plan: Plan) -> dict[str, Any]:
    """What a certificate has of the plan: the first move, the pairs, and the parts that are avoided."""
    free = [square for square in range(plan.m) if all(square not in pair[:2] for pair in plan.pairs)]
    names = ("same", "different")
    return {
        "first": f"{free[0] + 1}=0" if free else None,
        "pairs": [[one + 1, other + 1, names[differ]] for one, other, differ in plan.pairs],
        "avoided": [text(plan.m, part) for part in plan.parts[: len(plan.parts) // 2]],
    }


def text(m: int, part: Part) -> str:
    return "".join(str(part.digits >> s & 1) if part.squares >> s & 1 else "." for s in range(m))
