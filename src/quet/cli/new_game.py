"""`quet new-game`: a new game, and a package around it, from a template that works."""

import datetime
import importlib.resources
import keyword
import re
import shutil
from importlib.resources.abc import Traversable
from pathlib import Path

from .. import catalog
from ..core.errors import QuetError
from ..core.quoting import shorten

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class BadName(QuetError):
    """A name that no game can have, or a folder that is there already."""


def make(name: str, folder: Path, *, is_bare: bool = False) -> Path:
    """Make the game `name` in `folder` and return the folder made.

    The folder is a package to install, `folder/name`. With `is_bare` it is only the game's folder, as in `quet/games`.
    Raises BadName if the name can't be used, if the folder exists, or if it can't be written.
    """
    if keyword.iskeyword(name):
        raise BadName(f"{shorten(name)} can't name a game: it is a word of Python.")
    if not _NAME.fullmatch(name) or len(name) > 40:
        raise BadName(f"{shorten(name)} can't name a game; use lower-case words joined by -, as in tic-tac-toe.")
    if name in catalog.ids() and not is_bare:
        raise BadName(f"There is a game {name} already.")
    package = name.replace("-", "_")
    target = folder / (package if is_bare else name)
    template = importlib.resources.files("quet.template")
    files = {f"src/quet_{package}/{file.name}": file for file in _files(template / "game")}
    if is_bare:
        files = {Path(path).name: file for path, file in files.items()}
    else:
        for file in _files(template / "package"):
            where = f"tests/test_{package}.py" if file.name.startswith("test_") else file.name.removesuffix(".txt")
            files[where] = file
    meanings = {
        "TITLE": name.replace("-", " ").title(),
        "NAME": name,
        "PACKAGE": package,
        "AUTHOR": "the author of the game",
        "DATE": datetime.date.today().isoformat(),
    }
    try:
        target.mkdir(parents=True)
    except FileExistsError:
        raise BadName(f"{target} is there already.") from None
    except OSError as error:
        raise BadName(f"{target} can't be made: {error.strerror}.") from None
    try:
        for path, file in files.items():
            text = file.read_text(encoding="utf-8")
            for word, meaning in meanings.items():
                text = text.replace(word, meaning)
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_text(text, encoding="utf-8")
    except BaseException as error:  # Ctrl-C, too
        shutil.rmtree(target, ignore_errors=True)  # half a game would be in the way of the next try
        if isinstance(error, OSError):
            raise BadName(f"{target} can't be made: {error.strerror}.") from None
        raise
    return target


def rules_file(target: Path, name: str, *, is_bare: bool) -> Path:
    """The file of rules of a game just made."""
    return target / "rules.py" if is_bare else target / "src" / f"quet_{name.replace('-', '_')}" / "rules.py"


def _files(folder: Traversable) -> list[Traversable]:
    return [file for file in folder.iterdir() if file.is_file() and not file.name.endswith(".pyc")]
