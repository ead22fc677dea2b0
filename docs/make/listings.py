"""Pages of reference that follow from the code: public names, errors, settings and addresses."""

import ast
import dataclasses
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import quet
import quet.records
import quet.rl
from quet.core import errors as core
from quet.web import settings
from quet.web.app import create_app
from quet.web.errors import status_of

SOURCE = Path(quet.__file__).parent
CORE = SOURCE / "core" / "errors.py"
ELSEWHERE = {  # settings that aren't the site's, and what each means
    "QUET_CACHE": "the folder of compiled code; by default `quet` in the user's cache",
    "QUET_SQLITE_FILE": "which database file `quet serve` serves; it sets this itself, for its server processes",
    "QUET_TABLES": "the folder of tablebases that were saved; by default `tables` in the user's data",
    "XDG_CACHE_HOME": "the user's cache, where `QUET_CACHE` isn't set",
    "COLORFGBG": "set by some terminals: whether the terminal application begins light or dark",
}
_SETTING = re.compile(r"^ {4}(QUET_\w+(?:\.\.\.)?|FORWARDED_ALLOW_IPS) +(.*(?:\n {20,}.*)*)", re.MULTILINE)
_VARIABLE = re.compile(r"[\"'](QUET_[A-Z_]+|COLORFGBG|XDG_[A-Z_]+)[\"']")


class Undocumented(Exception):
    """A public name, a setting, an address or an error that nothing is said about."""


def pages() -> dict[str, str]:
    """The text of each page by its path. Raises Undocumented."""
    return {
        "reference/api.md": _api(),
        "reference/errors.md": _errors(),
        "reference/settings.md": _settings(),
        "reference/http.md": _http(),
    }


def _api() -> str:
    lines = ["# Public names", "", "[The library](../library.md) shows how they are used.", ""]
    lines += ["What a name that begins with `quet.` does is promised; all others may change.", ""]
    modules: list[tuple[str, ModuleType]] = [("quet", quet), ("quet.records", quet.records), ("quet.rl", quet.rl)]
    seen: set[str] = set()
    for prefix, module in modules:
        names = [name for name in module.__all__ if name not in seen and name != "records"]
        seen |= set(names)
        for name in sorted(names, key=lambda name: (name[0].isupper(), name)):
            thing = _named(module, name)
            if isinstance(thing, type) and issubclass(thing, quet.QuetError):
                continue  # the page of errors has them
            lines += [f"::: {prefix}.{name}", ""]
            if isinstance(thing, type):
                lines += _fields(thing) if prefix != "quet.rl" else []
            if thing is not None:
                check(f"{prefix}.{name}", thing)
    return "\n".join(lines)


def _named(module: ModuleType, name: str) -> object:
    """What a module has under this name; None where the extra that it needs isn't installed."""
    try:
        return getattr(module, name)
    except quet.MissingExtra:
        return None


def check(name: str, thing: object) -> None:
    """Raises Undocumented where the thing has no docstring.

    The same holds for public methods and properties of a class, and for public functions and classes of a module.
    """
    if not inspect.getdoc(thing):
        raise Undocumented(f"{name} has no docstring.")
    if not isinstance(thing, type | ModuleType):
        return
    for part, value in vars(thing).items():
        inside = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if isinstance(thing, ModuleType):
            is_told = getattr(inside, "__module__", None) == thing.__name__ and callable(inside)
        else:
            is_told = inspect.isfunction(inside) or isinstance(inside, property) or hasattr(inside, "attrname")
        if not part.startswith("_") and is_told:
            check(f"{name}.{part}", inside)


def _fields(thing: type) -> list[str]:
    """The fields of a data class, with the comments behind them."""
    if not dataclasses.is_dataclass(thing):
        return []
    told = comments(thing)
    lines = ["", "| field | type | meaning |", "|---|---|---|"]
    for field in dataclasses.fields(thing):
        if not field.name.startswith("_"):
            if not told.get(field.name):
                raise Undocumented(
                    f"The field {field.name} of {thing.__name__} has neither a comment nor a text below."
                )
            kind = inspect.formatannotation(field.type).replace("|", "\\|")
            lines.append(f"| `{field.name}` | `{kind}` | {told[field.name]} |")
    return [*lines, ""]


def comments(thing: type) -> dict[str, str]:
    """What is said of each field of a class: in the comment behind it, or in the text below it."""
    source = inspect.getsource(thing)
    lines = source.splitlines()
    (node,) = ast.parse(inspect.cleandoc(source)).body
    assert isinstance(node, ast.ClassDef)
    found = {}
    for here, below in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(here, ast.AnnAssign) and isinstance(here.target, ast.Name):
            _, mark, comment = lines[(here.end_lineno or here.lineno) - 1].partition("  # ")
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                comment = " ".join(str(below.value.value).split())
            found[here.target.id] = comment.strip().replace("|", "\\|") if mark or comment else ""
    return found


