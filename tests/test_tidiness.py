"""No code is dead, no run of ten lines stands twice, and hardly any type is Any."""

import ast
import re
import subprocess
from collections import defaultdict
from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).parents[1]
FOLDERS = ("src", "tests", "bench")
CODE = {".cpp", ".css", ".hpp", ".html", ".js", ".py", ".tcss", ".toml"}
RUN = 10  # lines
MOST_ANY = 40  # lines that say Any: where Numba, JSON or a library leaves no other type

# Names that no code of the project says: libraries call them, or people who use Quet do.
CALLED_BY_OTHERS = {
    "Alembic": ["revision", "down_revision"],
    "asyncio": ["connection_lost", "connection_made", "data_received", "pause_writing", "resume_writing"],
    "Babel": ["msgid_bugs_address"],
    "Dask": ["pure"],
    "Gymnasium, PettingZoo and learners": [
        "Solitaire",
        "Solitaires",
        "num_envs",
        "observation_space",
        "action_space",
        "state_space",
        "random_actions",
    ],
    "who measures agents": [
        *["OpenSpielAgent", "accuracy", "against_perfect", "drop", "generalisation", "holds_*", "keeps_result"],
        *["num_positions", "weak_strength"],
    ],
    "onnxruntime": ["intra_op_num_threads"],
    "IPython": ["_repr_svg_"],
    "logging": ["JsonFormatter", "Lines", "handleError"],
    "Numba": ["on_start", "on_end"],
    "OpenSpiel": ["_apply_action", "_action_to_string", "make_py_observer", "returns", "set_from", "string_from"],
    "Python": ["__dir__", "__getattr__", "__setitem__", "memo", "trace"],
    "SQLAlchemy": ["isolation_level"],
    "Starlette": ["media_type"],
    "Textual": [
        *["BINDINGS", "CSS_PATH", "ENABLE_COMMAND_PALETTE", "HORIZONTAL_BREAKPOINTS", "VERTICAL_BREAKPOINTS"],
        *["action_*", "check_action", "compose", "cursor_position", "disabled", "display", "on_*", "render_line"],
    ],
    "prometheus_client": ["read_value"],
    "the settings of the limits, by getattr": ["costly", "streams", "pages", "address_*"],
    "uvicorn": [
        "_unsupported_upgrade_warning",
        "disconnected",
        "keep_subprocess_alive",
        "on_message_*",
        "on_header*",
        "on_response_complete",
        "send_400_response",
        "timeout_keep_alive_handler",
    ],
}
ASKED_FOR = {"ugi(options)", "_terminate(frame)", "fill_block(seconds)"}  # of all commands, signals and layers
CALLED_BY_DECORATORS = ["@on", "@router.*", "@*.get", "@*.post"]


def test_no_code_is_dead() -> None:
    """Names that templates of pages say count as used; names that only tests say don't."""
    vulture = Vulture(
        ignore_names=[name for names in CALLED_BY_OTHERS.values() for name in names],
        ignore_decorators=CALLED_BY_DECORATORS,
    )
    vulture.scavenge([str(ROOT / "src"), str(ROOT / "bench")])
    for page in (ROOT / "src").rglob("*.html"):
        vulture.scan("\n".join(sorted({f"_.{word}" for word in re.findall(r"\.([a-z_]+)", page.read_text("utf-8"))})))
    unused = [item for item in vulture.get_unused_code() if item.typ != "import"]  # Ruff finds those, in quotes too
    assert "\n".join(item.get_report() for item in unused) == ""


def test_every_name_that_others_call_is_there() -> None:
    code = "\n".join(file.read_text("utf-8") for folder in ("src", "bench") for file in (ROOT / folder).rglob("*.py"))
    names = [name.rstrip("*") for names in CALLED_BY_OTHERS.values() for name in names]
    assert [name for name in names if not re.search(rf"\b{name}", code)] == []


def test_no_parameter_is_unused() -> None:
    """But those that a Protocol asks for, in any function of such a name, and those that a decorator may use."""
    trees = [ast.parse(file.read_text("utf-8")) for file in sorted((ROOT / "src").rglob("*.py"))]
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    protocols = [one for one in classes if any(ast.unparse(base).startswith("Protocol") for base in one.bases)]
    asked_for = {node.name for one in protocols for node in one.body if isinstance(node, ast.FunctionDef)}
    functions = [
        node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    unused = set()
    for one in functions:
        if one.name not in asked_for and not one.decorator_list:
            said = {node.id for line in one.body for node in ast.walk(line) if isinstance(node, ast.Name)}
            given = [*one.args.posonlyargs, *one.args.args, *one.args.kwonlyargs]
            unused |= {f"{one.name}({parameter.arg})" for parameter in given if parameter.arg not in said}
    assert unused == ASKED_FOR


def lines_of_code(file: Path) -> list[tuple[int, str]]:
    """The lines of a file that count, by number, without indentation: no imports, blank lines and comments."""
    text = file.read_text("utf-8")
    is_python = file.suffix == ".py"
    imports = {
        number
        for node in ast.walk(ast.parse(text if is_python else ""))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = [(number, " ".join(line.split())) for number, line in enumerate(text.splitlines(), 1)]
    return [
        (number, line) for number, line in lines if line and not (is_python and (line[0] == "#" or number in imports))
    ]


def test_no_run_of_ten_lines_stands_twice() -> None:
    places: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for file in sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.suffix in CODE):
        lines = lines_of_code(file)
        for k in range(len(lines) - RUN + 1):
            run = tuple(line for _, line in lines[k : k + RUN])
            places[run].append(f"{file.relative_to(ROOT)}:{lines[k][0]}")
    assert "\n".join(" = ".join(where) for where in places.values() if len(where) > 1) == ""


def test_hardly_any_type_is_any() -> None:
    lines = [line for file in (ROOT / "src").rglob("*.py") for line in file.read_text("utf-8").splitlines()]
    assert sum(re.search(r"\bAny\b", line) is not None for line in lines) <= MOST_ANY


def test_decisions_have_numbers_of_their_own() -> None:
    titles: dict[int, list[str]] = {}
    for file in sorted((ROOT / "docs" / "decisions").glob("*.md")):
        number = int(file.name[:4])
        titles.setdefault(number, []).append(file.name)
        assert file.read_text(encoding="utf-8").startswith(f"# {number}. "), file.name
    assert [names for names in titles.values() if len(names) > 1] == []


def test_no_file_stands_beside_the_folders_that_nobody_put_there() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    if listed:  # else these are no files of a clone
        assert {name for name in listed if "/" not in name} == {
            *[
                ".gitignore",
                "CHANGELOG.md",
                "CITATION.cff",
                "CODE_OF_CONDUCT.md",
                "CONTRIBUTING.md",
                "LICENSE",
                "Makefile",
            ],
            *["README.md", "SECURITY.md", "conftest.py", "constraints.txt", "mkdocs.yml", "pyproject.toml"],
        }
