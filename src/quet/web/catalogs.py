"""The catalogs of messages: read when the site starts, and brought up to date by `make messages`.

Each game has its own in its folder, as `de.po`. Whatever else the site says is in the house's, in `web/locale`. A game
of another package ships its catalog in the same way, and `python -m quet.web.catalogs GAME` brings it up to date.
Translations stay as they are. What nothing says any more goes, and what is new waits for a translator.
"""

import argparse
import ast
import importlib
import importlib.resources
import importlib.util
import io
import logging
import sys
import tomllib
from collections.abc import Iterator
from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources.abc import Traversable
from pathlib import Path

from ..catalog import get
from ..core.errors import MissingExtra, refusing
from ..core.extras import needs
from ..core.lesson_file import read_lesson
from ..games import folders

try:
    with needs("site", "Babel"):
        from babel.messages.catalog import Catalog, Message
        from babel.messages.extract import extract_from_file
        from babel.messages.mofile import write_mo
        from babel.messages.pofile import read_po, write_po
except MissingExtra as error:
    if __name__ == "__main__":
        sys.exit(str(error))
    raise

LANGUAGES = {"en": "English", "de": "Deutsch"}  # each by its own name
SOURCE = "en"  # the language of the messages themselves
HOUSE = f"{__package__}.locale"
TEMPLATE = "quet.template.game"  # what `quet new-game` copies
QUET = Path(__file__).parents[1]
JINJA = {"newstyle_gettext": "true", "trimmed": "true", "silent": "false"}
CALLS = {"say": 1, "_": 1, "gettext": 1, "say_number": 2, "ngettext": 2}  # and how many templates each begins with

logger = logging.getLogger(__name__)
Id = str | tuple[str, str]  # of a message; of one that counts something, for 1 and for other numbers


def catalog_file(package: str, language: str) -> Traversable:
    """Where the catalog of a game's folder, or HOUSE, is; raises whatever importing a game's folder raises."""
    return importlib.resources.files(package) / f"{language}.po"


def read_catalog(file: Traversable, language: str) -> Catalog:
    """The catalog in a file; an empty one where there is none. Raises PoFileError."""
    if not file.is_file():
        return Catalog(locale=language, project="Quet", version="", msgid_bugs_address="", last_translator="")
    return read_po(io.BytesIO(file.read_bytes()), locale=language, abort_invalid=True)


@lru_cache
def translations(language: str) -> NullTranslations:
    """All translations into a language, the house's first. A catalog that can't be read is left out with a warning."""
    found = NullTranslations()
    if language != SOURCE:
        for package in (HOUSE, *folders().values()):
            compiled = io.BytesIO()
            try:
                write_mo(compiled, read_catalog(catalog_file(package, language), language))
                compiled.seek(0)
                found.add_fallback(GNUTranslations(compiled))
            except Exception:  # a game of another package can raise anything
                logger.warning("The catalog %s.po of %s can't be read.", language, package, exc_info=True)
    return found


def collect(package: str) -> Catalog:
    """The messages of a game's folder, or of HOUSE; with the files that say them. Raises ValueError for a bad call."""
    catalog = Catalog(charset="utf-8", fuzzy=False)
    for place, message in _of_house() if package == HOUSE else _of_game(package):
        catalog.add(message, locations=[(place, 0)])
    return catalog


def _of_house() -> Iterator[tuple[str, Id]]:
    for page in sorted(Path(__file__).parent.glob("pages/*.html")):
        for _, message, _, _ in extract_from_file("jinja2", page, options=JINJA):
            yield page.relative_to(QUET).as_posix(), message if isinstance(message, str) else (message[0], message[1])
    for file in sorted(QUET.rglob("*.py")):
        if file.relative_to(QUET).parts[0] not in ("games", "template"):
            yield from _of_code(file, file.relative_to(QUET).as_posix())