def _errors() -> str:
    lines = [
        "# Errors",
        "",
        "Every error that Quet raises on purpose is a `QuetError`, and its message is a sentence for people.",
    ]
    lines += [
        "The command line prints it and ends with status 2. The site answers with the status in the last",
        "column, or with that of the error's base.",
        "",
    ]
    lines += ["| error | is a | what is wrong | module | HTTP |", "|---|---|---|---|---|"]
    for name, base, words, module, status in errors():
        if not words:
            raise Undocumented(f"{module}.{name} has no docstring.")
        lines.append(f"| `{name}` | `{base}` | {words} | `{module}` | {status} |")
    return "\n".join([*lines, ""])


def errors() -> Iterator[tuple[str, str, str, str, str]]:
    """Name, base, docstring, module and HTTP status of each error, those of the library first."""
    classes = []
    for file in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and node.bases:
                classes.append((node, file))
    known, found = {"QuetError"}, []
    while True:
        new = [each for each in classes if each not in found and {ast.unparse(b) for b in each[0].bases} & known]
        if not new:
            break
        known |= {node.name for node, _ in new}
        found += new
    for node, file in found:
        if not node.name.startswith("_"):
            module = ".".join(file.relative_to(SOURCE.parent).with_suffix("").parts)
            words = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split()).replace("|", "\\|")
            status = next((ast.unparse(each) for each in map(_status, node.body) if each), "")
            raised = getattr(core, node.name, None) if file == CORE else None
            if isinstance(raised, type) and issubclass(raised, core.QuetError):
                answered = status_of(raised.__new__(raised))
                status = str(answered) if answered < 500 else ""
            yield node.name, ast.unparse(node.bases[0]), words, module, status


def _status(node: ast.stmt) -> ast.expr | None:
    """The value of a line `status = 404`."""
    return node.value if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "status" else None


def _settings() -> str:
    told = dict(_SETTING.findall(settings.__doc__ or ""))
    used = {name for file in SOURCE.rglob("*.py") for name in _VARIABLE.findall(file.read_text(encoding="utf-8"))}
    unknown = sorted(used - told.keys() - ELSEWHERE.keys())
    if unknown:
        raise Undocumented(f"Nothing says what {' and '.join(unknown)} means; web/settings.py and listings.py could.")
    lines = [
        "# Settings",
        "",
        "Quet is configured by variables of the environment. `quet --help` and [commands](../commands.md)",
    ]
    lines += ["tell what is set for one run only.", "", "## The site", "", "| variable | meaning |", "|---|---|"]
    lines += [f"| `{name}` | {' '.join(words.split())} |" for name, words in told.items() if "..." not in name]
    lines += ["", "[Host a site](../site.md) says more about each.", "", "## Limits of the site", ""]
    lines += [
        "They hold for a minute, except where another time is named; 0 means no limit. Each server process counts for"
    ]
    lines += [
        "itself, but for `QUET_LIMIT_GAMES_PER_DAY`: with several of them a limit is up to as many times as high.",
        "",
    ]
    lines += ["| variable | usually | counted |", "|---|--:|---|"]
    told = comments(settings.Limits)
    for field in dataclasses.fields(settings.Limits):
        words = told[field.name]
        if not words and not told.get(field.name.removeprefix("address_")):
            raise Undocumented(f"Nothing says what QUET_LIMIT_{field.name.upper()} counts.")
        usual = field.name.removeprefix("address_").upper()
        words = words or f"as `QUET_LIMIT_{usual}`, for all visitors of an address together"
        lines.append(f"| `QUET_LIMIT_{field.name.upper()}` | {field.default} | {words} |")
    lines += ["", "## Everywhere", "", "| variable | meaning |", "|---|---|"]
    lines += [f"| `{name}` | {words} |" for name, words in ELSEWHERE.items()]
    return "\n".join([*lines, ""])


def _http() -> str:
    """The addresses of the site, as it describes itself."""
    described = create_app(settings.Settings("sqlite:////nowhere/quet.db", "a key for the documentation")).openapi()
    lines = [
        "# Addresses of the site",
        "",
        "What `quet serve` answers. Forms are sent with POST, and need the token of their page.",
    ]
    lines += ["HEAD is answered like GET. [Host a site](../site.md) says what each part is for.", ""]
    lines += ["| address | | fields | what comes back |", "|---|---|---|---|"]
    for path, methods in sorted(described["paths"].items()):
        for method, about in methods.items():
            words = " ".join(about.get("description", "").split()).replace("|", "\\|")
            if not words:
                raise Undocumented(f"Nothing says what {method.upper()} {path} gives.")
            fields = ", ".join(f"`{each['name']}`" for each in about.get("parameters", ()) if each["in"] == "query")
            lines.append(f"| `{path}` | {method.upper()} | {fields} | {words} |")
    return "\n".join([*lines, ""])
