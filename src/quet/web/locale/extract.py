"""`make messages`: collects every message of the site into `quet.pot`, and brings the catalogs up to date with it.

Translations stay as they are; what no page says any more goes, and what is new waits for a translator. A language that
`i18n.LANGUAGES` names for the first time gets a catalog of its own.
"""

import ast
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from ..i18n import LANGUAGES, SOURCE
from .patterns import messages

HERE = Path(__file__).parent
QUET = HERE.parents[1]
TEMPLATE = HERE / "quet.pot"
WIDTH = 110
JINJA = {"newstyle_gettext": "true", "trimmed": "true", "silent": "false"}
# Where no sentence is made that the site shows.
SILENT = """
    arena checks clock computers exact faces files local_search longest_path observe record_ serve settings standings
    trials
""".split()

Message = str | tuple[str, str]


def collect() -> Catalog:
    """All messages, English, with the files that say them."""
    catalog = Catalog(project="Quet", version="", msgid_bugs_address="", charset="utf-8", fuzzy=False)
    catalog.header_comment = "# Messages of Quet's site, collected by `make messages`."
    for file, message in [*_of_pages(), *_of_games(), *_of_code()]:
        catalog.add(message, locations=[(file.relative_to(QUET.parent).as_posix(), 0)])
    return catalog


def _of_pages() -> Iterator[tuple[Path, Message]]:
    """What templates and Python say by gettext."""
    for file in sorted(HERE.parent.glob("pages/*.html")):
        for _, message, _, _ in extract_from_file("jinja2", file, options=JINJA):
            yield file, message if isinstance(message, str) else (message[0], message[1])
    for file in sorted(HERE.parent.glob("**/*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:  # an f-string is a tree as well, and may hold such a call
                case ast.Call(func=ast.Name(id="_" | "gettext"), args=[ast.Constant(value=str(message))]):
                    yield file, message
                case ast.Call(func=ast.Name(id="ngettext"), args=[ast.Constant(), ast.Constant(), *_]):
                    singular, plural = (argument.value for argument in node.args[:2])  # type: ignore[attr-defined]
                    yield file, (singular, plural)


def _of_games() -> Iterator[tuple[Path, Message]]:
    """What `facts.toml` says of each game."""
    for file in sorted(QUET.glob("games/*/facts.toml")):
        facts: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
        samples = (sample["source"] for sample in facts.get("samples", ()))
        texts = [facts["title"], facts["summary"], facts["source"], *facts["rules"]]
        for text in [*texts, *facts.get("rulings", {}).values(), *samples]:
            yield file, text


def _of_code() -> Iterator[tuple[Path, Message]]:
    """The sentences of the games, of the layers between, and of the site's own errors."""
    rooms = ("core", "games", "records", "knowledge", "players", "study", "play", "contract", "draw", "web")
    files = [file for room in rooms for file in sorted(QUET.glob(f"{room}/**/*.py"))] + [
        QUET / "catalog.py",
        QUET / "game.py",
    ]
    files = [file for file in files if not file.name.startswith(tuple(SILENT))]
    for file, _, message in messages([file for file in files if HERE not in file.parents]):
        yield file, message


def main() -> int:
    """Write the template and every catalog; say what is missing."""
    found = collect()
    found.creation_date = datetime.now(UTC)
    if TEMPLATE.exists():
        with TEMPLATE.open("rb") as file:
            before = read_po(file)
        if {message.id for message in before} == {message.id for message in found}:
            found.creation_date = before.creation_date
    _write(TEMPLATE, found)
    print(f"{TEMPLATE.name}: {len(found)} messages.")
    for language in sorted(set(LANGUAGES) - {SOURCE}):
        path = HERE / language / "LC_MESSAGES" / "quet.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        catalog = Catalog(locale=language)
        if path.exists():
            with path.open("rb") as file:
                catalog = read_po(file, locale=language)
        catalog.project, catalog.version, catalog.msgid_bugs_address = found.project, "", ""
        catalog.update(found, no_fuzzy_matching=True)
        _write(path, catalog)
        missing = [message.id for message in catalog if message.id and not is_translated(message.string)]
        print(f"{language}: {len(missing)} of them without a translation.")
    return 0


def is_translated(string: Any) -> bool:
    """Whether there is a translation, of every plural."""
    return all(string) if isinstance(string, (tuple, list)) else bool(string)


def _write(path: Path, catalog: Catalog) -> None:
    with path.open("wb") as file:
        write_po(file, catalog, width=WIDTH, ignore_obsolete=True, include_lineno=False)


if __name__ == "__main__":
    sys.exit(main())