def _of_game(package: str) -> Iterator[tuple[str, Id]]:
    """What a game's facts, lesson and parameters say, and the calls in its code."""
    folder = Path(str(importlib.resources.files(package)))
    facts = tomllib.loads((folder / "facts.toml").read_text(encoding="utf-8").replace("= DATE", "= 0"))
    samples = [sample.get("source", "") for sample in facts.get("samples", ())]
    names = [words for one in facts.get("parameters", {}).values() for words in one.values()]
    said = [
        *(facts.get(name, "") for name in ("title", "short", "begin", "summary", "source")),
        *names,
        *facts["rules"],
    ]
    said += [facts.get("score", {}).get("wish", ""), *facts.get("rulings", {}).values()]
    said += [theorem["text"] for theorem in facts.get("theorems", ())]
    yield from (("facts.toml", text) for text in [*said, *samples] if text)
    if (folder / "lesson.toml").is_file():
        lesson = read_lesson(tomllib.loads((folder / "lesson.toml").read_text(encoding="utf-8")))
        yield from (("lesson.toml", text) for text in lesson.texts)
    for parameter in importlib.import_module(f"{package}.rules").PARAMETERS:
        yield from (("rules.py", text) for text in (parameter.meaning, parameter.usual) if text and not text.isdigit())
    for file in sorted(folder.rglob("*.py")):
        yield from _of_code(file, file.relative_to(folder).as_posix())


def _of_code(file: Path, place: str) -> Iterator[tuple[str, Id]]:
    """The templates in the calls of CALLS; raises ValueError for one that isn't a literal."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            given = [one.value if isinstance(one, ast.Constant) else None for one in node.args[: CALLS[node.func.id]]]
            texts = [text for text in given if isinstance(text, str)]
            if len(texts) < len(given) or not texts:
                raise ValueError(f"{file}, line {node.lineno}: the template of a message must be a literal.")
            yield place, texts[0] if len(texts) == 1 else (texts[0], texts[1])


def update(package: str, language: str) -> int:
    """Bring one catalog up to date, and return how many of its messages have no translation.

    A message that another catalog of this package translates has that translation.
    """
    catalog = _up_to_date(package, language)
    with Path(str(catalog_file(package, language))).open("wb") as file:
        write_po(file, catalog, width=110, ignore_obsolete=True, include_lineno=False)
    return _num_waiting(catalog)


def waiting(package: str, language: str) -> int:
    """How many messages have no translation, whether the catalog's file has them already or not.

    Raises ValueError for a bad call, and PoFileError.
    """
    return _num_waiting(_up_to_date(package, language))


def _up_to_date(package: str, language: str) -> Catalog:
    catalog = read_catalog(catalog_file(package, language), language)
    found = collect(package)
    found.creation_date = catalog.creation_date  # so that a file without news stays as it is
    catalog.update(found, no_fuzzy_matching=True)
    for other in ours() if _num_waiting(catalog) else ():
        known = read_catalog(catalog_file(other, language), language)
        for message in catalog:
            translated = known.get(message.id)
            if _is_waiting(message) and translated is not None and translated.id == message.id:
                message.string = translated.string
    return catalog


def _num_waiting(catalog: Catalog) -> int:
    return sum(map(_is_waiting, catalog))


def _is_waiting(message: Message) -> bool:
    return bool(message.id) and not all(message.string or [""])  # for 1, and for other numbers


def ours() -> list[str]:
    """The folders with catalogs in this package: the house's, the games', and the template's."""
    return [HOUSE, *(folder for folder in folders().values() if folder.startswith("quet.games.")), TEMPLATE]


def main() -> None:
    """Bring all catalogs of this package up to date, or those of the games named; say what is missing."""
    parser = argparse.ArgumentParser(
        prog="python -m quet.web.catalogs", description="Bring catalogs of messages up to date."
    )
    parser.add_argument("games", metavar="GAME", nargs="*", help="whose catalogs (those of this package)")
    with refusing(parser):
        asked = [get(id).package for id in parser.parse_args().games]
    for package in asked or ours():
        for language in LANGUAGES.keys() - {SOURCE}:
            print(f"{package}: {update(package, language)} messages wait for a translation ({language}).")


if __name__ == "__main__":
    main()
