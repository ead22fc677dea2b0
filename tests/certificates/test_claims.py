"""What games tell the checker is found in their folders, and a game that is broken is named in one sentence."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from certified import Made, resealed
from quet import games
from quet.certificates import claims, verify
from quet.cli import new_game
from quet.core.errors import BadCertificate
from quet.core.rules import AnyState
from quet.games.blob import claims as blob
from quet.games.convoluted_coprimality import claims as convoluted_coprimality
from quet.games.divisors_multiples import claims as divisors_multiples
from quet.games.palindromes import claims as palindromes
from quet.games.plusses_minuses import claims as plusses_minuses
from quet.games.sequence_ascension import claims as sequence_ascension
from quet.games.sums_grid import claims as sums_grid
from quet.games.up_and_up import claims as up_and_up

# mypy sees here that the functions of each game have the types that the checker wants.
BOUNDS: list[claims.Bounds[AnyState]] = [blob, palindromes, plusses_minuses, sequence_ascension, sums_grid, up_and_up]
WISHES: list[claims.Wish] = [convoluted_coprimality, divisors_multiples]
KEYS: list[claims.Key[AnyState]] = [blob, divisors_multiples, up_and_up]
ROOMS: list[claims.Room[AnyState]] = [blob, divisors_multiples, palindromes]
CLAUSES: list[claims.Clauses[AnyState]] = [sequence_ascension]
TRIES: list[claims.Tries[AnyState]] = [sums_grid, up_and_up]
STRATEGIES: list[claims.Strategies[AnyState]] = [palindromes, plusses_minuses]


@pytest.mark.parametrize(
    ("kind", "modules"),
    [
        (claims.Bounds, BOUNDS),
        (claims.Wish, WISHES),
        (claims.Key, KEYS),
        (claims.Room, ROOMS),
        (claims.Clauses, CLAUSES),
        (claims.Tries, TRIES),
        (claims.Strategies, STRATEGIES),
    ],
)
def test_the_checker_finds_what_each_game_says(kind: type[object], modules: list[object]) -> None:
    ours = [claims.of(game).claims for game, folder in games.folders().items() if folder.startswith("quet.")]
    assert [module for module in ours if isinstance(module, kind)] == modules


@pytest.fixture
def nim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a game from another package, made from the template."""
    folder = new_game.make("nim", tmp_path, is_bare=True)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(games, "folders", lambda: {"nim": folder.name})
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == folder.name]:
        del sys.modules[name]


def certificate(**changed: Any) -> Made:
    """The table of a row of one square, which player 1 wins. It has two positions."""
    whole = {
        "format": verify.FORMAT,
        "version": verify.VERSION,
        "game": "nim",
        "rules": 1,
        "parameters": {"n": 1},
        "claim": {"score": "value", "low": 1, "high": 1, "best_moves": ["1"]},
        "witness": ["1"],
        "grounds": [{"for": ["low", "high"], "kind": "table", "values": [1, 0]}],
    }
    return resealed(whole | changed)


def refused(whole: Made) -> str:
    with pytest.raises(BadCertificate) as caught:
        verify.check(whole)
    assert caught.value.step == "game"
    return caught.value.sentence


def test_a_game_of_another_package_is_checked_by_its_rules_alone(nim: Path) -> None:
    found = verify.check(certificate())
    assert found.claim == "the value is 1"
    assert found.checked[-1] == "Each of the 2 positions is worth the best of its moves."
    with pytest.raises(BadCertificate, match="grounds: Position 1 is worth 1, not -1"):
        verify.check(certificate(grounds=[{"for": ["low", "high"], "kind": "table", "values": [-1, 0]}]))
    with pytest.raises(BadCertificate, match="grounds: The rules of this game alone give no bound"):
        verify.check(certificate(grounds=[{"for": ["high"], "kind": "bound"}]))
    with pytest.raises(BadCertificate, match="grounds: The kinds of grounds are witness, bound, table, "):
        verify.check(certificate(grounds=[{"for": ["high"], "kind": "pairing", "first": None, "pairs": []}]))


BOUND = [{"for": [side], "kind": "bound"} for side in ("low", "high")]
CLAIMS = """
STRATEGIES = {"first": ("square",)}

def highest(s):
    return 1

def lowest(s):
    return 1

def guarantee(start, ground, side, step):
    step()
    return 1, f"Square {ground['square']} wins."
"""


def test_a_game_of_another_package_has_bounds_and_strategies_of_its_own(nim: Path) -> None:
    (nim / "claims.py").write_text(CLAIMS)
    importlib.invalidate_caches()
    open_claim = {"score": "value", "low": 1, "high": 1, "best_moves": None}
    assert verify.check(certificate(claim=open_claim, grounds=BOUND)).trusted == []
    first = {"for": ["low"], "kind": "first", "square": 1}
    assert verify.check(certificate(claim=open_claim, grounds=[first, BOUND[1]])).checked[1] == (
        "A first is a strategy that holds the value at 1 at least. Square 1 wins."
    )


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        ("rules.py", "1 / 0", "The rules of nim can't be imported: ZeroDivisionError: division by zero."),
        ("rules.py", "VERSION = 1", "The rules of nim have no LOWER_IS_BETTER and no PARAMETERS and no State"),
        ("claims.py", "def highest(s)", "The claims of nim can't be imported: SyntaxError: expected ':'"),
        ("claims.py", "import not_there", "The claims of nim can't be imported: ModuleNotFoundError: No module named"),
        ("claims.py", "raise RuntimeError('a\\nb')", "The claims of nim can't be imported: RuntimeError: a\\nb."),
        (
            "claims.py",
            CLAIMS.replace("return 1\n", "return 1 // 0\n"),
            "The rules or claims of nim fail: ZeroDivisionError: integer division or modulo by zero.",
        ),
        (
            "claims.py",
            "def position(s):\n    return ['a']",
            "The rules or claims of nim fail: TypeError: ",
        ),
    ],
)
def test_a_broken_game_is_named_in_a_sentence(nim: Path, file: str, text: str, sentence: str) -> None:
    (nim / file).write_text(text)
    importlib.invalidate_caches()
    grounds = certificate()["grounds"] if "position" in text else BOUND
    assert refused(certificate(grounds=grounds)).startswith(sentence)


def test_a_folder_that_is_not_there_is_named_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "folders", lambda: {"nim": "not_there_at_all"})
    assert refused(certificate()).startswith("The rules of nim can't be imported: ModuleNotFoundError: ")
