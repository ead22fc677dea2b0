"""Second ways stand by themselves: they use no solver, above all not that of their own game."""

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

from quet import catalog, games
from quet.core.errors import BrokenRules
from quet.results.folder import find
from quet.results.second import second_way

WHOLE = "LARGEST, MOST_PLAYERS, FINDS_BOUNDS, WORDS, value = 3, 2, False, '', print\n"
FOLDER = Path(games.__file__).parent
MODULES = sorted(FOLDER.glob("*/second*.py"))
ALLOWED = {  # besides quet.core, the standard library, and of the game the rules, claims and other second ways
    "numpy",
    "pysat.solvers",
    "quet.distribution.parts",
    "quet.distribution.task",
    "quet.engine.arrays",
    "quet.engine.compiled",
}


def imported(file: Path) -> set[str]:
    """The full names of the modules that a module imports; for `from . import rules` it is the game's rules."""
    package = ["quet", "games", file.parent.name]
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            here = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join(here + ([node.module] if node.module else []))
            spec = importlib.util.find_spec(base)
            is_package = spec is not None and spec.submodule_search_locations is not None
            found |= {f"{base}.{alias.name}" for alias in node.names} if is_package and node.level else {base}
    return found


@pytest.mark.parametrize("file", MODULES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_second_way_uses_nothing_of_a_solver(file: Path) -> None:
    own = f"quet.games.{file.parent.name}"
    for name in imported(file):
        is_plain = name.partition(".")[0] in sys.stdlib_module_names or name.startswith("quet.core.")
        is_own = name in (f"{own}.rules", f"{own}.claims", f"{own}.perfect") or name.startswith(f"{own}.second")
        assert is_plain or is_own or name in ALLOWED, f"{file.name} of {file.parent.name} imports {name}"


def test_every_game_with_results_has_a_second_way(our_game_id: str) -> None:
    if find(None).rows(our_game_id):
        folder = our_game_id.replace("-", "_")
        assert catalog.get(our_game_id).second is not None, (
            f"Write src/quet/games/{folder}/second.py, a second way to the rows of results/{our_game_id}.jsonl."
        )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("LARGEST = 3", "The second of my-game have no FINDS_BOUNDS and no MOST_PLAYERS and no WORDS and no value."),
        (f"{WHOLE}MOST_PLAYERS = 3", "The second of my-game have no scores."),
        (f"{WHOLE}LARGER = 'second_larger'", "The second_larger of my-game can't be imported: "),
        ("1 / 0", "The second of my-game can't be imported: ZeroDivisionError: division by zero."),
    ],
    ids=["lacks", "many", "larger", "raises"],
)
def test_a_second_way_that_lacks_something_is_told(
    text: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    package = f"quet_{request.node.callspec.id}"
    (tmp_path / package).mkdir()
    for name, content in (("__init__", ""), ("second", text)):
        (tmp_path / package / f"{name}.py").write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(catalog, "get", lambda id: catalog.Entry(id, package))
    with pytest.raises(BrokenRules) as caught:
        second_way("my-game", 9)
    assert str(caught.value).startswith(sentence)


def test_a_game_may_have_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "quet_plain").mkdir()
    (tmp_path / "quet_plain" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(catalog, "get", lambda id: catalog.Entry(id, "quet_plain"))
    assert second_way("my-game", 4) is None
