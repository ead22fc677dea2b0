"""One folder a game. A folder with a `rules.py` is a game; nothing lists them by hand.

The functions here find a game's folder and import its modules. The catalog uses them, and so does the checker of
certificates, which doesn't import the catalog. A game of another package names its folder in an entry point of the
group `quet.games`.
"""

import functools
import importlib
import importlib.metadata
import importlib.util
import pkgutil
from collections.abc import Mapping, Set
from types import ModuleType
from typing import cast

from ..core.errors import BrokenRules, one_line
from ..core.rules import AnyRules, Rules, SearchRules

ENTRY_POINTS = "quet.games"


@functools.cache
def folders() -> Mapping[str, str]:
    """The importable name of each game's folder; a game here can't be replaced from outside."""
    found = {point.name: point.value for point in importlib.metadata.entry_points(group=ENTRY_POINTS)}
    for module in pkgutil.iter_modules(__path__):
        found[module.name.replace("_", "-")] = f"{__name__}.{module.name}"
    return found


def own_ids() -> list[str]:
    """The games that come with Quet, in alphabetical order; not everybody has those of other packages."""
    return sorted(id for id, folder in folders().items() if folder.startswith(f"{__name__}."))


def rules(id: str, folder: str) -> AnyRules:
    """The rules of the game in this folder; raises BrokenRules."""
    needed = {name for kind in (Rules, SearchRules) for name in (*kind.__annotations__, *vars(kind))}
    return cast(AnyRules, part(id, folder, "rules", needed))


def part(id: str, folder: str, name: str, needed: Set[str] = frozenset()) -> ModuleType:
    """A module of a game's folder, with all public names that are `needed`; raises BrokenRules."""
    try:
        module = importlib.import_module(f"{folder}.{name}")
    except Exception as error:  # a module of another package can raise anything
        what = one_line(f"{type(error).__name__}: {error}")
        raise BrokenRules(f"The {name} of {id} can't be imported: {what}.") from error
    missing = sorted(part for part in needed if not part.startswith("_") and not hasattr(module, part))
    if missing:
        raise BrokenRules(f"The {name} of {id} have no {' and no '.join(missing)}.")
    return module


def optional_part(id: str, folder: str, name: str, needed: Set[str] = frozenset()) -> ModuleType | None:
    """As `part`, where the folder has a module of this name; else None."""
    try:
        is_there = importlib.util.find_spec(f"{folder}.{name}") is not None
    except Exception as error:  # looking for it imports the folder
        what = one_line(f"{type(error).__name__}: {error}")
        raise BrokenRules(f"The folder of {id} can't be imported: {what}.") from error
    return part(id, folder, name, needed) if is_there else None
