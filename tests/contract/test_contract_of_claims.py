"""`quet check` notices claims that aren't so: those of our games, changed in one place at a time."""

import types
from collections.abc import Callable, Sequence
from typing import Any

import pytest

import quet
from quet import catalog
from quet.contract.checks import CHECKS
from quet.core.errors import BadCertificate, BrokenRules
from quet.games.divisors_multiples import claims as divisors
from quet.games.palindromes import claims as palindromes


def check(id: str, **changed: object) -> None:
    """The check, with some of what the claims of the game say replaced, or taken away where it is None."""
    entry = catalog.Entry(id, catalog.get(id).package)
    said = {**vars(catalog.get(id).claims), **changed}
    entry.__dict__["claims"] = types.SimpleNamespace(**{name: part for name, part in said.items() if part is not None})
    CHECKS["claims hold"](entry)


def refuses(start: object, claimed: int, side: str, step: object) -> bool:
    raise BadCertificate("A game is better.", step="grounds")


def refuses_all(start: object, claimed: Sequence[int]) -> list[int]:
    raise BadCertificate("Perfect play leads elsewhere.", step="grounds")


def keeps_all(start: Any, claimed: Sequence[int]) -> list[int]:
    return list(range(2 * start.m))


def cost_of_short_rows(start: Any) -> tuple[float, int] | None:
    """In rows so short any first move is as good."""
    return (0.0, 0) if start.m < 9 else None


def knows_no_filled_square(start: Any, claimed: Sequence[int]) -> list[int]:
    """What holds at the start is said of every position."""
    return palindromes.perfect(quet.new("palindromes", m=start.m).state, claimed)


def costs_nothing(start: object) -> tuple[float, int]:
    return (0.0, 0)


@pytest.mark.parametrize(
    ("id", "changed", "sentence"),
    [
        ("blob", {"highest": lambda s: -s.n}, "The claims say -[0-9]+ to -[0-9]+, but a value is "),
        ("up-and-up", {"lowest": lambda s: s.n**2}, "The claims say [0-9]+ to [0-9]+, but a value is "),
        ("up-and-up", {"lowest": lambda s: 0.5}, "lowest and highest must be ints "),
        ("convoluted-coprimality", {"wish": lambda scores, player: "to win"}, "A wish must be an int or a Fraction "),
        ("up-and-up", {"position": lambda s: [s.last, s.step]}, "Two positions with the same key go on in different"),
        ("blob", {"position": lambda s: [s.ply]}, "Two positions with the same key go on in different ways "),
        (
            "blob",
            {"canonical": lambda s: bytes(sorted(s.cells[: s.n**2]))},
            "Two positions that a symmetry is said to join",
        ),
        (
            "palindromes",
            {"canonical": lambda s: bytes([s.ply])},
            "Two positions that a symmetry is said to join aren't alike",
        ),
        ("divisors-multiples", {"turns": lambda s: [[3]]}, "The turn .* is against the rules "),
        ("divisors-multiples", {"turns": lambda s: divisors.turns(s)[1:]}, "A turn that matters isn't among those "),
        ("divisors-multiples", {"turns": lambda s: []}, "A turn that matters isn't among those of the claims "),
        ("sequence-ascension", {"clauses": lambda start, score: [[1, 0]]}, "Literals must be ints, and not 0 "),
        ("up-and-up", {"tried": lambda start, claimed, side, step: True}, "Trying all games confirms a score of "),
        ("up-and-up", {"tried": refuses}, "Trying all games refutes a score of "),
        (
            "palindromes",
            {"perfect": lambda start, claimed: []},
            "the first moves that keep .* differ ",
        ),
        ("palindromes", {"perfect": keeps_all, "cost": cost_of_short_rows}, "Trying all positions confirms "),
        (
            "palindromes",
            {"cost": lambda start: None},
            "perfect must try all positions of a game of palindromes that has [0-9]+",
        ),
        (
            "palindromes",
            {"perfect": knows_no_filled_square, "cost": costs_nothing},
            "Trying all positions .* from a position after the start ",
        ),
        ("palindromes", {"num_positions": lambda start: 3.0**start.m}, "num_positions must be an int "),
        (
            "blob",
            {"perfect": refuses_all, "cost": costs_nothing, "num_positions": lambda start: 1},
            "Trying all positions refutes ",
        ),
        ("palindromes", {"cost": lambda start: (2.0**start.m,)}, "cost must be seconds and bytes, or None "),
        ("palindromes", {"STRATEGIES": {"mirror": ("square",)}}, "strategy.py finds a pairing, which STRATEGIES "),
        (
            "palindromes",
            {"guarantee": lambda start, ground, side, step: (7, "")},
            "A pairing is said to hold -?[0-9], and",
        ),
        ("blob", {"STRATEGIES": {}, "guarantee": print}, "The claims have STRATEGIES, and there is no "),
        ("blob", {"highest": lambda s: 1 // 0}, "ZeroDivisionError: "),
    ],
)
def test_a_false_claim_is_noticed(id: str, changed: dict[str, Callable[..., Any]], sentence: str) -> None:
    with pytest.raises(BrokenRules, match=sentence):
        check(id, **changed)


def test_a_game_may_claim_less() -> None:
    check("blob", highest=None, position=None)
