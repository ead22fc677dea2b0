"""No file of `src/quet` outside `games/` names one of the games there, so that a ninth game is a whole game.

Python files are parsed: names, imports and texts count, comments and docstrings don't (they may tell of an example). Of
data files every word counts. A name counts however it is written: `up-and-up`, `up_and_up`, `UpAndUp`, `Up And Up`.
So do words of a name that are used for nothing else, as in `check_ascension`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import SMALL

SOURCE = Path(__file__).parents[1] / "src" / "quet"
GAMES = sorted(rules.parent.name.replace("_", " ") for rules in (SOURCE / "games").glob("*/rules.py"))
PARTS = "antipalindrome antipalindromes ascension blobs convoluted coprimality minuses palindrome plusses sums".split()
PARTS += ["second part first"]  # a parameter
DATA = {".css", ".html", ".js", ".json", ".po", ".pot", ".svg", ".tcss", ".toml", ".txt"}


def words(text: str) -> str:
    """The words of an identifier or a text in lower case, with a space around each."""
    parts = re.sub(r"([a-z0-9])(?=[A-Z])", r"\1 ", text)
    return f" {' '.join(re.findall(r'[a-z0-9]+', parts.lower()))} "


def named(text: str) -> list[str]:
    """The games, or parts of their names, that a text has."""
    found = words(text)
    return [name for name in (*GAMES, *PARTS) if f" {name} " in found]


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """All names and texts of a parsed file but its docstrings, with their lines."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if node.body and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)
    }
    for node in ast.walk(tree):
        if id(node) in docstrings:
            continue
        for field, value in ast.iter_fields(node):
            if field == "value" and isinstance(value, bytes):
                value = value.decode(errors="replace")
            for text in value if isinstance(value, list) else [value]:  # the names of `global` are a list
                if isinstance(text, str):
                    yield getattr(node, "lineno", 0), text


def found_in(file: Path) -> list[str]:
    """Where a file names a game, its own path among it."""
    path = file.relative_to(SOURCE).as_posix()
    found = [f"{path} is called after {name}" for name in named(path)]
    content = file.read_text(encoding="utf-8")
    pieces = texts(ast.parse(content)) if file.suffix == ".py" else enumerate(content.splitlines(), 1)
    return found + [f"{path}:{line} names {name}" for line, text in pieces for name in named(text)]


FILES = sorted(
    file
    for file in SOURCE.rglob("*")
    if file.suffix in {".py", *DATA} and SOURCE / "games" not in file.parents and "__pycache__" not in file.parts
)


def test_all_games_and_many_files_are_looked_at() -> None:
    assert [id.replace("-", " ") for id in sorted(SMALL)] == GAMES, "SMALL in tests/conftest.py must have these games."
    assert len(FILES) > 150


def test_no_file_outside_the_games_names_one() -> None:
    assert [line for file in FILES for line in found_in(file)] == []


@pytest.mark.parametrize(
    "code",
    [
        "from quet.games.blob import rules",
        "from quet.games import blob as b",
        "import quet.games.up_and_up.rules",
        "WISHES = {'divisors-multiples': 1}",
        "games[f'quet.games.up_and_up.{name}']",
        "HELP = 'as in quet play blob n=8'",
        "magic = b'blob'",
        "class SumsGridGame: pass",
        "def solve_blob(): pass",
        "def solve(blob): pass",
        "solve(blob=1)",
        "palindromes = 1",
        "rules.palindromes",
        "global blob",
        "match x:\n    case blob: pass",
        "title = 'Up And Up'",
        "from . import check_ascension",
    ],
)
def test_a_name_is_found_wherever_code_can_have_it(code: str) -> None:
    assert [name for _, text in texts(ast.parse(code)) for name in named(text)]


def test_docstrings_and_comments_and_longer_words_may_be() -> None:
    code = (
        '''"""As in blob."""\ndef f():  # blob\n    """blob"""\n    return "blobby, and on the way up and upwards"\n'''
    )
    assert [text for _, text in texts(ast.parse(code)) if named(text)] == []
