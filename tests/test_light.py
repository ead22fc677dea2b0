"""What `pip install quet` brings without extras: all that needs no more than NumPy, Numba, Pillow and Textual.

The programs here run where nothing else can be imported: an import hook refuses every other package, in the processes
that they start too.
"""

import ast
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from conftest import without_progress

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MANDATORY = ["numba", "numpy", "pillow", "textual"]
SMALLEST = {
    "blob": "n=3",
    "convoluted-coprimality": "n=3",
    "divisors-multiples": "r=5",
    "palindromes": "m=5",
    "plusses-minuses": "n=3",
    "sequence-ascension": "n=2",
    "sums-grid": "n=2",
    "up-and-up": "n=3",
}

# Read by Python when it starts. Only the names of `refused` are looked at, so that Quet and other folders of the path
# stay as they are.
HOOK = """
import sys

class Refuse:
    refused = frozenset({refused!r})

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.refused:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Refuse())
"""


def name_of(requirement: str) -> str:
    """The distribution that a requirement names."""
    return re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower().replace("_", "-")


def with_all_they_need(names: list[str]) -> set[str]:
    """These distributions, and those that they can't be installed without."""
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += [name_of(r) for r in importlib.metadata.requires(name) or [] if "extra ==" not in r]
    return found


@pytest.fixture(scope="module")
def light(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for Python's path, which takes away all but the four packages and what they need."""
    allowed = {*with_all_they_need(MANDATORY), "quet"}
    refused = [
        module
        for module, distributions in importlib.metadata.packages_distributions().items()
        if not allowed & {name_of(name) for name in distributions}
    ]
    assert {"sqlalchemy", "fastapi", "pysat", "choix", "distributed", "scipy"} <= set(refused)
    folder = tmp_path_factory.mktemp("light")
    (folder / "sitecustomize.py").write_text(HOOK.format(refused=sorted(refused)))
    return folder


def run(light: Path, *words: str, read: str = "") -> subprocess.CompletedProcess[str]:
    """A Python program run there, with these words after `python`."""
    environment = {**os.environ, "PYTHONPATH": str(light)}
    command = [sys.executable, *words]
    return subprocess.run(
        command, input=read, env=environment, cwd=light, capture_output=True, text=True, timeout=600, check=False
    )


def said(light: Path, *words: str, read: str = "") -> str:
    """What `quet` prints there; it must end well."""
    done = run(light, "-m", "quet", *words, read=read)
    assert (done.returncode, without_progress(done.stderr)) == (0, "")
    return done.stdout


def program(light: Path, text: str) -> str:
    """What a program prints there; it must end well."""
    done = run(light, "-c", text)
    assert (done.returncode, without_progress(done.stderr)) == (0, "")
    return done.stdout


def test_four_packages_are_mandatory_and_all_brings_every_extra_of_users() -> None:
    assert sorted(map(name_of, PROJECT["dependencies"])) == MANDATORY
    extras = PROJECT["optional-dependencies"]
    assert extras["all"] == ["quet[arena,cluster,rl,site,solve]"]
    assert "quet[all]" in extras["dev"]
    assert set(extras) == set("all arena bench cluster dev dist docs examples mutants rl site solve".split())


def test_the_library_referees_draws_and_keeps_records_of_every_game(light: Path) -> None:
    listed = program(
        light,
        """
import quet
for id in quet.game_ids():
    game = quet.new(id)
    for _ in range(3):
        game.play(game.legal_moves[0])
    assert quet.read(quet.Record.of(game).text()).game.moves == game.moves
    assert "<svg" in game.svg() and game.png().startswith(b"\\x89PNG") and str(game)
    print(id)
""",
    )
    assert set(SMALLEST) <= set(listed.split())


@pytest.mark.long
def test_every_game_is_played_line_by_line_with_the_engine(light: Path) -> None:
    program(
        light,
        f"""
import contextlib, io, os, sys, quet
from quet.cli.main import main

for id, size in {SMALLEST!r}.items():
    seats = ["--seat", "level:2"] if quet.new(id).num_players > 1 else []
    reading, writing = os.pipe()
    os.write(writing, b"hint\\nquit\\n")
    os.close(writing)
    sys.stdin = os.fdopen(reading)
    with contextlib.redirect_stdout(io.StringIO()) as told:
        assert main(["play", id, size, *seats, "--seed", "1", "--plain"]) == 0
    assert "Hint: " in told.getvalue(), told.getvalue()
    assert not seats or "Player 1: " in told.getvalue(), told.getvalue()
""",
    )


@pytest.mark.long
def test_every_game_is_played_in_the_terminal_application(light: Path) -> None:
    played = program(
        light,
        f"""
import asyncio, quet
from quet.play.session import Session
from quet.terminal.app import QuetApp

async def play(id: str, name: str, size: str) -> None:
    session = Session(quet.new(id, **{{name: size}}))
    move = session.game.legal_moves[-1]
    async with QuetApp(session, delay=0).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        names = {{" ": "space", "=": "equals_sign", "-": "minus", "+": "plus"}}
        await pilot.press("m", *(names.get(c, c) for c in move), "enter")
        for _ in range(500):
            await pilot.pause(0.01)
            if session.game.moves:
                break
    assert session.game.moves == [move], (id, session.game.moves)
    print(id)

for id, size in {SMALLEST!r}.items():
    asyncio.run(play(id, *size.split("=")))
""",
    )
    assert played.split() == list(SMALLEST)


@pytest.mark.long
def test_every_game_is_solved_and_its_certificate_verified(light: Path) -> None:
    program(
        light,
        f"""
import contextlib, io
from quet.cli.main import main

for id, size in {SMALLEST!r}.items():
    lowest = ["--lowest"] if id == "sequence-ascension" else []  # its highest score needs the SAT solver
    with contextlib.redirect_stdout(io.StringIO()) as told:
        assert main(["solve", id, size, *lowest, "--certificate", "game.json"]) == 0
        status = main(["verify", "game.json"])
    verdict = {{0: "verified ", 3: "unchecked"}}.get(status, "nothing else")  # some rest on a search
    assert f"{{verdict}}  game.json" in told.getvalue(), told.getvalue()
""",
    )


@pytest.mark.long
def test_the_other_commands_need_no_extra_either(light: Path) -> None:
    assert "sums-grid" in said(light, "results", "--json")
    assert "antipalindrom" in said(light, "score", "palindromes", "10010")
    assert said(light, "ugi", read="newgame palindromes m=3\nposition startpos moves 1=0\nquery legal\n")
    assert json.loads(said(light, "check", "palindromes", "--json"))["passed"]


@pytest.mark.long
def test_the_wheel_is_installed_and_plays(light: Path, tmp_path: Path) -> None:
    """It stands before the clone on Python's path, as it would in an environment of its own."""
    python = [sys.executable, "-m"]
    build = [*python, "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    pip = [*python, "pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", str(tmp_path / "site"), str(wheel)], check=True, timeout=300)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(light), str(tmp_path / "site")])}

    def said(*words: str, read: str = "") -> str:
        return subprocess.run(
            words, input=read, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=True
        ).stdout

    needed = said(sys.executable, "-c", "import importlib.metadata as m; print(*m.requires('quet'), sep='\\n')")
    assert sorted(name_of(line) for line in needed.splitlines() if "extra ==" not in line) == MANDATORY
    assert said(sys.executable, "-c", "import quet; print(quet.__file__)").startswith(str(tmp_path))
    program = str(tmp_path / "site" / "bin" / "quet")
    told = said(program, "play", "palindromes", "m=5", "--seat", "level:2", "--plain", read="hint\nboard\nquit\n")
    assert "Player 1: " in told and "Hint: " in told
    assert set(SMALLEST) <= {game["game"] for game in json.loads(said(program, "games", "--json"))}
    assert "up-and-up" in said(program, "results")


@pytest.mark.parametrize(
    ("words", "what", "extra"),
    [
        (["serve"], "The site", "site"),
        (["solve", "sequence-ascension", "n=3"], "The SAT solver", "solve"),
        (["solve", "up-and-up", "n=6", "--cluster", "tcp://127.0.0.1:1"], "Dask", "cluster"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 9 else "",
)
def test_a_missing_extra_is_named_with_the_command_to_type(
    light: Path, words: list[str], what: str, extra: str
) -> None:
    done = run(light, "-m", "quet", *words)
    assert done.returncode == 2
    assert done.stderr == f"quet: {what} is not installed; pip install 'quet[{extra}]' brings it.\n"
    assert extra in PROJECT["optional-dependencies"]


def test_catalogs_of_messages_need_an_extra_and_say_so(light: Path) -> None:
    done = run(light, "-m", "quet.web.catalogs", "blob")
    assert (done.returncode, done.stderr) == (1, "Babel is not installed; pip install 'quet[site]' brings it.\n")


@pytest.mark.parametrize("name", ["learning", "results.confirm", "results.make", "results.replies", "web.catalogs"])
def test_help_names_the_command_as_it_is_typed(name: str) -> None:
    command = [sys.executable, "-m", f"quet.{name}", "--help"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told.startswith(f"usage: python -m quet.{name} ")


def test_an_arena_without_its_library_plays_and_leaves_the_ratings_out(light: Path) -> None:
    words = "-m quet arena palindromes m=4 --players random,level:1 --games 4 --json"
    done = run(light, *words.split())
    assert done.returncode == 0
    assert done.stderr.splitlines()[0] == (
        "quet: The library choix, which fits ratings, is not installed; pip install 'quet[arena]' brings it. "
        "Ratings are left out."
    )
    outcome = json.loads(done.stdout)[0] if done.stdout.startswith("[") else json.loads(done.stdout)
    assert outcome["games"] == 4 and outcome["meetings"] and not outcome["ratings"]


def test_without_openspiel_the_import_says_what_to_install(light: Path) -> None:
    done = run(light, "-c", "import quet.rl.openspiel")
    assert done.stderr.endswith("OpenSpiel is not installed; pip install 'quet[rl]' brings it.\n")
    program(light, "try:\n    import quet.rl.openspiel\nexcept ImportError:\n    pass")


def imported(tree: ast.AST) -> set[str]:
    """The top-level names of what a piece of code imports, but for modules of its own package."""
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 0}
    return {name.partition(".")[0] for name in names}


def test_packages_of_extras_are_imported_where_the_sentence_is_said() -> None:
    """Looks outside web/, since `quet serve` imports web/ as a whole."""
    always = sys.stdlib_module_names | {"quet", "llvmlite", "numba", "numpy", "PIL", "platformdirs", "rich", "textual"}
    for file in sorted((ROOT / "src" / "quet").rglob("*.py")):
        if "web" in file.relative_to(ROOT).parts or file.name == "puffer.py":  # which is of no extra of ours
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        said = [
            node for node in ast.walk(tree) if isinstance(node, ast.With) and "needs(" in ast.unparse(node.items[0])
        ]
        named = {name for node in said for name in imported(node)}
        assert imported(tree) - always <= named, file


@pytest.mark.parametrize(
    "text",
    [
        "import quet",
        "import quet; game = quet.new('blob', n=4); game.play('a1'); str(game); game.svg()",
        "from quet.cli.main import main; main([])",
        "from quet.cli.main import main; main(['games'])",
        "from quet.cli.main import main; main(['rules', 'blob'])",
        "from quet.cli.main import main; main(['score', 'palindromes', '10010'])",
    ],
)
def test_what_is_not_needed_is_not_imported(text: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{text}\nimport sys; print('packages:', *sorted(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = done.stdout.partition("packages: ")[2].split()
    assert "quet" in loaded
    assert not {"numpy", "numba", "PIL", "textual", "rich", "asyncio"} & set(loaded)


def test_importing_quet_imports_no_module_of_it() -> None:
    text = "import sys, quet; print(*(name for name in sys.modules if name.startswith('quet')))"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "quet\n"
